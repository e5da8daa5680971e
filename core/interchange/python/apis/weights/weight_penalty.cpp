#include "core/interchange/python/apis/weights/weight_penalty.h"

#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/weights/program_weights.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/sample_computation.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/layer_definition.h"
#include "core/text/text_case.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

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
    const auto* layer =
        weight.weightName.empty() ? nullptr : weight.weightOwners->items().front().as<PythonLayerName>();
    const std::string kind =
        layer == nullptr ? weight.weightKind : fmt::format("{}:{}", layer->layer, weight.weightKind);
    made.penalty[kind] = factor * *weight.weights * *weight.weights;
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
    if (!weight.weightName.empty() && (name == "name" || name == "path"))
        return pythonText(weight.weightName);
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
        return name == "cast" || name == "identity" ? std::optional(first) : std::nullopt;
    }
    // Squares are summed in 32 bits, whatever the weight that layers compute with has.
    if (isWeight(first) && name == "cast" && typeNamed(call.arguments.find("dtype", 1)) == "float32" &&
        (regularizedPart(call.builder, first) || !isHalfWeight(first)))
        return first;
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
    const auto isPenalty = [](const PythonValue& item) { return penaltyIn(item) != nullptr; };
    if (!isSum || !std::ranges::any_of(first.items(), isPenalty))
        return std::nullopt;
    // A loss among them takes the sum of the others.
    PythonValues terms = first.items();
    std::ranges::stable_partition(terms, isPenalty);
    PythonValue sum = terms.front();
    for (std::size_t i = 1; i < terms.size(); ++i)
        sum = call.interpreter.operation("+", sum, terms[i], call.place());
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
        const bool isSquare =
            (operation == "**" && right.isNumber() && right.constant() == two) ||
            (operation == "*" && same != nullptr && same->weightKind == weight->weightKind &&
             same->weightName == weight->weightName);
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

/// A sum of absolute values and squares; Keras' own where a regularizer is a name alone.
struct WeightSum {
    double absolute = 0;
    double squares = 0;
};
WeightSum sumIn(const Json& regularizer) {
    constexpr double ofKeras = 0.01;
    if (regularizer.is_string()) {
        const std::string name = lowerCase(regularizer.get<std::string>());
        return {name != "l2" ? ofKeras : 0, name != "l1" ? ofKeras : 0};
    }
    const bool isOwn = regularizer.is_object() && regularizer.contains("config");
    return isOwn ? WeightSum{regularizer["config"].value("l1", 0.0), regularizer["config"].value("l2", 0.0)}
                 : WeightSum{};
}

/// What was there stays.
void addSum(Json& regularizer, WeightSum sum) {
    const WeightSum before = sumIn(regularizer);
    const double absolute = before.absolute + sum.absolute;
    const double squares = before.squares + sum.squares;
    regularizer = absolute == 0 ? Json{{"class_name", "L2"}, {"config", {{"l2", squares}}}}
                  : squares == 0
                      ? Json{{"class_name", "L1"}, {"config", {{"l1", absolute}}}}
                      : Json{{"class_name", "L1L2"}, {"config", {{"l1", absolute}, {"l2", squares}}}};
}

void addSquares(Json& regularizer, double factor) {
    addSum(regularizer, {0, factor});
}

/// The option of a layer that regularizes a kind of its weights.
std::string optionOf(const std::string& kind) {
    return kind == "variable" ? "regularizer" : kind + "_regularizer";
}

void addCollected(PythonProgramBuilder& builder, const PythonProgramBuilder::CollectedPenalty& collected,
                  double factor);

/// A sum of one kind: "#0" of a weight of the program, "@0" of what was collected, "7:kernel" of a layer.
/// False: it is of all layers.
bool addPart(PythonProgramBuilder& builder, const std::string& kind, double factor) {
    const auto number = [&] { return static_cast<std::size_t>(std::stoul(kind.substr(1))); };
    if (kind.starts_with('#')) {
        if (const auto part = regularizedPart(builder, builder.penalized.at(number())))
            addSquares(builder.layer(part->first.layer).config[part->second], factor);
    } else if (kind.starts_with('@')) {
        addCollected(builder, builder.collected.at(number()), factor);
    } else if (const std::size_t colon = kind.find(':'); colon != std::string::npos) {
        addSquares(builder.layer(std::stol(kind)).config[optionOf(kind.substr(colon + 1))], factor);
    } else {
        return false;
    }
    return true;
}

void addCollected(PythonProgramBuilder& builder, const PythonProgramBuilder::CollectedPenalty& collected,
                  double factor) {
    if (const auto* sums = collected.owner.as<PythonData>()) {
        for (const auto& [kind, number] : sums->penalty)
            static_cast<void>(addPart(builder, kind, number * factor));
        return;
    }
    const auto* layer = collected.owner.as<PythonLayerName>();
    const auto part = layer != nullptr ? std::optional(std::pair(*layer, collected.option))
                                       : regularizedPart(builder, collected.owner);
    const WeightSum sum = sumIn(collected.regularizer);
    if (part)
        addSum(builder.layer(part->first.layer).config[part->second],
               {sum.absolute * factor, sum.squares * factor});
}

/// Regularizers that TensorFlow 1 collects and the program adds to no loss.
void warnOfUncounted(PythonProgramBuilder& builder) {
    std::set<std::string> counted;
    for (const auto& [place, penalty] : builder.penalties)
        for (const auto& [kind, factor] : penalty)
            counted.insert(kind);
    for (std::size_t i = 0; i < builder.collected.size(); ++i) {
        const PythonProgramBuilder::CollectedPenalty& one = builder.collected[i];
        const bool isUsed = one.owner.is<PythonLayerName>() || regularizedPart(builder, one.owner);
        if (isUsed && !counted.contains("@" + std::to_string(i)))
            builder.warn(one.place, "python/ignored",
                         "this regularizer counts nothing: the program does not add it to its loss",
                         {"add tf.losses.get_regularization_loss() to the loss"});
    }
}

} // namespace

Json regularizerJson(const PythonApiCall& call, const PythonValue& regularizer) {
    if (!regularizer.is<PythonFunction>())
        return call.builder.json(regularizer, call.place());
    PythonData weight = weightsOfModel();
    weight.weightKind = "kernel";
    PythonArguments one{{weight}, {}, call.place()};
    const PythonValue sum = call.interpreter.call(regularizer, one);
    const auto* data = sum.as<PythonData>();
    if (data == nullptr || data->penalty.size() != 1)
        call.refuse("python/unsupported", "what this regularizer computes of a weight is not read",
                    {"use tf.keras.regularizers.L1L2", "return a multiple of tf.nn.l2_loss(w)"});
    return {{"class_name", "L2"}, {"config", {{"l2", data->penalty.begin()->second}}}};
}

void settlePenalties(PythonProgramBuilder& builder) {
    warnOfUncounted(builder);
    std::map<std::string, double> ofAll;
    for (const auto& [place, penalty] : builder.penalties)
        for (const auto& [kind, factor] : penalty)
            if (!addPart(builder, kind, factor))
                ofAll[kind] += factor;
    for (PythonLayer& layer : builder.facts.draft.layers) {
        const LayerDefinition* definition = findLayerDefinition(layer.className);
        for (const auto& [kind, factor] : ofAll) {
            const std::string option = kind + "_regularizer";
            const bool isKnown = definition != nullptr &&
                                 std::ranges::any_of(definition->attributes, [&](const auto& attribute) {
                                     return attribute.name == option;
                                 });
            if (isKnown && factor != 0)
                addSquares(layer.config[option], factor);
        }
    }
}

} // namespace core
