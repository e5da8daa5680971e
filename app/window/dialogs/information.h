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

/// What works, each with what shows it, as HTML: the rows of `ipu-workbench features`.
[[nodiscard]] QString featurePage();

void showShortcutPage(MainWindow& window);
void showHelpPage(MainWindow& window);
void showFeaturePage(MainWindow& window);
void showAboutPage(MainWindow& window);

} // namespace app
