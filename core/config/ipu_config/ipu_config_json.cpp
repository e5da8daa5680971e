#include "core/config/ipu_config/ipu_config_json.h"

#include "core/config/ipu_config/ipu_config_table.h"
#include "core/config/ipu_config/poplar_option_table.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace core {

namespace {

class IpuConfigReader {
public:
    IpuConfigReader(const std::string& file, const std::string& pointer, Diagnostics& findings)
        : m_file(file)
        , m_pointer(pointer)
        , m_findings(findings) {}

    std::optional<Json> read(const IpuConfigOption& option, const Json& value) {
        switch (option.type) {
        case OptionType::Switch:
            return value.is_boolean() ? std::optional(value) : refuseType(option, value, "true or false");
        case OptionType::Text:
            return value.is_string() ? std::optional(value) : refuseType(option, value, "text");
        case OptionType::Integer:
            return isWhole(value) ? bounded(option, value) : refuseType(option, value, "a whole number");
        case OptionType::Number:
            return value.is_number() ? bounded(option, value) : refuseType(option, value, "a number");
        case OptionType::Choice:
            return readChoice(option, value);
        case OptionType::IntegerOrList:
            return readIntegerOrList(option, value);
        case OptionType::PoplarOptions:
            return readPoplar(option, value);
        }
        return std::nullopt;
    }

    void refuseUnknown(const std::string& name) {
        std::vector<std::string> hints;
        std::vector<std::string> names;
        for (const IpuConfigOption& option : ipuConfigOptions())
            names.emplace_back(option.name);
        if (const OlderConfigFunction* older = findOlderConfigFunction(name)) {
            hints.push_back(fmt::format("{} is a function of the older API: {}", name, older->replacement));
        } else if (const auto inside = optionsInside(name); !inside.empty()) {
            hints.push_back(
                fmt::format("{} is a category; its options are {}", name, fmt::join(inside, ", ")));
        } else if (const auto near = nearest(name, names)) {
            hints.push_back(fmt::format("did you mean \"{}\"?", *near));
        } else {
            hints.emplace_back("`ipu-workbench config` lists every option");
        }
        file(name, "value-error/unknown-option",
             fmt::format("IPUConfig has no option \"{}\"", name.substr(0, 120)), std::move(hints));
    }

private:
    /// However large: the limits of an option are asked afterwards.
    static bool isWhole(const Json& value) {
        if (value.is_number_float())
            return std::floor(value.get<double>()) == value.get<double>();
        return value.is_number_integer();
    }

    static std::vector<std::string> optionsInside(std::string_view category) {
        std::vector<std::string> inside;
        for (const IpuConfigOption& option : ipuConfigOptions()) {
            if (option.name.starts_with(category) && option.name.substr(category.size()).starts_with('.'))
                inside.emplace_back(option.name);
        }
        return inside;
    }

    /// The nearest full name, or the only option whose last part is near.
    static std::optional<std::string> nearest(const std::string& name,
                                              const std::vector<std::string>& names) {
        if (auto whole = nearestName(name, names))
            return whole;
        std::vector<std::string> lastParts;
        lastParts.reserve(names.size());
        for (const std::string& full : names)
            lastParts.push_back(full.substr(full.rfind('.') + 1));
        const auto near = nearestName(name.substr(name.rfind('.') + 1), lastParts);
        if (!near)
            return std::nullopt;
        const auto at = std::find(lastParts.begin(), lastParts.end(), *near) - lastParts.begin();
        return names[static_cast<std::size_t>(at)];
    }

    std::optional<Json> bounded(const IpuConfigOption& option, const Json& value) {
        const auto number = value.get<double>();
        if (number < option.low || number > option.high) {
            file(option.name, "value-error/option-value",
                 fmt::format("{} is {}, allowed are {} to {}", option.name, toText(value, -1), option.low,
                             option.high),
                 {fmt::format("the default is {}", option.defaultText)});
            return std::nullopt;
        }
        return option.type == OptionType::Number ? Json(number) : Json(static_cast<std::int64_t>(number));
    }

    std::optional<Json> readChoice(const IpuConfigOption& option, const Json& value) {
        if (!value.is_string())
            return refuseType(option, value, fmt::format("one of {}", fmt::join(option.choices, ", ")));
        auto name = value.get<std::string>();
        const std::string qualifier = fmt::format("{}.", option.pythonType);
        if (name.starts_with(qualifier))
            name.erase(0, qualifier.size());
        if (std::find(option.choices.begin(), option.choices.end(), name) != option.choices.end())
            return Json(name);
        const std::vector<std::string> choices(option.choices.begin(), option.choices.end());
        const auto near = nearestName(name, choices);
        file(option.name, "value-error/option-value",
             fmt::format("{} cannot be \"{}\"", option.name, name.substr(0, 80)),
             {near ? fmt::format("did you mean \"{}\"?", *near)
                   : fmt::format("allowed: {}", fmt::join(choices, ", "))});
        return std::nullopt;
    }

    std::optional<Json> readIntegerOrList(const IpuConfigOption& option, const Json& value) {
        if (!value.is_array())
            return isWhole(value) ? bounded(option, value)
                                  : refuseType(option, value, "a whole number or a list of them");
        Json list = Json::array();
        for (const Json& item : value) {
            const std::optional<Json> number =
                isWhole(item) ? bounded(option, item)
                              : refuseType(option, item, "a whole number or a list of them");
            if (!number)
                return std::nullopt;
            list.push_back(*number);
        }
        return list;
    }

    std::optional<Json> readPoplar(const IpuConfigOption& option, const Json& value) {
        if (!value.is_object())
            return refuseType(option, value, "an object of Poplar options and their texts");
        const std::string place = childPointer(m_pointer, option.name);
        const PoplarFlags flags = readPoplarFlags(value, m_file, place, m_findings);
        constexpr std::pair<std::string_view, PoplarOperation> operations[]{
            {"convolutions.poplar_options", PoplarOperation::Convolution},
            {"matmuls.poplar_options", PoplarOperation::MatMul},
            {"pooling.poplar_options", PoplarOperation::Pooling},
        };
        for (const auto& [name, operation] : operations) {
            if (name == option.name)
                checkPoplarFlags(operation, flags, m_file, place, m_findings);
        }
        return toJson(flags);
    }

    std::optional<Json> refuseType(const IpuConfigOption& option, const Json& value,
                                   const std::string& wanted) {
        file(option.name, "type-error/option-type",
             fmt::format("{} must be {}, not {}", option.name, wanted, typeName(value)),
             {fmt::format("its type is {}, its default {}", option.pythonType, option.defaultText)});
        return std::nullopt;
    }

    void file(std::string_view name, std::string code, std::string message, std::vector<std::string> hints) {
        m_findings.push_back(makeError(Trouble::Input, std::move(code),
                                       {m_file, childPointer(m_pointer, name)}, std::move(message),
                                       std::move(hints)));
    }

    const std::string& m_file;
    const std::string& m_pointer;
    Diagnostics& m_findings;
};

} // namespace

IpuConfig readIpuConfig(const Json& object, const std::string& file, const std::string& pointer,
                        Diagnostics& findings) {
    IpuConfig config;
    IpuConfigReader reader(file, pointer, findings);
    for (const auto& [name, value] : object.items()) {
        const IpuConfigOption* option = findIpuConfigOption(name);
        if (option == nullptr) {
            reader.refuseUnknown(name);
        } else if (!value.is_null()) {
            if (const auto read = reader.read(*option, value))
                config.values[name] = *read;
        }
    }
    return config;
}

Json toJson(const IpuConfig& config) {
    Json object = Json::object();
    for (const auto& [name, value] : config.values)
        object[name] = value;
    return object;
}

} // namespace core
