// Bindings of operations that look rows up or count them.
#include "simulator/graph/output_rules.h"
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/bindings/conversion.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>

namespace simulator {
namespace {

/// table [outer, rows, inner] around `axis`.
GatherMap gatherMap(const Extents& table, std::size_t axis, std::int64_t indices) {
    GatherMap map;
    map.rows = table[axis];
    map.count = indices;
    for (std::size_t i = 0; i < table.size(); ++i)
        (i < axis ? map.outer : map.inner) *= i == axis ? 1 : table[i];
    return map;
}

} // namespace

static void bindGather(BindRequest& request, BoundOperation& bound) {
    const Extents& table = request.inputs[0].extents();
    GatherMap map = gatherMap(table, normalizedAxis(request.attributes<Gather>().axis, table.size()),
                              request.inputs[1].elements());
    map.table = request.inputs[0].as();
    map.indices = request.inputs[1].as<std::int32_t>();
    map.out = request.outputs[0].as();
    const auto& kernel = kernels().movement;
    bound.phases.push_back(rangePhase(rowPartition(map.outer * map.count, map.inner),
                                      [map, &kernel](const StepState&, std::int64_t begin, std::int64_t end,
                                                     std::byte*) { kernel.gather(map, begin, end); }));
}

static void bindGatherGradient(BindRequest& request, BoundOperation& bound) {
    const Extents& table = request.outputs[0].extents();
    const auto axis = static_cast<std::size_t>(request.attributes<GatherGradient>().forward.axis);
    GatherMap map = gatherMap(table, axis, request.inputs[0].elements());
    map.indices = request.inputs[0].as<std::int32_t>();
    map.out = request.inputs[1].as();
    float* gradient = request.outputs[0].as();
    const auto& kernel = kernels().movement;
    bound.phases.push_back(
        rangePhase(WorkPartition{map.inner, 64},
                   [=, &kernel](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
                       kernel.gatherGradient(map, gradient, begin, end);
                   }));
}

static void bindOneHot(BindRequest& request, BoundOperation& bound) {
    const auto oneHot = request.attributes<OneHot>();
    const auto* indices = request.inputs[0].as<std::int32_t>();
    float* out = request.outputs[0].as();
    bound.phases.push_back(rangePhase(
        rowPartition(request.inputs[0].elements(), oneHot.depth),
        [=](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
            for (std::int64_t i = begin; i < end; ++i) {
                for (std::int64_t k = 0; k < oneHot.depth; ++k)
                    out[i * oneHot.depth + k] = static_cast<float>(indices[i] == k ? oneHot.on : oneHot.off);
            }
        }));
}

static void bindSequenceSlice(BindRequest& request, BoundOperation& bound) {
    const Operand destination = request.inputs[0];
    const Operand source = request.inputs[1];
    const std::int64_t rows = destination.extents()[0];
    const std::int64_t sourceRows = source.extents()[0];
    const std::int64_t inner = rows == 0 ? 0 : destination.elements() / rows;
    const std::int64_t slices = request.inputs[2].elements();
    const auto* counts = request.inputs[2].as<std::int32_t>();
    const auto* from = request.inputs[3].as<std::int32_t>();
    const auto* to = request.inputs[4].as<std::int32_t>();
    const auto attributes = request.attributes<SequenceSlice>();
    const float* old = destination.as();
    const float* x = source.as();
    float* out = request.outputs[0].as();
    const auto writeRow = [=](std::int64_t row, std::int64_t read) {
        if (row < 0 || row >= rows || read < 0 || read >= sourceRows)
            return;
        for (std::int64_t i = 0; i < inner; ++i)
            out[row * inner + i] =
                x[read * inner + i] + (attributes.accumulates ? out[row * inner + i] : 0.0F);
    };
    bound.phases.push_back({1, [=](const StepState&, std::int64_t, std::byte*) {
                                for (std::int64_t i = 0; i < rows * inner; ++i)
                                    out[i] = attributes.zeroUnused ? 0.0F : old[i];
                                for (std::int64_t s = 0; s < slices; ++s) {
                                    for (std::int64_t r = 0; r < counts[s]; ++r)
                                        writeRow(to[s] + r, from[s] + r);
                                }
                            }});
}

static void bindHistogram(BindRequest& request, BoundOperation& bound) {
    const auto histogram = request.attributes<Histogram>();
    const float* x = request.inputs[0].as();
    const float* levels = request.inputs[1].as();
    const float* before = histogram.update ? request.inputs[2].as() : nullptr;
    float* out = request.outputs[0].as();
    const std::int64_t elements = request.inputs[0].elements();
    const std::int64_t levelCount = request.inputs[1].elements();
    bound.phases.push_back({1, [=](const StepState&, std::int64_t, std::byte*) {
                                for (std::int64_t bin = 0; bin <= levelCount; ++bin)
                                    out[bin] = before == nullptr ? 0.0F : before[bin];
                                for (std::int64_t i = 0; i < elements; ++i) {
                                    const float value = histogram.absolute ? std::abs(x[i]) : x[i];
                                    out[std::upper_bound(levels, levels + levelCount, value) - levels] += 1;
                                }
                            }});
}

namespace {

/// The new level of each level; empty where all levels stay.
std::vector<float> equalizedLevels(const std::vector<std::int64_t>& counts) {
    const auto bins = static_cast<std::int64_t>(counts.size());
    const auto last =
        std::find_if(counts.rbegin(), counts.rend(), [](std::int64_t count) { return count > 0; });
    const std::int64_t all = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    const std::int64_t step = last == counts.rend() || bins < 2 ? 0 : (all - *last) / (bins - 1);
    if (step == 0)
        return {};
    std::vector<float> levels;
    std::int64_t below = step / 2;
    for (const std::int64_t count : counts) {
        levels.push_back(static_cast<float>(std::min(below / step, bins - 1)));
        below += count;
    }
    return levels;
}

} // namespace

static void bindEqualize(BindRequest& request, BoundOperation& bound) {
    const float* x = request.inputs[0].as();
    float* y = request.outputs[0].as();
    const std::int64_t bins = request.attributes<Equalize>().bins;
    const Extents& extents = request.inputs[0].extents();
    const std::int64_t channels = extents.back();
    const std::int64_t perSample = request.inputs[0].elements() / std::max<std::int64_t>(extents[0], 1);
    const auto binOf = [bins](float value) {
        return std::isnan(value)
                   ? 0
                   : static_cast<std::int64_t>(std::clamp(value, 0.0F, static_cast<float>(bins - 1)));
    };
    const auto equalize = [=](std::int64_t sample, std::int64_t channel) {
        const std::int64_t first = sample * perSample + channel;
        const std::int64_t end = (sample + 1) * perSample;
        std::vector<std::int64_t> counts(static_cast<std::size_t>(bins), 0);
        for (std::int64_t i = first; i < end; i += channels)
            ++counts[static_cast<std::size_t>(binOf(x[i]))];
        const std::vector<float> levels = equalizedLevels(counts);
        for (std::int64_t i = first; i < end; i += channels)
            y[i] = levels.empty() ? x[i] : levels[static_cast<std::size_t>(binOf(x[i]))];
    };
    bound.phases.push_back(
        rangePhase(rowPartition(extents[0] * channels, perSample),
                   [=](const StepState&, std::int64_t begin, std::int64_t endRow, std::byte*) {
                       for (std::int64_t row = begin; row < endRow; ++row)
                           equalize(row / channels, row % channels);
                   }));
}

std::span<const PartRow<Binding>> lookupsBindings() {
    static constexpr PartRow<Binding> rows[]{
        {kindIndex<OneHot>(), {bindOneHot, wholeInputs<0>}},
        {kindIndex<Gather>(), {bindGather, wholeInputs<1>}},
        {kindIndex<GatherGradient>(), {bindGatherGradient, wholeInputs<0>}},
        {kindIndex<Histogram>(), {bindHistogram}},
        {kindIndex<Equalize>(), {bindEqualize}},
        {kindIndex<SequenceSlice>(), {bindSequenceSlice, wholeInputs<2, 3, 4>}}};
    return rows;
}

} // namespace simulator
