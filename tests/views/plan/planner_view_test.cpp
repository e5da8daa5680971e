#include "views/plan/planner_view.h"

#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/plan/planner_plans.h"

#include <QApplication>
#include <QScrollArea>
#include <QtTest/QTest>

using namespace views;

class PlannerViewTest : public QObject {
    Q_OBJECT

private slots:
    void theQuestionIsWholeInThePanelOfASmallWindow() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        Document document;
        document.open(core::Project{}, {});
        PlannerView view(document);
        view.resize(272, 600);
        view.show();
        QCoreApplication::processEvents();
        const auto* area = view.findChild<QScrollArea*>();
        QVERIFY(area != nullptr);
        QVERIFY2(area->widget()->width() <= area->viewport()->width(),
                 qPrintable(QString::number(area->widget()->width())));
    }

    void plansOfOneShapeHaveNamesOfTheirOwn() {
        std::vector<PlannedProject> plans(2);
        plans[0].stages = plans[1].stages = 1;
        plans[0].replicas = plans[1].replicas = 1;
        plans[0].batchSize = 4;
        plans[0].accumulation = 2;
        plans[1].batchSize = 8;
        plans[1].accumulation = 1;
        const TableContent table = plansTable(plans, {0, 1}, {});
        QVERIFY(table.rows[0][3].text != table.rows[1][3].text);
        QVERIFY2(planDetails(plans[0]).startsWith("2 micro-batches of 4"), qPrintable(planDetails(plans[0])));
        QVERIFY2(planDetails(plans[1]).startsWith("1 micro-batch of 8"), qPrintable(planDetails(plans[1])));
    }
};

REGISTER_WIDGET_TEST("planner_view", PlannerViewTest)
#include "planner_view_test.moc"
