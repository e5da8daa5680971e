#include "simulator/compiler/lowering/loss_lowering.h"

#include "core/catalogue/loss_labels.h"
#include "core/interchange/keras/keras_json.h"
#include "core/model/graph/infer_shapes.h"
#include "simulator/catalogue/loss_formulas.h"
#include "simulator/compiler/lowering/lower_model.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <fmt/format.h>
#include <numeric>

namespace simulator {
namespace {

using core::DataType;
using core::TensorId;

/// Stands for minus infinity: its exponential is zero, and its gradients stay numbers.
constexpr double never = -1e30;

core::Diagnostic refusal(std::string message, std::string hint) {
    return core::makeError(core::Trouble::Input, "training/loss-axis", {"", "/training/loss"},
                           std::move(message), {std::move(hint)});
}

std::vector<std::int64_t> signedAxes(const std::vector<std::size_t>& axes) {
    return {axes.begin(), axes.end()};
}

TensorId sum(GraphBuilder& build, TensorId x, std::vector<std::int64_t> axes) {
    return build.reduce(ReduceFunction::Sum, x, std::move(axes), false);
}

TensorId product(GraphBuilder& build, TensorId a, TensorId b) {
    return build.binary(BinaryFunction::Multiply, a, b);
}

} // namespace

TensorId withAxisLast(GraphBuilder& build, TensorId x, std::size_t axis) {
    std::vector<std::int64_t> permutation;
    for (std::size_t i = 0; i < build.rank(x); ++i)
        if (i != axis)
            permutation.push_back(static_cast<std::int64_t>(i));
    if (axis < build.rank(x))
        permutation.push_back(static_cast<std::int64_t>(axis));
    return build.transpose(x, std::move(permutation));
}

core::Result<LossLowering> LossLowering::make(const core::KerasObject& loss, Extents prediction) {
    LossLowering lowering;
    auto attributes = readLoss(loss);
    if (!attributes)
        return core::failure(attributes.error());
    lowering.m_loss = std::move(*attributes);
    lowering.m_definition = core::findLoss(lowering.m_loss.className);
    const std::string& name = lowering.m_loss.className;
    const std::size_t rank = prediction.size();
    const auto asked = lossAxes(loss);
    if (lowering.isComposed() && rank == 0)
        return core::failure(refusal(fmt::format("{} takes predictions with an axis of samples", name),
                                     "let the output keep its batch axis"));
    if (asked && asked->empty())
        return core::failure(
            refusal(fmt::format("{} names no axis to run over", name), "leave the axis out, or name one"));
    if (!asked) {
        for (std::size_t i = 0; i < rank; ++i)
            lowering.m_axes.push_back(i);
    }
    const auto signedRank = static_cast<std::int64_t>(rank);
    for (const std::int64_t axis : asked.value_or(std::vector<std::int64_t>())) {
        // A scalar prediction stands for one value of one sample.
        if (rank > 0 && (axis < -signedRank || axis >= signedRank))
            return core::failure(refusal(
                fmt::format("{} runs over axis {}, but its predictions have {} axes", name, axis, rank),
                fmt::format("give an axis from {} to {}", -signedRank, signedRank - 1)));
        lowering.m_axes.push_back(rank == 0 ? 0 : normalizedAxis(axis, rank));
    }
    std::ranges::sort(lowering.m_axes);
    if (std::ranges::adjacent_find(lowering.m_axes) != lowering.m_axes.end())
        return core::failure(refusal(fmt::format("{} names an axis twice", name), "name each axis once"));
    if (lowering.m_axes.empty())
        lowering.m_axes = {0};
    if (name == "Circle") {
        if (rank != 2)
            return core::failure(refusal(
                fmt::format(
                    "Circle compares embeddings [samples, features], but its predictions have {} axes", rank),
                "flatten them, and let their length be 1"));
        const auto diagonal = loss.config.find("remove_diagonal");
        lowering.m_removesDiagonal =
            diagonal == loss.config.end() || !diagonal->is_boolean() || diagonal->get<bool>();
    }
    lowering.m_extents = std::move(prediction);
    if (lowering.m_definition->parameter("model") != nullptr) {
        if (const auto taken = lowering.takeFunction(loss.config.value("model", core::Json())); !taken)
            return core::failure(taken.error());
    }
    return lowering;
}

/// Its inputs, labels first, take the extents of what they are given.
core::Result<void> LossLowering::takeFunction(const core::Json& model) {
    constexpr const char* place = "/training/loss/config/model";
    const auto refuse = [&](std::string message, std::string hint) {
        return core::failure(core::makeError(core::Trouble::Input, "training/loss-function", {"", place},
                                             std::move(message), {std::move(hint)}));
    };
    core::Diagnostics warnings;
    auto graph = core::readKerasModel(model, "", warnings, place);
    if (!graph)
        return core::failure(graph.error());
    if (graph->inputs.size() != 2 || graph->outputs.size() != 1)
        return refuse(
            fmt::format("a loss function takes labels and predictions and gives one value, but this "
                        "model has {} inputs and {} outputs",
                        graph->inputs.size(), graph->outputs.size()),
            "give it the inputs [labels, predictions] and one output");
    if (const auto labels = core::ownLabelExtents(model, m_definition->target == core::TargetForm::Classes)) {
        m_labelExtents = Extents{core::ownLabelCount(model).value_or(m_extents.front())};
        m_labelExtents->insert(m_labelExtents->end(), labels->begin(), labels->end());
    }
    const std::array<Extents, 2> extents{targetForm().extents, m_extents};
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const core::LayerId input = graph->invocation(graph->inputs[i].invocation).layer;
        core::Json& config = graph->layers[input.index()].config;
        config.erase("batch_shape");
        config["batch_input_shape"] = extents[i];
    }
    core::InferenceOptions options;
    options.requiresKnownShapes = true;
    auto typed = core::inferShapes(*graph, options);
    if (!typed)
        return core::failure(typed.error());
    for (const core::TypedLayer& layer : typed->layers)
        if (!layer.weights.empty())
            return refuse(fmt::format("layer \"{}\" of the loss function has weights", layer.path),
                          "compute with weights in the model, and let the loss function take its outputs");
    m_function = std::make_shared<const core::TypedGraph>(std::move(*typed));
    return {};
}

TensorForm LossLowering::targetForm() const {
    if (m_definition->target == core::TargetForm::Dense)
        return {m_labelExtents.value_or(m_extents), DataType::Float32};
    Extents extents = m_labelExtents.value_or(m_extents);
    if (!extents.empty() && !m_labelExtents)
        extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(m_axes.front()));
    return {std::move(extents), DataType::Int32};
}

std::optional<Extents> LossLowering::weightExtents() const {
    if (m_extents.empty() || (coversSamples() && !isComposed()))
        return std::nullopt;
    if (coversSamples())
        return Extents{m_extents.front()};
    Extents extents;
    for (std::size_t i = 0; i < m_extents.size(); ++i)
        if (!std::ranges::binary_search(m_axes, i))
            extents.push_back(m_extents[i]);
    return extents;
}

core::Result<TensorId> LossLowering::add(GraphBuilder& build, const LossOperands& operands,
                                         bool fromLogits) const {
    if (isComposed())
        return (this->*composition())(build, operands);
    Loss loss = m_loss;
    loss.fromLogits = fromLogits;
    loss.weighted = operands.weight.has_value();
    const bool isDense = m_definition->target == core::TargetForm::Dense;
    std::vector<TensorId> inputs{withAxisLast(build, operands.prediction, axis()),
                                 isDense ? withAxisLast(build, operands.target, axis()) : operands.target};
    if (operands.weight)
        inputs.push_back(*operands.weight);
    return build.add(loss, std::move(inputs), "loss");
}

LossLowering::Composition LossLowering::composition() const {
    static constexpr std::pair<std::string_view, Composition> rows[]{
        {"Dice", &LossLowering::dice},
        {"Tversky", &LossLowering::tversky},
        {"Circle", &LossLowering::circle},
        {"LossFunction", &LossLowering::function},
        {"SparseLossFunction", &LossLowering::function},
    };
    const auto found =
        std::ranges::find(rows, m_definition->className, &std::pair<std::string_view, Composition>::first);
    assert(found != std::end(rows));
    return found->second;
}

/// 1 − 2·Σtp / (Σt + Σp + ε).
core::Result<TensorId> LossLowering::dice(GraphBuilder& build, const LossOperands& operands) const {
    const TensorId p = build.cast(operands.prediction, DataType::Float32);
    const TensorId t = operands.target;
    const TensorId both = product(build, t, p);
    const std::vector<std::int64_t> axes = signedAxes(m_axes);
    const TensorId common = sum(build, both, axes);
    const TensorId all = build.binary(BinaryFunction::Add, sum(build, t, axes), sum(build, p, axes));
    return overlap(build, operands,
                   build.binary(BinaryFunction::Divide, build.scaleShift(common, 2),
                                build.scaleShift(all, 1, lossEpsilon)));
}

/// 1 − Σtp / (Σtp + α·Σt(1 − p) + β·Σp(1 − t) + ε).
core::Result<TensorId> LossLowering::tversky(GraphBuilder& build, const LossOperands& operands) const {
    const TensorId p = build.cast(operands.prediction, DataType::Float32);
    const TensorId t = operands.target;
    const TensorId both = product(build, t, p);
    const std::vector<std::int64_t> axes = signedAxes(m_axes);
    const TensorId common = sum(build, both, axes);
    const TensorId missed = sum(build, build.binary(BinaryFunction::Subtract, t, both), axes);
    const TensorId wrong = sum(build, build.binary(BinaryFunction::Subtract, p, both), axes);
    const TensorId weighed = build.binary(BinaryFunction::Add, build.scaleShift(missed, m_loss.parameter),
                                          build.scaleShift(wrong, m_loss.secondParameter));
    return overlap(
        build, operands,
        build.binary(BinaryFunction::Divide, common,
                     build.scaleShift(build.binary(BinaryFunction::Add, common, weighed), 1, lossEpsilon)));
}

/// 1 − share, weighted and reduced.
TensorId LossLowering::overlap(GraphBuilder& build, const LossOperands& operands, TensorId share) const {
    const TensorId values = build.scaleShift(share, -1, 1);
    if (!operands.weight || !coversSamples())
        return reduced(build, values, operands.weight);
    // One value of several samples takes their mean weight.
    const TensorId weight = build.reduce(ReduceFunction::Mean, *operands.weight, {0}, false);
    return reduced(build, product(build, values, weight), std::nullopt);
}

/// Of each sample softplus(log Σ exp(positive pairs) + log Σ exp(negative pairs)) over distances
/// d = max(1 − p·pᵀ, 0): −γ(m + d)(m − d) for pairs of one class, γ(1 + m − d)₊(1 − m − d) for the others.
/// Samples without a loss do not count into the mean.
core::Result<TensorId> LossLowering::circle(GraphBuilder& build, const LossOperands& operands) const {
    const double gamma = m_loss.parameter;
    const double margin = m_loss.secondParameter;
    const std::int64_t samples = m_extents[0];
    const TensorId p = build.cast(operands.prediction, DataType::Float32);
    const TensorId similar = build.add(MatMul{false, true}, {p, p}, "similarities");
    const TensorId distance = build.unary(UnaryFunction::Relu, build.scaleShift(similar, -1, 1));
    const TensorId same = build.binary(BinaryFunction::Equal, build.reshape(operands.target, {samples, 1}),
                                       build.reshape(operands.target, {1, samples}));
    TensorId positive = same;
    if (m_removesDiagonal) {
        std::vector<double> others(static_cast<std::size_t>(samples * samples), 1);
        for (std::int64_t i = 0; i < samples; ++i)
            others[static_cast<std::size_t>(i * (samples + 1))] = 0;
        const TensorId mask =
            build.constant("others", std::move(others), {{samples, samples}, DataType::Float32});
        positive =
            build.binary(BinaryFunction::Greater, product(build, build.cast(same, DataType::Float32), mask),
                         build.constant(0, {}, DataType::Float32));
    }
    const TensorId nothing = build.constant(never, {}, DataType::Float32);
    const auto sumOfPairs = [&](TensorId pairs, TensorId weight, TensorId gap, double scale, bool isOther) {
        const TensorId scaled = build.scaleShift(product(build, weight, gap), scale);
        const TensorId kept = isOther ? build.add(Select{}, {pairs, nothing, scaled}, "select")
                                      : build.add(Select{}, {pairs, scaled, nothing}, "select");
        return build.reduce(ReduceFunction::LogSumExp, kept, {1}, false);
    };
    const TensorId near = sumOfPairs(positive, build.scaleShift(distance, 1, margin),
                                     build.scaleShift(distance, -1, margin), -gamma, false);
    const TensorId far =
        sumOfPairs(same, build.unary(UnaryFunction::Relu, build.scaleShift(distance, -1, 1 + margin)),
                   build.scaleShift(distance, -1, 1 - margin), gamma, true);
    const TensorId values =
        build.unary(UnaryFunction::Softplus, build.binary(BinaryFunction::Add, near, far));
    if (m_loss.reduction != LossReduction::Mean)
        return reduced(build, values, operands.weight);
    const TensorId counted =
        build.cast(build.binary(BinaryFunction::Greater, values, build.constant(0, {}, DataType::Float32)),
                   DataType::Float32);
    const TensorId weighed = operands.weight ? product(build, values, *operands.weight) : values;
    return build.binary(BinaryFunction::Divide, sum(build, weighed, {0}),
                        build.scaleShift(sum(build, counted, {0}), 1, lossEpsilon));
}

/// A function gives values of samples or their mean; the reduction makes one of them.
core::Result<TensorId> LossLowering::function(GraphBuilder& build, const LossOperands& operands) const {
    const GraphBuilder::Scope scope = build.scope();
    LoweringContext context{build, false, true, {}, {}, {}, {}};
    ModelLowering lowering{*m_function,
                           {},
                           [](const core::TypedLayer&) { return std::vector<LoweredWeight>(); },
                           [](const std::string&) { return std::nullopt; },
                           scope};
    lowering.values[m_function->inputs[0]] = operands.target;
    lowering.values[m_function->inputs[1]] = build.cast(operands.prediction, DataType::Float32);
    const auto result = lowerModel(context, lowering);
    build.setScope(scope);
    if (!result)
        return core::failure(result.error());
    const TensorId values = lowering.values.at(m_function->outputs.front());
    if (operands.weight && build.extents(values) != build.extents(*operands.weight))
        return core::failure(
            core::makeError(core::Trouble::Input, "training/loss-function", {"", "/training/loss"},
                            "samples are weighed, but the loss function gives no value for each of them",
                            {"let it return a value for each sample: a mean over the last axis"}));
    return reduced(build, build.cast(values, DataType::Float32), operands.weight);
}

TensorId LossLowering::reduced(GraphBuilder& build, TensorId values, std::optional<TensorId> weight) const {
    const TensorId weighed = weight ? product(build, values, *weight) : values;
    if (m_loss.reduction == LossReduction::None)
        return weighed;
    const ReduceFunction function =
        m_loss.reduction == LossReduction::Sum ? ReduceFunction::Sum : ReduceFunction::Mean;
    return build.reduce(function, weighed, build.allAxes(weighed), false);
}

} // namespace simulator
