#include "simulator/catalogue/loss_settings.h"

#include "core/config/keras_catalogue.h"
#include "core/text/nearest_name.h"
#include "core/text/text_case.h"

#include <fmt/format.h>

namespace simulator {
namespace {

using core::Json;

core::Diagnostic unknownClass(const core::KerasCatalogue& catalogue, const std::string& name) {
    std::vector<std::string> names;
    for (const core::KerasClass& known : catalogue.classes) {
        names.emplace_back(known.className);
        names.push_back(core::snakeCase(known.className));
        names.insert(names.end(), known.aliases.begin(), known.aliases.end());
    }
    const std::string kind(catalogue.family);
    const auto nearest = core::nearestName(name, names);
    return core::makeError(
        core::Trouble::Input, "training/unknown-" + kind,
        {"", kind == "loss" ? "/training/loss" : "/training/metrics"},
        "\"" + name + "\" is not a " + kind + " known here",
        {nearest ? "did you mean \"" + *nearest + "\"?" : "choose one of Keras' that the inspector lists"});
}

bool flag(const Json& config, std::string_view key) {
    const auto it = config.find(std::string(key));
    return it != config.end() && it->is_boolean() && it->get<bool>();
}

std::optional<double> givenNumber(const Json& config, std::string_view key) {
    const auto it = config.find(std::string(key));
    if (it == config.end())
        return std::nullopt;
    if (it->is_array() && it->size() == 1 && it->front().is_number())
        return it->front().get<double>();
    return it->is_number() ? std::optional(it->get<double>()) : std::nullopt;
}

/// The number of a loss or metric: as the config gives it, else the class's default.
double numberOf(const core::KerasClass& type, const core::LossNumber& number, const Json& config) {
    if (number.key.empty() || (!number.onlyWith.empty() && !flag(config, number.onlyWith)))
        return 0;
    if (const auto given = givenNumber(config, number.key))
        return *given;
    const Json preset = Json::parse(type.parameter(number.key)->defaultText, nullptr, false);
    return preset.is_number() ? preset.get<double>() : number.ifNull;
}

LossReduction reductionOf(const Json& config) {
    const auto it = config.find("reduction");
    const std::string text =
        it != config.end() && it->is_string() ? core::lowerCase(it->get<std::string>()) : "auto";
    if (text == "none")
        return LossReduction::None;
    return text == "sum" ? LossReduction::Sum : LossReduction::Mean;
}

/// Keras' choice for "accuracy" and "crossentropy".
const core::MetricDefinition& chosenMetric(std::string_view ending, const core::LossDefinition* loss,
                                           std::int64_t width) {
    const bool isSparse = loss != nullptr && loss->target == core::TargetForm::Classes;
    const std::string_view beginning = isSparse ? "SparseCategorical" : width == 1 ? "Binary" : "Categorical";
    return *core::findMetric(std::string(beginning).append(ending));
}

core::Diagnostic tooFewClasses(double classes, std::int64_t width) {
    return core::makeError(
        core::Trouble::Input, "training/metric-classes", {"", "/training/metrics"},
        fmt::format("MeanIoU has num_classes {}, but the output has {} values per position", classes, width),
        {fmt::format("set num_classes to {}", width)});
}

} // namespace

core::Result<Loss> readLoss(const core::KerasObject& loss) {
    const core::LossDefinition* definition = core::findLoss(loss.className);
    if (definition == nullptr)
        return core::failure(unknownClass(core::lossCatalogue(), loss.className));
    Loss attributes;
    attributes.className = definition->className;
    attributes.fromLogits = flag(loss.config, "from_logits");
    attributes.labelSmoothing = givenNumber(loss.config, "label_smoothing").value_or(0);
    attributes.parameter = numberOf(*definition, definition->first, loss.config);
    attributes.secondParameter = numberOf(*definition, definition->second, loss.config);
    attributes.reduction = reductionOf(loss.config);
    return attributes;
}

std::optional<std::vector<std::int64_t>> lossAxes(const core::KerasObject& loss) {
    const core::LossDefinition* definition = core::findLoss(loss.className);
    const auto it = loss.config.find("axis");
    if (it != loss.config.end() && it->is_number())
        return std::vector{static_cast<std::int64_t>(it->get<double>())};
    if (it != loss.config.end() && it->is_array()) {
        std::vector<std::int64_t> axes;
        for (const Json& axis : *it)
            axes.push_back(static_cast<std::int64_t>(axis.is_number() ? axis.get<double>() : -1));
        return axes;
    }
    if (definition != nullptr && definition->runsOverAllAxes())
        return std::nullopt;
    return std::vector<std::int64_t>{-1};
}

core::Result<NamedMetric> readMetric(const core::KerasObject& metric, const core::LossDefinition* loss,
                                     std::int64_t width) {
    const core::MetricDefinition* named = core::findMetric(metric.className);
    if (named == nullptr)
        return core::failure(unknownClass(core::metricCatalogue(), metric.className));
    const bool chooses = !named->choiceEnding.empty();
    const core::MetricDefinition& definition =
        chooses ? chosenMetric(named->choiceEnding, loss, width) : *named;
    NamedMetric result;
    const std::string className(definition.className);
    const bool hasName = metric.config.contains("name") && metric.config["name"].is_string();
    // Keras reports a metric under the text that named it.
    if (!hasName && (chooses || definition.isFunctionName(metric.className)))
        result.name = metric.className;
    else
        result.name = core::reportedName({className, metric.config});
    result.attributes.className = className;
    result.attributes.parameter = numberOf(definition, definition.number, metric.config);
    result.attributes.fromLogits = flag(metric.config, "from_logits");
    result.attributes.labelSmoothing = givenNumber(metric.config, "label_smoothing").value_or(0);
    if (definition.sums == core::MetricSums::PairsOfClasses &&
        result.attributes.parameter < static_cast<double>(width))
        return core::failure(tooFewClasses(result.attributes.parameter, width));
    return result;
}

} // namespace simulator
