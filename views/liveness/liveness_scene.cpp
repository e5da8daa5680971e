#include "views/liveness/liveness_scene.h"

#include "views/profile/time/time_axis.h"

#include <algorithm>

namespace views {

namespace {

constexpr double leftMargin = 58;
constexpr double rightMargin = 16;
constexpr double stripHeight = 15;
constexpr double titleHeight = 22;
constexpr double axisHeight = 20;
/// Of the height that is left, for the curve.
constexpr double curveShare = 0.5;

bool usesTime(const LivenessScene& scene) {
    return scene.state.axis == LivenessAxis::Time && !scene.data->stepTimes.empty();
}

} // namespace

double LivenessScene::end() const {
    return position(data->steps());
}

double LivenessScene::position(std::int64_t step) const {
    if (!usesTime(*this))
        return static_cast<double>(step);
    const auto& times = data->stepTimes;
    return static_cast<double>(
        times[static_cast<std::size_t>(std::clamp<std::int64_t>(step, 0, std::int64_t(times.size()) - 1))]
            .value());
}

std::int64_t LivenessScene::stepAt(double at) const {
    const std::int64_t last = std::max<std::int64_t>(0, data->steps() - 1);
    if (!usesTime(*this))
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(at), 0, last);
    const auto& times = data->stepTimes;
    const auto next = std::upper_bound(times.begin(), times.end(), at, [](double value, core::Cycles t) {
        return value < double(t.value());
    });
    return std::clamp<std::int64_t>(next - times.begin() - 1, 0, last);
}

std::optional<std::int64_t> LivenessScene::stepAt(const TimeCursor& place) const {
    const auto program = data->programTimes.find({place.stage, place.phase});
    if (program == data->programTimes.end())
        return std::nullopt;
    // The last step of the program that has begun; its first where none has.
    std::optional<std::int64_t> step;
    for (const core::LivenessPoint& point : data->curve.points) {
        if (point.stage != place.stage || point.phase != place.phase)
            continue;
        const auto index = static_cast<std::size_t>(&point - data->curve.points.data());
        if (step && data->stepTimes[index] > program->second + place.inside)
            break;
        step = point.step;
    }
    return step;
}

std::optional<double> LivenessScene::position(const TimeCursor& place) const {
    const std::optional<std::int64_t> step = stepAt(place);
    if (!step)
        return std::nullopt;
    if (!usesTime(*this))
        return static_cast<double>(*step) + 0.5;
    return static_cast<double>((data->programTimes.at({place.stage, place.phase}) + place.inside).value());
}

std::optional<TimeCursor> LivenessScene::cursorAt(double at) const {
    const std::int64_t step = stepAt(at);
    const core::LivenessPoint* point = data->pointAt(step);
    if (point == nullptr || data->stepTimes.empty())
        return std::nullopt;
    const auto program = data->programTimes.find({point->stage, point->phase});
    if (program == data->programTimes.end())
        return std::nullopt;
    const core::Cycles time =
        usesTime(*this) ? core::Cycles(static_cast<std::int64_t>(at))
                        : data->stepTimes[static_cast<std::size_t>(point - data->curve.points.data())];
    TimeCursor cursor;
    cursor.ipu = data->ipu;
    cursor.stage = point->stage;
    cursor.phase = point->phase;
    cursor.inside = std::max(core::Cycles(), time - program->second);
    return cursor;
}

bool LivenessScene::showsLimit() const {
    constexpr std::int64_t farAway = 4;
    return !data->curve.peak || data->curve.points[*data->curve.peak].live * farAway >= data->curve.limit;
}

core::Bytes LivenessScene::top() const {
    const core::Bytes peak = data->curve.peak ? data->curve.points[*data->curve.peak].live : core::Bytes();
    // Room for the flag of the peak, or for the label above the limit's line.
    const double space = showsLimit() ? 1.1 * static_cast<double>(std::max(peak, data->curve.limit).value())
                                      : 1.35 * static_cast<double>(peak.value());
    return core::Bytes(static_cast<std::int64_t>(space));
}

core::Bytes LivenessScene::addressTop() const {
    return core::Bytes(static_cast<std::int64_t>(1.05 * static_cast<double>(placement->top.value())));
}

QRectF LivenessLayout::strip() const {
    return {px(leftMargin), px(4), width - px(leftMargin + rightMargin), px(stripHeight)};
}

QRectF LivenessLayout::curve() const {
    const double top = strip().bottom() + px(4);
    const double free =
        std::max(0.0, height - top - px((isWide() ? titleHeight : 2 * titleHeight) + axisHeight + 6));
    return {px(leftMargin), top, strip().width(), free * curveShare};
}

QRectF LivenessLayout::title() const {
    return {0, curve().bottom() + px(6), width, px(isWide() ? titleHeight : 2 * titleHeight)};
}

QRectF LivenessLayout::words() const {
    const double right = isWide() ? legend().left() : width;
    return {px(12), title().top(), std::max(0.0, right - px(24)), px(titleHeight)};
}

QRectF LivenessLayout::legend() const {
    // Beside the words where there is much space, else below them.
    const double left = isWide() ? px(400) : px(12);
    return {left, title().bottom() - px(titleHeight), std::max(0.0, width - left - px(rightMargin)),
            px(titleHeight)};
}

QRectF LivenessLayout::lifetimes() const {
    const double top = title().bottom();
    return {px(leftMargin), top, strip().width(), std::max(0.0, height - px(axisHeight) - top)};
}

QRectF LivenessLayout::axis() const {
    return {px(leftMargin), height - px(axisHeight), strip().width(), px(axisHeight)};
}

double LivenessLayout::x(const LivenessScene& scene, double position) const {
    const double length = std::max(1e-9, scene.to() - scene.from());
    return strip().left() + (position - scene.from()) / length * strip().width();
}

double LivenessLayout::positionAt(const LivenessScene& scene, double x) const {
    return scene.from() + (x - strip().left()) / std::max(1.0, strip().width()) * (scene.to() - scene.from());
}

double LivenessLayout::y(const QRectF& area, core::Bytes bytes, core::Bytes top) {
    return area.bottom() - ratio(bytes, top) * area.height();
}

QRectF LivenessLayout::rangeRect(const LivenessScene& scene, const PlacedRange& placed) const {
    const core::LiveRangeRecord& range = scene.data->ranges[placed.range];
    const QRectF area = lifetimes();
    const core::Bytes top = scene.addressTop();
    const double left = x(scene, scene.position(range.alwaysLive ? 0 : range.firstStep));
    const double right =
        x(scene, scene.position(range.alwaysLive ? scene.data->steps() : range.lastStep + 1));
    const double upper = y(area, placed.bottom + range.bytes, top);
    return {left, upper, std::max(1.0, right - left), y(area, placed.bottom, top) - upper};
}

std::vector<double> byteTicks(core::Bytes top, const UnitChoice& unit, double height, double scale) {
    constexpr double spacing = 36;
    const int count = std::max(2, static_cast<int>(height / (spacing * scale)));
    std::vector<double> ticks = valueTicks(0, static_cast<double>(top.value()) * unit.factor, count);
    for (double& tick : ticks)
        tick /= unit.factor;
    return ticks;
}

std::optional<std::size_t> rangeUnder(const LivenessScene& scene, const LivenessLayout& layout,
                                      const QPointF& point) {
    if (!layout.lifetimes().contains(point))
        return std::nullopt;
    for (auto placed = scene.placement->placed.rbegin(); placed != scene.placement->placed.rend(); ++placed) {
        if (layout.rangeRect(scene, *placed).adjusted(-1, -1, 1, 1).contains(point))
            return placed->range;
    }
    return std::nullopt;
}

} // namespace views
