#include "views/graph/canvas/canvas_keys.h"

#include <QKeyEvent>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <map>

namespace views {

namespace {

/// Distance in a direction: along it counts fully, across it twice, behind not at all.
std::optional<double> distanceAlong(const QPointF& from, const QPointF& to, const QPointF& direction) {
    const QPointF offset = to - from;
    const double along = QPointF::dotProduct(offset, direction);
    if (along <= 4)
        return std::nullopt;
    const QPointF across = offset - direction * along;
    return along + 2.5 * std::hypot(across.x(), across.y());
}

/// In milliseconds: a key that is down for longer is held, and one that comes back sooner was never up.
constexpr qint64 longestTap = 400;
constexpr qint64 repeatGap = 20;

bool isPlain(const QKeyEvent& event) {
    return event.modifiers() == Qt::NoModifier || event.modifiers() == Qt::KeypadModifier;
}

} // namespace

CanvasKeys::CanvasKeys(CanvasScene& scene, QWidget& surface)
    : m_scene(scene)
    , m_surface(surface) {}

bool CanvasKeys::press(const QKeyEvent& event) {
    switch (event.key()) {
    case Qt::Key_Escape:
        return clear();
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        return remove(event);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        emit inspectorRequested();
        return true;
    case Qt::Key_Space:
        if (!isPlain(event))
            return false;
        if (!event.isAutoRepeat()) {
            // Some displays repeat a key that is held as if it were let go of and pressed again.
            if (!m_letGo.isValid() || m_letGo.elapsed() > repeatGap) {
                m_pressed.start();
                m_hasPanned = false;
            }
            m_holdsSpace = true;
            m_surface.setCursor(Qt::OpenHandCursor);
        }
        return true;
    default:
        return assign(event) || edit(event) || moveOrNudge(event);
    }
}

bool CanvasKeys::release(const QKeyEvent& event) {
    if (event.key() != Qt::Key_Space || event.isAutoRepeat() || !m_holdsSpace)
        return false;
    m_holdsSpace = false;
    m_letGo.start();
    m_surface.unsetCursor();
    if (!m_hasPanned && m_pressed.elapsed() < longestTap)
        requestQuickAdd();
    return true;
}

void CanvasKeys::requestQuickAdd() {
    emit m_scene.quickAddRequested(m_scene.pointer().value_or(m_scene.camera().visible().center()),
                                   std::nullopt);
}

/// One level at a time: a plan that is previewed, the line, then the boxes.
bool CanvasKeys::clear() {
    if (m_scene.document().isPlanPreview()) {
        m_scene.document().setPreview(nullptr);
        return true;
    }
    if (m_scene.state().selectedEdge >= 0) {
        m_scene.state().selectedEdge = -1;
        m_surface.update();
        return true;
    }
    if (m_scene.selection().state().invocations.empty())
        return false;
    m_scene.selection().clear();
    return true;
}

bool CanvasKeys::assign(const QKeyEvent& event) {
    const SelectionState& selection = m_scene.selection().state();
    const int digit = event.key() - Qt::Key_0;
    if (digit < 0 || digit > 9 || selection.invocations.empty())
        return false;
    if (isPlain(event)) {
        m_scene.commands().assignToStage(selection.invocations, core::StageId(std::size_t(digit)));
        return true;
    }
    if (event.modifiers() != Qt::ControlModifier)
        return false;
    const int node = selection.current ? m_scene.model().find(*selection.current) : -1;
    if (node >= 0 && m_scene.node(node).stage.isValid())
        m_scene.commands().assignToIpu(m_scene.node(node).stage, core::IpuId(std::size_t(digit)));
    return true;
}

bool CanvasKeys::remove(const QKeyEvent& event) {
    const int edge = m_scene.state().selectedEdge;
    if (edge >= 0 && m_scene.selection().state().invocations.empty())
        m_scene.commands().disconnect(m_scene.model(), {edge});
    else
        m_scene.commands().removeSelection(event.modifiers().testFlag(Qt::ControlModifier));
    return true;
}

bool CanvasKeys::moveOrNudge(const QKeyEvent& event) {
    static const std::map<int, QPointF> directions{
        {Qt::Key_Left, {-1, 0}}, {Qt::Key_Right, {1, 0}}, {Qt::Key_Up, {0, -1}}, {Qt::Key_Down, {0, 1}}};
    const auto direction = directions.find(event.key());
    if (direction == directions.end())
        return false;
    if (m_scene.layoutKind() == CanvasLayoutKind::Free && event.modifiers().testFlag(Qt::AltModifier)) {
        const double step = event.modifiers().testFlag(Qt::ShiftModifier) ? 160 : 16;
        m_scene.commands().moveBoxes(m_scene.movedPlaces(direction->second * step));
    } else {
        moveFocus(direction->second, event.modifiers().testFlag(Qt::ShiftModifier));
    }
    return true;
}

bool CanvasKeys::edit(const QKeyEvent& event) {
    if (event.key() == Qt::Key_L && isPlain(event)) {
        connectSelected();
        return true;
    }
    if (event.key() == Qt::Key_L && event.modifiers() == Qt::ShiftModifier) {
        disconnectSelected();
        return true;
    }
    const bool isCut = (event.modifiers() & ~Qt::KeypadModifier) == (Qt::ControlModifier | Qt::ShiftModifier);
    static const std::map<int, int> ways{
        {Qt::Key_Up, -1}, {Qt::Key_Left, -1}, {Qt::Key_Down, 1}, {Qt::Key_Right, 1}};
    const auto way = ways.find(event.key());
    if (!isCut || way == ways.end())
        return false;
    moveCut(way->second);
    return true;
}

void CanvasKeys::moveCut(int by) {
    const CanvasModel& model = m_scene.model();
    if (model.stageCount < 2)
        return;
    const auto& current = m_scene.selection().state().current;
    const int node = current ? model.find(*current) : -1;
    const core::StageId stage = node < 0 ? core::StageId(0) : m_scene.node(node).stage;
    const std::size_t cut = std::min(stage.isValid() ? stage.index() : 0, model.stageCount - 2);
    // Where the stage after the cut begins now.
    std::optional<std::size_t> entry;
    for (const CanvasNode& each : model.nodes) {
        if (each.assignable && each.stage == core::StageId(cut + 1))
            entry = std::min(entry.value_or(*each.assignable), *each.assignable);
    }
    if (entry && (by > 0 || *entry > 0))
        m_scene.commands().moveCut(cut, by > 0 ? *entry + 1 : *entry - 1);
}

void CanvasKeys::connectSelected() {
    const CanvasModel& model = m_scene.model();
    const SelectionState selection = m_scene.selection().state();
    if (!selection.current)
        return;
    if (selection.invocations.size() < 2) {
        emit m_scene.sourceRequested(*selection.current);
        return;
    }
    for (const InvocationKey& key : selection.invocations) {
        // Each connection makes another drawing.
        const int from = model.find(key);
        const int to = model.find(*selection.current);
        if (from < 0 || to < 0 || from == to)
            continue;
        const std::vector<int>& incoming = model.incoming[std::size_t(to)];
        const bool isThere = std::ranges::any_of(
            incoming, [&](int edge) { return model.edges[std::size_t(edge)].from == from; });
        if (isThere)
            continue;
        const bool isMerge = m_scene.node(to).isMerge;
        m_scene.commands().connectTo({key, 0}, *selection.current, isMerge ? incoming.size() : 0);
        if (!isMerge)
            return;
    }
}

void CanvasKeys::disconnectSelected() {
    const CanvasModel& model = m_scene.model();
    const std::vector<int> nodes = m_scene.selectedNodes();
    const std::set<int> selected(nodes.begin(), nodes.end());
    std::vector<int> edges;
    for (std::size_t i = 0; i < model.edges.size(); ++i) {
        if (selected.contains(model.edges[i].from) && selected.contains(model.edges[i].to))
            edges.push_back(int(i));
    }
    if (!edges.empty())
        m_scene.commands().disconnect(model, edges);
}

/// To the nearest call in a direction.
void CanvasKeys::moveFocus(const QPointF& direction, bool extends) {
    const CanvasModel& model = m_scene.model();
    const auto& currentKey = m_scene.selection().state().current;
    const int current = currentKey ? model.find(*currentKey) : -1;
    if (current < 0) {
        if (!model.nodes.empty())
            m_scene.selection().selectInvocation(model.nodes.front().key);
        return;
    }
    const std::vector<QRectF>& places = m_scene.geometry().placeOf;
    const QPointF from = places[std::size_t(current)].center();
    int best = -1;
    double nearest = 0;
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const auto distance = distanceAlong(from, places[i].center(), direction);
        if (distance && (best < 0 || *distance < nearest)) {
            best = int(i);
            nearest = *distance;
        }
    }
    if (best < 0)
        return;
    Selection& selection = m_scene.selection();
    const InvocationKey key = m_scene.node(best).key;
    if (!extends) {
        selection.selectInvocation(key);
    } else if (!selection.state().invocations.contains(key)) {
        selection.toggleInvocation(key);
    } else {
        SelectionState next = selection.state();
        next.invocations.erase(*next.current);
        next.current = key;
        selection.set(std::move(next));
    }
    m_scene.reveal(m_scene.node(best).key);
}

} // namespace views
