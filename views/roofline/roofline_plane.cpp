#include "views/roofline/roofline_plane.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace views {

namespace {

double rateOf(const core::RooflinePoint& point, double clockHz) {
    return point.flopsPerCycle() * clockHz;
}

double logOf(double value) {
    // What is nothing stands below every axis.
    constexpr double least = 1e-30;
    return std::log10(std::max(value, least));
}

LogRange widened(double low, double high) {
    // A run of one point has an axis too.
    constexpr double narrowest = 1;
    const double more = std::max(0.0, narrowest - (high - low)) / 2;
    return {low - more - 0.15, high + more + 0.25};
}

} // namespace

RooflineWindow windowOf(const core::Roofline& roofline, RooflineGrouping grouping) {
    double left = 1e9;
    double right = -1e9;
    double low = 1e9;
    double high = -1e9;
    const auto reachX = [&](double value) {
        left = std::min(left, logOf(value));
        right = std::max(right, logOf(value));
    };
    const auto reachY = [&](double value) {
        low = std::min(low, logOf(value));
        high = std::max(high, logOf(value));
    };
    for (const core::ComputeRoof& roof : roofline.roofs) {
        reachX(roofline.ridge(roof));
        reachY(core::real(roof.perCycle.value()) * roofline.clockHz);
    }
    for (const core::RooflinePoint& point : pointsOf(roofline, grouping)) {
        if (!RooflineScene::isDrawn(point))
            continue;
        if (const auto intensity = point.intensity())
            reachX(*intensity);
        reachY(rateOf(point, roofline.clockHz));
    }
    if (left > right)
        left = 0, right = 1;
    if (low > high)
        low = 9, high = 12;
    return {widened(left, right), widened(low, high)};
}

double RooflinePlane::x(double intensity) const {
    return area.left() + (logOf(intensity) - window.intensity.low) /
                             (window.intensity.high - window.intensity.low) * area.width();
}

double RooflinePlane::y(double rate) const {
    return area.bottom() -
           (logOf(rate) - window.rate.low) / (window.rate.high - window.rate.low) * area.height();
}

QPointF RooflinePlane::place(const core::RooflinePoint& point, double clockHz) const {
    const double up = y(rateOf(point, clockHz));
    if (const auto intensity = point.intensity())
        return {x(*intensity), up};
    // Side by side by phase; sums in the middle.
    const double column = point.phase ? (double(*point.phase) + 0.5) / double(core::programPhaseCount) : 0.5;
    return {strip.left() + column * strip.width(), up};
}

double RooflinePlane::intensityAt(double x) const {
    return std::pow(10, window.intensity.low + (x - area.left()) / area.width() *
                                                   (window.intensity.high - window.intensity.low));
}

double RooflinePlane::rateAt(double y) const {
    return std::pow(10, window.rate.low +
                            (area.bottom() - y) / area.height() * (window.rate.high - window.rate.low));
}

RooflineWindow RooflinePlane::zoomed(double factor, const QPointF& at) const {
    const auto scaled = [&](const LogRange& range, double centre) -> LogRange {
        // A hundredth of a decade is one pixel of nothing; fifty are more than any machine has.
        constexpr double narrowest = 0.01;
        constexpr double widest = 50;
        const double width = range.high - range.low;
        const double wanted = std::clamp(width * factor, narrowest, widest);
        const double share = (centre - range.low) / width;
        return {centre - share * wanted, centre + (1 - share) * wanted};
    };
    return {scaled(window.intensity, logOf(intensityAt(at.x()))), scaled(window.rate, logOf(rateAt(at.y())))};
}

RooflineWindow RooflinePlane::moved(const QPointF& byPixels) const {
    const double dx = byPixels.x() / area.width() * (window.intensity.high - window.intensity.low);
    const double dy = byPixels.y() / area.height() * (window.rate.high - window.rate.low);
    return {{window.intensity.low - dx, window.intensity.high - dx},
            {window.rate.low + dy, window.rate.high + dy}};
}

bool RooflineScene::hasStrip() const {
    return std::ranges::any_of(
        points(), [](const core::RooflinePoint& point) { return isDrawn(point) && !point.intensity(); });
}

std::vector<std::size_t> RooflineScene::drawOrder() const {
    std::vector<std::size_t> order(points().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t i) { return !isDrawn(points()[i]); });
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](std::size_t i) { return points()[i].cycles(); });
    return order;
}

double RooflineScene::radius(const core::RooflinePoint& point) const {
    constexpr double smallest = 3;
    constexpr double largest = 14;
    return std::clamp(largest * std::sqrt(ratio(point.cycles(), longest)), smallest, largest);
}

RooflineScene rooflineScene(std::shared_ptr<const core::Roofline> data, RooflineGrouping grouping) {
    RooflineScene scene;
    scene.data = std::move(data);
    scene.grouping = grouping;
    for (const core::RooflinePoint& point : scene.points())
        if (RooflineScene::isDrawn(point))
            scene.longest = std::max(scene.longest, point.cycles());
    return scene;
}

RooflinePlane planeOf(const RooflineScene& scene, const QRectF& rect, double scale) {
    RooflinePlane plane;
    plane.area = rect.adjusted(86 * scale, 14 * scale, -16 * scale, -36 * scale);
    if (scene.data && scene.hasStrip()) {
        plane.area.setRight(rect.right() - 106 * scale);
        plane.strip =
            QRectF(plane.area.right() + 10 * scale, plane.area.top(), 86 * scale, plane.area.height());
    }
    if (scene.data)
        plane.window = scene.shown.value_or(windowOf(*scene.data, scene.grouping));
    return plane;
}

std::optional<std::size_t> pointAt(const RooflineScene& scene, const RooflinePlane& plane, const QPointF& at,
                                   double scale) {
    std::optional<std::size_t> found;
    double nearest = 0;
    // The smaller lie on top.
    for (const std::size_t i : scene.drawOrder()) {
        const core::RooflinePoint& point = scene.points()[i];
        const QPointF d = plane.place(point, scene.data->clockHz) - at;
        const double distance = std::hypot(d.x(), d.y()) - scene.radius(point) * scale;
        constexpr double reach = 5;
        if (distance > reach * scale || (found && distance > std::max(nearest, 0.0)))
            continue;
        found = i;
        nearest = distance;
    }
    return found;
}

RooflineFrame frameOf(const RooflinePlane& plane, const QRectF& pixels) {
    const QRectF r = pixels.normalized();
    RooflineFrame frame;
    frame.window.intensity = {logOf(plane.intensityAt(r.left())),
                              logOf(plane.intensityAt(std::min(r.right(), plane.area.right())))};
    frame.window.rate = {logOf(plane.rateAt(r.bottom())), logOf(plane.rateAt(r.top()))};
    frame.holdsStrip = !plane.strip.isEmpty() && r.right() >= plane.strip.center().x() &&
                       r.left() <= plane.strip.center().x();
    frame.isStripOnly = frame.holdsStrip && r.left() > plane.area.right();
    return frame;
}

QRectF pixelsOf(const RooflinePlane& plane, const RooflineFrame& frame) {
    const auto at = [](double power) { return std::pow(10, power); };
    const double left = frame.isStripOnly
                            ? plane.strip.left()
                            : std::max(plane.area.left(), plane.x(at(frame.window.intensity.low)));
    const double right = frame.holdsStrip
                             ? plane.strip.right()
                             : std::min(plane.area.right(), plane.x(at(frame.window.intensity.high)));
    const double top = std::max(plane.area.top(), plane.y(at(frame.window.rate.high)));
    const double bottom = std::min(plane.area.bottom(), plane.y(at(frame.window.rate.low)));
    return {QPointF(left, top), QPointF(right, bottom)};
}

bool holds(const RooflineFrame& frame, const core::RooflinePoint& point, double clockHz) {
    if (!RooflineScene::isDrawn(point))
        return false;
    const double rate = logOf(rateOf(point, clockHz));
    if (rate < frame.window.rate.low || rate > frame.window.rate.high)
        return false;
    const auto intensity = point.intensity();
    if (!intensity)
        return frame.holdsStrip;
    const double x = logOf(*intensity);
    return !frame.isStripOnly && x >= frame.window.intensity.low && x <= frame.window.intensity.high;
}

} // namespace views
