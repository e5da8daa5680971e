#include "views/inspector/form/fact_list.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/control_painters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace views {

FactList::FactList(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
}

void FactList::setFacts(std::vector<Fact> facts) {
    if (facts == m_facts)
        return;
    m_facts = std::move(facts);
    if (m_open >= int(m_facts.size()) || (m_open >= 0 && m_facts[std::size_t(m_open)].formula.isEmpty()))
        m_open = -1;
    QStringList spoken;
    for (const Fact& fact : m_facts)
        spoken.append(fact.name + u' ' + fact.value + u' ' + fact.unit);
    setAccessibleName(spoken.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

double FactList::rowHeight() const {
    return themeOf(this).px(21);
}

double FactList::formulaHeight() const {
    if (m_open < 0)
        return 0;
    return themeOf(this).px(14) * double(1 + m_facts[std::size_t(m_open)].formula.count(u'\n') + 1) +
           themeOf(this).px(12);
}

QSize FactList::sizeHint() const {
    return {120, int(double(m_facts.size()) * rowHeight() + formulaHeight())};
}

int FactList::rowAt(double y) const {
    double top = 0;
    for (std::size_t i = 0; i < m_facts.size(); ++i) {
        if (y < top + rowHeight())
            return int(i);
        top += rowHeight() + (int(i) == m_open ? formulaHeight() : 0);
        if (y < top)
            return -1;
    }
    return -1;
}

void FactList::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    double y = 0;
    const double mark = theme.px(16);
    for (std::size_t i = 0; i < m_facts.size(); ++i) {
        const Fact& fact = m_facts[i];
        QRectF line(0, y, width(), rowHeight());
        if (!fact.formula.isEmpty()) {
            const double side = theme.px(12);
            paintIcon(painter, QRectF(line.right() - side, line.center().y() - side / 2, side, side),
                      QStringLiteral("explain"),
                      theme.color(m_hovered == int(i) || m_open == int(i) ? Role::Accent : Role::Text3));
        }
        line.setRight(line.right() - mark);
        double right = line.right();
        if (!fact.unit.isEmpty()) {
            painter.setPen(theme.color(Role::Text3));
            painter.setFont(theme.mono(10));
            painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, fact.unit);
            right -= textWidth(fact.unit, theme.mono(10)) + theme.px(4);
        }
        const QFont mono = theme.mono(11);
        const double nameWidth = std::min(textWidth(fact.name, theme.font(12)), line.width() * 0.62);
        painter.setPen(theme.color(Role::Text2));
        paintElided(painter, QRectF(0, y, nameWidth + 2, rowHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                    fact.name, theme.font(12));
        painter.setPen(theme.color(fact.isMuted ? Role::Text3 : Role::Text));
        paintElided(painter, QRectF(nameWidth + theme.px(8), y, right - nameWidth - theme.px(8), rowHeight()),
                    Qt::AlignRight | Qt::AlignVCenter, fact.value, mono);
        y += rowHeight();
        if (int(i) == m_open) {
            const QRectF card(0, y + 2, width(), formulaHeight() - 6);
            paintCard(painter, card, theme.px(6), theme.color(Role::Panel2), theme.color(Role::Border));
            painter.setPen(theme.color(Role::Text));
            painter.setFont(theme.font(11, QFont::DemiBold));
            painter.drawText(QPointF(card.left() + theme.px(8), card.top() + theme.px(14)), fact.name);
            painter.setFont(theme.mono(10));
            painter.setPen(theme.color(Role::Text2));
            painter.drawText(card.adjusted(theme.px(8), theme.px(18), -theme.px(8), 0),
                             Qt::AlignLeft | Qt::AlignTop, fact.formula);
            y += formulaHeight();
        }
    }
}

void FactList::mousePressEvent(QMouseEvent* event) {
    const int row = rowAt(event->position().y());
    if (row < 0 || m_facts[std::size_t(row)].formula.isEmpty())
        return;
    m_open = m_open == row ? -1 : row;
    updateGeometry();
    update();
}

void FactList::mouseMoveEvent(QMouseEvent* event) {
    const int row = rowAt(event->position().y());
    const bool explains = row >= 0 && !m_facts[std::size_t(row)].formula.isEmpty();
    setCursor(explains ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setToolTip(explains ? tr("Explain this number") : QString());
    if (row != m_hovered) {
        m_hovered = row;
        update();
    }
}

void FactList::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    m_hovered = -1;
    update();
}

} // namespace views
