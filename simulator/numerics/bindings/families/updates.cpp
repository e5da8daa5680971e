// Gradient accumulation and optimizers.
#include "simulator/catalogue/optimizer_formulas.h"
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace simulator {
namespace {

constexpr std::int64_t updateGrain = 65536;

/// Weight of the new gradient and of what is there already, by micro-batch.
struct AccumulationShares {
    float scale = 1;
    float keep = 1;

    AccumulationShares(const AccumulateGradient& attributes, std::int64_t microBatch) {
        const bool isFirst = microBatch == 0 && attributes.scalesAccumulator;
        const auto seen = static_cast<float>(microBatch);
        switch (attributes.reduction) {
        case Accumulation::Sum:
            break;
        case Accumulation::Mean:
            scale = 1.0F / static_cast<float>(attributes.count);
            break;
        case Accumulation::RunningMean:
            scale = 1.0F / (seen + 1);
            keep = attributes.scalesAccumulator ? seen / (seen + 1) : 1.0F;
            break;
        }
        keep = isFirst ? 0.0F : keep;
    }
};

} // namespace

static void bindAccumulateGradient(BindRequest& request, BoundOperation& bound) {
    const auto attributes = request.attributes<AccumulateGradient>();
    const float* gradient = request.inputs[0].as();
    float* accumulator = request.outputs[0].as();
    const ElementwiseKernels& kernel = kernels().elementwise;
    const MovementKernels& movement = kernels().movement;
    bound.phases.push_back(rangePhase(
        WorkPartition{request.outputs[0].elements(), updateGrain},
        [=, &kernel, &movement](const StepState& state, std::int64_t begin, std::int64_t end, std::byte*) {
            const AccumulationShares shares(attributes, state.microBatch);
            // What an accumulator holds before the first micro-batch does not count, NaN or not.
            if (shares.keep == 0)
                movement.fill(accumulator, 0, begin, end);
            if (shares.keep == 0 || shares.keep == 1)
                kernel.addScaled(gradient + begin, shares.scale, accumulator + begin, end - begin);
            else
                kernel.blend(gradient + begin, shares.scale, shares.keep, accumulator + begin, end - begin);
        }));
}

namespace {

const OptimizerKernel& kernelNamed(std::string_view name) {
    const auto& rows = kernels().optimizer.rows;
    const auto found = std::ranges::find(rows, name, &OptimizerKernel::name);
    assert(found != rows.end());
    return *found;
}

/// The formula of an update with its numbers and its kernel.
struct BoundUpdate {
    const OptimizerFormula& formula;
    OptimizerSettings settings;
    const OptimizerKernel& kernel;

    explicit BoundUpdate(const OptimizerUpdate& attributes)
        : formula(optimizerFormula(attributes.className))
        , settings(*core::findOptimizer(attributes.className), attributes.hyperparameters)
        , kernel(kernelNamed(formula.kernel(settings))) {}

    [[nodiscard]] OptimizerFactors factors(const StepState& state) const {
        return formula.factors(settings, state.learningRate, static_cast<double>(state.update + 1));
    }
};

OptimizerMap mapOf(std::span<const Operand> updated) {
    OptimizerMap map;
    map.parameter = updated[0].as();
    for (std::size_t i = 1; i < updated.size(); ++i)
        map.slot[i - 1] = updated[i].as();
    return map;
}

/// A step that is scaled to the parameter's own length.
BoundPhase trustRatioPhase(const BoundUpdate& update, const OptimizerMap& map, std::int64_t count) {
    return {1, [=](const StepState& state, std::int64_t, std::byte*) {
                OptimizerMap now = map;
                now.factors = update.factors(state);
                const TrustSums sums = update.kernel.moments(now, 0, count);
                const bool hasRatio = sums.parameter > 0 && sums.update > 0;
                const double ratio = hasRatio ? std::sqrt(sums.parameter / sums.update) : 1;
                now.factors.rate = static_cast<float>(state.learningRate * ratio);
                update.kernel.update(now, 0, count);
            }};
}

} // namespace

ElementUpdate elementUpdate(const OptimizerUpdate& attributes, std::span<const Operand> updated) {
    return [bound = BoundUpdate(attributes), map = mapOf(updated)](
               const StepState& state, const float* gradient, std::int64_t begin, std::int64_t count) {
        OptimizerMap now = map;
        now.gradient = gradient;
        now.parameter += begin;
        for (float*& data : now.slot)
            data = data == nullptr ? nullptr : data + begin;
        now.factors = bound.factors(state);
        bound.kernel.update(now, 0, count);
    };
}

static void bindOptimizerUpdate(BindRequest& request, BoundOperation& bound) {
    const auto& attributes = request.attributes<OptimizerUpdate>();
    const float* gradient = request.inputs[0].as();
    const std::int64_t count = request.outputs[0].elements();
    if (optimizerFormula(attributes.className).scalesByTrustRatio) {
        OptimizerMap map = mapOf(request.outputs);
        map.gradient = gradient;
        bound.phases.push_back(trustRatioPhase(BoundUpdate(attributes), map, count));
        return;
    }
    bound.phases.push_back(
        rangePhase(WorkPartition{count, updateGrain},
                   [gradient, update = elementUpdate(attributes, request.outputs)](
                       const StepState& state, std::int64_t begin, std::int64_t end, std::byte*) {
                       update(state, gradient + begin, begin, end - begin);
                   }));
}

std::span<const PartRow<Binding>> updatesBindings() {
    static constexpr PartRow<Binding> rows[]{{kindIndex<AccumulateGradient>(), {bindAccumulateGradient}},
                                             {kindIndex<OptimizerUpdate>(), {bindOptimizerUpdate}}};
    return rows;
}

} // namespace simulator
