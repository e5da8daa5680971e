#pragma once

#include "core/plan/plan_estimate.h"
#include "views/common/text/number_text.h"
#include "views/common/widgets/gauge.h"

#include <array>
#include <optional>

namespace views {

/// One line of the gauges of a stage.
struct GaugeRow {
    QString name;
    /// What stands before the bar in place of the name.
    QString label;
    Gauge gauge;
    NumberText value;
    GaugeLevel level = GaugeLevel::Fits;
    /// Change against the estimate before, as a share of it; nothing when there is none or nothing changed.
    std::optional<double> change;
    /// Stands in place of the bar ("last stage").
    QString note;
};

/// Time, memory, cut out, idle of a stage. `before` is the estimate of the project while `now` is that of a
/// preview.
[[nodiscard]] std::array<GaugeRow, 4> gaugeRows(const core::PlanEstimate& now,
                                                const core::PlanEstimate* before, std::size_t stage,
                                                const Units& units, const Theme& theme);

/// What a stage works with each micro-batch, as its gauge says.
[[nodiscard]] core::Cycles stageTime(const core::StageEstimate& stage);
/// The stage that sets the length of a slot: the one that works longest on the IPU that works longest. What
/// moves to and from the host holds all stages up alike, so it is left out, as in the verdict of a run.
[[nodiscard]] std::size_t slowestStage(const core::PlanEstimate& estimate);

} // namespace views
