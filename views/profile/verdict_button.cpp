#include "views/profile/verdict_button.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"

#include <QPainter>
#include <algorithm>

namespace views {

namespace {

/// Sizes in px of a theme of scale 1.
constexpr double clauseHeight = 44;
constexpr double compactHeight = 24;
constexpr double iconSide = 14;
constexpr double clausePadding = 10;

QFont headlineFont(const Theme& theme) {
    return theme.font(12, QFont::DemiBold);
}

int widthFor(const QString& text, const QFont& font, const Theme& theme) {
    return static_cast<int>(
               std::ceil(textWidth(text, font) + theme.px(2 * clausePadding + iconSide + clausePadding))) +
           2;
}

} // namespace

VerdictButton::VerdictButton(QString iconName, const QString& headline, QString detail, bool isTrouble,
                             bool isAdvice, QWidget* parent)
    : QAbstractButton(parent)
    , m_iconName(std::move(iconName))
    , m_detail(std::move(detail))
    , m_isTrouble(isTrouble)
    , m_isAdvice(isAdvice) {
    setText(headline);
    setAccessibleName(headline);
    setAccessibleDescription(m_detail);
    setToolTip(m_detail.isEmpty() ? headline : headline + QStringLiteral("\n") + m_detail);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

int VerdictButton::headlineWidth() const {
    const Theme& theme = themeOf(this);
    return widthFor(text(), headlineFont(theme), theme) + m_reserved;
}

void VerdictButton::setCompact(bool isCompact) {
    m_isCompact = isCompact;
    update();
}

int VerdictButton::wholeWidth() const {
    const Theme& theme = themeOf(this);
    if (m_isCompact)
        return headlineWidth();
    return std::max(headlineWidth(), widthFor(m_detail, theme.font(11), theme) + m_reserved);
}

QSize VerdictButton::sizeHint() const {
    return {wholeWidth(), themeOf(this).ipx(m_isCompact ? compactHeight : clauseHeight)};
}

void VerdictButton::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Role surface = m_isTrouble ? Role::ErrorSoft : m_isAdvice ? Role::AccentSoft : Role::Panel;
    painter.fillRect(rect(), theme.color(underMouse() && surface == Role::Panel ? Role::Hover : surface));
    const double padding = theme.px(clausePadding);
    const double side = theme.px(iconSide);
    const Role accent = m_isTrouble ? Role::Error : m_isAdvice ? Role::AccentText : Role::Text3;
    const double line = height() / 2.0;
    const double iconAt = m_isCompact ? line : line / 2 + theme.px(4);
    paintIcon(painter, QRectF(padding, iconAt - side / 2, side, side), m_iconName, theme.color(accent));
    const double x = padding + side + padding;
    const double width = this->width() - x - padding - m_reserved;
    painter.setPen(theme.color(m_isTrouble ? Role::Error : Role::Text));
    const QRectF first =
        m_isCompact ? QRectF(x, 0, width, height() - 1) : QRectF(x, theme.px(4), width, line - theme.px(3));
    paintElided(painter, first, Qt::AlignVCenter, text(), headlineFont(theme));
    if (!m_isCompact) {
        painter.setPen(theme.color(Role::Text2));
        const QFont font = theme.font(11);
        paintElided(painter, QRectF(x, line, width, line - theme.px(5)), Qt::AlignVCenter,
                    wholeFacts(m_detail, font, width), font);
    }
    painter.setPen(QPen(theme.color(Role::Border), 1));
    painter.drawLine(QPointF(this->width() - 0.5, theme.px(7)),
                     QPointF(this->width() - 0.5, height() - theme.px(7)));
    if (hasFocus()) {
        painter.setPen(QPen(theme.color(Role::Accent), 2));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void VerdictButton::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    update();
}

void VerdictButton::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    update();
}

} // namespace views
