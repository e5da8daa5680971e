#include "views/plan/planner_view.h"

#include "core/model/graph/model_builder.h"
#include "core/project/project_edit.h"
#include "tests/support/painted_texts.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/plan/planner_plans.h"
#include "views/profile/tables/table_panel.h"

#include <QApplication>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QtTest/QTest>
#include <qcustomplot.h>
#include <tuple>

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

    void theKeyOfTheFrontHidesNoneOfIt() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        Document document;
        document.open(core::Project{}, {});
        PlannerView view(document);
        view.resize(290, 700);
        view.show();
        view.search();
        // One in every corner, and of three numbers of IPUs.
        std::vector<PlannedProject> plans;
        for (const auto& [rate, mebibytes, ipus] : {std::tuple(1247.0, 747, 4),
                                                    {985.0, 575, 4},
                                                    {505.0, 830, 1},
                                                    {395.0, 655, 1},
                                                    {286.0, 545, 1},
                                                    {600.0, 810, 2}}) {
            PlannedProject plan;
            plan.project = document.snapshot();
            plan.samplesPerSecond = rate;
            plan.peak = core::Bytes(std::int64_t(mebibytes) << 20);
            plan.ipus = ipus;
            plans.push_back(plan);
        }
        view.addPlans(plans);
        QCoreApplication::processEvents();
        auto& plot = *view.findChild<QCustomPlot*>();
        plot.replot();
        QVERIFY(plot.legend->visible());
        const ParetoScene scene = plansScene(view.plans(), view.front(), std::nullopt, document.units());
        // As far from its border as a point can be told from another.
        const QRect key = plot.legend->outerRect().adjusted(9, 9, -9, -9);
        for (int x = key.left(); x < key.right(); x += 3)
            for (int y = key.top(); y < key.bottom(); y += 3)
                QVERIFY(!paretoPointAt(plot, scene, x, y));
    }

    void noFigureOfAPlanIsBeyondTheEdgeOfANarrowPanel() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        Document document;
        document.open(core::Project{}, {});
        PlannerView view(document);
        view.resize(272, 900);
        view.show();
        view.search();
        std::vector<PlannedProject> plans(2);
        for (std::size_t i = 0; i < plans.size(); ++i) {
            plans[i].project = document.snapshot();
            plans[i].stages = 4;
            plans[i].replicas = 2;
            plans[i].accumulation = 16;
            plans[i].batchSize = std::int64_t(i) + 1;
            plans[i].samplesPerSecond = 38911.3 - double(i);
            plans[i].peak = core::Bytes((97 - std::int64_t(i)) << 20);
            plans[i].ipus = 8;
            plans[i].recompute = true;
        }
        view.addPlans(plans);
        QCoreApplication::processEvents();
        const auto& panel = *view.findChild<TablePanel*>();
        QCOMPARE(panel.table().horizontalScrollBar()->maximum(), 0);
        const auto painted = [&] {
            // A number with a thin space is painted piece by piece.
            QString texts;
            for (const tests::PaintedText& text : tests::paintedTexts(*panel.table().viewport()))
                texts += text.text;
            return texts.replace(QChar(0x202F), u' ');
        };
        for (const QString part : {"4 × 2", "38 911.3", "38 910.3", "97.00", "96.00", "recompute"})
            QVERIFY2(painted().contains(part), qPrintable(part + ": " + painted()));
        QVERIFY(!panel.folded().isEmpty());
        QVERIFY(panel.folded().text(panel.content(), 0).contains("recompute"));
        // In a wide one they stand beside one another.
        view.resize(900, 900);
        QCoreApplication::processEvents();
        QVERIFY(panel.folded().isEmpty());
        for (int column = 0; column < int(panel.content().columns.size()); ++column)
            QVERIFY(!panel.table().isColumnHidden(column));
    }

    void whatIsSaidOfAPlanGoesWhenItIsTakenBack() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        Document document;
        document.open(core::Project{}, {});
        PlannerView view(document);
        view.show();
        const auto says = [&](const QString& text) {
            const auto labels = view.findChildren<QLabel*>();
            return std::ranges::any_of(labels,
                                       [&](const QLabel* label) { return label->text().startsWith(text); });
        };
        view.search();
        PlannedProject plan;
        core::Project planned;
        planned.replicas = 2;
        plan.project = std::make_shared<const core::Project>(planned);
        plan.stages = 1;
        plan.replicas = 2;
        view.addPlans({plan});
        PlannerOutcome outcome;
        outcome.isProven = true;
        view.finish(outcome);
        QVERIFY(says("Proven"));
        view.apply();
        QVERIFY(says("Applied"));
        document.undoStack().undo();
        QVERIFY(!says("Applied") && says("Proven"));
        document.undoStack().redo();
        QVERIFY(says("Applied"));
    }

    void locksThatWaitForStagesAreNamed() {
        applyTheme(*qApp, Theme(ThemeKind::Light));
        core::Project project;
        project.model =
            core::sequentialModel("m", {8}, {{"Dense", "a", {{"units", 8}}}, {"Dense", "b", {{"units", 8}}}});
        project.assignment.stages = {core::StageId(0), core::StageId(1)};
        project = core::withLocks(project, std::vector<std::string>{"a"}, true);
        Document document;
        PlannerView view(document);
        document.open(project, {});
        const auto says = [&](const QString& text) {
            const auto labels = view.findChildren<QLabel*>();
            return std::ranges::any_of(labels,
                                       [&](const QLabel* label) { return label->text().contains(text); });
        };
        QVERIFY(says("1 layer call on its stage"));
        QVERIFY(document.apply("One stage", [](const core::Project& split) -> core::Result<core::Project> {
            core::Project whole = split;
            whole.assignment = {};
            return whole;
        }));
        QVERIFY(says("1 layer, as soon as the model has stages"));
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
        QVERIFY(table.rows[0][0].text != table.rows[1][0].text);
        QVERIFY2(planDetails(plans[0]).startsWith("2 micro-batches of 4"), qPrintable(planDetails(plans[0])));
        QVERIFY2(planDetails(plans[1]).startsWith("1 micro-batch of 8"), qPrintable(planDetails(plans[1])));
    }
};

REGISTER_WIDGET_TEST("planner_view", PlannerViewTest)
#include "planner_view_test.moc"
