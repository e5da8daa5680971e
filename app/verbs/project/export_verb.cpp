#include "app/services/catalogue/export_document.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/picture_argument.h"
#include "app/verbs/base/project_argument.h"
#include "app/verbs/base/sweep_report.h"
#include "app/verbs/base/verb.h"
#include "core/base/file.h"
#include "core/profile/queries/run_queries.h"
#include "core/text/nearest_name.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <span>

namespace app {

namespace {

std::vector<std::string> formatNames() {
    std::vector<std::string> names;
    for (const ExportFormat& format : exportFormats())
        names.emplace_back(format.name);
    return names;
}

bool isSweepFile(const std::filesystem::path& path) {
    constexpr std::size_t head = 4096;
    const auto file = core::FileReader::open(path);
    std::string start(file ? static_cast<std::size_t>(std::min<std::uint64_t>(head, file->size())) : 0, ' ');
    return file && file->read(0, std::as_writable_bytes(std::span(start))) &&
           start.find("\"ipu-workbench-sweep\"") != std::string::npos;
}

class ExportVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        m_command = &command;
        m_project.addOptions(command);
        command.get_option("PROJECT")->description(
            "A run's number, last, a project file, or a sweep file (csv, json)");
        command.add_option("--format", m_format, fmt::format("{}", fmt::join(formatNames(), ", ")))
            ->required();
        for (const ExportFormat& format : exportFormats()) {
            if (format.option.empty())
                continue;
            std::string& chosen = m_variants[format.name];
            chosen = format.defaultVariant;
            command.add_option(fmt::format("--{}", format.option), chosen, std::string(format.optionHelp))
                ->capture_default_str();
        }
        m_picture.addOptions(command, false);
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext&) override {
        if ((m_format == "csv" || m_format == "json") && isSweepFile(m_project.path()))
            return ofSweep();
        const ExportFormat* format = findExportFormat(m_format);
        if (format == nullptr)
            return core::failure(unknownFormat());
        const std::string source = m_project.path().string();
        const bool isRun = isRunText(source);
        if (isRun ? !format->takesRun() : !format->takesProject())
            return core::failure(
                usageError("usage/export", "--format",
                           fmt::format("{} is exported from a {}", m_format, isRun ? "project" : "run"),
                           isRun               ? "name a project file"
                           : m_format == "csv" ? "name a run by number, last, or a sweep file that is there"
                                               : "name a run by number, or last"));
        if (const auto unknown = unknownVariant(*format))
            return core::failure(*unknown);
        if (const auto foreign = foreignOption(*format, isRun))
            return core::failure(*foreign);
        if (format->isPicture)
            return picture();
        return isRun ? fromRun(*format, source) : fromProject(*format);
    }

private:
    /// The points of a sweep, each a row.
    core::Result<Report> ofSweep() const {
        auto stored = storedSweepOf(m_project.path(), m_database);
        if (!stored)
            return core::failure(stored.error());
        const auto report = sweepReport(stored->subject, std::move(stored->database), stored->sweep);
        if (!report)
            return core::failure(report.error());
        if (m_format == "csv") {
            std::string content = report->rows->csvTitles;
            auto read = report->rows->visit(RowForm::Csv, [&](std::string_view row) -> core::Result<void> {
                content += row;
                return {};
            });
            return read ? document(std::move(content)) : core::failure(read.error());
        }
        core::Json json = report->json;
        auto read = report->rows->visit(RowForm::Json, [&](std::string_view row) -> core::Result<void> {
            json[report->rows->key].push_back(core::Json::parse(row));
            return {};
        });
        return read ? document(core::toText(json)) : core::failure(read.error());
    }

    [[nodiscard]] core::Diagnostic unknownFormat() const {
        const std::vector<std::string> names = formatNames();
        const auto near = core::nearestName(m_format, names);
        return usageError("usage/export", "--format",
                          fmt::format("there is no format \"{}\"", m_format.substr(0, 40)),
                          near ? fmt::format("did you mean \"{}\"?", *near)
                               : fmt::format("known: {}", fmt::join(names, ", ")));
    }

    /// The variant of a format, by its option.
    [[nodiscard]] std::string variantOf(const ExportFormat& format) const {
        const auto chosen = m_variants.find(format.name);
        return chosen == m_variants.end() ? std::string() : chosen->second;
    }

    [[nodiscard]] std::optional<core::Diagnostic> unknownVariant(const ExportFormat& format) const {
        std::vector<std::string> names;
        for (const ExportVariant& variant : variantsOf(format))
            names.push_back(variant.name);
        const std::string wanted = variantOf(format);
        if (std::ranges::find(names, wanted) != names.end())
            return std::nullopt;
        const auto near = core::nearestName(wanted, names);
        return usageError(
            "usage/export", fmt::format("--{}", format.option),
            fmt::format("{} has no {} \"{}\"", format.name, format.option, wanted.substr(0, 40)),
            near ? fmt::format("did you mean \"{}\"?", *near)
                 : fmt::format("known: {}", fmt::join(names, ", ")));
    }

    /// An option that another format takes, or only a project: it would be ignored.
    [[nodiscard]] std::optional<core::Diagnostic> foreignOption(const ExportFormat& format,
                                                                bool isRun) const {
        const auto refused = [this](const std::string& option, std::string cure) {
            return usageError("usage/export", option, fmt::format("it means nothing to {}", m_format),
                              std::move(cure));
        };
        for (const ExportFormat& other : exportFormats()) {
            const std::string option = fmt::format("--{}", other.option);
            if (!other.option.empty() && other.option != format.option && isGiven(*m_command, option))
                return refused(option, fmt::format("it is of --format {}", other.name));
        }
        if (format.isPicture)
            return std::nullopt;
        if (const std::string_view option = m_picture.givenOption(); !option.empty())
            return refused(std::string(option), "it is of pictures: --format svg, or render");
        if (isRun && isGiven(*m_command, "--set"))
            return usageError("usage/export", "--set", "a stored run is exported as it was simulated",
                              "name the project file, or leave it out");
        return std::nullopt;
    }

    core::Result<Report> picture() {
        const auto drawn = m_picture.picture(m_project, m_database);
        if (!drawn)
            return core::failure(drawn.error());
        const auto bytes = views::renderPicture(*drawn, views::PictureFormat::Svg);
        return bytes ? document(bytes->toStdString()) : core::failure(bytes.error());
    }

    core::Result<Report> fromRun(const ExportFormat& format, const std::string& text) const {
        const auto database = m_database.open(core::DatabaseAccess::ReadOnly);
        if (!database)
            return core::failure(database.error());
        const auto run = core::findRun(*database, text);
        if (!run)
            return core::failure(run.error());
        if (format.ofRun != nullptr) {
            auto made = format.ofRun(*database, *run, variantOf(format));
            return made ? document(*std::move(made)) : core::failure(made.error());
        }
        const auto provenance = core::loadProvenance(*database, *run);
        if (!provenance)
            return core::failure(provenance.error());
        const auto project = core::readProject(provenance->projectText, fmt::format("run {}", run->value()));
        return project ? ofProject(format, *project, provenance->mode) : core::failure(project.error());
    }

    core::Result<Report> fromProject(const ExportFormat& format) {
        const auto project = m_project.load();
        return project ? ofProject(format, *project, core::RunMode::Train) : core::failure(project.error());
    }

    core::Result<Report> ofProject(const ExportFormat& format, const core::ProjectFile& file,
                                   core::RunMode mode) const {
        auto text = format.ofProject(file.project, mode, m_project.path().string(), variantOf(format));
        if (!text)
            return core::failure(text.error());
        return document(*std::move(text));
    }

    core::Result<Report> document(std::string content) const {
        Report report;
        report.content = std::move(content);
        report.json = reportJson("export");
        report.json["format"] = m_format;
        report.json["bytes"] = report.content->size();
        report.diagnostics = m_database.warnings();
        return report;
    }

    const CLI::App* m_command = nullptr;
    ProjectArgument m_project;
    PictureArgument m_picture;
    DatabaseArgument m_database;
    std::string m_format;
    /// By name of the format.
    std::map<std::string_view, std::string> m_variants;
};

} // namespace

VerbDefinition exportVerb() {
    return {.name = "export",
            .summary = "A run or a project in another program's format",
            .examples = {"export last --format chrome-trace -o trace.json",
                         "export last --format perfetto --detail operations -o trace.perfetto-trace",
                         "export 3 --format csv --table operations -o operations.csv",
                         "export net.ipuproj --format keras-json -o model.json",
                         "export net.ipuproj --format schedule-csv -o slots.csv",
                         "export net.ipuproj --format python --api 2.1 -o train.py",
                         "export last --format svg --view liveness -o memory.svg",
                         "export batch.sweep.json --format csv -o points.csv"},
            .make = makeVerb<ExportVerb>};
}

} // namespace app
