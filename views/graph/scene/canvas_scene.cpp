#include "views/graph/scene/canvas_scene.h"

#include "core/project/project_edit.h"
#include "views/common/text/elided_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/model/group_detection.h"

#include <QGuiApplication>
#include <QPainter>
#include <QStyle>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <utility>

namespace views {

namespace {

CanvasMetrics scaledMetrics(const Theme& theme) {
    CanvasMetrics metrics;
    for (double* value :
         {&metrics.nodeWidth, &metrics.nodeHeight, &metrics.rowHeight, &metrics.rowsBottom,
          &metrics.groupHeader, &metrics.groupPadding, &metrics.columnPadding, &metrics.labelLetter})
        *value = std::round(theme.px(*value) * 10) / 10;
    return metrics;
}

/// Even, so that the port in the middle is on a whole pixel and a line through several boxes has no kink.
double evenWidth(double width) {
    return 2 * std::round(width / 2);
}

/// As long as the style lets things move; at once where nobody watches.
int motionTime(const QWidget& surface) {
    constexpr int most = 150;
    if (QGuiApplication::platformName() == QStringLiteral("offscreen"))
        return 0;
    return std::min(most,
                    surface.style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, &surface));
}

} // namespace

CanvasScene::CanvasScene(Document& document, Selection& selection, CanvasCommands& commands,
                         const QWidget& surface)
    : m_document(document)
    , m_selection(selection)
    , m_commands(commands)
    , m_surface(surface)
    , m_camera(surface)
    , m_motion(motionTime(surface)) {
    connect(&m_motion, &CanvasMotion::advanced, this, [this] {
        m_state.shifts = m_motion.shifts();
        m_state.arrived = m_motion.progress();
        emit repaintNeeded();
    });
    connect(&m_camera, &CanvasCamera::moved, this, &CanvasScene::viewportChanged);
    connect(&document, &Document::opened, this, &CanvasScene::replaceProject);
    connect(&document, &Document::projectChanged, this, &CanvasScene::follow);
    connect(&document, &Document::analysisChanged, this, &CanvasScene::followAnalysis);
    connect(&document, &Document::previewChanged, this, [this] {
        if (!std::exchange(m_showsPlan, m_document.isPlanPreview()) && !m_showsPlan)
            return;
        const std::size_t columns = m_geometry.columns.size();
        rebuild();
        if (m_geometry.columns.size() != columns)
            fitFirst();
    });
    connect(&document, &Document::estimateChanged, this, &CanvasScene::rebuildFigures);
    connect(&document, &Document::unitsChanged, this, &CanvasScene::rebuildFigures);
    connect(&selection, &Selection::changed, this, [this] { rebuildState(); });
}

void CanvasScene::replaceProject() {
    m_needsFit = true;
    m_dropped.clear();
    emit projectReplaced();
    if (!m_document.isOpen())
        rebuild();
}

void CanvasScene::rebuild() {
    m_isLaidOut = false;
    follow();
}

void CanvasScene::followAnalysis() {
    // Most of what becomes known about an edit are the shapes that were known before.
    const bool isDrawn = m_isLaidOut && !m_needsFit && m_document.isOpen() && m_modelOf == m_document.shown();
    if (!isDrawn || !hasShapesOf(m_model, m_document.analysis()))
        return follow();
    rebuildState();
    rebuildFigures();
}

void CanvasScene::follow() {
    const FlowDirection flow = m_document.isOpen() && core::readsLeftToRight(m_document.project())
                                   ? FlowDirection::Right
                                   : FlowDirection::Down;
    if (std::exchange(m_options.flow, flow) != flow)
        m_needsFit = true; // nothing is where it was
    m_modelOf = m_document.isOpen() ? m_document.shown() : ProjectSnapshot();
    CanvasModel model =
        m_modelOf ? makeCanvasModel(*m_modelOf, m_document.analysis(), &m_looks) : CanvasModel{};
    core::CanvasLayout kept = m_document.isOpen() ? m_document.project().canvas : core::CanvasLayout();
    // Most edits, and most of what becomes known about them, move nothing.
    const bool isInPlace = m_isLaidOut && !m_needsFit && kept == m_laidOut && model.isPlacedLike(m_model);
    if (!isInPlace && !m_needsFit && !m_geometry.boxes.empty())
        m_motion.remember(m_model, m_geometry, m_camera.visible(), m_selection.state().invocations);
    if (m_dropAt) {
        for (const CanvasNode& each : model.nodes)
            if (m_model.find(each.key) < 0)
                m_dropped[each.key.path] = *m_dropAt;
    }
    m_model = std::move(model);
    if (isInPlace) {
        rebuildState();
        rebuildFigures();
        return;
    }
    m_laidOut = std::move(kept);
    m_options.metrics = scaledMetrics(themeOf(&m_surface));
    m_options.collapsed =
        m_document.isOpen() ? collapsedGroups(m_document.project(), m_model) : std::set<std::string>{};
    const bool fills = (fillsWidth() || m_camera.isFitted()) && !m_needsFit;
    const std::size_t columns = m_geometry.columns.size();
    rebuildGeometry();
    // Columns that filled the view do so when there are more or fewer of them. What one looks at keeps its
    // size when one of them grows.
    if (fills && m_layoutKind == CanvasLayoutKind::Stages && m_geometry.columns.size() != columns) {
        const double top = m_camera.visible().top();
        m_camera.fitWidth();
        m_camera.moveBy({0, top - m_camera.visible().top()});
        emit viewportChanged();
    }
    m_isLaidOut = true;
}

/// Boxes as wide as the longest name and a figure beside it, and as the class below it, within reason.
double CanvasScene::wantedNodeWidth() const {
    const Theme& theme = themeOf(&m_surface);
    const QFont font = theme.font(11, QFont::DemiBold);
    const QFont classFont = theme.font(10);
    constexpr std::size_t most = 2000; // measuring more names takes longer than it is worth
    constexpr double figure = 4 + 34;  // of four digits
    constexpr double besides = 31 + 6; // icon and stripe, margin
    double longest = 0;
    for (std::size_t i = 0; i < std::min(most, m_model.nodes.size()); ++i) {
        longest =
            std::max(longest, textWidth(nameWithin(m_model, int(i)), font) + theme.px(besides + figure));
        longest = std::max(longest, textWidth(m_model.nodes[i].className, classFont) + theme.px(besides));
    }
    for (const CanvasGroup& group : m_model.groups)
        if (m_options.collapsed.contains(group.id))
            longest = std::max(longest, textWidth(group.title, font) + theme.px(besides + figure));
    constexpr double widest = 240;
    const double base = CanvasMetrics().nodeWidth;
    return evenWidth(theme.px(std::clamp(longest / theme.scale(), base, widest)));
}

void CanvasScene::rebuildGeometry() {
    const double base = evenWidth(scaledMetrics(themeOf(&m_surface)).nodeWidth);
    const double wanted = wantedNodeWidth();
    m_options.metrics.nodeWidth = wanted;
    if (m_layoutKind == CanvasLayoutKind::Stages) {
        // Columns grow before names are shortened, but not out of the window.
        std::vector<double> widths{wanted};
        if (wanted > base && m_options.flow != FlowDirection::Right)
            widths = {wanted, evenWidth((base + wanted) / 2), base};
        for (const double width : widths) {
            // Not even one box in each column has room.
            if (width != widths.back() && width * double(m_model.stageCount) > m_surface.width())
                continue;
            m_options.metrics.nodeWidth = width;
            m_geometry = layOutStages(m_model, m_options, m_surface.width(), m_dropped);
            if (m_geometry.bounds.width() <= m_surface.width())
                break;
        }
    } else {
        std::map<std::string, QPointF> moved;
        if (m_document.isOpen()) {
            for (const auto& [name, place] : m_document.project().canvas.positions)
                moved[name] = {place.x, place.y};
        }
        m_geometry = layOutFreely(m_model, m_options, moved);
    }
    // What hangs over the foot of the canvas, the chips of cuts, lies below the boxes once all is shown.
    if (m_geometry.columns.size() > 1)
        m_geometry.bounds.adjust(0, 0, 0, themeOf(&m_surface).px(46));
    m_state.notes.clear();
    if (m_document.isOpen())
        m_state.notes =
            noteShapes(m_document.project().canvas.notes, m_model, m_geometry, themeOf(&m_surface));
    for (const NoteShape& note : m_state.notes)
        m_geometry.bounds = m_geometry.bounds.united(note.header);
    m_camera.setBounds(m_geometry.bounds);
    m_state.hoveredBox = m_state.hoveredNode = m_state.hoveredEdge = m_state.selectedEdge = -1;
    rebuildState();
    computeFigures();
    if (m_needsFit && !m_model.nodes.empty() && m_surface.width() > 0) {
        m_needsFit = false;
        fitFirst();
    }
    keepInPlace();
    emit drawingChanged();
    emit viewportChanged();
}

/// From where one begins to read, as large as the view has room for across the flow.
void CanvasScene::fitFirst() {
    if (m_options.flow == FlowDirection::Right)
        m_camera.fitHeight();
    else
        m_camera.fitWidth();
}

void CanvasScene::keepInPlace() {
    QPointF kept = m_motion.drift(m_model, m_geometry).value_or(QPointF());
    // Columns that all are in view stay where they are.
    const QRectF visible = m_camera.visible();
    if (areColumnsSeen(visible))
        kept.setX(0);
    // A drawing that became shorter leaves no bare ground above where it is seen whole, or while layers are
    // hidden below.
    if (kept.y() < 0) {
        const double bare = m_geometry.bounds.top() - (visible.top() + kept.y());
        const double hidden = m_geometry.bounds.height() <= visible.height()
                                  ? bare
                                  : m_geometry.bounds.bottom() - (visible.bottom() + kept.y());
        kept.ry() += std::clamp(std::min(bare, hidden), 0.0, -kept.y());
    }
    // Nor does following what moved down hide layers above while there is bare ground below.
    if (kept.y() > 0) {
        const double hidden = visible.top() + kept.y() - m_geometry.bounds.top();
        const double bare = visible.bottom() + kept.y() - m_geometry.bounds.bottom();
        kept.ry() -= std::clamp(std::min(hidden, bare), 0.0, kept.y());
    }
    if (kept.manhattanLength() > 0.5)
        m_camera.moveBy(kept);
    m_motion.start(m_model, m_geometry, kept);
    m_state.shifts = m_motion.shifts();
    m_state.arrived = m_motion.progress();
}

void CanvasScene::rebuildState() {
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
    if (m_selection.state().current && m_surface.hasFocus())
        m_state.focusedNode = m_model.find(*m_selection.state().current);
    for (const core::Diagnostic& finding : m_document.analysis().diagnostics) {
        const int node = m_model.find({finding.location.place, 0});
        if (node < 0)
            continue;
        std::optional<core::Severity>& worst = m_state.findings[std::size_t(node)];
        worst = worst ? std::max(*worst, finding.severity) : finding.severity;
    }
    emit repaintNeeded();
}

void CanvasScene::computeFigures() {
    m_figures =
        makeFigures(m_model, m_document.analysis(),
                    m_document.isPlanPreview() && m_document.previewEstimate() ? m_document.previewEstimate()
                                                                               : m_document.estimate());
    m_overlayUnit =
        fillFigures(m_state, m_geometry, m_figures, m_metric, m_document.units(), m_document.timeScale());
    for (std::size_t i = 0; i < m_geometry.boxes.size(); ++i) {
        if (m_geometry.boxes[i].group >= 0)
            m_state.boxTexts[i] = repeatText(m_geometry.boxes[i], m_state.boxTexts[i]);
    }
    m_state.unknown.clear();
    if (m_figures.uncounted > 0) {
        for (const CanvasNode& each : m_model.nodes)
            m_state.unknown.push_back(each.outputShapes.empty());
    }
    m_state.showsHeat = m_asHeat && m_metric != OverlayMetric::Off;
    m_hottest.clear();
    for (const NodeFigure& figure : m_state.figures) {
        if (m_state.showsHeat && figure.share >= 1)
            m_hottest = figure.text + (m_overlayUnit.isEmpty() ? QString() : u' ' + m_overlayUnit);
    }
    m_texts.clear();
}

QString CanvasScene::repeatText(const BoxShape& box, const QString& facts) const {
    const std::vector<std::vector<int>>& copies = m_model.groups[std::size_t(box.group)].copies;
    if (copies.empty())
        return facts;
    const auto here = std::ranges::count_if(copies, [&](const std::vector<int>& copy) {
        return std::ranges::binary_search(box.members, copy.front());
    });
    const QString layers = countedText(std::int64_t(copies.front().size()), tr("layer"), tr("layers"));
    const QString what = std::size_t(here) == copies.size()
                             ? tr("%1 each").arg(layers)
                             : tr("%1 of %2 copies").arg(here).arg(copies.size());
    const QString parameters = facts.section(QStringLiteral(" · "), 1);
    return parameters.isEmpty() ? what : what + QStringLiteral(" · ") + parameters;
}

void CanvasScene::rebuildFigures() {
    computeFigures();
    emit drawingChanged();
    emit repaintNeeded();
}

void CanvasScene::setLayoutKind(CanvasLayoutKind kind) {
    if (kind == m_layoutKind)
        return;
    m_layoutKind = kind;
    m_needsFit = true;
    rebuildGeometry();
    emit layoutKindChanged();
}

void CanvasScene::setOverlay(OverlayMetric metric, bool asHeat) {
    m_metric = metric;
    m_asHeat = asHeat;
    rebuildFigures();
}

std::vector<int> CanvasScene::selectedNodes() const {
    std::vector<int> nodes;
    for (std::size_t i = 0; i < m_state.selected.size(); ++i) {
        if (m_state.selected[i])
            nodes.push_back(int(i));
    }
    return nodes;
}

bool CanvasScene::areSelected(const std::vector<int>& nodes) const {
    return std::all_of(nodes.begin(), nodes.end(),
                       [this](int node) { return m_state.selected[std::size_t(node)]; });
}

std::set<InvocationKey> CanvasScene::keysOf(const std::vector<int>& nodes) const {
    std::set<InvocationKey> keys;
    for (const int each : nodes)
        keys.insert(node(each).key);
    return keys;
}

std::vector<int> CanvasScene::nodesAt(const QPointF& canvas, int which) const {
    const int node = m_geometry.nodeAt(canvas);
    return node >= 0 ? std::vector<int>{node} : box(which).members;
}

void CanvasScene::select(const std::vector<int>& nodes) {
    SelectionState next = m_selection.state();
    next.invocations = keysOf(nodes);
    next.current = node(nodes.front()).key;
    m_selection.set(std::move(next));
}

int CanvasScene::edgeAt(const QPointF& canvas, double reach) const {
    const int shape = m_geometry.edgeAt(canvas, reach / viewport().zoom);
    return shape >= 0 ? m_geometry.edges[std::size_t(shape)].edge : -1;
}

core::StageId CanvasScene::stageAt(const QPointF& canvas) const {
    if (m_geometry.columns.size() < 2)
        return {};
    for (const ColumnShape& column : m_geometry.columns)
        if (canvas.x() < column.right())
            return column.stage;
    return m_geometry.columns.back().stage;
}

bool CanvasScene::isFrame(int which) const {
    return which >= 0 && box(which).isFrame();
}

bool CanvasScene::isOnHeader(const QPointF& canvas, int which) const {
    return isFrame(which) && canvas.y() < box(which).rect.top() + m_options.metrics.groupHeader;
}

std::map<std::string, QPointF> CanvasScene::movedPlaces(const QPointF& shift) const {
    std::map<std::string, QPointF> places;
    for (const BoxShape& each : m_geometry.boxes) {
        const bool isMoved =
            each.depth == 0 && std::any_of(each.members.begin(), each.members.end(),
                                           [this](int node) { return m_state.selected[std::size_t(node)]; });
        if (isMoved)
            places[boxId(m_model, each)] = each.rect.topLeft() + shift;
    }
    return places;
}

void CanvasScene::fitSelection() {
    QRectF area;
    for (const int node : selectedNodes())
        area |= m_geometry.placeOf[std::size_t(node)];
    m_camera.fit(area);
}

void CanvasScene::reveal(const InvocationKey& key) {
    const int node = m_model.find(key);
    if (node >= 0)
        m_camera.reveal(m_geometry.placeOf[std::size_t(node)]);
}

bool CanvasScene::areColumnsSeen(const QRectF& visible) const {
    return !m_geometry.columns.empty() && m_geometry.columns.front().left >= visible.left() - 1 &&
           m_geometry.columns.back().right() <= visible.right() + 1;
}

bool CanvasScene::fillsWidth() const {
    constexpr double nearly = 4;
    const QRectF drawn = viewport().toView(m_geometry.bounds);
    return m_geometry.columns.size() > 1 && m_options.flow == FlowDirection::Down &&
           std::abs(drawn.left()) < nearly && std::abs(drawn.right() - m_surface.width()) < nearly;
}

void CanvasScene::resized(int widthBefore) {
    const bool wasFitted = m_camera.isFitted();
    if (m_layoutKind == CanvasLayoutKind::Stages && widthBefore != m_surface.width()) {
        const bool wasAtHome = m_camera.isAtHome();
        const QRectF before(m_camera.visible().topLeft(),
                            QSizeF(widthBefore / m_camera.viewport().zoom, m_camera.visible().height()));
        const bool wereAllSeen = areColumnsSeen(before);
        rebuildGeometry();
        if (wasAtHome) {
            m_camera.keepLeft();
        } else if (wereAllSeen && !wasFitted) { // what was seen whole fills the new width
            fitFirst();
            m_camera.moveBy({0, std::max(0.0, before.top() - m_camera.visible().top())});
        }
    } else if (m_needsFit) {
        rebuildGeometry();
    }
    if (wasFitted)
        m_camera.refit();
    emit viewportChanged();
}

void CanvasScene::paint(QPainter& painter, const Theme& theme, const QRectF& part) {
    // Boxes on their way are elsewhere than they will be.
    m_texts.prepare(m_model, m_geometry, m_state, theme,
                    m_state.shifts.empty() ? m_camera.visible().adjusted(-72, -24, 72, 24) : QRectF());
    const QRectF drawn =
        part.isNull() ? QRectF() : QRectF(viewport().toCanvas(part.topLeft()), part.size() / viewport().zoom);
    painter.save();
    painter.scale(viewport().zoom, viewport().zoom);
    painter.translate(-viewport().origin);
    CanvasPainter(m_model, m_geometry, m_state, m_texts, theme)
        .paint(painter, m_camera.visible(), viewport().zoom, drawn);
    painter.restore();
}

void CanvasScene::paintAll(QPainter& painter, const Theme& theme) const {
    CanvasTexts texts;
    texts.prepare(m_model, m_geometry, m_state, theme);
    painter.translate(-m_geometry.bounds.topLeft());
    CanvasPainter(m_model, m_geometry, m_state, texts, theme).paint(painter, m_geometry.bounds, 1.0);
}

} // namespace views
