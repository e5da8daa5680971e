#include "app/verbs/base/picture_argument.h"

#include "app/services/catalogue/offscreen_painting.h"
#include "app/services/plan/schedule_chart.h"
#include "app/services/sweep/stored_sweep.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/sweep_report.h"
#include "app/verbs/base/verb.h"
#include "core/interchange/project/project_file.h"
#include "core/profile/queries/run_queries.h"
#include "core/text/nearest_name.h"
#include "views/plan/schedule/schedule_painter.h"
#include "views/plan/schedule/schedule_strips.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace app {

using PictureResult = core::Result<views::Picture>;

namespace {

/// The view that needs no run.
constexpr std::string_view scheduleView = "schedule";
/// The view of a sweep.
constexpr std::string_view sweepView = "pareto";
constexpr std::string_view schedulesView = "schedules";
constexpr std::int64_t leastPixels = 100;
constexpr std::int64_t mostPixels = 20000;
constexpr std::int64_t mostIpus = 1'000'000;
constexpr std::int64_t mostMicroBatches = 1'000'000'000;
constexpr std::int64_t mostSteps = 1'000'000'000;

/// An option that means something to some views only.
struct ViewOption {
    const char* name;
    std::array<std::string_view, 2> views;
};
constexpr ViewOption viewOptions[]{{"--ipu", {"liveness", "tiles"}},
                                   {"--micro-batch", {"timeline", scheduleView}},
                                   {"--step", {"tiles"}},
                                   {"--by", {"roofline", "flame"}},
                                   {"--baseline", {"comparison"}},
                                   {"--mode", {scheduleView}}};
/// What only the picture of a project follows; a run has both in what was stored with it.
constexpr const char* projectOptions[]{"--mode", "--set"};

core::Result<void> checkIpu(const core::ProfileDatabase& database, core::RunId run, core::IpuId ipu) {
    const auto summary = core::loadRun(database, run);
    if (!summary)
        return core::failure(summary.error());
    if (std::ranges::find(summary->memory, ipu, &core::IpuMemorySummary::ipu) != summary->memory.end())
        return {};
    return core::failure(core::makeError(core::Trouble::Input, "run/unknown-ipu", {"", "--ipu"},
                                         fmt::format("run {} has no IPU {}", run.value(), ipu.value()),
                                         {fmt::format("it has {}, counted from 0", summary->memory.size())}));
}

} // namespace

void PictureArgument::addOptions(CLI::App& command, bool needsView) {
    m_command = &command;
    command.add_option("RUNS", m_moreRuns, "More runs, for the comparison");
    auto* option = command.add_option("--view", m_view,
                                      "summary, timeline, liveness, tiles, roofline, flame, schedule, "
                                      "training or comparison; pareto of a sweep file");
    option->required(needsView);
    addModeOption(command, m_mode);
    addChoice(command, "--theme", m_theme,
              {{"light", views::ThemeKind::Light},
               {"dark", views::ThemeKind::Dark},
               {"high-contrast", views::ThemeKind::HighContrast}},
              "light, dark or high-contrast")
        ->type_name("THEME");
    addWholeNumber(command, "--width", m_width, leastPixels, mostPixels,
                   "Width in px (PNG has twice as many pixels)");
    addWholeNumber(command, "--height", m_height, leastPixels, mostPixels, "Height in px");
    addWholeNumber(command, "--ipu", m_ipu, 0, mostIpus, "IPU of liveness and tiles; otherwise the fullest");
    addWholeNumber(command, "--micro-batch", m_microBatch, 0, mostMicroBatches,
                   "Micro-batch that timeline and schedule follow");
    addWholeNumber(command, "--step", m_step, 0, mostSteps,
                   "Step of the IPU's program that tiles are shown at; otherwise that of their peak");
    using Points = views::RooflineGrouping;
    using Time = core::TimeGrouping;
    std::vector<std::pair<std::string_view, std::optional<Grouping>>> groupings;
    for (const Grouping& grouping :
         {Grouping{"operation", Points::Operation, {}}, Grouping{"layer", Points::Layer, Time::Layer},
          Grouping{"stage", Points::Stage, Time::Stage}, Grouping{"phase", {}, Time::Phase},
          Grouping{"kind", {}, Time::Kind}, Grouping{"ipu", {}, Time::Ipu}})
        groupings.emplace_back(grouping.name, grouping);
    addChoice(command, "--by", m_grouping, groupings,
              "What a point of the roofline is: operation (otherwise), layer or stage; what a flame graph is "
              "divided by first: stage (otherwise), phase, layer, kind or ipu")
        ->type_name("WHAT");
    command.add_option("--baseline", m_baseline, "Run that others are compared with; the first otherwise")
        ->type_name("RUN");
}

std::string_view PictureArgument::givenOption() const {
    static constexpr std::string_view names[]{"--view", "--theme",       "--width", "--height", "--mode",
                                              "--ipu",  "--micro-batch", "--step",  "--by",     "--baseline"};
    const auto given = std::ranges::find_if(
        names, [this](std::string_view name) { return isGiven(*m_command, std::string(name)); });
    return given == std::end(names) ? std::string_view() : *given;
}

PictureResult PictureArgument::picture(ProjectArgument& source, const DatabaseArgument& database) {
    if (m_view.empty())
        m_view = isRunText(source.path().string()) ? "timeline" : "schedule";
    const bool isSchedule = m_view == scheduleView || m_view == schedulesView;
    const auto view = findRunPicture(m_view);
    if (!view && !isSchedule && m_view != sweepView)
        return core::failure(unknownView());
    if (auto checked = checkOptions(source.path().string()); !checked)
        return core::failure(checked.error());
    startPainting();
    const views::Theme theme(m_theme);
    if (m_view == sweepView)
        return ofSweep(source.path(), database, theme);
    return isSchedule ? schedule(source, database, theme)
                      : ofRuns(*view, source.path().string(), database, theme);
}

core::Diagnostic PictureArgument::unknownView() const {
    std::vector<std::string> names;
    for (const RunPicture& view : runPictures())
        names.emplace_back(view.name);
    names.emplace_back(scheduleView);
    names.emplace_back(schedulesView);
    names.emplace_back(sweepView);
    const auto near = core::nearestName(m_view, names);
    return usageError("usage/view", "--view", fmt::format("there is no view \"{}\"", m_view.substr(0, 40)),
                      near ? fmt::format("did you mean \"{}\"?", *near)
                           : fmt::format("known: {}", fmt::join(names, ", ")));
}

/// The runs by number, each once, and the one that others are compared with.
core::Result<RunPictureRequest> PictureArgument::request(const std::string& source,
                                                         const core::ProfileDatabase& database) const {
    RunPictureRequest request;
    std::vector<std::string> texts{source};
    texts.insert(texts.end(), m_moreRuns.begin(), m_moreRuns.end());
    const auto runs = core::findRuns(database, texts);
    if (!runs)
        return core::failure(runs.error());
    for (const core::RunId run : *runs) {
        if (std::ranges::find(request.runs, run) == request.runs.end())
            request.runs.push_back(run);
    }
    request.baseline = request.runs.front();
    if (!m_baseline.empty()) {
        const auto run = core::findRun(database, m_baseline);
        if (!run)
            return core::failure(run.error());
        request.baseline = *run;
    }
    if (m_ipu) {
        request.ipu = core::IpuId(static_cast<std::size_t>(*m_ipu));
        if (auto checked = checkIpu(database, request.runs.front(), *request.ipu); !checked)
            return core::failure(checked.error());
    }
    request.microBatch = m_microBatch;
    request.step = m_step;
    if (m_grouping) {
        request.grouping = m_grouping->points.value_or(request.grouping);
        request.timeGrouping = m_grouping->time.value_or(request.timeGrouping);
    }
    request.size = QSizeF(m_width, m_height);
    return request;
}

/// What the view cannot follow is refused, not ignored.
core::Result<void> PictureArgument::checkOptions(const std::string& source) const {
    for (const ViewOption& option : viewOptions) {
        if (!isGiven(*m_command, option.name) ||
            std::ranges::find(option.views, m_view) != option.views.end())
            continue;
        const bool isOne = option.views[1].empty();
        return core::failure(usageError(
            "usage/render", option.name, fmt::format("it means nothing to the {} view", m_view),
            isOne ? fmt::format("it is of the {} view", option.views[0])
                  : fmt::format("it is of the views {} and {}", option.views[0], option.views[1])));
    }
    for (const char* option : projectOptions) {
        const bool isOfProject = !isRunText(source) && m_view != sweepView;
        if (isGiven(*m_command, option) && !isOfProject)
            return core::failure(usageError("usage/render", option,
                                            "what is stored is drawn as it was simulated",
                                            "name a project file, or leave it out"));
    }
    if (m_grouping && !(m_view == "roofline" ? m_grouping->points.has_value() : m_grouping->time.has_value()))
        return core::failure(usageError("usage/render", "--by",
                                        fmt::format("the {} view cannot be by {}", m_view, m_grouping->name),
                                        "the roofline is by operation, layer or stage, the flame graph by "
                                        "stage, phase, layer, kind or ipu"));
    return {};
}

PictureResult PictureArgument::ofRuns(const RunPicture& view, const std::string& source,
                                      const DatabaseArgument& database, const views::Theme& theme) const {
    if (!isRunText(source))
        return core::failure(usageError("usage/render", "",
                                        fmt::format("the view {} is of a run, not of a project", m_view),
                                        "run the project and name the run by number, or last"));
    if (!m_moreRuns.empty() && m_view != "comparison")
        return core::failure(
            usageError("usage/render", "", fmt::format("the {} view shows one run", m_view), "name one run"));
    const auto opened = database.open(core::DatabaseAccess::ReadOnly);
    if (!opened)
        return core::failure(opened.error());
    const auto asked = request(source, *opened);
    return asked ? view.paint(*opened, *asked, theme) : core::failure(asked.error());
}

/// The points that a database holds of the sweep of a file.
PictureResult PictureArgument::ofSweep(const std::filesystem::path& file, const DatabaseArgument& database,
                                       const views::Theme& theme) const {
    if (isRunText(file.string()))
        return core::failure(usageError("usage/render", "", "pareto is of a sweep, not of a run",
                                        "name the sweep file; the comparison of runs has their Pareto plot"));
    const auto stored = storedSweepOf(file, database);
    if (!stored)
        return core::failure(stored.error());
    const SweepSubject& subject = stored->subject;
    views::SweptProject swept{{}, subject.file};
    if (subject.document.is_object()) {
        auto project = core::readProjectDocument(subject.document, subject.file);
        if (!project)
            return core::failure(std::move(project.error()));
        swept.project = std::move(project->project);
    }
    const auto data = readStoredSweep(stored->database, stored->sweep, swept);
    return data ? PictureResult(views::sweepPicture(*data, theme, {m_width, m_height}))
                : core::failure(data.error());
}

PictureResult PictureArgument::schedule(ProjectArgument& source, const DatabaseArgument& database,
                                        const views::Theme& theme) const {
    const std::string name = source.path().string();
    if (!isRunText(name)) {
        const auto project = source.load();
        return project ? ofSchedule(project->project, m_mode, name, project->project.name, theme)
                       : core::failure(project.error());
    }
    const auto opened = database.open(core::DatabaseAccess::ReadOnly);
    if (!opened)
        return core::failure(opened.error());
    const auto run = core::findRun(*opened, name);
    if (!run)
        return core::failure(run.error());
    const auto provenance = core::loadProvenance(*opened, *run);
    if (!provenance)
        return core::failure(provenance.error());
    const auto project = core::readProject(provenance->projectText, fmt::format("run {}", run->value()));
    if (!project)
        return core::failure(project.error());
    return ofSchedule(project->project, provenance->mode, name,
                      fmt::format("Run {} · {}", run->value(), provenance->projectName), theme);
}

PictureResult PictureArgument::ofSchedule(const core::Project& project, core::RunMode mode,
                                          const std::string& file, std::string title,
                                          const views::Theme& theme) const {
    if (m_view == schedulesView) {
        simulator::CompilationCache cache;
        auto outcomes =
            projectScheduleOutcomes(project, file, std::filesystem::path(file).parent_path(), cache);
        if (!outcomes)
            return core::failure(outcomes.error());
        const views::StripsScene scene{*std::move(outcomes), views::toQString(title), {}, {}, {}, m_height};
        return views::stripsPicture(scene, theme, {m_width, m_height});
    }
    auto chart = projectScheduleChart(project, mode, file);
    if (!chart)
        return core::failure(chart.error());
    chart->subject = std::move(title);
    views::ScheduleState state;
    state.microBatch = m_microBatch;
    return views::schedulePicture(*chart, theme, {m_width, m_height}, state);
}

} // namespace app
