#include "core/interchange/python/apis/calls/ipu_configuration.h"

#include "core/config/ipu_config/ipu_config_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

constexpr std::string_view makesConfiguration = "create_ipu_config";

PythonValue makeConfiguration(const PythonApiCall& call) {
    return call.builder.addConfiguration();
}

PythonValue applyConfiguration(const PythonApiCall& call) {
    const PythonValue* config = call.arguments.find("config", 0);
    const auto* options = config == nullptr ? nullptr : config->as<PythonOptions>();
    if (options != nullptr)
        call.builder.configuration(options->configuration).isApplied = true;
    return {};
}

/// Puts an older function's arguments, from position `first` on, into the options that replace them.
void putOlderArguments(const PythonApiCall& call, const OlderConfigFunction& function, std::size_t first,
                       PythonConfiguration& configuration) {
    bool hasAny = false;
    for (std::size_t i = 0; i < function.arguments.size(); ++i) {
        const auto& [argument, option] = function.arguments[i];
        const PythonValue* given = call.arguments.find(argument, first + i);
        if (given == nullptr)
            continue;
        hasAny = true;
        Json value = call.builder.json(*given, call.place());
        if (argument == "disable_graph_outlining" && value.is_boolean())
            value = !value.get<bool>();
        if (!option.empty() && !value.is_null())
            configuration.options[std::string(option)] = std::move(value);
        configuration.places[std::string(option)] = call.place();
    }
    if (function.name == "set_floating_point_behaviour_options" && !hasAny)
        configuration.options["floating_point_behaviour.set_all"] = true;
}

PythonValue callOlderFunction(const PythonApiCall& call, const OlderConfigFunction& function) {
    PythonOptions config;
    std::size_t first = 0;
    if (function.name == makesConfiguration) {
        config = call.builder.addConfiguration();
    } else {
        const PythonValue* given = call.arguments.find("opts", 0);
        const auto* options = given == nullptr ? nullptr : given->as<PythonOptions>();
        if (options == nullptr)
            call.refuse("python/value", fmt::format("{}() takes a configuration first", function.name),
                        {fmt::format("give what {}() answers", makesConfiguration)});
        config = *options;
        first = call.arguments.keyword("opts") != nullptr ? 0 : 1;
    }
    call.warn("python/older-api", fmt::format("{}() is of an older API", function.name),
              {std::string(function.replacement)});
    putOlderArguments(call, function, first, call.builder.configuration(config.configuration));
    for (const auto& entry : call.arguments.keywords) {
        const std::string& key = entry.first;
        const bool isKnown = key == "opts" || std::ranges::any_of(function.arguments, [&](const auto& one) {
                                 return one.name == key;
                             });
        if (!isKnown)
            call.refuse("python/value",
                        fmt::format("{}() has no argument \"{}\"", function.name, quotedName(key)),
                        {std::string(function.replacement)});
    }
    return config;
}

} // namespace

std::vector<PythonApiName> ipuConfigurationNames() {
    std::vector<PythonApiName> names{readName("ipu.**.IPUConfig", makeConfiguration),
                                     readName("ipu.**.configure_ipu_system", applyConfiguration)};
    for (const OlderConfigFunction& function : olderConfigFunctions())
        names.push_back(readName("ipu.**." + std::string(function.name), [&function](const auto& call) {
            return callOlderFunction(call, function);
        }));
    return names;
}

PythonValue callConfigurationMethod(const PythonApiCall& call, const PythonOptions& options) {
    if (call.path != "configure_ipu_system")
        call.refuse("python/unsupported",
                    fmt::format("the method \"{}\" of a configuration is not read", quotedName(call.path)),
                    {"set its options and call configure_ipu_system()"});
    call.builder.configuration(options.configuration).isApplied = true;
    return {};
}

} // namespace core
