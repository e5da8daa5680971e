#pragma once

#include "core/profile/queries/run_queries.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/picture_export.h"

#include <optional>
#include <span>
#include <vector>

class QCustomPlot;

namespace views {

/// A run in the plane of throughput and memory.
struct ParetoPoint {
    core::RunId run;
    double samplesPerSecond = 0;
    core::Bytes peak;
    std::int64_t ipus = 1;
    std::string schedule;
    bool fits = true;
};

[[nodiscard]] std::vector<ParetoPoint> paretoPoints(const std::vector<core::RunRow>& rows);

/// Indices of the runs that no other run beats: at least as fast, with at most as much memory, and one of
/// both strictly; in order of memory. Runs that do not fit do not count.
[[nodiscard]] std::vector<std::size_t> paretoFrontier(std::span<const ParetoPoint> points);

struct ParetoScene {
    std::vector<ParetoPoint> points;
    /// Of one IPU; nothing where runs have different ones.
    std::optional<core::Bytes> limit;
    /// Compared runs, as letters.
    std::vector<core::RunId> compared;
    Units units;
};
[[nodiscard]] ParetoScene paretoScene(const std::vector<core::RunRow>& rows,
                                      const std::vector<core::RunId>& compared, const Units& units);

/// Scatter by schedule (its shape), the frontier as a step line, what does not fit hatched.
void fillParetoPlot(QCustomPlot& plot, const ParetoScene& scene, const Theme& theme);
/// The point within some pixels of a place in the plot.
[[nodiscard]] std::optional<core::RunId> paretoRunAt(const QCustomPlot& plot, const ParetoScene& scene,
                                                     double x, double y);

} // namespace views
