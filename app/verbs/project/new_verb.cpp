#include "app/reports/report_table.h"
#include "app/verbs/base/verb.h"
#include "core/interchange/project/project_file.h"
#include "core/interchange/templates/template_catalogue.h"
#include "core/interchange/templates/template_project.h"
#include "core/text/nearest_name.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

/// Makes a project from a bundled template, or lists the templates.
class NewVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command.add_option("TEMPLATE", m_template, "A template; without one they are listed");
        command.add_option("KEY=VALUE", m_arguments, "Its parameters: depth=50 image=224");
        command.add_option("--name", m_name, "Name of the project; the template's otherwise");
    }

    core::Result<Report> run(const VerbContext&) override {
        if (m_template.empty())
            return list();
        const auto arguments = readArguments();
        if (!arguments)
            return core::failure(arguments.error());
        const auto project = core::newProject(m_template, *arguments, m_name);
        if (!project)
            return core::failure(project.error());
        Report report;
        report.content = core::writeProject(*project);
        report.json = reportJson("new");
        report.json["name"] = project->name;
        report.json["template"] = m_template;
        report.json["layers"] = project->model.layers.size();
        report.json["stages"] = project->assignment.stageCount();
        return report;
    }

private:
    [[nodiscard]] core::Result<core::Json> readArguments() const {
        core::Json arguments = core::Json::object();
        for (const std::string& text : m_arguments) {
            const std::size_t at = text.find('=');
            if (at == std::string::npos || at == 0)
                return core::failure(
                    usageError("usage/arguments", text.substr(0, 80), "expected KEY=VALUE",
                               "write for example depth=50; `new` alone lists the parameters"));
            if (arguments.contains(text.substr(0, at)))
                return core::failure(usageError("usage/arguments", text.substr(0, at),
                                                "the key is given twice", "keep one of the two"));
            arguments[text.substr(0, at)] = text.substr(at + 1);
        }
        return arguments;
    }

    static std::string presetText(const core::TemplateParameter& parameter) {
        const core::Json& preset = parameter.defaultValue;
        if (preset.is_null())
            return "";
        if (preset.is_string())
            return preset.get<std::string>();
        // A list is written as it is given: 512,256.
        std::string text;
        for (const core::Json& item : preset.is_array() ? preset : core::Json::array({preset}))
            text += (text.empty() ? "" : ",") +
                    (item.is_string() ? item.get<std::string>() : core::toText(item, -1));
        return text;
    }

    static Report list() {
        Report report;
        report.json = reportJson("new");
        ReportTable templates({{"name"}, {"documentation"}, {"parameters"}});
        constexpr auto left = ReportTable::Align::Left;
        ReportTable lines({ReportTable::textColumn("template"),
                           {"name", left, "parameter"},
                           {"default"},
                           {"values"},
                           {"documentation", left, "meaning"},
                           ReportTable::jsonColumn("aliases")});
        const auto addRows = [&](const std::string& name, const std::string& documentation,
                                 std::span<const core::TemplateParameter> parameters) {
            lines.addLine({name, "", "", "", documentation});
            report.text += fmt::format("{}{}: {}\n", report.text.empty() ? "" : "\n", name, documentation);
            for (const core::TemplateParameter& parameter : parameters) {
                const std::string preset = presetText(parameter);
                const ReportTable::Cell none(std::nullopt);
                lines.add({name,
                           parameter.name,
                           {parameter.defaultValue, preset},
                           core::acceptedValues(parameter),
                           parameter.documentation,
                           parameter.aliases.empty() ? none : parameter.aliases});
                report.text += fmt::format("  {:<28} {} ({})\n", parameter.name + "=" + preset,
                                           parameter.documentation, core::acceptedValues(parameter));
            }
        };
        for (const core::ModelTemplate& row : core::templateCatalogue()) {
            addRows(row.name, row.documentation, row.parameters);
            templates.add({row.name, row.documentation, lines.takeJson()});
        }
        report.json["templates"] = templates.takeJson();
        addRows("(all)", "parameters of every template", core::commonTemplateParameters());
        report.json["common_parameters"] = lines.takeJson();
        report.csv = lines.csv();
        return report;
    }

    std::string m_template;
    std::vector<std::string> m_arguments;
    std::string m_name;
};

} // namespace

VerbDefinition newVerb() {
    return {.name = "new",
            .summary = "A project from a bundled template; alone it lists them with their parameters",
            .examples = {"new", "new mlp -o mlp.ipuproj", "new resnet depth=50 image=224 -o resnet50.ipuproj",
                         "new bert layers=24 hidden=1024 heads=16 sequence=512 stages=4 -o bert.ipuproj"},
            .make = makeVerb<NewVerb>,
            .hasCsv = true};
}

} // namespace app
