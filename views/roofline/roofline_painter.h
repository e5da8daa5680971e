#pragma once

#include "views/common/theme/theme.h"
#include "views/common/widgets/picture_export.h"
#include "views/roofline/roofline_plane.h"

#include <QPainter>
#include <QPainterPath>

namespace views {

/// The outline of a point: each phase has a shape, sums are discs.
[[nodiscard]] QPainterPath rooflineShape(std::optional<core::ProgramPhase> phase, const QPointF& centre,
                                         double radius);

/// Axes, roofs, points with the names that find room, the strip of what exchanges nothing, the frame.
void paintRoofline(QPainter& painter, const RooflineScene& scene, const QRectF& rect, const Theme& theme);

/// "● Forward ■ Backward …" of the phases that the points have, from the left; answers its width.
double paintRooflineKey(QPainter& painter, const QRectF& rect, const RooflineScene& scene,
                        const Theme& theme);

/// The roofline of a run for a file; an empty size takes 1100 × 680.
[[nodiscard]] core::Result<Picture> rooflinePicture(const core::ProfileDatabase& database, core::RunId run,
                                                    RooflineGrouping grouping, const Theme& theme,
                                                    const QSizeF& size = {});
/// The same of what is shown.
[[nodiscard]] Picture rooflinePicture(const RooflineScene& scene, const Theme& theme,
                                      const QSizeF& size = {});

} // namespace views
