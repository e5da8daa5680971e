// Functions applied element by element.
#include "simulator/graph/output_rules.h"
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <cmath>

namespace simulator {
namespace {

constexpr std::int64_t elementGrain = 32768;

bool testOf(UnaryFunction function, float x) {
    switch (function) {
    case UnaryFunction::LogicalNot:
        return x == 0;
    case UnaryFunction::IsNan:
        return std::isnan(x);
    default:
        return std::isinf(x);
    }
}

void bindTest(BindRequest& request, BoundOperation& bound, UnaryFunction function) {
    const float* x = request.inputs[0].as();
    auto* y = request.outputs[0].as<std::uint8_t>();
    bound.phases.push_back(
        rangePhase(WorkPartition{request.inputs[0].elements(), elementGrain},
                   [=](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
                       for (std::int64_t i = begin; i < end; ++i)
                           y[i] = testOf(function, x[i]) ? 1 : 0;
                   }));
}

/// Axes of a broadcast of `inputs` to `out`, neighbours that behave alike in every operand joined.
struct JoinedAxes {
    struct Axis {
        std::int64_t extent = 1;
        std::int64_t strides[3] = {};
    };
    std::vector<Axis> axes;

    JoinedAxes(const Extents& out, const std::vector<const Extents*>& inputs) {
        std::int64_t dense[3] = {1, 1, 1};
        std::vector<Axis> reversed;
        for (std::size_t back = 1; back <= out.size(); ++back) {
            Axis axis{out[out.size() - back], {}};
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                const Extents& own = *inputs[i];
                const std::int64_t extent = back <= own.size() ? own[own.size() - back] : 1;
                axis.strides[i] = extent == 1 ? 0 : dense[i];
                dense[i] *= extent;
            }
            if (axis.extent != 1 || out.size() == 1)
                append(reversed, axis, inputs.size());
        }
        axes.assign(reversed.rbegin(), reversed.rend());
    }

private:
    static void append(std::vector<Axis>& reversed, const Axis& axis, std::size_t operands) {
        bool joins = !reversed.empty();
        for (std::size_t i = 0; joins && i < operands; ++i)
            joins = axis.strides[i] == reversed.back().strides[i] * reversed.back().extent;
        if (joins)
            reversed.back().extent *= axis.extent;
        else
            reversed.push_back(axis);
    }
};

/// A broadcast over more axes than the kernels take is split: one map per position of the outermost axes.
void bindBroadcasting(BindRequest& request, BoundOperation& bound, BinaryMap map,
                      ElementwiseKernels::BinaryRows rows, const std::vector<const Extents*>& inputs) {
    const JoinedAxes joined(request.outputs[0].extents(), inputs);
    const std::size_t kept = std::min<std::size_t>(joined.axes.size(), broadcastAxes);
    const std::size_t outer = joined.axes.size() - kept;
    std::int64_t block = 1;
    for (std::size_t i = 0; i < kept; ++i) {
        const JoinedAxes::Axis& axis = joined.axes[outer + i];
        const std::size_t at = broadcastAxes - kept + i;
        map.extents[at] = axis.extent;
        map.strideA[at] = axis.strides[0];
        map.strideB[at] = axis.strides[1];
        map.strideC[at] = axis.strides[2];
        block *= axis.extent;
    }
    std::int64_t positions = 1;
    for (std::size_t i = 0; i < outer; ++i)
        positions *= joined.axes[i].extent;
    const std::int64_t inner = map.extents[broadcastAxes - 1];
    if (block == 0)
        return;
    // A dense map is one long row: cut it instead.
    const bool isDense = kept <= 1 && map.strideA[broadcastAxes - 1] <= 1 &&
                         map.strideB[broadcastAxes - 1] <= 1 && map.strideC[broadcastAxes - 1] <= 1;
    const WorkPartition partition =
        isDense ? WorkPartition{inner, elementGrain} : rowPartition(block / inner, inner);
    const auto axes = joined.axes;
    const auto run = [=](const StepState&, std::int64_t part, std::byte*) {
        std::int64_t position = part / partition.parts();
        const std::int64_t piece = part % partition.parts();
        BinaryMap own = map;
        const auto advance = [&](std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t out) {
            own.a += a;
            own.b += b;
            own.condition = own.condition == nullptr ? nullptr : own.condition + c;
            own.out = own.out == nullptr ? nullptr : own.out + out;
            own.outBool = own.outBool == nullptr ? nullptr : own.outBool + out;
        };
        advance(0, 0, 0, position * block);
        for (std::size_t i = outer; i-- > 0;) {
            const std::int64_t index = position % axes[i].extent;
            position /= axes[i].extent;
            advance(index * axes[i].strides[0], index * axes[i].strides[1], index * axes[i].strides[2], 0);
        }
        if (!isDense) {
            rows(own, partition.begin(piece), partition.end(piece));
            return;
        }
        const std::int64_t begin = partition.begin(piece);
        constexpr int last = broadcastAxes - 1;
        advance(begin * map.strideA[last], begin * map.strideB[last], begin * map.strideC[last], begin);
        own.extents[last] = partition.end(piece) - begin;
        rows(own, 0, 1);
    };
    bound.phases.push_back({positions * partition.parts(), run});
}

} // namespace

static void bindUnary(BindRequest& request, BoundOperation& bound) {
    const auto& unary = request.attributes<Unary>();
    const auto range = kernels().elementwise.unary(unary.function);
    if (range == nullptr) {
        bindTest(request, bound, unary.function);
        return;
    }
    const UnaryMap map{request.inputs[0].as(), request.outputs[0].as(), static_cast<float>(unary.alpha),
                       static_cast<float>(unary.beta)};
    bound.phases.push_back(rangePhase(WorkPartition{request.inputs[0].elements(), elementGrain},
                                      [map, range](const StepState&, std::int64_t begin, std::int64_t end,
                                                   std::byte*) { range(map, begin, end); }));
}

static void bindUnaryGradient(BindRequest& request, BoundOperation& bound) {
    const auto& unary = request.attributes<UnaryGradient>().forward;
    const auto range = kernels().elementwise.unaryGradient(unary.function);
    UnaryGradientMap map;
    map.alpha = static_cast<float>(unary.alpha);
    map.beta = static_cast<float>(unary.beta);
    // Functions read x or y, never both: the first input is it.
    map.x = request.inputs.size() > 1 ? request.inputs[0].as() : nullptr;
    map.dy = request.inputs.back().as();
    map.dx = request.outputs[0].as();
    bound.phases.push_back(rangePhase(WorkPartition{request.outputs[0].elements(), elementGrain},
                                      [map, range](const StepState&, std::int64_t begin, std::int64_t end,
                                                   std::byte*) { range(map, begin, end); }));
}

static void bindBinary(BindRequest& request, BoundOperation& bound) {
    const BinaryFunction function = request.attributes<Binary>().function;
    BinaryMap map;
    map.a = request.inputs[0].as();
    map.b = request.inputs[1].as();
    if (request.outputs[0].tensor->type == core::DataType::Bool)
        map.outBool = request.outputs[0].as<std::uint8_t>();
    else
        map.out = request.outputs[0].as();
    bindBroadcasting(request, bound, map, kernels().elementwise.binary(function),
                     {&request.inputs[0].extents(), &request.inputs[1].extents()});
}

static void bindSelect(BindRequest& request, BoundOperation& bound) {
    BinaryMap map;
    map.condition = request.inputs[0].as<std::uint8_t>();
    map.a = request.inputs[1].as();
    map.b = request.inputs[2].as();
    map.out = request.outputs[0].as();
    bindBroadcasting(
        request, bound, map, kernels().elementwise.select,
        {&request.inputs[1].extents(), &request.inputs[2].extents(), &request.inputs[0].extents()});
}

namespace {

void setTestTypes(const BindRequest& request, OperandTypes& types) {
    if (answersBool(request.attributes<Unary>().function))
        types.outputs[0] = core::DataType::Bool;
}
void setComparisonTypes(const BindRequest& request, OperandTypes& types) {
    if (answersBool(request.attributes<Binary>().function))
        types.outputs[0] = core::DataType::Bool;
}
void setConditionType(const BindRequest&, OperandTypes& types) {
    types.inputs[0] = core::DataType::Bool;
}

} // namespace

std::span<const PartRow<Binding>> elementwiseBindings() {
    static constexpr PartRow<Binding> rows[]{{kindIndex<Unary>(), {bindUnary, setTestTypes}},
                                             {kindIndex<UnaryGradient>(), {bindUnaryGradient}},
                                             {kindIndex<Binary>(), {bindBinary, setComparisonTypes}},
                                             {kindIndex<Select>(), {bindSelect, setConditionType}}};
    return rows;
}

} // namespace simulator
