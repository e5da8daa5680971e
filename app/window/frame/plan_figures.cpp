#include "app/window/frame/plan_figures.h"

#include "views/common/theme/widget_theme.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>

namespace app {

using views::Role;

namespace {

constexpr double valueSize = 14;
constexpr double nameSize = 10;

double columnWidth(int index, const views::Theme& theme) {
    // Room for what is usual, so that figures do not push each other about while they change.
    constexpr std::array<double, 3> widths{152, 92, 72};
    return theme.px(widths[std::size_t(index)]);
}

} // namespace

PlanFigures::PlanFigures(views::Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&document, &views::Document::estimateChanged, this, &PlanFigures::refresh);
    connect(&document, &views::Document::projectChanged, this, &PlanFigures::refresh);
    connect(&document, &views::Document::previewChanged, this, &PlanFigures::refresh);
    connect(&document, &views::Document::opened, this, &PlanFigures::refresh);
    connect(&document, &views::Document::unitsChanged, this, &PlanFigures::refresh);
    refresh();
}

void PlanFigures::setMeasured(bool isMeasured) {
    m_isMeasured = isMeasured;
    refresh();
}

void PlanFigures::setCount(int count) {
    if (count == m_count)
        return;
    m_count = count;
    updateGeometry();
    update();
}

std::vector<PlanFigures::Figure> PlanFigures::figures() const {
    const QString dash = QStringLiteral("–");
    const auto& preview = m_document.previewEstimate();
    const auto& estimate = preview ? preview : m_document.estimate();
    if (!m_document.isOpen() || !estimate || !estimate->refusal.empty() || estimate->step.value() <= 0)
        return {{tr("Throughput"), dash, tr("samples/s")}, {tr("Step"), dash, {}}, {tr("Idle"), dash, {}}};
    const views::TimeUnit unit =
        m_document.units().time == views::TimeUnit::Cycles ? views::TimeUnit::Cycles : views::TimeUnit::Time;
    const views::NumberText step = views::timeText(estimate->step, unit, {estimate->clockHz, estimate->step});
    const QString throughput = estimate->samplesPerSecond >= 100
                                   ? views::fixedText(estimate->samplesPerSecond, 0)
                                   : views::compactText(estimate->samplesPerSecond);
    return {{tr("Throughput"), throughput, tr("samples/s")},
            {tr("Step"), step.value, step.unit},
            {tr("Idle"), views::fixedText(estimate->idleFraction * 100, 1), QStringLiteral("%")}};
}

void PlanFigures::refresh() {
    QStringList said;
    for (const Figure& figure : figures())
        said << figure.name + u' ' + figure.value + u' ' + figure.unit;
    setAccessibleName(said.join(QStringLiteral(", ")));
    QString tip = m_isMeasured ? tr("Of the last run of this plan.")
                               : tr("Estimate of the present plan: the figures a run would give.");
    const auto& estimate = m_document.estimate();
    if (estimate && !estimate->refusal.empty())
        tip = tr("No estimate: %1").arg(views::toQString(estimate->refusal));
    setToolTip(said.join(u'\n') + u'\n' + tip);
    update();
}

QSize PlanFigures::sizeHint() const {
    const views::Theme& theme = views::themeOf(this);
    double width = 0;
    for (int i = 0; i < m_count; ++i)
        width += columnWidth(i, theme);
    return {int(width), theme.ipx(38)};
}

void PlanFigures::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const views::Theme& theme = views::themeOf(this);
    const std::vector<Figure> all = figures();
    QFont valueFont = theme.mono(valueSize, QFont::DemiBold);
    const bool isMeasured = m_isMeasured && !m_document.preview();
    valueFont.setItalic(!isMeasured);
    const QFont unitFont = theme.mono(nameSize);
    const QFont nameFont = theme.font(nameSize);
    const bool isLate = m_document.isOpen() && !m_document.isEstimateCurrent() && !m_document.preview();
    double right = width();
    for (int i = m_count - 1; i >= 0; --i) {
        const Figure& figure = all[std::size_t(i)];
        const double left = right - columnWidth(i, theme);
        painter.setFont(nameFont);
        painter.setPen(theme.color(Role::Text3));
        painter.drawText(QRectF(left, theme.px(2), right - left - theme.px(10), theme.px(15)),
                         Qt::AlignRight | Qt::AlignVCenter, figure.name);
        const QRectF line(left, theme.px(16), right - left - theme.px(10), theme.px(20));
        const double unitWidth =
            figure.unit.isEmpty() ? 0 : QFontMetricsF(unitFont).horizontalAdvance(figure.unit) + theme.px(4);
        painter.setFont(unitFont);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, figure.unit);
        const bool hasValue = figure.value != QStringLiteral("–");
        painter.setFont(valueFont);
        painter.setPen(theme.color(isLate || !hasValue ? Role::Text3 : Role::Text));
        painter.drawText(line.adjusted(0, 0, -unitWidth, 0), Qt::AlignRight | Qt::AlignVCenter,
                         !isMeasured && hasValue && i == 0 ? QStringLiteral("≈ ") + figure.value
                                                           : figure.value);
        right = left;
    }
}

} // namespace app
