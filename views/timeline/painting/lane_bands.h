#pragma once

#include "views/timeline/painting/timeline_painter.h"

#include <QImage>
#include <QThreadPool>

namespace views {

/// Edges of at most `count` horizontal bands that together are the lanes, pinned ones included, from top to
/// bottom. Between two bands is an edge of a row or a place close above, so that hardly a row is painted
/// twice, in px of a picture with `ratio` pixels each.
[[nodiscard]] std::vector<double> laneBands(const TimelineScene& scene, int count, double ratio);

/// The whole timeline into a picture of RGB32 or ARGB32, its lanes in bands on as many threads as the machine
/// has.
void paintTimeline(QImage& picture, const TimelineScene& scene, const Theme& theme, QThreadPool& helpers);

} // namespace views
