#pragma once

#include "app/window/frame/window_parts.h"

#include <QAction>
#include <QObject>
#include <QString>
#include <functional>
#include <span>
#include <vector>

class QMenuBar;
class QWidget;

namespace app {

class MainWindow;

/// When an action makes sense.
enum class Needs : std::uint8_t {
    Nothing,
    Project,
    SavedProject,
    /// A stored run that is chosen.
    Run,
    /// A project, and no run under way.
    Idle,
    /// A run under way.
    Running,
};

/// One thing the window can do: its place in the menus, its keys, what it does. Everything that is in the
/// menus, the toolbar, the command palette and the page of shortcuts comes from these rows.
struct ActionRow {
    const char* id;
    const char* menu;
    /// Empty: a line between groups.
    const char* text;
    std::vector<const char*> keys;
    const char* icon;
    Needs needs = Needs::Nothing;
    void (*run)(MainWindow& window) = nullptr;
    /// Makes it checkable.
    bool (*isChecked)(const MainWindow& window) = nullptr;
};

[[nodiscard]] const std::vector<ActionRow>& actionRows();

/// The actions of the rows, and of the workspaces, docks and exports beside them.
class ActionTable final : public QObject {
    Q_OBJECT

public:
    explicit ActionTable(MainWindow& window);

    [[nodiscard]] QAction* action(const QString& id) const;
    struct Entry {
        QAction* action;
        QString id;
        QString menu;
        Needs needs;
        bool (*isChecked)(const MainWindow& window);
    };
    [[nodiscard]] const std::vector<Entry>& entries() const { return m_entries; }
    void fillMenuBar(QMenuBar& bar);
    /// Enables and checks according to the present state.
    void update();

private:
    void addExports();
    [[nodiscard]] bool suits(Needs needs) const;

    MainWindow& m_window;
    std::vector<Entry> m_entries;
};

} // namespace app
