#include "views/common/widgets/empty_view.h"

#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace views {

EmptyView::EmptyView(QWidget* parent)
    : QWidget(parent)
    , m_icon(new QLabel(this))
    , m_what(new QLabel(this))
    , m_why(new QLabel(this))
    , m_button(new QPushButton(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 16, 24, 16);
    layout->setSpacing(4);
    m_why->setWordWrap(true);
    m_why->setMinimumWidth(120);
    m_why->setMaximumWidth(420);
    m_why->setProperty("role", "text3");
    for (QLabel* label : {m_icon, m_what, m_why})
        label->setAlignment(Qt::AlignCenter);
    layout->addStretch(2);
    layout->addWidget(m_icon, 0, Qt::AlignHCenter);
    layout->addSpacing(4);
    layout->addWidget(m_what, 0, Qt::AlignHCenter);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(m_why, 100);
    row->addStretch(1);
    layout->addLayout(row);
    layout->addSpacing(8);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    m_button->hide();
    connect(m_button, &QPushButton::clicked, this, &EmptyView::actionRequested);
}

void EmptyView::setContent(const QString& iconName, const QString& what, const QString& why,
                           const QString& action) {
    m_iconName = iconName;
    m_what->setText(what);
    m_why->setText(why);
    m_button->setText(action);
    m_button->setVisible(!action.isEmpty());
    setAccessibleName(what);
    setAccessibleDescription(why);
    recolor();
}

void EmptyView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        recolor();
}

void EmptyView::recolor() {
    const Theme& theme = themeOf(this);
    m_what->setFont(theme.font(12, QFont::DemiBold));
    m_icon->setPixmap(iconPixmap(m_iconName, theme.color(Role::Text3), theme.ipx(26), devicePixelRatioF()));
}

} // namespace views
