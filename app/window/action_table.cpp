#include "app/window/action_table.h"

#include "app/window/dialogs/information.h"
#include "app/window/frame/dock_panel.h"
#include "app/window/main_window.h"
#include "views/common/theme/icons.h"
#include "views/graph/graph_view.h"

#include <QMenu>
#include <QMenuBar>

namespace app {

namespace {

using W = MainWindow;

template <views::TimeUnit unit>
void chooseTime(W& w) {
    views::Units units = w.document().units();
    units.time = unit;
    w.setUnits(units);
}
template <views::TimeUnit unit>
bool isTime(const W& w) {
    return w.document().units().time == unit;
}
template <views::ByteUnit unit>
void chooseBytes(W& w) {
    views::Units units = w.document().units();
    units.bytes = unit;
    w.setUnits(units);
}
template <views::ByteUnit unit>
bool isBytes(const W& w) {
    return w.document().units().bytes == unit;
}

constexpr ActionRow separator(const char* menu) {
    return {"", menu, "", {}, ""};
}

QString menuTitle(const char* name) {
    return ActionTable::tr(name);
}

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
         [](W& w) { w.workspaces().show(Workspaces::startId); }},
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
        {"view.full_screen",
         "View",
         "Full screen",
         {"F11"},
         "",
         Needs::Nothing,
         [](W& w) { w.toggleFullScreen(); },
         [](const W& w) { return w.isFullScreen(); }},
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
         [](W& w) { w.workspaces().showPanel("pipeline"); }},
        {"pipeline.training",
         "Pipeline",
         "Training options",
         {},
         "",
         Needs::Project,
         [](W& w) { w.workspaces().showPanel("training_form"); }},
        {"pipeline.config",
         "Pipeline",
         "IPUConfig options",
         {},
         "",
         Needs::Project,
         [](W& w) { w.workspaces().showPanel("options"); }},
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
        {"help.help", "Help", "How to use it", {"F1"}, "book", Needs::Nothing, [](W& w) { w.showHelp(); }},
        {"help.shortcuts", "Help", "Shortcuts", {"?"}, "", Needs::Nothing, [](W& w) { w.showShortcuts(); }},
        {"help.features", "Help", "What works", {}, "", Needs::Nothing, [](W& w) { showFeaturePage(w); }},
        {"help.about",
         "Help",
         "About IPU Workbench",
         {},
         "info",
         Needs::Nothing,
         [](W& w) { w.showAbout(); }},
    };
    return rows;
}

ActionTable::ActionTable(MainWindow& window)
    : QObject(&window)
    , m_window(window) {
    for (const ActionRow& row : actionRows()) {
        if (row.text[0] == '\0') {
            m_entries.push_back({nullptr, {}, QString::fromLatin1(row.menu), Needs::Nothing, nullptr});
            continue;
        }
        auto* action = new QAction(tr(row.text), &window);
        action->setObjectName(QString::fromLatin1(row.id));
        action->setShortcuts(sequences(row.keys));
        if (row.icon[0] != '\0')
            action->setIcon(views::icon(QString::fromLatin1(row.icon)));
        action->setCheckable(row.isChecked != nullptr);
        // A checkable action that is triggered while it is on would show itself off until the next update.
        connect(action, &QAction::triggered, this, [this, run = row.run] {
            run(m_window);
            update();
        });
        window.addAction(action);
        m_entries.push_back(
            {action, QString::fromLatin1(row.id), QString::fromLatin1(row.menu), row.needs, row.isChecked});
    }
    for (std::size_t i = 0; i < workspaceRows().size(); ++i) {
        const WorkspaceRow& row = workspaceRows()[i];
        auto* action =
            new QAction(views::icon(QString::fromLatin1(row.icon)), Workspaces::tr(row.title), &window);
        const QString id = QString::fromLatin1(row.id);
        action->setShortcut(QKeySequence(QStringLiteral("Ctrl+Alt+%1").arg(i + 1)));
        action->setToolTip(Workspaces::tr(row.tip));
        connect(action, &QAction::triggered, this, [this, id] { m_window.workspaces().show(id); });
        window.addAction(action);
        m_entries.push_back({action, "workspace." + id, "View/Workspace", Needs::Project, nullptr});
    }
    addExports();
}

void ActionTable::addExports() {
    for (const ExportEntry& entry : exportEntries()) {
        if (entry.id.isEmpty()) {
            m_entries.push_back({nullptr, {}, entry.menu, Needs::Nothing, nullptr});
            continue;
        }
        auto* action = new QAction(entry.text, &m_window);
        action->setObjectName(entry.id);
        connect(action, &QAction::triggered, this,
                [this, write = entry.write] { write(m_window.exports()); });
        m_window.addAction(action);
        m_entries.push_back(
            {action, entry.id, entry.menu, entry.ofRun ? Needs::Run : Needs::Project, nullptr});
    }
}

QAction* ActionTable::action(const QString& id) const {
    for (const Entry& entry : m_entries) {
        if (entry.id == id && entry.action != nullptr)
            return entry.action;
    }
    return nullptr;
}

void ActionTable::fillMenuBar(QMenuBar& bar) {
    std::map<QString, QMenu*> menus;
    for (const char* name : {"File", "Edit", "View", "Model", "Pipeline", "Run", "Help"})
        menus[QString::fromLatin1(name)] = bar.addMenu(menuTitle(name));
    QAction* undo = m_window.document().undoStack().createUndoAction(this, tr("Undo"));
    undo->setShortcut(QKeySequence(QStringLiteral("Ctrl+Z")));
    undo->setIcon(views::icon(QStringLiteral("undo")));
    QAction* redo = m_window.document().undoStack().createRedoAction(this, tr("Redo"));
    redo->setShortcuts(sequences({"Ctrl+Y", "Ctrl+Shift+Z"}));
    redo->setIcon(views::icon(QStringLiteral("redo")));
    m_entries.push_back({undo, "edit.undo", {}, Needs::Nothing, nullptr});
    m_entries.push_back({redo, "edit.redo", {}, Needs::Nothing, nullptr});
    menus["Edit"]->addActions({undo, redo});
    menus["Edit"]->addSeparator();
    menus["View/Workspace"] = menus["View"]->addMenu(tr("Workspace"));
    QMenu* docks = menus["View"]->addMenu(tr("Docks"));
    for (DockPanel* dock : m_window.workspaces().docks())
        docks->addAction(dock->toggleViewAction());
    menus["View/Theme"] = menus["View"]->addMenu(tr("Theme"));
    menus["View/Units"] = menus["View"]->addMenu(tr("Units"));
    for (const Entry& entry : m_entries) {
        if (entry.menu.isEmpty())
            continue;
        QMenu* menu = menus[entry.menu];
        if (menu == nullptr) {
            // Menus of menus come into being where their first action stands.
            menu = menus.at(entry.menu.section(u'/', 0, -2))->addMenu(entry.menu.section(u'/', -1));
            menus[entry.menu] = menu;
        }
        if (entry.action == nullptr)
            menu->addSeparator();
        else
            menu->addAction(entry.action);
    }
    for (QAction* action : m_window.graph().canvasActions())
        menus["Model"]->addAction(action);
    for (auto& [name, menu] : menus)
        connect(menu, &QMenu::aboutToShow, this, &ActionTable::update);
}

bool ActionTable::suits(Needs needs) const {
    const bool isOpen = m_window.document().isOpen();
    const bool isRunning = m_window.runs().isRunning();
    switch (needs) {
    case Needs::Nothing:
        return true;
    case Needs::Project:
        return isOpen;
    case Needs::SavedProject:
        return isOpen && !m_window.document().path().empty();
    case Needs::Run:
        return isOpen && m_window.selection().state().run.has_value();
    case Needs::Idle:
        return isOpen && !isRunning;
    case Needs::Running:
        break;
    }
    return isRunning;
}

void ActionTable::update() {
    for (const Entry& entry : m_entries) {
        if (entry.action == nullptr)
            continue;
        if (entry.id != "edit.undo" && entry.id != "edit.redo")
            entry.action->setEnabled(suits(entry.needs));
        if (entry.isChecked != nullptr)
            entry.action->setChecked(entry.isChecked(m_window));
    }
}

} // namespace app
