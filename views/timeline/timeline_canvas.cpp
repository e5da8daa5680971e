#include "views/timeline/timeline_canvas.h"

#include "views/common/theme/color_mix.h"
#include "views/common/theme/widget_theme.h"
#include "views/timeline/painting/timeline_painter.h"
#include "views/timeline/timeline_tables.h"

#include <QAccessible>
#include <QFocusEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace views {

namespace {

/// The pixels of a widget in the image that its painter draws into, when an event paints all of them; nothing
/// where they do not lie as those of an image of their own. Writing there spares a copy of the whole picture,
/// which takes as long as painting it.
std::optional<QImage> pixelsOf(const QWidget& widget, const QPainter& painter, const QPaintEvent& event) {
    QPaintDevice* device = painter.paintEngine()->paintDevice();
    if (device == nullptr || device->devType() != QInternal::Image)
        return std::nullopt;
    // What lies above the widget is painted after it.
    const QRegion hidden = QRegion(widget.rect()) - event.region() - widget.childrenRegion();
    auto& image = static_cast<QImage&>(*device);
    const double ratio = widget.devicePixelRatioF();
    const QTransform transform = painter.deviceTransform();
    const QPointF origin = transform.map(QPointF());
    const QSizeF pixels = QSizeF(widget.size()) * ratio;
    const QRectF place(origin, pixels);
    const QRect whole = place.toRect();
    const bool isPlain = transform.type() <= QTransform::TxScale && transform.m11() == ratio &&
                         transform.m22() == ratio && QRectF(whole) == place && image.rect().contains(whole);
    const QImage::Format format = image.format();
    const bool isWritable = (format == QImage::Format_RGB32 || format == QImage::Format_ARGB32 ||
                             format == QImage::Format_ARGB32_Premultiplied) &&
                            image.isDetached();
    if (!hidden.isEmpty() || !isPlain || !isWritable || image.devicePixelRatio() != ratio)
        return std::nullopt;
    constexpr int pixelBytes = 4;
    QImage part(image.bits() + whole.top() * image.bytesPerLine() +
                    static_cast<qsizetype>(whole.left()) * pixelBytes,
                whole.width(), whole.height(), image.bytesPerLine(), QImage::Format_RGB32);
    part.setDevicePixelRatio(ratio);
    return part;
}

} // namespace

TimelineCanvas::TimelineCanvas(TimelineLoader& loader, QWidget* parent)
    : QWidget(parent)
    , m_loader(loader)
    , m_scrollBar(new QScrollBar(Qt::Vertical, this))
    , m_toolTip(new ToolTipCard(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline"));
    m_scrollBar->setAccessibleName(tr("Scroll lanes"));
    connect(m_scrollBar, &QScrollBar::valueChanged, this, [this](int value) {
        m_scene.scroll = value;
        invalidate();
    });
    connect(&loader, &TimelineLoader::frameChanged, this, &TimelineCanvas::takeFrame);
    connect(&loader, &TimelineLoader::dataChanged, this, &TimelineCanvas::takeData);
}

void TimelineCanvas::takeFrame() {
    // What is shown stays, dimmed, until the lanes of the other run are here.
    if (isReady() && m_scene.window && m_isPictureStale)
        refreshPicture();
    const bool isOtherLength = !m_loader.frame() || m_state.view.end != m_loader.frame()->length();
    m_scene.frame = m_loader.frame();
    m_scene.programs = m_loader.programs();
    copyLoaded();
    if (m_state.showsCriticalPath)
        m_loader.requestCriticalPath();
    m_state.selected.reset();
    m_state.piece.reset();
    dismissCards();
    if (isReady() && isOtherLength) {
        m_state.view = clamped(core::Cycles(), m_scene.frame->step, m_scene.frame->length());
        m_state.area.reset();
        m_state.markers.clear();
        // Beyond a handful of IPUs the compute lanes alone fit.
        constexpr std::size_t mostExpanded = 8;
        m_state.collapsed.clear();
        for (std::size_t ipu = mostExpanded; ipu < m_scene.frame->ipus.size(); ++ipu)
            m_state.collapsed.insert(ipu);
        showWhatFits();
    }
    layOutAgain();
    requestFlows();
    emit viewChanged();
    emit areaChanged();
}

/// Live bytes of every IPU and the other replicas, where there is space for them.
void TimelineCanvas::showWhatFits() {
    const auto fits = [&](const TimelineState& state) {
        return naturalHeight(*m_scene.frame, state, themeOf(this).scale()) <= height();
    };
    TimelineState more = m_state;
    more.counters = {0};
    for (std::size_t ipu = 0; ipu < m_scene.frame->ipus.size(); ++ipu)
        more.counters.insert(ipu);
    if (!fits(more))
        more.counters = {0};
    more.showsReplicas = true;
    more.showsReplicas = fits(more);
    m_state.counters = more.counters;
    m_state.showsReplicas = more.showsReplicas;
}

void TimelineCanvas::copyLoaded() {
    m_scene.updateSlots = m_loader.updateSlots();
    m_scene.window = m_loader.window();
    m_scene.shares = m_loader.shares();
    m_scene.overview = m_loader.overview();
    m_scene.flows = m_loader.flows();
    m_scene.critical = m_loader.critical();
    m_scene.depths = m_loader.depths();
    m_scene.operations = m_loader.operations();
    m_scene.counters = m_loader.counters();
    m_scene.counterTops = m_loader.counterTops();
}

void TimelineCanvas::takeData() {
    copyLoaded();
    invalidate();
}

void TimelineCanvas::layOutAgain() {
    if (!isReady())
        return invalidate();
    const double bar = m_scrollBar->sizeHint().width();
    const double scale = themeOf(this).scale();
    m_state.isDeep = showsDepth();
    m_scene.state = m_state;
    m_scene.layout = layOut(*m_scene.frame, m_state, width(), height(), scale);
    const bool isTooHigh = m_scene.layout.contentHeight > m_scene.layout.lanes().height() + 0.5;
    if (isTooHigh)
        m_scene.layout = layOut(*m_scene.frame, m_state, width() - bar, height(), scale);
    updateScrollBar();
    requestData();
    invalidate();
}

void TimelineCanvas::updateScrollBar() {
    const QRectF lanes = m_scene.layout.lanes();
    const int hidden =
        std::max(0, static_cast<int>(std::ceil(m_scene.layout.contentHeight - lanes.height())));
    m_scrollBar->setVisible(hidden > 0);
    const int barWidth = m_scrollBar->sizeHint().width();
    m_scrollBar->setGeometry(width() - barWidth, static_cast<int>(lanes.top()), barWidth,
                             static_cast<int>(lanes.height()));
    m_scrollBar->setRange(0, hidden);
    m_scrollBar->setPageStep(static_cast<int>(lanes.height()));
    m_scrollBar->setSingleStep(themeOf(this).ipx(24));
    m_scene.scroll = m_scrollBar->value();
}

/// The longest stage program is wide enough for names inside it.
bool TimelineCanvas::showsDepth() const {
    if (!m_scene.programs)
        return false;
    core::Cycles longest;
    for (const auto& [program, shares] : *m_scene.programs)
        longest = std::max(longest, shares.work());
    const auto inView = static_cast<double>((m_state.view.to - m_state.view.from).value());
    constexpr double enough = 220;
    return static_cast<double>(longest.value()) / std::max(1.0, inView) * width() >= themeOf(this).px(enough);
}

void TimelineCanvas::requestData() {
    if (m_state.isDeep)
        m_loader.requestDepths();
    m_loader.requestWindow(m_state.view, m_scene.axis().width);
    m_loader.requestCounters(m_state.view, m_scene.axis().width, m_state.rates);
    m_loader.requestOverview(static_cast<std::int64_t>(overviewAxis(m_scene).width) /
                             std::max<std::int64_t>(1, overviewRange(*m_scene.frame, m_state.view).count));
}

void TimelineCanvas::requestFlows() {
    if (!isReady())
        return;
    std::vector<std::int64_t> microBatches;
    if (m_state.flows == FlowMode::All) {
        constexpr std::int64_t mostFlows = 64;
        microBatches.resize(
            static_cast<std::size_t>(std::min(mostFlows, m_scene.frame->provenance.microBatches)));
        std::iota(microBatches.begin(), microBatches.end(), 0);
    } else if (m_state.flows == FlowMode::Selected && m_state.microBatch) {
        microBatches.push_back(*m_state.microBatch);
    }
    m_loader.requestFlows(microBatches);
}

void TimelineCanvas::invalidate() {
    m_scene.state = m_state;
    m_isStale = true;
    m_isPictureStale = true;
    update();
}

void TimelineCanvas::refreshPicture() {
    const Theme& theme = themeOf(this);
    const double ratio = devicePixelRatioF();
    if (m_picture.size() != size() * ratio) {
        m_picture = QImage(size() * ratio, QImage::Format_RGB32);
        // Half a pixel at the edge, as fractions of ratios leave it, may be no painter's.
        m_picture.fill(theme.color(Role::Canvas));
    }
    m_picture.setDevicePixelRatio(ratio);
    m_raster.paint(m_picture, m_scene, theme);
    m_isPictureStale = false;
}

void TimelineCanvas::setUnits(const Units& units) {
    m_state.units = units;
    invalidate();
}

void TimelineCanvas::setColour(SpanColour colour) {
    m_state.colour = colour;
    invalidate();
}

void TimelineCanvas::setFlowMode(FlowMode mode) {
    m_state.flows = mode;
    requestFlows();
    invalidate();
}

void TimelineCanvas::setLaneGrouping(LaneGrouping grouping) {
    m_state.lanes = grouping;
    layOutAgain();
}

void TimelineCanvas::setRates(std::set<core::Counter> counters) {
    m_state.rates = std::move(counters);
    layOutAgain();
}

void TimelineCanvas::setIsolated(std::set<Activity> activities) {
    m_state.isolated = std::move(activities);
    invalidate();
}

void TimelineCanvas::setHighlighted(std::set<std::pair<core::StageId, core::SpanKind>> programs,
                                    std::set<std::string> layers) {
    if (programs == m_state.highlighted && layers == m_state.layers)
        return;
    m_state.highlighted = std::move(programs);
    m_state.layers = std::move(layers);
    invalidate();
}

void TimelineCanvas::setMicroBatch(std::optional<std::int64_t> microBatch) {
    if (microBatch == m_state.microBatch)
        return;
    m_state.microBatch = microBatch;
    requestFlows();
    invalidate();
    emit microBatchChanged();
}

void TimelineCanvas::setArea(std::optional<TimelineArea> area) {
    if (area == m_state.area)
        return;
    m_state.area = std::move(area);
    invalidate();
    emit areaChanged();
}

void TimelineCanvas::setView(const TimelineViewport& view) {
    if (!isReady() || view == m_state.view)
        return;
    dismissCards();
    m_state.view = view;
    m_scene.state = m_state;
    if (m_state.isDeep != showsDepth()) {
        layOutAgain(); // lanes are higher where they show what runs inside
    } else {
        requestData();
        invalidate();
    }
    emit viewChanged();
}

void TimelineCanvas::setCriticalPath(bool isShown) {
    if (isShown == m_state.showsCriticalPath)
        return;
    m_state.showsCriticalPath = isShown;
    if (isShown)
        m_loader.requestCriticalPath();
    invalidate();
    emit criticalPathChanged(isShown);
}

void TimelineCanvas::setCursorPlace(const std::optional<TimeCursor>& place) {
    if (place == m_cursor)
        return;
    m_cursor = place;
    update();
}

void TimelineCanvas::dismissCards() {
    m_toolTip->showAt({}, {});
    m_toolTip->dismissPinned();
}

std::optional<TimeRange> TimelineCanvas::selectedTime() const {
    if (!m_state.selected)
        return std::nullopt;
    const core::SpanRecord& span = m_state.selected->span;
    const core::Cycles start = m_state.selected->update * m_scene.frame->step + span.start;
    if (!m_state.piece)
        return TimeRange{start, start + span.duration};
    // The span may be a part of its program, and the piece reach beyond it.
    const core::Cycles from = std::max(start, start + m_state.piece->start - span.offset);
    const core::Cycles to =
        std::min(start + span.duration, start + m_state.piece->start + m_state.piece->duration - span.offset);
    return TimeRange{from, std::max(to, from + core::Cycles(1))};
}

void TimelineCanvas::select(const std::optional<PlacedSpan>& span, bool isRevealed, bool mayZoom,
                            const std::optional<SelectedPiece>& piece) {
    m_state.selected = span;
    m_state.piece = span ? piece : std::nullopt;
    if (span && isRevealed && isReady()) {
        const core::Cycles offset = span->update * m_scene.frame->step;
        const core::Cycles from = offset + span->span.start;
        TimelineViewport view = revealed(m_state.view, from, from + span->span.duration);
        // A hit far too small to be seen is zoomed to.
        constexpr std::int64_t smallestShare = 400;
        if (mayZoom && span->span.duration.value() * smallestShare < view.length().value())
            view = fitted(view, from - 20 * span->span.duration, from + 20 * span->span.duration);
        setView(view);
        if (const auto ipu = m_scene.frame->ipuOfLane(span->span.lane))
            scrollToIpu(*ipu);
    }
    announce();
    invalidate();
    emit selected(span);
}

void TimelineCanvas::announce() {
    if (!isReady() || !m_state.selected)
        return;
    setAccessibleDescription(spanSentence(*m_scene.frame, m_state.selected->span, m_state.units));
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

void TimelineCanvas::fitAll() {
    if (isReady())
        setView(clamped(core::Cycles(), m_state.view.end, m_state.view.end));
}

void TimelineCanvas::focusSelection() {
    if (!isReady())
        return;
    core::Cycles from;
    core::Cycles to;
    if (const auto time = selectedTime()) {
        from = time->from;
        to = time->to;
    } else if (m_state.area) {
        from = m_state.area->from;
        to = m_state.area->to;
    } else {
        return fitAll();
    }
    const TimelineViewport middle = centred(m_state.view, from, to);
    setView(middle == m_state.view ? fitted(m_state.view, from, to) : middle);
}

void TimelineCanvas::scrollToIpu(std::size_t ipu) {
    for (const TimelineRow& row : m_scene.layout.rows) {
        if (row.replica != 0 || row.ipu != ipu || row.kind == RowKind::ReplicaHeader)
            continue;
        const double shown = m_scene.layout.lanes().height();
        if (row.top < m_scene.scroll)
            m_scrollBar->setValue(static_cast<int>(row.top));
        else if (row.bottom() > m_scene.scroll + shown)
            m_scrollBar->setValue(static_cast<int>(std::ceil(row.bottom() - shown)));
        return;
    }
}

void TimelineCanvas::paintEvent(QPaintEvent* event) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    if (!isReady()) {
        painter.fillRect(rect(), theme.color(Role::Canvas));
        return;
    }
    const bool isPictureOfThisSize = m_picture.size() == size() * devicePixelRatioF();
    // Until the lanes of another run are here, the picture of the one before stays, dimmed.
    if (!m_scene.window && isPictureOfThisSize) {
        painter.drawImage(0, 0, m_picture);
        painter.fillRect(rect(), withAlpha(theme.color(Role::Canvas), 0.55));
        return;
    }
    std::optional<QImage> pixels = m_isStale ? pixelsOf(*this, painter, *event) : std::nullopt;
    if (pixels) {
        m_raster.paint(*pixels, m_scene, theme);
    } else {
        if (m_isPictureStale || !isPictureOfThisSize)
            refreshPicture();
        painter.drawImage(0, 0, m_picture);
    }
    m_isStale = false;
    const QRectF lanes(QPointF(m_scene.layout.lanes().left(), m_scene.layout.ruler().top()),
                       QPointF(m_scene.layout.width, height()));
    if (m_drag == Drag::None && lanes.contains(m_mouse)) {
        const double x = std::round(m_mouse.x()) + 0.5;
        painter.setPen(QPen(withAlpha(theme.color(Role::Text3), 0.55), 1));
        painter.drawLine(QPointF(x, lanes.top()), QPointF(x, lanes.bottom()));
    } else if (m_cursor) {
        paintCursor(painter, m_scene, *m_cursor, theme);
    }
    if (m_showsFocus) {
        painter.setPen(QPen(theme.color(Role::Accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void TimelineCanvas::resizeEvent(QResizeEvent* /*event*/) {
    layOutAgain();
    emit resized();
}

void TimelineCanvas::focusInEvent(QFocusEvent* event) {
    m_showsFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                   event->reason() == Qt::ShortcutFocusReason;
    update();
}

void TimelineCanvas::focusOutEvent(QFocusEvent* /*event*/) {
    m_showsFocus = false;
    update();
}

void TimelineCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange ||
        event->type() == QEvent::FontChange)
        layOutAgain();
}

} // namespace views
