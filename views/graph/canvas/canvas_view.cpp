#include "views/graph/canvas/canvas_view.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/active_theme.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/control_painters.h"
#include "views/common/theme/icons.h"
#include "views/common/widgets/chip.h"
#include "views/document/layer_drag.h"
#include "views/graph/canvas/canvas_gesture.h"
#include "views/graph/model/canvas_model_builder.h"
#include "views/graph/model/group_detection.h"

#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <cmath>

namespace views {

namespace {

constexpr double portReach = 9;
constexpr QSizeF gripSize(10, 44);

CanvasMetrics scaledMetrics(const Theme& theme) {
    CanvasMetrics metrics;
    for (double* value :
         {&metrics.nodeWidth, &metrics.nodeHeight, &metrics.rowHeight, &metrics.rowsBottom,
          &metrics.groupHeader, &metrics.groupPadding, &metrics.columnPadding, &metrics.labelLetter})
        *value = std::round(theme.px(*value) * 10) / 10;
    return metrics;
}

/// Distance in a direction: along it counts fully, across it twice, behind not at all.
std::optional<double> distanceAlong(const QPointF& from, const QPointF& to, const QPointF& direction) {
    const QPointF offset = to - from;
    const double along = QPointF::dotProduct(offset, direction);
    if (along <= 4)
        return std::nullopt;
    const QPointF across = offset - direction * along;
    return along + 2.5 * std::hypot(across.x(), across.y());
}

} // namespace

CanvasView::CanvasView(Document& document, Selection& selection, CanvasCommands& commands, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_commands(commands)
    , m_toolTip(new ToolTipCard(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAcceptDrops(true);
    setMinimumSize(200, 120);
    setAccessibleName(tr("Model canvas"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&document, &Document::opened, this, &CanvasView::openedAnother);
    connect(&document, &Document::projectChanged, this, &CanvasView::rebuildModel);
    connect(&document, &Document::analysisChanged, this, &CanvasView::rebuildModel);
    connect(&document, &Document::estimateChanged, this, &CanvasView::rebuildFigures);
    connect(&document, &Document::unitsChanged, this, &CanvasView::rebuildFigures);
    connect(&selection, &Selection::changed, this, [this] { rebuildState(); });
    rebuildModel();
}

CanvasView::~CanvasView() = default;

// what is drawn
// ------------------------------------------------------------------------------------------------

void CanvasView::openedAnother() {
    m_needsFit = true;
    endGesture();
    if (!m_document.isOpen())
        rebuildModel();
}

void CanvasView::rebuildModel() {
    m_model =
        m_document.isOpen() ? makeCanvasModel(m_document.project(), m_document.analysis()) : CanvasModel{};
    m_options.metrics = scaledMetrics(activeTheme());
    m_options.collapsed =
        m_document.isOpen() ? collapsedGroups(m_document.project(), m_model) : std::set<std::string>{};
    m_figures = makeFigures(m_model, m_document.analysis(), m_document.estimate());
    rebuildGeometry();
}

void CanvasView::rebuildGeometry() {
    if (m_layoutKind == CanvasLayoutKind::Stages) {
        m_geometry = layOutStages(m_model, m_options, width());
    } else {
        std::map<std::string, QPointF> moved;
        if (m_document.isOpen()) {
            for (const auto& [name, place] : m_document.project().canvas.positions)
                moved[name] = {place.x, place.y};
        }
        m_geometry = layOutFreely(m_model, m_options, moved);
    }
    m_state.hoveredBox = m_state.hoveredNode = m_state.hoveredEdge = m_state.selectedEdge = -1;
    rebuildState();
    rebuildFigures();
    if (m_needsFit && !m_model.nodes.empty() && width() > 0) {
        m_needsFit = false;
        m_viewport.fitWidth(m_geometry.bounds, size(), 0.55);
    }
    emit drawingChanged();
    emit viewportChanged();
}

void CanvasView::rebuildState() {
    const std::size_t count = m_model.nodes.size();
    m_state.selected.assign(count, false);
    m_state.findings.assign(count, std::nullopt);
    m_state.leaving.assign(count, false);
    m_state.focusedNode = -1;
    for (const InvocationKey& key : m_selection.state().invocations) {
        const int node = m_model.find(key);
        if (node >= 0)
            m_state.selected[std::size_t(node)] = true;
    }
    if (m_selection.state().current && hasFocus())
        m_state.focusedNode = m_model.find(*m_selection.state().current);
    for (const core::Diagnostic& finding : m_document.analysis().diagnostics) {
        const int node = m_model.find({finding.location.place, 0});
        if (node < 0)
            continue;
        std::optional<core::Severity>& worst = m_state.findings[std::size_t(node)];
        worst = worst ? std::max(*worst, finding.severity) : finding.severity;
    }
    update();
}

void CanvasView::rebuildFigures() {
    m_figures = makeFigures(m_model, m_document.analysis(), m_document.estimate());
    m_overlayUnit =
        fillFigures(m_state, m_model, m_figures, m_metric, m_document.units(), m_document.timeScale());
    m_state.showsHeat = m_asHeat && m_metric != OverlayMetric::Off;
    m_texts.clear();
    emit drawingChanged();
    update();
}

void CanvasView::setLayoutKind(CanvasLayoutKind kind) {
    if (kind == m_layoutKind)
        return;
    m_layoutKind = kind;
    m_needsFit = true;
    rebuildGeometry();
    emit layoutKindChanged();
}

void CanvasView::setOverlay(OverlayMetric metric, bool asHeat) {
    m_metric = metric;
    m_asHeat = asHeat;
    rebuildFigures();
}

std::vector<int> CanvasView::selectedNodes() const {
    std::vector<int> nodes;
    for (std::size_t i = 0; i < m_state.selected.size(); ++i) {
        if (m_state.selected[i])
            nodes.push_back(int(i));
    }
    return nodes;
}

std::set<InvocationKey> CanvasView::keysOf(const std::vector<int>& nodes) const {
    std::set<InvocationKey> keys;
    for (const int node : nodes)
        keys.insert(m_model.nodes[std::size_t(node)].key);
    return keys;
}

// what part of it
// ----------------------------------------------------------------------------------------------

void CanvasView::setViewport(const CanvasViewport& viewport) {
    CanvasViewport next = viewport;
    next.keepInside(m_geometry.bounds, size());
    if (next == m_viewport)
        return;
    m_viewport = next;
    emit viewportChanged();
    update();
}

void CanvasView::fitAll() {
    CanvasViewport next = m_viewport;
    next.fit(m_geometry.bounds, size(), 16);
    setViewport(next);
}

void CanvasView::fitSelection() {
    QRectF area;
    for (const int node : selectedNodes())
        area |= m_geometry.placeOf[std::size_t(node)];
    if (area.isEmpty()) {
        fitAll();
        return;
    }
    // The first time centres, the second time fits.
    CanvasViewport next = m_viewport;
    const QRectF seen = next.visible(size());
    const bool isCentred = std::abs(seen.center().x() - area.center().x()) < 2 &&
                           std::abs(seen.center().y() - area.center().y()) < 2;
    if (isCentred)
        next.fit(area, size(), 80);
    else
        next.origin += area.center() - seen.center();
    setViewport(next);
}

void CanvasView::zoomBy(double factor) {
    CanvasViewport next = m_viewport;
    next.zoomAt(QPointF(width() / 2.0, height() / 2.0), factor);
    setViewport(next);
}

void CanvasView::resetZoom() {
    zoomBy(1.0 / m_viewport.zoom);
}

void CanvasView::reveal(const InvocationKey& key) {
    const int node = m_model.find(key);
    if (node < 0)
        return;
    CanvasViewport next = m_viewport;
    next.reveal(m_geometry.placeOf[std::size_t(node)], size(), 40);
    setViewport(next);
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (m_layoutKind == CanvasLayoutKind::Stages && event->oldSize().width() != width()) {
        const bool wasWhole = std::abs(m_viewport.zoom - 1.0) < 1e-6 && m_viewport.origin.x() <= 1;
        rebuildGeometry();
        if (wasWhole)
            m_viewport.origin.setX(std::min(0.0, m_viewport.origin.x()));
    } else if (m_needsFit) {
        rebuildGeometry();
    }
    emit viewportChanged();
}

// painting
// -----------------------------------------------------------------------------------------------------

void CanvasView::paintEvent(QPaintEvent*) {
    const Theme& theme = activeTheme();
    QPainter painter(this);
    if (!m_texts.isPrepared())
        m_texts.prepare(m_model, m_geometry, m_state, theme);
    painter.save();
    painter.scale(m_viewport.zoom, m_viewport.zoom);
    painter.translate(-m_viewport.origin);
    CanvasPainter(m_model, m_geometry, m_state, m_texts, theme)
        .paint(painter, m_viewport.visible(size()), m_viewport.zoom);
    painter.restore();
    paintOverlays(painter);
    if (m_gesture)
        m_gesture->paint(painter, theme);
}

QSizeF CanvasView::pictureSize() const {
    return m_geometry.bounds.size();
}

void CanvasView::paintPicture(QPainter& painter) const {
    const Theme& theme = activeTheme();
    if (!m_texts.isPrepared())
        m_texts.prepare(m_model, m_geometry, m_state, theme);
    painter.translate(-m_geometry.bounds.topLeft());
    CanvasPainter(m_model, m_geometry, m_state, m_texts, theme).paint(painter, m_geometry.bounds, 1.0);
}

void CanvasView::paintOverlays(QPainter& painter) const {
    if (m_geometry.columns.size() < 2)
        return;
    paintCutChips(painter);
    paintGrips(painter);
}

QRectF CanvasView::gripRect(std::size_t cut) const {
    const double scale = activeTheme().scale();
    const double x = m_viewport.toView(QPointF(m_geometry.columns[cut + 1].left, 0)).x();
    return {x - gripSize.width() / 2 * scale, height() / 2.0 - gripSize.height() / 2 * scale,
            gripSize.width() * scale, gripSize.height() * scale};
}

int CanvasView::gripAt(const QPointF& view) const {
    for (std::size_t cut = 0; cut + 1 < m_geometry.columns.size(); ++cut) {
        if (gripRect(cut).adjusted(-4, -4, 4, 4).contains(view))
            return int(cut);
    }
    return -1;
}

void CanvasView::paintGrips(QPainter& painter) const {
    const Theme& theme = activeTheme();
    for (std::size_t cut = 0; cut + 1 < m_geometry.columns.size(); ++cut) {
        const QRectF grip = gripRect(cut);
        const bool hot = m_hoveredGrip == int(cut);
        paintCard(painter, grip, grip.width() / 2, theme.color(hot ? Role::AccentFill : Role::Raised),
                  theme.color(hot ? Role::AccentFill : Role::BorderStrong), theme.frameWidth());
        painter.setPen(QPen(theme.color(hot ? Role::OnAccent : Role::Text3), 1.2));
        for (const double dy : {-5.0, 0.0, 5.0})
            painter.drawLine(QPointF(grip.center().x() - 2, grip.center().y() + dy),
                             QPointF(grip.center().x() + 2, grip.center().y() + dy));
    }
}

void CanvasView::paintCutChips(QPainter& painter) const {
    const Theme& theme = activeTheme();
    const QFont font = theme.mono(10);
    for (std::size_t cut = 0; cut + 1 < m_geometry.columns.size(); ++cut) {
        const auto tensors = cutTensors(m_model, cut);
        if (tensors.empty())
            continue;
        const auto& [node, output] = tensors.front();
        const std::vector<QString>& shapes = m_model.nodes[std::size_t(node)].outputShapes;
        QString first = tensors.size() > 1 ? tr("%1 tensors").arg(tensors.size()) : QString();
        if (first.isEmpty() && std::size_t(output) < shapes.size())
            first = shapes[std::size_t(output)];
        QString second;
        const auto& estimate =
            m_document.previewEstimate() ? m_document.previewEstimate() : m_document.estimate();
        if (estimate && cut < estimate->stages.size())
            second = bytesText(estimate->stages[cut].cut, m_document.units().bytes).joined() + u' ' +
                     QChar(0x21C4);
        if (first.isEmpty() && second.isEmpty())
            continue;
        const double width = std::max(textWidth(first, font), textWidth(second, font)) + theme.px(16);
        const double rowHeight = theme.px(13);
        const double rows = (first.isEmpty() ? 0 : 1) + (second.isEmpty() ? 0 : 1);
        const double x = m_viewport.toView(QPointF(m_geometry.columns[cut + 1].left, 0)).x();
        const QRectF chip(x - width / 2, height() - theme.px(14) - rows * rowHeight - theme.px(8), width,
                          rows * rowHeight + theme.px(8));
        paintCard(painter, chip, theme.px(6), theme.color(Role::Raised),
                  theme.color(m_hoveredGrip == int(cut) ? Role::Accent : Role::BorderStrong),
                  theme.frameWidth());
        painter.setFont(font);
        QRectF line(chip.left(), chip.top() + theme.px(4), chip.width(), rowHeight);
        for (const QString& text : {first, second}) {
            if (text.isEmpty())
                continue;
            painter.setPen(theme.color(text == first ? Role::Text : Role::Text2));
            painter.drawText(line, Qt::AlignCenter, text);
            line.translate(0, rowHeight);
        }
    }
}

// the mouse
// ----------------------------------------------------------------------------------------------------

std::pair<int, int> CanvasView::outPortAt(const QPointF& canvas) const {
    const double reach = portReach / std::min(1.0, m_viewport.zoom);
    for (std::size_t i = m_geometry.boxes.size(); i-- > 0;) {
        const BoxShape& box = m_geometry.boxes[i];
        if (box.group >= 0 && !box.isCollapsed)
            continue;
        for (std::size_t p = 0; p < box.outPorts.size(); ++p) {
            const QPointF offset = canvas - box.outPorts[p];
            if (std::hypot(offset.x(), offset.y()) < reach && offset.y() > -3)
                return {int(i), int(p)};
        }
    }
    return {-1, 0};
}

std::pair<int, int> CanvasView::inPortAt(const QPointF& canvas) const {
    const double reach = portReach / std::min(1.0, m_viewport.zoom);
    for (std::size_t i = m_geometry.boxes.size(); i-- > 0;) {
        const BoxShape& box = m_geometry.boxes[i];
        if (box.node < 0)
            continue;
        if (box.rect.adjusted(-2, -reach, 2, 2).contains(canvas) && !box.inPorts.empty()) {
            std::size_t best = 0;
            for (std::size_t p = 1; p < box.inPorts.size(); ++p) {
                if (std::abs(box.inPorts[p].x() - canvas.x()) < std::abs(box.inPorts[best].x() - canvas.x()))
                    best = p;
            }
            return {int(i), int(best)};
        }
    }
    return {-1, 0};
}

void CanvasView::startGesture(std::unique_ptr<CanvasGesture> gesture) {
    m_toolTip->hide();
    m_gesture = std::move(gesture);
}

void CanvasView::endGesture() {
    if (!m_gesture)
        return;
    const std::unique_ptr<CanvasGesture> ended = std::move(m_gesture);
    ended->cancel();
    m_state.leaving.assign(m_model.nodes.size(), false);
    unsetCursor();
    update();
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (m_gesture)
        return;
    const QPointF at = event->position();
    const QPointF canvas = m_viewport.toCanvas(at);
    const bool adds = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_spaceHeld)) {
        m_spacePanned = true;
        startGesture(panGesture(*this, at));
        return;
    }
    if (event->button() == Qt::RightButton && event->modifiers().testFlag(Qt::ControlModifier)) {
        startGesture(knifeGesture(*this, at));
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    if (event->modifiers().testFlag(Qt::AltModifier) && m_toolTip->isVisible()) {
        m_toolTip->pin();
        return;
    }
    if (const int cut = gripAt(at); cut >= 0) {
        startGesture(cutGesture(*this, std::size_t(cut)));
        return;
    }
    if (const auto [box, port] = outPortAt(canvas); box >= 0 && m_viewport.zoom > 0.3) {
        startGesture(connectGesture(*this, box, port));
        return;
    }
    const int box = m_geometry.boxAt(canvas);
    m_state.selectedEdge = -1;
    if (box < 0) {
        const int edge = m_geometry.edgeAt(canvas, 5 / m_viewport.zoom);
        if (edge >= 0) {
            m_state.selectedEdge = m_geometry.edges[std::size_t(edge)].edge;
            if (!adds)
                m_selection.clear();
            update();
            return;
        }
        startGesture(rubberBandGesture(*this, at, adds));
        return;
    }
    const BoxShape& shape = m_geometry.boxes[std::size_t(box)];
    const double header = m_options.metrics.groupHeader;
    if (shape.group >= 0 && !shape.isCollapsed) {
        const bool onHeader = canvas.y() < shape.rect.top() + header;
        if (onHeader && canvas.x() < shape.rect.left() + header) {
            m_commands.setCollapsed(m_model.groups[std::size_t(shape.group)].id, true);
            return;
        }
        if (!onHeader) {
            startGesture(rubberBandGesture(*this, at, adds));
            return;
        }
    }
    const int node = m_geometry.nodeAt(canvas);
    std::vector<int> clicked = node >= 0 ? std::vector<int>{node} : shape.members;
    const bool isSelected = std::all_of(clicked.begin(), clicked.end(),
                                        [this](int n) { return m_state.selected[std::size_t(n)]; });
    if (adds) {
        SelectionState next = m_selection.state();
        for (const InvocationKey& key : keysOf(clicked)) {
            if (isSelected)
                next.invocations.erase(key);
            else
                next.invocations.insert(key);
        }
        if (!next.invocations.empty())
            next.current =
                isSelected ? *next.invocations.rbegin() : m_model.nodes[std::size_t(clicked.front())].key;
        else
            next.current.reset();
        m_selection.set(std::move(next));
        return;
    }
    if (!isSelected) {
        SelectionState next = m_selection.state();
        next.invocations = keysOf(clicked);
        next.current = m_model.nodes[std::size_t(clicked.front())].key;
        m_selection.set(std::move(next));
    }
    startGesture(dragGesture(*this, at, std::move(clicked), isSelected));
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
    if (m_gesture) {
        m_gesture->move(event->position());
        update();
        return;
    }
    updateHover(event->position());
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_gesture)
        return;
    // The gesture may change the project, and with it everything it refers to: let go of it first.
    const std::unique_ptr<CanvasGesture> done = std::move(m_gesture);
    done->finish(event->position());
    m_state.leaving.assign(m_model.nodes.size(), false);
    unsetCursor();
    updateHover(event->position());
    update();
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    endGesture();
    if (event->button() != Qt::LeftButton)
        return;
    const QPointF canvas = m_viewport.toCanvas(event->position());
    const int box = m_geometry.boxAt(canvas);
    if (box < 0 ||
        (m_geometry.boxes[std::size_t(box)].group >= 0 && !m_geometry.boxes[std::size_t(box)].isCollapsed &&
         canvas.y() > m_geometry.boxes[std::size_t(box)].rect.top() + m_options.metrics.groupHeader)) {
        emit quickAddRequested(canvas, std::nullopt);
        return;
    }
    const BoxShape& shape = m_geometry.boxes[std::size_t(box)];
    if (shape.group >= 0) {
        m_commands.setCollapsed(m_model.groups[std::size_t(shape.group)].id, !shape.isCollapsed);
        return;
    }
    const int node = m_geometry.nodeAt(canvas);
    if (node >= 0)
        emit renameRequested(m_model.nodes[std::size_t(node)].key);
}

void CanvasView::wheelEvent(QWheelEvent* event) {
    const QPointF pixels = event->pixelDelta();
    const QPointF angle = event->angleDelta();
    CanvasViewport next = m_viewport;
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        next.origin -= QPointF(angle.y() + angle.x(), 0) / next.zoom * 0.6;
    } else if (!pixels.isNull() && !event->modifiers().testFlag(Qt::ControlModifier)) {
        next.origin -= pixels / next.zoom; // a touch pad moves; pinching or Ctrl zooms
    } else {
        next.zoomAt(event->position(), std::pow(1.0016, angle.y()));
    }
    setViewport(next);
    updateHover(event->position());
    event->accept();
}

void CanvasView::contextMenuEvent(QContextMenuEvent* event) {
    if (m_gesture || event->modifiers().testFlag(Qt::ControlModifier))
        return;
    if (event->reason() == QContextMenuEvent::Mouse) {
        const QPointF canvas = m_viewport.toCanvas(QPointF(event->pos()));
        const int box = m_geometry.boxAt(canvas);
        if (box >= 0) {
            const int node = m_geometry.nodeAt(canvas);
            const std::vector<int> clicked =
                node >= 0 ? std::vector<int>{node} : m_geometry.boxes[std::size_t(box)].members;
            if (!m_state.selected[std::size_t(clicked.front())]) {
                SelectionState next = m_selection.state();
                next.invocations = keysOf(clicked);
                next.current = m_model.nodes[std::size_t(clicked.front())].key;
                m_selection.set(std::move(next));
            }
        }
    }
    m_toolTip->hide();
    emit contextMenuRequested(event->globalPos());
}

void CanvasView::updateHover(const QPointF& view) {
    const QPointF canvas = m_viewport.toCanvas(view);
    const int grip = gripAt(view);
    int box = grip >= 0 ? -1 : m_geometry.boxAt(canvas);
    const int node = box >= 0 ? m_geometry.nodeAt(canvas) : -1;
    int edge = -1;
    const bool onFrame = box >= 0 && m_geometry.boxes[std::size_t(box)].group >= 0 &&
                         !m_geometry.boxes[std::size_t(box)].isCollapsed;
    if (grip < 0 && (box < 0 || onFrame)) {
        const int shape = m_geometry.edgeAt(canvas, 4 / m_viewport.zoom);
        edge = shape >= 0 ? m_geometry.edges[std::size_t(shape)].edge : -1;
    }
    const bool onPort = grip < 0 && m_viewport.zoom > 0.3 && outPortAt(canvas).first >= 0;
    setCursor(m_spaceHeld ? Qt::OpenHandCursor
              : grip >= 0 ? Qt::SplitHCursor
              : onPort    ? Qt::CrossCursor
                          : Qt::ArrowCursor);
    if (box != m_state.hoveredBox || node != m_state.hoveredNode || edge != m_state.hoveredEdge ||
        grip != m_hoveredGrip) {
        m_state.hoveredBox = box;
        m_state.hoveredNode = node;
        m_state.hoveredEdge = edge;
        m_hoveredGrip = grip;
        update();
    }
    m_toolTip->showAt(view, onFrame && node < 0 ? ToolTipContent{} : toolTipFor(node, box));
}

ToolTipContent CanvasView::toolTipFor(int node, int box) const {
    ToolTipContent tip;
    if (node < 0 && box < 0)
        return tip;
    if (node < 0) {
        const BoxShape& shape = m_geometry.boxes[std::size_t(box)];
        tip.title = m_model.groups[std::size_t(shape.group)].title;
        tip.rows.push_back({tr("Content"), m_state.groupTexts[std::size_t(shape.group)]});
        tip.footer = tr("Double-click opens it");
        return tip;
    }
    const CanvasNode& which = m_model.nodes[std::size_t(node)];
    const NodeCost& cost = m_figures.costs[std::size_t(node)];
    tip.title = toQString(which.key.path);
    if (which.key.call > 0)
        tip.title += tr(", call %1").arg(which.key.call + 1);
    tip.rows.push_back({tr("Class"), which.className});
    if (which.stage.isValid() && m_model.stageCount > 0)
        tip.rows.push_back({tr("Stage"), QString::number(which.stage.index())});
    if (!which.outputShapes.empty())
        tip.rows.push_back({tr("Output"), which.outputShapes.front()});
    if (cost.parameters > 0)
        tip.rows.push_back({tr("Parameters"), groupedText(cost.parameters)});
    if (cost.cycles)
        tip.rows.push_back({tr("Forward"), timeText(core::Cycles(std::int64_t(*cost.cycles)),
                                                    m_document.units().time, m_document.timeScale())
                                               .joined()});
    for (const core::Diagnostic& finding : m_document.analysis().diagnostics) {
        if (finding.location.place == which.key.path && tip.rows.size() < 9)
            tip.rows.push_back({toQString(core::toString(finding.severity)), toQString(finding.message)});
    }
    return tip;
}

void CanvasView::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    m_state.hoveredBox = m_state.hoveredNode = m_state.hoveredEdge = -1;
    m_hoveredGrip = -1;
    m_toolTip->hide();
    update();
}

// keys
// ---------------------------------------------------------------------------------------------------------

bool CanvasView::event(QEvent* event) {
    // Tab searches for a layer here, as in every node editor; Ctrl+Tab leaves the canvas.
    if (event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Tab && key->modifiers() == Qt::NoModifier) {
            emit quickAddRequested(m_viewport.visible(size()).center(), std::nullopt);
            return true;
        }
    }
    return QWidget::event(event);
}

bool CanvasView::handleDigit(QKeyEvent* event) {
    const int digit = event->key() - Qt::Key_0;
    if (digit < 0 || digit > 9 || m_selection.state().invocations.empty())
        return false;
    if (event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier) {
        m_commands.assignToStage(m_selection.state().invocations, core::StageId(std::size_t(digit)));
        return true;
    }
    if (event->modifiers() == Qt::ControlModifier) {
        const int node = m_selection.state().current ? m_model.find(*m_selection.state().current) : -1;
        if (node >= 0 && m_model.nodes[std::size_t(node)].stage.isValid())
            m_commands.assignToIpu(m_model.nodes[std::size_t(node)].stage, core::IpuId(std::size_t(digit)));
        return true;
    }
    return false;
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        if (m_gesture)
            endGesture();
        else if (m_state.selectedEdge >= 0) {
            m_state.selectedEdge = -1;
            update();
        } else if (!m_selection.state().invocations.empty())
            m_selection.clear();
        else
            event->ignore();
        return;
    }
    if (handleDigit(event))
        return;
    const bool plain = event->modifiers() == Qt::NoModifier || event->modifiers() == Qt::KeypadModifier;
    if (event->key() == Qt::Key_Space && plain) {
        if (!event->isAutoRepeat()) {
            m_spaceHeld = true;
            m_spacePanned = false;
            setCursor(Qt::OpenHandCursor);
        }
        return;
    }
    const bool isDelete = event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace;
    if (isDelete && m_state.selectedEdge >= 0 && m_selection.state().invocations.empty()) {
        m_commands.disconnect(m_model, {m_state.selectedEdge});
        return;
    }
    if (isDelete) {
        m_commands.removeSelection(event->modifiers().testFlag(Qt::ControlModifier));
        return;
    }
    const std::map<int, QPointF> directions{
        {Qt::Key_Left, {-1, 0}}, {Qt::Key_Right, {1, 0}}, {Qt::Key_Up, {0, -1}}, {Qt::Key_Down, {0, 1}}};
    if (const auto direction = directions.find(event->key()); direction != directions.end()) {
        const bool nudges =
            m_layoutKind == CanvasLayoutKind::Free && event->modifiers().testFlag(Qt::AltModifier);
        if (nudges) {
            const double step = event->modifiers().testFlag(Qt::ShiftModifier) ? 160 : 16;
            std::map<std::string, QPointF> places;
            for (const BoxShape& box : m_geometry.boxes) {
                if (box.depth == 0 && std::any_of(box.members.begin(), box.members.end(), [this](int node) {
                        return m_state.selected[std::size_t(node)];
                    }))
                    places[boxId(m_model, box)] = box.rect.topLeft() + direction->second * step;
            }
            m_commands.moveBoxes(places);
        } else {
            moveFocus(direction->second);
        }
        return;
    }
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        emit inspectorRequested();
        return;
    }
    QWidget::keyPressEvent(event);
}

void CanvasView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat() && m_spaceHeld) {
        m_spaceHeld = false;
        unsetCursor();
        if (!m_spacePanned)
            emit quickAddRequested(m_viewport.visible(size()).center(), std::nullopt);
        return;
    }
    QWidget::keyReleaseEvent(event);
}

void CanvasView::moveFocus(const QPointF& direction) {
    const int current = m_selection.state().current ? m_model.find(*m_selection.state().current) : -1;
    if (current < 0) {
        if (!m_model.nodes.empty())
            m_selection.selectInvocation(m_model.nodes.front().key);
        return;
    }
    const QPointF from = m_geometry.placeOf[std::size_t(current)].center();
    int best = -1;
    double nearest = 0;
    for (std::size_t i = 0; i < m_model.nodes.size(); ++i) {
        const auto distance = distanceAlong(from, m_geometry.placeOf[i].center(), direction);
        if (distance && (best < 0 || *distance < nearest)) {
            best = int(i);
            nearest = *distance;
        }
    }
    if (best < 0)
        return;
    m_selection.selectInvocation(m_model.nodes[std::size_t(best)].key);
    reveal(m_model.nodes[std::size_t(best)].key);
}

void CanvasView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        rebuildModel();
}

// drops from the palette
// ---------------------------------------------------------------------------------------

void CanvasView::dragEnterEvent(QDragEnterEvent* event) {
    if (m_document.isOpen() && event->mimeData()->hasFormat(layerMimeType))
        event->acceptProposedAction();
}

void CanvasView::dragMoveEvent(QDragMoveEvent* event) {
    const QPointF canvas = m_viewport.toCanvas(event->position());
    const int shape = m_geometry.edgeAt(canvas, 8 / m_viewport.zoom);
    const int edge = shape >= 0 ? m_geometry.edges[std::size_t(shape)].edge : -1;
    if (edge != m_state.hoveredEdge) {
        m_state.hoveredEdge = edge;
        update();
    }
    event->acceptProposedAction();
}

void CanvasView::dragLeaveEvent(QDragLeaveEvent*) {
    m_state.hoveredEdge = -1;
    update();
}

void CanvasView::dropEvent(QDropEvent* event) {
    const QString className = QString::fromUtf8(event->mimeData()->data(layerMimeType));
    const QPointF canvas = m_viewport.toCanvas(event->position());
    const int shape = m_geometry.edgeAt(canvas, 8 / m_viewport.zoom);
    m_state.hoveredEdge = -1;
    event->acceptProposedAction();
    if (shape >= 0) {
        m_commands.insertLayer(className, m_model, m_geometry.edges[std::size_t(shape)].edge);
        return;
    }
    // Dropped on a box: it reads that box.
    const int node = m_geometry.nodeAt(canvas);
    std::optional<TensorSource> from;
    if (node >= 0)
        from = TensorSource{m_model.nodes[std::size_t(node)].key, 0};
    m_commands.addLayer(className, from,
                        m_layoutKind == CanvasLayoutKind::Free ? std::optional(canvas) : std::nullopt);
}

} // namespace views
