#pragma once

#include "core/profile/records/program_records.h"
#include "core/profile/schema/profile_database.h"

#include <map>
#include <vector>

namespace core {

/// Operations of the run's training graph, in order of their ids.
[[nodiscard]] Result<std::vector<OperationRecord>> loadOperations(const ProfileDatabase& database, RunId run);

/// The program tree: a parent comes before its children.
[[nodiscard]] Result<std::vector<ProgramStepRecord>> loadProgram(const ProfileDatabase& database, RunId run);

/// What one stage program spends on a layer.
struct LayerShare {
    std::string layer;
    Cycles compute;
    Cycles exchange;
    Cycles sync;
    Flops flops;
    std::int64_t operations = 0;

    [[nodiscard]] Cycles total() const { return compute + exchange + sync; }
};

/// What one stage program spends on an operation; copies on the tiles have none.
struct OperationShare {
    OperationId operation;
    Cycles compute;
    Cycles exchange;
    Cycles sync;
};

/// Where one run of a stage program goes: every leaf of the program tree is in one of the sums, loops as
/// often as they run, so that they add up to the program.
struct StageProgramShares {
    /// In the order in which they first run; what belongs to no layer (loss, optimizer) under the operation's
    /// name, copies on the tiles under `localCopiesName`.
    std::vector<LayerShare> layers;
    /// The same time by operation, in the order in which they first run.
    std::vector<OperationShare> operations;
    /// Streams of remote memory and of the host's tables, in which nothing computes.
    Cycles streamed;
    Bytes streamedBytes;
    std::int64_t streams = 0;

    /// Without the streams.
    [[nodiscard]] Cycles work() const;
};
inline constexpr std::string_view localCopiesName = "FIFOs and copies on the tiles";

using StageProgramMap = std::map<std::pair<StageId, ProgramPhase>, StageProgramShares>;
[[nodiscard]] Result<StageProgramMap> loadStagePrograms(const ProfileDatabase& database, RunId run);

/// A layer on a stage.
struct LayerRow {
    std::string layer;
    StageId stage;
    /// The model has it there: it goes forward. Gradients of several readers may be summed on other stages.
    bool isPlaced = false;
};
/// Layers in the order of their first operation; a layer with operations on two stages has two rows.
[[nodiscard]] Result<std::vector<LayerRow>> loadLayers(const ProfileDatabase& database, RunId run);

} // namespace core
