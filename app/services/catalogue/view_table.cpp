#include "app/services/catalogue/view_table.h"

#include "app/services/catalogue/run_advice.h"
#include "app/services/catalogue/split_view.h"
#include "app/services/plan/alternatives_finder.h"
#include "app/services/plan/faster_parts.h"
#include "app/services/plan/plan_searcher.h"
#include "app/services/plan/schedule_chart.h"
#include "app/services/plan/split_solver.h"
#include "app/services/plan/target_trial.h"
#include "app/services/plan/trial_estimator.h"
#include "app/services/sweep/stored_sweep.h"
#include "views/ask/ask_view.h"
#include "views/comparison/comparison_painter.h"
#include "views/comparison/comparison_view.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/explain/explain_view.h"
#include "views/flame/flame_painter.h"
#include "views/flame/flame_view.h"
#include "views/graph/graph_view.h"
#include "views/inspector/inspector_view.h"
#include "views/inspector/layer_palette.h"
#include "views/inspector/option_view.h"
#include "views/inspector/project_tree.h"
#include "views/inspector/setting_rows.h"
#include "views/inspector/setting_view.h"
#include "views/layers/layer_table.h"
#include "views/layers/traffic_view.h"
#include "views/liveness/liveness_picture.h"
#include "views/liveness/liveness_view.h"
#include "views/plan/alternatives_view.h"
#include "views/plan/planner_view.h"
#include "views/plan/schedule/schedule_view.h"
#include "views/plan/system_view.h"
#include "views/predictions/predictions_view.h"
#include "views/program/program_view.h"
#include "views/roofline/roofline_painter.h"
#include "views/roofline/roofline_view.h"
#include "views/runs/runs_view.h"
#include "views/summary/summary_painter.h"
#include "views/summary/summary_view.h"
#include "views/sweep/sweep_view.h"
#include "views/tiles/tiles_painter.h"
#include "views/tiles/tiles_view.h"
#include "views/timeline/painting/timeline_picture.h"
#include "views/timeline/timeline_view.h"
#include "views/training/training_plot.h"
#include "views/training/training_view.h"

#include <algorithm>
#include <type_traits>

namespace app {

namespace {

using Database = core::ProfileDatabase;
using Request = RunPictureRequest;
using views::PanelId;
using views::Theme;
using views::WorkspaceId;

/// The class comes from what the function answers, so that a row cannot name another.
template <auto make>
constexpr ViewFactory madeBy() {
    using View = std::remove_pointer_t<std::invoke_result_t<decltype(make), const ViewContext&>>;
    return {[](const ViewContext& context) -> QWidget* { return make(context); }, &View::staticMetaObject};
}

template <class View>
View* makeProfileView(const ViewContext& c) {
    return new View(c.document, c.selection, c.source, c.intents);
}

/// A view of stored runs.
template <class View>
constexpr ViewFactory profileView() {
    return madeBy<makeProfileView<View>>();
}

/// What the places of a cut would cost is simulated while it is dragged.
views::GraphView* makeGraph(const ViewContext& c) {
    auto* view = new views::GraphView(c.document, c.selection, c.intents);
    new TrialEstimator(c.document, view->scene().trials(), view);
    return view;
}

/// Its critical path is simulated with one part or another faster.
views::TimelineView* makeTimeline(const ViewContext& c) {
    return new views::TimelineView(c.document, c.selection, c.source, c.intents, fasterParts);
}

SplitView* makeSplit(const ViewContext& c) {
    return new SplitView(c);
}

views::ScheduleView* makeSchedule(const ViewContext& c) {
    return new views::ScheduleView(c.document, c.selection, c.intents, projectScheduleChart,
                                   scheduleOutcomesSource(), withScheduleMove);
}

views::SystemView* makeSystem(const ViewContext& c) {
    return new views::SystemView(c.document, c.selection, c.intents, targetFigureValues);
}

views::LayerPalette* makePalette(const ViewContext& c) {
    return new views::LayerPalette(c.intents);
}

views::ProjectTree* makeProjectTree(const ViewContext& c) {
    return new views::ProjectTree(c.document, c.selection, c.intents);
}

views::InspectorView* makeInspector(const ViewContext& c) {
    return new views::InspectorView(c.document, c.selection);
}

views::LayerTable* makeLayerTable(const ViewContext& c) {
    return new views::LayerTable(c.document, c.selection, c.intents);
}

views::SweepView* makeSweeps(const ViewContext& c) {
    return new views::SweepView(c.document, c.selection, c.source, c.intents, readStoredSweep);
}

/// The pipeline and the machine it runs on.
std::vector<views::PropertySection> planSections(const core::Project& project) {
    std::vector<views::PropertySection> sections = views::pipelineSections(project);
    for (views::PropertySection& section : views::systemSections(project))
        sections.push_back(std::move(section));
    return sections;
}

views::SettingView* makePipelineForm(const ViewContext& c) {
    return new views::SettingView(c.document, views::SettingView::tr("Pipeline and system"), planSections);
}

views::SettingView* makeTrainingForm(const ViewContext& c) {
    return new views::SettingView(c.document, views::SettingView::tr("Training"), views::trainingSections);
}

views::OptionView* makeOptions(const ViewContext& c) {
    return new views::OptionView(c.document);
}

/// Its values are worked out while it is seen.
views::AlternativesView* makeAlternatives(const ViewContext& c) {
    auto* view = new views::AlternativesView(c.document, c.intents);
    new AlternativesFinder(c.document, c.checks, *view);
    return view;
}

/// Its plans are searched while one looks.
views::PlannerView* makePlanner(const ViewContext& c) {
    auto* view = new views::PlannerView(c.document);
    new PlanSearcher(c.document, c.checks, *view);
    return view;
}

SplitSolver* makeSolver(const ViewContext& c) {
    return new SplitSolver(c.document, c.selection);
}

views::DiagnosticsView* makeProblems(const ViewContext& c) {
    auto* view = new views::DiagnosticsView(c.document, c.selection, c.intents);
    view->addPage(views::DiagnosticsView::tr("Runs"), makeProfileView<views::RunsView>(c));
    view->addPage(views::DiagnosticsView::tr("Figures"), makeProfileView<views::ExplainView>(c));
    view->addPage(views::DiagnosticsView::tr("Table of layers"), makeLayerTable(c));
    view->addPage(views::DiagnosticsView::tr("Traffic"),
                  new views::TrafficView(c.document, c.selection, c.intents));
    view->addPage(views::DiagnosticsView::tr("Predictions"), makeProfileView<views::PredictionsView>(c));
    view->addPage(views::DiagnosticsView::tr("Sweeps"), makeSweeps(c));
    view->addPage(views::DiagnosticsView::tr("System"), makeSystem(c));
    view->addPage(views::DiagnosticsView::tr("Ask"), new views::AskView(c.selection, c.source, c.intents));
    return view;
}

constexpr RunPicture timelinePicture{
    "timeline", "Timeline", [](const Database& database, const Request& request, const Theme& theme) {
        views::TimelineState state;
        state.microBatch = request.microBatch;
        for (std::int64_t ipu = 0; ipu < request.foldedIpus; ++ipu)
            state.collapsed.insert(static_cast<std::size_t>(ipu));
        return views::timelinePicture(database, request.runs.front(), theme, request.size, state);
    }};

constexpr RunPicture livenessPicture{
    "liveness", "Memory over the program",
    [](const Database& database, const Request& request, const Theme& theme) {
        return views::livenessPicture(database, request.runs.front(), theme, request.size, request.ipu);
    }};

constexpr RunPicture comparisonPicture{
    "comparison", "Comparison of all runs",
    [](const Database& database, const Request& request, const Theme& theme) {
        return views::comparisonPicture(database, request.runs, request.baseline, theme, request.size);
    },
    true};

constexpr RunPicture trainingPicture{
    "training", "Training", [](const Database& database, const Request& request, const Theme& theme) {
        return views::trainingPicture(database, request.runs.front(), theme, request.size);
    }};

constexpr RunPicture rooflineRunPicture{
    "roofline", "Roofline", [](const Database& database, const Request& request, const Theme& theme) {
        return views::rooflinePicture(database, request.runs.front(), request.grouping, theme, request.size);
    }};

constexpr RunPicture flameRunPicture{
    "flame", "Flame graph", [](const Database& database, const Request& request, const Theme& theme) {
        return views::flamePicture(database, request.runs.front(), request.timeGrouping, theme, request.size);
    }};

/// What would help is simulated before the page is drawn.
constexpr RunPicture summaryRunPicture{
    "summary", "Summary", [](const Database& database, const Request& request, const Theme& theme) {
        return views::summaryPicture(database, request.runs.front(),
                                     summaryAdvice(database, request.runs.front()), theme, request.size);
    }};

constexpr RunPicture tilesPicture{"tiles", "Tiles of an IPU",
                                  [](const Database& database, const Request& request, const Theme& theme) {
                                      return views::tilesPicture(database, request.runs.front(), theme,
                                                                 request.size, request.ipu, request.step);
                                  }};

} // namespace

std::span<const WorkspaceRow> workspaceRows() {
    static constexpr WorkspaceRow rows[]{
        {WorkspaceId::Model, "model", QT_TRANSLATE_NOOP("app::Workspaces", "Model"), "graph",
         QT_TRANSLATE_NOOP("app::Workspaces", "Layers, stages, what a plan would cost"), madeBy<makeGraph>()},
        {WorkspaceId::Timeline, "timeline", QT_TRANSLATE_NOOP("app::Workspaces", "Timeline"), "time",
         QT_TRANSLATE_NOOP("app::Workspaces", "What every IPU does when"), madeBy<makeTimeline>(),
         timelinePicture},
        {WorkspaceId::Memory, "memory", QT_TRANSLATE_NOOP("app::Workspaces", "Memory"), "memory",
         QT_TRANSLATE_NOOP("app::Workspaces", "What lives when, and where"),
         profileView<views::LivenessView>(), livenessPicture},
        {WorkspaceId::Program, "program", QT_TRANSLATE_NOOP("app::Workspaces", "Program"), "program",
         QT_TRANSLATE_NOOP("app::Workspaces", "The compiled program and its operations"),
         profileView<views::ProgramView>()},
        {WorkspaceId::Compare, "compare", QT_TRANSLATE_NOOP("app::Workspaces", "Compare"), "compare",
         QT_TRANSLATE_NOOP("app::Workspaces", "Runs against a baseline"),
         profileView<views::ComparisonView>(), comparisonPicture},
        {WorkspaceId::Training, "training", QT_TRANSLATE_NOOP("app::Workspaces", "Training"), "train",
         QT_TRANSLATE_NOOP("app::Workspaces", "Loss, metrics, throughput, callbacks"),
         profileView<views::TrainingView>(), trainingPicture},
        {WorkspaceId::Schedule, "schedule", QT_TRANSLATE_NOOP("app::Workspaces", "Schedule"), "schedule",
         QT_TRANSLATE_NOOP("app::Workspaces", "Slots of every schedule, without a run"),
         madeBy<makeSchedule>()},
        {WorkspaceId::Roofline, "roofline", QT_TRANSLATE_NOOP("app::Workspaces", "Roofline"), "roofline",
         QT_TRANSLATE_NOOP("app::Workspaces", "Operations against what the IPU can do at most"),
         profileView<views::RooflineView>(), rooflineRunPicture},
        {WorkspaceId::Flame, "flame", QT_TRANSLATE_NOOP("app::Workspaces", "Flame"), "flame",
         QT_TRANSLATE_NOOP("app::Workspaces", "Where the time of all IPUs goes, as a tree"),
         profileView<views::FlameView>(), flameRunPicture},
        {WorkspaceId::Summary, "summary", QT_TRANSLATE_NOOP("app::Workspaces", "Summary"), "file",
         QT_TRANSLATE_NOOP("app::Workspaces", "The answers about a run on one page, to be printed"),
         profileView<views::SummaryView>(), summaryRunPicture},
        {WorkspaceId::TimeAndMemory, "split", QT_TRANSLATE_NOOP("app::Workspaces", "Split"), "split",
         QT_TRANSLATE_NOOP("app::Workspaces", "The timeline over the memory, with one cursor and selection"),
         madeBy<makeSplit>()},
    };
    return rows;
}

std::span<const PanelRow> panelRows() {
    static constexpr PanelRow rows[]{
        {PanelId::Layers, DockId::Layers, QT_TRANSLATE_NOOP("app::Workspaces", "Layers"),
         madeBy<makePalette>()},
        {PanelId::Project, DockId::Project, QT_TRANSLATE_NOOP("app::Workspaces", "Project"),
         madeBy<makeProjectTree>()},
        {PanelId::Inspector, DockId::Properties, QT_TRANSLATE_NOOP("app::Workspaces", "Inspector"),
         madeBy<makeInspector>()},
        {PanelId::Pipeline, DockId::Properties, QT_TRANSLATE_NOOP("app::Workspaces", "Pipeline"),
         madeBy<makePipelineForm>()},
        {PanelId::TrainingOptions, DockId::Properties, QT_TRANSLATE_NOOP("app::Workspaces", "Training"),
         madeBy<makeTrainingForm>()},
        {PanelId::Options, DockId::Properties, QT_TRANSLATE_NOOP("app::Workspaces", "Options"),
         madeBy<makeOptions>()},
        {PanelId::Planner, DockId::Properties, QT_TRANSLATE_NOOP("app::Workspaces", "Plan"),
         madeBy<makePlanner>()},
        {PanelId::Solver, DockId::Properties, QT_TRANSLATE_NOOP("app::Workspaces", "Solve split"),
         madeBy<makeSolver>()},
        {PanelId::Problems, DockId::Problems, QT_TRANSLATE_NOOP("app::Workspaces", "Problems"),
         madeBy<makeProblems>()},
        {PanelId::Schedule, DockId::Schedule, QT_TRANSLATE_NOOP("app::Workspaces", "Schedule"),
         madeBy<makeSchedule>()},
        {PanelId::Tiles, DockId::Tiles, QT_TRANSLATE_NOOP("app::Workspaces", "Tiles"),
         profileView<views::TilesView>(), tilesPicture},
        {PanelId::Schedulers, DockId::Tiles, QT_TRANSLATE_NOOP("app::Workspaces", "Schedulers"),
         madeBy<makeAlternatives>()},
    };
    return rows;
}

std::vector<RunPicture> runPictures() {
    std::vector<RunPicture> pictures;
    const auto collect = [&](const auto& rows) {
        for (const auto& row : rows) {
            if (row.picture.paint != nullptr)
                pictures.push_back(row.picture);
        }
    };
    collect(workspaceRows());
    collect(panelRows());
    return pictures;
}

std::optional<RunPicture> findRunPicture(std::string_view name) {
    const std::vector<RunPicture> pictures = runPictures();
    const auto picture = std::ranges::find(pictures, name, &RunPicture::name);
    return picture == pictures.end() ? std::nullopt : std::optional(*picture);
}

} // namespace app
