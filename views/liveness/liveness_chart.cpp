#include "views/liveness/liveness_chart.h"

#include "views/common/theme/color_mix.h"
#include "views/common/theme/widget_theme.h"
#include "views/liveness/liveness_painter.h"
#include "views/profile/legend_bar.h"
#include "views/profile/time/time_filter.h"

#include <QAccessible>
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <qcustomplot.h>

namespace views {

namespace {

constexpr std::size_t mostLifetimes = 1500;
constexpr std::size_t mostColumns = 4;

} // namespace

/// Lies over the curve and the lifetimes: what changes with every move of the mouse.
class LivenessChart::Overlay final : public QWidget {
public:
    explicit Overlay(LivenessChart* chart)
        : QWidget(chart)
        , m_chart(*chart) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }
    void setMouseX(double x) {
        m_mouseX = x;
        update();
    }
    void setCursorPlace(const std::optional<TimeCursor>& place) {
        m_place = place;
        update();
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        if (!m_chart.isReady())
            return;
        const Theme& theme = themeOf(this);
        QPainter painter(this);
        const LivenessLayout layout = m_chart.chartLayout();
        if (m_mouseX >= layout.curve().left() && m_mouseX <= layout.curve().right()) {
            painter.setPen(QPen(withAlpha(theme.color(Role::Text3), 0.55), 1));
            const double x = std::round(m_mouseX) + 0.5;
            painter.drawLine(QPointF(x, layout.curve().top()), QPointF(x, layout.curve().bottom()));
            painter.drawLine(QPointF(x, layout.lifetimes().top()), QPointF(x, layout.lifetimes().bottom()));
        } else if (m_place) {
            paintPlace(painter, layout, theme);
        }
        paintVeil(painter, layout, theme);
        paintLivenessOverlay(painter, m_chart.scene(), layout, theme);
    }

private:
    /// The place that the mouse points at elsewhere: a line, and a dot on the curve.
    void paintPlace(QPainter& painter, const LivenessLayout& layout, const Theme& theme) {
        const LivenessScene& scene = m_chart.scene();
        const std::optional<double> position = scene.position(*m_place);
        if (!position)
            return;
        const double x = std::round(layout.x(scene, *position)) + 0.5;
        const QRectF curve = layout.curve();
        if (x < curve.left() || x > curve.right())
            return;
        painter.setPen(QPen(withAlpha(theme.color(Role::Accent), 0.8), 1));
        painter.drawLine(QPointF(x, curve.top()), QPointF(x, curve.bottom()));
        painter.drawLine(QPointF(x, layout.lifetimes().top()), QPointF(x, layout.lifetimes().bottom()));
        const core::LivenessPoint* point = scene.data->pointAt(*scene.stepAt(*m_place));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.color(Role::Canvas), 1.5));
        painter.setBrush(theme.color(Role::Accent));
        painter.drawEllipse(QPointF(x, LivenessLayout::y(curve, point->live, scene.top())), theme.px(4),
                            theme.px(4));
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    /// Over the steps that do not run in the selected time.
    void paintVeil(QPainter& painter, const LivenessLayout& layout, const Theme& theme) {
        if (!m_chart.m_programs)
            return;
        const QColor veil = withAlpha(theme.color(Role::Canvas), 0.66);
        for (const ProgramStretch& stretch : m_chart.scene().data->stretches) {
            if (holds(*m_chart.m_programs, stretch.stage, stretch.phase))
                continue;
            const double from = layout.x(m_chart.scene(), m_chart.scene().position(stretch.first));
            const double to = layout.x(m_chart.scene(), m_chart.scene().position(stretch.last + 1));
            for (const QRectF& area : {layout.curve(), layout.lifetimes()})
                painter.fillRect(QRectF(from, area.top(), to - from, area.height()).intersected(area), veil);
        }
    }

    LivenessChart& m_chart;
    double m_mouseX = -1;
    std::optional<TimeCursor> m_place;
};

LivenessChart::LivenessChart(QWidget* parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this))
    , m_overlay(new Overlay(this))
    , m_toolTip(new ToolTipCard(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Liveness"));
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_overlay->raise();
    m_toolTip->raise();
}

LivenessChart::~LivenessChart() = default;

void LivenessChart::setData(std::shared_ptr<const LivenessData> memory) {
    m_scene.data = std::move(memory);
    m_scene.state.selected.reset();
    m_scene.state.from = m_scene.state.to = 0;
    m_scene.placement.reset();
    if (isReady()) {
        m_scene.placement =
            std::make_shared<const LifetimePlacement>(placeLifetimes(m_scene.data->ranges, mostLifetimes));
        m_scene.state.columns = {m_scene.data->peakStep()};
    }
    m_plot->setVisible(isReady());
    if (m_legend != nullptr)
        m_legend->setVisible(isReady());
    refill();
    emit columnsChanged();
}

LivenessLayout LivenessChart::chartLayout() const {
    return {static_cast<double>(width()), static_cast<double>(height()), themeOf(this).scale()};
}

void LivenessChart::refill() {
    if (isReady())
        m_bands = fillLivenessPlot(*m_plot, m_scene, themeOf(this));
    refresh();
}

void LivenessChart::refresh() {
    if (isReady()) {
        m_plot->setGeometry(chartLayout().curve().toAlignedRect());
        m_overlay->setGeometry(rect());
        if (m_legend != nullptr)
            m_legend->setGeometry(chartLayout().legend().toAlignedRect());
        setLivenessRange(*m_plot, m_scene, m_bands, chartLayout());
        m_plot->replot(QCustomPlot::rpQueuedReplot);
    }
    m_overlay->update();
    update();
}

void LivenessChart::setPrograms(
    std::optional<std::set<std::pair<core::StageId, core::ProgramPhase>>> programs) {
    m_programs = std::move(programs);
    m_overlay->update();
}

void LivenessChart::setUnits(const Units& units) {
    m_scene.state.units = units;
    refresh();
}

void LivenessChart::setAxis(LivenessAxis axis) {
    m_scene.state.axis = axis;
    m_scene.state.from = m_scene.state.to = 0;
    refill();
}

void LivenessChart::setAlwaysLive(bool isShown) {
    m_scene.state.showsAlwaysLive = isShown;
    refill();
}

void LivenessChart::setGaps(bool areShown) {
    m_scene.state.showsGaps = areShown;
    update();
}

void LivenessChart::setIsolated(std::set<core::MemoryCategory> categories) {
    m_scene.state.isolated = std::move(categories);
    refill();
}

void LivenessChart::setLayers(std::set<std::string> layers) {
    if (layers == m_scene.state.layers)
        return;
    m_scene.state.layers = std::move(layers);
    update();
}

void LivenessChart::setColumns(std::vector<std::int64_t> columns) {
    if (columns == m_scene.state.columns)
        return;
    m_scene.state.columns = std::move(columns);
    m_overlay->update();
    update();
    announce();
    emit columnsChanged();
}

void LivenessChart::select(std::optional<std::size_t> range) {
    if (range == m_scene.state.selected)
        return;
    m_scene.state.selected = range;
    m_overlay->update();
    emit selected(range);
}

void LivenessChart::setCursorPlace(const std::optional<TimeCursor>& place) {
    m_overlay->setCursorPlace(place);
}

void LivenessChart::announce() {
    if (!isReady() || m_scene.state.columns.empty())
        return;
    const std::int64_t step = m_scene.state.columns.front();
    if (const core::LivenessPoint* point = m_scene.data->pointAt(step)) {
        setAccessibleDescription(tr("Step %1, %2, %3")
                                     .arg(step)
                                     .arg(stretchName({point->stage, point->phase, 0, 0}, true),
                                          bytesText(point->live, m_scene.state.units.bytes).joined()));
        QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&changed);
    }
}

void LivenessChart::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Role::Canvas));
    if (!isReady())
        return;
    paintCurveFrame(painter, m_scene, chartLayout(), theme);
    paintLifetimes(painter, m_scene, chartLayout(), theme);
}

void LivenessChart::resizeEvent(QResizeEvent* /*event*/) {
    refresh();
}

void LivenessChart::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        refill();
}

void LivenessChart::mousePressEvent(QMouseEvent* event) {
    if (!isReady())
        return;
    setFocus(Qt::MouseFocusReason);
    m_pressed = event->position();
    m_rangeAtPress = {m_scene.from(), m_scene.to()};
    m_isPressed = true;
    m_isPanning = event->button() == Qt::MiddleButton;
    if (event->modifiers().testFlag(Qt::AltModifier)) {
        m_toolTip->showAt(event->position(), toolTipAt(event->position()));
        m_toolTip->pin();
        m_isPressed = false;
    }
}

void LivenessChart::mouseMoveEvent(QMouseEvent* event) {
    if (!isReady())
        return;
    m_overlay->setMouseX(event->position().x());
    const LivenessLayout layout = chartLayout();
    const bool isInChart =
        event->position().x() >= layout.curve().left() && event->position().x() <= layout.curve().right();
    emit pointed(isInChart ? m_scene.cursorAt(layout.positionAt(m_scene, event->position().x()))
                           : std::nullopt);
    const double moved = event->position().x() - m_pressed.x();
    if (m_isPressed && std::abs(moved) >= QApplication::startDragDistance())
        m_isPanning = true;
    if (m_isPressed && m_isPanning) {
        const double perPixel =
            (m_rangeAtPress.second - m_rangeAtPress.first) / chartLayout().strip().width();
        return setRange(m_rangeAtPress.first - moved * perPixel, m_rangeAtPress.second - moved * perPixel);
    }
    m_toolTip->showAt(event->position(), toolTipAt(event->position()));
}

void LivenessChart::mouseReleaseEvent(QMouseEvent* event) {
    const bool wasClick = m_isPressed && !m_isPanning;
    m_isPressed = m_isPanning = false;
    if (isReady() && wasClick && event->button() == Qt::LeftButton)
        click(event->position(), event->modifiers());
}

void LivenessChart::click(const QPointF& point, Qt::KeyboardModifiers modifiers) {
    const LivenessLayout layout = chartLayout();
    if (const auto range = rangeUnder(m_scene, layout, point);
        range && !modifiers.testFlag(Qt::ShiftModifier))
        return select(range);
    if (!layout.curve().contains(point) && !layout.lifetimes().contains(point))
        return;
    const std::int64_t step = m_scene.stepAt(layout.positionAt(m_scene, point.x()));
    std::vector<std::int64_t> columns = m_scene.state.columns;
    if (!modifiers.testFlag(Qt::ShiftModifier))
        columns = {step};
    else if (columns.size() < mostColumns && std::find(columns.begin(), columns.end(), step) == columns.end())
        columns.push_back(step);
    setColumns(std::move(columns));
}

ToolTipContent LivenessChart::toolTipAt(const QPointF& point) const {
    const LivenessLayout layout = chartLayout();
    const ByteUnit unit = m_scene.state.units.bytes;
    ToolTipContent content;
    if (const auto index = rangeUnder(m_scene, layout, point)) {
        const core::LiveRangeRecord& range = m_scene.data->ranges[*index];
        content.title = toQString(range.name);
        content.rows.push_back({tr("Bytes"), bytesText(range.bytes, unit).joined()});
        content.rows.push_back({tr("Category"), categoryName(range.category)});
        content.rows.push_back(
            {tr("Live"),
             range.alwaysLive
                 ? tr("always")
                 : tr("steps %1–%2").arg(groupedText(range.firstStep), groupedText(range.lastStep))});
        if (!range.layer.empty())
            content.rows.push_back({tr("Layer"), toQString(range.layer)});
        if (!range.shape.empty())
            content.rows.push_back({tr("Shape"), toQString(range.shape)});
        content.footer = tr("Alt+click pins this");
        return content;
    }
    if (!layout.curve().contains(point))
        return {};
    const std::int64_t step = m_scene.stepAt(layout.positionAt(m_scene, point.x()));
    const core::LivenessPoint* at = m_scene.data->pointAt(step);
    if (at == nullptr)
        return {};
    content.title =
        tr("Step %1 · %2").arg(groupedText(step), stretchName({at->stage, at->phase, 0, 0}, true));
    content.rows.push_back({tr("Live"), bytesText(at->live, unit).joined()});
    content.rows.push_back({tr("Of limit"), percentText(ratio(at->live, m_scene.data->curve.limit))});
    for (std::size_t i = core::memoryCategoryCount; i-- > 0;) {
        const auto category = static_cast<core::MemoryCategory>(i);
        if (!core::isAlwaysLive(category) && at->byCategory[i].value() > 0)
            content.rows.push_back({categoryName(category), bytesText(at->byCategory[i], unit).joined()});
    }
    content.footer = tr("Click freezes this step, Shift+click adds it");
    return content;
}

void LivenessChart::setRange(double from, double to) {
    const double end = m_scene.end();
    constexpr double shortest = 4;
    const double length = std::clamp(to - from, std::min(shortest, end), end);
    m_scene.state.from = std::clamp(from, 0.0, end - length);
    m_scene.state.to = m_scene.state.from + length;
    refresh();
}

void LivenessChart::zoom(double factor, double x) {
    const double at = chartLayout().positionAt(m_scene, x);
    const double from = m_scene.from();
    const double to = m_scene.to();
    setRange(at - (at - from) / factor, at + (to - at) / factor);
}

void LivenessChart::pan(double share) {
    const double by = share * (m_scene.to() - m_scene.from());
    setRange(m_scene.from() + by, m_scene.to() + by);
}

void LivenessChart::wheelEvent(QWheelEvent* event) {
    if (!isReady())
        return;
    const double steps = event->angleDelta().y() / 120.0;
    if (event->modifiers().testFlag(Qt::ControlModifier))
        zoom(std::pow(1.25, steps), event->position().x());
    else if (event->modifiers().testFlag(Qt::ShiftModifier))
        pan(-0.1 * steps);
    event->accept();
}

void LivenessChart::keyPressEvent(QKeyEvent* event) {
    if (!isReady())
        return;
    const double middle = chartLayout().strip().center().x();
    std::vector<std::int64_t> columns = m_scene.state.columns;
    const auto moveColumn = [&](std::int64_t by) {
        if (columns.empty())
            columns = {m_scene.data->peakStep()};
        columns.front() = std::clamp<std::int64_t>(columns.front() + by, 0, m_scene.data->steps() - 1);
        setColumns(columns);
    };
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
        return zoom(1.35, middle);
    case Qt::Key_S:
    case Qt::Key_Minus:
        return zoom(1 / 1.35, middle);
    case Qt::Key_A:
        return pan(-0.15);
    case Qt::Key_D:
        return pan(0.15);
    case Qt::Key_Home:
    case Qt::Key_0:
        return setRange(0, m_scene.end());
    case Qt::Key_Left:
        return moveColumn(-1);
    case Qt::Key_Right:
        return moveColumn(1);
    case Qt::Key_P:
        return setColumns({m_scene.data->peakStep()});
    case Qt::Key_Escape:
        if (m_scene.state.selected)
            return select(std::nullopt);
        return setColumns({m_scene.data->peakStep()});
    default:
        return QWidget::keyPressEvent(event);
    }
}

void LivenessChart::leaveEvent(QEvent* /*event*/) {
    m_overlay->setMouseX(-1);
    m_toolTip->showAt({}, {});
    emit pointed(std::nullopt);
}

} // namespace views
