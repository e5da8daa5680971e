#include "simulator/engine/run.h"

#include "core/base/version.h"
#include "core/project/run_figures.h"
#include "simulator/compiler/compile_graph.h"
#include "simulator/cost/cost_model_version.h"
#include "simulator/engine/clock/callback_timing.h"
#include "simulator/engine/records/engine_version.h"
#include "simulator/engine/records/run_summary.h"
#include "simulator/engine/training/training_run.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"
#include "simulator/target/target_file.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace simulator {

namespace {

using core::Diagnostics;

constexpr std::array<std::string_view, 4> levelNames{"none", "device", "ipu", "tile"};

core::RunProvenance provenanceOf(const Executable& executable, const RunRequest& request, bool isComputed) {
    const core::ValidatedProject& project = executable.project;
    const IpuTarget& target = executable.system.target;
    return {
        .projectName = project.project().name,
        .projectText = request.projectText,
        .projectHash = request.projectHash,
        .programVersion = std::string(core::programVersion),
        .costModelVersion = std::string(costModelVersion),
        .engineVersion = std::string(engineVersion),
        .targetFigures = toJson(target).dump(),
        .mode = project.mode(),
        .seed = project.project().training.seed,
        .targetName = target.name,
        .tiles = target.tiles,
        .memoryPerTile = core::Bytes(target.memoryPerTileBytes),
        .clockHz = target.clockHz,
        .ipus = executable.system.ipusPerReplica * executable.system.replicas,
        .ipusPerReplica = executable.system.ipusPerReplica,
        .replicas = executable.system.replicas,
        .microBatches = project.microBatches(),
        .batchSize = project.project().training.batchSize,
        .schedule = executable.isPipelined ? executable.schedule.name : std::string(),
        .profileLevel = std::string(toString(request.level)),
        .kernels = isComputed ? kernels().name : "none",
        .started = request.started,
    };
}

LayerNames layerNames(const core::ValidatedProject& project) {
    // Every operation and block of a layer asks again.
    return [&project, known = std::vector<core::SharedText>()](core::InvocationId invocation) mutable {
        if (!invocation.isValid())
            return core::SharedText();
        if (known.size() <= invocation.index())
            known.resize(invocation.index() + 1);
        core::SharedText& name = known[invocation.index()];
        if (name.empty())
            name = project.graph().layerOf(invocation).path;
        return name;
    };
}

/// A share of a longer job.
core::JobContext partOf(const core::JobContext& job, double from, double to) {
    core::JobContext part{job.stopToken, {}};
    if (job.progress)
        part.progress = [progress = job.progress, from, to](double fraction, std::string_view activity) {
            progress(from + (to - from) * fraction, activity);
        };
    return part;
}

/// The numerics of a run; nothing where none are asked for, or where the model can only be priced, which is
/// reported as a warning.
core::Result<std::optional<TrainingRun>> prepareTraining(const Executable& executable,
                                                         const RunRequest& request, Diagnostics& findings) {
    const core::TrainingOptions& options = executable.project.project().training;
    if (!request.numerics || core::datasetOf(options, executable.project.mode()) == nullptr)
        return std::optional<TrainingRun>();
    auto training =
        TrainingRun::make(executable, {request.threads, request.baseFolder, request.grants, request.kept,
                                       request.written, static_cast<bool>(request.outputs)});
    if (training)
        return std::optional<TrainingRun>(std::move(*training));
    core::Diagnostic& first = training.error().front();
    // Without numerics there is nothing that could be written.
    if (first.code != "numerics/no-kernel" || request.outputs)
        return core::failure(std::move(training.error()));
    first.severity = core::Severity::Warning;
    first.message += "; this run has times and memory only";
    findings.push_back(std::move(first));
    return std::optional<TrainingRun>();
}

/// Hands the sink what a run that is stopped on request has finished.
void keepFinished(const TrainingRun& training, core::RunSummary summary, core::ProfileSink& sink) {
    auto finished = training.finished();
    if (!finished)
        return;
    summary.executions = finished->executions;
    summary.metrics = std::move(finished->metrics);
    summary.diagnostics.insert(summary.diagnostics.end(), finished->findings.begin(),
                               finished->findings.end());
    summary.diagnostics.push_back(
        core::makeWarning(core::Trouble::Interrupted, "run/stopped", {},
                          fmt::format("stopped on request after {} {}, which are kept", finished->epochs,
                                      finished->epochs == 1 ? "whole epoch" : "whole epochs"),
                          {"start it again to have the whole answer"}));
    sink.stopped(summary);
}

} // namespace

std::string_view toString(ProfileLevel level) {
    return levelNames[static_cast<std::size_t>(level)];
}

std::optional<ProfileLevel> profileLevelFromName(std::string_view name) {
    const auto found = std::ranges::find(levelNames, name);
    if (found == levelNames.end())
        return std::nullopt;
    return static_cast<ProfileLevel>(found - levelNames.begin());
}

core::Result<core::RunSummary> runExecutable(const Executable& executable, const RunRequest& request,
                                             core::ProfileSink& sink, const core::JobContext& job) {
    // Whatever can be refused is refused before the sink hears anything.
    Diagnostics findings;
    auto training = prepareTraining(executable, request, findings);
    if (!training)
        return core::failure(training.error());

    job.report(0, "simulating");
    const SimulatedUpdate update = simulate(executable);
    core::RunSummary summary = runSummary(executable, update);
    summary.provenance = provenanceOf(executable, request, training->has_value());
    summary.diagnostics.insert(summary.diagnostics.end(), executable.warnings.begin(),
                               executable.warnings.end());
    summary.diagnostics.insert(summary.diagnostics.end(), findings.begin(), findings.end());
    if (job.isCancelled())
        return core::failure(interrupted());

    sink.begin(summary.provenance);
    job.report(0.1, "recording");
    recordSimulation(executable, update, request.level, layerNames(executable.project), sink, job);
    sink.callbacks(callbackRecords(executable, update.timing));
    if (job.isCancelled())
        return core::failure(interrupted());

    if (*training) {
        auto result = (*training)->run(sink, partOf(job, 0.2, 1));
        if (!result && job.isCancelled())
            keepFinished(**training, std::move(summary), sink);
        if (!result)
            return core::failure(result.error());
        summary.metrics = std::move(result->metrics);
        summary.diagnostics.insert(summary.diagnostics.end(), result->findings.begin(),
                                   result->findings.end());
        if (request.outputs)
            request.outputs(result->outputs);
    }
    sink.finish(summary);
    job.report(1, "done");
    return summary;
}

core::Result<core::RunSummary> run(const RunRequest& request, core::ProfileSink& sink,
                                   const core::JobContext& job, CompilationCache* cache) {
    const auto executable = compile(request.project, partOf(job, 0, 0.2), cache, request.baseFolder);
    if (!executable)
        return core::failure(executable.error());
    return runExecutable(*executable, request, sink, partOf(job, 0.2, 1));
}

} // namespace simulator
