#include "views/profile/pareto/pareto_hover.h"

#include "tests/support/test_registry.h"
#include "views/common/theme/theme.h"

#include <QHelpEvent>
#include <QToolTip>
#include <QtTest/QTest>
#include <qcustomplot.h>
#include <set>

class ParetoHoverTest : public QObject {
    Q_OBJECT

private slots:
    void aPointSaysWhatItIsAndNothingElseDoes() {
        views::ParetoScene scene;
        scene.points = {{4, 1276, core::Bytes(std::int64_t{661} << 20U), 16, "Grouped", true},
                        {9, 50, core::Bytes(std::int64_t{2} << 30U), 1, "", false}};
        QCustomPlot plot;
        plot.resize(600, 400);
        views::fillParetoPlot(plot, scene, views::Theme());
        plot.show();
        QVERIFY(QTest::qWaitForWindowExposed(&plot));
        plot.replot();
        const views::ParetoHover hover(
            plot, [&] { return scene; }, [](std::int64_t id) { return QStringLiteral("Run #%1").arg(id); });
        std::set<QString> told;
        QPoint at;
        int silent = 0;
        for (int x = 0; x < plot.width(); x += 3) {
            for (int y = 0; y < plot.height(); y += 3) {
                const QString text = hover.textAt(QPointF(x, y));
                silent += text.isEmpty() ? 1 : 0;
                if (!text.isEmpty())
                    told.insert(text);
                if (text.startsWith("Run #4"))
                    at = {x, y};
            }
        }
        QCOMPARE(told.size(), std::size_t{2});
        QVERIFY(silent > 10'000);
        const QString first = *told.begin();
        QVERIFY2(first.contains("samples/s, 661") && first.contains("16 IPUs, Grouped") &&
                     !first.contains("fit"),
                 qPrintable(first));
        QVERIFY2(told.rbegin()->endsWith("1 IPU; does not fit"), qPrintable(*told.rbegin()));
        // What a pointer that rests there asks for.
        QHelpEvent asked(QEvent::ToolTip, at, plot.mapToGlobal(at));
        QCoreApplication::sendEvent(&plot, &asked);
        QVERIFY2(QToolTip::text().startsWith("Run #4"), qPrintable(QToolTip::text()));
    }
};

REGISTER_WIDGET_TEST("pareto_hover", ParetoHoverTest)
#include "pareto_hover_test.moc"
