#pragma once

#include "core/profile/records/time_records.h"
#include "views/common/theme/theme.h"

#include <QPainter>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

namespace views {

/// What a span's colour tells.
enum class SpanColour : std::uint8_t { Phase, Stage, Layer, MicroBatch };

/// Emphasis of a span.
enum class SpanEmphasis : std::uint8_t { Normal, Muted, Framed };

struct SpanColours {
    QColor fill;
    QColor outline;
    QColor text;
    HatchPattern pattern = HatchPattern::None;
};

[[nodiscard]] SpanColours spanColours(const core::SpanRecord& span, SpanColour colour, SpanEmphasis emphasis,
                                      const Theme& theme);

/// The same for a painter of many spans, of which thousands are alike.
class SpanPalette {
public:
    SpanPalette(SpanColour colour, const Theme& theme);

    const SpanColours& of(const core::SpanRecord& span, SpanEmphasis emphasis);

private:
    SpanColour m_colour;
    const Theme& m_theme;
    std::vector<std::optional<SpanColours>> m_colours;
};

/// Nothing thinner than this is drawn, so that nothing disappears.
inline constexpr double minimumSpanWidth = 1.6;

/// Rectangle of a span from x to x: at least the minimum width, apart from its neighbour by a hair where
/// there is space.
[[nodiscard]] QRectF spanRect(double fromX, double toX, double top, double height);

/// A block of this width or a gap may have space for a label: two letters of a block and more of a gap.
[[nodiscard]] bool hasLabelSpace(const QRectF& rect, bool isGap, const Theme& theme);

/// A block of time, its label where it fits with a pixel to spare on both sides.
void paintSpan(QPainter& painter, const QRectF& rect, const QString& label, const SpanColours& colours,
               SpanEmphasis emphasis, const Theme& theme);

/// An idle gap: its cause by fill, hatch and, where it fits, name.
void paintGap(QPainter& painter, const QRectF& rect, core::IdleCause cause, const QString& label,
              const Theme& theme);
/// An idle gap where causes do not matter.
void paintPlainGap(QPainter& painter, const QRectF& rect, const Theme& theme);

/// The ring around the selected span.
void paintSpanRing(QPainter& painter, const QRectF& rect, const Theme& theme);

/// A colour of the stage palette for a name, the same in every view and run.
[[nodiscard]] std::size_t colourIndexOf(std::string_view name);

} // namespace views
