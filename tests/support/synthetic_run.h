#pragma once

#include "core/config/pipeline_options.h"
#include "core/profile/records/output_records.h"
#include "core/profile/records/profile_sink.h"
#include "core/profile/records/run_records.h"

namespace tests {

/// A made-up training run of a residual network on a pipeline, shaped like a real one: schedule by the closed
/// forms, busy + idle = step on every IPU, liveness and lifetimes that agree. Same options, same records.
struct SyntheticRun {
    std::string schedule = "Grouped";
    std::size_t stages = 4;
    std::int64_t microBatches = 8;
    std::int64_t replicas = 2;
    bool recompute = true;
    std::int64_t executions = 24;
    std::int64_t updatesPerExecution = 4;
    std::int64_t epochs = 3;
    /// Scales the cycles of stage 0, to make runs differ.
    double firstStageScale = 1.0;
    std::string projectText = R"({"name": "resnet50-4x2"})";
    bool overLimit = false;
    std::string targetFigures = R"({"exchange_bytes_per_cycle": 4})";
    core::ModelOutputRecords predictions = {{{"fc1000", {2, 2}, "float32", 1}},
                                            {{"fc1000", 0, 0, 0.25}, {"fc1000", 0, 1, 0.75}}};
};

/// Records the run, up to and with `finish`.
core::RunSummary record(const SyntheticRun& run, core::ProfileSink& sink);

/// A run of nothing but very many short spans on each of some compute lanes.
core::RunSummary recordDenseRun(std::size_t lanes, std::size_t spansPerLane, core::ProfileSink& sink);

} // namespace tests
