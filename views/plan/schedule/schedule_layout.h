#pragma once

#include "views/common/theme/theme.h"
#include "views/plan/schedule/schedule_chart.h"

#include <QRectF>
#include <optional>
#include <vector>

namespace views {

/// A column of the picture: a slot, the slots left out of it, or the weight update.
struct ScheduleColumn {
    enum class Kind : std::uint8_t { Slot, Omitted, Update };
    Kind kind = Kind::Slot;
    /// Of a slot; the first one of those left out.
    std::size_t slot = 0;
    std::size_t omitted = 0;
    double left = 0;
    double width = 0;
};

/// Positions of everything.
struct ScheduleLayout {
    double width = 0;
    double height = 0;
    /// Height that more space does not help.
    double tallest = 0;
    double headerWidth = 0;
    double cellWidth = 0;
    /// Top of the bands, of the slot numbers, of the rows, of what the host does, of the legend.
    double bandTop = 0;
    double numberTop = 0;
    double rowTop = 0;
    double hostTop = 0;
    double legendTop = 0;
    double rowHeight = 0;
    double lineHeight = 0;
    bool isCompact = false;
    std::vector<ScheduleColumn> columns;

    [[nodiscard]] QRectF row(std::size_t row) const;
    /// A row's part of a column.
    [[nodiscard]] QRectF place(const ScheduleColumn& column, std::size_t row) const;
    [[nodiscard]] QRectF cell(const ScheduleColumn& column, std::size_t row, std::size_t index) const;
};

/// Room for a picture: a width of 0 is as wide as all slots need, up to 6 000 px of the theme. Where not all
/// slots fit, those in the middle, which are like each other, are left out. A height of 0 is what the rows
/// need; more is given to the rows. A compact one has neither title nor legend.
[[nodiscard]] ScheduleLayout layOut(const ScheduleChart& chart, const Theme& theme, double width = 0,
                                    double height = 0, bool isCompact = false);

/// Width that shows every slot of the chart with its narrowest cells.
[[nodiscard]] double fullWidth(const ScheduleChart& chart, const Theme& theme);

/// What is at a point of the picture. `row` and `index` are those of the part that is meant.
struct SchedulePlace {
    enum class Kind : std::uint8_t { Work, Idle, Omitted, Update, Infeed, Outfeed };
    Kind kind = Kind::Idle;
    std::size_t slot = 0;
    std::size_t row = 0;
    /// Of the work in its slot and row.
    std::size_t index = 0;
    /// Slots of an Omitted column.
    std::size_t omitted = 0;

    bool operator==(const SchedulePlace&) const = default;
};
[[nodiscard]] std::optional<SchedulePlace> placeAt(const ScheduleChart& chart, const ScheduleLayout& layout,
                                                   const QPointF& point);
/// The work at a point of the picture.
[[nodiscard]] std::optional<ScheduleCellId> cellAt(const ScheduleChart& chart, const ScheduleLayout& layout,
                                                   const QPointF& point);

} // namespace views
