// Normalisation layers and their moving statistics.
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>

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

} // namespace

void bindNormalization(BindRequest& request, BoundOperation& bound) {
    const auto& normalization = request.attributes<Normalization>();
    NormalizationMap map = shapedMap(normalization, request.inputs[0].extents());
    map.x = request.inputs[0].as();
    map.gamma = request.inputs[1].as();
    map.beta = request.inputs[2].as();
    map.y = request.outputs[0].as();
    map.mean = normalization.useMovingStatistics ? request.inputs[3].as() : request.outputs[1].as();
    map.inverseDeviation =
        normalization.useMovingStatistics ? request.inputs[4].as() : request.outputs[2].as();
    const NormalizationKernels& kernel = kernels().normalization;
    auto run = normalization.useMovingStatistics ? kernel.batchMoving : kernel.batch;
    Partition partition{map.channels, channelGrain};
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

void bindNormalizationGradient(BindRequest& request, BoundOperation& bound) {
    const auto& normalization = request.attributes<NormalizationGradient>();
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
        const auto run =
            normalization.useMovingStatistics ? kernel.batchMovingGradient : kernel.batchGradient;
        bound.phases.push_back(rangePhase(Partition{map.forward.channels, channelGrain},
                                          [map, run](const StepState&, std::int64_t begin, std::int64_t end,
                                                     std::byte*) { run(map, begin, end); }));
        return;
    }
    const bool isLayer = normalization.kind == NormalizationKind::Layer;
    const Partition partition =
        isLayer ? Partition{map.forward.rows, rowGrain} : Partition{map.forward.samples, 1};
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

void bindMovingAverage(BindRequest& request, BoundOperation& bound) {
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

} // namespace simulator
