#include "views/liveness/liveness_painter.h"

#include "core/profile/analysis/fragmentation.h"
#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/hatch.h"
#include "views/profile/time/plot_style.h"
#include "views/profile/time/time_axis.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <qcustomplot.h>
#include <set>

namespace views {

namespace {

using core::Bytes;

void paintText(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text,
               const QFont& font, const QColor& colour) {
    painter.setPen(colour);
    paintElided(painter, rect, alignment, text, font);
}

void paintPrograms(QPainter& painter, const LivenessScene& scene, const LivenessLayout& layout,
                   const Theme& theme) {
    const QRectF strip = layout.strip();
    painter.save();
    painter.setClipRect(strip, Qt::IntersectClip);
    const QFont font = theme.font(10, QFont::Medium);
    for (const ProgramStretch& stretch : scene.data->stretches) {
        const double left = std::max(strip.left(), layout.x(scene, scene.position(stretch.first)));
        const double right = std::min(strip.right(), layout.x(scene, scene.position(stretch.last + 1)));
        if (right - left < 2)
            continue;
        const QRectF rect(left, strip.top(), right - left - 1, strip.height());
        painter.setPen(Qt::NoPen);
        painter.setBrush(mix(theme.color(Role::Canvas), theme.activity(activityOf(stretch.phase)),
                             theme.isDark() ? 0.42 : 0.30));
        painter.drawRoundedRect(rect, 2, 2);
        const QString name = stretchName(stretch, scene.data->stages.size() > 1);
        if (textWidth(name, font) + theme.px(6) < rect.width())
            paintText(painter, rect, Qt::AlignCenter, name, font, theme.color(Role::Text));
    }
    painter.restore();
}

/// The fewest decimals at which values are not rounded, three at most.
int decimalsFor(const std::vector<double>& values) {
    constexpr int most = 3;
    double factor = 1;
    for (int decimals = 0; decimals < most; ++decimals, factor *= 10) {
        const auto isWhole = [factor](double value) {
            return std::abs(value * factor - std::round(value * factor)) < 1e-6;
        };
        if (std::all_of(values.begin(), values.end(), isWhole))
            return decimals;
    }
    return most;
}

/// Values at round places of the y axis, right-aligned before it.
void paintByteAxis(QPainter& painter, const LivenessScene& scene, const QRectF& area, Bytes top,
                   bool drawsGrid, const Theme& theme) {
    const UnitChoice unit = byteUnitFor(top, scene.state.units.bytes);
    const auto places = byteTicks(top, unit, area.height(), theme.scale());
    std::vector<double> values;
    for (const double place : places)
        values.push_back(place * unit.factor);
    const int decimals = decimalsFor(values);
    for (const double place : places) {
        const double value = place * unit.factor;
        const double y = std::round(area.bottom() - place / double(top.value()) * area.height()) + 0.5;
        if (y < area.top() + theme.px(4))
            continue;
        if (drawsGrid) {
            painter.setPen(QPen(theme.color(Role::Border), 1));
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        }
        paintText(painter, QRectF(0, y - theme.px(8), area.left() - theme.px(6), theme.px(16)),
                  Qt::AlignRight | Qt::AlignVCenter, fixedText(value, decimals), theme.mono(10),
                  theme.color(Role::Text3));
    }
    // The lifetimes have their title there, and the same unit.
    if (!drawsGrid)
        paintText(painter, QRectF(0, area.top() - theme.px(18), area.left() - theme.px(6), theme.px(16)),
                  Qt::AlignRight | Qt::AlignVCenter, unit.name, theme.font(10), theme.color(Role::Text3));
}

void paintStepAxis(QPainter& painter, const LivenessScene& scene, const LivenessLayout& layout,
                   const Theme& theme) {
    const QRectF axis = layout.axis();
    painter.setPen(QPen(theme.color(Role::BorderStrong), 1));
    painter.drawLine(axis.topLeft() + QPointF(0, 0.5), axis.topRight() + QPointF(0, 0.5));
    const bool isTime = scene.state.axis == LivenessAxis::Time && !scene.data->stepTimes.empty();
    std::vector<std::pair<double, QString>> ticks;
    if (isTime) {
        const TimeToPixel time{core::Cycles(std::llround(scene.from())),
                               core::Cycles(std::llround(scene.to())), 0, axis.width()};
        for (const AxisTick& tick :
             timeTicks(time, scene.state.units.time,
                       {scene.data->clockHz, core::Cycles(std::llround(scene.end()))}, theme.px(90))) {
            if (tick.isMajor)
                ticks.emplace_back(static_cast<double>(tick.at.value()), tick.label);
        }
    } else {
        for (const double step :
             valueTicks(scene.from(), scene.to(), static_cast<int>(axis.width() / theme.px(90)))) {
            if (step == std::floor(step))
                ticks.emplace_back(step, groupedText(static_cast<std::int64_t>(step)));
        }
    }
    for (const auto& [place, label] : ticks) {
        const double x = std::round(layout.x(scene, place)) + 0.5;
        painter.setPen(QPen(theme.color(Role::BorderStrong), 1));
        painter.drawLine(QPointF(x, axis.top()), QPointF(x, axis.top() + theme.px(4)));
        // Beside the axis stands its name, at which a long first label would end.
        const double middle = std::max(x, axis.left() + textWidth(label, theme.mono(10)) / 2);
        paintText(painter,
                  QRectF(middle - theme.px(45), axis.top() + theme.px(3), theme.px(90),
                         axis.height() - theme.px(3)),
                  Qt::AlignHCenter | Qt::AlignVCenter, label, theme.mono(10), theme.color(Role::Text3));
    }
    paintText(painter,
              QRectF(0, axis.top() + theme.px(3), axis.left() - theme.px(6), axis.height() - theme.px(3)),
              Qt::AlignRight | Qt::AlignVCenter, isTime ? QStringLiteral("time") : QStringLiteral("step"),
              theme.font(10), theme.color(Role::Text3));
}

/// A rounded label behind text on the canvas.
void paintPill(QPainter& painter, const QPointF& topLeft, const QString& text, const QFont& font,
               const QColor& colour, const Theme& theme) {
    const QRectF pill(topLeft, QSizeF(textWidth(text, font) + theme.px(10), theme.px(15)));
    painter.setPen(Qt::NoPen);
    painter.setBrush(withAlpha(theme.color(Role::Canvas), 0.88));
    painter.drawRoundedRect(pill, 3, 3);
    painter.setPen(colour);
    painter.setFont(font);
    painter.drawText(pill, Qt::AlignCenter, text);
}

QString limitText(const LivenessScene& scene) {
    const LivenessData& data = *scene.data;
    const ByteUnit unit = scene.state.units.bytes;
    QString text = QStringLiteral("IPU %1 limit %2")
                       .arg(data.ipu.value())
                       .arg(bytesText(data.curve.limit, unit).joined());
    if (data.tiles > 0 && data.memoryPerTile.value() > 0 &&
        data.tiles * data.memoryPerTile == data.curve.limit)
        text += QStringLiteral(" = %1 × %2")
                    .arg(groupedText(data.tiles), bytesText(data.memoryPerTile, unit).joined());
    return text;
}

QString limitLabel(const LivenessScene& scene) {
    return scene.showsLimit() ? limitText(scene) : QStringLiteral("↑ ") + limitText(scene);
}

double limitHeight(const LivenessScene& scene, const QRectF& curve, const Theme& theme) {
    return scene.showsLimit() ? LivenessLayout::y(curve, scene.data->curve.limit, scene.top())
                              : curve.top() + theme.px(18);
}

/// The place of the limit's label: above its line, or below it where there is no room.
QRectF limitPlace(const LivenessScene& scene, const QRectF& curve, const Theme& theme) {
    const double width = textWidth(limitLabel(scene), theme.font(11)) + theme.px(14);
    const double y = limitHeight(scene, curve, theme);
    const double above = y - theme.px(17);
    return {curve.right() - width, above >= curve.top() ? above : y + theme.px(3), width, theme.px(15)};
}

/// The line with its formula; where it is far above, only that.
void paintLimit(QPainter& painter, const LivenessScene& scene, const QRectF& curve, const Theme& theme) {
    if (scene.showsLimit()) {
        const double y = limitHeight(scene, curve, theme);
        QPen limit(theme.color(Role::Limit), 1.5);
        limit.setDashPattern({4, 2});
        painter.setPen(limit);
        painter.drawLine(QPointF(curve.left(), y), QPointF(curve.right(), y));
    }
    paintPill(painter, limitPlace(scene, curve, theme).topLeft(), limitLabel(scene), theme.font(11),
              theme.color(Role::Limit), theme);
}

bool isEmphasised(const LivenessScene& scene, const core::LiveRangeRecord& range) {
    const LivenessState& state = scene.state;
    if (!state.layers.empty())
        return state.layers.contains(range.layer);
    if (!state.isolated.empty() && !state.isolated.contains(range.category))
        return false;
    if (state.columns.empty() || range.alwaysLive)
        return true;
    return range.firstStep <= state.columns.front() && state.columns.front() <= range.lastStep;
}

/// Address space between blocks, hatched: memory that is not used at that time.
void paintGaps(QPainter& painter, const LivenessScene& scene, const LivenessLayout& layout,
               const Theme& theme) {
    const QRectF area = layout.lifetimes();
    const Bytes top = scene.addressTop();
    const QRectF used(area.left(), LivenessLayout::y(area, scene.placement->top, top), area.width(),
                      area.bottom() - LivenessLayout::y(area, scene.placement->top, top));
    painter.fillRect(used, theme.idleFill());
    fillHatch(painter, used, HatchPattern::Slash, theme.color(Role::Hatch));
}

/// A block that is lower than a pixel.
struct ThinBlock {
    QRectF rect;
    QRgb fill = 0;
};

/// Blocks lower than a pixel share its row: where several meet, the colour that covers most of it is the one
/// that is seen, so that many small blocks never hide larger neighbours, and none is lost.
void paintThinBlocks(QPainter& painter, const std::vector<ThinBlock>& blocks) {
    struct Change {
        double x = 0;
        QRgb fill = 0;
        double covered = 0;
    };
    std::map<int, std::vector<Change>> rows;
    for (const ThinBlock& block : blocks) {
        const auto first = static_cast<int>(std::floor(block.rect.top()));
        for (int row = first; row < block.rect.bottom(); ++row) {
            const double covered =
                std::min(block.rect.bottom(), row + 1.0) - std::max<double>(block.rect.top(), row);
            rows[row].push_back({block.rect.left(), block.fill, covered});
            rows[row].push_back({block.rect.right(), block.fill, -covered});
        }
    }
    constexpr double nothing = 1e-9;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (auto& [row, changes] : rows) {
        std::ranges::sort(changes, {}, &Change::x);
        std::map<QRgb, double> covered;
        double from = 0;
        std::optional<QRgb> shown;
        for (std::size_t i = 0; i < changes.size();) {
            const double x = changes[i].x;
            for (; i < changes.size() && changes[i].x == x; ++i)
                covered[changes[i].fill] += changes[i].covered;
            const auto most =
                std::ranges::max_element(covered, {}, [](const auto& part) { return part.second; });
            const std::optional<QRgb> next =
                most->second > nothing ? std::optional(most->first) : std::nullopt;
            if (next == shown)
                continue;
            if (shown)
                painter.fillRect(QRectF(from, row, std::max(1.0, x - from), 1), QColor::fromRgb(*shown));
            shown = next;
            from = x;
        }
    }
    painter.restore();
}

/// The flag of a frozen column beside its line.
void paintFlag(QPainter& painter, const LivenessScene& scene, const LivenessLayout& layout,
               std::size_t column, double& freeRight, const Theme& theme) {
    const std::int64_t step = scene.state.columns[column];
    const core::LivenessPoint* point = scene.data->pointAt(step);
    if (point == nullptr)
        return;
    const bool isPeak = step == scene.data->peakStep();
    const QString letter = columnLetter(column);
    const ByteUnit unit = scene.state.units.bytes;
    const QString first =
        (isPeak ? QStringLiteral("Peak ") : QString()) + bytesText(point->live, unit).joined();
    const QString second =
        QStringLiteral("%1 of limit · step %2 · %3")
            .arg(percentText(ratio(point->live, scene.data->curve.limit), 1), groupedText(step),
                 stretchName({point->stage, point->phase, 0, 0}, scene.data->stages.size() > 1));
    const QFont bold = theme.font(11, QFont::DemiBold);
    const QFont small = theme.font(10);
    const QSizeF size(std::max(textWidth(first, bold), textWidth(second, small)) + theme.px(44),
                      theme.px(36));
    const QRectF curve = layout.curve();
    const double x = layout.x(scene, (scene.position(step) + scene.position(step + 1)) / 2);
    const double y = LivenessLayout::y(curve, point->live, scene.top());
    QRectF card(QPointF(x + theme.px(10), 0), size);
    if (card.right() > curve.right())
        card.moveRight(x - theme.px(10));
    // Above the curve's peak, where there is room: over no part of the curve.
    const double highest =
        LivenessLayout::y(curve, scene.data->pointAt(scene.data->peakStep())->live, scene.top());
    card.moveTop(std::clamp(highest - size.height() - theme.px(8), curve.top() + theme.px(22),
                            curve.bottom() - size.height() - theme.px(4)));
    // The limit is read beside it: the card goes below the label, or before it.
    if (const QRectF limit = limitPlace(scene, curve, theme); card.intersects(limit)) {
        if (limit.bottom() + theme.px(4) + size.height() <= curve.bottom())
            card.moveTop(limit.bottom() + theme.px(4));
        else
            card.moveRight(limit.left() - theme.px(6));
    }
    // Two cards on one place: the later one goes lower.
    if (card.left() < freeRight && column > 0)
        card.moveTop(std::min(card.top() + size.height() + theme.px(6), curve.bottom() - size.height()));
    freeRight = std::max(freeRight, card.right());
    const QColor colour = column == 0 ? theme.color(Role::Accent) : theme.color(Role::Text2);
    painter.setPen(QPen(colour, 1.2));
    painter.setBrush(theme.color(Role::Raised));
    painter.drawRoundedRect(card, 4, 4);
    const QRectF chip(card.left() + theme.px(8), card.center().y() - theme.px(8), theme.px(16), theme.px(16));
    painter.setPen(Qt::NoPen);
    painter.setBrush(column == 0 ? theme.color(Role::AccentFill) : theme.color(Role::Text2));
    painter.drawRoundedRect(chip, 3, 3);
    painter.setFont(theme.font(10, QFont::DemiBold));
    painter.setPen(column == 0 ? theme.color(Role::OnAccent) : theme.color(Role::Panel));
    painter.drawText(chip, Qt::AlignCenter, letter);
    const QRectF words = card.adjusted(theme.px(32), theme.px(3), -theme.px(6), -theme.px(3));
    paintText(painter, QRectF(words.left(), words.top(), words.width(), words.height() / 2), Qt::AlignVCenter,
              first, bold, theme.color(Role::Text));
    paintText(painter, QRectF(words.left(), words.center().y(), words.width(), words.height() / 2),
              Qt::AlignVCenter, second, small, theme.color(Role::Text2));
    painter.setPen(QPen(theme.color(Role::Canvas), 1.5));
    painter.setBrush(colour);
    painter.drawEllipse(QPointF(x, y), 4, 4);
}

} // namespace

std::vector<LegendEntry> livenessLegend(const LivenessData& data, const Theme& theme) {
    std::set<core::MemoryCategory> shown;
    for (const core::LiveRangeRecord& range : data.ranges)
        shown.insert(range.category);
    return categoryLegend(theme, shown, data.peakByCategory());
}

void paintCurveFrame(QPainter& painter, const LivenessScene& scene, const LivenessLayout& layout,
                     const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintPrograms(painter, scene, layout, theme);
    paintByteAxis(painter, scene, layout.curve(), scene.top(), false, theme);
    painter.restore();
}

QString fragmentationText(const LivenessScene& scene) {
    if (!scene.placement || !scene.placement->hasAddresses || scene.state.columns.empty())
        return {};
    const core::Fragmentation found = core::fragmentationAt(scene.data->ranges, scene.state.columns.front());
    const ByteUnit unit = scene.state.units.bytes;
    // Where no block is known there is nothing between them.
    if (found.span.value() == 0)
        return {};
    if (found.gapCount == 0)
        return QStringLiteral("no gaps at A");
    return QStringLiteral("gaps at A %1 of %2, %3, the largest %4")
        .arg(bytesText(found.gaps, unit).joined(), bytesText(found.span, unit).joined(),
             percentText(found.share(), 1), bytesText(found.largestGap, unit).joined());
}

void paintLifetimes(QPainter& painter, const LivenessScene& scene, const LivenessLayout& layout,
                    const Theme& theme) {
    const QRectF title = layout.title();
    painter.save();
    painter.fillRect(title, theme.color(Role::Panel2));
    painter.setPen(QPen(theme.color(Role::Border), 1));
    painter.drawLine(title.topLeft() + QPointF(0, 0.5), title.topRight() + QPointF(0, 0.5));
    const QFont bold = theme.font(11, QFont::DemiBold);
    const QRectF words = layout.words();
    paintText(painter, words, Qt::AlignVCenter, QStringLiteral("Lifetimes"), bold, theme.color(Role::Text));
    const std::size_t shown = scene.placement->placed.size();
    const QString count = scene.placement->hidden == 0
                              ? QStringLiteral("%1 allocations").arg(groupedText(std::int64_t(shown)))
                              : QStringLiteral("%1 of %2 allocations")
                                    .arg(groupedText(std::int64_t(shown)),
                                         groupedText(std::int64_t(shown + scene.placement->hidden)));
    const QRectF after = words.adjusted(theme.px(66), 0, 0, 0);
    const QString axes = scene.placement->hasAddresses ? QStringLiteral(" · height = bytes · y = address")
                                                       : QStringLiteral(" · height = bytes · stacked");
    const QString gaps = fragmentationText(scene);
    QString said = count + axes + (gaps.isEmpty() ? gaps : QStringLiteral(" · ") + gaps);
    // The tool tip of the button Gaps has all of it.
    if (textWidth(said, theme.font(11)) > after.width())
        said = count + axes;
    if (after.width() > theme.px(100))
        paintText(painter, after, Qt::AlignVCenter, said, theme.font(11), theme.color(Role::Text3));

    const QRectF area = layout.lifetimes();
    const Bytes top = scene.addressTop();
    paintByteAxis(painter, scene, area, top, true, theme);
    painter.setClipRect(area, Qt::IntersectClip);
    if (scene.state.showsGaps)
        paintGaps(painter, scene, layout, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    std::vector<ThinBlock> thin;
    std::vector<std::pair<const core::LiveRangeRecord*, QRectF>> blocks;
    const auto fillOf = [&](const core::LiveRangeRecord& range) {
        const QColor colour = theme.category(range.category);
        return isEmphasised(scene, range) ? colour : mix(colour, theme.color(Role::Canvas), 0.62);
    };
    for (const PlacedRange& placed : scene.placement->placed) {
        const core::LiveRangeRecord& range = scene.data->ranges[placed.range];
        if (range.alwaysLive && !scene.state.showsAlwaysLive)
            continue;
        const QRectF rect = layout.rangeRect(scene, placed);
        if (rect.right() < area.left() || rect.left() > area.right())
            continue;
        if (rect.height() < 1)
            thin.push_back({rect, fillOf(range).rgb()});
        else
            blocks.emplace_back(&range, rect);
    }
    paintThinBlocks(painter, thin);
    for (const auto& [range, rect] : blocks) {
        const QColor fill = fillOf(*range);
        const bool hasOutline = rect.width() >= 4 && rect.height() >= 3 && !range->alwaysLive;
        painter.setPen(hasOutline ? QPen(mix(fill, theme.isDark() ? Qt::white : Qt::black, 0.22), 0.8)
                                  : Qt::NoPen);
        painter.setBrush(fill);
        const double radius = hasOutline ? 1.5 : 0;
        painter.drawRoundedRect(hasOutline ? rect.adjusted(0.4, 0.4, -0.4, -0.4) : rect, radius, radius);
    }
    painter.restore();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintStepAxis(painter, scene, layout, theme);
    painter.restore();
}

void paintLivenessOverlay(QPainter& painter, const LivenessScene& scene, const LivenessLayout& layout,
                          const Theme& theme) {
    const QRectF curve = layout.curve();
    const QRectF lifetimes = layout.lifetimes();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(
        QRectF(curve.left() - 4, curve.top() - 2, curve.width() + 8, lifetimes.bottom() - curve.top() + 2),
        Qt::IntersectClip);
    for (std::size_t i = 0; i < scene.state.columns.size(); ++i) {
        const std::int64_t step = scene.state.columns[i];
        const double x = layout.x(scene, (scene.position(step) + scene.position(step + 1)) / 2);
        painter.setPen(QPen(i == 0 ? theme.color(Role::Accent) : theme.color(Role::Text2), 1.6));
        painter.drawLine(QPointF(x, curve.top()), QPointF(x, curve.bottom()));
        painter.drawLine(QPointF(x, lifetimes.top()), QPointF(x, lifetimes.bottom()));
    }
    paintLimit(painter, scene, curve, theme);
    if (scene.state.showsAlwaysLive) {
        const double y = LivenessLayout::y(curve, scene.data->curve.alwaysLive, scene.top());
        QPen dots(theme.color(Role::Text), 1.4);
        dots.setDashPattern({1, 2});
        painter.setPen(dots);
        painter.drawLine(QPointF(curve.left(), y), QPointF(curve.right(), y));
        paintPill(painter, QPointF(curve.left() + theme.px(8), y - theme.px(18)),
                  QStringLiteral("always live ") +
                      bytesText(scene.data->curve.alwaysLive, scene.state.units.bytes).joined(),
                  theme.font(10), theme.color(Role::Text), theme);
    }
    if (scene.state.selected) {
        for (const PlacedRange& placed : scene.placement->placed) {
            if (placed.range != *scene.state.selected)
                continue;
            painter.setPen(QPen(theme.color(Role::Accent), 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(layout.rangeRect(scene, placed).adjusted(-1, -1, 1, 1), 2, 2);
        }
    }
    double freeRight = -1e9;
    for (std::size_t i = 0; i < scene.state.columns.size(); ++i)
        paintFlag(painter, scene, layout, i, freeRight, theme);
    painter.restore();
}

void paintLiveness(QPainter& painter, const LivenessScene& scene, const LivenessLayout& layout,
                   const Theme& theme) {
    painter.fillRect(QRectF(0, 0, layout.width, layout.height), theme.color(Role::Canvas));
    QCustomPlot plot;
    const LivenessBands bands = fillLivenessPlot(plot, scene, theme);
    setLivenessRange(plot, scene, bands, layout);
    paintPlot(painter, layout.curve(), plot);
    paintCurveFrame(painter, scene, layout, theme);
    paintLifetimes(painter, scene, layout, theme);
    paintLivenessOverlay(painter, scene, layout, theme);
    paintLegend(painter, layout.legend(), livenessLegend(*scene.data, theme), {}, theme);
}

} // namespace views
