#include "core/project/run_figures.h"

#include "core/config/device_connection.h"
#include "core/config/ipu_config/ipu_config_values.h"
#include "core/plan/device_listing.h"
#include "core/plan/recomputation.h"
#include "core/plan/shard_stages.h"

#include <algorithm>
#include <bit>

namespace core {

namespace {

std::vector<IpuId> ipusOfStages(const Project& project, std::size_t stages) {
    std::vector<IpuId> ipus;
    const bool isSerialised = project.pipeline.batchSerializationIterations > 1;
    const std::vector<IpuId>& mapping = project.deviceMapping.ipus;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        if (!project.assignment.isPipelined())
            ipus.emplace_back(0);
        else if (stage < mapping.size())
            ipus.push_back(mapping[stage]);
        else
            ipus.emplace_back(mapping.empty() && isSerialised ? 0 : stage);
    }
    return ipus;
}

/// The IPUs that a sharded model uses one after the other; IPU 0 where its shards cannot be known yet.
std::vector<IpuId> ipusOfShards(const Project& project) {
    const std::vector<StageId>& shards = project.assignment.stages;
    const auto flattened = flattenModel(project.model);
    const bool isWhole = flattened && flattened->assignable().size() == shards.size() &&
                         std::ranges::all_of(shards, [](StageId shard) { return shard.isValid(); });
    return isWhole ? shardStages(*flattened, shards).ipus : std::vector<IpuId>{IpuId(0)};
}

std::int64_t ipusOfDevice(const Project& project, std::int64_t ipusPerReplica) {
    const std::int64_t attached = project.system.ipus;
    const auto counts = deviceNumbers(optionIntegers(project.ipuConfig, "auto_select_ipus"));
    if (!counts.empty())
        return std::min(counts.front(), attached);
    const auto ids = deviceNumbers(optionIntegers(project.ipuConfig, "select_ipus"));
    if (!ids.empty()) {
        const auto devices = listDevices(attached);
        const auto found = std::ranges::find(devices, ids.front(), &ListedDevice::id);
        return found == devices.end() ? attached : static_cast<std::int64_t>(found->ipus.size());
    }
    return project.replicas ? std::min(attached, *project.replicas * ipusPerReplica) : attached;
}

bool remoteMemoryAtHand(const Project& project) {
    const DeviceConnection connection = deviceConnection(project.ipuConfig);
    return project.system.remoteMemory &&
           (connection.isAttachedAtConfiguration() || connection.enableRemoteBuffers);
}

std::optional<std::int64_t> stepsOf(const TrainingOptions& training, RunMode mode,
                                    const std::optional<DatasetFacts>& facts) {
    if (mode == RunMode::Evaluate && training.validationSteps)
        return training.validationSteps;
    if (training.stepsPerEpoch)
        return training.stepsPerEpoch;
    const DatasetSpec* dataset = datasetOf(training, mode);
    if (dataset == nullptr || !facts)
        return std::nullopt;
    return facts->samples / training.batchSize;
}

} // namespace

const DatasetSpec* datasetOf(const TrainingOptions& training, RunMode mode) {
    if (mode == RunMode::Evaluate && training.validationDataset)
        return &*training.validationDataset;
    return training.dataset ? &*training.dataset : nullptr;
}

bool isRepeated(const DatasetSpec& dataset, const TrainingOptions& training) {
    const auto repeat = dataset.parameters.find("repeat");
    if (repeat != dataset.parameters.end() && repeat->is_boolean())
        return repeat->get<bool>();
    return training.stepsPerEpoch.has_value();
}

RunFigures runFigures(const Project& project, RunMode mode, const std::optional<DatasetFacts>& facts) {
    RunFigures figures;
    figures.isTraining = mode == RunMode::Train;
    figures.isPipelined = project.assignment.isPipelined();
    figures.stages = figures.isPipelined ? std::max<std::size_t>(1, project.assignment.stageCount()) : 1;
    figures.ipuOf = ipusOfStages(project, figures.stages);
    if (project.assignment.isSharded()) {
        figures.ipuOf = ipusOfShards(project);
        figures.stages = figures.ipuOf.size();
    }
    // Keras counts the whole mapping, however long it is.
    const auto count = [&](const std::vector<IpuId>& ipus) {
        for (const IpuId ipu : ipus)
            figures.ipusOfModel = std::max(figures.ipusOfModel, static_cast<std::int64_t>(ipu.index()) + 1);
    };
    count(figures.ipuOf);
    if (figures.isPipelined)
        count(project.deviceMapping.ipus);
    figures.ipusPerReplica =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(figures.ipusOfModel)));
    figures.ipusOfDevice = ipusOfDevice(project, figures.ipusPerReplica);
    figures.replicas =
        std::max<std::int64_t>(1, project.replicas.value_or(figures.ipusOfDevice / figures.ipusPerReplica));
    figures.stepsPerEpoch = stepsOf(project.training, mode, facts);
    figures.stepsPerExecution = project.training.stepsPerExecution;
    if (figures.stepsPerEpoch) {
        figures.stepsPerReplica = *figures.stepsPerEpoch / figures.replicas;
        if (*figures.stepsPerReplica > 0)
            figures.stepsPerExecution = std::min(figures.stepsPerExecution, *figures.stepsPerReplica);
    }
    // Without weight updates a pipeline that is run several times in an execution fills and empties each
    // time.
    const std::int64_t repeats = figures.isPipelined ? project.pipeline.repeatCount.value_or(1) : 1;
    const bool isRepeated = repeats > 1 && figures.stepsPerExecution % repeats == 0;
    figures.microBatches = figures.isTraining ? project.pipeline.gradientAccumulationSteps.value_or(1)
                                              : figures.stepsPerExecution / (isRepeated ? repeats : 1);
    figures.hasRemoteMemory = remoteMemoryAtHand(project);
    return figures;
}

PipelineShape pipelineShape(const Project& project, const RunFigures& figures) {
    PipelineShape shape;
    shape.stages = figures.stages;
    shape.microBatches = figures.microBatches;
    shape.training = figures.isTraining;
    const auto mode = resolveRecomputation(project.pipeline.schedule, project.pipeline.recomputationMode,
                                           project.pipeline.scheduleTable.text);
    shape.recompute = figures.isTraining && optionIsOn(project.ipuConfig, "allow_recompute") && mode &&
                      *mode == RecomputationMode::RecomputeThenBackpropagate;
    shape.recomputedStages = project.pipeline.recomputedStages;
    shape.deviceMapping = figures.ipuOf;
    shape.table = project.pipeline.scheduleTable;
    shape.ioTiles = optionInteger(project.ipuConfig, "io_tiles.num_io_tiles") > 0;
    return shape;
}

} // namespace core
