#pragma once

#include "views/common/widgets/search_popup.h"

#include <vector>

class QAction;

namespace views {
class Document;
class ProfileSource;
class Selection;
class ViewIntents;
} // namespace views

namespace app {

class ActionSet;
class RunFinder;
class Workspaces;

/// Where the palette finds what it offers.
struct PaletteSources {
    const views::Document& document;
    views::Selection& selection;
    ActionSet& actions;
    const std::vector<QAction*>& canvasActions;
    Workspaces& workspaces;
    views::ViewIntents& intents;
    const views::ProfileSource& source;
    RunFinder& finder;
};

/// Everything the palette finds for what was typed: actions of menus and canvas, pages of docks, layers by
/// name, stored runs, operations, tensors and events of the run that is shown (once they are found), and what
/// is typed as a search of that run; "#" narrows to layers, ">" to commands.
[[nodiscard]] std::vector<views::SearchEntry> paletteEntries(const PaletteSources& sources, QString& pattern);

/// Does what an entry of the palette says.
void choosePaletteEntry(const PaletteSources& sources, const QString& id);

} // namespace app
