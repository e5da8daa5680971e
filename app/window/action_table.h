#pragma once

#include <cstdint>
#include <vector>

class QMenuBar;

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

/// Makes the actions of the rows, and those of the workspaces and exports beside them, into the window's set.
void makeActions(MainWindow& window);
/// Fills the menus from the window's set, with undo, docks and the canvas's own actions.
void fillMenuBar(MainWindow& window, QMenuBar& bar);

} // namespace app
