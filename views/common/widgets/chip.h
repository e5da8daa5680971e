#pragma once

#include "views/common/theme/theme.h"

#include <QPainter>
#include <QPixmap>
#include <QRectF>
#include <QString>

namespace views {

/// What a chip says by its colour.
enum class ChipTone : std::uint8_t { Neutral, Accent, Success, Warning, Error, Info };

/// Width of a chip with this text (height is 18 px of the theme).
[[nodiscard]] double chipWidth(const QString& text, const Theme& theme, bool hasIcon = false,
                               bool isRemovable = false);

/// A pill with text, and optionally an icon at its left or a ✕ at its right.
void paintChip(QPainter& painter, const QRectF& rect, const QString& text, ChipTone tone, const Theme& theme,
               const QString& iconName = {}, bool isRemovable = false);

/// Side of the square stage chip.
[[nodiscard]] double stageChipSide(const Theme& theme);

/// The number of a stage on its colour (with its hatch): how a stage is named in every view.
void paintStageChip(QPainter& painter, const QRectF& rect, std::size_t stage, const Theme& theme);

/// The stage chip as a picture for item views, combo boxes and tabs.
[[nodiscard]] QPixmap stageChipPixmap(std::size_t stage, const Theme& theme, double devicePixelRatio);

/// A 12 px colour swatch, hatched where the pattern asks for it.
void paintSwatch(QPainter& painter, const QRectF& rect, const QColor& color, HatchPattern pattern,
                 const Theme& theme);

/// A key cap such as "Ctrl+K"; right-aligned in `rect`. Answers its width.
double paintKeyCap(QPainter& painter, const QRectF& rect, const QString& keys, const Theme& theme);

} // namespace views
