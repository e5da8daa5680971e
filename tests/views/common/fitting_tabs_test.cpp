#include "views/common/tabs/fitting_tabs.h"

#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"

#include <QApplication>
#include <QMenu>
#include <QToolButton>
#include <QtTest/QTest>

using namespace views;

class FittingTabsTest : public QObject {
    Q_OBJECT

private slots:
    void whatHasNoRoomIsInTheMenuAndTheCurrentOneIsSeen() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        FittingTabs tabs;
        for (const char* title : {"Inspector", "Pipeline", "Training", "Options", "Plan"})
            tabs.addTab(title);
        tabs.show();
        constexpr int wide = 700;
        constexpr int narrow = 230;
        tabs.resize(wide, tabs.height());
        QVERIFY2(tabs.titlesInMenu().isEmpty(), qPrintable(tabs.titlesInMenu().join(' ')));
        tabs.resize(narrow, tabs.height());
        QVERIFY(!tabs.titlesInMenu().isEmpty());
        QVERIFY(tabs.titlesInMenu().contains("Plan"));
        for (int tab = 0; tab < tabs.count(); ++tab)
            if (tabs.isTabVisible(tab))
                QVERIFY(tabs.tabRect(tab).right() < tabs.width());
        tabs.setCurrentIndex(4);
        QCOMPARE(tabs.currentIndex(), 4);
        QVERIFY(!tabs.titlesInMenu().contains("Plan"));
        QVERIFY(tabs.tabRect(4).right() < tabs.width());
        // Another one from the menu.
        QToolButton* more = nullptr;
        for (auto* button : tabs.findChildren<QToolButton*>())
            if (button->accessibleName() == "More tabs")
                more = button;
        QVERIFY(more != nullptr && more->isVisible());
        more->click();
        auto* menu = tabs.findChild<QMenu*>();
        QVERIFY(menu != nullptr);
        QCOMPARE(menu->actions().size(), tabs.titlesInMenu().size());
        const QString chosen = menu->actions().front()->text();
        menu->actions().front()->trigger();
        QCOMPARE(tabs.tabText(tabs.currentIndex()), chosen);
        QVERIFY(!tabs.titlesInMenu().contains(chosen));
        tabs.resize(wide, tabs.height());
        QVERIFY(tabs.titlesInMenu().isEmpty());
    }
};

REGISTER_WIDGET_TEST("fitting_tabs", FittingTabsTest)
#include "fitting_tabs_test.moc"
