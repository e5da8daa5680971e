#include "app/batch/database_argument.h"
#include "app/batch/project_argument.h"
#include "app/batch/schedule_chart.h"
#include "app/batch/schedule_report.h"
#include "app/batch/verb.h"
#include "core/base/nearest_name.h"
#include "core/profile/run_queries.h"
#include "views/common/active_theme.h"
#include "views/comparison/comparison_painter.h"
#include "views/liveness/liveness_picture.h"
#include "views/plan/schedule_painter.h"
#include "views/tiles/tiles_painter.h"
#include "views/timeline/timeline_picture.h"
#include "views/training/training_plot.h"

#include <CLI/CLI.hpp>
#include <QApplication>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace app {

namespace {

/// What pictures are drawn from a run.
struct PictureRequest {
    /// The first is the one that is named first.
    std::vector<core::RunId> runs;
    core::RunId baseline;
    QSizeF size;
    std::optional<core::IpuId> ipu;
    std::optional<std::int64_t> microBatch;
};

using PictureResult = core::Result<views::Picture>;
using RunPainter = PictureResult (*)(const core::ProfileDatabase&, const PictureRequest&,
                                     const views::Theme&);

PictureResult timeline(const core::ProfileDatabase& database, const PictureRequest& request,
                       const views::Theme& theme) {
    views::TimelineState state;
    state.microBatch = request.microBatch;
    return views::timelinePicture(database, request.runs.front(), theme, request.size, state);
}

PictureResult liveness(const core::ProfileDatabase& database, const PictureRequest& request,
                       const views::Theme& theme) {
    return views::livenessPicture(database, request.runs.front(), theme, request.size, request.ipu);
}

PictureResult tiles(const core::ProfileDatabase& database, const PictureRequest& request,
                    const views::Theme& theme) {
    return views::tilesPicture(database, request.runs.front(), theme, request.size, request.ipu);
}

PictureResult training(const core::ProfileDatabase& database, const PictureRequest& request,
                       const views::Theme& theme) {
    return views::trainingPicture(database, request.runs.front(), theme, request.size);
}

PictureResult comparison(const core::ProfileDatabase& database, const PictureRequest& request,
                         const views::Theme& theme) {
    return views::comparisonPicture(database, request.runs, request.baseline, theme, request.size);
}

/// A view that has a picture. `paint` is empty for the schedule, which needs no run.
struct PictureView {
    std::string_view name;
    RunPainter paint = nullptr;
};

constexpr std::array<PictureView, 6> pictureViews{{{"timeline", timeline},
                                                   {"liveness", liveness},
                                                   {"tiles", tiles},
                                                   {"schedule", nullptr},
                                                   {"training", training},
                                                   {"comparison", comparison}}};

constexpr double mostPixels = 20000;

class RenderVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        m_project.addOptions(command);
        command.get_option("PROJECT")->description("A run's number, last, or a project file (schedule only)");
        command.add_option("RUNS", m_moreRuns, "More runs to compare");
        command.add_option("--view", m_view, "timeline, liveness, tiles, schedule, training or comparison")
            ->required();
        addModeOption(command, m_mode);
        command.add_option("--theme", m_theme, "light, dark or high-contrast")
            ->transform(CLI::Transformer(
                std::map<std::string, views::ThemeKind>{{"light", views::ThemeKind::Light},
                                                        {"dark", views::ThemeKind::Dark},
                                                        {"high-contrast", views::ThemeKind::HighContrast}}))
            ->type_name("THEME");
        command.add_option("--width", m_width, "Width in px (PNG has twice as many pixels)")
            ->check(CLI::Range(200.0, mostPixels));
        command.add_option("--height", m_height, "Height in px")->check(CLI::Range(100.0, mostPixels));
        command.add_option("--ipu", m_ipu, "IPU of liveness and tiles; otherwise the fullest")
            ->check(CLI::NonNegativeNumber);
        command.add_option("--micro-batch", m_microBatch, "Micro-batch that timeline and schedule follow")
            ->check(CLI::NonNegativeNumber);
        command
            .add_option("--baseline", m_baseline, "Run that others are compared with; the first otherwise")
            ->type_name("RUN");
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext& context) override {
        const auto view = std::ranges::find(pictureViews, m_view, &PictureView::name);
        if (view == pictureViews.end())
            return core::failure(unknownView());
        const auto format = formatOf(context.output);
        if (!format)
            return core::failure(format.error());
        startPainting();
        const views::Theme theme(m_theme);
        core::Result<views::Picture> picture =
            view->paint != nullptr ? ofRuns(*view, theme) : schedule(theme);
        if (!picture)
            return core::failure(picture.error());
        const auto bytes = views::renderPicture(*picture, *format);
        if (!bytes)
            return core::failure(bytes.error());
        Report report;
        report.content = bytes->toStdString();
        report.json = reportJson("render");
        report.json["view"] = m_view;
        report.json["title"] = picture->title.toStdString();
        report.json["width"] = picture->size.width();
        report.json["height"] = picture->size.height();
        report.json["bytes"] = report.content->size();
        return report;
    }

private:
    [[nodiscard]] core::Diagnostic unknownView() const {
        std::vector<std::string> names;
        for (const PictureView& view : pictureViews)
            names.emplace_back(view.name);
        const auto near = core::nearestName(m_view, names);
        return usageError("usage/view", "--view",
                          fmt::format("there is no view \"{}\"", m_view.substr(0, 40)),
                          near ? fmt::format("did you mean \"{}\"?", *near)
                               : fmt::format("known: {}", fmt::join(names, ", ")));
    }

    /// By the end of the file's name; SVG on stdout.
    static core::Result<views::PictureFormat> formatOf(const OutputOptions& output) {
        if (!output.toFile())
            return views::PictureFormat::Svg;
        if (const auto format = views::pictureFormatOf(QString::fromStdString(output.file)))
            return *format;
        return core::failure(usageError("usage/picture-format", "-o",
                                        fmt::format("{} is not a picture", output.file),
                                        "let its name end in .svg, .png or .pdf"));
    }

    /// Fonts and painters need an application; this one needs no display, and asks for none.
    static void startPainting() {
        if (QCoreApplication::instance() != nullptr)
            return;
        qputenv("QT_QPA_PLATFORM", "offscreen");
        // What Qt thinks of the machine is not what was asked.
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
        static int count = 1;
        static std::array<char, 14> name{"ipu-workbench"};
        static std::array<char*, 2> arguments{name.data(), nullptr};
        static const QApplication application(count, arguments.data());
    }

    /// The runs by number, each once, and the one that others are compared with.
    core::Result<PictureRequest> requestFor(const core::ProfileDatabase& database) {
        PictureRequest request;
        std::vector<std::string> texts{m_project.path().string()};
        texts.insert(texts.end(), m_moreRuns.begin(), m_moreRuns.end());
        for (const std::string& text : texts) {
            const auto run = core::findRun(database, text);
            if (!run)
                return core::failure(run.error());
            if (std::ranges::find(request.runs, *run) == request.runs.end())
                request.runs.push_back(*run);
        }
        request.baseline = request.runs.front();
        if (!m_baseline.empty()) {
            const auto run = core::findRun(database, m_baseline);
            if (!run)
                return core::failure(run.error());
            request.baseline = *run;
            if (std::ranges::find(request.runs, *run) == request.runs.end())
                request.runs.insert(request.runs.begin(), *run);
        }
        if (m_ipu) {
            request.ipu = core::IpuId(static_cast<std::size_t>(*m_ipu));
            if (auto checked = checkIpu(database, request.runs.front(), *request.ipu); !checked)
                return core::failure(checked.error());
        }
        request.microBatch = m_microBatch;
        return request;
    }

    static core::Result<void> checkIpu(const core::ProfileDatabase& database, core::RunId run,
                                       core::IpuId ipu) {
        const auto summary = core::loadRun(database, run);
        if (!summary)
            return core::failure(summary.error());
        if (std::ranges::find(summary->memory, ipu, &core::IpuMemorySummary::ipu) != summary->memory.end())
            return {};
        return core::failure({.severity = core::Severity::Error,
                              .trouble = core::Trouble::Input,
                              .code = "run/unknown-ipu",
                              .location = {"", "--ipu"},
                              .message = fmt::format("run {} has no IPU {}", run.value(), ipu.value()),
                              .hints = {fmt::format("it has {}, counted from 0", summary->memory.size())}});
    }

    PictureResult ofRuns(const PictureView& view, const views::Theme& theme) {
        if (!isRunText(m_project.path().string()))
            return core::failure(usageError("usage/render", "",
                                            fmt::format("the {} is of a run, not of a project", m_view),
                                            "run the project and name the run by number, or last"));
        if (!m_moreRuns.empty() && m_view != "comparison")
            return core::failure(
                usageError("usage/render", "", fmt::format("the {} is of one run", m_view), "name one run"));
        const auto database = m_database.open(core::DatabaseAccess::ReadOnly);
        if (!database)
            return core::failure(database.error());
        auto request = requestFor(*database);
        if (!request)
            return core::failure(request.error());
        request->size = QSizeF(m_width, m_height);
        return view.paint(*database, *request, theme);
    }

    PictureResult schedule(const views::Theme& theme) {
        const auto project = isRunText(m_project.path().string()) ? projectOfRun() : m_project.load();
        if (!project)
            return core::failure(project.error());
        core::Diagnostics refusals;
        const auto request = scheduleRequest(project->project, m_mode, m_project.path().string(), refusals);
        if (!request)
            return core::failure(request.error());
        if (!refusals.empty())
            return core::failure(std::move(refusals));
        const auto schedule = scheduleFor(*request);
        if (!schedule)
            return core::failure(schedule.error());
        views::ScheduleState state;
        state.microBatch = m_microBatch;
        return views::schedulePicture(
            scheduleChart(*schedule, m_subject.empty() ? project->project.name : m_subject), theme,
            {m_width, m_height}, state);
    }

    core::Result<core::ProjectFile> projectOfRun() {
        const auto database = m_database.open(core::DatabaseAccess::ReadOnly);
        if (!database)
            return core::failure(database.error());
        const auto run = core::findRun(*database, m_project.path().string());
        if (!run)
            return core::failure(run.error());
        const auto provenance = core::loadProvenance(*database, *run);
        if (!provenance)
            return core::failure(provenance.error());
        m_mode = provenance->mode;
        m_subject = fmt::format("Run {} · {}", run->value(), provenance->projectName);
        return core::readProject(provenance->projectText, fmt::format("run {}", run->value()));
    }

    ProjectArgument m_project;
    DatabaseArgument m_database;
    std::vector<std::string> m_moreRuns;
    std::string m_view;
    std::string m_baseline;
    std::string m_subject;
    core::RunMode m_mode = core::RunMode::Train;
    views::ThemeKind m_theme = views::ThemeKind::Light;
    double m_width = 0;
    double m_height = 0;
    std::optional<std::int64_t> m_ipu;
    std::optional<std::int64_t> m_microBatch;
};

} // namespace

VerbDefinition renderVerb() {
    return {.name = "render",
            .summary = "The picture of a view of a run, as SVG, PNG or PDF",
            .examples = {"render last --view timeline -o timeline.svg",
                         "render last --view liveness --ipu 0 --theme dark -o memory.png",
                         "render 3 2 1 --view comparison --baseline 3 -o comparison.pdf",
                         "render net.ipuproj --view schedule --micro-batch 3 -o schedule.png"},
            .make = makeVerb<RenderVerb>};
}

} // namespace app
