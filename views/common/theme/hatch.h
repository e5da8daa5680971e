#pragma once

#include "views/common/theme/theme.h"

#include <QBrush>
#include <QPainter>
#include <QRectF>

namespace views {

/// Distance of hatch lines in px.
inline constexpr double hatchSpacing = 5.0;

/// A file of shapes (SVG, PDF) instead of pixels.
[[nodiscard]] bool isVectorDevice(const QPainter& painter);

/// Fills `rect` with the pattern in `color`. The pattern is anchored to the painter's origin, so neighbours
/// join. On raster devices it is a cached tile; into SVG, PDF and printers it is drawn as lines.
void fillHatch(QPainter& painter, const QRectF& rect, HatchPattern pattern, const QColor& color);

/// The tile of a pattern as a brush, for shapes that are not rectangles (raster devices only).
[[nodiscard]] QBrush hatchBrush(HatchPattern pattern, const QColor& color, double devicePixelRatio);

/// The colour of the hatch on a fill of a stage or phase: a darker or lighter shade that keeps text readable.
[[nodiscard]] QColor hatchOn(const QColor& fill, const Theme& theme);

} // namespace views
