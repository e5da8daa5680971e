// Normalisation layers and their moving statistics.
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/bindings/replica_group.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>
#include <cmath>

namespace simulator {
namespace {

/// Channels of one part of a batch normalisation, rows of one block of a layer normalisation.
constexpr std::int64_t channelGrain = 64;
constexpr std::int64_t rowGrain = 64;

/// Shape of the map for x: how many samples, rows and channels the kind sees.
template <class Kind>
NormalizationMap shapedMap(const Kind& normalization, const Extents& extents) {
    NormalizationMap map;
    const std::int64_t elements = elementCount(extents);
    map.groups = normalization.groups;
    map.stridedGroups = normalization.stridedGroups;
    map.epsilon = static_cast<float>(normalization.epsilon);
    map.channels = extents.back();
    if (normalization.kind == NormalizationKind::Layer) {
        map.channels = 1;
        for (const std::int64_t axis : normalization.axes)
            map.channels *= extents[static_cast<std::size_t>(
                axis < 0 ? axis + static_cast<std::int64_t>(extents.size()) : axis)];
    } else if (normalization.kind != NormalizationKind::Batch) {
        map.samples = extents.front();
    }
    map.rows = elements / std::max<std::int64_t>(1, map.samples * map.channels);
    return map;
}

template <class Kind>
bool sharesStatistics(const Kind& normalization) {
    return normalization.kind == NormalizationKind::Batch && !normalization.useMovingStatistics &&
           normalization.replicaGroup > 1;
}

Collective overGroup(std::int64_t replicas) {
    return {CollectiveKind::AllReduce, CollectiveFunction::Add, replicas, false};
}

/// Mean and variance [2, channels] of a group whose members have as many elements each. Members go in order,
/// so that all get the same bytes.
void joinStatistics(const GroupContributions& all, std::int64_t channels, float* joined) {
    const std::int64_t members = all.group().size;
    const float share = 1.0F / static_cast<float>(members);
    for (std::int64_t c = 0; c < channels; ++c) {
        float mean = 0;
        for (std::int64_t member = 0; member < members; ++member)
            mean += all.of(member)[c];
        mean *= share;
        float variance = 0;
        for (std::int64_t member = 0; member < members; ++member) {
            const float apart = all.of(member)[c] - mean;
            variance += all.of(member)[channels + c] + apart * apart;
        }
        joined[c] = mean;
        joined[channels + c] = variance * share;
    }
}

/// Batch normalisation whose statistics are those of a group of replicas.
void bindShared(BindRequest& request, BoundOperation& bound, const NormalizationMap& map,
                std::int64_t replicas) {
    const NormalizationKernels& kernel = kernels().normalization;
    const WorkPartition partition{map.channels, channelGrain};
    float* local = request.takeFloats(2 * map.channels);
    float* joined = request.takeFloats(2 * map.channels);
    NormalizationMap measured = map;
    measured.mean = local;
    measured.inverseDeviation = local + map.channels;
    NormalizationMap applied = map;
    applied.mean = joined;
    applied.inverseDeviation = joined + map.channels;
    bound.phases.push_back(rangePhase(partition, [measured, run = kernel.batchStatistics](
                                                     const StepState&, std::int64_t begin, std::int64_t end,
                                                     std::byte*) { run(measured, begin, end); }));
    bound.phases.push_back(
        {1, [=](const StepState& state, std::int64_t, std::byte*) {
             joinStatistics(GroupContributions(overGroup(replicas), state, local), map.channels, joined);
             for (std::int64_t c = 0; c < map.channels; ++c) {
                 map.mean[c] = joined[c];
                 map.inverseDeviation[c] = 1.0F / std::sqrt(joined[map.channels + c] + map.epsilon);
             }
         }});
    bound.phases.push_back(rangePhase(
        partition, [applied, run = kernel.batchMoving](const StepState&, std::int64_t begin, std::int64_t end,
                                                       std::byte*) { run(applied, begin, end); }));
}

/// Its gradient: dgamma and dbeta stay this replica's, dx sees the sums of the group.
void bindSharedGradient(BindRequest& request, BoundOperation& bound, const NormalizationGradientMap& map,
                        std::int64_t replicas) {
    const NormalizationKernels& kernel = kernels().normalization;
    const std::int64_t channels = map.forward.channels;
    const WorkPartition partition{channels, channelGrain};
    float* local = request.takeFloats(2 * channels);
    float* joined = request.takeFloats(2 * channels);
    bound.phases.push_back(rangePhase(partition, [map, run = kernel.batchGradientSums](
                                                     const StepState&, std::int64_t begin, std::int64_t end,
                                                     std::byte*) { run(map, begin, end); }));
    bound.phases.push_back({1, [=](const StepState& state, std::int64_t, std::byte*) {
                                std::copy_n(map.dgamma, channels, local);
                                std::copy_n(map.dbeta, channels, local + channels);
                                const GroupContributions all(overGroup(replicas), state, local);
                                std::fill_n(joined, 2 * channels, 0.0F);
                                for (std::int64_t member = 0; member < all.group().size; ++member)
                                    for (std::int64_t i = 0; i < 2 * channels; ++i)
                                        joined[i] += all.of(member)[i];
                            }});
    bound.phases.push_back(
        rangePhase(partition, [=, run = kernel.batchGradientInput](const StepState&, std::int64_t begin,
                                                                   std::int64_t end, std::byte*) {
            run(map, joined, joined + channels, map.forward.rows * replicas, begin, end);
        }));
}

} // namespace

static void bindNormalization(BindRequest& request, BoundOperation& bound) {
    const auto& normalization = request.attributes<Normalization>();
    NormalizationMap map = shapedMap(normalization, request.inputs[0].extents());
    map.x = request.inputs[0].as();
    map.gamma = request.inputs[1].as();
    map.beta = request.inputs[2].as();
    map.y = request.outputs[0].as();
    map.mean = normalization.useMovingStatistics ? request.inputs[3].as() : request.outputs[1].as();
    map.inverseDeviation =
        normalization.useMovingStatistics ? request.inputs[4].as() : request.outputs[2].as();
    if (sharesStatistics(normalization))
        return bindShared(request, bound, map, normalization.replicaGroup);
    const NormalizationKernels& kernel = kernels().normalization;
    auto run = normalization.useMovingStatistics ? kernel.batchMoving : kernel.batch;
    WorkPartition partition{map.channels, channelGrain};
    if (normalization.kind == NormalizationKind::Layer) {
        run = kernel.layer;
        partition = rowPartition(map.rows, map.channels);
    } else if (normalization.kind != NormalizationKind::Batch) {
        run = kernel.group;
        partition = {map.samples, 1};
    }
    bound.phases.push_back(
        rangePhase(partition, [map, run](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
            run(map, begin, end);
        }));
}

static void bindNormalizationGradient(BindRequest& request, BoundOperation& bound) {
    const auto& normalization = request.attributes<NormalizationGradient>().forward;
    NormalizationGradientMap map;
    map.forward = shapedMap(normalization, request.inputs[0].extents());
    map.forward.x = request.inputs[0].as();
    map.forward.gamma = request.inputs[1].as();
    map.forward.mean = request.inputs[2].as();
    map.forward.inverseDeviation = request.inputs[3].as();
    map.dy = request.inputs[4].as();
    map.dx = request.outputs[0].as();
    map.dgamma = request.outputs[1].as();
    map.dbeta = request.outputs[2].as();
    const NormalizationKernels& kernel = kernels().normalization;
    if (normalization.kind == NormalizationKind::Batch) {
        if (sharesStatistics(normalization))
            return bindSharedGradient(request, bound, map, normalization.replicaGroup);
        const bool isMoving = normalization.useMovingStatistics;
        bound.phases.push_back(rangePhase(
            WorkPartition{map.forward.channels, channelGrain},
            [map, isMoving, &kernel](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
                if (isMoving)
                    return kernel.batchMovingGradient(map, begin, end);
                kernel.batchGradientSums(map, begin, end);
                kernel.batchGradientInput(map, map.dgamma, map.dbeta, map.forward.rows, begin, end);
            }));
        return;
    }
    const bool isLayer = normalization.kind == NormalizationKind::Layer;
    const WorkPartition partition =
        isLayer ? WorkPartition{map.forward.rows, rowGrain} : WorkPartition{map.forward.samples, 1};
    const std::int64_t blocks = partition.parts();
    map.partial = request.takeFloats(blocks * NormalizationGradientMap::partialRows * map.forward.channels);
    bound.phases.push_back(rangePhase(partition, [map, isLayer, &kernel](const StepState&, std::int64_t begin,
                                                                         std::int64_t end, std::byte*) {
        if (isLayer)
            kernel.layerGradient(map, begin, end, begin / rowGrain);
        else
            kernel.groupGradient(map, begin, end);
    }));
    bound.phases.push_back({1, [map, blocks, &kernel](const StepState&, std::int64_t, std::byte*) {
                                kernel.joinPartials(map, blocks);
                            }});
}

static void bindMovingAverage(BindRequest& request, BoundOperation& bound) {
    const auto average = request.attributes<MovingAverage>();
    const float* statistic = request.inputs[1].as();
    const float* moving = request.inputs[0].as();
    float* out = request.outputs[0].as();
    const std::int64_t count = request.outputs[0].elements();
    bound.phases.push_back({1, [=](const StepState&, std::int64_t, std::byte*) {
                                const auto keep = static_cast<float>(average.momentum);
                                const auto share = static_cast<float>(1 - average.momentum);
                                for (std::int64_t i = 0; i < count; ++i) {
                                    float value = statistic[i];
                                    if (average.fromInverseDeviation)
                                        value = 1.0F / (value * value) - static_cast<float>(average.epsilon);
                                    out[i] = moving[i] * keep + value * share;
                                }
                            }});
}

std::span<const PartRow<Binding>> normalizationsBindings() {
    static constexpr PartRow<Binding> rows[]{
        {kindIndex<Normalization>(), {bindNormalization}},
        {kindIndex<NormalizationGradient>(), {bindNormalizationGradient}},
        {kindIndex<MovingAverage>(), {bindMovingAverage}}};
    return rows;
}

} // namespace simulator
