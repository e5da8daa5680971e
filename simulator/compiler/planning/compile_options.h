#pragma once

#include "core/project/validated_project.h"
#include "simulator/compiler/ordering/ordering_algorithm.h"
#include "simulator/compiler/staging/assign_stages.h"
#include "simulator/compiler/staging/choose_outfeeds.h"
#include "simulator/compiler/staging/place_variables.h"
#include "simulator/cost/operations/plan_operation.h"
#include "simulator/program/deployment.h"

#include <filesystem>
#include <vector>

namespace simulator {

/// How the operations of one program are planned.
struct ProgramPlanOptions {
    PlanOptions convolution;
    PlanOptions matmul;
    PlanOptions slice;
    PlanOptions other;

    bool operator==(const ProgramPlanOptions&) const = default;
};

/// Which operations the programming system fuses (`optimizations.combine_…`).
struct CombineOptions {
    bool matMuls = false;
    bool embeddingLookups = false;

    bool operator==(const CombineOptions&) const = default;
};

/// What the passes ask of a project, read once: none of them knows the option tree.
struct CompileOptions {
    StageMap stages;
    bool isPipelined = true;
    bool training = true;
    std::string schedule = "Grouped";
    core::ScheduleTable scheduleTable = {};
    core::RecomputationMode recomputationMode = core::RecomputationMode::Auto;
    bool allowRecompute = false;
    /// Of these stages alone; nothing: of all.
    std::optional<std::vector<std::int64_t>> recomputedStages = {};
    std::optional<std::vector<std::int64_t>> offloadedStages = {};
    /// N.
    std::int64_t microBatches = 1;
    std::int64_t batchSerialization = 1;
    OffloadOptions offload;
    OutfeedSelection outfeed;
    CombineOptions combine;
    /// Gradients that wait for one another before they are reduced over the replicas together; 0: each by
    /// itself. A gradient larger than this goes alone.
    std::int64_t crossReplicaSumBytes = 0;
    /// The same of reduce-scatters inside a program, and of the copies between IPUs of a sharded model.
    std::int64_t reduceScatterBytes = 0;
    std::int64_t interIpuCopyBytes = 0;
    /// Equal operations share exchange and control code.
    bool outlines = true;
    /// The tensors of a micro-batch come from the host in one copy, through a buffer of their size.
    bool mergesInfeedCopies = false;
    /// Accesses to remote buffers of one shape and type share their code.
    bool mergesRemoteBuffers = true;
    OrderingOptions ordering;
    /// By stage.
    std::vector<ProgramPlanOptions> forward;
    std::vector<ProgramPlanOptions> backward;
    ProgramPlanOptions weightUpdate;
    /// Tiles kept for host I/O, and whether they overlap it with the compute.
    std::int64_t ioTiles = 0;
    bool overlapsHostIo = false;
    /// Share of the I/O tiles' memory that data may take; what does not fit is not overlapped.
    double ioTileProportion = 0.9;
    ExecutionShape execution;

    bool operator==(const CompileOptions&) const = default;
};

[[nodiscard]] CompileOptions compileOptions(const core::ValidatedProject& project);

/// The finding when the tiles kept for input and output leave none of the target's to compute on.
[[nodiscard]] std::optional<core::Diagnostic> brokenIoTiles(const core::IpuConfig& config,
                                                            const IpuTarget& target);

/// The machine a project runs on; a target file is looked up from `folder`. Errors: those of `makeSystem` and
/// of `brokenIoTiles`.
[[nodiscard]] core::Result<IpuSystem> systemOf(const core::ValidatedProject& project,
                                               const std::filesystem::path& folder = {});

} // namespace simulator
