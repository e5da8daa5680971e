#include "views/graph/scene/canvas_motion.h"

#include "views/graph/layout/stage_layout.h"

#include <algorithm>
#include <cmath>

namespace views {

namespace {

constexpr int frameMilliseconds = 16;
/// More boxes are not followed by anybody's eyes.
constexpr std::size_t mostBoxes = 2000;

/// Names a box beyond the drawing it is in: a group has a box in each stage.
std::string nameOf(const CanvasModel& model, const BoxShape& box) {
    return boxId(model, box) + '\n' +
           (box.stage.isValid() ? std::to_string(box.stage.index()) : std::string()) +
           (box.node >= 0 ? '\n' + std::to_string(model.nodes[std::size_t(box.node)].key.call)
                          : std::string());
}

double distance(const QPointF& a, const QPointF& b) {
    return std::hypot(a.x() - b.x(), a.y() - b.y());
}

} // namespace

CanvasMotion::CanvasMotion(int milliseconds, QObject* parent)
    : QObject(parent)
    , m_duration(milliseconds) {
    m_timer.setInterval(frameMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (m_clock.elapsed() >= m_duration)
            stop();
        emit advanced();
    });
}

void CanvasMotion::remember(const CanvasModel& model, const CanvasGeometry& geometry, const QRectF& visible,
                            const std::set<InvocationKey>& chosen) {
    Remembered before;
    before.isTopSeen = visible.top() <= geometry.bounds.top() + 1;
    before.isLeftSeen = visible.left() <= geometry.bounds.left() + 1;
    // A box that is on its way is where it is seen.
    const std::vector<QPointF> on = shifts();
    for (std::size_t i = 0; i < std::min(mostBoxes, geometry.boxes.size()); ++i)
        before.boxes[nameOf(model, geometry.boxes[i])] =
            geometry.boxes[i].rect.topLeft() + (on.empty() ? QPointF() : on[i]);
    double nearest = 0;
    bool isChosen = false;
    for (std::size_t i = 0; i < model.nodes.size() && i < geometry.placeOf.size(); ++i) {
        const QPointF at = geometry.placeOf[i].center();
        const bool wants = chosen.contains(model.nodes[i].key);
        if (!visible.contains(at) || (isChosen && !wants))
            continue;
        const double far = distance(at, visible.center());
        if (before.anchor && isChosen == wants && far >= nearest)
            continue;
        before.anchor = model.nodes[i].key;
        before.anchorAt = at;
        before.anchorStage = model.nodes[i].stage;
        nearest = far;
        isChosen = wants;
    }
    m_before = std::move(before);
}

std::optional<QPointF> CanvasMotion::drift(const CanvasModel& model, const CanvasGeometry& geometry) const {
    if (!m_before || !m_before->anchor)
        return std::nullopt;
    const int node = model.find(*m_before->anchor);
    if (node < 0 || std::size_t(node) >= geometry.placeOf.size())
        return std::nullopt;
    QPointF drift = geometry.placeOf[std::size_t(node)].center() - m_before->anchorAt;
    const bool hasColumns = !geometry.columns.empty();
    if (hasColumns && m_before->isTopSeen)
        drift.setY(0);
    if (hasColumns && (m_before->isLeftSeen || model.nodes[std::size_t(node)].stage != m_before->anchorStage))
        drift.setX(0);
    return drift;
}

void CanvasMotion::start(const CanvasModel& model, const CanvasGeometry& geometry, const QPointF& kept) {
    const std::optional<Remembered> before = std::exchange(m_before, std::nullopt);
    stop();
    if (!before || m_duration <= 0 || geometry.boxes.size() > mostBoxes)
        return;
    std::vector<QPointF> from;
    bool isAny = false;
    for (const BoxShape& box : geometry.boxes) {
        const auto was = before->boxes.find(nameOf(model, box));
        from.push_back(was == before->boxes.end() ? QPointF() : was->second + kept - box.rect.topLeft());
        isAny = isAny || from.back().manhattanLength() > 1;
    }
    if (!isAny)
        return;
    m_from = std::move(from);
    m_clock.start();
    m_timer.start();
}

void CanvasMotion::stop() {
    m_timer.stop();
    m_from.clear();
}

double CanvasMotion::progress() const {
    if (!isMoving() || m_duration <= 0)
        return 1;
    const double linear = std::clamp(double(m_clock.elapsed()) / m_duration, 0.0, 1.0);
    return 1 - (1 - linear) * (1 - linear);
}

std::vector<QPointF> CanvasMotion::shifts() const {
    std::vector<QPointF> shifts;
    if (!isMoving())
        return shifts;
    const double left = 1 - progress();
    for (const QPointF& from : m_from)
        shifts.push_back(from * left);
    return shifts;
}

} // namespace views
