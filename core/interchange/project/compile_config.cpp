#include "core/interchange/project/compile_config.h"

#include "core/config/keras_catalogue.h"
#include "core/project/options/option_sections.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

namespace {

/// Whether a value of a key that a class does not have says nothing: no clipping, no weight decay.
bool saysNothing(const std::string& key, const Json& value) {
    constexpr std::array<std::string_view, 6> ofKeras{
        "name", "is_legacy_optimizer", "jit_compile", "ema_momentum", "ema_overwrite_frequency", "dtype"};
    return value.is_null() || (value.is_boolean() && !value.get<bool>()) ||
           std::ranges::find(ofKeras, key) != ofKeras.end() || (key == "reduction" && value.is_string()) ||
           (value.is_number() && value.get<double>() == 0);
}

bool hasKey(const KerasCatalogue& catalogue, const KerasClass& type, const std::string& key) {
    const auto isIt = [&](const KerasParameter& parameter) {
        return parameter.name == key || (!parameter.otherName.empty() && parameter.otherName == key);
    };
    return std::ranges::any_of(type.parameters, isIt) || std::ranges::any_of(catalogue.common, isIt) ||
           std::ranges::any_of(catalogue.olderKeys, [&](const auto& pair) { return pair.first == key; });
}

/// An object as Keras writes it, without the keys that are about the file or say nothing.
Json cleaned(const Json& object, const KerasCatalogue& catalogue) {
    if (!object.is_object() || !object.contains("class_name"))
        return object;
    const Json& className = object["class_name"];
    const KerasClass* type = className.is_string() ? catalogue.named(className.get<std::string>()) : nullptr;
    Json result{{"class_name", className}};
    const auto config = object.find("config");
    if (config == object.end() || !config->is_object() || type == nullptr)
        return result;
    Json kept = Json::object();
    for (const auto& [key, value] : config->items()) {
        if (hasKey(catalogue, *type, key) ? !(key == "name" && catalogue.family != "metric")
                                          : !saysNothing(key, value))
            kept[key] = value;
    }
    result["config"] = std::move(kept);
    return result;
}

/// Keras keeps a metric that was given by name as a wrapper of a function.
Json unwrappedMetric(const Json& metric) {
    if (metric.is_object() && metric.contains("config") && metric["config"].is_object()) {
        const Json& config = metric["config"];
        if (const auto name = config.find("name");
            name != config.end() && name->is_string() &&
            metricCatalogue().named(name->get<std::string>()) != nullptr && config.contains("fn"))
            return *name;
        if (const auto function = config.find("fn"); function != config.end() && function->is_string())
            return *function;
    }
    return cleaned(metric, metricCatalogue());
}

/// Each once.
Json cleanedList(const Json& value) {
    Json metrics = Json::array();
    for (const Json& entry : value.is_array() ? value : Json::array({value})) {
        Json metric = entry.is_null() ? Json() : unwrappedMetric(entry);
        if (!metric.is_null() && std::ranges::find(metrics, metric) == metrics.end())
            metrics.push_back(std::move(metric));
    }
    return metrics;
}

/// Of a list, of lists of the outputs, or of an object by output.
Json cleanedMetrics(const Json& value) {
    const bool isKeyed = value.is_object() && !value.contains("class_name");
    const bool isByOutput =
        value.is_array() && std::ranges::any_of(value, [](const Json& entry) { return entry.is_array(); });
    if (!isKeyed && !isByOutput)
        return cleanedList(value);
    Json outputs = value;
    for (Json& one : outputs)
        one = cleanedList(one);
    return outputs.is_array() && outputs.size() == 1 ? outputs[0] : outputs;
}

Json cleanedLosses(const Json& loss) {
    if (loss.is_string() || (loss.is_object() && loss.contains("class_name")))
        return cleaned(loss, lossCatalogue());
    Json losses = loss;
    for (Json& one : losses)
        one = cleaned(one, lossCatalogue());
    return losses;
}

} // namespace

Json compileConfigOf(const Json& document) {
    constexpr int deepest = 4;
    const Json* place = &document;
    for (int depth = 0; depth < deepest && place != nullptr && place->is_object(); ++depth) {
        for (const char* key : {"training_config", "compile_config"}) {
            const auto found = place->find(key);
            if (found != place->end() && found->is_object())
                return *found;
        }
        const Json* next = nullptr;
        for (const char* key : {"modelTopology", "model_config"}) {
            if (const auto found = place->find(key); found != place->end())
                next = &*found;
        }
        place = next;
    }
    return nullptr;
}

void takeCompileConfig(const Json& config, const std::string& file, Project& project, Diagnostics& warnings) {
    if (!config.is_object())
        return;
    Json section = Json::object();
    for (const char* key : {"optimizer", "optimizer_config"}) {
        if (const auto optimizer = config.find(key); optimizer != config.end() && !optimizer->is_null())
            section["optimizer"] = cleaned(*optimizer, optimizerCatalogue());
    }
    if (const auto loss = config.find("loss"); loss != config.end() && !loss->is_null())
        section["loss"] = cleanedLosses(*loss);
    if (const auto weights = config.find("loss_weights"); weights != config.end() && !weights->is_null())
        section["loss_weights"] = *weights;
    if (const auto metrics = config.find("metrics"); metrics != config.end()) {
        Json list = cleanedMetrics(*metrics);
        if (!list.empty())
            section["metrics"] = std::move(list);
    }
    if (const auto steps = config.find("steps_per_execution");
        steps != config.end() && steps->is_number_integer())
        section["steps_per_execution"] = *steps;
    // Part by part, so that what is wrong with one does not take the others along.
    const std::vector<std::string> outputs = outputNames(project.model);
    Json accepted = Json::object();
    for (const auto& [key, value] : section.items()) {
        Diagnostics findings;
        Project tried = project;
        Json candidate = accepted;
        candidate[key] = value;
        readTrainingOptions(candidate, outputs, file, "/training_config", findings, tried);
        if (findings.empty()) {
            project.training = std::move(tried.training);
            accepted = std::move(candidate);
            continue;
        }
        warnings.push_back(
            makeWarning(Trouble::Input, "import/compile-config", {file, findings.front().location.place},
                        fmt::format("{} of model.compile() is left out: {}", key, findings.front().message),
                        {fmt::format("set training.{} in the project", key)}));
    }
}

} // namespace core
