#include "core/interchange/python/apis/calls/ipu_configuration.h"

#include "core/config/ipu_config/ipu_config_table.h"

#include <algorithm>
#include <array>
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
        call.builder.applyConfiguration(options->configuration);
    return {};
}

/// Defaults of older functions that are not those of the options. Source: their signatures in the Python API
/// reference.
struct OlderDefault {
    std::string_view function;
    std::string_view option;
    const char* value; // JSON
};
constexpr std::array<OlderDefault, 8> olderDefaults{{
    {"create_ipu_config", "optimizations.merge_infeed_io_copies", "false"},
    {"set_floating_point_behaviour_options", "floating_point_behaviour.inv", "true"},
    {"set_floating_point_behaviour_options", "floating_point_behaviour.div0", "true"},
    {"set_floating_point_behaviour_options", "floating_point_behaviour.oflo", "true"},
    {"set_floating_point_behaviour_options", "floating_point_behaviour.esr", "true"},
    {"set_floating_point_behaviour_options", "floating_point_behaviour.nanoo", "true"},
    {"set_recomputation_options", "allow_recompute", "true"},
    {"set_optimization_options", "optimizations.merge_remote_buffers", R"("NO_MERGING")"},
}};

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
        if (option.empty()) {
            call.warn("python/ignored", fmt::format("\"{}\" of {}() has no effect", argument, function.name),
                      {std::string(function.replacement)});
            continue;
        }
        Json value = call.builder.json(*given, call.place());
        if (argument == "disable_graph_outlining" && value.is_boolean())
            value = !value.get<bool>();
        if (!value.is_null())
            setConfigurationOption(call.builder, configuration, std::string(option), std::move(value),
                                   call.place());
    }
    if (function.name == "set_floating_point_behaviour_options" && !hasAny) {
        configuration.options["floating_point_behaviour.set_all"] = true;
        return;
    }
    for (const OlderDefault& entry : olderDefaults)
        if (entry.function == function.name && !configuration.options.contains(entry.option))
            configuration.options[std::string(entry.option)] = Json::parse(entry.value);
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

constexpr const char* processCount = pythonProcessCount;
constexpr const char* processIndex = "experimental.multi_replica_distribution.process_index";

[[noreturn]] void refuseDistribution(const PythonApiCall& call) {
    call.refuse(
        "python/unsupported",
        fmt::format("\"{}\" asks poprun for the processes of a distributed run", quotedName(call.path)),
        {"ask popdist.isPopdistEnvSet() first", fmt::format("set {} in the program", processCount)});
}

std::int64_t countProcesses(const PythonApiCall& call) {
    const auto count = configuredNumber(call, processCount);
    if (!count)
        refuseDistribution(call);
    return *count;
}

/// How many IPUs a replica has, where the program says how many a process has.
std::int64_t ipusPerReplica(const PythonApiCall& call) {
    const auto ipus = configuredNumber(call, "auto_select_ipus");
    const std::int64_t each = ipus == 1 ? 1 : call.builder.ipusPerReplica;
    if (!ipus || each < 1 || *ipus % each != 0)
        call.refuse(
            "python/unsupported",
            fmt::format("how many replicas {}() counts is known only when the program runs", call.name()),
            {"write the number", "call popdist.tensorflow.set_ipu_config(config, ipus_per_replica=N)"});
    return each;
}

/// The IPUs of a process make so many replicas.
std::int64_t countLocalReplicas(const PythonApiCall& call) {
    const std::int64_t each = ipusPerReplica(call); // refuses where the IPUs are not known
    return configuredNumber(call, "auto_select_ipus").value_or(each) / each;
}

/// popdist.tensorflow.set_ipu_config(config, ipus_per_replica): without poprun, a process has one replica
/// unless the configuration selects IPUs for more.
PythonValue setDistribution(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("config", 0);
    const auto* options = given == nullptr ? nullptr : given->as<PythonOptions>();
    const PythonValue* each = call.arguments.find("ipus_per_replica", 1);
    const PythonValue* configures = call.arguments.given("configure_device", 2);
    static_cast<void>(countProcesses(call));
    if (options == nullptr)
        call.refuse("python/value", "set_ipu_config() takes a configuration first",
                    {"write set_ipu_config(config, ipus_per_replica=1)"});
    call.builder.ipusPerReplica =
        each != nullptr && each->isWhole() ? each->constant().get<std::int64_t>() : 1;
    PythonConfiguration& configuration = call.builder.configuration(options->configuration);
    if (!configuration.options.contains("auto_select_ipus"))
        setConfigurationOption(call.builder, configuration, "auto_select_ipus", call.builder.ipusPerReplica,
                               call.place());
    if (configures == nullptr || configures->constant() != false)
        call.builder.applyConfiguration(options->configuration);
    return {};
}

} // namespace

std::optional<std::int64_t> configuredNumber(const PythonApiCall& call, const char* option) {
    std::optional<std::int64_t> number;
    for (const PythonConfiguration& configuration : call.builder.facts.configurations)
        if (const Json value = configuration.options.value(option, Json()); value.is_number_integer())
            number = value.get<std::int64_t>();
    return number;
}

std::vector<PythonApiName> distributionNames() {
    const auto index = [](const PythonApiCall& call) {
        static_cast<void>(countProcesses(call));
        return pythonConstant(configuredNumber(call, processIndex).value_or(0));
    };
    return {
        // The program is read as it is started by itself, not by poprun.
        readName("popdist.isPopdistEnvSet", [](const PythonApiCall&) { return pythonConstant(false); }),
        readName("popdist.init", [](const PythonApiCall&) { return PythonValue(); }),
        readName("popdist.getNumInstances",
                 [](const PythonApiCall& call) { return pythonConstant(countProcesses(call)); }),
        readName("popdist.getInstanceIndex", index),
        readName("popdist.getNumLocalReplicas",
                 [](const PythonApiCall& call) { return pythonConstant(countLocalReplicas(call)); }),
        readName("popdist.getNumTotalReplicas",
                 [](const PythonApiCall& call) {
                     return pythonConstant(countProcesses(call) * countLocalReplicas(call));
                 }),
        readName("popdist.getNumIpusPerReplica",
                 [](const PythonApiCall& call) { return pythonConstant(ipusPerReplica(call)); }),
        readName("popdist.tensorflow.set_ipu_config", setDistribution),
        readName("popdist.**", [](const PythonApiCall& call) -> PythonValue { refuseDistribution(call); })};
}

void setConfigurationOption(PythonProgramBuilder& builder, PythonConfiguration& configuration,
                            const std::string& option, Json value, PythonPlace place) {
    // An enumeration in later editions; a switch in the reference of 2.4.
    if (option == "floating_point_behaviour.esr" && (value == "ON" || value == "OFF"))
        value = value == "ON";
    const bool isSelected = option == "auto_select_ipus" || option == "select_ipus";
    const std::string other = option == "select_ipus" ? "auto_select_ipus" : "select_ipus";
    if (isSelected && configuration.options.contains(other) && !configuration.options[other].is_null() &&
        !value.is_null() && !configuration.options[other].empty())
        builder.refuse(place, "value-error/two-selections",
                       fmt::format("{} is set, but {} is set already", option, other),
                       {fmt::format("remove {}, or {}: one of them selects the IPUs", option, other)});
    if (isSelected && !value.is_null() && !value.empty()) // an empty list of the other one selects nothing
        configuration.options.erase(other);
    configuration.options[option] = std::move(value);
    configuration.places[option] = place;
}

std::vector<PythonApiName> ipuConfigurationNames() {
    std::vector<PythonApiName> names{readName("ipu.**.IPUConfig", makeConfiguration),
                                     readName("ipu.**.configure_ipu_system", applyConfiguration)};
    for (const OlderConfigFunction& function : olderConfigFunctions())
        names.push_back(readName("ipu.**." + std::string(function.name), [&function](const auto& call) {
            return callOlderFunction(call, function);
        }));
    return names;
}

namespace {

PythonValue entriesOfOption(const PythonProgramBuilder& builder, const PythonOptions& options) {
    const Json& all = builder.facts.configurations[static_cast<std::size_t>(options.configuration)].options;
    const Json known = all.value(options.path, Json(Json::object()));
    std::vector<std::pair<PythonValue, PythonValue>> entries;
    for (const auto& [key, value] : known.items())
        entries.emplace_back(pythonText(key), pythonConstant(value));
    return pythonDictionary(std::move(entries));
}

bool isDictionaryOption(const PythonOptions& options) {
    const IpuConfigOption* known = findIpuConfigOption(options.path);
    return known != nullptr && defaultValue(*known).is_object();
}

/// cfg.matmuls.poplar_options.update({…}): an option that is a dictionary has its methods.
PythonValue callOptionMethod(const PythonApiCall& call, const PythonOptions& options) {
    if (!isDictionaryOption(options)) {
        // What is no option is refused with what was meant, where one is near.
        PythonConfiguration& configuration = call.builder.configuration(options.configuration);
        if (findIpuConfigOption(options.path) == nullptr)
            setConfigurationOption(call.builder, configuration, options.path, Json::object(), call.place());
        else
            call.refuse("python/unsupported",
                        fmt::format("the option {} is no dictionary", quotedName(options.path)),
                        {"set it: config.option = value"});
        return {};
    }
    const PythonValue entries = entriesOfOption(call.builder, options);
    PythonValue answer = call.interpreter.call(
        PythonMethod{std::make_shared<const PythonValue>(entries), call.path}, call.arguments);
    Json changed = call.builder.json(entries, call.place());
    if (changed != call.builder.json(entriesOfOption(call.builder, options), call.place()))
        setConfigurationOption(call.builder, call.builder.configuration(options.configuration), options.path,
                               std::move(changed), call.place());
    return answer;
}

} // namespace

std::optional<PythonValue> dictionaryOfOption(const PythonProgramBuilder& builder, const PythonValue& value) {
    const auto* options = value.as<PythonOptions>();
    return options != nullptr && isDictionaryOption(*options)
               ? std::optional(entriesOfOption(builder, *options))
               : std::nullopt;
}

PythonValue callConfigurationMethod(const PythonApiCall& call, const PythonOptions& options) {
    if (call.path == "get_attribute_metadata") {
        call.warn("python/ignored", "what is documented of an option is left out", {"remove the call"});
        return PythonData();
    }
    const bool isOption = !options.path.empty();
    if (isOption && call.path != "configure_ipu_system")
        return callOptionMethod(call, options);
    if (call.path != "configure_ipu_system")
        call.refuse("python/unsupported",
                    fmt::format("the method \"{}\" of a configuration is not read", quotedName(call.path)),
                    {"set its options and call configure_ipu_system()"});
    call.builder.applyConfiguration(options.configuration);
    return {};
}

} // namespace core
