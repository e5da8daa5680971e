#pragma once

#include "views/common/theme/theme.h"
#include "views/document/selection.h"
#include "views/timeline/painting/timeline_scene.h"

#include <QLineF>
#include <QPainter>

namespace views {

// Values to pixels, in layers: what only changes with the data and the view, and what lies on top of it.

/// Everything: for exports and thumbnails.
void paintTimeline(QPainter& painter, const TimelineScene& scene, const Theme& theme);

/// The same over a picture whose lanes and whose overview without its frame are painted.
void paintAroundLanes(QPainter& painter, const TimelineScene& scene, const Theme& theme);

/// Spans, gaps, exchange, sync and host lanes, counters, row backgrounds, as far as they meet `area`.
void paintLanes(QPainter& painter, const TimelineScene& scene, const QRectF& area, const Theme& theme);
/// Names at the left of the lanes, and the corner above them.
void paintLaneHeaders(QPainter& painter, const TimelineScene& scene, const Theme& theme);
/// The strip above: how busy the updates are, and around what is in view a frame.
void paintOverviewGround(QPainter& painter, const TimelineScene& scene, const Theme& theme);
void paintOverviewFrame(QPainter& painter, const TimelineScene& scene, const Theme& theme);
/// Bands, slots and time.
void paintRuler(QPainter& painter, const TimelineScene& scene, const Theme& theme);
/// The chain that makes the step as long as it is: a line along the lower edge of its spans, a ring where it
/// changes lane.
void paintCriticalPath(QPainter& painter, const TimelineScene& scene, const Theme& theme);
/// The critical path, flow curves, the ring of the selected span, the area, markers.
void paintOverlays(QPainter& painter, const TimelineScene& scene, const Theme& theme);

/// What runs on an IPU (index of the frame) at a time of the run, as far as its spans are in view one by one;
/// without an IPU the time alone.
[[nodiscard]] TimeCursor cursorAt(const TimelineScene& scene, std::optional<std::size_t> ipu,
                                  core::Cycles time);
/// Where a cursor is drawn: through all lanes at its time, else through every program that is that far.
[[nodiscard]] std::vector<QLineF> cursorLines(const TimelineScene& scene, const TimeCursor& cursor);
void paintCursor(QPainter& painter, const TimelineScene& scene, const TimeCursor& cursor, const Theme& theme);

/// Rectangle of a span of an IPU's lane in the picture; nothing when its lane is not shown.
[[nodiscard]] std::optional<QRectF> placeOf(const TimelineScene& scene, const PlacedSpan& span);

} // namespace views
