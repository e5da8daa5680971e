#pragma once

#include <QPainter>
#include <QString>

namespace views {

/// `text`, shortened in the middle with "…" so that it is at most `width` wide. Empty where not even one
/// letter fits: a label that does not fit is dropped, never clipped.
[[nodiscard]] QString elidedMiddle(const QString& text, const QFont& font, double width);
/// The same, shortened at the end: for prose.
[[nodiscard]] QString elidedEnd(const QString& text, const QFont& font, double width);
/// Facts are set apart by semicolons and commas: as many from the first on as have room. Where not even the
/// first has, it is cut.
[[nodiscard]] QString wholeFacts(const QString& text, const QFont& font, double width);

/// Draws one line of text in `rect` with the painter's pen, elided in the middle.
void paintElided(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text,
                 const QFont& font);

/// Width of a text in a font. Short texts are measured once.
[[nodiscard]] double textWidth(const QString& text, const QFont& font);

/// Draws a label that is painted again and again in `rect` with the painter's pen; it is shaped once and not
/// shortened.
void paintLabel(QPainter& painter, const QRectF& rect, const QString& label, const QFont& font,
                Qt::Alignment alignment = Qt::AlignCenter);

} // namespace views
