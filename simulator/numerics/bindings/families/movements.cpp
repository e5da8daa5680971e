// Operations that move, repeat, look up or fill in elements.
#include "simulator/graph/output_rules.h"
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/bindings/conversion.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace simulator {
namespace {

/// One axis of a strided move.
struct MoveAxis {
    std::int64_t extent = 1;
    std::int64_t from = 0;
    std::int64_t to = 0;
};

std::vector<std::int64_t> denseStrides(const Extents& extents) {
    std::vector<std::int64_t> strides(extents.size(), 1);
    for (std::size_t i = extents.size(); i-- > 1;)
        strides[i - 1] = strides[i] * extents[i];
    return strides;
}

/// Joins neighbouring axes that are one in both views.
std::vector<MoveAxis> joined(const std::vector<MoveAxis>& axes) {
    std::vector<MoveAxis> result;
    for (const MoveAxis& axis : axes) {
        if (axis.extent == 1)
            continue;
        if (!result.empty() && result.back().from == axis.from * axis.extent &&
            result.back().to == axis.to * axis.extent) {
            result.back() = {result.back().extent * axis.extent, axis.from, axis.to};
        } else {
            result.push_back(axis);
        }
    }
    return result;
}

/// A phase that moves elements between two views. Offsets in elements.
void addMove(BoundOperation& bound, const std::byte* from, std::int64_t fromOffset, std::byte* to,
             std::int64_t toOffset, int elementBytes, const std::vector<MoveAxis>& all) {
    const std::vector<MoveAxis> axes = joined(all);
    StridedMove move;
    std::int64_t elements = 1;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::size_t at = movementAxes - axes.size() + i;
        move.extents[at] = axes[i].extent;
        move.fromStrides[at] = axes[i].from;
        move.toStrides[at] = axes[i].to;
        elements *= axes[i].extent;
    }
    if (axes.empty()) {
        move.fromStrides[movementAxes - 1] = 1;
        move.toStrides[movementAxes - 1] = 1;
    }
    if (elements == 0)
        return;
    move.from = from == nullptr ? nullptr : from + fromOffset * elementBytes;
    move.to = to == nullptr ? nullptr : to + toOffset * elementBytes;
    const auto kernel = kernels().movement.move(elementBytes);
    const std::int64_t row = move.extents[movementAxes - 1];
    if (axes.size() <= 1 && row > 65536) {
        // One long row: cut it.
        const std::int64_t fromStep = move.fromStrides[movementAxes - 1] * elementBytes;
        const std::int64_t toStep = move.toStrides[movementAxes - 1] * elementBytes;
        bound.phases.push_back(rangePhase(WorkPartition{row, 65536}, [=](const StepState&, std::int64_t begin,
                                                                         std::int64_t end, std::byte*) {
            StridedMove piece = move;
            piece.from = static_cast<const std::byte*>(move.from) + begin * fromStep;
            piece.to = static_cast<std::byte*>(move.to) + begin * toStep;
            piece.extents[movementAxes - 1] = end - begin;
            kernel(piece, 0, 1);
        }));
        return;
    }
    bound.phases.push_back(rangePhase(rowPartition(elements / row, row),
                                      [move, kernel](const StepState&, std::int64_t begin, std::int64_t end,
                                                     std::byte*) { kernel(move, begin, end); }));
}

int elementBytes(const Operand& operand) {
    return core::elementBytes(operand.tensor->type);
}

/// The bytes of `value` as an element of `type`.
std::uint32_t elementBits(double value, core::DataType type) {
    const auto number = static_cast<float>(value);
    std::uint32_t bits = 0;
    if (type == core::DataType::Float32) {
        std::memcpy(&bits, &number, sizeof bits);
        return bits;
    }
    kernels().movement.convert(core::DataType::Float32, type)(&number, &bits, 0, 1);
    return bits;
}

void addFill(BoundOperation& bound, const Operand& out, double value) {
    const std::uint32_t bits = elementBits(value, out.tensor->type);
    const int size = elementBytes(out);
    std::byte* data = out.data;
    const auto move = kernels().movement.move(size);
    bound.phases.push_back(
        rangePhase(WorkPartition{out.elements(), 65536},
                   [=](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
                       StridedMove fill;
                       fill.extents[movementAxes - 1] = end - begin;
                       fill.toStrides[movementAxes - 1] = 1;
                       fill.from = &bits;
                       fill.to = data + begin * size;
                       move(fill, 0, 1);
                   }));
}

} // namespace

static void bindCopy(BindRequest& request, BoundOperation& bound) {
    addMove(bound, request.inputs[0].data, 0, request.outputs[0].data, 0, elementBytes(request.inputs[0]),
            {{request.inputs[0].elements(), 1, 1}});
}

static void bindBroadcast(BindRequest& request, BoundOperation& bound) {
    const Extents& in = request.inputs[0].extents();
    const Extents& out = request.outputs[0].extents();
    const std::vector<std::int64_t> inStrides = denseStrides(in);
    const std::vector<std::int64_t> outStrides = denseStrides(out);
    const std::size_t offset = out.size() - in.size();
    std::vector<MoveAxis> axes;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const bool isRepeated = i < offset || in[i - offset] == 1;
        axes.push_back({out[i], isRepeated ? 0 : inStrides[i - offset], outStrides[i]});
    }
    addMove(bound, request.inputs[0].data, 0, request.outputs[0].data, 0, elementBytes(request.inputs[0]),
            axes);
}

static void bindTranspose(BindRequest& request, BoundOperation& bound) {
    const auto& permutation = request.attributes<Transpose>().permutation;
    const Extents& out = request.outputs[0].extents();
    const std::vector<std::int64_t> inStrides = denseStrides(request.inputs[0].extents());
    const std::vector<std::int64_t> outStrides = denseStrides(out);
    std::vector<MoveAxis> axes;
    for (std::size_t i = 0; i < out.size(); ++i)
        axes.push_back({out[i], inStrides[static_cast<std::size_t>(permutation[i])], outStrides[i]});
    addMove(bound, request.inputs[0].data, 0, request.outputs[0].data, 0, elementBytes(request.inputs[0]),
            axes);
}

static void bindConcatenate(BindRequest& request, BoundOperation& bound) {
    const Extents& out = request.outputs[0].extents();
    const std::size_t axis = normalizedAxis(request.attributes<Concatenate>().axis, out.size());
    const std::vector<std::int64_t> outStrides = denseStrides(out);
    std::int64_t begin = 0;
    for (const Operand& part : request.inputs) {
        const std::vector<std::int64_t> partStrides = denseStrides(part.extents());
        std::vector<MoveAxis> axes;
        for (std::size_t i = 0; i < out.size(); ++i)
            axes.push_back({part.extents()[i], partStrides[i], outStrides[i]});
        addMove(bound, part.data, 0, request.outputs[0].data, begin * outStrides[axis], elementBytes(part),
                axes);
        begin += part.extents()[axis];
    }
}

static void bindSlice(BindRequest& request, BoundOperation& bound) {
    const auto& slice = request.attributes<Slice>();
    const Extents& out = request.outputs[0].extents();
    const std::vector<std::int64_t> inStrides = denseStrides(request.inputs[0].extents());
    const std::vector<std::int64_t> outStrides = denseStrides(out);
    std::vector<MoveAxis> axes;
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        axes.push_back({out[i], inStrides[i] * slice.stride[i], outStrides[i]});
        offset += slice.begin[i] * inStrides[i];
    }
    addMove(bound, request.inputs[0].data, offset, request.outputs[0].data, 0,
            elementBytes(request.inputs[0]), axes);
}

namespace {

/// The modes that repeat elements go one axis after the other through lists of positions.
void bindPadByPosition(BindRequest& request, BoundOperation& bound, const Pad& pad) {
    const Extents& in = request.inputs[0].extents();
    const Extents& out = request.outputs[0].extents();
    std::vector<std::vector<std::int64_t>> positions(out.size());
    const std::vector<std::int64_t> inStrides = denseStrides(in);
    for (std::size_t i = 0; i < out.size(); ++i) {
        for (std::int64_t p = 0; p < out[i]; ++p)
            positions[i].push_back(paddedPosition(pad.mode, p - pad.low[i], in[i]) * inStrides[i]);
    }
    const float* x = request.inputs[0].as();
    float* y = request.outputs[0].as();
    const std::int64_t elements = elementCount(out);
    const auto run = [=](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
        for (std::int64_t i = begin; i < end; ++i) {
            std::int64_t rest = i;
            std::int64_t offset = 0;
            for (std::size_t axis = positions.size(); axis-- > 0;) {
                const auto extent = static_cast<std::int64_t>(positions[axis].size());
                offset += positions[axis][static_cast<std::size_t>(rest % extent)];
                rest /= extent;
            }
            y[i] = x[offset];
        }
    };
    bound.phases.push_back(rangePhase(WorkPartition{elements, 16384}, run));
}

} // namespace

static void bindPad(BindRequest& request, BoundOperation& bound) {
    const auto& pad = request.attributes<Pad>();
    if (pad.mode != PadMode::Constant) {
        bindPadByPosition(request, bound, pad);
        return;
    }
    addFill(bound, request.outputs[0], pad.value);
    const Extents& in = request.inputs[0].extents();
    const Extents& out = request.outputs[0].extents();
    const std::vector<std::int64_t> inStrides = denseStrides(in);
    const std::vector<std::int64_t> outStrides = denseStrides(out);
    std::vector<MoveAxis> axes;
    std::int64_t fromOffset = 0;
    std::int64_t toOffset = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
        // The first and last input positions that show.
        const std::int64_t step = pad.interior.empty() ? 1 : pad.interior[i] + 1;
        const std::int64_t first = pad.low[i] >= 0 ? 0 : (-pad.low[i] + step - 1) / step;
        std::int64_t last = in[i] - 1;
        while (last >= first && pad.low[i] + last * step >= out[i])
            --last;
        axes.push_back({std::max<std::int64_t>(0, last - first + 1), inStrides[i], outStrides[i] * step});
        fromOffset += first * inStrides[i];
        toOffset += (pad.low[i] + first * step) * outStrides[i];
    }
    addMove(bound, request.inputs[0].data, fromOffset, request.outputs[0].data, toOffset,
            elementBytes(request.inputs[0]), axes);
}

namespace {

/// What an upsampled position reads: two neighbours and the share of the second.
struct Tap {
    std::int64_t first = 0;
    std::int64_t second = 0;
    float share = 0;
};

/// Positions of an axis scaled by `factor`, as tf.image.resize has them: pixel centres at half numbers.
std::vector<Tap> axisTaps(std::int64_t extent, std::int64_t factor, Interpolation interpolation) {
    std::vector<Tap> taps;
    for (std::int64_t i = 0; i < extent * factor; ++i) {
        if (interpolation == Interpolation::Nearest) {
            taps.push_back({i / factor, i / factor, 0});
            continue;
        }
        const double centre = (static_cast<double>(i) + 0.5) / static_cast<double>(factor) - 0.5;
        const double low = std::floor(centre);
        const auto clamped = [extent](double at) {
            return std::clamp<std::int64_t>(static_cast<std::int64_t>(at), 0, extent - 1);
        };
        taps.push_back({clamped(low), clamped(low + 1), static_cast<float>(centre - low)});
    }
    return taps;
}

/// Calls function(small offset, large offset, weight) for every contribution of one sample; offsets of
/// channel 0.
template <class Function>
void eachContribution(const std::vector<std::vector<Tap>>& taps, const Extents& small, const Extents& large,
                      Function function) {
    const std::size_t axes = taps.size();
    std::int64_t positions = 1;
    for (std::size_t i = 0; i < axes; ++i)
        positions *= large[i + 1];
    const std::int64_t channels = small.back();
    for (std::int64_t p = 0; p < positions; ++p) {
        for (std::size_t corner = 0; corner < (std::size_t{1} << axes); ++corner) {
            std::int64_t rest = p;
            std::int64_t stride = 1;
            std::int64_t offset = 0;
            float weight = 1;
            for (std::size_t i = axes; i-- > 0;) {
                const Tap& tap = taps[i][static_cast<std::size_t>(rest % large[i + 1])];
                const bool second = (corner >> i & 1U) != 0;
                offset += (second ? tap.second : tap.first) * stride;
                weight *= second ? tap.share : 1 - tap.share;
                rest /= large[i + 1];
                stride *= small[i + 1];
            }
            if (weight != 0)
                function(offset * channels, p * channels, weight);
        }
    }
}

struct UpsamplePlan {
    std::vector<std::vector<Tap>> taps;
    Extents small;
    Extents large;
    std::int64_t smallSample = 0;
    std::int64_t largeSample = 0;

    UpsamplePlan(const std::vector<std::int64_t>& factors, Interpolation interpolation, Extents smallExtents,
                 Extents largeExtents)
        : small(std::move(smallExtents))
        , large(std::move(largeExtents)) {
        for (std::size_t i = 0; i < factors.size(); ++i)
            taps.push_back(axisTaps(small[i + 1], factors[i], interpolation));
        smallSample = elementCount(small) / std::max<std::int64_t>(1, small[0]);
        largeSample = elementCount(large) / std::max<std::int64_t>(1, large[0]);
    }
};

} // namespace

static void bindUpsample(BindRequest& request, BoundOperation& bound) {
    const auto& upsample = request.attributes<Upsample>();
    const UpsamplePlan plan(upsample.factors, upsample.interpolation, request.inputs[0].extents(),
                            request.outputs[0].extents());
    const float* x = request.inputs[0].as();
    float* y = request.outputs[0].as();
    const auto& movement = kernels().movement;
    const auto& elementwise = kernels().elementwise;
    const auto run = [=, &movement, &elementwise](const StepState&, std::int64_t begin, std::int64_t end,
                                                  std::byte*) {
        const std::int64_t channels = plan.small.back();
        for (std::int64_t sample = begin; sample < end; ++sample) {
            const float* from = x + sample * plan.smallSample;
            float* to = y + sample * plan.largeSample;
            movement.fill(to, 0, 0, plan.largeSample);
            eachContribution(plan.taps, plan.small, plan.large,
                             [&](std::int64_t small, std::int64_t large, float weight) {
                                 elementwise.addScaled(from + small, weight, to + large, channels);
                             });
        }
    };
    bound.phases.push_back(rangePhase(WorkPartition{plan.small[0], 1}, run));
}

static void bindUpsampleGradient(BindRequest& request, BoundOperation& bound) {
    const auto& upsample = request.attributes<UpsampleGradient>().forward;
    const UpsamplePlan plan(upsample.factors, upsample.interpolation, request.outputs[0].extents(),
                            request.inputs[0].extents());
    const float* dy = request.inputs[0].as();
    float* dx = request.outputs[0].as();
    const auto& movement = kernels().movement;
    const auto& elementwise = kernels().elementwise;
    const auto run = [=, &movement, &elementwise](const StepState&, std::int64_t begin, std::int64_t end,
                                                  std::byte*) {
        const std::int64_t channels = plan.small.back();
        for (std::int64_t sample = begin; sample < end; ++sample) {
            const float* from = dy + sample * plan.largeSample;
            float* to = dx + sample * plan.smallSample;
            movement.fill(to, 0, 0, plan.smallSample);
            eachContribution(plan.taps, plan.small, plan.large,
                             [&](std::int64_t small, std::int64_t large, float weight) {
                                 elementwise.addScaled(from + large, weight, to + small, channels);
                             });
        }
    };
    bound.phases.push_back(rangePhase(WorkPartition{plan.small[0], 1}, run));
}

static void bindCast(BindRequest& request, BoundOperation& bound) {
    const Operand& in = request.inputs[0];
    const Operand& out = request.outputs[0];
    if (in.tensor->type == out.tensor->type) {
        bindCopy(request, bound);
        return;
    }
    bound.phases.push_back(
        convertPhase(request, in.tensor->type, out.tensor->type, in.data, out.data, in.elements()));
}

static void bindFill(BindRequest& request, BoundOperation& bound) {
    addFill(bound, request.outputs[0], request.attributes<Fill>().value);
}

std::span<const PartRow<Binding>> movementsBindings() {
    static constexpr PartRow<Binding> rows[]{{kindIndex<Broadcast>(), {bindBroadcast, keepTypes}},
                                             {kindIndex<Reshape>(), {bindCopy, keepTypes}},
                                             {kindIndex<Transpose>(), {bindTranspose, keepTypes}},
                                             {kindIndex<Concatenate>(), {bindConcatenate, keepTypes}},
                                             {kindIndex<Slice>(), {bindSlice, keepTypes}},
                                             {kindIndex<Pad>(), {bindPad}},
                                             {kindIndex<Upsample>(), {bindUpsample}},
                                             {kindIndex<UpsampleGradient>(), {bindUpsampleGradient}},
                                             {kindIndex<Cast>(), {bindCast, keepTypes}},
                                             {kindIndex<RecomputationCheckpoint>(), {bindCopy, keepTypes}},
                                             {kindIndex<Copy>(), {bindCopy, keepTypes}},
                                             {kindIndex<Fill>(), {bindFill}},
                                             {kindIndex<StreamCopy>(), {bindCopy, keepTypes}},
                                             {kindIndex<InterIpuCopy>(), {bindCopy, keepTypes}}};
    return rows;
}

} // namespace simulator
