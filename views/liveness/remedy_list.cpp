#include "views/liveness/remedy_list.h"

#include "views/common/theme/widget_theme.h"

#include <QGridLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace views {

namespace {

QLabel* wrapped(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

RemedyList::RemedyList(QWidget* parent)
    : QFrame(parent)
    , m_rows(new QVBoxLayout(this)) {
    const Theme& theme = themeOf(parent);
    setAccessibleName(tr("What takes less memory"));
    setProperty("surface", "panel");
    m_rows->setContentsMargins(theme.ipx(12), theme.ipx(8), theme.ipx(12), theme.ipx(8));
    m_rows->setSpacing(theme.ipx(6));
    setRemedies(std::nullopt);
}

void RemedyList::setRemedies(const std::optional<std::vector<Remedy>>& remedies) {
    while (QLayoutItem* item = m_rows->takeAt(0)) {
        if (item->widget() != nullptr)
            item->widget()->deleteLater();
        delete item;
    }
    auto* title = new QLabel(tr("Cheapest remedies, simulated"), this);
    title->setFont(themeOf(this).font(12, QFont::DemiBold));
    m_rows->addWidget(title);
    if (!remedies)
        m_rows->addWidget(wrapped(tr("Changes of the project are being simulated …"), this));
    else if (remedies->empty())
        m_rows->addWidget(
            wrapped(tr("None of the changes that were simulated lowers the peak of the fullest IPU."), this));
    for (const Remedy& remedy : remedies.value_or(std::vector<Remedy>())) {
        auto* row = new QWidget(this);
        auto* grid = new QGridLayout(row);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setSpacing(0);
        grid->setHorizontalSpacing(themeOf(this).ipx(8));
        grid->addWidget(wrapped(remedy.text, row), 0, 0);
        QLabel* effect = wrapped(remedy.effect, row);
        effect->setProperty("role", "text2");
        grid->addWidget(effect, 1, 0);
        auto* button = new QToolButton(row);
        button->setText(tr("Try"));
        button->setProperty("kind", "primary");
        button->setProperty("small", true);
        button->setAccessibleName(tr("Try: %1").arg(remedy.text));
        button->setAccessibleDescription(remedy.effect);
        button->setToolTip(tr("Makes the change, which can be undone, and runs the project again"));
        grid->addWidget(button, 0, 1, 2, 1, Qt::AlignTop);
        grid->setColumnStretch(0, 1);
        connect(button, &QToolButton::clicked, this, [this, apply = remedy.apply] {
            apply();
            emit tried();
        });
        m_rows->addWidget(row);
    }
    m_rows->addStretch(1);
}

} // namespace views
