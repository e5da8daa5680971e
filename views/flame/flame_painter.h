#pragma once

#include "views/common/theme/theme.h"
#include "views/common/widgets/picture_export.h"
#include "views/flame/flame_layout.h"

#include <QPainter>

namespace views {

/// Boxes, their names where they fit, the chosen one with its ring; what does not match a filter is pale.
void paintFlame(QPainter& painter, const FlameScene& scene, const QRectF& rect, const Theme& theme);

/// The time of a run as a flame graph for a file; an empty size takes 1100 × as much as its rows need.
[[nodiscard]] core::Result<Picture> flamePicture(const core::ProfileDatabase& database, core::RunId run,
                                                 core::TimeGrouping grouping, const Theme& theme,
                                                 const QSizeF& size = {});
/// The same of what is shown.
[[nodiscard]] Picture flamePicture(const FlameScene& scene, const Theme& theme, const QSizeF& size = {});

} // namespace views
