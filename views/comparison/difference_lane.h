#pragma once

#include "views/comparison/comparison_scene.h"

class QPainter;

namespace views {

class Theme;

// Between the lanes of the baseline and those of another run: by how much each piece of the step takes longer
// or shorter there. Bars upwards are slower, bars downwards faster.

/// "Δ B − A".
[[nodiscard]] QString differenceTitle(const ComparisonScene& scene, std::size_t run);
/// The piece of the step of a run that is under a point of its lane.
[[nodiscard]] std::optional<std::size_t> differenceAt(const ComparisonScene& scene,
                                                      const ComparisonLayout& layout, std::size_t run,
                                                      const QPointF& point);
/// Where a piece is in the lane; nothing where the run has no such piece.
[[nodiscard]] std::optional<QRectF> differenceRect(const ComparisonScene& scene,
                                                   const ComparisonLayout& layout, std::size_t run,
                                                   std::size_t piece);
/// Name, time in both runs, difference, and what it comes to up to there: a line each.
[[nodiscard]] QString differenceText(const ComparisonScene& scene, std::size_t run, std::size_t piece);
/// One sentence: how many pieces are slower and faster, and the largest difference.
[[nodiscard]] QString differenceSummary(const ComparisonScene& scene, std::size_t run);

/// `current`: the piece that is under the mouse or was walked to.
void paintDifferenceLane(QPainter& painter, const ComparisonScene& scene, const ComparisonLayout& layout,
                         std::size_t run, const std::optional<std::size_t>& current, const Theme& theme);

} // namespace views
