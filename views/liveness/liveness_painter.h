#pragma once

#include "views/common/theme/theme.h"
#include "views/liveness/liveness_scene.h"
#include "views/profile/legend_bar.h"

#include <QPainter>
#include <vector>

class QCustomPlot;

namespace views {

/// What the stacked curve consists of.
struct LivenessBands {
    /// From below; each is a graph of the plot.
    std::vector<std::size_t> categories;
    /// Of these categories at every point of the curve.
    std::vector<std::int64_t> sums;
    /// Where every point begins on the axis.
    std::vector<double> positions;
};

/// Gives the plot a graph for each band of the scene's curve; its axis rectangle covers the whole plot, so
/// the widget's place is the curve's.
[[nodiscard]] LivenessBands fillLivenessPlot(QCustomPlot& plot, const LivenessScene& scene,
                                             const Theme& theme);
/// The part of the curve that is in view, and the lines of the grid. Where a pixel holds many steps it shows
/// the one with most.
void setLivenessRange(QCustomPlot& plot, const LivenessScene& scene, const LivenessBands& bands,
                      const LivenessLayout& layout);

/// The categories that the IPU has at all.
[[nodiscard]] std::vector<LegendEntry> livenessLegend(const LivenessData& data, const Theme& theme);

/// What is around the curve: programs, y labels, limit and its formula.
void paintCurveFrame(QPainter& painter, const LivenessScene& scene, const LivenessLayout& layout,
                     const Theme& theme);
/// "gaps at A 12.3 MiB of 390.1 MiB, 3.1 %, the largest 2.1 MiB": what lies free between the blocks; empty
/// where their addresses are not known.
[[nodiscard]] QString fragmentationText(const LivenessScene& scene);
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
