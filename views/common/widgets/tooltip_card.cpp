#include "views/common/widgets/tooltip_card.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/control_painters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace views {

namespace {

struct CardMetrics {
    double padding;
    double titleHeight;
    double rowHeight;
    double nameWidth;
    double valueWidth;
};

/// Of the width of a card, for names: figures are seen whole, long names give way.
double nameSpace(const CardMetrics& metrics, double width, const Theme& theme) {
    constexpr double leastShare = 0.4;
    const double space = width - 2 * metrics.padding;
    const double left = space - metrics.valueWidth - theme.px(12);
    return std::min(metrics.nameWidth, std::max(left, leastShare * space));
}

CardMetrics metricsOf(const ToolTipContent& content, const Theme& theme) {
    CardMetrics metrics{theme.px(8), theme.px(18), theme.px(16), 0, 0};
    for (const ToolTipContent::Row& row : content.rows) {
        metrics.nameWidth = std::max(metrics.nameWidth, textWidth(row.name, theme.font(11)));
        metrics.valueWidth = std::max(metrics.valueWidth, textWidth(row.value, theme.mono(10)) + 2);
    }
    return metrics;
}

} // namespace

QSizeF toolTipSize(const ToolTipContent& content, double maximumWidth, const Theme& theme) {
    const CardMetrics metrics = metricsOf(content, theme);
    double width = textWidth(content.title, theme.font(11, QFont::DemiBold));
    for (const ToolTipContent::Row& row : content.rows)
        width = std::max(width, metrics.nameWidth + theme.px(12) + textWidth(row.value, theme.mono(10)));
    width = std::max(width, textWidth(content.footer, theme.font(10)));
    double height = 2 * metrics.padding + (content.title.isEmpty() ? 0 : metrics.titleHeight) +
                    double(content.rows.size()) * metrics.rowHeight;
    if (!content.footer.isEmpty())
        height += theme.px(18);
    return {std::min(maximumWidth, width + 2 * metrics.padding + 2), height};
}

void paintToolTip(QPainter& painter, const QRectF& rect, const ToolTipContent& content, const Theme& theme) {
    const CardMetrics metrics = metricsOf(content, theme);
    painter.save();
    paintCard(painter, rect, theme.px(4), theme.color(Role::ToolTip),
              theme.color(theme.isDark() ? Role::BorderStrong : Role::ToolTip), theme.frameWidth());
    QRectF line = rect.adjusted(metrics.padding, metrics.padding, -metrics.padding, 0);
    line.setHeight(metrics.titleHeight);
    if (!content.title.isEmpty()) {
        painter.setPen(theme.color(Role::ToolTipText));
        paintElided(painter, line, Qt::AlignLeft | Qt::AlignVCenter, content.title,
                    theme.font(11, QFont::DemiBold));
        line.translate(0, metrics.titleHeight);
    }
    line.setHeight(metrics.rowHeight);
    const double names = nameSpace(metrics, rect.width(), theme);
    for (const ToolTipContent::Row& row : content.rows) {
        painter.setPen(theme.color(Role::ToolTipText2));
        paintElided(painter, QRectF(line.left(), line.top(), names, line.height()),
                    Qt::AlignLeft | Qt::AlignVCenter, row.name, theme.font(11));
        painter.setPen(theme.color(Role::ToolTipText));
        paintElided(painter, line.adjusted(names + theme.px(12), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                    row.value, theme.mono(10));
        line.translate(0, metrics.rowHeight);
    }
    if (!content.footer.isEmpty()) {
        painter.setPen(theme.color(Role::ToolTipText2));
        line.setHeight(theme.px(18));
        paintElided(painter, line, Qt::AlignLeft | Qt::AlignVCenter, content.footer, theme.font(10));
    }
    painter.restore();
}

QRectF toolTipPlace(const QPointF& anchor, const QSizeF& size, const QRectF& area) {
    const double gap = 14;
    double x = anchor.x() + gap;
    double y = anchor.y() + gap;
    if (x + size.width() > area.right())
        x = anchor.x() - gap - size.width();
    if (y + size.height() > area.bottom())
        y = anchor.y() - gap - size.height();
    x = std::clamp(x, area.left(), std::max(area.left(), area.right() - size.width()));
    y = std::clamp(y, area.top(), std::max(area.top(), area.bottom() - size.height()));
    return {QPointF(x, y), size};
}

ToolTipCard::ToolTipCard(QWidget* view)
    : QFrame(view) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void ToolTipCard::showAt(const QPointF& anchor, const ToolTipContent& content) {
    if (content.isEmpty() || parentWidget() == nullptr) {
        hide();
        return;
    }
    m_content = content;
    QStringList lines{content.title};
    for (const ToolTipContent::Row& row : content.rows)
        lines.append(row.name + QStringLiteral(": ") + row.value);
    setAccessibleDescription(lines.join(QStringLiteral("; ")));
    const QRectF area = parentWidget()->rect();
    // In a narrow view half of it holds no figures beside their names.
    const double widest = std::max(area.width() / 2, std::min(area.width(), themeOf(this).px(300)));
    const QSizeF size = toolTipSize(content, widest, themeOf(this));
    setGeometry(toolTipPlace(anchor, size, area).toAlignedRect());
    show();
    raise();
    update();
}

void ToolTipCard::pin() {
    if (isHidden() || m_content.isEmpty())
        return;
    auto* copy = new ToolTipCard(parentWidget());
    copy->setAttribute(Qt::WA_TransparentForMouseEvents, false);
    copy->m_isPinned = true;
    copy->m_content = m_content;
    copy->m_content.footer.clear();
    copy->setGeometry(geometry().adjusted(0, 0, themeOf(this).ipx(14), 0));
    copy->show();
    hide();
}

bool ToolTipCard::dismissPinned() {
    bool isAny = false;
    for (ToolTipCard* card : parentWidget()->findChildren<ToolTipCard*>(Qt::FindDirectChildrenOnly)) {
        if (!card->m_isPinned || card->isHidden())
            continue;
        isAny = true;
        card->hide();
        card->deleteLater();
    }
    return isAny;
}

void ToolTipCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = themeOf(this);
    paintToolTip(painter, rect(), m_content, theme);
    if (m_isPinned) {
        const double side = theme.px(10);
        paintIcon(painter, QRectF(width() - side - 6, 6, side, side), QStringLiteral("close"),
                  theme.color(Role::ToolTipText2));
    }
}

void ToolTipCard::mousePressEvent(QMouseEvent* event) {
    const bool onCross = event->position().x() > width() - 24 && event->position().y() < 24;
    if (m_isPinned && onCross)
        deleteLater();
}

} // namespace views
