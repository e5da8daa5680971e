#include "views/graph/gestures/canvas_press.h"

#include "views/graph/scene/canvas_handles.h"
#include "views/graph/scene/canvas_scene.h"

#include <QMouseEvent>
#include <set>

namespace views {

namespace {

bool addsToSelection(const QMouseEvent& event) {
    return event.modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
}

/// Beside all boxes: a line is selected, anything else begins a rubber band.
std::unique_ptr<CanvasGesture> pressBesideBoxes(CanvasScene& scene, const QMouseEvent& event,
                                                const QPointF& canvas) {
    const bool adds = addsToSelection(event);
    if (const int note = noteAt(scene.state().notes, canvas); note >= 0) {
        scene.select(scene.state().notes[std::size_t(note)].nodes);
        return nullptr;
    }
    const int edge = scene.edgeAt(canvas, 5);
    if (edge < 0)
        return rubberBandGesture(scene, event.position(), adds);
    scene.state().selectedEdge = edge;
    if (!adds)
        scene.selection().clear();
    emit scene.repaintNeeded();
    return nullptr;
}

/// Adds the nodes to the selection, or takes them out when they all are in it.
void toggleSelected(CanvasScene& scene, const std::vector<int>& nodes) {
    const bool isSelected = scene.areSelected(nodes);
    SelectionState next = scene.selection().state();
    for (const InvocationKey& key : scene.keysOf(nodes)) {
        if (isSelected)
            next.invocations.erase(key);
        else
            next.invocations.insert(key);
    }
    if (!next.invocations.empty())
        next.current = isSelected ? *next.invocations.rbegin() : scene.node(nodes.front()).key;
    else
        next.current.reset();
    scene.selection().set(std::move(next));
}

/// The layers in a row that these are part of, from where lines part to where they meet.
std::vector<int> branchOf(const CanvasModel& model, const std::vector<int>& nodes) {
    std::set<int> branch(nodes.begin(), nodes.end());
    for (int first = nodes.front(); model.incoming[std::size_t(first)].size() == 1;) {
        first = model.edges[std::size_t(model.incoming[std::size_t(first)].front())].from;
        if (model.outgoing[std::size_t(first)].size() > 1 || !branch.insert(first).second)
            break;
    }
    for (int last = nodes.back(); model.outgoing[std::size_t(last)].size() == 1;) {
        last = model.edges[std::size_t(model.outgoing[std::size_t(last)].front())].to;
        if (model.incoming[std::size_t(last)].size() > 1 || !branch.insert(last).second)
            break;
    }
    return {branch.begin(), branch.end()};
}

std::unique_ptr<CanvasGesture> pressNodes(CanvasScene& scene, const QMouseEvent& event,
                                          std::vector<int> nodes) {
    if (event.modifiers() == Qt::AltModifier) {
        scene.select(branchOf(scene.model(), nodes));
        return nullptr;
    }
    if (addsToSelection(event)) {
        toggleSelected(scene, nodes);
        return nullptr;
    }
    const bool wasSelected = scene.areSelected(nodes);
    if (!wasSelected)
        scene.select(nodes);
    return dragGesture(scene, event.position(), std::move(nodes), wasSelected);
}

} // namespace

std::unique_ptr<CanvasGesture> pressGesture(CanvasScene& scene, const QMouseEvent& event) {
    const QPointF at = event.position();
    const QPointF canvas = scene.viewport().toCanvas(at);
    if (const int cut = gripAt(scene, at); cut >= 0)
        return cutGesture(scene, at, std::size_t(cut));
    if (const auto [box, port] = outPortAt(scene, canvas); box >= 0)
        return connectGesture(scene, box, port);
    const int box = scene.geometry().boxAt(canvas);
    scene.state().selectedEdge = -1;
    if (box < 0)
        return pressBesideBoxes(scene, event, canvas);
    if (scene.isFrame(box)) {
        const BoxShape& frame = scene.box(box);
        if (!scene.isOnHeader(canvas, box))
            return rubberBandGesture(scene, at, addsToSelection(event));
        // The arrow at the left of the header closes the group.
        if (canvas.x() < frame.rect.left() + scene.options().metrics.groupHeader) {
            scene.commands().setCollapsed(scene.model().groups[std::size_t(frame.group)].id, true);
            return nullptr;
        }
    }
    return pressNodes(scene, event, scene.nodesAt(canvas, box));
}

} // namespace views
