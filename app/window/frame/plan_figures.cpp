#include "app/window/frame/plan_figures.h"

#include "views/common/text/elided_text.h"
#include "views/common/text/interval_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/chip.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace app {

using views::Role;

namespace {

constexpr double valueSize = 14;
constexpr double nameSize = 10;

/// Room for what is usual, so that figures do not push each other about while they change.
constexpr std::array<double, PlanFigures::mostFigures> usualWidths{152, 92, 72};

} // namespace

PlanFigures::PlanFigures(views::Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&document, &views::Document::estimateChanged, this, &PlanFigures::refresh);
    // They are late until those of the edit arrive.
    connect(&document, &views::Document::projectChanged, this, qOverload<>(&QWidget::update));
    connect(&document, &views::Document::previewChanged, this, &PlanFigures::refresh);
    connect(&document, &views::Document::opened, this, &PlanFigures::refresh);
    connect(&document, &views::Document::unitsChanged, this, &PlanFigures::refresh);
    refresh();
}

void PlanFigures::setMeasured(bool isMeasured) {
    if (isMeasured == m_isMeasured)
        return;
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

void PlanFigures::setCompact(bool isCompact) {
    if (isCompact == m_isCompact)
        return;
    m_isCompact = isCompact;
    m_hint = wantedSize(m_count, m_isCompact);
    updateGeometry();
    update();
}

std::vector<PlanFigures::Figure> PlanFigures::figures() const {
    const QString dash = QStringLiteral("–");
    const auto& preview = m_document.previewEstimate();
    const auto& estimate = preview ? preview : m_document.estimate();
    if (!m_document.isOpen() || !estimate || estimate->step.value() <= 0)
        return {{tr("Throughput"), dash, tr("samples/s"), {}},
                {tr("Step"), dash, {}, {}},
                {tr("Idle"), dash, {}, {}}};
    const views::TimeUnit unit =
        m_document.units().time == views::TimeUnit::Cycles ? views::TimeUnit::Cycles : views::TimeUnit::Time;
    const views::NumberText step = views::timeText(estimate->step, unit, {estimate->clockHz, estimate->step});
    const QString throughput = estimate->samplesPerSecond >= 100
                                   ? views::fixedText(estimate->samplesPerSecond, 0)
                                   : views::compactText(estimate->samplesPerSecond);
    const core::PredictionInterval& interval = estimate->intervals.rate;
    const auto differing = [&](const core::PredictionInterval& of) {
        return interval.low < interval.high ? views::intervalText(of) : QString();
    };
    return {{tr("Throughput"), throughput, tr("samples/s"), differing(interval)},
            {tr("Step"), step.value, step.unit, differing(core::inverseInterval(interval))},
            {tr("Idle"), views::fixedText(estimate->idleFraction * 100, 1), QStringLiteral("%"), {}}};
}

QString PlanFigures::rangesTip(const core::PlanEstimate& estimate) const {
    return views::rangesText(core::rangesOf(estimate), m_document.units(), {estimate.clockHz, estimate.step});
}

/// The project cannot be estimated: the figures are those of the last plan that could.
bool PlanFigures::isOld() const {
    const auto& estimate = m_document.estimate();
    return m_document.isOpen() && !m_document.previewEstimate() && estimate && !estimate->refusal.empty() &&
           estimate->step.value() > 0;
}

QString PlanFigures::note() const {
    // Beside inputs that are still those of the project.
    if (m_document.isOpen() && m_document.isPlanPreview() && m_document.previewEstimate())
        return tr("preview");
    if (isOld())
        return tr("old");
    const auto& estimate = m_document.estimate();
    return m_document.isOpen() && !m_document.previewEstimate() && estimate && !estimate->uncounted.empty()
               ? tr("part")
               : QString();
}

void PlanFigures::refresh() {
    QStringList said;
    if (isOld())
        said << tr("Old");
    else if (m_document.isOpen() && m_document.isPlanPreview() && !note().isEmpty())
        said << tr("Preview of a plan, the project is unchanged");
    else if (!note().isEmpty())
        said << tr("Of a part of the model");
    for (const Figure& figure : figures())
        said << figure.name + u' ' + figure.value + u' ' + figure.unit;
    setAccessibleName(said.join(QStringLiteral(", ")));
    QString tip = m_isMeasured ? tr("Of the last run of this plan.")
                               : tr("Estimate of the present plan: the figures a run would give.");
    const auto& estimate = m_document.estimate();
    if (estimate && !estimate->refusal.empty())
        tip = estimate->stages.empty() ? tr("No estimate: %1").arg(views::toQString(estimate->refusal))
                                       : tr("Of the last plan that could be estimated. Now: %1")
                                             .arg(views::toQString(estimate->refusal));
    else if (estimate && !estimate->uncounted.empty())
        tip =
            tr("Estimate without %1, whose shapes are not known.")
                .arg(views::countedText(std::int64_t(estimate->uncounted.size()), tr("layer"), tr("layers")));
    if (m_document.isOpen() && estimate && estimate->step.value() > 0 &&
        estimate->intervals.rate.low < estimate->intervals.rate.high)
        tip += u'\n' + rangesTip(*estimate);
    setToolTip(said.join(u'\n') + u'\n' + tip);
    const QSize before = m_hint;
    m_hint = wantedSize(m_count, m_isCompact);
    if (m_hint != before)
        updateGeometry();
    update();
}

QString PlanFigures::nameOf(const std::vector<Figure>& all, int index, bool isCompact) const {
    const Figure& figure = all[std::size_t(index)];
    const bool saysNote = index == 0 && isCompact && !note().isEmpty();
    return figure.interval.isEmpty() || saysNote ? figure.name : figure.name + u' ' + figure.interval;
}

/// In the line of the first figure's name.
double PlanFigures::compactNoteWidth(int index, bool isCompact) const {
    const QString word = index == 0 && isCompact ? note() : QString();
    const views::Theme& theme = views::themeOf(this);
    return word.isEmpty() ? 0 : views::textWidth(word, theme.font(nameSize, QFont::DemiBold)) + theme.px(8);
}

QString PlanFigures::shownValue(const std::vector<Figure>& all, int index) const {
    const QString& value = all[std::size_t(index)].value;
    const bool isMeasured = (m_isMeasured && !m_document.preview()) || isOld();
    return !isMeasured && value != QStringLiteral("–") && index == 0 ? QStringLiteral("≈ ") + value : value;
}

double PlanFigures::columnWidth(const std::vector<Figure>& all, int index, bool isCompact) const {
    const views::Theme& theme = views::themeOf(this);
    QFont valueFont = theme.mono(valueSize, QFont::DemiBold);
    valueFont.setItalic(true);
    const QString& unit = all[std::size_t(index)].unit;
    const double unitWidth = unit.isEmpty() ? 0 : views::textWidth(unit, theme.mono(nameSize)) + theme.px(4);
    const double wanted =
        views::textWidth(shownValue(all, index), valueFont) + unitWidth + theme.px(10) + theme.px(8);
    const double nameWidth = views::textWidth(nameOf(all, index, isCompact), theme.font(nameSize)) +
                             compactNoteWidth(index, isCompact) + theme.px(10);
    return std::max({theme.px(usualWidths[std::size_t(index)]), std::ceil(wanted), std::ceil(nameWidth)});
}

QSize PlanFigures::wantedSize(int count, bool isCompact) const {
    const std::vector<Figure> all = figures();
    const QString word = note();
    double width = word.isEmpty() || isCompact
                       ? 0
                       : views::chipWidth(word, views::themeOf(this)) + views::themeOf(this).px(8);
    for (int i = 0; i < count; ++i)
        width += columnWidth(all, i, isCompact);
    return {int(std::ceil(width)), views::themeOf(this).ipx(38)};
}

int PlanFigures::fullWidth() const {
    return wantedSize(mostFigures, false).width();
}

QSize PlanFigures::sizeHint() const {
    return wantedSize(m_count, m_isCompact);
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
    const bool isLate = m_document.isOpen() && !m_document.areFiguresCurrent() && !m_document.preview();
    double right = width();
    for (int i = m_count - 1; i >= 0; --i) {
        const Figure& figure = all[std::size_t(i)];
        const double left = right - columnWidth(all, i, m_isCompact);
        painter.setFont(nameFont);
        painter.setPen(theme.color(Role::Text3));
        painter.drawText(QRectF(left, theme.px(2), right - left - theme.px(10), theme.px(15)),
                         Qt::AlignRight | Qt::AlignVCenter, nameOf(all, i, m_isCompact));
        if (const double noteWidth = compactNoteWidth(i, m_isCompact); noteWidth > 0) {
            const double name = views::textWidth(nameOf(all, i, m_isCompact), nameFont);
            painter.setFont(theme.font(nameSize, QFont::DemiBold));
            painter.setPen(theme.color(m_document.isPlanPreview() ? Role::AccentText : Role::Info));
            painter.drawText(QRectF(left, theme.px(2), right - left - theme.px(10 + 8) - name, theme.px(15)),
                             Qt::AlignRight | Qt::AlignVCenter, note());
            painter.setPen(theme.color(Role::Text3));
        }
        const QRectF line(left, theme.px(16), right - left - theme.px(10), theme.px(20));
        const double unitWidth =
            figure.unit.isEmpty() ? 0 : views::textWidth(figure.unit, unitFont) + theme.px(4);
        painter.setFont(unitFont);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, figure.unit);
        const bool hasValue = figure.value != QStringLiteral("–");
        painter.setFont(valueFont);
        painter.setPen(theme.color(isLate || !hasValue ? Role::Text3 : Role::Text));
        painter.drawText(line.adjusted(0, 0, -unitWidth, 0), Qt::AlignRight | Qt::AlignVCenter,
                         shownValue(all, i));
        right = left;
    }
    if (const QString word = note(); !word.isEmpty() && !m_isCompact) {
        const double width = views::chipWidth(word, theme);
        views::paintChip(
            painter, QRectF(right - width - theme.px(8), height() / 2.0 - theme.px(9), width, theme.px(18)),
            word, m_document.isPlanPreview() ? views::ChipTone::Accent : views::ChipTone::Info, theme);
    }
}

} // namespace app
