#include "views/plan/schedule/schedule_layout.h"

#include "views/common/text/elided_text.h"

#include <algorithm>

namespace views {

namespace {

constexpr double mostCellWidth = 6000;
constexpr double margin = 12;
constexpr double columnGap = 5;
constexpr double omittedWidth = 74;
constexpr double updateWidth = 58;
/// Where there is space, cells grow up to this many times their narrowest, rows up to this height.
constexpr double widestCell = 4.5;
constexpr double tallestRow = 84;

/// Slots from both ends, as many as fit into `space`; how many of the front are shown, and how many of the
/// back.
std::pair<std::size_t, std::size_t> shownSlots(const ScheduleChart& chart, double space, double cellWidth) {
    const std::size_t count = chart.slotList.size();
    const auto widthOf = [&](std::size_t slot) {
        return double(chart.columnsOf(slot)) * cellWidth + columnGap;
    };
    double all = 0;
    for (std::size_t i = 0; i < count; ++i)
        all += widthOf(i);
    if (all <= space)
        return {count, 0};
    std::size_t front = 0;
    std::size_t back = 0;
    double used = omittedWidth + columnGap;
    while (front + back < count) {
        const bool isFront = front <= back;
        const double width = widthOf(isFront ? front : count - 1 - back);
        if (used + width > space)
            break;
        used += width;
        ++(isFront ? front : back);
    }
    return {front, back};
}

std::size_t cellUnits(const ScheduleChart& chart) {
    std::size_t units = 0;
    for (std::size_t i = 0; i < chart.slotList.size(); ++i)
        units += chart.columnsOf(i);
    return units;
}

/// Room for the widest label.
double narrowCell(const ScheduleChart& chart, const Theme& theme) {
    const QString widest =
        QStringLiteral("B") + QString::number(std::max<std::int64_t>(9, chart.microBatches - 1));
    return std::max(theme.px(24), textWidth(widest, theme.mono(11)) + theme.px(6));
}

double headerWidthOf(const ScheduleChart& chart, const Theme& theme) {
    std::size_t chips = 1;
    for (const ScheduleRow& row : chart.rows)
        chips = std::max(chips, std::min<std::size_t>(row.stages.size(), 6));
    return theme.px(114 + 20 * double(chips));
}

void placeColumns(const ScheduleChart& chart, const Theme& theme, double space, ScheduleLayout& layout) {
    const double updateSpace = chart.updateAfter ? theme.px(updateWidth) + columnGap : 0;
    const auto [front, back] = shownSlots(chart, space - updateSpace, layout.cellWidth);
    double x = layout.headerWidth;
    const auto add = [&](ScheduleColumn column, double width) {
        column.left = x;
        column.width = width;
        layout.columns.push_back(column);
        x += width + columnGap;
    };
    const std::size_t count = chart.slotList.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (i >= front && i < count - back) {
            add({ScheduleColumn::Kind::Omitted, i, count - front - back}, theme.px(omittedWidth));
            i = count - back - 1;
            continue;
        }
        add({ScheduleColumn::Kind::Slot, i, 0}, double(chart.columnsOf(i)) * layout.cellWidth);
    }
    if (chart.updateAfter)
        add({ScheduleColumn::Kind::Update, count, 0}, theme.px(updateWidth));
    layout.width = x - columnGap + theme.px(margin);
}

} // namespace

QRectF ScheduleLayout::row(std::size_t row) const {
    return {0, rowTop + double(row) * rowHeight, width, rowHeight};
}

QRectF ScheduleLayout::place(const ScheduleColumn& column, std::size_t row) const {
    return {column.left, rowTop + double(row) * rowHeight + 2, column.width, rowHeight - 4};
}

QRectF ScheduleLayout::cell(const ScheduleColumn& column, std::size_t row, std::size_t index) const {
    const QRectF slot = place(column, row);
    return {slot.left() + double(index) * cellWidth, slot.top(), cellWidth - 1, slot.height()};
}

ScheduleLayout layOut(const ScheduleChart& chart, const Theme& theme, double width, double height,
                      bool isCompact) {
    ScheduleLayout layout;
    layout.isCompact = isCompact;
    layout.headerWidth = headerWidthOf(chart, theme);
    const double narrow = narrowCell(chart, theme);
    layout.cellWidth = narrow;
    const double space =
        (width > 0 ? width : theme.px(mostCellWidth)) - layout.headerWidth - theme.px(margin);
    if (width > 0 && cellUnits(chart) > 0) {
        const double free = space - double(chart.slotList.size()) * columnGap -
                            (chart.updateAfter ? theme.px(updateWidth) + columnGap : 0);
        layout.cellWidth = std::clamp(free / double(cellUnits(chart)), narrow, widestCell * narrow);
    }
    placeColumns(chart, theme, space, layout);
    layout.width = std::max(layout.width, std::max(width, theme.px(480)));

    layout.lineHeight = theme.px(16);
    layout.bandTop = theme.px(isCompact ? 4 : 52);
    layout.numberTop = layout.bandTop + theme.px(16);
    layout.rowTop = layout.numberTop + theme.px(18);
    const double hosts = theme.px(4) + 2 * layout.lineHeight;
    const double below = hosts + (isCompact ? theme.px(2) : theme.px(10) + theme.px(20) + theme.px(8));
    const double rows = double(std::max<std::size_t>(1, chart.rows.size()));
    layout.rowHeight = std::clamp((height - layout.rowTop - below) / rows, theme.px(isCompact ? 24 : 30),
                                  theme.px(height > 0 ? tallestRow : 56));
    layout.tallest = layout.rowTop + rows * theme.px(tallestRow) + below;
    layout.hostTop = layout.rowTop + rows * layout.rowHeight + theme.px(4);
    layout.legendTop = layout.hostTop + 2 * layout.lineHeight + theme.px(isCompact ? 2 : 10);
    layout.height = std::max(height, layout.rowTop + rows * layout.rowHeight + below);
    return layout;
}

double fullWidth(const ScheduleChart& chart, const Theme& theme) {
    return headerWidthOf(chart, theme) + double(cellUnits(chart)) * narrowCell(chart, theme) +
           double(chart.slotList.size()) * columnGap +
           (chart.updateAfter ? theme.px(updateWidth) + columnGap : 0) + theme.px(margin);
}

std::optional<SchedulePlace> placeAt(const ScheduleChart& chart, const ScheduleLayout& layout,
                                     const QPointF& point) {
    using Kind = SchedulePlace::Kind;
    const auto column = std::find_if(layout.columns.begin(), layout.columns.end(), [&](const auto& c) {
        return point.x() >= c.left && point.x() < c.left + c.width;
    });
    if (column == layout.columns.end() || point.y() < layout.rowTop)
        return std::nullopt;
    const auto row = static_cast<std::size_t>((point.y() - layout.rowTop) / layout.rowHeight);
    if (row >= chart.rows.size()) {
        const double below = point.y() - layout.hostTop;
        if (column->kind != ScheduleColumn::Kind::Slot || below < 0 || below >= 2 * layout.lineHeight ||
            point.x() >= column->left + layout.cellWidth)
            return std::nullopt;
        const ScheduleSlot& slot = chart.slotList[column->slot];
        const bool isInfeed = below < layout.lineHeight;
        if (!(isInfeed ? slot.infeed : slot.outfeed))
            return std::nullopt;
        return SchedulePlace{isInfeed ? Kind::Infeed : Kind::Outfeed, column->slot, 0, 0, 0};
    }
    if (column->kind == ScheduleColumn::Kind::Omitted)
        return SchedulePlace{Kind::Omitted, column->slot, row, 0, column->omitted};
    if (column->kind == ScheduleColumn::Kind::Update)
        return SchedulePlace{Kind::Update, column->slot, row, 0, 0};
    const auto index = static_cast<std::size_t>((point.x() - column->left) / layout.cellWidth);
    const bool isWork = index < chart.slotList[column->slot].work[row].size();
    return SchedulePlace{isWork ? Kind::Work : Kind::Idle, column->slot, row, isWork ? index : 0, 0};
}

std::optional<ScheduleCellId> cellAt(const ScheduleChart& chart, const ScheduleLayout& layout,
                                     const QPointF& point) {
    const auto place = placeAt(chart, layout, point);
    if (!place || place->kind != SchedulePlace::Kind::Work)
        return std::nullopt;
    return ScheduleCellId{place->slot, place->row, place->index};
}

} // namespace views
