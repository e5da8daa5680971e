#pragma once

#include "views/common/theme/theme.h"

class QApplication;

namespace views {

/// The theme the application wears, as QApplication::palette() is the palette it wears: process-wide, set by
/// `applyTheme` alone. Widgets repaint on a change because the style sheet and the palette change with it;
/// one that caches colours or metrics drops them in changeEvent (QEvent::PaletteChange).
[[nodiscard]] const Theme& activeTheme();

/// Dresses the application: Fusion base style, palette, style sheet, body font. May be called again at any
/// time.
void applyTheme(QApplication& application, const Theme& theme);

/// The style sheet of `theme`: one template with its roles and sizes filled in.
[[nodiscard]] QString styleSheet(const Theme& theme);

} // namespace views
