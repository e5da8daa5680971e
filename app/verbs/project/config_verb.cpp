#include "app/reports/report_table.h"
#include "app/verbs/base/verb.h"
#include "core/config/ipu_config/ipu_config_table.h"
#include "core/project/options/option_table.h"
#include "core/text/nearest_name.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace app {

namespace {

/// Every option: those of IPUConfig and those of a project have keys of their own in JSON.
ReportTable optionTable() {
    return ReportTable({{"name", ReportTable::Align::Left, "option"},
                        {"type"},
                        {"default"},
                        ReportTable::jsonColumn("documentation"),
                        ReportTable::jsonColumn("section"),
                        ReportTable::jsonColumn("deprecated"),
                        ReportTable::jsonColumn("deprecation"),
                        {"honoured"},
                        ReportTable::jsonColumn("effect"),
                        ReportTable::jsonColumn("choices")});
}

template <class Choices>
ReportTable::Cell choicesCell(const Choices& choices) {
    if (choices.empty())
        return std::nullopt;
    return std::vector<std::string>(choices.begin(), choices.end());
}

void addRow(ReportTable& table, const core::IpuConfigOption& option) {
    const bool isHonoured = option.effect == core::OptionEffect::Honoured;
    table.add({option.name,
               option.pythonType,
               {core::defaultValue(option), std::string(option.defaultText)},
               option.documentation,
               std::nullopt,
               !option.deprecation.empty(),
               option.deprecation.empty() ? core::Json() : core::Json(option.deprecation),
               {isHonoured, isHonoured ? "yes" : "no"},
               option.effectText,
               choicesCell(option.choices)});
}

core::Json olderFunctionJson(const core::OlderConfigFunction& function) {
    ReportTable arguments({ReportTable::jsonColumn("name"), ReportTable::jsonColumn("option")});
    for (const auto& argument : function.arguments)
        arguments.add({argument.name, argument.option.empty() ? core::Json() : core::Json(argument.option)});
    return {
        {"name", function.name}, {"replacement", function.replacement}, {"arguments", arguments.takeJson()}};
}

std::string fullText(const core::IpuConfigOption& option) {
    std::string text = fmt::format("{}: {} = {}\n  {}\n", option.name, option.pythonType, option.defaultText,
                                   option.documentation);
    if (!option.choices.empty())
        text += fmt::format("  Values: {}\n", fmt::join(option.choices, ", "));
    if (!option.deprecation.empty())
        text += fmt::format("  Deprecated: {}\n", option.deprecation);
    return text + fmt::format("  In the simulation: {}\n", option.effectText);
}

std::string fullText(const core::OlderConfigFunction& function) {
    std::string text =
        fmt::format("{}: a function of the older API; {}\n", function.name, function.replacement);
    for (const auto& argument : function.arguments)
        text += fmt::format("  {} → {}\n", argument.name, argument.option.empty() ? "gone" : argument.option);
    return text;
}

std::string_view typeName(core::ProjectOptionType type) {
    switch (type) {
    case core::ProjectOptionType::Switch:
        return "true or false";
    case core::ProjectOptionType::OptionalSwitch:
        return "true, false or null";
    case core::ProjectOptionType::Integer:
        return "whole number";
    case core::ProjectOptionType::Number:
        return "number";
    case core::ProjectOptionType::Text:
        return "text";
    case core::ProjectOptionType::Choice:
        return "choice";
    case core::ProjectOptionType::OpenChoice:
        return "choice or path";
    case core::ProjectOptionType::Integers:
        return "list of whole numbers";
    case core::ProjectOptionType::Json:
        return "JSON";
    }
    return "";
}

void addRow(ReportTable& table, const core::ProjectOption& option) {
    table.add({option.path,
               typeName(option.type),
               {core::defaultValue(option), core::defaultText(option)},
               option.documentation,
               option.section,
               std::nullopt,
               std::nullopt,
               {std::nullopt, "yes"},
               option.effectText,
               choicesCell(option.range.choices)});
}

std::string fullText(const core::ProjectOption& option) {
    std::string text = fmt::format("{}: {} = {}\n  {}\n", option.path, typeName(option.type),
                                   core::defaultText(option), option.documentation);
    if (!option.range.choices.empty())
        text += fmt::format("  Values: {}\n", fmt::join(option.range.choices, ", "));
    return text + fmt::format("  In the simulation: {}\n", option.effectText);
}

/// Lists IPUConfig's options, or tells about one option, a category or a function of the older API.
class ConfigVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command.add_option(
            "OPTION", m_name,
            "An option of ipu_config or of the project, a category, or a function of the older API");
    }

    core::Result<Report> run(const VerbContext&) override {
        Report report;
        report.json = reportJson("config");
        report.json["options"] = core::Json::array();
        if (const core::OlderConfigFunction* function = core::findOlderConfigFunction(m_name);
            function != nullptr && core::findIpuConfigOption(m_name) == nullptr) {
            report.json["older_functions"] = {olderFunctionJson(*function)};
            report.text = fullText(*function);
            return report;
        }
        const std::vector<core::IpuConfigOption> options = wanted();
        const std::vector<core::ProjectOption> others = wantedOfProject();
        if (options.empty() && others.empty())
            return core::failure(unknown());
        ReportTable table = optionTable();
        std::string details;
        for (const core::IpuConfigOption& option : options) {
            addRow(table, option);
            details += fullText(option) + (options.size() > 1 ? "\n" : "");
        }
        report.json["options"] = table.takeJson();
        for (const core::ProjectOption& option : others) {
            addRow(table, option);
            details += fullText(option) + (others.size() > 1 ? "\n" : "");
        }
        if (!others.empty())
            report.json["project_options"] = table.takeJson();
        if (m_name.empty()) {
            report.json["older_functions"] = core::Json::array();
            for (const core::OlderConfigFunction& function : core::olderConfigFunctions())
                report.json["older_functions"].push_back(olderFunctionJson(function));
        }
        report.csv = table.csv();
        report.text = m_name.empty() ? table.text() : details;
        return report;
    }

private:
    /// All options, those of a category, or the one of that name.
    [[nodiscard]] std::vector<core::IpuConfigOption> wanted() const {
        std::vector<core::IpuConfigOption> options;
        for (const core::IpuConfigOption& option : core::ipuConfigOptions()) {
            const bool isInside =
                option.name.starts_with(m_name) && option.name.substr(m_name.size()).starts_with('.');
            if (m_name.empty() || option.name == m_name || isInside)
                options.push_back(option);
        }
        return options;
    }

    /// The same of the sections `pipeline`, `training` and `system` of a project.
    [[nodiscard]] std::vector<core::ProjectOption> wantedOfProject() const {
        std::vector<core::ProjectOption> options;
        for (const core::ProjectOption& option : core::projectOptions()) {
            const bool isInside =
                option.path.starts_with(m_name) && option.path.substr(m_name.size()).starts_with('.');
            if (m_name.empty() || option.path == m_name || isInside)
                options.push_back(option);
        }
        return options;
    }

    [[nodiscard]] core::Diagnostic unknown() const {
        std::vector<std::string> names;
        for (const core::IpuConfigOption& option : core::ipuConfigOptions())
            names.emplace_back(option.name);
        for (const core::ProjectOption& option : core::projectOptions())
            names.emplace_back(option.path);
        for (const core::OlderConfigFunction& function : core::olderConfigFunctions())
            names.emplace_back(function.name);
        const auto near = core::nearestName(m_name, names);
        return usageError(
            "usage/unknown-option", "OPTION",
            fmt::format("neither IPUConfig nor a project has an option \"{}\"", m_name.substr(0, 120)),
            near ? fmt::format("did you mean \"{}\"?", *near) : "`ipu-workbench config` lists every option");
    }

    std::string m_name;
};

} // namespace

VerbDefinition configVerb() {
    return {.name = "config",
            .summary = "Every option of ipu_config and of a project: type, default, meaning, what the "
                       "simulation does with it",
            .examples = {"config", "config matmuls.poplar_options", "config pipeline.schedule",
                         "config set_matmul_options", "config --json"},
            .make = makeVerb<ConfigVerb>,
            .hasCsv = true};
}

} // namespace app
