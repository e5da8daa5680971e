#include "app/window/action_table.h"

#include "app/window/dialogs/information.h"
#include "app/window/frame/dock_panel.h"
#include "app/window/frame/layout_menu.h"
#include "app/window/frame/top_bar.h"
#include "app/window/lessons/lesson_strip.h"
#include "app/window/lessons/manual.h"
#include "app/window/main_window.h"
#include "app/window/window_tour.h"
#include "core/project/project_edit.h"
#include "views/common/theme/icons.h"
#include "views/graph/graph_view.h"

#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <map>

namespace app {

namespace {

using W = MainWindow;

template <views::TimeUnit unit>
void chooseTime(W& w) {
    views::Units units = w.document().units();
    units.time = unit;
    w.document().setUnits(units);
}
template <views::TimeUnit unit>
bool isTime(const W& w) {
    return w.document().units().time == unit;
}
template <views::ByteUnit unit>
void chooseBytes(W& w) {
    views::Units units = w.document().units();
    units.bytes = unit;
    w.document().setUnits(units);
}
template <views::ByteUnit unit>
bool isBytes(const W& w) {
    return w.document().units().bytes == unit;
}

constexpr ActionRow separator(const char* menu) {
    return {"", menu, "", {}, ""};
}

/// The context of the texts of menus.
struct Actions {
    Q_DECLARE_TR_FUNCTIONS(app::Actions)
};

QList<QKeySequence> sequences(const std::vector<const char*>& keys) {
    QList<QKeySequence> list;
    for (const char* key : keys)
        list.append(QKeySequence(QString::fromLatin1(key)));
    return list;
}

} // namespace

const std::vector<ActionRow>& actionRows() {
    using views::ByteUnit;
    using views::TimeUnit;
    static const std::vector<ActionRow> rows{
        {"file.start",
         "File",
         "Start page",
         {"Ctrl+Alt+0"},
         "star",
         Needs::Nothing,
         [](W& w) { w.workspaces().show(views::WorkspaceId::Start); }},
        {"file.new",
         "File",
         "New project",
         {"Ctrl+N"},
         "plus",
         Needs::Nothing,
         [](W& w) { w.files().newEmpty(); }},
        {"file.open",
         "File",
         "Open…",
         {"Ctrl+O"},
         "folder",
         Needs::Nothing,
         [](W& w) { w.files().openByDialog(); }},
        {"file.import",
         "File",
         "Import model…",
         {"Ctrl+I"},
         "import",
         Needs::Nothing,
         [](W& w) { w.files().importByDialog(); }},
        {"file.reference",
         "File",
         "Open trace as reference…",
         {},
         "time",
         Needs::Project,
         [](W& w) { w.reference().openByDialog(); }},
        separator("File"),
        {"file.save", "File", "Save", {"Ctrl+S"}, "save", Needs::Project, [](W& w) { w.files().save(); }},
        {"file.save_as",
         "File",
         "Save as…",
         {"Ctrl+Shift+S"},
         "",
         Needs::Project,
         [](W& w) { w.files().saveAs(); }},
        {"file.revert",
         "File",
         "Revert to saved",
         {},
         "",
         Needs::SavedProject,
         [](W& w) { w.files().revert(); }},
        {"file.picture",
         "File",
         "Save the drawing as a picture…",
         {},
         "export",
         Needs::Project,
         [](W& w) { w.saveDrawing(); }},
        {"file.close",
         "File",
         "Close project",
         {"Ctrl+W"},
         "",
         Needs::Project,
         [](W& w) { w.files().close(); }},
        separator("File"),
        {"file.settings",
         "File",
         "Settings…",
         {"Ctrl+,"},
         "gear",
         Needs::Nothing,
         [](W& w) { w.showSettings(); }},
        {"file.quit", "File", "Quit", {"Ctrl+Q"}, "", Needs::Nothing, [](W& w) { w.close(); }},
        {"edit.find",
         "Edit",
         "Search or run a command…",
         {"Ctrl+Shift+P", "Ctrl+K"},
         "search",
         Needs::Nothing,
         [](W& w) { w.openPalette(); }},
        {"view.reset",
         "View",
         "Reset the docks",
         {},
         "",
         Needs::Nothing,
         [](W& w) { w.workspaces().resetDocks(); }},
        {"view.keep_layout",
         "View",
         "Keep the layout as…",
         {},
         "",
         Needs::Project,
         [](W& w) { askLayoutName(&w, w.workspaces()); }},
        {"view.full_screen",
         "View",
         "Full screen",
         {"F11"},
         "",
         Needs::Nothing,
         [](W& w) { w.toggleFullScreen(); },
         [](const W& w) { return w.isFullScreen(); }},
        {"view.left_to_right",
         "View",
         "Left to right",
         {"Ctrl+Alt+L"},
         "",
         Needs::Project,
         [](W& w) { w.graph().commands().toggleLeftToRight(); },
         [](const W& w) { return w.document().isOpen() && core::readsLeftToRight(w.document().project()); }},
        separator("View"),
        {"theme.system",
         "View/Theme",
         "As the system",
         {},
         "",
         Needs::Nothing,
         [](W& w) { w.appearance().choose("system"); },
         [](const W& w) { return w.appearance().choice() == "system"; }},
        {"theme.light",
         "View/Theme",
         "Light",
         {},
         "",
         Needs::Nothing,
         [](W& w) { w.appearance().choose("light"); },
         [](const W& w) { return w.appearance().choice() == "light"; }},
        {"theme.dark",
         "View/Theme",
         "Dark",
         {},
         "",
         Needs::Nothing,
         [](W& w) { w.appearance().choose("dark"); },
         [](const W& w) { return w.appearance().choice() == "dark"; }},
        {"theme.high_contrast",
         "View/Theme",
         "High contrast",
         {},
         "",
         Needs::Nothing,
         [](W& w) { w.appearance().choose("high-contrast"); },
         [](const W& w) { return w.appearance().choice() == "high-contrast"; }},
        separator("View/Theme"),
        {"theme.hatches",
         "View/Theme",
         "Hatches on all stages and phases",
         {},
         "",
         Needs::Nothing,
         [](W& w) { w.appearance().setForcesHatches(!w.appearance().forcesHatches()); },
         [](const W& w) { return w.appearance().forcesHatches(); }},
        {"units.time",
         "View/Units",
         "Time",
         {},
         "",
         Needs::Nothing,
         chooseTime<TimeUnit::Time>,
         isTime<TimeUnit::Time>},
        {"units.cycles",
         "View/Units",
         "Cycles",
         {},
         "",
         Needs::Nothing,
         chooseTime<TimeUnit::Cycles>,
         isTime<TimeUnit::Cycles>},
        {"units.percent",
         "View/Units",
         "% of the step",
         {},
         "",
         Needs::Nothing,
         chooseTime<TimeUnit::PercentOfStep>,
         isTime<TimeUnit::PercentOfStep>},
        separator("View/Units"),
        {"units.kib",
         "View/Units",
         "KiB, MiB, GiB",
         {},
         "",
         Needs::Nothing,
         chooseBytes<ByteUnit::KiB>,
         isBytes<ByteUnit::KiB>},
        {"units.kb",
         "View/Units",
         "kB, MB, GB",
         {},
         "",
         Needs::Nothing,
         chooseBytes<ByteUnit::Kilobyte>,
         isBytes<ByteUnit::Kilobyte>},
        {"units.bytes",
         "View/Units",
         "Bytes",
         {},
         "",
         Needs::Nothing,
         chooseBytes<ByteUnit::Byte>,
         isBytes<ByteUnit::Byte>},
        {"pipeline.plan",
         "Pipeline",
         "Plan for me",
         {"Ctrl+Shift+J"},
         "bulb",
         Needs::Project,
         [](W& w) { w.workspaces().showPanel(views::PanelId::Planner); }},
        {"pipeline.system",
         "Pipeline",
         "System board",
         {"Ctrl+Shift+Y"},
         "ipu",
         Needs::Project,
         [](W& w) { w.showSystem(); }},
        {"pipeline.schedule",
         "Pipeline",
         "Schedule…",
         {},
         "",
         Needs::Project,
         [](W& w) { w.topBar().ask(TopBar::Choice::Schedule); }},
        {"pipeline.micro_batches",
         "Pipeline",
         "Micro-batches…",
         {},
         "",
         Needs::Project,
         [](W& w) { w.topBar().ask(TopBar::Choice::MicroBatches); }},
        {"pipeline.replicas",
         "Pipeline",
         "Replicas…",
         {},
         "",
         Needs::Project,
         [](W& w) { w.topBar().ask(TopBar::Choice::Replicas); }},
        {"pipeline.ipus",
         "Pipeline",
         "Number and kind of IPUs…",
         {},
         "",
         Needs::Project,
         [](W& w) { w.topBar().ask(TopBar::Choice::System); }},
        separator("Pipeline"),
        {"pipeline.solve",
         "Pipeline",
         "Solve split…",
         {"Ctrl+Shift+L"},
         "target",
         Needs::Project,
         [](W& w) { w.openSolver(); }},
        separator("Pipeline"),
        {"pipeline.options",
         "Pipeline",
         "Pipeline and system options",
         {},
         "",
         Needs::Project,
         [](W& w) { w.workspaces().showPanel(views::PanelId::Pipeline); }},
        {"pipeline.training",
         "Pipeline",
         "Training options",
         {},
         "",
         Needs::Project,
         [](W& w) { w.workspaces().showPanel(views::PanelId::TrainingOptions); }},
        {"pipeline.config",
         "Pipeline",
         "IPUConfig options",
         {},
         "",
         Needs::Project,
         [](W& w) { w.workspaces().showPanel(views::PanelId::Options); }},
        {"run.train", "Run", "Run", {"F5", "Ctrl+Return"}, "play", Needs::Idle, [](W& w) { w.run(); }},
        {"run.profile",
         "Run",
         "Run without numerics",
         {"Ctrl+F5"},
         "",
         Needs::Idle,
         [](W& w) { w.run(core::RunMode::Train, false); }},
        {"run.evaluate",
         "Run",
         "Evaluate",
         {},
         "",
         Needs::Idle,
         [](W& w) { w.run(core::RunMode::Evaluate); }},
        {"run.predict", "Run", "Predict", {}, "", Needs::Idle, [](W& w) { w.run(core::RunMode::Predict); }},
        {"run.stop", "Run", "Stop", {"Shift+F5"}, "stop", Needs::Running, [](W& w) { w.runs().cancel(); }},
        {"help.help", "Help", "Manual", {"F1"}, "book", Needs::Nothing, [](W& w) { showManual(w); }},
        {"help.tour", "Help", "Tour of the window", {}, "eye", Needs::Nothing, [](W& w) { startTour(w); }},
        {"help.lesson",
         "Help",
         "Next lesson",
         {},
         "book",
         Needs::Nothing,
         [](W& w) { w.lessons().beginNext(); }},
        {"help.shortcuts", "Help", "Shortcuts", {"?"}, "", Needs::Nothing, [](W& w) { w.showShortcuts(); }},
        {"help.features", "Help", "What works", {}, "", Needs::Nothing, [](W& w) { showFeaturePage(w); }},
        {"help.about",
         "Help",
         "About IPU Workbench",
         {},
         "info",
         Needs::Nothing,
         [](W& w) { showAboutPage(w); }},
    };
    return rows;
}

namespace {

bool suits(const MainWindow& window, Needs needs) {
    const bool isOpen = window.document().isOpen();
    const bool isRunning = window.runs().isRunning();
    switch (needs) {
    case Needs::Nothing:
        return true;
    case Needs::Project:
        return isOpen;
    case Needs::SavedProject:
        return isOpen && !window.document().path().empty();
    case Needs::Run:
        return isOpen && window.selection().state().run.has_value();
    case Needs::Idle:
        return isOpen && !isRunning;
    case Needs::Running:
        break;
    }
    return isRunning;
}

/// Adds an action of the window that makes sense when `needs` says so.
void add(MainWindow& window, QAction* action, const QString& id, const QString& menu, Needs needs,
         bool (*isChecked)(const MainWindow&) = nullptr) {
    window.addAction(action);
    ActionSet::Entry entry{action, id, menu, [&window, needs] { return suits(window, needs); }, {}};
    if (isChecked != nullptr)
        entry.isChecked = [&window, isChecked] { return isChecked(window); };
    window.actions().add(std::move(entry));
}

void addRow(MainWindow& window, const ActionRow& row) {
    auto* action = new QAction(Actions::tr(row.text), &window);
    action->setObjectName(QString::fromLatin1(row.id));
    action->setShortcuts(sequences(row.keys));
    if (row.icon[0] != '\0')
        action->setIcon(views::icon(&window, QString::fromLatin1(row.icon)));
    action->setCheckable(row.isChecked != nullptr);
    // A checkable action that is triggered while it is on would show itself off until the next update.
    QObject::connect(action, &QAction::triggered, &window, [&window, run = row.run] {
        run(window);
        window.actions().update();
    });
    add(window, action, QString::fromLatin1(row.id), QString::fromLatin1(row.menu), row.needs, row.isChecked);
}

void addWorkspaces(MainWindow& window) {
    int number = 0;
    for (const WorkspaceRow& row : workspaceRows()) {
        auto* action = new QAction(views::icon(&window, QString::fromLatin1(row.icon)),
                                   Workspaces::tr(row.title), &window);
        ++number;
        // Nine digits, and nine with Shift.
        action->setShortcut(QKeySequence(number <= 9 ? QStringLiteral("Ctrl+Alt+%1").arg(number)
                                                     : QStringLiteral("Ctrl+Alt+Shift+%1").arg(number - 9)));
        action->setToolTip(Workspaces::tr(row.tip));
        QObject::connect(action, &QAction::triggered, &window,
                         [&window, id = row.id] { window.workspaces().show(id); });
        add(window, action, QStringLiteral("workspace.") + QLatin1String(row.key),
            QStringLiteral("View/Workspace"), Needs::Project);
    }
}

void addLessons(MainWindow& window) {
    const std::span<const Lesson> table = lessons();
    for (std::size_t i = 0; i < table.size(); ++i) {
        auto* action =
            new QAction(QStringLiteral("%1  %2").arg(i + 1).arg(views::toQString(table[i].title)), &window);
        QObject::connect(action, &QAction::triggered, &window, [&window, i] { window.lessons().begin(i); });
        add(window, action, QStringLiteral("lesson.") + views::toQString(table[i].id),
            QStringLiteral("Help/Lessons"), Needs::Nothing);
    }
}

void addExports(MainWindow& window) {
    for (const ExportEntry& entry : exportEntries()) {
        if (entry.id.isEmpty()) {
            window.actions().add({nullptr, {}, entry.menu});
            continue;
        }
        auto* action = new QAction(entry.text, &window);
        action->setObjectName(entry.id);
        QObject::connect(action, &QAction::triggered, &window,
                         [&window, write = entry.write] { write(window.exports()); });
        add(window, action, entry.id, entry.menu, entry.ofRun ? Needs::Run : Needs::Project);
    }
}

/// Undo and redo say themselves whether there is something to undo.
void addHistory(MainWindow& window, QMenu& menu) {
    QAction* undo = window.document().undoStack().createUndoAction(&window, Actions::tr("Undo"));
    undo->setShortcut(QKeySequence(QStringLiteral("Ctrl+Z")));
    undo->setIcon(views::icon(&window, QStringLiteral("undo")));
    QAction* redo = window.document().undoStack().createRedoAction(&window, Actions::tr("Redo"));
    redo->setShortcuts(sequences({"Ctrl+Y", "Ctrl+Shift+Z"}));
    redo->setIcon(views::icon(&window, QStringLiteral("redo")));
    window.actions().add({undo, QStringLiteral("edit.undo"), {}});
    window.actions().add({redo, QStringLiteral("edit.redo"), {}});
    menu.addActions({undo, redo});
    menu.addSeparator();
}

} // namespace

void makeActions(MainWindow& window) {
    for (const ActionRow& row : actionRows()) {
        if (row.text[0] == '\0')
            window.actions().add({nullptr, {}, QString::fromLatin1(row.menu)});
        else
            addRow(window, row);
    }
    addWorkspaces(window);
    addExports(window);
    addLessons(window);
}

void fillMenuBar(MainWindow& window, QMenuBar& bar) {
    std::map<QString, QMenu*> menus;
    for (const char* name : {"File", "Edit", "View", "Model", "Pipeline", "Run", "Help"})
        menus[QString::fromLatin1(name)] = bar.addMenu(u'&' + Actions::tr(name)); // Alt and its letter
    addHistory(window, *menus["Edit"]);
    menus["View/Workspace"] = menus["View"]->addMenu(Actions::tr("Workspace"));
    QMenu* docks = menus["View"]->addMenu(Actions::tr("Docks"));
    for (DockPanel* dock : window.workspaces().docks())
        docks->addAction(dock->toggleViewAction());
    followLayouts(*menus["View"]->addMenu(Actions::tr("Layouts")), window, window.workspaces());
    menus["View/Theme"] = menus["View"]->addMenu(Actions::tr("Theme"));
    menus["View/Units"] = menus["View"]->addMenu(Actions::tr("Units"));
    for (const ActionSet::Entry& entry : window.actions().entries()) {
        if (entry.menu.isEmpty())
            continue;
        QMenu* menu = menus[entry.menu];
        if (menu == nullptr) {
            // Menus of menus come into being where their first action is.
            menu = menus.at(entry.menu.section(u'/', 0, -2))->addMenu(entry.menu.section(u'/', -1));
            menus[entry.menu] = menu;
        }
        if (entry.action == nullptr)
            menu->addSeparator();
        else
            menu->addAction(entry.action);
    }
    window.graph().fillMenu(*menus["Model"]);
    for (auto& [name, menu] : menus)
        QObject::connect(menu, &QMenu::aboutToShow, &window.actions(), &ActionSet::update);
}

} // namespace app
