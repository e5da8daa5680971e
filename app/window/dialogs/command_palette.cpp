#include "app/window/dialogs/command_palette.h"

#include "app/window/frame/dock_panel.h"
#include "app/window/main_window.h"
#include "views/common/text/layer_texts.h"
#include "views/graph/graph_view.h"

namespace app {

using views::SearchEntry;
using views::toQString;

namespace {

const QString layerPrefix = QStringLiteral("layer:");
const QString canvasPrefix = QStringLiteral("canvas:");
const QString dockPrefix = QStringLiteral("dock:");

/// "&Undo" and "Open…" as they are read.
QString plainText(QString text) {
    return text.remove(u'&');
}

SearchEntry entryOf(const QAction& action, const QString& id, const QString& category) {
    return {id,
            plainText(action.text()),
            category,
            {},
            action.shortcut().toString(QKeySequence::NativeText),
            action.isEnabled()};
}

void addLayers(MainWindow& window, std::vector<SearchEntry>& entries) {
    if (!window.document().isOpen())
        return;
    for (const core::Layer& layer : window.document().project().model.layers)
        entries.push_back({layerPrefix + toQString(layer.name),
                           toQString(layer.name),
                           toQString(layer.className),
                           views::layerIcon(layer.className),
                           {},
                           true});
}

} // namespace

std::vector<SearchEntry> paletteEntries(MainWindow& window, QString& pattern) {
    std::vector<SearchEntry> entries;
    if (pattern.startsWith(u'#')) {
        pattern.remove(0, 1);
        addLayers(window, entries);
        return entries;
    }
    const bool isCommandsOnly = pattern.startsWith(u'>');
    if (isCommandsOnly)
        pattern.remove(0, 1);
    window.actions().update();
    for (const ActionTable::Entry& entry : window.actions().entries()) {
        if (entry.action != nullptr && entry.id != QStringLiteral("edit.find"))
            entries.push_back(entryOf(*entry.action, entry.id, entry.menu.section(u'/', -1)));
    }
    const auto& canvas = window.graph().canvasActions();
    for (std::size_t i = 0; i < canvas.size(); ++i)
        entries.push_back(entryOf(*canvas[i], canvasPrefix + QString::number(i), MainWindow::tr("Model")));
    const auto& docks = window.workspaces().docks();
    for (std::size_t i = 0; i < docks.size(); ++i) {
        for (const DockPanel::Page& page : docks[i]->pages())
            entries.push_back({dockPrefix + page.id,
                               MainWindow::tr("Show %1").arg(page.title),
                               MainWindow::tr("Docks"),
                               {},
                               {},
                               true});
    }
    if (!isCommandsOnly && !pattern.isEmpty())
        addLayers(window, entries);
    return entries;
}

void choosePaletteEntry(MainWindow& window, const QString& id) {
    if (id.startsWith(layerPrefix)) {
        window.selection().selectLayer(id.mid(layerPrefix.size()).toStdString());
        emit window.intents().layerRequested();
    } else if (id.startsWith(canvasPrefix)) {
        window.workspaces().show(QStringLiteral("model"));
        window.graph().canvasActions()[id.mid(canvasPrefix.size()).toULongLong()]->trigger();
    } else if (id.startsWith(dockPrefix)) {
        window.workspaces().showPanel(id.mid(dockPrefix.size()));
    } else if (QAction* action = window.actions().action(id)) {
        action->trigger();
    }
}

} // namespace app
