#include "core/config/keras_catalogue.h"

#include "core/text/nearest_name.h"
#include "core/text/text_case.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

namespace {

/// Reads one Keras object and files what is wrong with it.
class KerasObjectReader {
public:
    KerasObjectReader(const KerasCatalogue& catalogue, const std::string& file, Diagnostics& findings)
        : m_catalogue(catalogue)
        , m_file(file)
        , m_findings(findings) {}

    std::optional<KerasObject> read(const Json& value, const std::string& pointer) {
        if (value.is_string()) {
            auto object = readText(value.get<std::string>(), pointer);
            const std::size_t before = m_findings.size();
            if (object)
                requireKeys(*object, pointer);
            return m_findings.size() == before ? object : std::nullopt;
        }
        if (value.is_object())
            return readObject(value, pointer);
        refuse(pointer, "project/wrong-type",
               fmt::format("expected {} by name or as an object, found {}", article(), typeName(value)),
               R"(write a name, or {"class_name": "…", "config": {}})");
        return std::nullopt;
    }

private:
    [[nodiscard]] std::string article() const {
        return fmt::format("{} {}", m_catalogue.family.starts_with('o') ? "an" : "a", m_catalogue.family);
    }

    std::optional<KerasObject> readText(const std::string& text, const std::string& pointer) {
        const KerasClass* found = m_catalogue.named(text);
        if (found == nullptr) {
            refuseClass(text, pointer);
            return std::nullopt;
        }
        KerasObject object{std::string(found->className), Json::object()};
        if (m_catalogue.aliasIsName && text != found->className && text != snakeCase(found->className))
            object.config["name"] = text;
        return object;
    }

    std::optional<KerasObject> readObject(const Json& value, const std::string& pointer) {
        const auto className = value.find("class_name");
        if (className == value.end() || !className->is_string()) {
            refuse(pointer, "project/missing-key",
                   fmt::format("{} needs its \"class_name\" as text", article()),
                   R"(write {"class_name": "…", "config": {}})");
            return std::nullopt;
        }
        const std::size_t before = m_findings.size();
        for (const auto& [key, ignored] : value.items()) {
            // "module" and "registered_name" are what newer Keras writes beside the class.
            if (key != "class_name" && key != "config" && key != "module" && key != "registered_name")
                refuse(childPointer(pointer, key), "project/unknown-key",
                       fmt::format("unknown key \"{}\"", key.substr(0, 80)),
                       "known here: class_name, config; its own settings are in config");
        }
        auto object = readText(className->get<std::string>(), childPointer(pointer, "class_name"));
        if (!object)
            return std::nullopt;
        const auto config = value.find("config");
        if (config != value.end() && !config->is_null())
            readConfig(*config, *object, childPointer(pointer, "config"));
        requireKeys(*object, pointer);
        return m_findings.size() == before ? object : std::nullopt;
    }

    void readConfig(const Json& config, KerasObject& object, const std::string& pointer) {
        if (!config.is_object()) {
            refuse(pointer, "project/wrong-type",
                   fmt::format("\"config\" must be an object, not {}", typeName(config)), "write {}");
            return;
        }
        const KerasClass& type = *m_catalogue.find(object.className);
        for (const auto& [key, value] : config.items()) {
            const std::string_view name = currentKey(key);
            const KerasParameter* parameter = findParameter(type, name);
            const std::string place = childPointer(pointer, key);
            if (parameter == nullptr)
                refuseKey(type, key, place);
            else if (checkValue(*parameter, value, place))
                object.config[std::string(parameter->name)] = value;
        }
    }

    void requireKeys(const KerasObject& object, const std::string& pointer) {
        for (const KerasParameter& parameter : m_catalogue.find(object.className)->parameters) {
            if (parameter.defaultText.empty() && !object.config.contains(parameter.name))
                refuse(pointer, "project/missing-key",
                       fmt::format("{} needs \"{}\"", object.className, parameter.name),
                       fmt::format("add \"{}\" to its config", parameter.name));
        }
    }

    [[nodiscard]] std::string_view currentKey(std::string_view key) const {
        for (const auto& [older, current] : m_catalogue.olderKeys) {
            if (older == key)
                return current;
        }
        return key;
    }

    [[nodiscard]] const KerasParameter* findParameter(const KerasClass& type, std::string_view name) const {
        for (const auto* list : {&type.parameters, &m_catalogue.common}) {
            for (const KerasParameter& parameter : *list) {
                if (parameter.name == name || (!name.empty() && parameter.otherName == name))
                    return &parameter;
            }
        }
        return nullptr;
    }

    bool checkValue(const KerasParameter& parameter, const Json& value, const std::string& place) {
        if (value.is_null() && parameter.defaultText == "null")
            return true;
        switch (parameter.type) {
        case KerasParameterType::Number:
            return checkNumber(parameter, value, place);
        case KerasParameterType::NumberOrSchedule:
            if (!value.is_object())
                return checkNumber(parameter, value, place);
            return readKerasObject(value, learningRateScheduleCatalogue(), m_file, place, m_findings)
                .has_value();
        case KerasParameterType::Integer:
            if (value.is_number() && std::floor(value.get<double>()) != value.get<double>())
                return refuseValue(parameter, value, "a whole number", place);
            return value.is_number() ? checkNumber(parameter, value, place)
                                     : refuseValue(parameter, value, "a whole number", place);
        case KerasParameterType::Switch:
            return value.is_boolean() || refuseValue(parameter, value, "true or false", place);
        case KerasParameterType::Text:
            return value.is_string() || refuseValue(parameter, value, "text", place);
        case KerasParameterType::Choice: {
            const auto& choices = parameter.choices;
            const bool known = value.is_string() && std::find(choices.begin(), choices.end(),
                                                              value.get<std::string>()) != choices.end();
            return known ||
                   refuseValue(parameter, value, fmt::format("one of {}", fmt::join(choices, ", ")), place);
        }
        case KerasParameterType::Optimizer: {
            const auto inner = readKerasObject(value, optimizerCatalogue(), m_file, place, m_findings);
            if (inner && findOptimizer(inner->className)->wrapsAnother)
                return refuseValue(parameter, value, "an optimizer that scales no loss itself", place);
            return inner.has_value();
        }
        case KerasParameterType::Model: {
            const bool isModel = value.is_object() && value.contains("class_name") &&
                                 value.contains("config") && value["config"].is_object();
            return isModel || refuseValue(parameter, value, "a model as Keras writes it", place);
        }
        case KerasParameterType::Axes:
            return checkAxes(parameter, value, place);
        case KerasParameterType::Numbers: {
            const bool isList =
                value.is_array() &&
                std::all_of(value.begin(), value.end(), [](const Json& item) { return item.is_number(); });
            return isList || refuseValue(parameter, value, "a list of numbers", place);
        }
        }
        return true;
    }

    bool checkAxes(const KerasParameter& parameter, const Json& value, const std::string& place) {
        const auto isWhole = [](const Json& item) {
            return item.is_number() && std::floor(item.get<double>()) == item.get<double>();
        };
        const bool isList =
            value.is_array() && !value.empty() && std::all_of(value.begin(), value.end(), isWhole);
        if (!isList && !isWhole(value))
            return refuseValue(parameter, value, "an axis or a list of axes", place);
        if (!isList)
            return checkNumber(parameter, value, place);
        return std::all_of(value.begin(), value.end(),
                           [&](const Json& item) { return checkNumber(parameter, item, place); });
    }

    bool checkNumber(const KerasParameter& parameter, const Json& value, const std::string& place) {
        if (!value.is_number())
            return refuseValue(parameter, value, "a number", place);
        const auto number = value.get<double>();
        if (number >= parameter.low && number <= parameter.high)
            return true;
        refuse(place, "project/out-of-range",
               fmt::format("\"{}\" is {}, allowed are {} to {}", parameter.name, number, parameter.low,
                           parameter.high),
               "choose a value in that range");
        return false;
    }

    bool refuseValue(const KerasParameter& parameter, const Json& value, const std::string& wanted,
                     const std::string& place) {
        refuse(place, "project/wrong-type",
               fmt::format("\"{}\" must be {}, not {}", parameter.name, wanted,
                           value.is_string() ? toText(value, -1) : std::string(typeName(value))),
               parameter.defaultText.empty() ? fmt::format("write {}", wanted)
                                             : fmt::format("the default is {}", parameter.defaultText));
        return false;
    }

    void refuseClass(const std::string& text, const std::string& pointer) {
        std::vector<std::string> known;
        for (const KerasClass& candidate : m_catalogue.classes) {
            known.emplace_back(candidate.className);
            known.insert(known.end(), candidate.aliases.begin(), candidate.aliases.end());
        }
        const auto near = nearestName(text, known);
        std::vector<std::string> names;
        for (const KerasClass& candidate : m_catalogue.classes)
            names.emplace_back(candidate.className);
        refuse(pointer,
               "value-error/unknown-" +
                   std::string(m_catalogue.family.substr(0, m_catalogue.family.find(' '))),
               fmt::format("\"{}\" is no known {}", text.substr(0, 80), m_catalogue.family),
               near ? fmt::format("did you mean \"{}\"?", *near)
                    : fmt::format("known: {}", fmt::join(names, ", ")));
    }

    void refuseKey(const KerasClass& type, const std::string& key, const std::string& place) {
        std::vector<std::string> known;
        for (const auto* list : {&type.parameters, &m_catalogue.common}) {
            for (const KerasParameter& parameter : *list)
                known.emplace_back(parameter.name);
        }
        const auto near = nearestName(key, known);
        refuse(place, "project/unknown-key",
               fmt::format("{} has no key \"{}\"", type.className, key.substr(0, 80)),
               near ? fmt::format("did you mean \"{}\"?", *near)
                    : fmt::format("known: {}", fmt::join(known, ", ")));
    }

    void refuse(const std::string& place, std::string code, std::string message, std::string hint) {
        m_findings.push_back(makeError(Trouble::Input, std::move(code), {m_file, place}, std::move(message),
                                       {std::move(hint)}));
    }

    const KerasCatalogue& m_catalogue;
    const std::string& m_file;
    Diagnostics& m_findings;
};

} // namespace

std::optional<KerasObject> readKerasObject(const Json& value, const KerasCatalogue& catalogue,
                                           const std::string& file, const std::string& pointer,
                                           Diagnostics& findings) {
    return KerasObjectReader(catalogue, file, findings).read(value, pointer);
}

Json toJson(const KerasObject& object, const KerasCatalogue& catalogue) {
    if (object.config.empty())
        return object.className;
    if (catalogue.aliasIsName && object.config.size() == 1 && object.config.contains("name")) {
        const Json& name = object.config["name"];
        const KerasClass* named = name.is_string() ? catalogue.named(name.get<std::string>()) : nullptr;
        if (named != nullptr && named->className == object.className &&
            name.get<std::string>() != snakeCase(object.className) && name != object.className)
            return name;
    }
    return {{"class_name", object.className}, {"config", object.config}};
}

Json resolvedConfig(const KerasObject& object, const KerasCatalogue& catalogue) {
    Json config = Json::object();
    const KerasClass* type = catalogue.find(object.className);
    if (type != nullptr) {
        for (const auto* list : {&catalogue.common, &type->parameters}) {
            for (const KerasParameter& parameter : *list) {
                if (!parameter.defaultText.empty())
                    config[std::string(parameter.name)] = Json::parse(parameter.defaultText);
            }
        }
    }
    for (const auto& [key, value] : object.config.items())
        config[key] = value;
    return config;
}

std::string reportedName(const KerasObject& metric) {
    const auto name = metric.config.find("name");
    if (name != metric.config.end() && name->is_string())
        return name->get<std::string>();
    const KerasClass* type = metricCatalogue().find(metric.className);
    if (const KerasParameter* own = type == nullptr ? nullptr : type->parameter("name"))
        return Json::parse(own->defaultText).get<std::string>();
    return snakeCase(metric.className);
}

KerasObject optimizerOf(const TrainingOptions& training) {
    return training.optimizer.value_or(KerasObject{"RMSprop", Json::object()});
}

KerasObject unwrappedOptimizer(const KerasObject& optimizer) {
    const OptimizerDefinition* definition = findOptimizer(optimizer.className);
    const auto inner = optimizer.config.find("inner_optimizer");
    if (definition == nullptr || !definition->wrapsAnother || inner == optimizer.config.end())
        return optimizer;
    Diagnostics ignored;
    return readKerasObject(*inner, optimizerCatalogue(), "", "", ignored).value_or(optimizer);
}

bool keepsState(const KerasObject& optimizer) {
    const KerasObject updating = unwrappedOptimizer(optimizer);
    const OptimizerDefinition* definition = findOptimizer(updating.className);
    if (definition == nullptr || definition->wrapsAnother)
        return true;
    const Json config = resolvedConfig(updating, optimizerCatalogue());
    const auto isOn = [&](std::string_view key) {
        const Json& value = config[std::string(key)];
        return value.is_boolean() ? value.get<bool>() : value.get<double>() != 0;
    };
    return std::ranges::any_of(definition->slotVariables,
                               [&](const OptimizerSlot& slot) { return slot.isKept(isOn); });
}

} // namespace core
