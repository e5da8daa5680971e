#include "app/services/plan/plan_searcher.h"

#include "core/plan/assignment_entries.h"
#include "core/profile/queries/run_queries.h"
#include "core/project/project_edit.h"
#include "tests/app/window_bench.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"
#include "views/graph/graph_view.h"
#include "views/plan/planner_view.h"
#include "views/profile/tables/table_panel.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>

using tests::WindowBench;

namespace {

/// The page with its project, as a person opens it.
struct Planning {
    explicit Planning(const std::filesystem::path& file = {}) {
        bench.window->show();
        isOpen = bench.window->files().open(file.empty() ? bench.writeProject() : file);
        isOpen = isOpen && bench.waitForEstimate();
        bench.window->actions().action("pipeline.plan")->trigger();
        QCoreApplication::processEvents();
        view = bench.window->findChild<views::PlannerView*>();
    }

    [[nodiscard]] QPushButton* button(const QString& text) const {
        for (QPushButton* button : view->findChildren<QPushButton*>())
            if (button->text() == text)
                return button;
        return nullptr;
    }
    void click(const QString& text) const { QTest::mouseClick(button(text), Qt::LeftButton); }
    [[nodiscard]] bool says(const QString& words) const {
        const auto labels = view->findChildren<QLabel*>();
        return std::ranges::any_of(labels,
                                   [&](const QLabel* label) { return label->text().contains(words); });
    }
    [[nodiscard]] views::TablePanel& table(const QString& name) const {
        for (views::TablePanel* panel : view->findChildren<views::TablePanel*>())
            if (panel->table().accessibleName() == name)
                return *panel;
        qFatal("no such table");
    }
    void setIpus(const QString& ipus) const {
        auto* field = qobject_cast<QSpinBox*>(view->focusProxy());
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, ipus);
        QTest::keyClick(field, Qt::Key_Return);
    }
    [[nodiscard]] bool searchToTheEnd(int milliseconds = 60000) const {
        click(QStringLiteral("Search"));
        return view->isSearching() && QTest::qWaitFor([this] { return !view->isSearching(); }, milliseconds);
    }
    void clickRow(const views::TablePanel& panel, int row) const {
        const QTableView& rows = panel.table();
        QTest::mouseClick(rows.viewport(), Qt::LeftButton, {},
                          rows.visualRect(rows.model()->index(row, 0)).center());
    }

    WindowBench bench;
    bool isOpen = false;
    views::PlannerView* view = nullptr;
};

} // namespace

/// "Plan for me" by mouse and keys.
class PlanSearcherTest : public QObject {
    Q_OBJECT

private slots:
    void theFrontIsThatOfTheVerb() {
        const tests::Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const tests::Answer answer =
            workbench.run({"plan", "p.ipuproj", "--ipus", "4", "--search", "--json"});
        QVERIFY2(answer.code == 0, answer.err);
        const core::Json said = answer.json();
        const Planning planning(workbench.path("p.ipuproj"));
        QVERIFY(planning.isOpen);
        planning.setIpus("4");
        QVERIFY(planning.searchToTheEnd());
        const views::PlannerView& view = *planning.view;
        QCOMPARE(view.front().size(), said["front"].size());
        for (std::size_t i = 0; i < view.front().size(); ++i) {
            const views::PlannedProject& plan = view.plans()[view.front()[i]];
            const core::Json& row = said["front"][i];
            QCOMPARE(plan.samplesPerSecond, row["samples_per_second"].get<double>());
            QCOMPARE(plan.step.value(), row["step_cycles"].get<std::int64_t>());
            QCOMPARE(plan.peak.value(), row["peak_bytes"].get<std::int64_t>());
            QCOMPARE(plan.ipus, row["ipus"].get<std::int64_t>());
            QCOMPARE(plan.replicas, row["replicas"].get<std::int64_t>());
            QCOMPARE(plan.batchSize, row["batch_size"].get<std::int64_t>());
        }
        QCOMPARE(planning.says("Proven"), said["proven_optimal"].get<bool>());
    }

    void aPlanIsLookedAtThenAppliedAsOneStepAndRunsAsPromised() {
        const Planning planning;
        QVERIFY(planning.isOpen && planning.view->isVisible());
        views::Document& document = planning.bench.window->document();
        const core::Project before = document.project();
        planning.setIpus("4");
        QVERIFY(planning.searchToTheEnd());
        QVERIFY(planning.says("Proven") || planning.says("more is possible"));
        // The best is looked at: the canvas and the table of stages show it, and nothing is changed.
        QVERIFY(document.isPlanPreview());
        QTRY_VERIFY(document.previewEstimate().has_value());
        const views::PlannedProject best = planning.view->plans()[planning.view->front().front()];
        QCOMPARE(document.previewEstimate()->step.value(), best.step.value());
        QCOMPARE(planning.table("Stages of the plan").content().rows.size(), best.stages);
        QCOMPARE(planning.bench.window->graph().canvas().model().stageCount,
                 best.stages > 1 ? best.stages : std::size_t(0));
        QVERIFY(document.project() == before && document.undoStack().count() == 0);
        // Another one by the mouse, then away with Escape.
        const int last = int(planning.view->front().size()) - 1;
        planning.clickRow(planning.table("Plans of the front"), last);
        QCOMPARE(planning.view->chosen(), std::optional(planning.view->front().back()));
        QTest::keyClick(planning.view, Qt::Key_Escape);
        QVERIFY(!document.isPlanPreview());
        QCOMPARE(planning.bench.window->graph().canvas().model().stageCount, std::size_t(2));
        planning.clickRow(planning.table("Plans of the front"), 0);
        QVERIFY(document.isPlanPreview());
        planning.click("Apply plan");
        QVERIFY(!document.isPlanPreview());
        QCOMPARE(document.undoStack().count(), 1);
        QVERIFY(document.project() == *best.project);
        QVERIFY(planning.bench.waitForEstimate());
        QCOMPARE(document.estimate()->step.value(), best.step.value());
        QCOMPARE(document.estimate()->samplesPerSecond, best.samplesPerSecond);
        QVERIFY(planning.bench.run());
        const auto runs = core::ProfileDatabase::open(planning.bench.window->files().database(),
                                                      {core::DatabaseAccess::ReadOnly});
        QVERIFY(runs.has_value());
        QCOMPARE(core::listRuns(*runs)->front().step->value(), best.step.value());
        planning.bench.window->actions().action("edit.undo")->trigger();
        QVERIFY(document.project() == before);
        // The plans are of this project, so they may be looked at again.
        planning.clickRow(planning.table("Plans of the front"), 0);
        QVERIFY(document.isPlanPreview());
    }

    void theFrontGrowsWhileTheSearchGoesOnAndStopAnswersAtOnce() {
        const Planning planning(tests::projectRoot() / "projects/resnet50/resnet50.ipuproj");
        QVERIFY(planning.isOpen);
        planning.setIpus("16");
        planning.click("Search");
        QVERIFY(QTest::qWaitFor([&] { return planning.view->plans().size() > 2; }, 60000));
        QVERIFY(planning.view->isSearching());
        QVERIFY(!planning.view->front().empty());
        planning.click("Stop");
        QVERIFY(!planning.view->isSearching() && planning.button("Search")->isEnabled());
        const std::size_t found = planning.view->plans().size();
        QTest::qWait(200);
        QCOMPARE(planning.view->plans().size(), found);
        // What was found may be applied.
        planning.clickRow(planning.table("Plans of the front"), 0);
        planning.click("Apply plan");
        QCOMPARE(planning.bench.window->document().undoStack().count(), 1);
    }

    void whatMayNotChangeStaysAndALockedLayerToo() {
        const Planning planning;
        planning.setIpus("4");
        for (QCheckBox* box : planning.view->findChildren<QCheckBox*>())
            if (box->text() == "Schedule" || box->text() == "Recomputation")
                QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
        views::Document& document = planning.bench.window->document();
        const auto& entries = core::flattened(core::assignmentEntries(document.project().model));
        const std::string last = entries.back().path;
        QVERIFY(document.apply("Lock", [&](const core::Project& project) -> core::Result<core::Project> {
            return core::withLocks(project, std::vector<std::string>{last}, true);
        }));
        QVERIFY(planning.says("1 layer call on its stage"));
        QVERIFY(planning.searchToTheEnd());
        QVERIFY(!planning.view->plans().empty());
        for (const views::PlannedProject& plan : planning.view->plans()) {
            QCOMPARE(plan.schedule, document.project().pipeline.schedule);
            QVERIFY(!plan.recompute);
            QCOMPARE(plan.stages, std::size_t(2));
        }
    }

    void anEditMakesThePlansOld() {
        const Planning planning;
        QVERIFY(planning.searchToTheEnd());
        QVERIFY(planning.view->chosen().has_value());
        views::Document& document = planning.bench.window->document();
        document.apply("Rename", [](const core::Project& project) { return core::withName(project, "new"); });
        QVERIFY(planning.says("has changed"));
        QVERIFY(!planning.button("Apply plan")->isEnabled());
        QVERIFY(!document.isPlanPreview());
    }

    void itIsSeenWhole() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("no folder for pictures");
        for (const char* project : {"tutorial/4-pipelined-sequential.ipuproj", "resnet50/resnet50.ipuproj"}) {
            const Planning planning(tests::projectRoot() / "projects" / project);
            planning.setIpus("4");
            planning.click("Search");
            QTest::qWait(12000);
            if (planning.view->isSearching())
                planning.click("Stop");
            planning.clickRow(planning.table("Plans of the front"), 0);
            QTRY_VERIFY_WITH_TIMEOUT(planning.bench.window->document().previewEstimate().has_value(), 20000);
            planning.bench.window->actions().action("pipeline.system")->trigger();
            for (const char* theme : {"light", "dark"})
                for (const QSize size : {QSize(1280, 800), QSize(2560, 1440)}) {
                    planning.bench.window->appearance().choose(theme);
                    planning.bench.window->resize(size);
                    QTest::qWait(100);
                    planning.bench.window->grab().save(QStringLiteral("%1/plan-%2-%3-%4.png")
                                                           .arg(folder, QString(project).left(4), theme)
                                                           .arg(size.width()));
                }
        }
    }
};

REGISTER_WIDGET_TEST("plan_searcher", PlanSearcherTest)
#include "plan_searcher_test.moc"
