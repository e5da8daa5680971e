#include "core/interchange/python/writer/configuration_writer.h"

#include "core/config/ipu_config/ipu_config_table.h"
#include "core/config/ipu_config/ipu_config_values.h"
#include "core/project/run_figures.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <map>

namespace core {

namespace {

using Options = std::map<std::string, Json, std::less<>>;

/// Members of enumerations stand in `ipu.config`, before IPUConfig in `ipu.utils`.
std::string valueText(const std::string& name, const Json& value, PythonApi api) {
    const IpuConfigOption* option = findIpuConfigOption(name);
    if (option == nullptr || option->type != OptionType::Choice || !value.is_string())
        return pythonLiteral(value);
    const std::string_view type = option->pythonType;
    const bool isEnumeration = type != "str" && std::ranges::all_of(type, [](char c) {
                                   return std::isalpha(static_cast<unsigned char>(c)) != 0;
                               });
    if (!isEnumeration)
        return pythonLiteral(value);
    return fmt::format("ipu.{}.{}.{}", api == PythonApi::TensorFlow24 ? "config" : "utils", type,
                       value.get<std::string>());
}

/// What stands behind the number of IPUs.
std::string replicaComment(const RunFigures& figures) {
    const auto some = [](std::int64_t count, const char* what) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    if (figures.ipusPerReplica == 1 && figures.replicas == 1)
        return "";
    return fmt::format("  # {} of {}", some(figures.replicas, "replica"),
                       some(figures.ipusPerReplica, "IPU"));
}

bool choosesDevices(const Options& options) {
    return options.contains("auto_select_ipus") || options.contains("select_ipus");
}

/// Arguments of the older functions that a call of theirs needs, or whose default was another one.
constexpr std::array<std::string_view, 9> alwaysWritten{
    "inv",           "div0",         "oflo",
    "esr",           "nanoo",        "process_count",
    "process_index", "num_io_tiles", "merge_remote_buffers"};

class OlderConfiguration {
public:
    OlderConfiguration(PythonText& text, Options options, std::string comment)
        : m_text(text)
        , m_options(std::move(options))
        , m_comment(std::move(comment)) {}

    Diagnostics write() {
        // The switch for all of them is a call that names none of them.
        if (const auto all = m_options.find("floating_point_behaviour.set_all");
            all != m_options.end() && all->second == true) {
            for (const char* name : {"inv", "div0", "oflo", "esr", "nanoo"})
                m_options[fmt::format("floating_point_behaviour.{}", name)] = true;
            m_options.erase(all);
        }
        for (const OlderConfigFunction& function : olderConfigFunctions())
            writeFunction(function);
        m_text.line("ipu.utils.configure_ipu_system(config)");
        Diagnostics problems;
        for (const auto& [name, value] : m_options)
            problems.push_back(makeError(Trouble::Input, "python/api", {"", "/ipu_config/" + name},
                                         fmt::format("TensorFlow 2.1 has no function that sets {}", name),
                                         {"export for 2.4, or leave the option out"}));
        return problems;
    }

private:
    void writeFunction(const OlderConfigFunction& function) {
        const bool isCalled = std::ranges::any_of(
            function.arguments, [&](const auto& argument) { return m_options.contains(argument.option); });
        const bool isFirst = function.name == "create_ipu_config";
        if (!isCalled && !isFirst)
            return;
        std::vector<std::string> arguments;
        if (!isFirst)
            arguments.emplace_back("config");
        for (const auto& [argument, option] : function.arguments) {
            const auto found = option.empty() ? m_options.end() : m_options.find(option);
            const bool isNeeded =
                !isFirst && std::ranges::find(alwaysWritten, argument) != alwaysWritten.end();
            if (found == m_options.end() && !isNeeded)
                continue;
            Json value =
                found == m_options.end() ? defaultValue(*findIpuConfigOption(option)) : found->second;
            if (argument == "disable_graph_outlining" && value.is_boolean())
                value = !value.get<bool>();
            arguments.push_back(fmt::format("{}={}", argument,
                                            valueText(std::string(option), value, PythonApi::TensorFlow21)));
            if (found != m_options.end())
                m_options.erase(found);
        }
        m_text.call(fmt::format("config = ipu.utils.{}", function.name), arguments,
                    function.name == "auto_select_ipus" ? m_comment : "");
    }

    PythonText& m_text;
    Options m_options;
    std::string m_comment;
};

} // namespace

Diagnostics writeConfiguration(PythonText& text, const Project& project, PythonApi api) {
    const RunFigures figures = runFigures(project, RunMode::Train, std::nullopt);
    Options options(project.ipuConfig.values.begin(), project.ipuConfig.values.end());
    std::string comment;
    const bool isCount = options.contains("auto_select_ipus") && options["auto_select_ipus"].is_number();
    if (!choosesDevices(options) || isCount) {
        // A model is replicated as often as the device holds it.
        options["auto_select_ipus"] =
            project.replicas ? *project.replicas * figures.ipusPerReplica : figures.ipusOfDevice;
        comment = replicaComment(figures);
        // Each of several processes selects its own.
        const std::int64_t processes = std::max<std::int64_t>(
            optionInteger(project.ipuConfig, "experimental.multi_replica_distribution.process_count"), 1);
        const std::int64_t selected = options["auto_select_ipus"].get<std::int64_t>();
        options["auto_select_ipus"] = std::max<std::int64_t>(selected / processes, 1);
    }
    text.line("# The IPU system.");
    if (api == PythonApi::TensorFlow21)
        return OlderConfiguration(text, std::move(options), std::move(comment)).write();
    text.line("config = ipu.config.IPUConfig()");
    for (const auto& [name, value] : options)
        text.line(fmt::format("config.{} = {}{}", name, valueText(name, value, api),
                              name == "auto_select_ipus" ? comment : ""));
    text.line("config.configure_ipu_system()");
    return {};
}

} // namespace core
