#include "app/window/dialogs/command_palette.h"

#include "app/window/dialogs/run_finder.h"
#include "app/window/frame/action_set.h"
#include "app/window/frame/dock_panel.h"
#include "app/window/frame/workspaces.h"
#include "core/profile/records/span_label.h"
#include "views/common/text/layer_texts.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/profile/profile_source.h"
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
const QString hitPrefix = QStringLiteral("hit:");

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

/// What was found, with its place as far as it has one.
QString hitTitle(const core::SearchHit& hit, QString name) {
    if (hit.kind == core::HitKind::Event && hit.span && hit.span->slot >= 0)
        name = Palette::tr("%1 in slot %2").arg(name).arg(hit.span->slot);
    if (hit.ipu.isValid())
        return Palette::tr("%1 on IPU %2").arg(name).arg(hit.ipu.value());
    return hit.stage.isValid() ? Palette::tr("%1 on stage %2").arg(name).arg(hit.stage.value()) : name;
}

/// Layers are entries of their own.
void addHits(const std::vector<core::SearchHit>& hits, std::vector<SearchEntry>& entries) {
    for (std::size_t i = 0; i < hits.size(); ++i) {
        const core::SearchHit& hit = hits[i];
        if (hit.kind == core::HitKind::Layer)
            continue;
        const bool isEvent = hit.kind == core::HitKind::Event;
        const QString name =
            isEvent && hit.span ? toQString(core::spanLabel(*hit.span)) : toQString(hit.name);
        entries.push_back(
            {hitPrefix + QString::number(i),
             hitTitle(hit, name),
             toQString(std::string(core::toString(hit.kind))),
             hit.kind == core::HitKind::Tensor ? QStringLiteral("memory") : QStringLiteral("time"),
             {},
             true});
    }
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
    const QString text = pattern.trimmed();
    const auto& shown = sources.selection.state().run;
    if (text.isEmpty())
        return;
    if (shown)
        addHits(sources.finder.hitsOf(sources.source.path(), *shown, text), entries);
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
    } else if (id.startsWith(hitPrefix)) {
        const auto hit = id.mid(hitPrefix.size()).toULongLong();
        if (hit >= sources.finder.hits().size())
            return;
        const core::SearchHit found = sources.finder.hits()[hit];
        const bool isTensor = found.kind == core::HitKind::Tensor;
        sources.workspaces.show(isTensor ? views::WorkspaceId::Memory : views::WorkspaceId::Timeline);
        sources.workspaces.view<views::TimelineView>().showHit(found);
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
