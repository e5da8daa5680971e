#include "views/layers/traffic_view.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/control_painters.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/empty_view.h"
#include "views/common/widgets/segmented_control.h"
#include "views/common/widgets/tooltip_card.h"
#include "views/document/view_intents.h"
#include "views/layers/heat_scale.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/view_bar.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace views {

namespace {

constexpr double namesWidth = 150;
constexpr double namesHeight = 20;
/// Below this a cell has no figure, and below the other a row has no name.
constexpr double figuresFrom = 44;
constexpr double namesFrom = 11;

} // namespace

MatrixCanvas::MatrixCanvas(Document& document, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_card(new ToolTipCard(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Matrix of traffic"));
    connect(&selection, &Selection::changed, this, qOverload<>(&QWidget::update));
}

void MatrixCanvas::setMatrix(TrafficMatrix matrix, bool showsAffinity) {
    m_matrix = std::move(matrix);
    m_showsAffinity = showsAffinity;
    const int last = int(m_matrix.groups.size()) - 1;
    m_current = {std::clamp(m_current.row, 0, std::max(0, last)),
                 std::clamp(m_current.column, 0, std::max(0, last))};
    m_card->hide();
    update();
}

double MatrixCanvas::side() const {
    const double count = double(std::max<std::size_t>(1, m_matrix.groups.size()));
    const Theme& theme = themeOf(this);
    const double space = std::min(width() - theme.px(namesWidth + 16), height() - theme.px(namesHeight + 12));
    return std::clamp(space / count, 1.0, theme.px(84));
}

QPointF MatrixCanvas::origin() const {
    const Theme& theme = themeOf(this);
    return {theme.px(namesWidth), theme.px(namesHeight)};
}

QRectF MatrixCanvas::cellRect(std::size_t row, std::size_t column) const {
    const double size = side();
    // Few groups have cells that are as wide as a figure, however low they are.
    const double wide =
        std::max(size, std::min(themeOf(this).px(84), (width() - origin().x() - themeOf(this).px(16)) /
                                                          double(m_matrix.groups.size())));
    return {origin().x() + double(column) * wide, origin().y() + double(row) * size, wide, size};
}

MatrixCanvas::Cell MatrixCanvas::cellAt(const QPointF& at) const {
    if (m_matrix.groups.empty())
        return {};
    const QRectF first = cellRect(0, 0);
    const Cell cell{int(std::floor((at.y() - first.top()) / first.height())),
                    int(std::floor((at.x() - first.left()) / first.width()))};
    const int count = int(m_matrix.groups.size());
    const bool isInside = cell.row >= 0 && cell.row < count && cell.column >= 0 && cell.column < count;
    return isInside ? cell : Cell{};
}

QString MatrixCanvas::cellFigure(std::size_t row, std::size_t column) const {
    if (row == column)
        return QStringLiteral("–");
    if (m_showsAffinity)
        return fixedText(m_matrix.affinity(row, column), 2);
    return bytesText(core::Bytes(std::int64_t(m_matrix.traffic(row, column))), m_document.units().bytes)
        .joined();
}

QString MatrixCanvas::cellText(std::size_t row, std::size_t column) const {
    const QString from = m_matrix.groups[row].name;
    const QString to = m_matrix.groups[column].name;
    if (row == column)
        return from;
    const auto bytes = core::Bytes(std::int64_t(m_matrix.traffic(row, column)));
    return tr("%1 gives %2 to %3 with each micro-batch, affinity %4")
        .arg(from, bytesText(bytes, m_document.units().bytes).joined(), to,
             fixedText(m_matrix.affinity(row, column), 2));
}

bool MatrixCanvas::isSelected(std::size_t group) const {
    const auto& calls = m_matrix.groups[group].calls;
    return std::ranges::any_of(calls, [this](const InvocationKey& key) { return m_selection.contains(key); });
}

void MatrixCanvas::paintNames(QPainter& painter, const Theme& theme) const {
    const QFont font = theme.font(11);
    for (std::size_t i = 0; i < m_matrix.groups.size(); ++i) {
        const QRectF cell = cellRect(i, i);
        painter.setPen(theme.color(isSelected(i) ? Role::AccentText : Role::Text2));
        if (cell.height() >= theme.px(namesFrom))
            paintElided(painter, QRectF(theme.px(8), cell.top(), theme.px(namesWidth - 16), cell.height()),
                        Qt::AlignRight | Qt::AlignVCenter, m_matrix.groups[i].name, font);
        if (cell.width() >= theme.px(figuresFrom))
            paintElided(painter, QRectF(cell.left() + 2, 0, cell.width() - 4, theme.px(namesHeight)),
                        Qt::AlignCenter, m_matrix.groups[i].name, font);
    }
}

void MatrixCanvas::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Role::Panel));
    if (m_matrix.groups.empty())
        return;
    paintNames(painter, theme);
    const std::size_t count = m_matrix.groups.size();
    const QRectF all = cellRect(0, 0) | cellRect(count - 1, count - 1);
    painter.fillRect(all, theme.color(Role::Canvas));
    const double seam = side() > 6 ? 1 : 0;
    const QFont font = theme.mono(10);
    const double largest = m_matrix.largestTraffic();
    for (std::size_t row = 0; row < count; ++row) {
        for (std::size_t column = 0; column < count; ++column) {
            const QRectF cell = cellRect(row, column).adjusted(0, 0, -seam, -seam);
            if (row == column) {
                painter.fillRect(cell, theme.color(Role::Hover));
                continue;
            }
            const double traffic =
                m_matrix.traffic(row, column) + (m_showsAffinity ? m_matrix.traffic(column, row) : 0);
            if (traffic <= 0)
                continue;
            const double heat = m_showsAffinity ? m_matrix.affinity(row, column) : traffic / largest;
            const QColor fill = tableHeatColor(theme, heat);
            painter.fillRect(cell, fill);
            const QString figure = cellFigure(row, column);
            if (cell.width() < theme.px(figuresFrom) || cell.height() < theme.px(14) ||
                textWidth(figure, font) > cell.width() - 4)
                continue;
            painter.setFont(font);
            painter.setPen(inkOn(fill));
            painter.drawText(cell, Qt::AlignCenter, figure);
        }
    }
    painter.setPen(QPen(theme.color(Role::Border), 1));
    painter.drawRect(all.adjusted(-0.5, -0.5, 0.5, 0.5));
    if (hasFocus())
        paintFocusRing(painter, cellRect(std::size_t(m_current.row), std::size_t(m_current.column)), 2,
                       theme);
}

void MatrixCanvas::mouseMoveEvent(QMouseEvent* event) {
    const Cell cell = cellAt(event->position());
    ToolTipContent card;
    if (cell.row >= 0) {
        const auto row = std::size_t(cell.row);
        const auto column = std::size_t(cell.column);
        card.title = row == column
                         ? m_matrix.groups[row].name
                         : m_matrix.groups[row].name + QStringLiteral(" → ") + m_matrix.groups[column].name;
        const auto bytes = [&](std::size_t from, std::size_t to) {
            return bytesText(core::Bytes(std::int64_t(m_matrix.traffic(from, to))), m_document.units().bytes)
                .joined();
        };
        if (row != column) {
            card.rows.push_back({tr("Gives"), bytes(row, column)});
            card.rows.push_back({tr("Gets back"), bytes(column, row)});
            card.rows.push_back({tr("Affinity"), fixedText(m_matrix.affinity(row, column), 2)});
            card.footer = tr("A click selects both");
        }
    }
    m_card->showAt(event->position(), card);
}

void MatrixCanvas::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    m_card->hide();
}

void MatrixCanvas::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    const Cell cell = cellAt(event->position());
    if (cell.row >= 0 && event->button() == Qt::LeftButton)
        choose(cell);
}

void MatrixCanvas::choose(const Cell& cell) {
    m_current = cell;
    std::set<InvocationKey> keys;
    for (const int group : {cell.row, cell.column}) {
        const auto& calls = m_matrix.groups[std::size_t(group)].calls;
        keys.insert(calls.begin(), calls.end());
    }
    m_selection.selectInvocations(std::move(keys));
    setAccessibleDescription(cellText(std::size_t(cell.row), std::size_t(cell.column)));
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    update();
}

void MatrixCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void MatrixCanvas::keyPressEvent(QKeyEvent* event) {
    Cell next = m_current;
    const int last = int(m_matrix.groups.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Left:
        --next.column;
        break;
    case Qt::Key_Right:
        ++next.column;
        break;
    case Qt::Key_Up:
        --next.row;
        break;
    case Qt::Key_Down:
        ++next.row;
        break;
    default:
        return QWidget::keyPressEvent(event);
    }
    if (last >= 0)
        choose({std::clamp(next.row, 0, last), std::clamp(next.column, 0, last)});
}

TrafficView::TrafficView(Document& document, Selection& selection, ViewIntents& intents, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_stack(new QStackedWidget(this))
    , m_empty(new EmptyView(this))
    , m_canvas(new MatrixCanvas(document, selection, this))
    , m_levels(new SegmentedControl(tr("Rows and columns"), this))
    , m_figures(new SegmentedControl(tr("Figure"), this))
    , m_scale(new HeatScale(this)) {
    auto* bar = new ViewBar(this);
    m_levels->addSegment(tr("Layers"), tr("A row for each layer"));
    m_levels->addSegment(tr("Stages"), tr("A row for each pipeline stage"));
    m_levels->addSegment(tr("IPUs"), tr("A row for each IPU: what crosses their links"));
    m_figures->addSegment(tr("Traffic"), tr("Bytes that the row gives to the column with each micro-batch"));
    m_figures->addSegment(
        tr("Affinity"),
        tr("How much of the traffic of one of them is with the other: cuts belong where it is low"));
    bar->add(m_levels);
    bar->add(m_figures);
    bar->addStretch();
    bar->add(m_scale);
    connect(
        bar->addButton(QStringLiteral("export"), tr("Save the matrix")), &QToolButton::clicked, this,
        [this, &intents] { intents.saveTable(QStringLiteral("traffic"), trafficCsv(m_canvas->matrix())); });
    m_empty->setContent(
        QStringLiteral("flow"), tr("No traffic to show"),
        tr("It appears once the shapes of the model are known; Problems says what is missing."));
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_canvas);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(bar);
    layout->addWidget(m_stack, 1);
    connect(m_levels, &SegmentedControl::chosen, this, &TrafficView::rebuild);
    connect(m_figures, &SegmentedControl::chosen, this, &TrafficView::rebuild);
    for (const auto changed : {&Document::opened, &Document::analysisChanged, &Document::unitsChanged})
        connect(&document, changed, this, &TrafficView::rebuild);
    rebuild();
}

void TrafficView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale)
        rebuild();
}

void TrafficView::rebuild() {
    m_isStale = !isVisible();
    if (m_isStale)
        return;
    TrafficMatrix matrix = trafficMatrix(m_document, static_cast<TrafficLevel>(m_levels->current()));
    const bool showsAffinity = m_figures->current() == 1;
    const double largest = matrix.largestTraffic();
    m_scale->setLargest(
        largest <= 0    ? QString()
        : showsAffinity ? QStringLiteral("1")
                        : bytesText(core::Bytes(std::int64_t(largest)), m_document.units().bytes).joined());
    m_stack->setCurrentWidget(matrix.groups.empty() ? static_cast<QWidget*>(m_empty) : m_canvas);
    m_canvas->setMatrix(std::move(matrix), showsAffinity);
}

} // namespace views
