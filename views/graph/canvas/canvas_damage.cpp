#include "views/graph/canvas/canvas_damage.h"

#include "views/common/theme/widget_theme.h"
#include "views/graph/scene/canvas_handles.h"

#include <QHash>
#include <QWidget>
#include <algorithm>

namespace views {

namespace {

/// A number made of everything that is added to it.
class Look {
public:
    template <class... Values>
    Look& add(const Values&... values) {
        m_number = qHashMulti(m_number, values...);
        return *this;
    }
    Look& add(const QPointF& point) { return add(point.x(), point.y()); }
    Look& add(const QRectF& rect) { return add(rect.x(), rect.y(), rect.width(), rect.height()); }
    template <class Points>
    Look& addPoints(const Points& points) {
        for (const QPointF& point : points)
            add(point);
        return add(std::size_t(points.size()));
    }
    [[nodiscard]] std::size_t number() const { return m_number; }

private:
    std::size_t m_number = 0;
};

void addNode(Look& look, const CanvasScene& scene, int index) {
    const CanvasNode& node = scene.node(index);
    const CanvasState& state = scene.state();
    const auto at = std::size_t(index);
    look.add(node.name, node.className, node.attributes, node.icon, node.isInput, node.isMuted);
    look.add(bool(state.selected[at]), state.hoveredNode == index, state.focusedNode == index);
}

/// What a frame shows of the calls in it, as one.
void addAll(Look& look, const CanvasScene& scene, const BoxShape& box) {
    look.add(scene.areSelected(box.members),
             std::ranges::all_of(box.members, [&](int member) { return scene.node(member).isLocked; }));
    for (const auto& [node, output] : box.outTensors)
        look.add(std::ranges::count(scene.node(node).modelOutputs, output));
}

/// What a box shows of each call in it.
void addMembers(Look& look, const CanvasScene& scene, const BoxShape& box) {
    const CanvasState& state = scene.state();
    for (const int member : box.members) {
        const auto at = std::size_t(member);
        const CanvasNode& node = scene.node(member);
        look.add(bool(state.selected[at]), bool(state.leaving[at]), node.isLocked,
                 !state.unknown.empty() && state.unknown[at],
                 state.findings[at] ? int(*state.findings[at]) + 1 : 0);
        for (const int output : node.modelOutputs)
            look.add(output);
    }
}

std::size_t lookOf(const CanvasScene& scene, std::size_t index) {
    const BoxShape& box = scene.geometry().boxes[index];
    const CanvasState& state = scene.state();
    Look look;
    look.add(box.rect).add(box.isCollapsed, box.stage.value(), int(box.flow), state.hoveredBox == int(index));
    look.addPoints(box.inPorts).addPoints(box.outPorts);
    if (box.node >= 0)
        addNode(look, scene, box.node);
    else
        look.add(scene.model().groups[std::size_t(box.group)].title);
    for (const auto& [node, rect] : box.rows) {
        look.add(rect);
        addNode(look, scene, node);
    }
    // A name is shorter in a block that has it too.
    if (const int group = scene.model().groupOf[std::size_t(box.members.front())]; group >= 0)
        look.add(scene.model().groups[std::size_t(group)].title);
    if (box.isFrame())
        addAll(look, scene, box);
    else
        addMembers(look, scene, box);
    if (index < state.figures.size())
        look.add(state.figures[index].text, state.figures[index].isOld,
                 state.showsHeat ? state.figures[index].share : 0.0);
    if (index < state.boxTexts.size())
        look.add(state.boxTexts[index]);
    return look.number();
}

bool isLit(const CanvasScene& scene, const CanvasEdge& edge) {
    const std::vector<bool>& selected = scene.state().selected;
    return selected[std::size_t(edge.from)] || selected[std::size_t(edge.to)];
}

std::size_t lookOf(const CanvasScene& scene, const EdgeShape& shape) {
    const CanvasState& state = scene.state();
    Look look;
    look.add(shape.crossesStages, shape.isPassThrough, shape.runsBackwards,
             isLit(scene, scene.model().edges[std::size_t(shape.edge)]), shape.edge == state.hoveredEdge,
             shape.edge == state.selectedEdge);
    for (const QPolygonF& piece : shape.pieces)
        look.addPoints(piece);
    return look.number();
}

std::size_t groundOf(const CanvasScene& scene) {
    Look look;
    for (const ColumnShape& column : scene.geometry().columns)
        look.add(column.stage.value(), column.left, column.width);
    for (const NoteShape& note : scene.state().notes) {
        for (const QRectF& piece : note.pieces)
            look.add(piece);
        look.add(note.header).add(note.text, note.colour);
    }
    return look.number();
}

} // namespace

std::optional<CanvasDamage::Drawing> CanvasDamage::drawingOf(const CanvasScene& scene, int hoveredCut) {
    const CanvasGeometry& geometry = scene.geometry();
    const CanvasState& state = scene.state();
    constexpr double leastZoom = 0.3;
    // Without columns the ground is made of all boxes and lines.
    if (geometry.columns.empty() || !state.shifts.empty() || scene.viewport().zoom < leastZoom)
        return std::nullopt;
    Drawing drawing;
    drawing.viewport = scene.viewport();
    drawing.size = scene.surface().size();
    drawing.isPlanPreview = scene.document().isPlanPreview();
    drawing.ground = groundOf(scene);
    const QRectF visible = scene.camera().visible();
    const auto add = [&](const QRectF& area, const auto& look, bool isDashed = false) {
        if (area.intersects(visible)) {
            drawing.items.push_back({look(), scene.viewport().toView(area)});
            drawing.hasDashes = drawing.hasDashes || isDashed;
        }
    };
    for (std::size_t i = 0; i < geometry.boxes.size(); ++i)
        add(geometry.boxes[i].rect.adjusted(-72, -24, 72, 24), [&] { return lookOf(scene, i); });
    for (const EdgeShape& shape : geometry.edges) {
        QRectF area;
        for (const QPolygonF& piece : shape.pieces)
            area |= piece.boundingRect().adjusted(-12, -12, 12, 12);
        add(
            area, [&] { return lookOf(scene, shape); }, shape.isPassThrough);
    }
    for (const LabelShape& label : geometry.labels) {
        const std::vector<QString>& shapes = scene.node(label.node).outputShapes;
        if (std::size_t(label.output) >= shapes.size())
            continue;
        add(QRectF(label.anchor, QSizeF(label.width + 40, 0)).adjusted(-2, -12, 2, 12), [&] {
            return Look()
                .add(label.anchor)
                .add(shapes[std::size_t(label.output)], bool(state.selected[std::size_t(label.node)]))
                .number();
        });
    }
    const Theme& theme = themeOf(&scene.surface());
    for (const CutChip& chip : cutChips(scene, hoveredCut, theme))
        drawing.items.push_back({Look().add(chip.rect).add(chip.what, chip.bytes, chip.isHovered).number(),
                                 chip.rect.adjusted(-2, -2, 2, 2)});
    const std::vector<QRectF> grips = gripRects(scene);
    for (std::size_t cut = 0; cut < grips.size(); ++cut)
        drawing.items.push_back(
            {Look().add(grips[cut]).add(hoveredCut == int(cut)).number(), grips[cut].adjusted(-2, -2, 2, 2)});
    std::ranges::sort(drawing.items, {}, &Item::look);
    return drawing;
}

QRect CanvasDamage::look(const CanvasScene& scene, int hoveredCut) {
    const QRect all = scene.surface().rect();
    m_seen = drawingOf(scene, hoveredCut);
    const std::optional<Drawing>& now = m_seen;
    if (!now || !m_drawn || now->viewport != m_drawn->viewport || now->size != m_drawn->size ||
        now->isPlanPreview != m_drawn->isPlanPreview || now->ground != m_drawn->ground || now->hasDashes)
        return all;
    QRectF damage;
    auto before = m_drawn->items.begin();
    auto after = now->items.begin();
    while (before != m_drawn->items.end() || after != now->items.end()) {
        const bool isGone =
            after == now->items.end() || (before != m_drawn->items.end() && before->look < after->look);
        if (isGone)
            damage |= (before++)->area;
        else if (before == m_drawn->items.end() || after->look < before->look)
            damage |= (after++)->area;
        else {
            ++before;
            ++after;
        }
    }
    return damage.isNull() ? QRect() : damage.toAlignedRect().adjusted(-1, -1, 1, 1) & all;
}

} // namespace views
