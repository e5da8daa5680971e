#pragma once

#include "views/common/widgets/picture_export.h"
#include "views/plan/schedule/schedule_layout.h"

#include <QPainter>

namespace views {

/// What the user has chosen in the chart.
struct ScheduleState {
    /// Its way is drawn in full colour, all else pale.
    std::optional<std::int64_t> microBatch;
    std::optional<ScheduleCellId> selected;
};

/// Slots × IPUs: bands and slot numbers above, rows of work in the order of execution, idle time hatched,
/// what the host gives and takes below, legend.
void paintSchedule(QPainter& painter, const ScheduleChart& chart, const ScheduleState& state,
                   const ScheduleLayout& layout, const Theme& theme);

/// The chart for a file; an empty size is what it needs.
[[nodiscard]] Picture schedulePicture(const ScheduleChart& chart, const Theme& theme, const QSizeF& size = {},
                                      const ScheduleState& state = {});

} // namespace views
