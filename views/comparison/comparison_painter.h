#pragma once

#include "views/common/widgets/picture_export.h"
#include "views/comparison/comparison_scene.h"
#include "views/comparison/pareto.h"

#include <QPainter>

namespace views {

/// The letter of a run, filled for the baseline.
void paintRunLetter(QPainter& painter, const QRectF& rect, std::size_t run, bool isBaseline,
                    const Theme& theme);

/// The timelines of the runs, one under the other on one axis, with the end of the baseline through all.
void paintComparisonTimelines(QPainter& painter, const ComparisonScene& scene, const ComparisonLayout& layout,
                              const Theme& theme);

/// The runs, timelines, metrics, differences and the Pareto plot on one page; an empty size takes 1600 px and
/// the height they need.
[[nodiscard]] Picture pictureOf(const ComparisonScene& scene, const QSizeF& size, const Theme& theme);
[[nodiscard]] core::Result<Picture> comparisonPicture(const core::ProfileDatabase& database,
                                                      const std::vector<core::RunId>& runs,
                                                      core::RunId baseline, const Theme& theme,
                                                      const QSizeF& size = {},
                                                      const ComparisonState& state = {});

} // namespace views
