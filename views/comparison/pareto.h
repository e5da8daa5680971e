#pragma once

#include "core/profile/queries/run_queries.h"
#include "views/profile/pareto/pareto_plot.h"

#include <vector>

namespace views {

/// Runs in the plane of throughput and memory, each by its number; those without figures are left out.
[[nodiscard]] std::vector<ParetoPoint> paretoPoints(const std::vector<core::RunRow>& rows);

/// The runs with the compared ones as letters.
[[nodiscard]] ParetoScene paretoScene(const std::vector<core::RunRow>& rows,
                                      const std::vector<core::RunId>& compared, const Units& units);

} // namespace views
