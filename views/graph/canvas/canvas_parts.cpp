#include "views/graph/canvas/canvas_parts.h"

#include "views/graph/canvas/canvas_view.h"
#include "views/graph/model/cut_points.h"
#include "views/graph/scene/canvas_handles.h"

#include <algorithm>

namespace views {

namespace {

QString callId(const InvocationKey& key) {
    return QStringLiteral("call:%1#%2").arg(toQString(key.path)).arg(key.call);
}

QString callName(const InvocationKey& key) {
    const QString path = toQString(key.path);
    return key.call == 0 ? path : CanvasParts::tr("%1, call %2").arg(path).arg(key.call + 1);
}

/// First entries of the stages on both sides of a cut and behind them: where the cut is and may be.
struct CutRange {
    std::size_t least = 0;
    std::size_t now = 0;
    std::size_t most = 0;
};

std::optional<CutRange> cutRange(const CanvasModel& model, std::size_t cut) {
    std::optional<std::size_t> first;
    std::optional<std::size_t> middle;
    std::size_t last = 0;
    for (const CanvasNode& node : model.nodes) {
        if (!node.assignable || !node.stage.isValid())
            continue;
        if (node.stage.index() == cut)
            first = std::min(first.value_or(*node.assignable), *node.assignable);
        if (node.stage.index() == cut + 1) {
            middle = std::min(middle.value_or(*node.assignable), *node.assignable);
            last = std::max(last, *node.assignable);
        }
    }
    if (!first || !middle || *middle <= *first)
        return std::nullopt;
    return CutRange{*first + 1, *middle, last};
}

} // namespace

CanvasParts::CanvasParts(CanvasView& canvas)
    : m_canvas(canvas)
    , m_scene(canvas.scene()) {
    connect(&m_scene, &CanvasScene::drawingChanged, this, &PaintedParts::changed);
    connect(&m_scene.selection(), &Selection::changed, this, &PaintedParts::focusMoved);
}

std::vector<PartPlace> CanvasParts::places() {
    std::vector<PartPlace> places;
    m_parts.clear();
    const CanvasGeometry& geometry = m_scene.geometry();
    std::vector<int> order;
    for (std::size_t box = 0; box < geometry.boxes.size(); ++box)
        order.push_back(int(box));
    // As one reads: stage by stage, from the top; a frame before what is in it.
    const auto key = [&](int box) {
        const BoxShape& shape = m_scene.box(box);
        const std::size_t stage = m_scene.layoutKind() == CanvasLayoutKind::Stages && shape.stage.isValid()
                                      ? shape.stage.index()
                                      : 0;
        return std::tuple(stage, shape.rect.top(), shape.depth, shape.rect.left());
    };
    std::ranges::stable_sort(order, {}, key);
    for (const int box : order)
        addBox(places, box);
    for (std::size_t cut = 0; cut < gripCount(m_scene); ++cut) {
        m_parts.push_back({Kind::Cut, -1, int(cut)});
        places.push_back({QStringLiteral("cut:%1").arg(cut), -1});
    }
    for (std::size_t note = 0; note < m_scene.state().notes.size(); ++note) {
        m_parts.push_back({Kind::Note, -1, int(note)});
        places.push_back({QStringLiteral("note:%1").arg(note), -1});
    }
    return places;
}

void CanvasParts::addBox(std::vector<PartPlace>& places, int box) {
    const BoxShape& shape = m_scene.box(box);
    const int holder = int(m_parts.size());
    if (shape.group >= 0) {
        const CanvasGroup& group = m_scene.model().groups[std::size_t(shape.group)];
        const QString id = QStringLiteral("group:%1@%2")
                               .arg(toQString(group.id))
                               .arg(shape.stage.isValid() ? QString::number(shape.stage.index()) : QString());
        m_parts.push_back({Kind::Group, box, shape.group});
        places.push_back({id, -1});
        if (shape.isCollapsed)
            addPorts(places, box, holder, id);
        return;
    }
    const QString id = callId(m_scene.node(shape.node).key);
    m_parts.push_back({Kind::Call, box, shape.node});
    places.push_back({id, -1});
    for (const auto& [node, rect] : shape.rows) {
        m_parts.push_back({Kind::Call, box, node});
        places.push_back({callId(m_scene.node(node).key), holder});
    }
    addPorts(places, box, holder, id);
}

void CanvasParts::addPorts(std::vector<PartPlace>& places, int box, int holder, const QString& id) {
    const BoxShape& shape = m_scene.box(box);
    const bool isInput = shape.node >= 0 && m_scene.node(shape.node).isInput;
    for (std::size_t port = 0; port < shape.inPorts.size() && !isInput; ++port) {
        m_parts.push_back({Kind::Input, box, int(port)});
        places.push_back({id + QStringLiteral("/in%1").arg(port), holder});
    }
    for (std::size_t port = 0; port < shape.outPorts.size(); ++port) {
        m_parts.push_back({Kind::Output, box, int(port)});
        places.push_back({id + QStringLiteral("/out%1").arg(port), holder});
    }
}

PartFacts CanvasParts::facts(int place) const {
    const Part& part = m_parts[std::size_t(place)];
    const auto words = [&] {
        switch (part.kind) {
        case Kind::Call:
            return callFacts(part);
        case Kind::Group:
            return groupFacts(part);
        case Kind::Input:
            return inputFacts(part);
        case Kind::Output:
            return outputFacts(part);
        case Kind::Cut:
            return cutFacts(part);
        case Kind::Note:
            break;
        }
        return noteFacts(part);
    };
    PartFacts facts = words();
    facts.rect = rect(place);
    return facts;
}

QRectF CanvasParts::rect(int place) const {
    const Part& part = m_parts[std::size_t(place)];
    const CanvasViewport& viewport = m_scene.viewport();
    switch (part.kind) {
    case Kind::Call:
        return viewport.toView(m_scene.geometry().placeOf[std::size_t(part.index)]);
    case Kind::Group:
        return viewport.toView(m_scene.box(part.box).rect);
    case Kind::Input:
        return portRect(m_scene.box(part.box).inPorts[std::size_t(part.index)]);
    case Kind::Output:
        return portRect(m_scene.box(part.box).outPorts[std::size_t(part.index)]);
    case Kind::Cut:
        return gripRect(m_scene, std::size_t(part.index));
    case Kind::Note:
        break;
    }
    return viewport.toView(m_scene.state().notes[std::size_t(part.index)].header);
}

QString CanvasParts::stageText(core::StageId stage) const {
    if (!stage.isValid() || m_scene.model().stageCount == 0)
        return {};
    return tr("Stage %1 on IPU %2")
        .arg(stage.index())
        .arg(m_scene.document().drawn().deviceMapping.ipuOf(stage).index());
}

PartFacts CanvasParts::callFacts(const Part& part) const {
    const auto index = std::size_t(part.index);
    const CanvasNode& node = m_scene.node(part.index);
    const NodeCost& cost = m_scene.figures().costs[index];
    const Document& document = m_scene.document();
    PartFacts facts;
    facts.name = callName(node.key);
    facts.value =
        node.attributes.isEmpty() ? node.className : node.className + QStringLiteral(", ") + node.attributes;
    QStringList about;
    if (const QString stage = stageText(node.stage); !stage.isEmpty())
        about << stage;
    if (node.isLocked)
        about << tr("locked");
    if (node.isMuted)
        about << tr("bypassed");
    if (!node.outputShapes.empty())
        about << tr("gives %1").arg(node.outputShapes.front());
    if (cost.parameters > 0)
        about << countedText(cost.parameters, tr("parameter"), tr("parameters"));
    if (cost.cycles)
        about << tr("forward %1")
                     .arg(timeText(core::Cycles(std::int64_t(*cost.cycles)), document.units().time,
                                   document.timeScale())
                              .joined());
    for (const core::Diagnostic& finding : document.analysis().diagnostics) {
        if (finding.location.place == node.key.path)
            about << toQString(core::toString(finding.severity)) + QStringLiteral(": ") +
                         toQString(finding.message);
    }
    facts.description = about.join(QStringLiteral(", "));
    facts.state.selectable = true;
    facts.state.extSelectable = true;
    facts.state.focusable = true;
    facts.state.selected = m_scene.state().selected[index];
    facts.state.focused = m_canvas.hasFocus() && m_scene.selection().state().current == node.key;
    facts.actions = {QAccessibleActionInterface::pressAction(), QAccessibleActionInterface::setFocusAction(),
                     extendAction(), QAccessibleActionInterface::showMenuAction(), outputAction()};
    return facts;
}

PartFacts CanvasParts::groupFacts(const Part& part) const {
    const BoxShape& box = m_scene.box(part.box);
    PartFacts facts;
    facts.name = m_scene.model().groups[std::size_t(part.index)].title;
    facts.value = m_scene.state().boxTexts[std::size_t(part.box)];
    QStringList about{box.isCollapsed ? tr("a group, collapsed") : tr("a group, expanded")};
    if (const QString stage = stageText(box.stage); !stage.isEmpty())
        about << stage;
    facts.description = about.join(QStringLiteral(", "));
    facts.state.selectable = true;
    facts.state.extSelectable = true;
    facts.state.selected = m_scene.areSelected(box.members);
    facts.state.expandable = true;
    facts.state.expanded = !box.isCollapsed;
    facts.state.collapsed = box.isCollapsed;
    facts.actions = {QAccessibleActionInterface::pressAction(), QAccessibleActionInterface::toggleAction(),
                     extendAction(), QAccessibleActionInterface::showMenuAction()};
    return facts;
}

int CanvasParts::edgeInto(const BoxShape& box, int port) const {
    const CanvasModel& model = m_scene.model();
    if (box.group < 0) {
        for (const int edge : model.incoming[std::size_t(box.node)]) {
            if (model.edges[std::size_t(edge)].input == port)
                return edge;
        }
        return -1;
    }
    // The ports of a group are the tensors that come in, in the order of what reads them.
    std::vector<std::pair<int, int>> entries;
    for (const int member : box.members) {
        for (const int e : model.incoming[std::size_t(member)]) {
            const CanvasEdge& edge = model.edges[std::size_t(e)];
            const std::pair<int, int> tensor(edge.from, edge.output);
            if (std::ranges::binary_search(box.members, edge.from) ||
                std::ranges::find(entries, tensor) != entries.end())
                continue;
            if (int(entries.size()) == port)
                return e;
            entries.push_back(tensor);
        }
    }
    return -1;
}

std::pair<int, int> CanvasParts::tensorOf(const BoxShape& box, int port) const {
    if (box.group >= 0 && std::size_t(port) < box.outTensors.size())
        return box.outTensors[std::size_t(port)];
    return {box.members.back(), box.group >= 0 ? 0 : port};
}

QRectF CanvasParts::portRect(const QPointF& port) const {
    constexpr double reach = 11;
    const QPointF at = m_scene.viewport().toView(port);
    return {at.x() - reach, at.y() - reach, 2 * reach, 2 * reach};
}

PartFacts CanvasParts::inputFacts(const Part& part) const {
    const BoxShape& box = m_scene.box(part.box);
    PartFacts facts;
    facts.role = QAccessible::Grip;
    const QString holder = box.group >= 0 ? m_scene.model().groups[std::size_t(box.group)].title
                                          : callName(m_scene.node(box.node).key);
    facts.name = tr("Input %1 of %2").arg(part.index).arg(holder);
    const int edge = edgeInto(box, part.index);
    if (edge < 0) {
        facts.value = tr("not connected");
    } else {
        const CanvasEdge& line = m_scene.model().edges[std::size_t(edge)];
        const CanvasNode& from = m_scene.node(line.from);
        facts.value = tr("reads %1").arg(callName(from.key));
        if (std::size_t(line.output) < from.outputShapes.size())
            facts.description = from.outputShapes[std::size_t(line.output)];
    }
    if (box.group < 0)
        facts.actions << QAccessibleActionInterface::pressAction();
    if (edge >= 0)
        facts.actions << disconnectAction();
    return facts;
}

PartFacts CanvasParts::outputFacts(const Part& part) const {
    const BoxShape& box = m_scene.box(part.box);
    const auto [node, output] = tensorOf(box, part.index);
    const CanvasNode& from = m_scene.node(node);
    PartFacts facts;
    facts.role = QAccessible::Grip;
    facts.name = tr("Output %1 of %2").arg(output).arg(callName(from.key));
    QStringList readers;
    for (const int e : m_scene.model().outgoing[std::size_t(node)]) {
        const CanvasEdge& edge = m_scene.model().edges[std::size_t(e)];
        if (edge.output == output)
            readers << callName(m_scene.node(edge.to).key);
    }
    if (std::ranges::binary_search(from.modelOutputs, output))
        readers << tr("an output of the model");
    facts.value = readers.isEmpty() ? tr("nobody reads it") : tr("to %1").arg(readers.join(tr(", ")));
    if (std::size_t(output) < from.outputShapes.size())
        facts.description = from.outputShapes[std::size_t(output)];
    facts.actions = {QAccessibleActionInterface::pressAction(), outputAction()};
    return facts;
}

PartFacts CanvasParts::cutFacts(const Part& part) const {
    const CanvasModel& model = m_scene.model();
    const auto cut = std::size_t(part.index);
    PartFacts facts;
    facts.role = QAccessible::Slider;
    facts.name = tr("Cut between stage %1 and stage %2").arg(cut).arg(cut + 1);
    const auto range = cutRange(model, cut);
    QStringList over;
    for (const auto& [node, output] : cutTensors(model, cut)) {
        const std::vector<QString>& shapes = m_scene.node(node).outputShapes;
        over << (std::size_t(output) < shapes.size()
                     ? m_scene.node(node).name + u' ' + shapes[std::size_t(output)]
                     : m_scene.node(node).name);
    }
    facts.description = over.isEmpty() ? QString() : tr("%1 cross it").arg(over.join(tr(", ")));
    const Document& document = m_scene.document();
    const auto& estimate = document.previewEstimate() ? document.previewEstimate() : document.estimate();
    if (estimate && estimate->stages.size() == model.stageCount && cut < estimate->stages.size())
        facts.description += (facts.description.isEmpty() ? QString() : tr(", ")) +
                             tr("%1 with each micro-batch")
                                 .arg(bytesText(estimate->stages[cut].cut, document.units().bytes).joined());
    if (!range)
        return facts;
    for (const CanvasNode& node : model.nodes) {
        if (node.assignable == range->now)
            facts.value = tr("before %1").arg(callName(node.key));
    }
    facts.number = {double(range->now), double(range->least), double(range->most), 1};
    facts.actions = {QAccessibleActionInterface::decreaseAction(),
                     QAccessibleActionInterface::increaseAction()};
    return facts;
}

PartFacts CanvasParts::noteFacts(const Part& part) const {
    const NoteShape& note = m_scene.state().notes[std::size_t(part.index)];
    PartFacts facts;
    facts.role = QAccessible::Note;
    facts.name = note.text;
    facts.value =
        tr("around %1").arg(countedText(std::int64_t(note.nodes.size()), tr("layer"), tr("layers")));
    facts.actions = {QAccessibleActionInterface::pressAction(), editAction()};
    return facts;
}

int CanvasParts::focused() const {
    const auto& current = m_scene.selection().state().current;
    const int node = current ? m_scene.model().find(*current) : -1;
    for (std::size_t place = 0; place < m_parts.size() && node >= 0; ++place) {
        const Part& part = m_parts[place];
        const bool isIt = part.kind == Kind::Call && part.index == node;
        // What is in a collapsed group is shown by the group.
        const bool holdsIt = part.kind == Kind::Group && m_scene.box(part.box).isCollapsed &&
                             std::ranges::binary_search(m_scene.box(part.box).members, node);
        if (isIt || holdsIt)
            return int(place);
    }
    return -1;
}

std::vector<int> CanvasParts::nodesOf(const Part& part) const {
    if (part.kind == Kind::Note)
        return m_scene.state().notes[std::size_t(part.index)].nodes;
    return part.kind == Kind::Group ? m_scene.box(part.box).members : std::vector<int>{part.index};
}

void CanvasParts::focus() {
    m_canvas.setFocus(Qt::OtherFocusReason);
}

void CanvasParts::act(int place, const QString& action) {
    const Part part = m_parts[std::size_t(place)];
    switch (part.kind) {
    case Kind::Call:
    case Kind::Group:
    case Kind::Note:
        return actOnNodes(part, action);
    case Kind::Input:
    case Kind::Output:
        return actOnPort(part, action);
    case Kind::Cut:
        break;
    }
    if (const auto range = cutRange(m_scene.model(), std::size_t(part.index)))
        setNumber(place,
                  double(range->now) + (action == QAccessibleActionInterface::increaseAction() ? 1 : -1));
}

void CanvasParts::actOnNodes(const Part& part, const QString& action) {
    const std::vector<int> nodes = nodesOf(part);
    if (action == QAccessibleActionInterface::toggleAction())
        return m_scene.commands().setCollapsed(m_scene.model().groups[std::size_t(part.index)].id,
                                               !m_scene.box(part.box).isCollapsed);
    if (action == extendAction()) {
        SelectionState next = m_scene.selection().state();
        next.invocations.merge(m_scene.keysOf(nodes));
        next.current = m_scene.node(nodes.front()).key;
        return m_scene.selection().set(std::move(next));
    }
    m_scene.select(nodes);
    m_scene.reveal(m_scene.node(nodes.front()).key);
    if (action == outputAction())
        return m_scene.commands().toggleOutputs();
    if (action == QAccessibleActionInterface::setFocusAction())
        return focus();
    if (action == editAction())
        QMetaObject::invokeMethod(&m_scene, &CanvasScene::noteRequested, Qt::QueuedConnection);
    if (action != QAccessibleActionInterface::showMenuAction())
        return;
    // A menu takes over until it is closed; who asked for it waits for an answer.
    const QPoint at =
        m_canvas.mapToGlobal(m_scene.viewport().toView(m_scene.box(part.box).rect).center().toPoint());
    QMetaObject::invokeMethod(
        &m_canvas, [canvas = &m_canvas, at] { emit canvas->contextMenuRequested(at); }, Qt::QueuedConnection);
}

void CanvasParts::actOnPort(const Part& part, const QString& action) {
    const BoxShape& box = m_scene.box(part.box);
    if (part.kind == Kind::Output) {
        const auto [node, output] = tensorOf(box, part.index);
        if (action == outputAction()) {
            m_scene.select({node});
            return m_scene.commands().toggleOutputs();
        }
        const TensorSource source{m_scene.node(node).key, std::uint32_t(output)};
        emit m_scene.quickAddRequested(box.outPorts[std::size_t(part.index)] + stepAlong(box.flow) * 24,
                                       source);
        return;
    }
    const int edge = edgeInto(box, part.index);
    if (action == disconnectAction()) {
        if (edge >= 0)
            m_scene.commands().disconnect(m_scene.model(), {edge});
        return;
    }
    const auto current = m_scene.selection().state().current;
    if (current && *current != m_scene.node(box.node).key)
        m_scene.commands().connectTo({*current, 0}, m_scene.node(box.node).key, std::size_t(part.index));
}

void CanvasParts::setNumber(int place, double number) {
    const Part& part = m_parts[std::size_t(place)];
    if (part.kind != Kind::Cut)
        return;
    const auto range = cutRange(m_scene.model(), std::size_t(part.index));
    if (!range)
        return;
    const double entry = std::clamp(number, double(range->least), double(range->most));
    m_scene.commands().moveCut(std::size_t(part.index), std::size_t(entry));
}

} // namespace views
