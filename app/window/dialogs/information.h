#pragma once

#include <QString>
#include <vector>

class QAction;
class QWidget;

namespace app {

class ActionSet;

/// Keys and what they do, by view. Those of the window and the canvas come from their actions; those that
/// views handle themselves are in a table.
struct ShortcutGroup {
    QString title;
    /// Keys, meaning.
    std::vector<std::pair<QString, QString>> rows;
};
/// What the page of shortcuts lists: the window's actions, the canvas's, and the workspace in focus, whose
/// group comes first.
struct ShortcutSources {
    const ActionSet& actions;
    const std::vector<QAction*>& canvasActions;
    QString workspace;
};
[[nodiscard]] std::vector<ShortcutGroup> shortcutGroups(const ShortcutSources& sources);

/// What works and how to see it, in words, as HTML: the rows of `ipu-workbench features` by subject.
[[nodiscard]] QString featurePage();

void showShortcutPage(QWidget& window, const ShortcutSources& sources);
void showFeaturePage(QWidget& window);
void showAboutPage(QWidget& window);

} // namespace app
