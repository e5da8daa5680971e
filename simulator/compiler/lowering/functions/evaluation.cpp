#include "simulator/compiler/lowering/functions/evaluation.h"

#include "core/config/loss_weight.h"
#include "core/project/run_figures.h"
#include "simulator/catalogue/loss_settings.h"
#include "simulator/compiler/lowering/loss_lowering.h"

#include <algorithm>
#include <fmt/format.h>

namespace simulator {
namespace {

using core::DataType;
using core::TensorId;

/// The operation that writes a tensor; null for inputs and weights.
const Operation* producerOf(const TrainingGraph& graph, TensorId id) {
    const auto it = std::ranges::find_if(graph.operations, [id](const Operation& operation) {
        return std::ranges::find(operation.outputs, id) != operation.outputs.end();
    });
    return it == graph.operations.end() ? nullptr : &*it;
}

bool isSoftmaxOver(const TrainingGraph& graph, const Operation& operation, std::size_t axis) {
    const auto* softmax = std::get_if<Softmax>(&operation.attributes);
    if (softmax == nullptr || softmax->logarithm)
        return false;
    const std::size_t rank = graph.tensor(operation.outputs.front()).extents.size();
    return normalizedAxis(softmax->axis, rank) == axis;
}

bool isSigmoid(const Operation& operation) {
    const auto* unary = std::get_if<Unary>(&operation.attributes);
    return unary != nullptr && unary->function == UnaryFunction::Sigmoid;
}

/// The logits where the prediction is the softmax (sigmoid) of them: the loss is computed from those, as
/// Keras' backend does.
std::optional<TensorId> logitsOf(const TrainingGraph& graph, TensorId prediction,
                                 const LossLowering& lowering) {
    const Loss& loss = lowering.attributes();
    const Operation* producer = loss.fromLogits ? nullptr : producerOf(graph, prediction);
    if (producer == nullptr)
        return std::nullopt;
    const bool isCategorical =
        loss.className == "CategoricalCrossentropy" || loss.className == "SparseCategoricalCrossentropy";
    const bool takesLogits = (isCategorical && isSoftmaxOver(graph, *producer, lowering.axis())) ||
                             (loss.className == "BinaryCrossentropy" && isSigmoid(*producer));
    if (!takesLogits)
        return std::nullopt;
    return producer->inputs.front();
}

class Evaluation {
public:
    Evaluation(LoweringContext& context, const std::vector<NamedOutput>& outputs,
               const core::TrainingOptions& training)
        : m_context(context)
        , m_build(context.build)
        , m_outputs(outputs)
        , m_training(training) {}

    core::Result<void> add() {
        for (std::size_t i = 0; i < m_outputs.size(); ++i) {
            if (const auto result = addOutput(i); !result)
                return result;
        }
        for (const TensorId penalty : m_context.penalties)
            join(penalty);
        m_build.graph().loss = m_total;
        return {};
    }

private:
    core::KerasObject given(std::size_t output) const {
        if (m_training.losses.empty())
            return {"MeanSquaredError", core::Json::object()};
        return m_training.losses.size() == 1 ? m_training.losses.front() : m_training.losses[output];
    }

    core::KerasObject lossOf(std::size_t output) const {
        core::KerasObject loss = core::withoutLossWeight(given(output));
        // What is trained is one number.
        if (const auto read = readLoss(loss); read && read->reduction == LossReduction::None)
            loss.config["reduction"] = "sum";
        return loss;
    }

    /// The mask of an output weighs its samples.
    std::optional<TensorId> sampleWeight(TensorId prediction, const std::optional<Extents>& values) {
        const auto mask = m_context.masks.find(prediction);
        if (mask == m_context.masks.end() || m_build.extents(mask->second) != values)
            return std::nullopt;
        return m_build.cast(mask->second, DataType::Float32);
    }

    /// Weights of the samples from the host, for every value of a sample the same.
    core::Result<TensorId> weightFromHost(const NamedOutput& output, const std::optional<Extents>& values) {
        if (!values) {
            return core::failure(
                core::makeError(core::Trouble::Input, "training/sample-weights", {"", "/training/dataset"},
                                "the loss of \"" + output.name +
                                    "\" runs over the axis of the samples, so they cannot be weighed",
                                {"let the output have a last axis of 1, or the loss another axis"}));
        }
        const Extents& samples = *values;
        const TensorId fed = m_build.tensor(output.name + "/sample_weight",
                                            {{samples.front()}, DataType::Float32}, TensorRole::Target);
        if (samples.size() == 1)
            return fed;
        Extents row(samples.size(), 1);
        row.front() = samples.front();
        return m_build.binary(BinaryFunction::Multiply, m_build.constant(1, samples, DataType::Float32),
                              m_build.reshape(fed, row));
    }

    /// Whether the dataset of this mode weighs its samples. Class weights count in training alone.
    bool isWeighted() const {
        const core::DatasetSpec* spec = core::datasetOf(
            m_training, m_build.graph().training ? core::RunMode::Train : core::RunMode::Evaluate);
        return spec != nullptr && (spec->parameters.contains("sample_weights") ||
                                   (m_build.graph().training && spec->parameters.contains("class_weights")));
    }

    core::Result<void> addOutput(std::size_t index) {
        const NamedOutput& output = m_outputs[index];
        if (m_training.losses.size() > 1 && index >= m_training.losses.size())
            return {}; // an output without a loss
        m_build.setScope({output.name, m_build.graph().tensor(output.tensor).origin, Phase::Forward});
        const TensorId prediction = output.tensor;
        const auto loss = LossLowering::make(lossOf(index), m_build.extents(prediction));
        if (!loss)
            return core::failure(loss.error());
        const TensorId target =
            m_build.tensor(output.name + "/target", loss->targetForm(), TensorRole::Target);
        m_build.graph().targets.push_back(target);
        const auto mask = sampleWeight(prediction, loss->weightExtents());
        std::optional<TensorId> weight = mask;
        if (isWeighted()) {
            const auto fed = weightFromHost(output, loss->weightExtents());
            if (!fed)
                return core::failure(fed.error());
            weight = mask ? m_build.binary(BinaryFunction::Multiply, *mask, *fed) : *fed;
        }
        const auto logits = logitsOf(m_build.graph(), prediction, *loss);
        const auto value = loss->add(m_build, {logits.value_or(prediction), target, weight},
                                     loss->attributes().fromLogits || logits.has_value());
        if (!value)
            return core::failure(value.error());
        markMetric(*value);
        if (m_outputs.size() > 1)
            m_build.graph().metrics.push_back({output.name + "_loss", *value});
        join(m_build.scaleShift(*value, core::lossWeight(given(index))));
        return addMetrics(index, *loss, target, mask);
    }

    const std::vector<core::KerasObject>& metricsOf(std::size_t output) const {
        static const std::vector<core::KerasObject> none;
        if (m_training.outputMetrics.empty())
            return m_training.metrics;
        return output < m_training.outputMetrics.size() ? m_training.outputMetrics[output] : none;
    }

    /// Masks weigh them, weights of the samples do not: those are for Keras' `weighted_metrics`.
    core::Result<void> addMetrics(std::size_t index, const LossLowering& loss, TensorId target,
                                  const std::optional<TensorId>& weight) {
        const NamedOutput& output = m_outputs[index];
        const Extents extents = m_build.extents(output.tensor);
        for (const core::KerasObject& metric : metricsOf(index)) {
            const auto axis = metricAxis(metric, loss, extents.size());
            if (!axis)
                return core::failure(axis.error());
            auto named = readMetric(metric, &loss.definition(), extents.empty() ? 1 : extents[*axis]);
            if (!named)
                return core::failure(named.error());
            const core::MetricDefinition* definition = core::findMetric(named->attributes.className);
            const bool targetIsClasses = loss.definition().target == core::TargetForm::Classes;
            const bool readsNumbers = definition->sums == core::MetricSums::PairsOfClasses &&
                                      !targetIsClasses && !extents.empty() && extents[*axis] == 1;
            if (definition->target == core::TargetForm::Classes && !targetIsClasses && !readsNumbers)
                return core::failure(mismatch(named->name, output.name));
            Extents wanted = extents;
            if (targetIsClasses && !wanted.empty())
                wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(*axis));
            const auto fitting = fitted(target, wanted);
            if (!fitting)
                return core::failure(unlike(named->name, output.name));
            TensorId compared = *fitting;
            if (definition->target == core::TargetForm::Dense && targetIsClasses && extents[*axis] > 1)
                compared = m_build.add(OneHot{extents[*axis], 1, 0}, {compared}, named->name + "/target");
            else if (!targetIsClasses)
                compared = withAxisLast(m_build, compared, *axis);
            std::vector<TensorId> inputs{withAxisLast(m_build, output.tensor, *axis), compared};
            if (readsNumbers)
                inputs = classesOfNumbers(output.tensor, *fitting, *axis, named->attributes.parameter);
            if (weight && *axis == loss.axis() && !targetIsWide(compared, *weight))
                inputs.push_back(*weight);
            named->attributes.weighted = inputs.size() > 2;
            const TensorId value = m_build.add(named->attributes, std::move(inputs), named->name);
            markMetric(value);
            const std::string prefix = m_outputs.size() > 1 ? output.name + "_" : "";
            m_build.graph().metrics.push_back({uniqueName(prefix + named->name), value});
        }
        return {};
    }

    /// The axis of a metric; where targets are class numbers, they stand for the axis of the loss.
    static core::Result<std::size_t> metricAxis(const core::KerasObject& metric, const LossLowering& loss,
                                                std::size_t rank) {
        const auto given = metric.config.find("axis");
        const bool isGiven = given != metric.config.end() && given->is_number();
        const bool hasClasses = loss.definition().target == core::TargetForm::Classes;
        if (rank == 0)
            return std::size_t{0};
        if (!isGiven)
            return hasClasses ? loss.axis() : rank - 1;
        const auto axis = static_cast<std::int64_t>(given->get<double>());
        const auto signedRank = static_cast<std::int64_t>(rank);
        const auto refusal = [](std::string message, std::string hint) {
            return core::failure(core::makeError(core::Trouble::Input, "training/metric-axis",
                                                 {"", "/training/metrics"}, std::move(message),
                                                 {std::move(hint)}));
        };
        if (axis < -signedRank || axis >= signedRank) {
            return refusal(fmt::format("{} runs over axis {}, but its predictions have {} axes",
                                       metric.className, axis, rank),
                           fmt::format("give an axis from {} to {}", -signedRank, signedRank - 1));
        }
        if (hasClasses && normalizedAxis(axis, rank) != loss.axis()) {
            return refusal(fmt::format("{} runs over axis {}, but the class numbers stand for axis {}",
                                       metric.className, axis, loss.axis()),
                           "give the metric the axis of the loss");
        }
        return normalizedAxis(axis, rank);
    }

    /// Metrics of whole tensors have no samples to weigh.
    bool targetIsWide(TensorId target, TensorId weight) const {
        return m_build.rank(target) > m_build.rank(weight) + 1;
    }

    std::string uniqueName(const std::string& name) const {
        const auto isTaken = [&](const std::string& candidate) {
            return candidate == "loss" ||
                   std::ranges::any_of(m_build.graph().metrics,
                                       [&](const auto& metric) { return metric.name == candidate; });
        };
        std::string unique = name;
        for (int count = 1; isTaken(unique); ++count)
            unique = name + "_" + std::to_string(count);
        return unique;
    }

    /// Keras takes predictions and labels that are one number for their whole part, which is a class number.
    std::vector<TensorId> classesOfNumbers(TensorId prediction, TensorId labels, std::size_t axis,
                                           double classes) {
        const auto wholeParts = [&](TensorId numbers) {
            Extents extents = m_build.extents(numbers);
            extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(axis));
            return m_build.cast(m_build.reshape(numbers, std::move(extents)), DataType::Int32);
        };
        const OneHot spread{static_cast<std::int64_t>(classes), 1, 0};
        const TensorId hot = m_build.add(spread, {wholeParts(prediction)}, "classes");
        return {m_build.cast(hot, DataType::Float32), wholeParts(labels)};
    }

    /// Labels in the extents that a metric compares: those of a loss function may have an axis of 1 more, or
    /// one number for several predictions.
    std::optional<TensorId> fitted(TensorId labels, const Extents& wanted) {
        const Extents given = m_build.extents(labels);
        if (elementCount(given) == elementCount(wanted))
            return m_build.reshape(labels, wanted);
        const bool spreads = given.size() == wanted.size() &&
                             std::ranges::equal(given, wanted, [](std::int64_t has, std::int64_t wants) {
                                 return has == wants || has == 1;
                             });
        return spreads ? std::optional(m_build.broadcast(labels, wanted)) : std::nullopt;
    }

    static core::Diagnostic unlike(const std::string& metric, const std::string& output) {
        return core::makeError(core::Trouble::Input, "training/metric-target", {"", "/training/metrics"},
                               "\"" + metric + "\" compares \"" + output +
                                   "\" with labels of its extents, but its loss function takes others",
                               {"leave the metric out, or let labels and output be alike"});
    }

    static core::Diagnostic mismatch(const std::string& metric, const std::string& output) {
        return core::makeError(core::Trouble::Input, "training/metric-target", {"", "/training/metrics"},
                               "\"" + metric + "\" compares class numbers, but the loss of \"" + output +
                                   "\" takes one value per class",
                               {"use the metric without \"sparse\", or a sparse loss"});
    }

    void markMetric(TensorId id) { m_build.graph().tensors[id.index()].role = TensorRole::Metric; }

    void join(TensorId term) {
        if (!m_total.isValid()) {
            m_total = term;
            return;
        }
        m_build.setScope({"loss", {}, Phase::Forward});
        m_total = m_build.binary(BinaryFunction::Add, m_total, term);
        markMetric(m_total);
    }

    LoweringContext& m_context;
    GraphBuilder& m_build;
    const std::vector<NamedOutput>& m_outputs;
    const core::TrainingOptions& m_training;
    TensorId m_total;
};

} // namespace

core::Result<void> addEvaluation(LoweringContext& context, const std::vector<NamedOutput>& outputs,
                                 const core::TrainingOptions& training) {
    return Evaluation(context, outputs, training).add();
}

} // namespace simulator
