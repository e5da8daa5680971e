#include "views/comparison/run_chips.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/control_painters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/comparison/comparison_painter.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace views {

namespace {

constexpr double chipHeight = 24;
constexpr double mostNameWidth = 150;
constexpr double crossWidth = 18;

} // namespace

RunChips::RunChips(QWidget* parent)
    : QWidget(parent) {
    setAccessibleName(tr("Compared runs"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void RunChips::setChips(std::vector<Chip> chips) {
    m_chips = std::move(chips);
    m_focused = std::min(m_focused, m_chips.empty() ? 0 : m_chips.size() - 1);
    QStringList names;
    for (const Chip& chip : m_chips)
        names.append(chip.isBaseline ? tr("%1, the baseline").arg(chip.name) : chip.name);
    setAccessibleName(tr("Compared runs: ") + names.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

double RunChips::widthOf(const Chip& chip) const {
    const Theme& theme = themeOf(this);
    const double name = std::min(textWidth(chip.name, theme.font(12)), theme.px(mostNameWidth));
    return theme.px(18 + 6 + 14) + name + (isRemovable(chip) ? theme.px(crossWidth) : 0);
}

QRectF RunChips::rectOf(std::size_t index) const {
    const Theme& theme = themeOf(this);
    double x = 2;
    for (std::size_t i = 0; i < index; ++i)
        x += widthOf(m_chips[i]) + theme.px(6);
    return {x, (height() - theme.px(chipHeight)) / 2, widthOf(m_chips[index]), theme.px(chipHeight)};
}

QSize RunChips::sizeHint() const {
    const Theme& theme = themeOf(this);
    const double width = m_chips.empty() ? 0 : rectOf(m_chips.size() - 1).right() + 4;
    return {static_cast<int>(width), theme.ipx(chipHeight + 6)};
}

void RunChips::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        const Chip& chip = m_chips[i];
        const QRectF rect = rectOf(i);
        paintCard(painter, rect, 6, theme.color(Role::Raised), theme.color(Role::Border), theme.frameWidth());
        const double side = theme.px(17);
        paintRunLetter(painter, QRectF(rect.left() + 4, rect.center().y() - side / 2, side, side), i,
                       chip.isBaseline, theme);
        QRectF name = rect.adjusted(side + theme.px(10), 0, -theme.px(7), 0);
        if (isRemovable(chip)) {
            const double cross = theme.px(9);
            paintIcon(painter,
                      QRectF(rect.right() - theme.px(8) - cross, rect.center().y() - cross / 2, cross, cross),
                      QStringLiteral("close"), theme.color(Role::Text3));
            name.setRight(name.right() - theme.px(crossWidth) + 4);
        }
        painter.setPen(theme.color(Role::Text));
        paintElided(painter, name, Qt::AlignLeft | Qt::AlignVCenter, chip.name, theme.font(12));
        if (hasFocus() && i == m_focused)
            paintFocusRing(painter, rect.adjusted(2, 2, -2, -2), 6, theme);
    }
}

bool RunChips::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        for (std::size_t i = 0; i < m_chips.size(); ++i) {
            if (rectOf(i).contains(help->pos()))
                QToolTip::showText(help->globalPos(),
                                   m_chips[i].isBaseline
                                       ? tr("%1 is the baseline").arg(m_chips[i].name)
                                       : tr("Click to compare with %1 instead").arg(m_chips[i].name),
                                   this);
        }
        return true;
    }
    return QWidget::event(event);
}

void RunChips::mousePressEvent(QMouseEvent* event) {
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        const QRectF rect = rectOf(i);
        if (!rect.contains(event->position()))
            continue;
        m_focused = i;
        const core::RunId run = m_chips[i].run;
        if (isRemovable(m_chips[i]) &&
            event->position().x() > rect.right() - themeOf(this).px(crossWidth + 4))
            return emit removed(run);
        return emit baselineChosen(run);
    }
}

void RunChips::keyPressEvent(QKeyEvent* event) {
    if (m_chips.empty())
        return QWidget::keyPressEvent(event);
    const Chip chip = m_chips[m_focused];
    switch (event->key()) {
    case Qt::Key_Left:
        m_focused = m_focused == 0 ? 0 : m_focused - 1;
        return update();
    case Qt::Key_Right:
        m_focused = std::min(m_focused + 1, m_chips.size() - 1);
        return update();
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        return emit baselineChosen(chip.run);
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        if (isRemovable(chip))
            emit removed(chip.run);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace views
