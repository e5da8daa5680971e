#pragma once

#include "views/timeline/painting/timeline_painter.h"

#include <QImage>
#include <QThreadPool>

namespace views {

/// Edges of at most `count` horizontal bands that together are the lanes, pinned ones included, from top to
/// bottom. Between two bands is an edge of a row or a place close above, so that hardly a row is painted
/// twice, in px of a picture with `ratio` pixels each.
[[nodiscard]] std::vector<double> laneBands(const TimelineScene& scene, int count, double ratio);

/// Paints a timeline that changes from frame to frame.
class TimelineRaster {
public:
    /// The whole timeline into a picture of RGB32 or ARGB32, its lanes in bands on as many threads as the
    /// machine has.
    void paint(QImage& picture, const TimelineScene& scene, const Theme& theme);

private:
    /// The overview without its frame, which hardly changes, from the picture of a frame before.
    void paintOverviewGround(QPainter& painter, const TimelineScene& scene, const Theme& theme, double ratio);

    QThreadPool m_helpers;
    QImage m_overview;
    /// What `m_overview` shows.
    std::shared_ptr<const core::TimelineWindow> m_shown;
    std::shared_ptr<const TimelineFrame> m_frame;
    std::int64_t m_firstUpdate = -1;
    ThemeKind m_theme = ThemeKind::Light;
};

} // namespace views
