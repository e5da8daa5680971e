#pragma once

#include "views/common/widgets/search_popup.h"

#include <vector>

namespace app {

class MainWindow;

/// Everything the palette finds for what was typed: actions of menus and canvas; "#" narrows to layers.
/// Layers and stored runs are found by name too.
[[nodiscard]] std::vector<views::SearchEntry> paletteEntries(MainWindow& window, QString& pattern);

/// Does what an entry of the palette says.
void choosePaletteEntry(MainWindow& window, const QString& id);

} // namespace app
