#include "views/timeline/details_panel.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/chip.h"
#include "views/common/widgets/gauge.h"
#include "views/profile/tables/number_card.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace views {

namespace {

/// Positions of the parts, for painting and for the mouse.
struct DetailsLayout {
    QRectF head;
    std::vector<QRectF> figures;
    QRectF layersTitle;
    std::vector<QRectF> layers;
    std::size_t layersShown = 0;
    QRectF reason;
    QRectF before;
    QRectF after;
};

/// Of the figures, where they are not cut.
double figuresWidth(const SpanDetails& details, const Theme& theme) {
    double width = theme.px(230);
    for (const SpanDetails::Figure& figure : details.figures) {
        const double unit =
            std::max(theme.px(30), textWidth(figure.value.unit, theme.mono(10)) + theme.px(8));
        width = std::max(width, textWidth(figure.name, theme.font(12)) +
                                    textWidth(figure.value.value, theme.mono(11, QFont::Medium)) + unit +
                                    theme.px(28));
    }
    return width;
}

DetailsLayout layOutDetails(const QRectF& rect, const SpanDetails& details, const Theme& theme) {
    DetailsLayout layout;
    const double margin = theme.px(12);
    const QRectF inner = rect.adjusted(margin, theme.px(8), -margin, -theme.px(6));
    layout.head = QRectF(inner.left(), inner.top(), inner.width(), theme.px(24));
    const double top = layout.head.bottom() + theme.px(6);
    const double row = theme.px(20);
    const bool hasRight = !details.layers.empty() || !details.reason.isEmpty();
    const double left =
        hasRight ? std::min(figuresWidth(details, theme), inner.width() * 0.5) : inner.width();
    for (std::size_t i = 0; i < details.figures.size(); ++i)
        layout.figures.emplace_back(inner.left(), top + row * static_cast<double>(i), left, row);
    const double x = inner.left() + left + theme.px(20);
    const double width = inner.right() - x;
    const double chip = theme.px(18);
    double bottom = inner.bottom();
    if (details.before || details.after) {
        bottom -= chip + theme.px(4);
        const double beforeWidth =
            details.before ? std::min(chipWidth(details.before->text, theme), width) : 0;
        if (details.before)
            layout.before = QRectF(x, bottom + theme.px(4), beforeWidth, chip);
        const double afterX = x + beforeWidth + theme.px(6);
        const double afterWidth = details.after ? chipWidth(details.after->text, theme) : 0;
        if (details.after && afterX + afterWidth <= inner.right())
            layout.after = QRectF(afterX, bottom + theme.px(4), afterWidth, chip);
    }
    if (!details.reason.isEmpty())
        layout.reason = QRectF(x, top, width, bottom - top);
    if (details.layers.empty() || width < theme.px(80))
        return layout;
    layout.layersTitle = QRectF(x, top, width, row);
    const auto space = static_cast<std::size_t>(std::max(0.0, (bottom - top - row + 0.5) / row));
    layout.layersShown = std::min(space, details.layers.size());
    for (std::size_t i = 0; i < layout.layersShown; ++i)
        layout.layers.emplace_back(x, top + row * static_cast<double>(i + 1), width, row);
    return layout;
}

/// As many as there is space for, in order of execution; the longest first where not all are in sight.
std::vector<std::size_t> shownLayers(const SpanDetails& details, std::size_t count, std::size_t inSight) {
    std::vector<std::size_t> order(details.layers.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    if (std::min(count, inSight) >= order.size())
        return order;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return details.layers[a].share > details.layers[b].share;
    });
    order.resize(std::min(count, order.size()));
    return order;
}

void paintHead(QPainter& painter, const QRectF& rect, const SpanDetails& details, const Theme& theme) {
    const QFont labelFont = theme.mono(11, QFont::DemiBold);
    double x = rect.left();
    const double labelWidth = textWidth(details.label, labelFont) + theme.px(14);
    const QRectF label(x, rect.top() + theme.px(1), labelWidth, theme.px(22));
    if (details.span.kind == core::SpanKind::Idle)
        paintGap(painter, label, details.span.cause, {}, theme);
    else
        paintSpan(painter, label, {},
                  spanColours(details.span, SpanColour::Phase, SpanEmphasis::Normal, theme),
                  SpanEmphasis::Normal, theme);
    painter.setFont(labelFont);
    painter.setPen(details.span.kind == core::SpanKind::Idle ? theme.color(Role::Text)
                                                             : theme.color(Role::OnFill));
    painter.drawText(label, Qt::AlignCenter, details.label);
    x = label.right() + theme.px(8);
    const QFont title = theme.font(13, QFont::DemiBold);
    painter.setPen(theme.color(Role::Text));
    const double titleWidth = std::min(textWidth(details.title, title) + 2, rect.right() - x);
    paintElided(painter, QRectF(x, rect.top(), titleWidth, rect.height()), Qt::AlignVCenter, details.title,
                title);
    x += titleWidth + theme.px(10);
    const double side = stageChipSide(theme);
    if (details.stage && x + side < rect.right()) {
        paintStageChip(painter, QRectF(x, rect.center().y() - side / 2, side, side), *details.stage, theme);
        x += side + theme.px(6);
    }
    painter.setPen(theme.color(Role::Text2));
    paintElided(painter, QRectF(x, rect.top(), std::max(0.0, rect.right() - x), rect.height()),
                Qt::AlignVCenter, details.place, theme.font(11));
}

void paintFigure(QPainter& painter, const QRectF& rect, const SpanDetails::Figure& figure,
                 const Theme& theme) {
    const QFont unitFont = theme.mono(10);
    const double unit = std::max(theme.px(30), textWidth(figure.value.unit, unitFont) + theme.px(8));
    const double sign = theme.px(12);
    painter.setPen(theme.color(Role::Text2));
    paintElided(painter, rect.adjusted(0, 0, -unit - theme.px(80), 0), Qt::AlignVCenter, figure.name,
                theme.font(12));
    painter.setPen(theme.color(Role::Text3));
    if (!figure.explanation.isEmpty())
        paintElided(painter, QRectF(rect.right() - sign, rect.top(), sign, rect.height()),
                    Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("="), theme.mono(11));
    paintElided(painter, QRectF(rect.right() - unit - sign + theme.px(6), rect.top(), unit, rect.height()),
                Qt::AlignVCenter, figure.value.unit, unitFont);
    painter.setPen(theme.color(figure.isLayer ? Role::AccentText : Role::Text));
    const double name = std::min(theme.px(60), textWidth(figure.name, theme.font(12)) + theme.px(8));
    paintElided(painter, rect.adjusted(name, 0, -unit - sign, 0), Qt::AlignRight | Qt::AlignVCenter,
                figure.value.value, theme.mono(11, QFont::Medium));
}

void paintLayerBar(QPainter& painter, const QRectF& rect, const SpanDetails::LayerBar& layer,
                   const QColor& colour, const Theme& theme) {
    const double value = theme.px(56);
    const double name = std::min(theme.px(150), rect.width() * 0.48);
    painter.setPen(theme.color(layer.layer.isEmpty() ? Role::Text2 : Role::AccentText));
    paintElided(painter, QRectF(rect.left(), rect.top(), name, rect.height()), Qt::AlignVCenter, layer.name,
                theme.font(11));
    const double height = theme.px(7);
    const double barLeft = rect.left() + name + theme.px(8);
    const double barWidth = rect.right() - value - barLeft;
    if (barWidth > theme.px(20))
        paintGauge(painter, QRectF(barLeft, rect.center().y() - height / 2, barWidth, height),
                   {{{layer.share, colour, HatchPattern::None, {}}}, {}, {}, {}}, theme);
    painter.setPen(theme.color(Role::Text));
    paintElided(painter, QRectF(rect.right() - value, rect.top(), value, rect.height()),
                Qt::AlignRight | Qt::AlignVCenter, layer.value, theme.mono(11));
}

} // namespace

void paintSpanDetails(QPainter& painter, const QRectF& rect, const SpanDetails& details, const Theme& theme,
                      std::size_t barsInSight) {
    const DetailsLayout layout = layOutDetails(rect, details, theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintHead(painter, layout.head, details, theme);
    for (std::size_t i = 0; i < layout.figures.size(); ++i) {
        if (layout.figures[i].bottom() <= rect.bottom())
            paintFigure(painter, layout.figures[i], details.figures[i], theme);
    }
    if (!layout.reason.isEmpty()) {
        painter.setPen(theme.color(Role::Text2));
        painter.setFont(theme.font(12));
        painter.drawText(layout.reason, Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, details.reason);
    }
    if (layout.layersShown > 0) {
        const std::vector<std::size_t> shown = shownLayers(details, layout.layersShown, barsInSight);
        const QString name = details.partName;
        QString title = QStringLiteral("By %1, in execution order").arg(name);
        if (shown.size() < details.layers.size())
            title =
                QStringLiteral("%1 longest of %2 %3s").arg(shown.size()).arg(details.layers.size()).arg(name);
        else if (barsInSight < details.layers.size())
            title = QStringLiteral("%1 %2s, the longest first").arg(details.layers.size()).arg(name);
        painter.setPen(theme.color(Role::Text3));
        paintElided(painter, layout.layersTitle, Qt::AlignVCenter, title, theme.font(11));
        paintElided(painter, layout.layersTitle, Qt::AlignRight | Qt::AlignVCenter, details.layersUnit,
                    theme.mono(10));
        const std::optional<Activity> activity = activityOf(details.span.kind);
        for (std::size_t i = 0; i < shown.size(); ++i)
            paintLayerBar(painter, layout.layers[i], details.layers[shown[i]],
                          activity ? theme.activity(*activity) : theme.color(Role::Hatch), theme);
    }
    if (!layout.before.isEmpty())
        paintChip(painter, layout.before, details.before->text, ChipTone::Neutral, theme);
    if (!layout.after.isEmpty())
        paintChip(painter, layout.after, details.after->text, ChipTone::Neutral, theme);
    painter.restore();
}

DetailsPanel::DetailsPanel(QWidget* parent)
    : QWidget(parent) {
    setAccessibleName(tr("Details of the selected event"));
}

void DetailsPanel::setDetails(std::optional<SpanDetails> details) {
    m_details = std::move(details);
    setAccessibleDescription(m_details ? m_details->title + QStringLiteral(", ") + m_details->place
                                       : QString());
    updateGeometry();
    update();
}

void DetailsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // A sentence is as high as it is narrow.
    if (event->oldSize().width() != event->size().width())
        updateGeometry();
}

QSize DetailsPanel::minimumSizeHint() const {
    const Theme& theme = themeOf(this);
    const QSize least(260, 120);
    if (!m_details)
        return least;
    const std::size_t bars = m_details->layers.empty() ? 0 : m_details->layers.size() + 1;
    double right = theme.px(20) * double(bars);
    if (!m_details->reason.isEmpty()) {
        // As wide as it is painted.
        const QRectF space = layOutDetails(QRectF(0, 0, width(), 10'000), *m_details, theme).reason;
        right = QFontMetricsF(theme.font(12))
                    .boundingRect(QRectF(0, 0, std::max(60.0, space.width()), 10'000), Qt::TextWordWrap,
                                  m_details->reason)
                    .height();
    }
    if (m_details->before || m_details->after)
        right += theme.px(24);
    const double rows = std::max(theme.px(20) * double(m_details->figures.size()), right);
    return {least.width(), std::max(least.height(), int(std::ceil(theme.px(46) + rows)))};
}

std::size_t DetailsPanel::barsInSight() const {
    const double height = std::min(this->height(), parentWidget()->height());
    const double space = (height - themeOf(this).px(66)) / themeOf(this).px(20);
    return static_cast<std::size_t>(std::max(1.0, space));
}

void DetailsPanel::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Role::Panel));
    if (m_details) {
        paintSpanDetails(painter, rect(), *m_details, theme, barsInSight());
        return;
    }
    painter.setPen(theme.color(Role::Text3));
    painter.setFont(theme.font(12));
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("Click an event or an idle gap to see what it is made of."));
}

void DetailsPanel::mousePressEvent(QMouseEvent* event) {
    if (!m_details)
        return;
    const DetailsLayout layout = layOutDetails(rect(), *m_details, themeOf(this));
    if (layout.before.contains(event->position()))
        return emit spanRequested(m_details->before->span);
    if (layout.after.contains(event->position()))
        return emit spanRequested(m_details->after->span);
    for (std::size_t i = 0; i < layout.figures.size(); ++i)
        if (layout.figures[i].contains(event->position()) && m_details->figures[i].isLayer)
            return emit layerRequested(m_details->figures[i].value.value);
    for (std::size_t i = 0; i < layout.figures.size(); ++i) {
        const SpanDetails::Figure& figure = m_details->figures[i];
        if (!layout.figures[i].contains(event->position()) || figure.explanation.isEmpty())
            continue;
        if (m_card == nullptr)
            m_card = new NumberCard(this);
        return m_card->showAt(mapToGlobal(layout.figures[i].bottomLeft().toPoint()),
                              QStringLiteral("<p><b>%1</b>&nbsp;&nbsp;=&nbsp;&nbsp;<b>%2</b></p><p>%3</p>")
                                  .arg(figure.name.toHtmlEscaped(), figure.value.joined().toHtmlEscaped(),
                                       figure.explanation.toHtmlEscaped()));
    }
    const std::vector<std::size_t> shown = shownLayers(*m_details, layout.layersShown, barsInSight());
    for (std::size_t i = 0; i < layout.layers.size(); ++i) {
        const QString& layer = m_details->layers[shown[i]].layer;
        if (layout.layers[i].contains(event->position()) && !layer.isEmpty())
            return emit layerRequested(layer);
    }
}

bool DetailsPanel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && m_details) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const DetailsLayout layout = layOutDetails(rect(), *m_details, themeOf(this));
        for (std::size_t i = 0; i < layout.figures.size(); ++i) {
            if (layout.figures[i].contains(help->pos()) && !m_details->figures[i].explanation.isEmpty())
                QToolTip::showText(help->globalPos(), m_details->figures[i].explanation, this);
        }
        return true;
    }
    return QWidget::event(event);
}

} // namespace views
