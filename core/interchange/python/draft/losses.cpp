#include "core/interchange/python/draft/losses.h"

#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/sample_computation.h"
#include "core/interchange/python/draft/tensor_functions.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace core {

namespace {

/// tf.one_hot(labels, depth), without other values than 0 and 1.
bool saysDepthOnly(const PythonLayer& oneHot, const PythonTensor& tensor) {
    const Json& keywords = oneHot.calls[static_cast<std::size_t>(tensor.call)].keywords;
    return keywords.size() <= 1 && (keywords.empty() || keywords.contains("depth"));
}

/// Class numbers that the program made one-hot.
bool areOneHot(const PythonData& labels) {
    return labels.computed != nullptr && labels.computed->kind == PythonComputation::Kind::Function &&
           lastPart(labels.computed->name) == "one_hot";
}

/// Whether labels and predictions may change places.
bool isSymmetric(std::string_view className) {
    constexpr std::array<std::string_view, 5> known{"MeanSquaredError", "MeanAbsoluteError", "LogCosh",
                                                    "Huber", "CosineSimilarity"};
    return std::ranges::find(known, className) != known.end();
}

} // namespace

bool isAnswer(const PythonValue* value) {
    const auto* data = value == nullptr ? nullptr : value->as<PythonData>();
    return data != nullptr && data->model >= 0;
}

bool isConstantBeside(const PythonProgramBuilder& builder, std::int64_t model, const PythonValue& value) {
    const auto* data = value.as<PythonData>();
    const bool areSamples = data != nullptr && (data->model >= 0 || data->part >= 0 ||
                                                data->computed != nullptr || !data->dataset.empty());
    return !areSamples && !builder.fedWhole.contains(model) && arrayOf(value) != nullptr;
}

PythonValue makeLoss(PythonProgramBuilder& builder, const std::string& className, Json config,
                     const PythonValue* target, const PythonValue* prediction, PythonPlace place,
                     bool isElementwise) {
    if (isAnswer(target) && prediction != nullptr && !isAnswer(prediction) && isSymmetric(className))
        std::swap(target, prediction);
    if (const auto* answer = prediction == nullptr ? nullptr : prediction->as<PythonData>()) {
        if (answer->model < 0)
            return PythonData(); // computed on the host
        const auto* truth = target == nullptr ? nullptr : target->as<PythonData>();
        const bool isComputed =
            answer->computed != nullptr || answer->isChained ||
            (truth != nullptr && (truth->model >= 0 || areChangedLabels(*truth) ||
                                  (className != "CategoricalCrossentropy" && areOneHot(*truth)))) ||
            (target != nullptr && isConstantBeside(builder, answer->model, *target));
        if (isComputed && target != nullptr) {
            PythonValue made = PythonData();
            rememberComputation(made, {PythonComputation::Kind::Loss, className,
                                       PythonArguments{{*target, *prediction}, {}, place},
                                       Json{{"class_name", className},
                                            {"config", std::move(config)},
                                            {"elementwise", isElementwise}}});
            std::get<PythonData>(made.content).shape = Json::array({nullptr}); // one for each sample
            return made;
        }
        PythonLoss loss{{{"class_name", className}, {"config", std::move(config)}}, {}, answer->model};
        loss.output = answer->output;
        loss.isElementwise = isElementwise;
        if (target != nullptr)
            loss.target = std::make_shared<const PythonValue>(*target);
        builder.lastLoss = loss;
        return loss;
    }
    const auto* output = prediction == nullptr ? nullptr : prediction->as<PythonTensor>();
    const auto* labels = target == nullptr ? nullptr : target->as<PythonTensor>();
    std::optional<PythonTensor> constant;
    if (const auto numbers = target == nullptr ? nullptr : arrayOf(*target);
        numbers != nullptr && output != nullptr && labels == nullptr) {
        constant = constantTensor(builder, *numbers, *output, place);
        labels = &*constant;
    }
    if (output == nullptr || labels == nullptr)
        builder.refuse(place, "python/value",
                       "a loss is computed from labels and predictions, tensors of a stage",
                       {"pass both from stage to stage"});
    // A cast changes no label.
    const std::vector<PythonLayer>& layers = builder.facts.draft.layers;
    const auto layerOf = [&](const PythonTensor& tensor) -> const PythonLayer& {
        return layers[static_cast<std::size_t>(tensor.layer)];
    };
    PythonTensor label = *labels;
    while (layerOf(label).config.value("function", "") == "cast")
        label = layerOf(label).calls[static_cast<std::size_t>(label.call)].tensors.front();
    PythonLoss loss{{{"class_name", className}, {"config", std::move(config)}}, *output, -1};
    loss.isElementwise = isElementwise;
    // Class numbers that are made one-hot for it are those of the sparse loss.
    const PythonLayer& made = layerOf(label);
    if (className == "CategoricalCrossentropy" && made.config.value("function", "") == "one_hot" &&
        !loss.json["config"].contains("label_smoothing") && saysDepthOnly(made, label)) {
        label = made.calls[static_cast<std::size_t>(label.call)].tensors.front();
        while (layerOf(label).config.value("function", "") == "cast")
            label = layerOf(label).calls[static_cast<std::size_t>(label.call)].tensors.front();
        loss.json["class_name"] = "SparseCategoricalCrossentropy";
    }
    loss.label = layerOf(label).className == "InputLayer" ? label : *labels;
    if (!(loss.label == label))
        loss.json["class_name"] = className;
    return loss;
}

void addLossOf(PythonProgramBuilder& builder, const PythonTensor& term, PythonPlace place) {
    PythonArguments none{{}, {}, place};
    PythonArguments operand{{term}, {}, place};
    const PythonCall& source = builder.layer(term.layer).calls.at(static_cast<std::size_t>(term.call));
    const PythonScope before = builder.scope;
    builder.scope.stage = source.stage;
    builder.scope.shard = source.shard;
    callLayer(builder, makeLayer(builder, "AddLoss", none), operand);
    builder.scope = before;
}

bool isOneValue(const PythonLoss& loss) {
    return loss.isReduced && loss.json["config"].value("reduction", Json()) != "none";
}

bool reducesLoss(std::string_view function) {
    constexpr std::array<std::string_view, 14> known{"reduce_mean",
                                                     "reduce_sum",
                                                     "compute_average_loss",
                                                     "identity",
                                                     "cast",
                                                     "mean",
                                                     "convert_to_tensor",
                                                     "print",
                                                     "is_nan",
                                                     "is_inf",
                                                     "scalar",
                                                     "is_finite",
                                                     "numpy",
                                                     "check_numerics"};
    return std::ranges::find(known, function) != known.end();
}

PythonValue reduceLoss(const PythonLoss& loss, std::string_view function) {
    constexpr std::array<std::string_view, 7> ofHost{"print",  "is_nan", "is_inf",        "is_finite",
                                                     "scalar", "numpy",  "check_numerics"};
    if (!reducesLoss(function) || std::ranges::find(ofHost, function) != ofHost.end())
        return PythonData();
    if (isOneValue(loss)) // its mean and its sum are itself
        return loss;
    PythonLoss reduced = loss;
    const Json reduction = loss.json["config"].value("reduction", Json());
    if (reduction == "none" && function != "cast" && function != "identity" &&
        function != "convert_to_tensor")
        reduced.json["config"].erase("reduction"); // it is the mean of what the loss left
    reduced.isReduced = true;
    if (function == "reduce_sum")
        reduced.json["config"]["reduction"] = "sum";
    return reduced;
}

} // namespace core
