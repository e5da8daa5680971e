#include "app/window/dialogs/command_palette.h"

#include "app/window/frame/action_set.h"
#include "app/window/frame/dock_panel.h"
#include "app/window/frame/workspaces.h"
#include "views/common/text/layer_texts.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/profile/run_chooser.h"
#include "views/timeline/timeline_view.h"

#include <QCoreApplication>
#include <QTabBar>

namespace app {

using views::SearchEntry;
using views::toQString;

namespace {

/// The context of its texts.
struct Palette {
    Q_DECLARE_TR_FUNCTIONS(app::Palette)
};

const QString layerPrefix = QStringLiteral("layer:");
const QString canvasPrefix = QStringLiteral("canvas:");
const QString dockPrefix = QStringLiteral("dock:");
const QString layoutPrefix = QStringLiteral("layout:");
const QString runPrefix = QStringLiteral("run:");
const QString findPrefix = QStringLiteral("find:");

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

/// Of a tab, without the count behind it.
QString nameOf(QString tab) {
    while (!tab.isEmpty() && (tab.back().isDigit() || tab.back().isSpace()))
        tab.chop(1);
    return tab;
}

void addLayers(const views::Document& document, std::vector<SearchEntry>& entries) {
    if (!document.isOpen())
        return;
    for (const core::Layer& layer : document.project().model.layers)
        entries.push_back({layerPrefix + toQString(layer.name),
                           toQString(layer.name),
                           toQString(layer.className),
                           views::layerIcon(layer.className),
                           {},
                           true});
}

/// The stored runs, and what was typed as something to be found in the one that is shown: an operation, a
/// tensor, "B7".
void addRuns(const PaletteSources& sources, const QString& pattern, std::vector<SearchEntry>& entries) {
    const auto* chooser = sources.workspaces.view<views::TimelineView>().findChild<views::RunChooser*>();
    if (chooser == nullptr || chooser->rows().empty())
        return;
    for (const core::RunRow& run : chooser->rows())
        entries.push_back({runPrefix + QString::number(run.run.value()),
                           views::runTitle(run),
                           Palette::tr("Runs"),
                           QStringLiteral("time"),
                           {},
                           true});
    if (const QString text = pattern.trimmed(); !text.isEmpty())
        entries.push_back({findPrefix + text,
                           Palette::tr("Find in the run: %1").arg(text),
                           Palette::tr("operations, tensors, events"),
                           QStringLiteral("search"),
                           {},
                           true});
}

} // namespace

std::vector<SearchEntry> paletteEntries(const PaletteSources& sources, QString& pattern) {
    std::vector<SearchEntry> entries;
    if (pattern.startsWith(u'#')) {
        pattern.remove(0, 1);
        addLayers(sources.document, entries);
        return entries;
    }
    const bool isCommandsOnly = pattern.startsWith(u'>');
    if (isCommandsOnly)
        pattern.remove(0, 1);
    sources.actions.update();
    for (const ActionSet::Entry& entry : sources.actions.entries()) {
        if (entry.action != nullptr && entry.id != QStringLiteral("edit.find"))
            entries.push_back(entryOf(*entry.action, entry.id, entry.menu.section(u'/', -1)));
    }
    const auto& canvas = sources.canvasActions;
    for (std::size_t i = 0; i < canvas.size(); ++i)
        entries.push_back(entryOf(*canvas[i], canvasPrefix + QString::number(i), Palette::tr("Model")));
    const auto& docks = sources.workspaces.docks();
    for (std::size_t i = 0; i < docks.size(); ++i) {
        const auto add = [&](const QString& place, const QString& title) {
            entries.push_back(
                {dockPrefix + place, Palette::tr("Show %1").arg(title), Palette::tr("Docks"), {}, {}, true});
        };
        const auto& pages = docks[i]->pages();
        for (std::size_t page = 0; page < pages.size(); ++page)
            add(QStringLiteral("%1/%2").arg(i).arg(page), pages[page].title);
        // The first is the page itself.
        const QTabBar* tabs = docks[i]->headTabs();
        for (int tab = 1; tabs != nullptr && tab < tabs->count(); ++tab)
            add(QStringLiteral("%1/0/%2").arg(i).arg(tab), nameOf(tabs->tabText(tab)));
    }
    for (const QString& name : sources.workspaces.layouts())
        entries.push_back(
            {layoutPrefix + name, Palette::tr("Layout %1").arg(name), Palette::tr("Layouts"), {}, {}, true});
    if (!isCommandsOnly && !pattern.isEmpty()) {
        addLayers(sources.document, entries);
        addRuns(sources, pattern, entries);
    }
    return entries;
}

void choosePaletteEntry(const PaletteSources& sources, const QString& id) {
    if (id.startsWith(layerPrefix)) {
        sources.selection.selectLayer(id.mid(layerPrefix.size()).toStdString());
        sources.intents.showSelectedLayers();
    } else if (id.startsWith(canvasPrefix)) {
        sources.workspaces.show(views::WorkspaceId::Model);
        sources.canvasActions[id.mid(canvasPrefix.size()).toULongLong()]->trigger();
    } else if (id.startsWith(dockPrefix)) {
        const QString place = id.mid(dockPrefix.size());
        const auto dock = place.section(u'/', 0, 0).toULongLong();
        sources.workspaces.showPage(dock, place.section(u'/', 1, 1).toULongLong());
        QTabBar* tabs = sources.workspaces.docks()[dock]->headTabs();
        if (const QString tab = place.section(u'/', 2); tabs != nullptr && !tab.isEmpty())
            tabs->setCurrentIndex(tab.toInt());
    } else if (id.startsWith(runPrefix)) {
        sources.selection.selectRun(core::RunId(id.mid(runPrefix.size()).toULongLong()));
        sources.workspaces.show(views::WorkspaceId::Timeline);
    } else if (id.startsWith(findPrefix)) {
        sources.workspaces.show(views::WorkspaceId::Timeline);
        sources.workspaces.view<views::TimelineView>().find(id.mid(findPrefix.size()));
    } else if (id.startsWith(layoutPrefix)) {
        sources.workspaces.takeLayout(id.mid(layoutPrefix.size()));
    } else if (QAction* action = sources.actions.action(id)) {
        action->trigger();
    }
}

} // namespace app
