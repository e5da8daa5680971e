#pragma once

#include <QString>
#include <vector>

namespace app {

class MainWindow;

/// Keys and what they do, by view. Those of the window and the canvas come from their actions; those that
/// views handle themselves stand in a table.
struct ShortcutGroup {
    QString title;
    /// Keys, meaning.
    std::vector<std::pair<QString, QString>> rows;
};
/// The group of the workspace in focus first.
[[nodiscard]] std::vector<ShortcutGroup> shortcutGroups(MainWindow& window);

void showShortcutPage(MainWindow& window);
void showHelpPage(MainWindow& window);
void showAboutPage(MainWindow& window);

} // namespace app
