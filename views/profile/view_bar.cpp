#include "views/profile/view_bar.h"

#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace views {

ViewBar::ViewBar(QWidget* parent)
    : QFrame(parent)
    , m_layout(new QHBoxLayout(this)) {
    const Theme& theme = themeOf(this);
    setProperty("surface", "panel");
    setProperty("line", "bottom");
    setFixedHeight(theme.ipx(36));
    m_layout->setContentsMargins(theme.ipx(8), 0, theme.ipx(8), 0);
    m_layout->setSpacing(theme.ipx(8));
}

void ViewBar::add(QWidget* widget, int stretch) {
    m_layout->addWidget(widget, stretch, Qt::AlignVCenter);
}

void ViewBar::addLabel(const QString& text) {
    auto* label = new QLabel(text, this);
    label->setProperty("role", "text2");
    m_labels.push_back(label);
    m_layout->addSpacing(themeOf(this).ipx(4));
    m_layout->addWidget(label, 0, Qt::AlignVCenter);
}

void ViewBar::addStretch() {
    m_layout->addStretch(1);
}

QToolButton* ViewBar::addButton(const QString& iconName, const QString& toolTip) {
    auto* button = new QToolButton(this);
    button->setIcon(icon(this, iconName));
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip);
    button->setProperty("small", true);
    add(button);
    return button;
}

void ViewBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    constexpr int wideFrom = 1400;
    const bool isWide = width() >= themeOf(this).ipx(wideFrom);
    for (QLabel* label : m_labels)
        label->setVisible(isWide);
}

} // namespace views
