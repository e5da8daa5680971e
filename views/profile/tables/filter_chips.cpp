#include "views/profile/tables/filter_chips.h"

#include "views/common/theme/control_painters.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/chip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace views {

FilterChips::FilterChips(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    hide();
}

void FilterChips::setChips(std::vector<Chip> chips) {
    m_chips = std::move(chips);
    m_focused = std::min(m_focused, m_chips.empty() ? 0 : m_chips.size() - 1);
    QStringList names;
    for (const Chip& chip : m_chips)
        names.append(chip.text);
    setAccessibleName(tr("Filters: ") + names.join(QStringLiteral(", ")));
    setVisible(!m_chips.empty());
    updateGeometry();
    update();
}

double FilterChips::widthOf(const Chip& chip) const {
    return chipWidth(chip.text, themeOf(this), !chip.icon.isEmpty(), true);
}

QSize FilterChips::sizeHint() const {
    double width = 0;
    for (const Chip& chip : m_chips)
        width += widthOf(chip) + themeOf(this).px(6);
    return {static_cast<int>(width), themeOf(this).ipx(20)};
}

void FilterChips::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    double x = 0;
    for (const Chip& chip : m_chips) {
        const double width = widthOf(chip);
        paintChip(painter, QRectF(x, theme.px(1), width, theme.px(18)), chip.text, ChipTone::Accent, theme,
                  chip.icon, true);
        if (hasFocus() && &chip == &m_chips[m_focused])
            paintFocusRing(painter, QRectF(x + 1, theme.px(2), width - 2, theme.px(16)), theme.px(9), theme);
        x += width + theme.px(6);
    }
}

void FilterChips::mousePressEvent(QMouseEvent* event) {
    double x = 0;
    for (const Chip& chip : m_chips) {
        const double width = widthOf(chip);
        if (event->position().x() >= x && event->position().x() < x + width)
            return emit removed(chip.id);
        x += width + themeOf(this).px(6);
    }
}

void FilterChips::keyPressEvent(QKeyEvent* event) {
    if (m_chips.empty())
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
        m_focused -= m_focused > 0 ? 1 : 0;
        return update();
    case Qt::Key_Right:
        m_focused += m_focused + 1 < m_chips.size() ? 1 : 0;
        return update();
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        return emit removed(m_chips[m_focused].id);
    default:
        return QWidget::keyPressEvent(event);
    }
}

void FilterChips::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void FilterChips::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

} // namespace views
