#include "app/services/alternatives_finder.h"
#include "app/services/schedule_chart.h"
#include "app/window/frame/window_settings.h"
#include "app/window/frame/workspaces.h"
#include "app/window/intents.h"
#include "views/comparison/comparison_view.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/graph/graph_view.h"
#include "views/inspector/inspector_view.h"
#include "views/inspector/layer_palette.h"
#include "views/inspector/option_view.h"
#include "views/inspector/project_tree.h"
#include "views/inspector/setting_rows.h"
#include "views/inspector/setting_view.h"
#include "views/liveness/liveness_view.h"
#include "views/plan/alternatives_view.h"
#include "views/plan/schedule_view.h"
#include "views/program/program_view.h"
#include "views/runs/runs_view.h"
#include "views/tiles/tiles_view.h"
#include "views/timeline/timeline_view.h"
#include "views/training/training_view.h"

namespace app {

namespace {

/// Connects every signal that a view has by the names that all views share.
template <class View>
View* connected(View* view, const WindowParts& parts) {
    Intents* intents = &parts.intents;
    if constexpr (requires { &View::runRequested; })
        QObject::connect(view, &View::runRequested, intents, &Intents::runRequested);
    if constexpr (requires { &View::cancelRequested; })
        QObject::connect(view, &View::cancelRequested, intents, &Intents::cancelRequested);
    if constexpr (requires { &View::workspaceRequested; })
        QObject::connect(view, &View::workspaceRequested, intents, &Intents::workspaceRequested);
    if constexpr (requires { &View::pictureRequested; })
        QObject::connect(view, &View::pictureRequested, intents, &Intents::pictureRequested);
    if constexpr (requires { &View::tableRequested; })
        QObject::connect(view, &View::tableRequested, intents, &Intents::tableRequested);
    if constexpr (requires { &View::settingRequested; })
        QObject::connect(view, &View::settingRequested, intents, &Intents::settingRequested);
    if constexpr (requires { &View::layerRequested; })
        QObject::connect(view, &View::layerRequested, intents, &Intents::layerRequested);
    if constexpr (requires { &View::solveRequested; })
        QObject::connect(view, &View::solveRequested, intents, &Intents::solveRequested);
    if constexpr (requires { &View::formRequested; })
        QObject::connect(view, &View::formRequested, intents, &Intents::panelRequested);
    if constexpr (requires { &View::compareRequested; })
        QObject::connect(view, &View::compareRequested, intents, &Intents::compareRequested);
    if constexpr (requires { &View::deleteRequested; })
        QObject::connect(view, &View::deleteRequested, intents, &Intents::deleteRequested);
    if constexpr (requires { &View::restoreRequested; })
        QObject::connect(view, &View::restoreRequested, intents, &Intents::restoreRequested);
    return view;
}

/// A view of stored runs.
template <class View>
QWidget* makeProfileView(const WindowParts& parts) {
    return connected(new View(parts.document, parts.selection, parts.source), parts);
}

QWidget* makeGraph(const WindowParts& parts) {
    auto* view = connected(new views::GraphView(parts.document, parts.selection), parts);
    QObject::connect(view, &views::GraphView::inspectorRequested, &parts.intents, [&intents = parts.intents] {
        emit intents.panelRequested(QStringLiteral("inspector"));
    });
    QObject::connect(
        view, &views::GraphView::told, &parts.intents,
        [&intents = parts.intents](const QString& text) { emit intents.told(views::ChipTone::Info, text); });
    return view;
}

QWidget* makePalette(const WindowParts& parts) {
    auto* palette = connected(new views::LayerPalette, parts);
    palette->setRecent(parts.settings.recentLayers());
    QObject::connect(palette, &views::LayerPalette::recentChanged, palette,
                     [palette, &settings = parts.settings] { settings.setRecentLayers(palette->recent()); });
    QObject::connect(palette, &views::LayerPalette::layerChosen, &parts.intents, &Intents::layerChosen);
    return palette;
}

QWidget* makeProjectTree(const WindowParts& parts) {
    return connected(new views::ProjectTree(parts.document, parts.selection), parts);
}

QWidget* makeInspector(const WindowParts& parts) {
    auto* view = new views::InspectorView(parts.document, parts.selection);
    const auto goTo = [&](void (views::InspectorView::*signal)(), const char* workspace) {
        QObject::connect(view, signal, &parts.intents,
                         [&intents = parts.intents, name = QString::fromLatin1(workspace)] {
                             emit intents.workspaceRequested(name);
                         });
    };
    goTo(&views::InspectorView::timelineRequested, "timeline");
    goTo(&views::InspectorView::memoryRequested, "memory");
    return view;
}

QWidget* makeSchedule(const WindowParts& parts) {
    return connected(new views::ScheduleView(parts.document, parts.selection, projectScheduleChart), parts);
}

/// The pipeline and the machine it runs on.
std::vector<views::PropertySection> planSections(const core::Project& project) {
    std::vector<views::PropertySection> sections = views::pipelineSections(project);
    for (views::PropertySection& section : views::systemSections(project))
        sections.push_back(std::move(section));
    return sections;
}

QWidget* makePipelineForm(const WindowParts& parts) {
    return new views::SettingView(parts.document, views::SettingView::tr("Pipeline and system"),
                                  planSections);
}

QWidget* makeTrainingForm(const WindowParts& parts) {
    return new views::SettingView(parts.document, views::SettingView::tr("Training"),
                                  views::trainingSections);
}

QWidget* makeOptions(const WindowParts& parts) {
    return new views::OptionView(parts.document);
}

/// Works its values out itself while it is seen.
QWidget* makeAlternatives(const WindowParts& parts) {
    auto* view = connected(new views::AlternativesView(parts.document), parts);
    new AlternativesFinder(parts.document, *view);
    return view;
}

QWidget* makeProblems(const WindowParts& parts) {
    auto* view = connected(new views::DiagnosticsView(parts.document, parts.selection), parts);
    view->addPage(views::DiagnosticsView::tr("Runs"), makeProfileView<views::RunsView>(parts));
    QObject::connect(&parts.intents, &Intents::told, view, &views::DiagnosticsView::addMessage);
    return view;
}

} // namespace

std::span<const WorkspaceRow> workspaceRows() {
    static constexpr WorkspaceRow rows[]{
        {"model", QT_TRANSLATE_NOOP("app::Workspaces", "Model"), "graph",
         QT_TRANSLATE_NOOP("app::Workspaces", "Layers, stages, what a plan would cost"), makeGraph},
        {"timeline", QT_TRANSLATE_NOOP("app::Workspaces", "Timeline"), "time",
         QT_TRANSLATE_NOOP("app::Workspaces", "What every IPU does when"),
         makeProfileView<views::TimelineView>},
        {"memory", QT_TRANSLATE_NOOP("app::Workspaces", "Memory"), "memory",
         QT_TRANSLATE_NOOP("app::Workspaces", "What lives when, and where"),
         makeProfileView<views::LivenessView>},
        {"program", QT_TRANSLATE_NOOP("app::Workspaces", "Program"), "program",
         QT_TRANSLATE_NOOP("app::Workspaces", "The compiled program and its operations"),
         makeProfileView<views::ProgramView>},
        {"compare", QT_TRANSLATE_NOOP("app::Workspaces", "Compare"), "compare",
         QT_TRANSLATE_NOOP("app::Workspaces", "Runs against a baseline"),
         makeProfileView<views::ComparisonView>},
        {"training", QT_TRANSLATE_NOOP("app::Workspaces", "Training"), "train",
         QT_TRANSLATE_NOOP("app::Workspaces", "Loss, metrics, throughput, callbacks"),
         makeProfileView<views::TrainingView>},
        {"schedule", QT_TRANSLATE_NOOP("app::Workspaces", "Schedule"), "lanes",
         QT_TRANSLATE_NOOP("app::Workspaces", "Slots of every schedule, without a run"), makeSchedule},
    };
    return rows;
}

const std::vector<DockRow>& dockRows() {
    static const std::vector<DockRow> rows{
        {"layers",
         QT_TRANSLATE_NOOP("app::Workspaces", "Layers"),
         Qt::LeftDockWidgetArea,
         "model",
         {{"layers", "Layers", makePalette}}},
        {"project",
         QT_TRANSLATE_NOOP("app::Workspaces", "Project"),
         Qt::LeftDockWidgetArea,
         "model",
         {{"project", "Project", makeProjectTree}}},
        {"properties",
         QT_TRANSLATE_NOOP("app::Workspaces", "Properties"),
         Qt::RightDockWidgetArea,
         "model",
         {{"inspector", QT_TRANSLATE_NOOP("app::Workspaces", "Inspector"), makeInspector},
          {"pipeline", QT_TRANSLATE_NOOP("app::Workspaces", "Pipeline"), makePipelineForm},
          {"training_form", QT_TRANSLATE_NOOP("app::Workspaces", "Training"), makeTrainingForm},
          {"options", QT_TRANSLATE_NOOP("app::Workspaces", "Options"), makeOptions}}},
        {"problems",
         QT_TRANSLATE_NOOP("app::Workspaces", "Problems and runs"),
         Qt::BottomDockWidgetArea,
         "model",
         {{"problems", QT_TRANSLATE_NOOP("app::Workspaces", "Problems"), makeProblems}}},
        {"slots",
         QT_TRANSLATE_NOOP("app::Workspaces", "Schedule"),
         Qt::BottomDockWidgetArea,
         "",
         {{"slots", QT_TRANSLATE_NOOP("app::Workspaces", "Schedule"), makeSchedule}}},
        {"tiles",
         QT_TRANSLATE_NOOP("app::Workspaces", "Tiles"),
         Qt::RightDockWidgetArea,
         "memory",
         {{"tiles", QT_TRANSLATE_NOOP("app::Workspaces", "Tiles"), makeProfileView<views::TilesView>},
          {"schedulers", QT_TRANSLATE_NOOP("app::Workspaces", "Schedulers"), makeAlternatives}}},
    };
    return rows;
}

} // namespace app
