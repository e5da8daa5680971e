#pragma once

#include "core/model/model_graph.h"
#include "core/plan/stage_assignment.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace core {

/// A split that keeps the rules about order, with as few calls moved as it takes.
struct StageRepair {
    StageAssignment assignment;
    /// Entries that go to another stage; numbers that only close a gap between stages do not count.
    std::vector<std::size_t> moved;
};

/// The nearest pipeline in which no call needs what a later stage makes, and no stage is empty. Entries of
/// `kept` stay where they are; without any, either the calls that read too early move on or those that make
/// too late move back, whichever are fewer. Nothing where the kept entries contradict one another, where the
/// list does not fit the model, or where there is nothing to mend.
[[nodiscard]] std::optional<StageRepair> repairStages(const ModelGraph& model,
                                                      const StageAssignment& assignment,
                                                      std::span<const std::size_t> kept = {});

} // namespace core
