#pragma once

#include "core/model/model_graph.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace core {

/// One entry of `get_pipeline_stage_assignment`: a layer call to assign, or a nested model with the entries
/// of its own.
struct AssignmentEntry {
    /// The layer's name and class in its own model.
    std::string name;
    std::string className;
    /// Names through the nested models, "outer/inner".
    std::string path;
    /// Which call of the layer, counted through all calls of the models around it.
    std::uint32_t call = 0;
    /// Layers whose outputs the call takes, in order.
    std::vector<std::string> inputs;
    /// Position in `StageAssignment::stages`; of a nested model, that of its first entry.
    std::size_t index = 0;
    /// Filled for a nested model; such an entry has no stage of its own.
    bool isNestedModel = false;
    std::vector<AssignmentEntry> entries;
};

/// The calls of a model in the order of the stage assignment: post-order, calls of InputLayer left out, each
/// call of a nested model opened in its place.
[[nodiscard]] std::vector<AssignmentEntry> assignmentEntries(const ModelGraph& graph);

/// The entries that take a stage, nested models opened: entry i belongs to `StageAssignment::stages[i]`.
[[nodiscard]] std::vector<AssignmentEntry> flattened(std::vector<AssignmentEntry> entries);

/// Entries that take a stage.
[[nodiscard]] std::size_t countOf(const std::vector<AssignmentEntry>& entries);

} // namespace core
