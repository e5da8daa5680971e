#include "simulator/calibration/calibration_throughput.h"

#include "core/plan/schedule/schedule_catalogue.h"
#include "simulator/calibration/calibration_project.h"
#include "simulator/compiler/compile.h"
#include "simulator/planner/estimate.h"

#include <algorithm>

namespace simulator {

namespace {

/// What a call of a program from Python takes between two executions, where the measurement says how many
/// updates a call has (`device_iterations`): data handed over, the call, results handed back. Both
/// measurements of calls (800 small images each, made on the device and fed by the host) are 4.3 and 4.6 ms
/// longer than what the machine does in them.
constexpr double callSeconds = 4.4e-3;

double callSecondsPerUpdate(const CalibrationCase& item) {
    const double updates = core::numberOr(item.description, "device_iterations", 0);
    return updates > 0 ? callSeconds / updates : 0;
}

/// What the host sends for a micro-batch where the case says it: 8-bit images instead of the model's numbers.
void setInput(const CalibrationCase& item, CompiledPipeline& pipeline) {
    const double perSample = core::numberOr(item.description, "input_bytes_per_sample", 0);
    if (!(perSample > 0))
        return;
    for (const core::TensorId input : pipeline.graph.inputs)
        pipeline.infeedBytes -= core::Bytes(pipeline.graph.tensor(input).bytes());
    pipeline.infeedBytes += core::Bytes(
        static_cast<std::int64_t>(perSample * core::numberOr(item.description, "micro_batch", 1)));
}

/// Seconds of one weight update.
core::Result<double> updateSeconds(const CalibrationCase& item, const core::Project& project,
                                   CompilationCache& cache, const core::JobContext& job) {
    const auto validated = validatedForCalibration(project);
    if (!validated)
        return core::failure(validated.error());
    auto executable = compile(*validated, job, &cache);
    if (!executable)
        return core::failure(executable.error());
    setInput(item, *executable);
    // Data that is made on the fly is not ready when the device asks for it.
    if (const auto fed = item.description.find("host_data"); fed != item.description.end() && *fed == true)
        executable->execution.prefetchDepth = 0;
    const core::PlanEstimate estimate = estimateOf(*executable);
    return static_cast<double>(estimate.step.value()) / estimate.clockHz;
}

/// Micro-batches that a schedule wants a multiple of.
std::int64_t overlapOf(const core::Project& project) {
    const std::size_t stages = project.assignment.stageCount();
    return stages < 2 ? 1
                      : core::scheduleDefinition(project.pipeline.schedule).multipleOf({.stages = stages});
}

} // namespace

core::Result<double> predictThroughput(const CalibrationCase& item, CompilationCache& cache,
                                       const core::JobContext& job) {
    const auto project = calibrationProject(item);
    if (!project)
        return core::failure(project.error());
    const auto wanted = static_cast<std::int64_t>(core::numberOr(item.description, "grad_accum", 1));
    const std::int64_t overlap = overlapOf(*project);
    const std::int64_t below = std::max(wanted / overlap, std::int64_t{1}) * overlap;
    const auto first = updateSeconds(item, withMicroBatches(*project, below), cache, job);
    if (!first)
        return core::failure(first.error());
    double seconds = *first;
    if (below != wanted) {
        const auto second = updateSeconds(item, withMicroBatches(*project, below + overlap), cache, job);
        if (!second)
            return core::failure(second.error());
        seconds += (*second - *first) / static_cast<double>(overlap) * static_cast<double>(wanted - below);
    }
    const double items = core::numberOr(item.description, "micro_batch", 1) * static_cast<double>(wanted) *
                         core::numberOr(item.description, "replicas", 1) *
                         core::numberOr(item.description, "samples_per_item", 1);
    return items / (seconds + callSecondsPerUpdate(item));
}

} // namespace simulator
