// Gradient accumulation and optimizers.
#include "simulator/graph/optimizer_catalogue.h"
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>
#include <cmath>
#include <memory>

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

void bindAccumulateGradient(BindRequest& request, BoundOperation& bound) {
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

/// The hyperparameters of one update operation by name.
struct Hyperparameters {
    const OptimizerDefinition* definition;
    std::vector<double> values;

    [[nodiscard]] double operator[](std::string_view name) const {
        const int index = definition->indexOf(name);
        return index < 0 ? 0 : values[static_cast<std::size_t>(index)];
    }
};

/// Fills in the factors of one update; t is its number from 1.
using FactorFunction = void (*)(const Hyperparameters& h, double rate, double t, float* factors);

void set(float* factors, std::initializer_list<double> values) {
    std::ranges::transform(values, factors, [](double value) { return static_cast<float>(value); });
}

void sgdFactors(const Hyperparameters& h, double rate, double, float* factors) {
    set(factors, {rate, h["momentum"]});
}
void rmspropFactors(const Hyperparameters& h, double rate, double, float* factors) {
    set(factors, {rate, h["rho"], h["epsilon"], h["momentum"], 1 - h["rho"]});
}
void adamFactors(const Hyperparameters& h, double rate, double t, float* factors) {
    const double corrected = rate * std::sqrt(1 - std::pow(h["beta_2"], t)) / (1 - std::pow(h["beta_1"], t));
    set(factors, {corrected, h["beta_1"], h["beta_2"], h["epsilon"], rate * h["weight_decay"],
                  1 - h["beta_1"], 1 - h["beta_2"]});
}
void adamaxFactors(const Hyperparameters& h, double rate, double t, float* factors) {
    set(factors,
        {rate / (1 - std::pow(h["beta_1"], t)), h["beta_1"], h["beta_2"], h["epsilon"], 1 - h["beta_1"]});
}
void nadamFactors(const Hyperparameters& h, double rate, double t, float* factors) {
    // Momentum schedule of Keras: u_t = beta_1·(1 − 0.5·0.96^(0.004·t)); its product starts at 1.
    const auto momentum = [&](double step) { return h["beta_1"] * (1 - 0.5 * std::pow(0.96, 0.004 * step)); };
    double product = 1;
    for (double step = 1; step <= t; ++step)
        product *= momentum(step);
    const double now = momentum(t);
    const double next = momentum(t + 1);
    set(factors,
        {rate, h["beta_1"], h["beta_2"], h["epsilon"], (1 - now) / (1 - product), next / (1 - product * next),
         1 / (1 - std::pow(h["beta_2"], t)), 1 - h["beta_1"], 1 - h["beta_2"]});
}
void adagradFactors(const Hyperparameters& h, double rate, double, float* factors) {
    set(factors, {rate, h["epsilon"]});
}
void adadeltaFactors(const Hyperparameters& h, double rate, double, float* factors) {
    set(factors, {rate, h["rho"], h["epsilon"], 1 - h["rho"]});
}
void ftrlFactors(const Hyperparameters& h, double rate, double, float* factors) {
    set(factors, {rate, h["learning_rate_power"], h["l1_regularization_strength"],
                  h["l2_regularization_strength"] + h["beta"] / (2 * rate),
                  h["l2_shrinkage_regularization_strength"]});
}
void lambFactors(const Hyperparameters& h, double, double t, float* factors) {
    set(factors,
        {h["beta_1"], h["beta_2"], h["epsilon"], h["weight_decay_rate"], 1 / (1 - std::pow(h["beta_1"], t)),
         1 / (1 - std::pow(h["beta_2"], t)), 0, 1 - h["beta_1"], 1 - h["beta_2"]});
}

struct UpdateFormula {
    FactorFunction factors;
    OptimizerKernels::Update update;
};

UpdateFormula formulaOf(const Hyperparameters& h) {
    const OptimizerKernels& kernel = kernels().optimizer;
    const std::string_view name = h.definition->className;
    if (name == "SGD") {
        const auto withMomentum = h["nesterov"] > 0 ? kernel.nesterov : kernel.momentum;
        return {sgdFactors, h["momentum"] > 0 ? withMomentum : kernel.sgd};
    }
    if (name == "RMSprop") {
        const bool isCentered = h["centered"] > 0;
        if (h["momentum"] > 0)
            return {rmspropFactors, isCentered ? kernel.rmspropCenteredMomentum : kernel.rmspropMomentum};
        return {rmspropFactors, isCentered ? kernel.rmspropCentered : kernel.rmsprop};
    }
    if (name == "Adam" || name == "AdamW")
        return {adamFactors, h["amsgrad"] > 0 ? kernel.amsgrad : kernel.adam};
    if (name == "Adamax")
        return {adamaxFactors, kernel.adamax};
    if (name == "Nadam")
        return {nadamFactors, kernel.nadam};
    if (name == "Adagrad")
        return {adagradFactors, kernel.adagrad};
    if (name == "Adadelta")
        return {adadeltaFactors, kernel.adadelta};
    if (name == "Ftrl")
        return {ftrlFactors, kernel.ftrl};
    return {lambFactors, kernel.lamb};
}

OptimizerMap mapOf(std::span<const Operand> updated) {
    OptimizerMap map;
    map.parameter = updated[0].as();
    for (std::size_t i = 1; i < updated.size(); ++i)
        map.slot[i - 1] = updated[i].as();
    return map;
}

/// LAMB scales each parameter's step to the parameter's own length.
void bindLamb(const Hyperparameters& h, const OptimizerMap& map, std::int64_t count, BoundOperation& bound) {
    const OptimizerKernels& kernel = kernels().optimizer;
    bound.phases.push_back({1, [=, &kernel](const StepState& state, std::int64_t, std::byte*) {
                                OptimizerMap now = map;
                                lambFactors(h, state.learningRate, static_cast<double>(state.update + 1),
                                            now.factors);
                                const TrustSums sums = kernel.lambMoments(now, 0, count);
                                const bool hasRatio = sums.parameter > 0 && sums.update > 0;
                                const double ratio = hasRatio ? std::sqrt(sums.parameter / sums.update) : 1;
                                now.factors[6] = static_cast<float>(state.learningRate * ratio);
                                kernel.lamb(now, 0, count);
                            }});
}

} // namespace

ElementUpdate elementUpdate(const OptimizerUpdate& attributes, std::span<const Operand> updated) {
    const Hyperparameters h{findOptimizer(attributes.className), attributes.hyperparameters};
    const UpdateFormula formula = formulaOf(h);
    OptimizerMap map = mapOf(updated);
    return [=](const StepState& state, const float* gradient, std::int64_t begin, std::int64_t count) {
        OptimizerMap now = map;
        now.gradient = gradient;
        now.parameter += begin;
        for (float*& data : now.slot)
            data = data == nullptr ? nullptr : data + begin;
        formula.factors(h, state.learningRate, static_cast<double>(state.update + 1), now.factors);
        formula.update(now, 0, count);
    };
}

void bindOptimizerUpdate(BindRequest& request, BoundOperation& bound) {
    const auto& attributes = request.attributes<OptimizerUpdate>();
    const float* gradient = request.inputs[0].as();
    const std::int64_t count = request.outputs[0].elements();
    if (attributes.className == "LAMB") {
        OptimizerMap map = mapOf(request.outputs);
        map.gradient = gradient;
        bindLamb({findOptimizer(attributes.className), attributes.hyperparameters}, map, count, bound);
        return;
    }
    bound.phases.push_back(
        rangePhase(WorkPartition{count, updateGrain},
                   [gradient, update = elementUpdate(attributes, request.outputs)](
                       const StepState& state, std::int64_t begin, std::int64_t end, std::byte*) {
                       update(state, gradient + begin, begin, end - begin);
                   }));
}

} // namespace simulator
