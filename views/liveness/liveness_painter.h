#pragma once

#include "views/common/theme/theme.h"
#include "views/liveness/liveness_scene.h"
#include "views/profile/legend_bar.h"

#include <QPainter>
#include <vector>

class QCustomPlot;

namespace views {

/// Fills the plot with the stacked curve of the scene; its axis rectangle covers the whole plot, so the
/// widget's place is the curve's.
void fillLivenessPlot(QCustomPlot& plot, const LivenessScene& scene, const Theme& theme);
/// Only the part of the x axis that is in view, and the lines of the grid.
void setLivenessRange(QCustomPlot& plot, const LivenessScene& scene, const LivenessLayout& layout);

/// The categories that the IPU has at all.
[[nodiscard]] std::vector<LegendEntry> livenessLegend(const LivenessData& data, const Theme& theme);

/// What is around the curve: programs, y labels, limit and its formula.
void paintCurveFrame(QPainter& painter, const LivenessScene& scene, const LivenessLayout& layout,
                     const Theme& theme);
/// Rectangles of the blocks with their title and axis.
void paintLifetimes(QPainter& painter, const LivenessScene& scene, const LivenessLayout& layout,
                    const Theme& theme);
/// Frozen columns through both parts, the flag of the peak, the ring of the selected block.
void paintLivenessOverlay(QPainter& painter, const LivenessScene& scene, const LivenessLayout& layout,
                          const Theme& theme);
/// All of it, the plot included: for files.
void paintLiveness(QPainter& painter, const LivenessScene& scene, const LivenessLayout& layout,
                   const Theme& theme);

} // namespace views
