#include "app/services/catalogue/export_document.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/picture_argument.h"
#include "app/verbs/base/project_argument.h"
#include "app/verbs/base/verb.h"
#include "core/base/nearest_name.h"
#include "core/profile/exports/chrome_trace.h"
#include "core/profile/exports/csv.h"
#include "core/profile/queries/run_queries.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace app {

namespace {

/// Whatever can be exported, from a run or from a project.
struct ExportFormat {
    std::string_view name;
    bool fromRun = false;
    bool fromProject = false;
};

constexpr ExportFormat formats[]{
    {"chrome-trace", true, false}, {"csv", true, false},         {"keras-json", true, true},
    {"python", true, true},        {"schedule-csv", true, true}, {"svg", true, true},
};

class ExportVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        m_project.addOptions(command);
        command.get_option("PROJECT")->description("A run's number, last, or a project file");
        command
            .add_option("--format", m_format, "chrome-trace, csv, keras-json, python, schedule-csv or svg")
            ->required();
        command.add_option("--table", m_table, "The table to export as csv")->capture_default_str();
        command.add_option("--api", m_api, "Edition of the IPU extensions for python: 2.4 or 2.1")
            ->capture_default_str()
            ->check(CLI::IsMember({"2.4", "2.1"}));
        m_picture.addOptions(command, false);
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext&) override {
        const auto format = std::ranges::find(formats, m_format, &ExportFormat::name);
        if (format == std::end(formats))
            return core::failure(unknownFormat());
        const std::string source = m_project.path().string();
        const bool isRun = isRunText(source);
        if (isRun ? !format->fromRun : !format->fromProject)
            return core::failure(
                usageError("usage/export", "--format",
                           fmt::format("{} is exported from a {}", m_format, isRun ? "project" : "run"),
                           isRun ? "name a project file" : "name a run by number, or last"));
        if (m_format == "svg")
            return picture();
        return isRun ? fromRun(source) : fromProject();
    }

private:
    [[nodiscard]] core::Diagnostic unknownFormat() const {
        std::vector<std::string> names;
        for (const ExportFormat& format : formats)
            names.emplace_back(format.name);
        const auto near = core::nearestName(m_format, names);
        return usageError("usage/export", "--format",
                          fmt::format("there is no format \"{}\"", m_format.substr(0, 40)),
                          near ? fmt::format("did you mean \"{}\"?", *near)
                               : fmt::format("known: {}", fmt::join(names, ", ")));
    }

    core::Result<Report> picture() {
        const auto drawn = m_picture.picture(m_project, m_database);
        if (!drawn)
            return core::failure(drawn.error());
        const auto bytes = views::renderPicture(*drawn, views::PictureFormat::Svg);
        return bytes ? document(bytes->toStdString()) : core::failure(bytes.error());
    }

    core::Result<Report> fromRun(const std::string& text) const {
        const auto database = m_database.open(core::DatabaseAccess::ReadOnly);
        if (!database)
            return core::failure(database.error());
        const auto run = core::findRun(*database, text);
        if (!run)
            return core::failure(run.error());
        if (m_format == "chrome-trace") {
            const auto trace = core::loadTrace(*database, *run);
            return trace ? document(core::chromeTrace(*trace)) : core::failure(trace.error());
        }
        if (m_format == "csv") {
            const auto table = core::exportTable(*database, *run, m_table);
            return table ? document(core::toCsv(*table)) : core::failure(table.error());
        }
        const auto provenance = core::loadProvenance(*database, *run);
        if (!provenance)
            return core::failure(provenance.error());
        const auto project = core::readProject(provenance->projectText, fmt::format("run {}", run->value()));
        return project ? ofProject(*project, provenance->mode) : core::failure(project.error());
    }

    core::Result<Report> fromProject() {
        const auto project = m_project.load();
        return project ? ofProject(*project, core::RunMode::Train) : core::failure(project.error());
    }

    core::Result<Report> ofProject(const core::ProjectFile& file, core::RunMode mode) const {
        const ProjectFormat* format = findProjectFormat(m_format == "python" ? "python-" + m_api : m_format);
        auto text = format->write(file.project, mode, m_project.path().string());
        return text ? document(*std::move(text)) : core::failure(text.error());
    }

    core::Result<Report> document(std::string content) const {
        Report report;
        report.content = std::move(content);
        report.json = reportJson("export");
        report.json["format"] = m_format;
        report.json["bytes"] = report.content->size();
        return report;
    }

    ProjectArgument m_project;
    PictureArgument m_picture;
    DatabaseArgument m_database;
    std::string m_format;
    std::string m_table = "spans";
    std::string m_api = "2.4";
};

} // namespace

VerbDefinition exportVerb() {
    return {.name = "export",
            .summary = "A run or a project in another program's format",
            .examples = {"export last --format chrome-trace -o trace.json",
                         "export 3 --format csv --table operations -o operations.csv",
                         "export net.ipuproj --format keras-json -o model.json",
                         "export net.ipuproj --format schedule-csv",
                         "export net.ipuproj --format python --api 2.1 -o train.py",
                         "export last --format svg --view liveness -o memory.svg"},
            .make = makeVerb<ExportVerb>};
}

} // namespace app
