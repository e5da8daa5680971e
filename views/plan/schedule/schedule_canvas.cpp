#include "views/plan/schedule/schedule_canvas.h"

#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/tooltip_card.h"
#include "views/plan/schedule/schedule_details.h"

#include <QAccessible>
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <utility>

namespace views {

namespace {

/// Wider than anybody scrolls; beyond it slots in the middle are left out.
constexpr double mostWidth = 120000;

} // namespace

ScheduleCanvas::ScheduleCanvas(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_toolTip(new ToolTipCard(viewport())) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    setAccessibleName(tr("Slots of the schedule"));
}

void ScheduleCanvas::setChart(std::shared_ptr<const ScheduleChart> chart) {
    m_chart = std::move(chart);
    m_toolTip->showAt({}, {});
    const auto& selected = m_state.selected;
    if (selected &&
        (!m_chart || selected->slot >= m_chart->slotList.size() || selected->row >= m_chart->rows.size() ||
         selected->index >= m_chart->slotList[selected->slot].work[selected->row].size()))
        m_state.selected.reset();
    layOutAgain();
}

void ScheduleCanvas::setMicroBatch(std::optional<std::int64_t> microBatch) {
    m_state.microBatch = microBatch;
    viewport()->update();
}

void ScheduleCanvas::select(std::optional<ScheduleCellId> cell, bool isRevealed) {
    m_state.selected = cell;
    viewport()->update();
    if (!cell || !m_chart)
        return;
    announce();
    if (!isRevealed)
        return;
    const QRectF place = placeOf(*cell);
    if (place.isEmpty())
        return;
    const double left = m_layout.headerWidth;
    const double right = viewport()->width();
    if (place.left() < left || place.right() > right)
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() +
                                        int(place.center().x() - (left + right) / 2));
    const double rows = m_layout.hostTop - m_layout.rowTop;
    const double seen = viewport()->height() - (m_layout.height - rows);
    if (place.top() < m_layout.rowTop || place.bottom() > m_layout.rowTop + seen)
        verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                      int(place.center().y() - m_layout.rowTop - seen / 2));
}

QRectF ScheduleCanvas::placeOf(const ScheduleCellId& cell) const {
    for (const ScheduleColumn& column : m_layout.columns) {
        if (column.kind == ScheduleColumn::Kind::Slot && column.slot == cell.slot)
            return m_layout.cell(column, cell.row, cell.index)
                .translated(-horizontalScrollBar()->value(), -verticalScrollBar()->value());
    }
    return {};
}

Picture ScheduleCanvas::picture() const {
    return schedulePicture(*m_chart, themeOf(this), {}, m_state);
}

void ScheduleCanvas::layOutAgain() {
    const QSize size = viewport()->size();
    if (!m_chart) {
        m_layout = {};
        horizontalScrollBar()->setRange(0, 0);
        verticalScrollBar()->setRange(0, 0);
        return viewport()->update();
    }
    const Theme& theme = themeOf(this);
    const double width = std::clamp(fullWidth(*m_chart, theme), double(size.width()), mostWidth);
    // A dock is too low for title and legend.
    const bool isCompact = size.height() < theme.ipx(220);
    m_layout = layOut(*m_chart, theme, width, size.height(), isCompact);
    horizontalScrollBar()->setRange(0, std::max(0, int(m_layout.width) - size.width()));
    horizontalScrollBar()->setPageStep(std::max(1, size.width() - int(m_layout.headerWidth)));
    horizontalScrollBar()->setSingleStep(int(m_layout.cellWidth));
    verticalScrollBar()->setRange(0, std::max(0, int(m_layout.height) - size.height()));
    verticalScrollBar()->setPageStep(
        std::max(1, size.height() - int(m_layout.rowTop + m_layout.height - m_layout.hostTop)));
    verticalScrollBar()->setSingleStep(int(m_layout.rowHeight));
    viewport()->update();
}

void ScheduleCanvas::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = themeOf(this);
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.color(Role::Canvas));
    if (!m_chart)
        return;
    const double dx = horizontalScrollBar()->value();
    const double dy = verticalScrollBar()->value();
    const double width = viewport()->width();
    const double header = m_layout.headerWidth;
    const double overlap = m_layout.height - m_layout.hostTop;
    // Title, numbers, host lines and legend stay; rows scroll between them, slots beside the names of IPUs.
    const double rowsBottom = std::min(m_layout.hostTop, viewport()->height() - overlap);
    const double below = m_layout.hostTop - rowsBottom;
    const double legend = m_layout.legendTop;
    const auto part = [&](const QRectF& shown, double x, double y) {
        if (shown.isEmpty())
            return;
        painter.save();
        painter.setClipRect(shown);
        painter.translate(-x, -y);
        paintSchedule(painter, *m_chart, m_state, m_layout, theme);
        painter.restore();
    };
    const QRectF title(0, 0, width, m_layout.bandTop);
    part(title, 0, 0);
    const double main = width - header;
    part({header, m_layout.bandTop, main, m_layout.rowTop - m_layout.bandTop}, dx, 0);
    part({0, m_layout.bandTop, header, m_layout.rowTop - m_layout.bandTop}, 0, 0);
    part({header, m_layout.rowTop, main, rowsBottom - m_layout.rowTop}, dx, dy);
    part({0, m_layout.rowTop, header, rowsBottom - m_layout.rowTop}, 0, dy);
    part({header, rowsBottom, main, legend - m_layout.hostTop}, dx, below);
    part({0, rowsBottom, header, legend - m_layout.hostTop}, 0, below);
    part({0, rowsBottom + legend - m_layout.hostTop, width, m_layout.height - legend}, 0, below);
    if (m_pressed && m_target)
        paintTarget(painter);
}

/// Where the dragged work would go.
void ScheduleCanvas::paintTarget(QPainter& painter) const {
    const Theme& theme = themeOf(this);
    for (const ScheduleColumn& column : m_layout.columns) {
        const bool isBehind = *m_target == m_chart->slotList.size();
        if (column.kind != ScheduleColumn::Kind::Slot || column.slot + (isBehind ? 1 : 0) != *m_target)
            continue;
        QRectF place = m_layout.place(column, m_pressed->row)
                           .translated(-horizontalScrollBar()->value(), -verticalScrollBar()->value());
        if (isBehind)
            place.translate(place.width(), 0);
        painter.setPen(QPen(theme.color(Role::Accent), theme.px(2), Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(place.adjusted(1, 2, -1, -2), theme.px(3), theme.px(3));
    }
}

std::optional<SchedulePlace> ScheduleCanvas::placeUnder(const QPointF& point) const {
    if (!m_chart || point.x() < m_layout.headerWidth || point.y() < m_layout.rowTop)
        return std::nullopt;
    const double rowsBottom =
        std::min(m_layout.hostTop, viewport()->height() - (m_layout.height - m_layout.hostTop));
    const double dy = point.y() < rowsBottom ? verticalScrollBar()->value() : m_layout.hostTop - rowsBottom;
    return placeAt(*m_chart, m_layout, point + QPointF(horizontalScrollBar()->value(), dy));
}

void ScheduleCanvas::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    layOutAgain();
}

void ScheduleCanvas::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::PaletteChange ||
        event->type() == QEvent::FontChange)
        layOutAgain();
}

void ScheduleCanvas::scrollContentsBy(int /*dx*/, int /*dy*/) {
    // Parts of it stay in place: the whole is painted anew.
    viewport()->update();
}

bool ScheduleCanvas::viewportEvent(QEvent* event) {
    switch (event->type()) {
    case QEvent::MouseMove:
        if (m_pressed)
            drag(static_cast<QMouseEvent*>(event)->position());
        else
            hover(static_cast<QMouseEvent*>(event)->position());
        break;
    case QEvent::MouseButtonRelease:
        drop(static_cast<QMouseEvent*>(event)->position());
        break;
    case QEvent::Leave:
        m_toolTip->showAt({}, {});
        break;
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->button() == Qt::LeftButton)
            press(mouse->position(), mouse->modifiers());
        break;
    }
    default:
        break;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void ScheduleCanvas::wheelEvent(QWheelEvent* event) {
    m_toolTip->showAt({}, {});
    // The wheel alone scrolls rows; where all of them are seen, it goes along the slots.
    const bool hasRows = verticalScrollBar()->maximum() > 0;
    const bool isAcross = event->modifiers().testFlag(Qt::ShiftModifier) || !hasRows;
    const QPoint by = event->angleDelta();
    const int steps = by.y() != 0 ? by.y() : by.x();
    QScrollBar& bar = isAcross || by.y() == 0 ? *horizontalScrollBar() : *verticalScrollBar();
    bar.setValue(bar.value() - steps / 120 * 3 * bar.singleStep());
    event->accept();
}

void ScheduleCanvas::hover(const QPointF& point) {
    const auto place = placeUnder(point);
    if (!place)
        return m_toolTip->showAt({}, {});
    m_toolTip->showAt(point, scheduleDetails(*m_chart, *place, m_estimate ? &*m_estimate : nullptr, m_units));
}

void ScheduleCanvas::press(const QPointF& point, Qt::KeyboardModifiers modifiers) {
    if (modifiers.testFlag(Qt::AltModifier))
        return m_toolTip->pin();
    const auto place = placeUnder(point);
    if (place && place->kind == SchedulePlace::Kind::Work) {
        m_pressed = {place->slot, place->row, place->index};
        m_pressedAt = point;
        return choose(*m_pressed);
    }
    select(std::nullopt, false);
    emit selected(std::nullopt);
    emit microBatchChosen(std::nullopt);
}

std::optional<std::size_t> ScheduleCanvas::slotAt(double x) const {
    const double at = x + horizontalScrollBar()->value();
    const ScheduleColumn* last = nullptr;
    for (const ScheduleColumn& column : m_layout.columns) {
        if (column.kind != ScheduleColumn::Kind::Slot)
            continue;
        last = &column;
        if (at >= column.left && at < column.left + column.width)
            return column.slot;
    }
    const bool isBehind = last != nullptr && at >= last->left + last->width;
    return isBehind && last->slot + 1 == m_chart->slotList.size() ? std::optional(last->slot + 1)
                                                                  : std::nullopt;
}

void ScheduleCanvas::drag(const QPointF& point) {
    if (!m_target && (point - m_pressedAt).manhattanLength() < QApplication::startDragDistance())
        return;
    m_toolTip->showAt({}, {});
    const auto target = slotAt(point.x());
    if (target == m_target)
        return;
    m_target = target;
    viewport()->setCursor(m_target ? Qt::ClosedHandCursor : Qt::ForbiddenCursor);
    viewport()->update();
}

void ScheduleCanvas::drop(const QPointF& point) {
    const auto cell = std::exchange(m_pressed, std::nullopt);
    const bool isDragged = std::exchange(m_target, std::nullopt).has_value();
    viewport()->unsetCursor();
    viewport()->update();
    if (!cell || !isDragged || !m_chart)
        return;
    if (const auto slot = slotAt(point.x()); slot && *slot != cell->slot)
        emit moveWanted(*cell, *slot);
}

void ScheduleCanvas::choose(const ScheduleCellId& cell) {
    select(cell, true);
    emit selected(cell);
    emit microBatchChosen(m_chart->slotList[cell.slot].work[cell.row][cell.index].microBatch);
}

/// The next piece of work of the same IPU.
std::optional<ScheduleCellId> ScheduleCanvas::alongRow(int by) const {
    ScheduleCellId at = *m_state.selected;
    const std::size_t row = at.row;
    if (by > 0 && at.index + 1 < m_chart->slotList[at.slot].work[row].size())
        return ScheduleCellId{at.slot, row, at.index + 1};
    if (by < 0 && at.index > 0)
        return ScheduleCellId{at.slot, row, at.index - 1};
    for (auto slot = std::int64_t(at.slot) + by; slot >= 0 && slot < std::int64_t(m_chart->slotList.size());
         slot += by) {
        const std::size_t count = m_chart->slotList[std::size_t(slot)].work[row].size();
        if (count > 0)
            return ScheduleCellId{std::size_t(slot), row, by > 0 ? 0 : count - 1};
    }
    return std::nullopt;
}

/// The nearest work of another IPU, in the same slot first.
std::optional<ScheduleCellId> ScheduleCanvas::besides(int rows) const {
    const ScheduleCellId at = *m_state.selected;
    const auto count = std::int64_t(m_chart->slotList.size());
    for (auto row = std::int64_t(at.row) + rows; row >= 0 && row < std::int64_t(m_chart->rows.size());
         row += rows) {
        for (std::int64_t away = 0; away < count; ++away) {
            for (const std::int64_t slot : {std::int64_t(at.slot) - away, std::int64_t(at.slot) + away}) {
                if (slot < 0 || slot >= count)
                    continue;
                const std::size_t pieces = m_chart->slotList[std::size_t(slot)].work[std::size_t(row)].size();
                if (pieces > 0)
                    return ScheduleCellId{std::size_t(slot), std::size_t(row),
                                          std::min(at.index, pieces - 1)};
            }
        }
    }
    return std::nullopt;
}

/// The work on the same micro-batch that comes next.
std::optional<ScheduleCellId> ScheduleCanvas::alongFlow(int by) const {
    const ScheduleCellId at = *m_state.selected;
    const auto microBatchOf = [&](const ScheduleCellId& id) {
        return m_chart->slotList[id.slot].work[id.row][id.index].microBatch;
    };
    const std::vector<ScheduleCellId> cells = scheduleTableCells(*m_chart);
    auto here = std::find(cells.begin(), cells.end(), at);
    if (here == cells.end())
        return std::nullopt;
    while (by > 0 ? ++here != cells.end() : here != cells.begin()) {
        if (by < 0)
            --here;
        if (microBatchOf(*here) == microBatchOf(at))
            return *here;
    }
    return std::nullopt;
}

std::optional<ScheduleCellId> ScheduleCanvas::moved(int key) const {
    switch (key) {
    case Qt::Key_Right:
    case Qt::Key_Period:
        return alongRow(1);
    case Qt::Key_Left:
    case Qt::Key_Comma:
        return alongRow(-1);
    case Qt::Key_Up:
        return besides(-1);
    case Qt::Key_Down:
        return besides(1);
    case Qt::Key_BracketRight:
        return alongFlow(1);
    default:
        return alongFlow(-1);
    }
}

void ScheduleCanvas::keyPressEvent(QKeyEvent* event) {
    constexpr std::array keys{Qt::Key_Right,  Qt::Key_Left,  Qt::Key_Up,           Qt::Key_Down,
                              Qt::Key_Period, Qt::Key_Comma, Qt::Key_BracketRight, Qt::Key_BracketLeft};
    if (!m_chart)
        return QAbstractScrollArea::keyPressEvent(event);
    const int key = event->key();
    if (key == Qt::Key_Escape && (m_state.selected || m_state.microBatch)) {
        // One level at a time: the ring first, then the micro-batch.
        if (m_state.selected) {
            select(std::nullopt, false);
            emit selected(std::nullopt);
        } else {
            emit microBatchChosen(std::nullopt);
        }
        return;
    }
    if (event->modifiers() == Qt::AltModifier && m_state.selected &&
        (key == Qt::Key_Left || key == Qt::Key_Right)) {
        const std::size_t slot = m_state.selected->slot;
        if (key == Qt::Key_Right || slot > 0)
            emit moveWanted(*m_state.selected, key == Qt::Key_Right ? slot + 1 : slot - 1);
        return;
    }
    if (key == Qt::Key_Home || key == Qt::Key_End)
        return horizontalScrollBar()->setValue(key == Qt::Key_Home ? 0 : horizontalScrollBar()->maximum());
    if (std::find(keys.begin(), keys.end(), key) == keys.end() ||
        event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))
        return QAbstractScrollArea::keyPressEvent(event);
    const std::vector<ScheduleCellId> cells =
        m_state.selected ? std::vector<ScheduleCellId>() : scheduleTableCells(*m_chart);
    const auto next = m_state.selected ? moved(key)
                      : cells.empty()  ? std::nullopt
                                       : std::optional(cells.front());
    if (next)
        choose(*next);
}

void ScheduleCanvas::announce() {
    const ScheduleCellId& cell = *m_state.selected;
    setAccessibleDescription(
        spokenDetails(*m_chart, {SchedulePlace::Kind::Work, cell.slot, cell.row, cell.index, 0}));
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

} // namespace views
