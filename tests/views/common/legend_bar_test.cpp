#include "views/profile/legend_bar.h"

#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"

#include <QApplication>
#include <QMenu>
#include <QSignalSpy>
#include <QtTest/QTest>

using namespace views;

class LegendBarTest : public QObject {
    Q_OBJECT

private slots:
    void whatHasNoRoomIsInTheMenuTheLightestFirst() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        LegendBar bar("Legend");
        std::vector<LegendEntry> entries{{0, "Vertex code", Qt::red, HatchPattern::None, 1},
                                         {1, "Weights", Qt::blue, HatchPattern::None, 50},
                                         {2, "Stack", Qt::gray, HatchPattern::None, 2},
                                         {3, "Activations", Qt::yellow, HatchPattern::None, 90}};
        bar.setEntries([entries](const Theme&) { return entries; });
        bar.resize(bar.sizeHint());
        QVERIFY(bar.namesInMenu().isEmpty());
        bar.resize(bar.width() - 30, bar.height());
        QCOMPARE(bar.namesInMenu(), QStringList{"Vertex code"});
        // Room for two of them and for "+2".
        bar.resize(int(legendWidth({entries[1], entries[3]}, themeOf(&bar))) + 40, bar.height());
        QCOMPARE(bar.namesInMenu(), (QStringList{"Vertex code", "Stack"}));
        // They are chosen there.
        QSignalSpy isolated(&bar, &LegendBar::isolatedChanged);
        bar.show();
        bar.setFocus(Qt::TabFocusReason);
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(&bar, Qt::Key_Right);
        QTest::keyClick(&bar, Qt::Key_Space);
        auto* menu = bar.findChild<QMenu*>();
        QVERIFY(menu != nullptr);
        QCOMPARE(menu->actions().size(), 2);
        menu->actions().back()->trigger();
        QCOMPARE(isolated.size(), 1);
        QCOMPARE(bar.isolated(), std::set<int>{2});
        menu->close();
    }
};

REGISTER_WIDGET_TEST("legend_bar", LegendBarTest)
#include "legend_bar_test.moc"
