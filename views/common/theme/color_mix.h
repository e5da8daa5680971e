#pragma once

#include <QColor>

namespace views {

/// a·(1−t) + b·t per sRGB channel; the result is opaque.
[[nodiscard]] QColor mix(const QColor& a, const QColor& b, double t);

/// `color` with the opacity `alpha` (0 … 1).
[[nodiscard]] QColor withAlpha(QColor color, double alpha);

/// Relative luminance of WCAG 2.1, 0 … 1.
[[nodiscard]] double relativeLuminance(const QColor& color);

/// Contrast ratio of WCAG 2.1, 1 … 21.
[[nodiscard]] double contrastRatio(const QColor& a, const QColor& b);

} // namespace views
