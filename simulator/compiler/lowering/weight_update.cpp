#include "simulator/compiler/lowering/weight_update.h"

#include "simulator/catalogue/optimizer_settings.h"

#include <algorithm>
#include <numeric>

namespace simulator {
namespace {

using core::DataType;
using core::Json;
using core::TensorId;

std::optional<double> numberOf(const Json& config, const char* key) {
    const auto it = config.find(key);
    return it != config.end() && it->is_number() ? std::optional(it->get<double>()) : std::nullopt;
}

Accumulation accumulationOf(core::ReductionMethod method) {
    switch (method) {
    case core::ReductionMethod::Sum:
        return Accumulation::Sum;
    case core::ReductionMethod::Mean:
        return Accumulation::Mean;
    case core::ReductionMethod::RunningMean:
        return Accumulation::RunningMean;
    }
    return Accumulation::Sum;
}

class Updates {
public:
    Updates(GraphBuilder& build, const Gradients& gradients, const UpdateOptions& options,
            const core::OptimizerDefinition& definition, std::vector<double> hyperparameters)
        : m_build(build)
        , m_gradients(gradients)
        , m_options(options)
        , m_definition(definition)
        , m_hyperparameters(std::move(hyperparameters)) {}

    void add() {
        for (ParameterSlots& slots : m_build.graph().parameters) {
            if (m_gradients.contains(slots.parameter))
                collect(slots);
        }
        std::vector<TensorId> gradients = preparedGradients();
        std::size_t next = 0;
        for (std::size_t i = 0; i < m_build.graph().parameters.size(); ++i) {
            if (!m_build.graph().parameters[i].gradients.empty())
                update(i, gradients[next++]);
        }
    }

private:
    [[nodiscard]] Tensor parameterTensor(const ParameterSlots& slots) const {
        return m_build.graph().tensor(slots.parameter);
    }

    void setScope(const Tensor& parameter, Phase phase, core::InvocationId origin) {
        m_build.setScope({parameter.name, origin, phase, phase == Phase::Backward});
    }

    /// The gradient parts of one parameter, accumulated or added up.
    void collect(ParameterSlots& slots) {
        const Tensor parameter = parameterTensor(slots);
        const std::vector<GradientPart>& parts = m_gradients.at(slots.parameter);
        if (!m_options.accumulates) {
            setScope(parameter, Phase::Backward, parts.front().origin);
            slots.gradients = {sumOfParts(m_build, m_gradients, slots.parameter)};
            return;
        }
        setScope(parameter, Phase::Backward, parameter.origin);
        const DataType type = m_options.accumulatorType.value_or(parameter.type);
        slots.accumulator = m_build.tensor(parameter.name + "/accumulator", {parameter.extents, type},
                                           TensorRole::Accumulator);
        m_build.graph().initialValues.push_back({slots.accumulator, {0}});
        AccumulateGradient attributes{accumulationOf(m_options.reduction), m_options.microBatches, true};
        for (const GradientPart& part : parts) {
            setScope(parameter, Phase::Backward, part.origin);
            m_build.addInPlace(attributes, {part.gradient, slots.accumulator}, {slots.accumulator},
                               "accumulate");
            slots.gradients.push_back(part.gradient);
            attributes.scalesAccumulator = false;
        }
    }

    /// What the optimizer reads: loss scale taken out, clipped.
    std::vector<TensorId> preparedGradients() {
        std::vector<TensorId> gradients;
        for (const ParameterSlots& slots : m_build.graph().parameters) {
            if (slots.gradients.empty())
                continue;
            const Tensor parameter = parameterTensor(slots);
            setScope(parameter, Phase::WeightUpdate, parameter.origin);
            TensorId gradient = slots.accumulator.isValid() ? slots.accumulator : slots.gradients.front();
            gradients.push_back(clipped(decayed(unscaled(gradient, parameter.type), parameter)));
        }
        return clippedTogether(std::move(gradients));
    }

    TensorId unscaled(TensorId gradient, DataType type) {
        if (const TensorId scale = lossScaleTensor(m_build.graph()); scale.isValid()) {
            // In float32: the scale itself may be too large for float16.
            const TensorId wide = m_build.cast(gradient, DataType::Float32);
            const TensorId unscaled = m_build.binary(BinaryFunction::Divide, wide, scale);
            return m_build.cast(m_build.scaleShift(unscaled, m_options.gradientFactor), type);
        }
        return m_build.scaleShift(m_build.cast(gradient, type),
                                  m_options.gradientFactor / m_build.graph().lossScale);
    }

    /// gradient + gradient_decay · variable, on each replica.
    TensorId decayed(TensorId gradient, const Tensor& parameter) {
        const double decay = numberOf(m_options.optimizer.config, "gradient_decay").value_or(0) *
                             static_cast<double>(m_options.replicas) * m_options.gradientFactor;
        return decay == 0
                   ? gradient
                   : m_build.binary(BinaryFunction::Add, gradient, m_build.scaleShift(parameter.id, decay));
    }

    TensorId sumOfSquares(TensorId x) {
        std::vector<std::int64_t> axes(m_build.rank(x));
        std::iota(axes.begin(), axes.end(), 0);
        return m_build.reduce(ReduceFunction::SumOfSquares, x, std::move(axes), false);
    }

    /// gradient · bound / max(norm, bound), norm² given.
    TensorId scaledDown(TensorId gradient, TensorId squares, double bound) {
        const TensorId norm = m_build.unary(UnaryFunction::SquareRoot, squares);
        const TensorId limit = m_build.constant(bound, {}, m_build.type(norm));
        const TensorId factor = m_build.binary(BinaryFunction::Divide, limit,
                                               m_build.binary(BinaryFunction::Maximum, norm, limit));
        return m_build.binary(BinaryFunction::Multiply, gradient,
                              m_build.cast(factor, m_build.type(gradient)));
    }

    TensorId clipped(TensorId gradient) {
        if (const auto bound = numberOf(m_options.optimizer.config, "clipnorm"))
            gradient = scaledDown(gradient, sumOfSquares(gradient), *bound);
        if (const auto bound = numberOf(m_options.optimizer.config, "clipvalue"))
            gradient = m_build.unary(UnaryFunction::Clip, gradient, -*bound, *bound);
        return gradient;
    }

    std::vector<TensorId> clippedTogether(std::vector<TensorId> gradients) {
        const auto bound = numberOf(m_options.optimizer.config, "global_clipnorm");
        if (!bound || gradients.empty())
            return gradients;
        m_build.setScope({"global_clipnorm", {}, Phase::WeightUpdate});
        TensorId total;
        for (const TensorId gradient : gradients) {
            const TensorId squares = m_build.cast(sumOfSquares(gradient), DataType::Float32);
            total = total.isValid() ? m_build.binary(BinaryFunction::Add, total, squares) : squares;
        }
        for (TensorId& gradient : gradients)
            gradient = scaledDown(gradient, total, *bound);
        return gradients;
    }

    void update(std::size_t index, TensorId gradient) {
        const Tensor parameter = parameterTensor(m_build.graph().parameters[index]);
        setScope(parameter, Phase::WeightUpdate, parameter.origin);
        std::vector<TensorId> slots;
        for (const ActiveSlot& slot : activeSlots(m_definition, m_hyperparameters)) {
            const TensorId id =
                m_build.tensor(parameter.name + "/" + std::string(slot.name),
                               {parameter.extents, parameter.type}, TensorRole::OptimizerSlot);
            m_build.graph().initialValues.push_back({id, {slot.initialValue}});
            slots.push_back(id);
        }
        m_build.graph().parameters[index].optimizerSlots = slots;
        std::vector<TensorId> inputs{gradient, parameter.id};
        inputs.insert(inputs.end(), slots.begin(), slots.end());
        std::vector<TensorId> outputs(inputs.begin() + 1, inputs.end());
        m_build.addInPlace(OptimizerUpdate{std::string(m_definition.className), m_hyperparameters},
                           std::move(inputs), std::move(outputs), "update");
    }

    GraphBuilder& m_build;
    const Gradients& m_gradients;
    const UpdateOptions& m_options;
    const core::OptimizerDefinition& m_definition;
    std::vector<double> m_hyperparameters;
};

} // namespace

UnwrappedOptimizer unwrapOptimizer(const core::KerasObject& optimizer) {
    const core::OptimizerDefinition* definition = core::findOptimizer(optimizer.className);
    if (definition == nullptr || !definition->wrapsAnother)
        return {optimizer, 1, {}};
    UnwrappedOptimizer unwrapped;
    const Json& config = optimizer.config;
    for (const char* key : {"inner_optimizer", "optimizer"}) {
        const auto it = config.find(key);
        if (it != config.end() && it->is_string())
            unwrapped.optimizer = {it->get<std::string>(), Json::object()};
        if (it == config.end() || !it->is_object() || !it->contains("class_name"))
            continue;
        unwrapped.optimizer.className = (*it)["class_name"].get<std::string>();
        unwrapped.optimizer.config = it->value("config", Json::object());
    }
    const Json loose = config.contains("loss_scale") && config["loss_scale"].is_object()
                           ? config["loss_scale"].value("config", Json::object())
                           : config;
    std::optional<double> scale;
    for (const char* key : {"initial_scale", "loss_scale", "loss_scale_value"}) {
        if (const auto value = numberOf(loose, key))
            scale = value;
    }
    // Older files have a number or a FixedLossScale where newer ones have "dynamic".
    const auto dynamic = config.find("dynamic");
    const auto older = config.find("loss_scale");
    const bool isFixed =
        (dynamic != config.end() && dynamic->is_boolean() && !dynamic->get<bool>()) ||
        (older != config.end() &&
         (older->is_number() || (older->is_object() && older->value("class_name", "") == "FixedLossScale")));
    if (isFixed) {
        unwrapped.lossScale = scale.value_or(1);
        return unwrapped;
    }
    DynamicLossScale rules;
    rules.initial = scale.value_or(rules.initial);
    rules.growthSteps = static_cast<std::int64_t>(
        numberOf(config, "dynamic_growth_steps").value_or(static_cast<double>(rules.growthSteps)));
    unwrapped.dynamicScale = rules;
    return unwrapped;
}

core::Result<void> addWeightUpdates(GraphBuilder& build, const Gradients& gradients,
                                    const UpdateOptions& options) {
    auto hyperparameters = readHyperparameters(options.optimizer);
    if (!hyperparameters)
        return core::failure(hyperparameters.error());
    const core::OptimizerDefinition& definition = *core::findOptimizer(options.optimizer.className);
    auto rate = readLearningRate(options.optimizer.config, defaultLearningRate(definition));
    if (!rate)
        return core::failure(rate.error());
    build.graph().learningRate = *rate;
    Updates(build, gradients, options, definition, std::move(*hyperparameters)).add();
    return {};
}

} // namespace simulator
