#include "views/profile/reference_lanes.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/control_painters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/profile/time/span_painter.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace views {

namespace {

/// What a run calls its work; other words have no colour of their own.
std::optional<core::SpanKind> kindOfCategory(const std::string& category) {
    for (std::size_t i = 0; i < core::spanKindCount; ++i)
        if (core::toString(static_cast<core::SpanKind>(i)) == category)
            return static_cast<core::SpanKind>(i);
    return std::nullopt;
}

SpanColours referenceColours(const core::EventSlice& slice, const Theme& theme) {
    if (const auto kind = kindOfCategory(slice.category)) {
        core::SpanRecord span;
        span.kind = *kind;
        return spanColours(span, SpanColour::Phase, SpanEmphasis::Normal, theme);
    }
    return {theme.color(Role::Raised), theme.color(Role::BorderStrong), theme.color(Role::Text),
            HatchPattern::None};
}

} // namespace

ReferenceLanes::ReferenceLanes(ProfileSource& source, QWidget* parent)
    : QWidget(parent)
    , m_source(source)
    , m_scrollBar(new QScrollBar(Qt::Vertical, this))
    , m_toolTip(new ToolTipCard(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setObjectName(QStringLiteral("referenceLanes"));
    connect(m_scrollBar, &QScrollBar::valueChanged, this, [this] { update(); });
    connect(&source, &ProfileSource::referenceChanged, this, &ReferenceLanes::takeReference);
    takeReference();
}

void ReferenceLanes::takeReference() {
    m_reference = m_source.reference();
    m_shift = 0;
    m_scrollBar->setValue(0);
    setVisible(m_reference != nullptr);
    setAccessibleName(m_reference ? tr("Reference: %1").arg(title()) : QString());
    updateScrollBar();
    updateGeometry();
    update();
}

void ReferenceLanes::setAxis(const TimeToPixel& axis, const TimeScale& scale, const Units& units) {
    m_axis = axis;
    m_scale = scale;
    m_units = units;
    update();
}

void ReferenceLanes::setShift(double nanoseconds) {
    m_shift = nanoseconds;
    setAccessibleDescription(title());
    update();
}

ReferenceAxis ReferenceLanes::axis() const {
    const double perNanosecond = m_axis.pixelsPerCycle() * m_scale.clockHz / 1e9;
    return {m_axis.x(core::Cycles(0)) + m_shift * perNanosecond, perNanosecond};
}

double ReferenceLanes::headerHeight() const {
    return themeOf(this).px(22);
}

double ReferenceLanes::rowHeight() const {
    return themeOf(this).px(16);
}

double ReferenceLanes::laneHeight(std::size_t lane) const {
    const std::size_t rows = std::max<std::size_t>(1, m_reference->lanes[lane].rows.size());
    return static_cast<double>(rows) * rowHeight() + themeOf(this).px(4);
}

double ReferenceLanes::contentHeight() const {
    double height = 0;
    for (std::size_t lane = 0; m_reference && lane < m_reference->lanes.size(); ++lane)
        height += laneHeight(lane);
    return height;
}

double ReferenceLanes::laneTop(std::size_t lane) const {
    double top = headerHeight() - m_scrollBar->value();
    for (std::size_t before = 0; before < lane; ++before)
        top += laneHeight(before);
    return top;
}

QSize ReferenceLanes::sizeHint() const {
    const double most = headerHeight() + 6 * rowHeight();
    return {600, static_cast<int>(std::ceil(std::min(most, headerHeight() + contentHeight())))};
}

QSize ReferenceLanes::minimumSizeHint() const {
    return {200, static_cast<int>(std::ceil(headerHeight() + rowHeight()))};
}

void ReferenceLanes::updateScrollBar() {
    const double space = height() - headerHeight();
    const int more = static_cast<int>(std::ceil(std::max(0.0, contentHeight() - space)));
    m_scrollBar->setRange(0, more);
    m_scrollBar->setPageStep(std::max(1, static_cast<int>(space)));
    m_scrollBar->setSingleStep(static_cast<int>(rowHeight()));
    m_scrollBar->setVisible(more > 0);
    const int width = m_scrollBar->sizeHint().width();
    m_scrollBar->setGeometry(this->width() - width, static_cast<int>(headerHeight()), width,
                             std::max(0, static_cast<int>(space)));
}

void ReferenceLanes::resizeEvent(QResizeEvent* /*event*/) {
    updateScrollBar();
}

QString ReferenceLanes::title() const {
    QString text = m_reference->name + QStringLiteral(" · ") +
                   countedText(std::int64_t(m_reference->trace.lanes.size()), tr("lane"), tr("lanes"));
    if (m_shift != 0) {
        const core::Cycles cycles(std::llround(std::abs(m_shift) * m_scale.clockHz / 1e9));
        text += tr(" · begins %1 %2")
                    .arg(timeText(cycles, m_units.time, m_scale).joined(),
                         m_shift > 0 ? tr("later") : tr("earlier"));
    }
    return text;
}

QRectF ReferenceLanes::closeButton() const {
    const double side = themeOf(this).px(16);
    return {width() - side - themeOf(this).px(6), (headerHeight() - side) / 2, side, side};
}

void ReferenceLanes::paintHeader(QPainter& painter) const {
    const Theme& theme = themeOf(this);
    const QRectF header(0, 0, width(), headerHeight());
    painter.fillRect(header, theme.color(Role::Panel2));
    painter.setPen(theme.color(Role::Text2));
    paintElided(painter, header.adjusted(theme.px(10), 0, -theme.px(28), 0), Qt::AlignVCenter,
                tr("Reference: %1").arg(title()), theme.font(11));
    const QRectF close = closeButton();
    const double inset = theme.px(4);
    paintIcon(painter, close.adjusted(inset, inset, -inset, -inset), QStringLiteral("close"),
              theme.color(Role::Text3));
    painter.setPen(QPen(theme.color(Role::Border), 1));
    painter.drawLine(QPointF(0, 0.5), QPointF(width(), 0.5));
    painter.drawLine(QPointF(0, header.bottom() - 0.5), QPointF(width(), header.bottom() - 0.5));
}

void ReferenceLanes::paintLane(QPainter& painter, std::size_t lane, double top) const {
    const Theme& theme = themeOf(this);
    const core::EventLane& slices = m_reference->trace.lanes[lane];
    const double height = laneHeight(lane);
    painter.setPen(theme.color(Role::Text2));
    paintElided(painter, QRectF(theme.px(10), top, m_axis.left - theme.px(16), rowHeight()), Qt::AlignVCenter,
                toQString(slices.name), theme.font(11));
    painter.save();
    painter.setClipRect(QRectF(m_axis.left, top, m_axis.width, height), Qt::IntersectClip);
    const bool isCounter = m_reference->lanes[lane].isCounter();
    if (isCounter)
        paintCounter(painter, lane, top);
    const std::vector<ReferenceRow>& rows = m_reference->lanes[lane].rows;
    for (std::size_t row = 0; row < rows.size() && !isCounter; ++row) {
        const double y = top + theme.px(2) + static_cast<double>(row) * rowHeight();
        for (const ReferenceBar& bar :
             barsOf(slices, rows[row], axis(), m_axis.left, m_axis.left + m_axis.width)) {
            const core::EventSlice& slice = slices.slices[bar.slice];
            // A label stays in sight while its slice is wider than the view.
            QRectF rect = spanRect(std::max(bar.fromX, m_axis.left - 8),
                                   std::min(bar.toX, m_axis.left + m_axis.width + 8), y, rowHeight() - 1);
            paintSpan(painter, rect, bar.count == 1 ? toQString(slice.name) : QString(),
                      referenceColours(slice, theme), SpanEmphasis::Normal, theme);
        }
    }
    painter.restore();
    painter.setPen(QPen(theme.color(Role::Border), 1));
    painter.drawLine(QPointF(0, top + height - 0.5), QPointF(width(), top + height - 0.5));
}

/// Steps from the foot of the lane; where several are narrower than a pixel, the highest of them.
void ReferenceLanes::paintCounter(QPainter& painter, std::size_t lane, double top) const {
    const Theme& theme = themeOf(this);
    const ReferenceLane& counter = m_reference->lanes[lane];
    const double foot = top + theme.px(2) + rowHeight() - 1;
    for (const ReferenceRow& row : counter.rows) {
        for (const ReferenceBar& bar :
             barsOf(m_reference->trace.lanes[lane], row, axis(), m_axis.left, m_axis.left + m_axis.width)) {
            double share = 0;
            const auto first = std::ranges::lower_bound(row, static_cast<std::uint32_t>(bar.slice));
            for (std::size_t i = 0; i < bar.count; ++i)
                share = std::max(share, counter.share(*(first + static_cast<std::ptrdiff_t>(i))));
            const double height = std::max(1.0, share * (rowHeight() - 2));
            painter.fillRect(
                QRectF(QPointF(bar.fromX, foot - height), QPointF(std::max(bar.toX, bar.fromX + 1), foot)),
                theme.color(Role::Accent));
        }
    }
}

void ReferenceLanes::paintEvent(QPaintEvent* /*event*/) {
    if (!m_reference)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    painter.fillRect(rect(), theme.color(Role::Canvas));
    double top = headerHeight() - m_scrollBar->value();
    for (std::size_t lane = 0; lane < m_reference->lanes.size() && top < height(); ++lane) {
        if (top + laneHeight(lane) > headerHeight())
            paintLane(painter, lane, top);
        top += laneHeight(lane);
    }
    painter.setPen(QPen(theme.color(Role::Border), 1));
    painter.drawLine(QPointF(m_axis.left - 0.5, headerHeight()), QPointF(m_axis.left - 0.5, height()));
    paintHeader(painter);
    if (hasFocus())
        paintFocusRing(painter, QRectF(rect()).adjusted(1, 1, -1, -1), 2, theme);
}

std::optional<QRectF> ReferenceLanes::placeOf(std::size_t lane, std::size_t slice) const {
    if (!m_reference || lane >= m_reference->lanes.size())
        return std::nullopt;
    const std::vector<ReferenceRow>& rows = m_reference->lanes[lane].rows;
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (std::ranges::binary_search(rows[row], static_cast<std::uint32_t>(slice))) {
            const core::EventSlice& one = m_reference->trace.lanes[lane].slices[slice];
            const double from = axis().x(one.start);
            return QRectF(from, laneTop(lane) + static_cast<double>(row) * rowHeight(),
                          axis().x(one.start + one.duration) - from, rowHeight());
        }
    return std::nullopt;
}

std::optional<ReferenceLanes::Hit> ReferenceLanes::hitAt(const QPointF& point) const {
    if (!m_reference || point.y() < headerHeight() || point.x() < m_axis.left)
        return std::nullopt;
    for (std::size_t lane = 0; lane < m_reference->lanes.size(); ++lane) {
        const double inside = point.y() - laneTop(lane);
        if (inside < 0 || inside >= laneHeight(lane))
            continue;
        const std::vector<ReferenceRow>& rows = m_reference->lanes[lane].rows;
        const auto row = static_cast<std::size_t>(inside / rowHeight());
        if (row >= rows.size())
            return std::nullopt;
        const auto slice = sliceAt(m_reference->trace.lanes[lane], rows[row], axis(), point.x());
        return slice ? std::optional(Hit{lane, *slice}) : std::nullopt;
    }
    return std::nullopt;
}

ToolTipContent ReferenceLanes::toolTipAt(const QPointF& point) const {
    ToolTipContent content;
    const auto hit = hitAt(point);
    if (!hit)
        return content;
    const core::EventLane& lane = m_reference->trace.lanes[hit->lane];
    const core::EventSlice& slice = lane.slices[hit->slice];
    const auto time = [&](std::int64_t nanoseconds) {
        const core::Cycles cycles(std::llround(static_cast<double>(nanoseconds) * m_scale.clockHz / 1e9));
        return timeText(cycles, m_units.time, m_scale).joined();
    };
    content.title = toQString(slice.name.empty() ? lane.name : slice.name);
    if (!slice.category.empty())
        content.rows.push_back({tr("Category"), toQString(slice.category)});
    if (const ReferenceLane& counter = m_reference->lanes[hit->lane]; counter.isCounter())
        content.rows.push_back({tr("Value"), compactText(counter.values[hit->slice])});
    content.rows.push_back({tr("Start"), time(slice.start)});
    content.rows.push_back({tr("Duration"), time(slice.duration)});
    content.footer = m_reference->name + QStringLiteral(" · ") + toQString(lane.name);
    return content;
}

void ReferenceLanes::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() != Qt::NoModifier || m_scrollBar->maximum() == 0)
        return event->ignore();
    m_scrollBar->setValue(m_scrollBar->value() - event->angleDelta().y() / 4);
    event->accept();
}

void ReferenceLanes::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return event->ignore();
    if (closeButton().contains(event->position()))
        return m_source.setReference(nullptr);
    m_pressed = event->position();
    m_shiftAtPress = m_shift;
}

void ReferenceLanes::mouseMoveEvent(QMouseEvent* event) {
    const ReferenceAxis now = axis();
    if (m_pressed && now.pixelsPerNanosecond > 0) {
        m_toolTip->hide();
        return setShift(m_shiftAtPress + (event->position().x() - m_pressed->x()) / now.pixelsPerNanosecond);
    }
    m_toolTip->showAt(event->position(), toolTipAt(event->position()));
}

void ReferenceLanes::mouseReleaseEvent(QMouseEvent* /*event*/) {
    m_pressed.reset();
}

void ReferenceLanes::leaveEvent(QEvent* /*event*/) {
    m_toolTip->hide();
}

void ReferenceLanes::keyPressEvent(QKeyEvent* event) {
    const double pixel = axis().pixelsPerNanosecond > 0 ? 1 / axis().pixelsPerNanosecond : 0;
    switch (event->key()) {
    case Qt::Key_Left:
        return setShift(m_shift - pixel);
    case Qt::Key_Right:
        return setShift(m_shift + pixel);
    case Qt::Key_Home:
        return setShift(0);
    case Qt::Key_Up:
        return m_scrollBar->triggerAction(QAbstractSlider::SliderSingleStepSub);
    case Qt::Key_Down:
        return m_scrollBar->triggerAction(QAbstractSlider::SliderSingleStepAdd);
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        return m_source.setReference(nullptr);
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace views
