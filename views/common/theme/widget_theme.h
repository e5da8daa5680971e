#pragma once

#include "views/common/theme/theme.h"

class QApplication;
class QWidget;

namespace views {

/// The theme of a widget, as QWidget::palette() is its palette: that of the nearest of it and its parents
/// that was given one by `applyTheme`, else the application's (also for null). The reference holds until the
/// next `applyTheme`. Widgets repaint on a change because the style sheet and the palette change with it; one
/// that caches colours or metrics drops them in changeEvent (QEvent::PaletteChange).
[[nodiscard]] const Theme& themeOf(const QWidget* widget);

/// Gives the application a theme: Fusion base style, palette, style sheet, body font. May be called again at
/// any time.
void applyTheme(QApplication& application, const Theme& theme);

/// Gives a window, or any other widget, and everything in it a theme other than the application's.
void applyTheme(QWidget& widget, const Theme& theme);

/// The style sheet of `theme`: one template with its roles and sizes filled in.
[[nodiscard]] QString styleSheet(const Theme& theme);

} // namespace views
