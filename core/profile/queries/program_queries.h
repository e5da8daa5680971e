#pragma once

#include "core/profile/records/program_records.h"
#include "core/profile/schema/profile_database.h"

#include <vector>

namespace core {

/// Operations of the run's training graph, in order of their ids.
[[nodiscard]] Result<std::vector<OperationRecord>> loadOperations(const ProfileDatabase& database, RunId run);

/// The program tree: a parent comes before its children.
[[nodiscard]] Result<std::vector<ProgramStepRecord>> loadProgram(const ProfileDatabase& database, RunId run);

/// What one stage program spends on a layer, in the order in which its layers first run.
struct LayerShare {
    std::string layer;
    Cycles compute;
    Cycles exchange;
    Cycles sync;
    Flops flops;
    std::int64_t operations = 0;

    [[nodiscard]] Cycles total() const { return compute + exchange + sync; }
};
[[nodiscard]] Result<std::vector<LayerShare>> stageProgram(const ProfileDatabase& database, RunId run,
                                                           StageId stage, ProgramPhase phase);

/// A layer over all phases of its stages.
struct LayerRow {
    std::string layer;
    StageId stage;
    Cycles forward;
    Cycles backward;
    Cycles recompute;
    Cycles update;
    Flops flops;
    Bytes exchange;
    Bytes output;
};
/// Layers in the order of their first operation; a layer on two stages has two rows.
[[nodiscard]] Result<std::vector<LayerRow>> loadLayers(const ProfileDatabase& database, RunId run);

} // namespace core
