#include "views/profile/time/span_painter.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/hatch.h"

#include <cmath>

namespace views {

namespace {

constexpr double spanRadius = 2.5;
constexpr std::size_t emphasisCount = 3;

QColor baseColour(const core::SpanRecord& span, SpanColour colour, const Theme& theme) {
    if (colour == SpanColour::Stage && span.stage.isValid())
        return theme.stage(span.stage.index());
    if (colour == SpanColour::MicroBatch && span.microBatch >= 0)
        return theme.stage(static_cast<std::size_t>(span.microBatch));
    const std::optional<Activity> activity = activityOf(span.kind);
    return activity ? theme.activity(*activity) : theme.idleFill();
}

HatchPattern basePattern(const core::SpanRecord& span, SpanColour colour, const Theme& theme) {
    if (colour == SpanColour::Stage && span.stage.isValid() && core::programPhaseOf(span.kind))
        return theme.stageHatch(span.stage.index());
    const std::optional<Activity> activity = activityOf(span.kind);
    return activity ? theme.activityHatch(*activity) : HatchPattern::None;
}

/// What a rounded rectangle is on whole pixels, its corners left out; as a path it takes ten times as long.
void fillFrame(QPainter& painter, const QRectF& rect, double pen, const SpanColours& colours) {
    const QRectF sides = rect.adjusted(0, pen, 0, -pen);
    painter.fillRect(QRectF(rect.left() + pen, rect.top(), rect.width() - 2 * pen, pen), colours.outline);
    painter.fillRect(QRectF(rect.left() + pen, rect.bottom() - pen, rect.width() - 2 * pen, pen),
                     colours.outline);
    painter.fillRect(QRectF(rect.left(), sides.top(), pen, sides.height()), colours.outline);
    painter.fillRect(QRectF(rect.right() - pen, sides.top(), pen, sides.height()), colours.outline);
    painter.fillRect(rect.adjusted(pen, pen, -pen, -pen), colours.fill);
}

QColor textOn(const QColor& fill, const Theme& theme) {
    return contrastRatio(theme.color(Role::OnFill), fill) >= contrastRatio(Qt::white, fill)
               ? theme.color(Role::OnFill)
               : QColor(Qt::white);
}

} // namespace

std::size_t colourIndexOf(std::string_view name) {
    // FNV-1a: the same everywhere.
    std::uint32_t hash = 2166136261U;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash % stageColorCount;
}

SpanColours spanColours(const core::SpanRecord& span, SpanColour colour, SpanEmphasis emphasis,
                        const Theme& theme) {
    const QColor base = baseColour(span, colour, theme);
    SpanColours colours;
    colours.pattern = basePattern(span, colour, theme);
    if (emphasis == SpanEmphasis::Muted) {
        colours.fill = mix(theme.color(Role::Canvas), base, theme.isDark() ? 0.48 : 0.62);
        colours.outline = mix(colours.fill, Qt::black, 0.16);
        colours.text = theme.color(Role::Text);
        return colours;
    }
    colours.fill = base;
    colours.outline = emphasis == SpanEmphasis::Framed ? theme.color(Role::Accent)
                                                       : mix(base, Qt::black, theme.isDark() ? 0.28 : 0.30);
    colours.text = textOn(base, theme);
    return colours;
}

SpanPalette::SpanPalette(SpanColour colour, const Theme& theme)
    : m_colour(colour)
    , m_theme(theme)
    , m_colours(emphasisCount * core::spanKindCount * (stageColorCount + 1)) {}

const SpanColours& SpanPalette::of(const core::SpanRecord& span, SpanEmphasis emphasis) {
    std::size_t index = 0;
    if (m_colour == SpanColour::Stage && span.stage.isValid())
        index = 1 + span.stage.index() % stageColorCount;
    else if (m_colour == SpanColour::MicroBatch && span.microBatch >= 0)
        index = 1 + static_cast<std::size_t>(span.microBatch) % stageColorCount;
    const auto kind = static_cast<std::size_t>(span.kind);
    std::optional<SpanColours>& colours =
        m_colours[(index * core::spanKindCount + kind) * emphasisCount + static_cast<std::size_t>(emphasis)];
    if (!colours)
        colours = spanColours(span, m_colour, emphasis, m_theme);
    return *colours;
}

bool hasLabelSpace(const QRectF& rect, bool isGap, const Theme& theme) {
    return rect.width() >= theme.px(isGap ? 30 : 14);
}

QRectF spanRect(double fromX, double toX, double top, double height) {
    const double width = toX - fromX;
    if (width < minimumSpanWidth)
        return {fromX, top, minimumSpanWidth, height};
    // A hair of the background keeps neighbours apart, but never eats a narrow span.
    const double gap = width >= 4 ? 0.75 : 0;
    return {fromX, top, width - gap, height};
}

void paintSpan(QPainter& painter, const QRectF& rect, const QString& label, const SpanColours& colours,
               SpanEmphasis emphasis, const Theme& theme) {
    if (rect.width() < 4) {
        painter.fillRect(rect, colours.fill);
        return;
    }
    const double radius = std::min(spanRadius, rect.width() / 3);
    const bool isFramed = emphasis == SpanEmphasis::Framed;
    const double pen = isFramed ? 2.0 : theme.frameWidth();
    if (!isFramed && !isVectorDevice(painter) && !painter.testRenderHint(QPainter::Antialiasing)) {
        fillFrame(painter, rect, pen, colours);
    } else {
        painter.setPen(QPen(colours.outline, pen));
        painter.setBrush(colours.fill);
        painter.drawRoundedRect(rect.adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2), radius, radius);
    }
    if (colours.pattern != HatchPattern::None)
        fillHatch(painter, rect.adjusted(1.5, 1.5, -1.5, -1.5), colours.pattern,
                  hatchOn(colours.fill, theme));
    if (label.isEmpty() || !hasLabelSpace(rect, false, theme))
        return;
    const QFont font = theme.mono(11, isFramed ? QFont::DemiBold : QFont::Normal);
    const double width = textWidth(label, font);
    if (width + 4 > rect.width())
        return;
    if (colours.pattern != HatchPattern::None) {
        // Hatch lines would run through the letters.
        QRectF behind(0, 0, width + 3, theme.px(13));
        behind.moveCenter(rect.center());
        painter.fillRect(behind, colours.fill);
    }
    painter.setPen(colours.text);
    paintLabel(painter, rect, label, font);
}

void paintGap(QPainter& painter, const QRectF& rect, core::IdleCause cause, const QString& label,
              const Theme& theme) {
    painter.fillRect(rect, theme.idleFill(cause));
    if (rect.width() >= 2)
        fillHatch(painter, rect, Theme::idlePattern(cause), theme.idleHatch(cause));
    const double height = theme.px(14);
    if (label.isEmpty() || !hasLabelSpace(rect, true, theme))
        return;
    const QFont font = theme.font(10);
    const double width = textWidth(label, font) + theme.px(8);
    if (width + theme.px(6) > rect.width() || height > rect.height())
        return;
    QRectF pill(0, 0, width, height);
    pill.moveCenter(rect.center());
    painter.setPen(Qt::NoPen);
    painter.setBrush(withAlpha(theme.color(Role::Canvas), 0.9));
    painter.drawRoundedRect(pill, 3, 3);
    painter.setPen(theme.color(Role::Text2));
    paintLabel(painter, pill, label, font);
}

void paintPlainGap(QPainter& painter, const QRectF& rect, const Theme& theme) {
    painter.fillRect(rect, theme.idleFill());
    fillHatch(painter, rect, HatchPattern::Slash, theme.color(Role::Hatch));
}

void paintSpanRing(QPainter& painter, const QRectF& rect, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.color(Role::Accent), 2.4));
    painter.drawRoundedRect(rect.adjusted(-2.5, -2.5, 2.5, 2.5), spanRadius + 2.5, spanRadius + 2.5);
    painter.restore();
}

} // namespace views
