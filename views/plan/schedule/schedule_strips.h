#pragma once

#include "core/plan/schedule_outcome.h"
#include "views/common/text/number_text.h"
#include "views/common/widgets/picture_export.h"
#include "views/common/widgets/tooltip_card.h"

#include <QPainter>
#include <QRectF>
#include <optional>
#include <vector>

namespace views {

/// Schedules under one another, each with what its IPUs do over one update, all on the same axis of time.
struct StripsScene {
    std::vector<core::ScheduleOutcome> outcomes;
    /// Of the project, for titles.
    QString subject;
    Units units;
    std::optional<std::size_t> chosen;
    std::optional<std::size_t> hovered;
    /// Lanes grow to fill this height where they need less, up to a limit.
    double room = 0;

    /// The longest update: the width of the axis.
    [[nodiscard]] core::Cycles span() const;
    [[nodiscard]] TimeScale timeScale() const;
};

/// "11,434 samples/s · 8.3 ms per update · 28.9 % idle · fullest IPU 374 MiB", or why there are no figures.
[[nodiscard]] QString outcomeText(const core::ScheduleOutcome& outcome, const Units& units);

/// Places of the outcomes in an area of this width, from (0, 0), and the height they have together with axis
/// and legend.
[[nodiscard]] std::vector<QRectF> stripPlaces(const StripsScene& scene, double width, const Theme& theme);
/// The outcome at a point.
[[nodiscard]] std::optional<std::size_t> stripAt(const StripsScene& scene, const QPointF& point, double width,
                                                 const Theme& theme);
[[nodiscard]] double stripsHeight(const StripsScene& scene, double width, const Theme& theme);

void paintStrips(QPainter& painter, const StripsScene& scene, double width, const Theme& theme);

/// The work at a point, if there is any; else the figures of the schedule there; empty elsewhere.
[[nodiscard]] ToolTipContent stripToolTip(const StripsScene& scene, const QPointF& point, double width,
                                          const Theme& theme);

/// For a file; an empty size is what it needs.
[[nodiscard]] Picture stripsPicture(const StripsScene& scene, const Theme& theme, const QSizeF& size = {});

} // namespace views
