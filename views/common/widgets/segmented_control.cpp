#include "views/common/widgets/segmented_control.h"

#include "views/common/theme/control_painters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

namespace views {

SegmentedControl::SegmentedControl(const QString& accessibleName, QWidget* parent)
    : QFrame(parent)
    , m_layout(new QHBoxLayout(this)) {
    setAccessibleName(accessibleName);
    m_layout->setContentsMargins(2, 2, 2, 2);
    m_layout->setSpacing(0);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&m_group, &QButtonGroup::idClicked, this, &SegmentedControl::chosen);
}

QToolButton* SegmentedControl::addSegment(const QString& text, const QString& tip, const QString& iconName) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(text);
    button->setCheckable(true);
    button->setProperty("kind", "segment");
    button->setProperty("small", true);
    button->setFocusPolicy(Qt::TabFocus);
    if (!iconName.isEmpty()) {
        button->setIcon(icon(this, iconName, Role::Text2, Role::Text));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
    m_group.addButton(button, count());
    m_buttons.push_back(button);
    m_layout->addWidget(button);
    if (count() == 1)
        button->setChecked(true);
    return button;
}

void SegmentedControl::setCurrent(int index) {
    if (index >= 0 && index < count())
        button(index)->setChecked(true);
}

void SegmentedControl::setContent(Content content) {
    const Qt::ToolButtonStyle style = content == Content::IconAndText ? Qt::ToolButtonTextBesideIcon
                                      : content == Content::Text      ? Qt::ToolButtonTextOnly
                                                                      : Qt::ToolButtonIconOnly;
    for (QToolButton* button : m_buttons) {
        if (button->icon().isNull())
            continue;
        button->setToolButtonStyle(style);
        if (button->toolTip().isEmpty())
            button->setToolTip(button->text());
    }
}

void SegmentedControl::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = themeOf(this);
    paintCard(painter, rect(), theme.px(6), theme.color(Role::Panel2), theme.color(Role::Border),
              theme.frameWidth());
}

} // namespace views
