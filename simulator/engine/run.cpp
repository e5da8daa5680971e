#include "simulator/engine/run.h"

#include "core/base/version.h"
#include "simulator/compiler/compile_graph.h"
#include "simulator/cost/cost_model_version.h"
#include "simulator/engine/run_summary.h"

#include <algorithm>
#include <array>

namespace simulator {

namespace {

constexpr std::array<std::string_view, 4> levelNames{"none", "device", "ipu", "tile"};

core::RunProvenance provenanceOf(const Executable& executable, const RunRequest& request) {
    const core::ValidatedProject& project = executable.project;
    const IpuTarget& target = executable.system.target;
    return {
        .projectName = project.project().name,
        .projectText = request.projectText,
        .projectHash = request.projectHash,
        .programVersion = std::string(core::programVersion),
        .costModelVersion = std::string(costModelVersion),
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
        .schedule =
            executable.isPipelined ? std::string(core::toString(executable.schedule.kind)) : std::string(),
        .profileLevel = std::string(toString(request.level)),
        .started = request.started,
    };
}

LayerNames layerNames(const core::ValidatedProject& project) {
    return [&project](core::InvocationId invocation) {
        return invocation.isValid() ? project.graph().layerOf(invocation).path : std::string();
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
    job.report(0, "simulating");
    const SimulatedUpdate update = simulate(executable);
    core::RunSummary summary = runSummary(executable, update);
    summary.provenance = provenanceOf(executable, request);
    if (job.isCancelled())
        return core::failure(interrupted());

    sink.begin(summary.provenance);
    job.report(0.1, "recording");
    recordSimulation(executable, update, request.level, layerNames(executable.project), sink);
    if (job.isCancelled())
        return core::failure(interrupted());

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
