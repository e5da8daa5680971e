#include "views/graph/canvas/canvas_hover.h"

#include "views/common/text/number_text.h"
#include "views/graph/scene/canvas_handles.h"

namespace views {

namespace {

/// All of a note whose tab is pointed at.
ToolTipContent noteCard(const CanvasScene& scene, const QPointF& canvas) {
    constexpr qsizetype mostLines = 12;
    ToolTipContent card;
    const int note = noteAt(scene.state().notes, canvas);
    if (note < 0)
        return card;
    const QStringList lines = scene.state().notes[std::size_t(note)].text.split(u'\n');
    card.title = lines.front();
    for (qsizetype i = 1; i < std::min(lines.size(), mostLines); ++i)
        card.rows.push_back({lines[i], {}});
    card.footer = CanvasScene::tr("Double-click edits it");
    return card;
}

} // namespace

CanvasHover::CanvasHover(CanvasScene& scene, QWidget& surface)
    : m_scene(scene)
    , m_surface(surface)
    , m_card(new ToolTipCard(&surface)) {}

void CanvasHover::moveTo(const QPointF& view, bool isPanning) {
    const QPointF canvas = m_scene.viewport().toCanvas(view);
    const int grip = gripAt(m_scene, view);
    const int box = grip >= 0 ? -1 : m_scene.geometry().boxAt(canvas);
    const int node = box >= 0 ? m_scene.geometry().nodeAt(canvas) : -1;
    const bool isOnFrame = m_scene.isFrame(box);
    const int edge = grip < 0 && (box < 0 || isOnFrame) ? m_scene.edgeAt(canvas, 4) : -1;
    const bool isOnPort = grip < 0 && outPortAt(m_scene, canvas).first >= 0;
    m_surface.setCursor(isPanning   ? Qt::OpenHandCursor
                        : grip >= 0 ? cutCursor(m_scene.geometry())
                        : isOnPort  ? Qt::CrossCursor
                                    : Qt::ArrowCursor);
    CanvasState& state = m_scene.state();
    if (box != state.hoveredBox || node != state.hoveredNode || edge != state.hoveredEdge || grip != m_grip) {
        state.hoveredBox = box;
        state.hoveredNode = node;
        state.hoveredEdge = edge;
        m_grip = grip;
        m_surface.update();
    }
    m_at = view;
    m_card->showAt(view, cardAt(view));
}

ToolTipContent CanvasHover::cardAt(const QPointF& view) const {
    const CanvasState& state = m_scene.state();
    if (state.hoveredNode >= 0)
        return nodeCard(state.hoveredNode);
    if (state.hoveredBox >= 0 && !m_scene.isFrame(state.hoveredBox))
        return groupCard(state.hoveredBox);
    return noteCard(m_scene, m_scene.viewport().toCanvas(view));
}

void CanvasHover::refresh() {
    if (m_card->isVisible())
        m_card->showAt(m_at, cardAt(m_at));
}

void CanvasHover::leave() {
    CanvasState& state = m_scene.state();
    state.hoveredBox = state.hoveredNode = state.hoveredEdge = -1;
    m_grip = -1;
    m_card->hide();
    m_surface.update();
}

void CanvasHover::drop() {
    for (ToolTipCard* card : m_surface.findChildren<ToolTipCard*>(Qt::FindDirectChildrenOnly)) {
        card->hide();
        if (card != m_card)
            card->deleteLater();
    }
}

ToolTipContent CanvasHover::groupCard(int box) const {
    const auto group = std::size_t(m_scene.box(box).group);
    ToolTipContent card;
    card.title = m_scene.model().groups[group].title;
    card.rows.push_back({CanvasScene::tr("Content"), m_scene.state().boxTexts[std::size_t(box)]});
    card.footer = CanvasScene::tr("Double-click opens it");
    return card;
}

ToolTipContent CanvasHover::nodeCard(int node) const {
    const Document& document = m_scene.document();
    const CanvasNode& which = m_scene.node(node);
    const NodeCost& cost = m_scene.figures().costs[std::size_t(node)];
    ToolTipContent card;
    card.title = toQString(which.key.path);
    if (which.key.call > 0)
        card.title += CanvasScene::tr(", call %1").arg(which.key.call + 1);
    card.rows.push_back({CanvasScene::tr("Class"), which.className});
    if (which.stage.isValid() && m_scene.model().stageCount > 0)
        card.rows.push_back({CanvasScene::tr("Stage"), QString::number(which.stage.index())});
    if (!which.outputShapes.empty())
        card.rows.push_back({CanvasScene::tr("Output"), which.outputShapes.front()});
    if (cost.parameters > 0)
        card.rows.push_back({CanvasScene::tr("Parameters"), groupedText(cost.parameters)});
    if (cost.cycles.value_or(0) > 0)
        card.rows.push_back({CanvasScene::tr("Forward"), timeText(core::Cycles(std::int64_t(*cost.cycles)),
                                                                  document.units().time, document.timeScale())
                                                             .joined()});
    constexpr std::size_t mostRows = 9;
    for (const core::Diagnostic& finding : document.analysis().diagnostics) {
        if (finding.location.place == which.key.path && card.rows.size() < mostRows)
            card.rows.push_back({toQString(core::toString(finding.severity)), toQString(finding.message)});
    }
    return card;
}

} // namespace views
