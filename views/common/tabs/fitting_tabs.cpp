#include "views/common/tabs/fitting_tabs.h"

#include "views/common/theme/widget_theme.h"

#include <QEvent>
#include <QMenu>
#include <QScopedValueRollback>
#include <QToolButton>
#include <algorithm>
#include <vector>

namespace views {

FittingTabs::FittingTabs(QWidget* parent)
    : QTabBar(parent)
    , m_more(new QToolButton(this)) {
    setExpanding(false);
    setUsesScrollButtons(false);
    setElideMode(Qt::ElideNone);
    m_more->setProperty("kind", "quiet");
    m_more->setProperty("small", true);
    m_more->setAccessibleName(tr("More tabs"));
    m_more->setFocusPolicy(Qt::TabFocus);
    m_more->hide();
    connect(m_more, &QToolButton::clicked, this, &FittingTabs::openMenu);
    connect(this, &QTabBar::currentChanged, this, &FittingTabs::fit);
}

QSize FittingTabs::sizeHint() const {
    QSize size;
    for (int tab = 0; tab < count(); ++tab) {
        const QSize hint = tabSizeHint(tab);
        size = {size.width() + hint.width(), std::max(size.height(), hint.height())};
    }
    return size;
}

QSize FittingTabs::minimumSizeHint() const {
    return {themeOf(this).ipx(60), sizeHint().height()};
}

QStringList FittingTabs::titlesInMenu() const {
    QStringList titles;
    for (int tab = 0; tab < count(); ++tab)
        if (!isTabVisible(tab))
            titles.append(tabText(tab));
    return titles;
}

void FittingTabs::fit() {
    if (m_isFitting)
        return;
    const QScopedValueRollback fitting(m_isFitting, true);
    int needed = 0;
    std::vector<int> widths;
    for (int tab = 0; tab < count(); ++tab) {
        widths.push_back(tabSizeHint(tab).width());
        needed += widths.back();
    }
    // As wide as the longest thing it says.
    m_more->setText(QStringLiteral("+%1").arg(count()));
    const int more = m_more->sizeHint().width();
    const bool fitsAll = needed <= width();
    int space = width() - more;
    if (currentIndex() >= 0)
        space -= widths[std::size_t(currentIndex())];
    int hidden = 0;
    int end = 0;
    for (int tab = 0; tab < count(); ++tab) {
        const int tabWidth = widths[std::size_t(tab)];
        // Once one has no room those behind it have none either, so that their order stays.
        const bool isShown = fitsAll || tab == currentIndex() || (space >= tabWidth && hidden == 0);
        if (isShown && !fitsAll && tab != currentIndex())
            space -= tabWidth;
        hidden += isShown ? 0 : 1;
        end += isShown ? tabWidth : 0;
        if (isTabVisible(tab) != isShown)
            setTabVisible(tab, isShown);
    }
    m_more->setText(QStringLiteral("+%1").arg(hidden));
    m_more->setVisible(hidden > 0);
    m_more->setGeometry(std::min(end, std::max(0, width() - more)),
                        (height() - m_more->sizeHint().height()) / 2, more, m_more->sizeHint().height());
}

void FittingTabs::openMenu() {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int tab = 0; tab < count(); ++tab) {
        if (isTabVisible(tab))
            continue;
        connect(menu->addAction(tabText(tab)), &QAction::triggered, this, [this, tab] {
            setCurrentIndex(tab);
            emit tabBarClicked(tab);
        });
    }
    menu->popup(m_more->mapToGlobal(QPoint(0, m_more->height())));
}

void FittingTabs::tabLayoutChange() {
    QTabBar::tabLayoutChange();
    fit();
}

/// Fonts and paddings are those of the style only once it has polished the tabs.
bool FittingTabs::event(QEvent* event) {
    const bool isTaken = QTabBar::event(event);
    switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::StyleChange:
    case QEvent::FontChange:
        fit();
        break;
    default:
        break;
    }
    return isTaken;
}

} // namespace views
