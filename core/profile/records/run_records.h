#pragma once

#include "core/base/diagnostic.h"
#include "core/base/ids.h"
#include "core/base/quantity.h"
#include "core/config/training_options.h"
#include "core/plan/plan_estimate.h"
#include "core/profile/records/memory_records.h"
#include "core/profile/records/training_records.h"

#include <string>
#include <vector>

namespace core {

/// Where a run comes from: enough to run it again and to tell why two differ.
struct RunProvenance {
    std::string projectName;
    /// The project file as it was run.
    std::string projectText;
    std::string projectHash;
    std::string programVersion;
    std::string costModelVersion;
    /// Empty in files of earlier versions, as are the figures.
    std::string engineVersion;
    /// Every figure of the target as the run took it, as the text of a target file.
    std::string targetFigures;
    RunMode mode = RunMode::Train;
    std::uint64_t seed = 0;
    std::string targetName;
    std::int64_t tiles = 0;
    Bytes memoryPerTile;
    double clockHz = 0;
    std::int64_t ipus = 1;
    std::int64_t ipusPerReplica = 1;
    std::int64_t replicas = 1;
    std::int64_t microBatches = 1;
    std::int64_t batchSize = 1;
    std::string schedule;
    std::string profileLevel;
    /// Which kernels computed the numbers: "avx512", "avx2", "baseline"; "none" where none were computed,
    /// empty where an older program did not say. Their roundings differ.
    std::string kernels;
    /// ISO 8601 with zone, from the caller; not part of the result.
    std::string started;

    bool operator==(const RunProvenance&) const = default;
};

struct StageSummary {
    StageId stage;
    IpuId ipu;
    Cycles forward;
    Cycles backward;
    Cycles recompute;
    Cycles update;
    Bytes transfer;
    std::int64_t fifoDepth = 0;
    Bytes stash;

    bool operator==(const StageSummary&) const = default;
};

/// The numbers of a finished run; the JSON of `run` and `show` says the same.
struct RunSummary {
    RunProvenance provenance;
    bool fits = true;
    std::int64_t effectiveBatch = 1;
    std::int64_t executions = 1;
    Cycles step;
    double samplesPerSecond = 0;
    double idleFraction = 0;
    double hostStallFraction = 0;
    std::vector<StageSummary> stages;
    std::vector<IpuMemorySummary> memory;
    /// Indexed by IdleCause: cycles over all IPUs and one update.
    std::vector<Cycles> idleByCause;
    std::vector<MetricSeries> metrics;
    Diagnostics diagnostics;

    bool operator==(const RunSummary&) const = default;
};

/// "train", "evaluate", "predict".
[[nodiscard]] std::string_view toString(RunMode mode);
inline constexpr std::size_t runModeCount = 3;

} // namespace core
