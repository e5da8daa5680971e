// Reductions, running sums, rankings and softmax.
#include "simulator/graph/output_rules.h"
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace simulator {
namespace {

/// A tensor around one axis: [outer, extent, inner].
struct AxisView {
    std::int64_t outer = 1;
    std::int64_t extent = 1;
    std::int64_t inner = 1;

    AxisView(const Extents& extents, std::int64_t axis) {
        const std::size_t position = normalizedAxis(axis, extents.size());
        for (std::size_t i = 0; i < extents.size(); ++i)
            (i < position ? outer : (i == position ? extent : inner)) *= extents[i];
    }
};

/// Axes of one kind joined, extents of 1 dropped. More alternations than the kernel has axes do not occur
/// below rank 9.
Reduction joinedReduction(const Extents& extents, const std::vector<std::int64_t>& axes) {
    std::vector<bool> isReduced(extents.size(), false);
    for (const std::int64_t axis : axes)
        isReduced[normalizedAxis(axis, extents.size())] = true;
    std::vector<std::pair<std::int64_t, bool>> joined;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (extents[i] == 1)
            continue;
        if (!joined.empty() && joined.back().second == isReduced[i])
            joined.back().first *= extents[i];
        else
            joined.emplace_back(extents[i], isReduced[i]);
    }
    Reduction reduction;
    for (std::size_t i = 0; i < joined.size(); ++i) {
        const std::size_t at = reductionAxes - joined.size() + i;
        reduction.extents[at] = joined[i].first;
        reduction.isReduced[at] = joined[i].second;
    }
    return reduction;
}

/// Output rows of a reduction as the kernel counts them, and the work of one.
WorkPartition reductionPartition(const Reduction& reduction) {
    std::int64_t rows = 1;
    std::int64_t work = 1;
    for (int axis = 0; axis < reductionAxes; ++axis) {
        const bool isRow = !reduction.isReduced[axis] && axis != reductionAxes - 1;
        (isRow ? rows : work) *= reduction.extents[axis];
    }
    return rowPartition(rows, work);
}

double joinedSlowly(ReduceFunction function, double total, double value) {
    switch (function) {
    case ReduceFunction::Any:
        return total != 0 || value != 0 ? 1 : 0;
    case ReduceFunction::All:
        return total != 0 && value != 0 ? 1 : 0;
    default: { // LogSumExp
        const double high = std::max(total, value);
        return std::isinf(high) ? high : high + std::log(std::exp(total - high) + std::exp(value - high));
    }
    }
}

double startOf(ReduceFunction function) {
    if (function == ReduceFunction::LogSumExp)
        return -std::numeric_limits<double>::infinity();
    return function == ReduceFunction::All ? 1 : 0;
}

/// Any axes, element by element, for the functions the fast kernel does not have.
void reduceSlowly(const Reduction& reduction, ReduceFunction function) {
    std::int64_t total = 1;
    for (const std::int64_t extent : reduction.extents)
        total *= extent;
    std::int64_t outputs = 1;
    for (int axis = 0; axis < reductionAxes; ++axis)
        outputs *= reduction.isReduced[axis] ? 1 : reduction.extents[axis];
    std::fill_n(reduction.out, outputs, static_cast<float>(startOf(function)));
    for (std::int64_t i = 0; i < total; ++i) {
        std::int64_t rest = i;
        std::int64_t output = 0;
        std::int64_t stride = 1;
        for (int axis = reductionAxes - 1; axis >= 0; --axis) {
            if (!reduction.isReduced[axis]) {
                output += rest % reduction.extents[axis] * stride;
                stride *= reduction.extents[axis];
            }
            rest /= reduction.extents[axis];
        }
        float& value = reduction.out[output];
        value = static_cast<float>(joinedSlowly(function, value, reduction.x[i]));
    }
}

} // namespace

static void bindReduce(BindRequest& request, BoundOperation& bound) {
    const auto& reduce = request.attributes<Reduce>();
    Reduction reduction = joinedReduction(request.inputs[0].extents(), reduce.axes);
    reduction.x = request.inputs[0].as();
    reduction.out = request.outputs[0].as();
    const std::int64_t outputs = std::max<std::int64_t>(1, request.outputs[0].elements());
    if (reduce.function == ReduceFunction::Mean)
        reduction.scale = static_cast<float>(outputs) / static_cast<float>(request.inputs[0].elements());
    const auto rows = kernels().reduction.rows(reduce.function);
    if (rows == nullptr) {
        const ReduceFunction function = reduce.function;
        bound.phases.push_back({1, [reduction, function](const StepState&, std::int64_t, std::byte*) {
                                    reduceSlowly(reduction, function);
                                }});
        return;
    }
    bound.phases.push_back(
        rangePhase(reductionPartition(reduction),
                   [reduction, rows](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
                       rows(reduction, begin, end);
                   }));
}

static void bindCumulative(BindRequest& request, BoundOperation& bound) {
    const auto& cumulative = request.attributes<Cumulative>();
    const AxisView view(request.inputs[0].extents(), cumulative.axis);
    const float* x = request.inputs[0].as();
    float* y = request.outputs[0].as();
    const bool isSum = cumulative.function == ReduceFunction::Sum;
    const bool exclusive = cumulative.exclusive;
    const bool reverse = cumulative.reverse;
    const auto run = [=](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t first = i / view.inner * view.extent * view.inner + i % view.inner;
            double total = isSum ? 0 : 1;
            for (std::int64_t k = 0; k < view.extent; ++k) {
                const std::int64_t at = first + (reverse ? view.extent - 1 - k : k) * view.inner;
                const double next = isSum ? total + x[at] : total * x[at];
                y[at] = static_cast<float>(exclusive ? total : next);
                total = next;
            }
        }
    };
    bound.phases.push_back(rangePhase(rowPartition(view.outer * view.inner, view.extent), run));
}

static void bindArgReduce(BindRequest& request, BoundOperation& bound) {
    const auto& reduce = request.attributes<ArgReduce>();
    const AxisView view(request.inputs[0].extents(), reduce.axis);
    const float* x = request.inputs[0].as();
    auto* y = request.outputs[0].as<std::int32_t>();
    const float sign = reduce.minimum ? -1.0F : 1.0F;
    const auto run = [=](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
        for (std::int64_t i = begin; i < end; ++i) {
            const float* from = x + i / view.inner * view.extent * view.inner + i % view.inner;
            std::int64_t best = 0;
            for (std::int64_t k = 1; k < view.extent; ++k) {
                if (sign * from[k * view.inner] > sign * from[best * view.inner])
                    best = k;
            }
            y[i] = static_cast<std::int32_t>(best);
        }
    };
    bound.phases.push_back(rangePhase(rowPartition(view.outer * view.inner, view.extent), run));
}

static void bindTopK(BindRequest& request, BoundOperation& bound) {
    const std::int64_t count = request.attributes<TopK>().count;
    const std::int64_t extent = request.inputs[0].extents().back();
    const float* x = request.inputs[0].as();
    float* values = request.outputs[0].as();
    auto* positions = request.outputs[1].as<std::int32_t>();
    const std::int64_t rows = extent == 0 ? 0 : request.inputs[0].elements() / extent;
    bound.threadScratch =
        std::max(bound.threadScratch, static_cast<std::size_t>(extent) * sizeof(std::int32_t));
    const auto run = [=](const StepState&, std::int64_t begin, std::int64_t end, std::byte* scratch) {
        auto* order = reinterpret_cast<std::int32_t*>(scratch);
        for (std::int64_t row = begin; row < end; ++row) {
            const float* from = x + row * extent;
            std::iota(order, order + extent, 0);
            std::partial_sort(order, order + count, order + extent, [from](std::int32_t a, std::int32_t b) {
                return from[a] > from[b] || (from[a] == from[b] && a < b);
            });
            for (std::int64_t k = 0; k < count; ++k) {
                values[row * count + k] = from[order[k]];
                positions[row * count + k] = order[k];
            }
        }
    };
    bound.phases.push_back(rangePhase(rowPartition(rows, extent), run));
}

static void bindSoftmax(BindRequest& request, BoundOperation& bound) {
    const auto& softmax = request.attributes<Softmax>();
    const AxisView view(request.inputs[0].extents(), softmax.axis);
    const SoftmaxMap map{request.inputs[0].as(), request.outputs[0].as(), view.extent, view.inner,
                         softmax.logarithm};
    const SoftmaxKernels& kernel = kernels().softmax;
    bound.phases.push_back(rangePhase(rowPartition(view.outer, view.extent * view.inner * 4),
                                      [map, &kernel](const StepState&, std::int64_t begin, std::int64_t end,
                                                     std::byte*) { kernel.softmax(map, begin, end); }));
}

static void bindSoftmaxGradient(BindRequest& request, BoundOperation& bound) {
    const auto& softmax = request.attributes<SoftmaxGradient>().forward;
    const AxisView view(request.inputs[0].extents(), softmax.axis);
    const SoftmaxGradientMap map{
        request.inputs[0].as(), request.inputs[1].as(), request.outputs[0].as(), view.extent, view.inner,
        softmax.logarithm};
    const SoftmaxKernels& kernel = kernels().softmax;
    bound.phases.push_back(rangePhase(rowPartition(view.outer, view.extent * view.inner * 2),
                                      [map, &kernel](const StepState&, std::int64_t begin, std::int64_t end,
                                                     std::byte*) { kernel.gradient(map, begin, end); }));
}

std::span<const PartRow<Binding>> reductionsBindings() {
    static constexpr PartRow<Binding> rows[]{{kindIndex<Reduce>(), {bindReduce}},
                                             {kindIndex<Cumulative>(), {bindCumulative}},
                                             {kindIndex<ArgReduce>(), {bindArgReduce, wholeOutputs<0>}},
                                             {kindIndex<TopK>(), {bindTopK, wholeOutputs<1>}},
                                             {kindIndex<Softmax>(), {bindSoftmax}},
                                             {kindIndex<SoftmaxGradient>(), {bindSoftmaxGradient}}};
    return rows;
}

} // namespace simulator
