#pragma once

#include "core/plan/plan_estimate.h"
#include "views/graph/model/cut_points.h"

#include <vector>

namespace views {

/// What the slowest stage of the whole plan would work with each micro-batch, for every place of the cut
/// between stage `cut` and `cut` + 1: the figures of `estimate` with the layers between moved. A forecast
/// that is there at once for all places; taking one of them asks the simulator. Empty where the layers have
/// no times.
[[nodiscard]] std::vector<core::Cycles> cutCosts(const CanvasModel& model, const core::PlanEstimate& estimate,
                                                 const std::vector<CutPoint>& points, std::size_t cut);

} // namespace views
