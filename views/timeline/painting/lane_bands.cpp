#include "views/timeline/painting/lane_bands.h"

#include <QThread>
#include <algorithm>
#include <cmath>

namespace views {

namespace {

/// Where rows begin in the picture.
std::vector<double> rowEdges(const TimelineScene& scene) {
    std::vector<double> edges;
    for (const auto* rows : {&scene.layout.pinnedRows, &scene.layout.rows})
        for (const TimelineRow& row : *rows)
            edges.push_back(scene.rowTop(row));
    std::sort(edges.begin(), edges.end());
    return edges;
}

/// The next place above that is whole in px and in pixels: a painter that is moved there rounds as one that
/// is not.
double wholeAbove(double y, double ratio) {
    constexpr int farthest = 32;
    for (int i = 0; i < farthest; ++i) {
        const double whole = std::floor(y) - i;
        if (whole * ratio == std::round(whole * ratio))
            return whole;
    }
    return -1;
}

/// A band of the picture by itself, from one row of its pixels to another: two painters at once need two
/// images, which may lie in one memory.
QImage bandOf(const QImage& picture, uchar* pixels, int first, int last) {
    QImage band(pixels + first * picture.bytesPerLine(), picture.width(), last - first,
                static_cast<int>(picture.bytesPerLine()), picture.format());
    band.setDevicePixelRatio(picture.devicePixelRatio());
    return band;
}

} // namespace

std::vector<double> laneBands(const TimelineScene& scene, int count, double ratio) {
    const QRectF lanes = scene.layout.pinnedLanes().united(scene.layout.lanes());
    std::vector<double> bands{lanes.top()};
    const std::vector<double> edges = rowEdges(scene);
    for (int i = 1; i < count; ++i) {
        const double wanted = lanes.top() + lanes.height() * i / count;
        const auto nearest = std::min_element(edges.begin(), edges.end(), [&](double a, double b) {
            return std::abs(a - wanted) < std::abs(b - wanted);
        });
        const double edge = nearest == edges.end() ? wanted : wholeAbove(*nearest, ratio);
        if (edge > bands.back() && edge < lanes.bottom())
            bands.push_back(edge);
    }
    bands.push_back(lanes.bottom());
    return bands;
}

void TimelineRaster::paint(QImage& picture, const TimelineScene& scene, const Theme& theme) {
    constexpr int mostBands = 8;
    const std::vector<double> bands =
        laneBands(scene, std::clamp(QThread::idealThreadCount(), 1, mostBands), picture.devicePixelRatio());
    uchar* pixels = picture.bits();
    const double ratio = picture.devicePixelRatio();
    const auto pixelRow = [&](double y) {
        return std::clamp(static_cast<int>(std::lround(y * ratio)), 0, picture.height());
    };
    const auto paintBand = [&](std::size_t i) {
        const int first = pixelRow(bands[i]);
        const int last = pixelRow(bands[i + 1]);
        if (first >= last)
            return;
        QImage band = bandOf(picture, pixels, first, last);
        QPainter painter(&band);
        painter.translate(0, -first / ratio);
        paintLanes(painter, scene, QRectF(0, first / ratio, scene.layout.width, (last - first) / ratio),
                   theme);
    };
    for (std::size_t i = 1; i + 1 < bands.size(); ++i)
        m_helpers.start([&paintBand, i] { paintBand(i); });
    paintBand(0);
    m_helpers.waitForDone();

    QPainter painter(&picture);
    const QRectF lanes = scene.layout.pinnedLanes().united(scene.layout.lanes());
    const QColor around = theme.color(Role::Panel);
    painter.fillRect(QRectF(0, 0, scene.layout.width, lanes.top()), around);
    painter.fillRect(QRectF(0, lanes.top(), lanes.left(), scene.layout.height - lanes.top()), around);
    // The lanes end at the scroll bar, the picture at the canvas.
    painter.fillRect(
        QRectF(scene.layout.width, 0, picture.width() / ratio - scene.layout.width, scene.layout.height),
        theme.color(Role::Canvas));
    paintOverviewGround(painter, scene, theme, ratio);
    paintAroundLanes(painter, scene, theme);
}

void TimelineRaster::paintOverviewGround(QPainter& painter, const TimelineScene& scene, const Theme& theme,
                                         double ratio) {
    const QRectF rect = scene.layout.overview();
    const QSizeF pixels = QSizeF(rect.right(), rect.bottom()) * ratio;
    const QSize size = pixels.toSize();
    // Between two pixels a copy is not what a painter draws there.
    if (QSizeF(size) != pixels)
        return views::paintOverviewGround(painter, scene, theme);
    const std::int64_t firstUpdate = overviewRange(*scene.frame, scene.state.view).first;
    if (m_overview.size() != size || m_overview.devicePixelRatio() != ratio || m_shown != scene.overview ||
        m_frame != scene.frame || m_firstUpdate != firstUpdate || m_theme != theme.kind()) {
        m_overview = QImage(size, QImage::Format_RGB32);
        m_overview.setDevicePixelRatio(ratio);
        QPainter ground(&m_overview);
        views::paintOverviewGround(ground, scene, theme);
        m_shown = scene.overview;
        m_frame = scene.frame;
        m_firstUpdate = firstUpdate;
        m_theme = theme.kind();
    }
    const QRectF strip(rect.topLeft() * ratio, rect.size() * ratio);
    painter.drawImage(rect, m_overview, strip);
}

} // namespace views
