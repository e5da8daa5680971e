#include "simulator/graph/loss_catalogue.h"

#include "core/base/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace simulator {
namespace {

using core::Json;

const std::vector<LossDefinition>& losses() {
    static const std::vector<LossDefinition> all{
        {"MeanSquaredError", {"mse", "mean_squared_error"}},
        {"MeanAbsoluteError", {"mae", "mean_absolute_error"}},
        {"MeanAbsolutePercentageError", {"mape", "mean_absolute_percentage_error"}},
        {"MeanSquaredLogarithmicError", {"msle", "mean_squared_logarithmic_error"}},
        {"BinaryCrossentropy", {"binary_crossentropy"}},
        {"BinaryFocalCrossentropy",
         {"binary_focal_crossentropy"},
         TargetForm::Dense,
         "gamma",
         2,
         "alpha_if_balanced",
         0},
        {"CategoricalCrossentropy", {"categorical_crossentropy"}},
        {"CategoricalFocalCrossentropy",
         {"categorical_focal_crossentropy"},
         TargetForm::Dense,
         "gamma",
         2,
         "alpha",
         0.25},
        {"SparseCategoricalCrossentropy",
         {"sparse_categorical_crossentropy"},
         TargetForm::Classes,
         "ignore_class",
         -1e9},
        {"KLDivergence", {"kld", "kl_divergence", "kullback_leibler_divergence"}},
        {"Poisson", {"poisson"}},
        {"LogCosh", {"logcosh", "log_cosh"}},
        {"CosineSimilarity", {"cosine_similarity", "cosine_proximity"}},
        {"Huber", {"huber", "huber_loss"}, TargetForm::Dense, "delta", 1},
        {"Hinge", {"hinge"}},
        {"SquaredHinge", {"squared_hinge"}},
        {"CategoricalHinge", {"categorical_hinge"}},
        {"Dice", {"dice"}, TargetForm::Dense, {}, 0, {}, 0, true, true},
        {"Tversky", {"tversky"}, TargetForm::Dense, "alpha", 0.5, "beta", 0.5, true, true},
        {"Circle", {"circle"}, TargetForm::Classes, "gamma", 80, "margin", 0.4, true},
    };
    return all;
}

const std::vector<MetricDefinition>& metrics() {
    using enum TargetForm;
    static const std::vector<MetricDefinition> all{
        {"Accuracy", {}, "accuracy", Dense, "", 0, ""},
        {"BinaryAccuracy", {"binary_accuracy"}, "binary_accuracy", Dense, "threshold", 0.5, ""},
        {"CategoricalAccuracy", {"categorical_accuracy"}, "categorical_accuracy", Dense, "", 0, ""},
        {"SparseCategoricalAccuracy",
         {"sparse_categorical_accuracy"},
         "sparse_categorical_accuracy",
         Classes,
         "",
         0,
         ""},
        {"TopKCategoricalAccuracy",
         {"top_k_categorical_accuracy"},
         "top_k_categorical_accuracy",
         Dense,
         "k",
         5,
         ""},
        {"SparseTopKCategoricalAccuracy",
         {"sparse_top_k_categorical_accuracy"},
         "sparse_top_k_categorical_accuracy",
         Classes,
         "k",
         5,
         ""},
        {"Precision", {}, "precision", Dense, "thresholds", 0.5, ""},
        {"Recall", {}, "recall", Dense, "thresholds", 0.5, ""},
        {"TruePositives", {}, "true_positives", Dense, "thresholds", 0.5, ""},
        {"TrueNegatives", {}, "true_negatives", Dense, "thresholds", 0.5, ""},
        {"FalsePositives", {}, "false_positives", Dense, "thresholds", 0.5, ""},
        {"FalseNegatives", {}, "false_negatives", Dense, "thresholds", 0.5, ""},
        {"AUC", {"auc"}, "auc", Dense, "num_thresholds", 200, ""},
        {"MeanIoU", {}, "mean_io_u", Classes, "num_classes", 2, ""},
        {"RootMeanSquaredError", {"rmse"}, "root_mean_squared_error", Dense, "", 0, ""},
        {"CosineSimilarity", {"cosine_similarity"}, "cosine_similarity", Dense, "", 0, ""},
        {"MeanSquaredError",
         {"mse", "mean_squared_error"},
         "mean_squared_error",
         Dense,
         "",
         0,
         "MeanSquaredError"},
        {"MeanAbsoluteError",
         {"mae", "mean_absolute_error"},
         "mean_absolute_error",
         Dense,
         "",
         0,
         "MeanAbsoluteError"},
        {"MeanAbsolutePercentageError",
         {"mape", "mean_absolute_percentage_error"},
         "mean_absolute_percentage_error",
         Dense,
         "",
         0,
         "MeanAbsolutePercentageError"},
        {"MeanSquaredLogarithmicError",
         {"msle", "mean_squared_logarithmic_error"},
         "mean_squared_logarithmic_error",
         Dense,
         "",
         0,
         "MeanSquaredLogarithmicError"},
        {"BinaryCrossentropy",
         {"binary_crossentropy"},
         "binary_crossentropy",
         Dense,
         "",
         0,
         "BinaryCrossentropy"},
        {"CategoricalCrossentropy",
         {"categorical_crossentropy"},
         "categorical_crossentropy",
         Dense,
         "",
         0,
         "CategoricalCrossentropy"},
        {"SparseCategoricalCrossentropy",
         {"sparse_categorical_crossentropy"},
         "sparse_categorical_crossentropy",
         Classes,
         "",
         -1e9,
         "SparseCategoricalCrossentropy"},
        {"KLDivergence",
         {"kld", "kl_divergence", "kullback_leibler_divergence"},
         "kullback_leibler_divergence",
         Dense,
         "",
         0,
         "KLDivergence"},
        {"Poisson", {"poisson"}, "poisson", Dense, "", 0, "Poisson"},
        {"LogCoshError", {"logcosh", "log_cosh"}, "logcosh", Dense, "", 0, "LogCosh"},
        {"Hinge", {"hinge"}, "hinge", Dense, "", 0, "Hinge"},
        {"SquaredHinge", {"squared_hinge"}, "squared_hinge", Dense, "", 0, "SquaredHinge"},
        {"CategoricalHinge", {"categorical_hinge"}, "categorical_hinge", Dense, "", 0, "CategoricalHinge"},
    };
    return all;
}

std::string lowerCaseName(std::string_view text) {
    std::string result(text.substr(text.rfind('>') + 1));
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

template <class Definition>
const Definition* findIn(const std::vector<Definition>& all, std::string_view name) {
    const std::string wanted = lowerCaseName(name);
    const auto it = std::ranges::find_if(all, [&](const Definition& definition) {
        return lowerCaseName(definition.className) == wanted ||
               std::ranges::find(definition.functionNames, wanted) != definition.functionNames.end();
    });
    return it == all.end() ? nullptr : &*it;
}

template <class Definition>
core::Diagnostic unknownLoss(const std::vector<Definition>& all, const std::string& name, std::string kind) {
    std::vector<std::string> names;
    for (const Definition& definition : all) {
        names.emplace_back(definition.className);
        names.insert(names.end(), definition.functionNames.begin(), definition.functionNames.end());
    }
    core::Diagnostic diagnostic;
    diagnostic.code = "training/unknownLoss-" + kind;
    diagnostic.location.place = kind == "loss" ? "/training/loss" : "/training/metrics";
    diagnostic.message = "\"" + name + "\" is not a " + kind + " known here";
    if (const auto nearest = core::nearestName(name, names))
        diagnostic.hints.push_back("did you mean \"" + *nearest + "\"?");
    return diagnostic;
}

double number(const Json& config, std::string_view key, double preset) {
    const auto it = key.empty() ? config.end() : config.find(std::string(key));
    if (it == config.end())
        return preset;
    if (it->is_array() && it->size() == 1 && it->front().is_number())
        return it->front().template get<double>();
    return it->is_number() ? it->template get<double>() : preset;
}

bool flag(const Json& config, const char* key) {
    const auto it = config.find(key);
    return it != config.end() && it->is_boolean() && it->get<bool>();
}

LossReduction reductionOf(const Json& config) {
    const auto it = config.find("reduction");
    const std::string text =
        it != config.end() && it->is_string() ? lowerCaseName(it->get<std::string>()) : "auto";
    if (text == "none")
        return LossReduction::None;
    return text == "sum" ? LossReduction::Sum : LossReduction::Mean;
}

/// Ending of the classes that a text leaves to Keras' choice ("accuracy" and "crossentropy"); empty: none.
std::string_view chosenEnding(std::string_view name) {
    if (name == "accuracy" || name == "acc")
        return "Accuracy";
    return name == "crossentropy" || name == "ce" ? "Crossentropy" : "";
}

/// Keras' choice for "accuracy" and "crossentropy".
const MetricDefinition& chosenMetric(std::string_view ending, const LossDefinition* loss,
                                     std::int64_t width) {
    const bool isSparse = loss != nullptr && loss->target == TargetForm::Classes;
    const std::string_view beginning = isSparse ? "SparseCategorical" : width == 1 ? "Binary" : "Categorical";
    return *findMetric(std::string(beginning).append(ending));
}

core::Diagnostic tooFewClasses(double classes, std::int64_t width) {
    core::Diagnostic diagnostic;
    diagnostic.code = "training/metric-classes";
    diagnostic.location.place = "/training/metrics";
    diagnostic.message =
        fmt::format("MeanIoU has num_classes {}, but the output has {} values per position", classes, width);
    diagnostic.hints.push_back(fmt::format("set num_classes to {}", width));
    return diagnostic;
}

} // namespace

std::span<const LossDefinition> lossCatalogue() {
    return losses();
}
std::span<const MetricDefinition> metricCatalogue() {
    return metrics();
}
const LossDefinition* findLoss(std::string_view name) {
    return findIn(losses(), name);
}
const MetricDefinition* findMetric(std::string_view name) {
    return findIn(metrics(), name);
}

core::Result<Loss> readLoss(const core::KerasObject& loss) {
    const LossDefinition* definition = findLoss(loss.className);
    if (definition == nullptr)
        return core::failure(unknownLoss(losses(), loss.className, "loss"));
    Loss attributes;
    attributes.className = definition->className;
    attributes.fromLogits = flag(loss.config, "from_logits");
    attributes.labelSmoothing = number(loss.config, "label_smoothing", 0);
    attributes.parameter = number(loss.config, definition->parameter, definition->parameterPreset);
    attributes.secondParameter = number(loss.config, definition->secondParameter, definition->secondPreset);
    if (definition->className == "BinaryFocalCrossentropy" && flag(loss.config, "apply_class_balancing"))
        attributes.secondParameter = number(loss.config, "alpha", 0.25);
    attributes.reduction = reductionOf(loss.config);
    return attributes;
}

std::optional<std::vector<std::int64_t>> lossAxes(const core::KerasObject& loss) {
    const LossDefinition* definition = findLoss(loss.className);
    const auto it = loss.config.find("axis");
    if (it != loss.config.end() && it->is_number())
        return std::vector{static_cast<std::int64_t>(it->get<double>())};
    if (it != loss.config.end() && it->is_array()) {
        std::vector<std::int64_t> axes;
        for (const Json& axis : *it)
            axes.push_back(static_cast<std::int64_t>(axis.is_number() ? axis.get<double>() : -1));
        return axes;
    }
    if (definition != nullptr && definition->runsOverAllAxes)
        return std::nullopt;
    return std::vector<std::int64_t>{-1};
}

core::Result<NamedMetric> readMetric(const core::KerasObject& metric, const LossDefinition* loss,
                                     std::int64_t width) {
    const std::string_view ending = chosenEnding(metric.className);
    const bool chooses = !ending.empty();
    const MetricDefinition* definition =
        chooses ? &chosenMetric(ending, loss, width) : findMetric(metric.className);
    if (definition == nullptr)
        return core::failure(unknownLoss(metrics(), metric.className, "metric"));
    NamedMetric named;
    const auto name = metric.config.find("name");
    const bool isFunction =
        std::ranges::find(definition->functionNames, metric.className) != definition->functionNames.end();
    if (name != metric.config.end() && name->is_string())
        named.name = name->get<std::string>();
    else
        named.name = chooses || isFunction ? metric.className : std::string(definition->defaultName);
    named.attributes.className = definition->className;
    named.attributes.parameter = number(metric.config, definition->parameter, definition->parameterPreset);
    named.attributes.fromLogits = flag(metric.config, "from_logits");
    named.attributes.labelSmoothing = number(metric.config, "label_smoothing", 0);
    if (definition->className == "MeanIoU" && named.attributes.parameter < static_cast<double>(width))
        return core::failure(tooFewClasses(named.attributes.parameter, width));
    return named;
}

} // namespace simulator
