#include "core/interchange/python/apis/models/weight_penalty.h"

#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/models/program_weights.h"
#include "core/interchange/python/draft/sample_computation.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/layer_definition.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

/// A kind of weight, as its regularizer is called, and as a program sees one.
struct WeightKind {
    std::string_view kind;
    std::string_view name;
    std::size_t rank;
};
constexpr std::array<WeightKind, 6> weightKinds{{{"kernel", "dense/kernel:0", 2},
                                                 {"depthwise", "depthwise_conv2d/depthwise_kernel:0", 4},
                                                 {"embeddings", "embedding/embeddings:0", 2},
                                                 {"bias", "dense/bias:0", 1},
                                                 {"gamma", "batch_normalization/gamma:0", 1},
                                                 {"beta", "batch_normalization/beta:0", 1}}};

const PythonData* penaltyIn(const PythonValue& value) {
    const auto* data = value.as<PythonData>();
    return data != nullptr && !data->penalty.empty() ? data : nullptr;
}

const PythonData* weightIn(const PythonValue& value) {
    const auto* data = value.as<PythonData>();
    return data != nullptr && data->weights && !data->weightKind.empty() ? data : nullptr;
}

/// The sum of the squares of a weight, times a number.
PythonValue squaresOf(const PythonData& weight, double factor) {
    PythonData made;
    made.origin = weight.origin;
    made.penalty[weight.weightKind] = factor * *weight.weights * *weight.weights;
    return made;
}

PythonValue scaledPenalty(const PythonData& penalty, double factor) {
    PythonData made = penalty;
    for (auto& [kind, number] : made.penalty)
        number *= factor;
    return made;
}

PythonValue addedPenalties(const PythonData& a, const PythonData& b) {
    PythonData made = a;
    for (const auto& [kind, number] : b.penalty)
        made.penalty[kind] += number;
    return made;
}

bool isZero(const PythonValue& value) {
    return value.isNumber() && value.constant().get<double>() == 0;
}

bool isOfLoss(const PythonValue& value) {
    const auto* data = value.as<PythonData>();
    return value.is<PythonLoss>() || value.is<PythonTensor>() ||
           (data != nullptr && (data->computed != nullptr || data->model >= 0));
}

} // namespace

std::optional<PythonValues> weightsByKind(const PythonValue& value) {
    const auto* data = value.as<PythonData>();
    if (data == nullptr || !data->weights || !data->weightKind.empty() || data->isGradient)
        return std::nullopt;
    PythonValues weights;
    for (const WeightKind& one : weightKinds) {
        PythonData weight = *data;
        weight.weightKind = one.kind;
        weights.emplace_back(std::move(weight));
    }
    return weights;
}

std::optional<PythonValue> attributeOfWeight(const PythonData& weight, const std::string& name) {
    const auto* row = std::ranges::find(weightKinds, weight.weightKind, &WeightKind::kind);
    if (row == weightKinds.end())
        return std::nullopt;
    if (name == "name" || name == "path")
        return pythonText(std::string(row->name));
    if (name == "op" || name == "handle")
        return weight;
    if (name == "ndim" || name == "rank" || name == "ndims")
        return pythonConstant(static_cast<std::int64_t>(row->rank));
    if (name == "trainable")
        return pythonConstant(true);
    if (name == "shape")
        return pythonList(PythonValues(row->rank, PythonData()), true);
    return std::nullopt;
}

std::optional<PythonValue> penaltyFunction(const PythonApiCall& call) {
    if (call.arguments.list.empty())
        return std::nullopt;
    const std::string name = call.name();
    const PythonValue& first = call.arguments.list[0];
    if (const PythonData* weight = weightIn(first)) {
        constexpr double half = 0.5; // tf.nn.l2_loss: sum(t ** 2) / 2
        if (name == "l2_loss" || name == "square")
            return squaresOf(*weight, name == "square" ? 1 : half);
        return std::nullopt;
    }
    if (isWeight(first) && (name == "l2_loss" || name == "square")) {
        constexpr double half = 0.5;
        PythonData made;
        made.origin = regularizers;
        made.penalty["#" + std::to_string(call.builder.penalized.size())] = name == "square" ? 1 : half;
        call.builder.penalized.push_back(first);
        return made;
    }
    if (penaltyIn(first) != nullptr && call.arguments.list.size() == 1 &&
        (name == "reduce_sum" || name == "cast" || name == "identity" || name == "stop_gradient"))
        return first;
    const bool isSum = name == "add_n" || name == "accumulate_n" || name == "reduce_sum" || name == "stack";
    if (!isSum || first.items().empty() || !std::ranges::all_of(first.items(), [](const PythonValue& item) {
            return penaltyIn(item) != nullptr;
        }))
        return std::nullopt;
    PythonValue sum = first.items().front();
    for (std::size_t i = 1; i < first.items().size(); ++i)
        sum = addedPenalties(*penaltyIn(sum), *penaltyIn(first.items()[i]));
    return sum;
}

std::optional<PythonValue> penaltyOperation(PythonProgramBuilder& builder, const std::string& operation,
                                            const PythonValue& left, const PythonValue& right,
                                            PythonPlace place) {
    const PythonData* a = penaltyIn(left);
    const PythonData* b = penaltyIn(right);
    if (const PythonData* weight = weightIn(left)) {
        constexpr double two = 2;
        const auto* same = weightIn(right);
        const bool isSquare = (operation == "**" && right.isNumber() && right.constant() == two) ||
                              (operation == "*" && same != nullptr && same->weightKind == weight->weightKind);
        return isSquare ? std::optional(squaresOf(*weight, 1)) : std::nullopt;
    }
    if (a == nullptr && b == nullptr)
        return std::nullopt;
    const PythonValue& other = a == nullptr ? left : right;
    const PythonData& penalty = a == nullptr ? *b : *a;
    if (operation == "*" && other.isNumber())
        return scaledPenalty(penalty, other.constant().get<double>());
    if (operation == "/" && a != nullptr && right.isNumber())
        return scaledPenalty(penalty, 1 / right.constant().get<double>());
    if (operation != "+")
        return std::nullopt;
    if (a != nullptr && b != nullptr)
        return addedPenalties(*a, *b);
    if (isZero(other))
        return penalty;
    if (!isOfLoss(other))
        return std::nullopt;
    builder.penalties[{place.file, place.line, place.column}] = penalty.penalty;
    return other;
}

namespace {

/// What was there stays: the squares are added to it.
void addSquares(Json& regularizer, double factor) {
    const bool isOwn = regularizer.is_object() && regularizer.contains("config");
    const double before = isOwn ? regularizer["config"].value("l2", 0.0) : 0.0;
    const double absolute = isOwn ? regularizer["config"].value("l1", 0.0) : 0.0;
    regularizer = absolute == 0
                      ? Json{{"class_name", "L2"}, {"config", {{"l2", before + factor}}}}
                      : Json{{"class_name", "L1L2"}, {"config", {{"l1", absolute}, {"l2", before + factor}}}};
}

} // namespace

void settlePenalties(PythonProgramBuilder& builder) {
    for (const auto& [place, penalty] : builder.penalties)
        for (const auto& [kind, factor] : penalty)
            if (kind.starts_with('#'))
                if (const auto part = regularizedPart(
                        builder, builder.penalized.at(static_cast<std::size_t>(std::stoul(kind.substr(1))))))
                    addSquares(builder.layer(part->first.layer).config[part->second], factor);
    for (const auto& [place, penalty] : builder.penalties)
        for (PythonLayer& layer : builder.facts.draft.layers) {
            const LayerDefinition* definition = findLayerDefinition(layer.className);
            for (const auto& [kind, factor] : penalty) {
                const std::string option = kind + "_regularizer";
                const bool isKnown = definition != nullptr &&
                                     std::ranges::any_of(definition->attributes, [&](const auto& attribute) {
                                         return attribute.name == option;
                                     });
                if (!isKnown || factor == 0)
                    continue;
                addSquares(layer.config[option], factor);
            }
        }
}

} // namespace core
