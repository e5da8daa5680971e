#include "views/comparison/difference_lane.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/theme.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace views {

namespace {

using core::ComparedPiece;
using core::Cycles;

const ComparedPiece& pieceOf(const ComparisonScene& scene, std::size_t piece) {
    return scene.data->pieces.pieces[piece];
}

Cycles differenceOf(const ComparisonScene& scene, std::size_t run, std::size_t piece) {
    return pieceOf(scene, piece).difference(run, scene.data->comparison.baseline);
}

QString nameOf(const ComparisonScene& scene, std::size_t piece) {
    return toQString(scene.data->pieces.name(pieceOf(scene, piece)));
}

TimeScale scaleOf(const ComparisonScene& scene) {
    const MiniTimeline& base = scene.data->timelines[scene.data->comparison.baseline];
    return {base.clockHz, base.step};
}

QString textOf(const ComparisonScene& scene, Cycles cycles) {
    return timeText(cycles, scene.state.units.time, scaleOf(scene)).joined();
}

/// "+0.32 ms", "−1.20 ms", "0".
QString signedTextOf(const ComparisonScene& scene, Cycles cycles) {
    if (cycles.value() == 0)
        return QStringLiteral("0");
    const QString size = textOf(scene, Cycles(std::abs(cycles.value())));
    return (cycles.value() < 0 ? QChar(0x2212) : QChar('+')) + size;
}

/// Of the first pieces of the step, as many as `count`.
Cycles sumOfDifferences(const ComparisonScene& scene, std::size_t run, std::size_t count) {
    Cycles sum;
    for (std::size_t i = 0; i < count; ++i)
        sum += differenceOf(scene, run, i);
    return sum;
}

Cycles largestDifference(const ComparisonScene& scene, std::size_t run) {
    Cycles largest;
    for (std::size_t i = 0; i < scene.data->pieces.pieces.size(); ++i)
        largest = std::max(largest, Cycles(std::abs(differenceOf(scene, run, i).value())));
    return largest;
}

/// The differences of pieces that share a column of pixels, together: those narrower than a pixel are drawn
/// once.
struct DrawnDifference {
    double left = 0;
    double right = 0;
    Cycles difference;
};

std::vector<DrawnDifference> drawnDifferences(const ComparisonScene& scene, const ComparisonLayout& layout,
                                              std::size_t run) {
    std::vector<DrawnDifference> drawn;
    for (std::size_t i = 0; i < scene.data->pieces.pieces.size(); ++i) {
        const auto rect = differenceRect(scene, layout, run, i);
        if (!rect)
            continue;
        const Cycles difference = differenceOf(scene, run, i);
        if (!drawn.empty() && drawn.back().right - drawn.back().left < 1 && rect->left() < drawn.back().right)
            drawn.back() = {drawn.back().left, std::max(drawn.back().right, rect->right()),
                            drawn.back().difference + difference};
        else
            drawn.push_back({rect->left(), rect->right(), difference});
    }
    return drawn;
}

} // namespace

QString differenceTitle(const ComparisonScene& scene, std::size_t run) {
    return QStringLiteral("Δ %1 %2 %3")
        .arg(runLetter(run), QChar(0x2212), runLetter(scene.data->comparison.baseline));
}

std::optional<QRectF> differenceRect(const ComparisonScene& scene, const ComparisonLayout& layout,
                                     std::size_t run, std::size_t piece) {
    const auto& place = pieceOf(scene, piece).places[run];
    const QRectF lane = layout.differences(run);
    if (!place)
        return std::nullopt;
    const TimeToPixel axis = scene.axisOf(run, lane.left(), lane.width());
    const double left = axis.x(place->start);
    return QRectF(left, lane.top(), axis.x(place->end) - left, lane.height());
}

std::optional<std::size_t> differenceAt(const ComparisonScene& scene, const ComparisonLayout& layout,
                                        std::size_t run, const QPointF& point) {
    const QRectF lane = layout.differences(run);
    if (!lane.contains(point))
        return std::nullopt;
    const Cycles time = scene.axisOf(run, lane.left(), lane.width()).time(point.x());
    for (std::size_t i = 0; i < scene.data->pieces.pieces.size(); ++i) {
        const auto& place = pieceOf(scene, i).places[run];
        if (place && place->start <= time && time < place->end)
            return i;
    }
    return std::nullopt;
}

QString differenceText(const ComparisonScene& scene, std::size_t run, std::size_t piece) {
    const std::size_t base = scene.data->comparison.baseline;
    const ComparedPiece& compared = pieceOf(scene, piece);
    const Cycles difference = compared.difference(run, base);
    const auto timeIn = [&](std::size_t one) {
        return compared.places[one]
                   ? QStringLiteral("%1 in %2").arg(textOf(scene, compared.lengths[one]), runLetter(one))
                   : QStringLiteral("not in %1").arg(runLetter(one));
    };
    QString change = QStringLiteral("as long");
    if (difference.value() != 0) {
        change = signedTextOf(scene, difference);
        if (compared.lengths[base].value() != 0)
            change +=
                QStringLiteral(" (%1 %)").arg(signedText(100 * ratio(difference, compared.lengths[base]), 1));
        change += difference.value() > 0 ? QStringLiteral(", slower") : QStringLiteral(", faster");
    }
    return QStringLiteral("%1: %2\n%3, %4\n%5\nup to its end: %6")
        .arg(differenceTitle(scene, run), nameOf(scene, piece), timeIn(base), timeIn(run), change,
             signedTextOf(scene, sumOfDifferences(scene, run, piece + 1)));
}

QString differenceSummary(const ComparisonScene& scene, std::size_t run) {
    const auto& pieces = scene.data->pieces.pieces;
    std::size_t slower = 0;
    std::size_t faster = 0;
    std::size_t most = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Cycles difference = differenceOf(scene, run, i);
        slower += difference.value() > 0 ? 1 : 0;
        faster += difference.value() < 0 ? 1 : 0;
        if (std::abs(difference.value()) > std::abs(differenceOf(scene, run, most).value()))
            most = i;
    }
    const QString title = differenceTitle(scene, run);
    if (slower + faster == 0)
        return QStringLiteral("%1: every part of the step takes as long").arg(title);
    return QStringLiteral("%1: %2 in a step, slower in %3 and faster in %4 of %5 parts, most in %6 (%7)")
        .arg(title, signedTextOf(scene, sumOfDifferences(scene, run, pieces.size())))
        .arg(slower)
        .arg(faster)
        .arg(pieces.size())
        .arg(nameOf(scene, most), signedTextOf(scene, differenceOf(scene, run, most)));
}

void paintDifferenceLane(QPainter& painter, const ComparisonScene& scene, const ComparisonLayout& layout,
                         std::size_t run, const std::optional<std::size_t>& current, const Theme& theme) {
    const QRectF lane = layout.differences(run);
    const QRectF strip(0, lane.top(), lane.right(), lane.height());
    painter.fillRect(strip, theme.color(Role::Panel2));
    painter.fillRect(QRectF(0, strip.bottom() - 1, strip.width(), 1), theme.color(Role::Border));
    painter.fillRect(QRectF(lane.left() - 1, lane.top(), 1, lane.height()), theme.color(Role::Border));
    const Cycles step = sumOfDifferences(scene, run, scene.data->pieces.pieces.size());
    const auto roleOf = [](Cycles difference) {
        return difference.value() > 0 ? Role::Error : difference.value() < 0 ? Role::Success : Role::Text2;
    };
    const QRectF header(theme.px(12), lane.top(), lane.left() - theme.px(24), lane.height());
    painter.setPen(theme.color(Role::Text));
    paintElided(painter, header, Qt::AlignLeft | Qt::AlignVCenter, differenceTitle(scene, run),
                theme.font(11, QFont::DemiBold));
    painter.setPen(theme.color(roleOf(step)));
    paintElided(painter, header, Qt::AlignRight | Qt::AlignVCenter, signedTextOf(scene, step),
                theme.mono(11));

    painter.save();
    painter.setClipRect(lane.adjusted(0, 0, 0, -1), Qt::IntersectClip);
    const double middle = std::round(lane.center().y());
    const double half = lane.height() / 2 - theme.px(3);
    const double most = static_cast<double>(std::max(Cycles(1), largestDifference(scene, run)).value());
    const QFont font = theme.mono(10);
    for (const DrawnDifference& drawn : drawnDifferences(scene, layout, run)) {
        if (drawn.right < lane.left() || drawn.left > lane.right())
            continue;
        const auto size = static_cast<double>(drawn.difference.value());
        painter.fillRect(QRectF(drawn.left, lane.top() + theme.px(3), 1, lane.height() - theme.px(6)),
                         theme.color(Role::Border));
        if (size == 0)
            continue;
        const double height = std::max(1.0, half * std::min(1.0, std::abs(size) / most));
        const double width = std::max(1.0, drawn.right - drawn.left - 1);
        painter.fillRect(QRectF(drawn.left + 1, size > 0 ? middle - height : middle, width, height),
                         theme.color(roleOf(drawn.difference)));
        // On the side where the bar is not.
        const QString text = signedTextOf(scene, drawn.difference);
        const double left = std::max(drawn.left, lane.left()) + theme.px(3);
        if (textWidth(text, font) > std::min(drawn.right, lane.right()) - left)
            continue;
        painter.setPen(theme.color(roleOf(drawn.difference)));
        painter.setFont(font);
        painter.drawText(QRectF(left, size > 0 ? middle : middle - half - theme.px(2), drawn.right - left,
                                half + theme.px(2)),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    painter.fillRect(QRectF(lane.left(), middle - 0.5, lane.width(), 1), theme.color(Role::BorderStrong));
    if (const auto rect = current ? differenceRect(scene, layout, run, *current) : std::nullopt) {
        painter.setPen(QPen(theme.color(Role::Accent), 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect->adjusted(0.5, 1.5, -0.5, -2.5));
    }
    painter.restore();
}

} // namespace views
