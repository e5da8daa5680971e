#include "app/services/plan/split_solver.h"

#include "app/window/frame/plan_figures.h"
#include "core/plan/assignment_entries.h"
#include "core/project/project_edit.h"
#include "tests/app/editor/person.h"
#include "tests/app/window_bench.h"
#include "tests/support/painted_texts.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "views/graph/graph_view.h"
#include "views/graph/painting/gauge_rows.h"
#include "views/graph/stage_strip.h"
#include "views/profile/tables/table_panel.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QScrollBar>
#include <QSpinBox>
#include <QTableView>
#include <limits>

using tests::Person;
using tests::WindowBench;

namespace {

/// Somebody before the panel that the button over the canvas opens.
struct Solving {
    explicit Solving(const char* project, QSize size = {1600, 1000})
        : person(*bench.window, size) {
        isOpen = bench.window->files().open(tests::projectRoot() / "projects" / project) &&
                 bench.waitForEstimate();
        person.command("Solve split");
        solver = bench.window->findChild<app::SplitSolver*>();
    }
    [[nodiscard]] bool waitForPlans(int milliseconds = 60000) const {
        return QTest::qWaitFor([this] { return !solver->isSolving() && !solver->plans().empty(); },
                               milliseconds);
    }
    [[nodiscard]] QTableView& table() const { return solver->findChild<views::TablePanel*>()->table(); }
    void clickRow(int row) {
        person.click(*table().viewport(), table().visualRect(table().model()->index(row, 0)).center());
    }
    [[nodiscard]] views::Document& document() const { return bench.window->document(); }
    [[nodiscard]] std::size_t drawnStages() const {
        return bench.window->graph().canvas().model().stageCount;
    }

    WindowBench bench;
    Person person;
    bool isOpen = false;
    app::SplitSolver* solver = nullptr;
};

} // namespace

/// "Solve split" beside the canvas.
class SplitSolverTest : public QObject {
    Q_OBJECT

private slots:
    void aSplitIsSeenOnTheCanvasBeforeItIsApplied() {
        Solving solving("tutorial/4-pipelined-sequential.ipuproj");
        QVERIFY(solving.isOpen && solving.solver != nullptr && solving.solver->isVisible());
        // Nothing holds the window, and nothing lies over the drawing.
        QVERIFY(QApplication::activeModalWidget() == nullptr);
        const auto& canvas = solving.person.canvas();
        QVERIFY(canvas.isVisible());
        QVERIFY(!QRect(canvas.mapToGlobal(QPoint()), canvas.size())
                     .intersects(QRect(solving.solver->mapToGlobal(QPoint()), solving.solver->size())));
        views::Document& document = solving.document();
        const core::Project before = document.project();
        const std::size_t stages = before.assignment.stageCount();
        // Another number of stages, typed.
        solving.person.press("Ctrl+A");
        solving.person.type("3");
        solving.person.press("Return");
        QVERIFY(solving.waitForPlans());
        QVERIFY(document.isPlanPreview());
        QCOMPARE(solving.drawnStages(), std::size_t(3));
        QVERIFY(document.project() == before && document.undoStack().count() == 0);
        // The gauges are of the plan that is looked at.
        QTRY_VERIFY_WITH_TIMEOUT(document.previewEstimate().has_value(), 20000);
        QCOMPARE(document.previewEstimate()->step.value(),
                 solving.solver->plans().front().estimate->step.value());
        // It says that it is one, and covers nothing.
        const auto says = [&](const QString& text) {
            const auto labels = solving.bench.window->graph().findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) {
                return label->isVisible() && label->text().contains(text);
            });
        };
        QVERIFY(says("Preview of a plan"));
        solving.person.keep("split-preview");
        // Escape leaves it, a click on its row shows it again, and what there is now shows the project.
        solving.person.press("Escape");
        QVERIFY(!document.isPlanPreview());
        QVERIFY(!says("Preview of a plan"));
        QCOMPARE(solving.drawnStages(), stages);
        solving.clickRow(0);
        QVERIFY(document.isPlanPreview());
        solving.clickRow(int(solving.solver->plans().size()));
        QVERIFY(!document.isPlanPreview());
        QVERIFY(!solving.person.button("Apply plan")->isEnabled());
        solving.clickRow(0);
        solving.person.click(*solving.person.button("Leave preview"));
        QVERIFY(!document.isPlanPreview());
        QVERIFY(document.project() == before && document.undoStack().count() == 0);
        // Applied, it is one step.
        solving.clickRow(0);
        solving.person.click(*solving.person.button("Apply plan"));
        QVERIFY(!document.isPlanPreview());
        QCOMPARE(document.undoStack().count(), 1);
        QCOMPARE(document.project().assignment.stageCount(), std::size_t(3));
        document.undoStack().undo();
        QVERIFY(document.project() == before);
    }

    void anEditMakesTheSplitsOldAndAnotherPageLeavesThePreview() {
        Solving solving("tutorial/4-pipelined-sequential.ipuproj");
        QVERIFY(solving.waitForPlans());
        solving.clickRow(1);
        const bool isOther = solving.document().isPlanPreview();
        solving.bench.window->workspaces().showPanel(views::PanelId::Inspector);
        QVERIFY(isOther && !solving.document().isPlanPreview());
        solving.bench.window->workspaces().showPanel(views::PanelId::Solver);
        solving.document().apply("Rename",
                                 [](const core::Project& project) { return core::withName(project, "new"); });
        QVERIFY(!solving.person.button("Apply plan")->isEnabled());
        solving.clickRow(1);
        QVERIFY(!solving.document().isPlanPreview());
    }

    void aLockedLayerStaysOnItsStage() {
        Solving solving("tutorial/4-pipelined-sequential.ipuproj");
        QVERIFY(solving.waitForPlans());
        views::Document& document = solving.document();
        const auto entries = core::flattened(core::assignmentEntries(document.project().model));
        // The layer before the last, on the first stage of all plans but this one.
        const auto first = std::ranges::find_if(entries, [&](const core::AssignmentEntry& entry) {
            return entry.index + 1 == document.project().assignment.stages.size() / 2;
        });
        QVERIFY(first != entries.end());
        const core::StageId stage = document.project().assignment.stages[first->index];
        QVERIFY(document.apply("Lock", [&](const core::Project& project) -> core::Result<core::Project> {
            return core::withLocks(project, std::vector<std::string>{first->path}, true);
        }));
        solving.person.click(*solving.person.button("Solve"));
        QVERIFY(solving.waitForPlans());
        for (const app::SolvedPlan& plan : solving.solver->plans())
            QVERIFY(plan.project->assignment.stages[first->index] == stage);
    }

    void inASmallWindowNothingOfASplitIsOutOfViewOrUnnamed() {
        Solving solving("encoder/encoder.ipuproj", {1280, 800});
        QVERIFY(solving.isOpen && solving.waitForPlans());
        QTRY_VERIFY_WITH_TIMEOUT(solving.document().previewEstimate().has_value(), 20000);
        QTest::qWait(200);
        solving.person.keep("split-small-light");
        const auto& panel = *solving.solver->findChild<views::TablePanel*>();
        QCOMPARE(panel.table().horizontalScrollBar()->maximum(), 0);
        // A number with a thin space is painted piece by piece.
        QString painted;
        for (const tests::PaintedText& text : tests::paintedTexts(*panel.table().viewport()))
            painted += text.text;
        const views::TableContent& content = panel.content();
        QVERIFY(content.rows.size() >= 3);
        for (std::size_t column = 0; column < content.columns.size(); ++column)
            QVERIFY2(painted.contains(content.rows[0][column].text),
                     qPrintable(content.columns[column].title + ": " + painted));
        QVERIFY(painted.contains("Layers per stage"));
        // The gauges of the preview have more to say, and say of what.
        QStringList said;
        auto& gauges = *solving.bench.window->findChild<views::GaugeStrip*>();
        for (const tests::PaintedText& text : tests::paintedTexts(gauges))
            said << text.text;
        QCOMPARE(said.count("Memory"), 4);
        QCOMPARE(said.count("Idle"), 4);
        QCOMPARE(said.count("Cut out"), 4);
        // So do the numbers of the toolbar, and "preview" is said beside the figures.
        for (const QString name : {"Micro-batches", "Replicas"}) {
            const QList<QLabel*> labels = solving.bench.window->findChildren<QLabel*>();
            QVERIFY2(
                std::ranges::any_of(
                    labels, [&](const QLabel* label) { return label->isVisible() && label->text() == name; }),
                qPrintable(name));
        }
        const auto& figures = *solving.bench.window->findChild<app::PlanFigures*>();
        QStringList top;
        for (const tests::PaintedText& text : tests::paintedTexts(const_cast<app::PlanFigures&>(figures)))
            top << text.text;
        QVERIFY2(top.contains("preview") && top.contains("Throughput"), qPrintable(top.join(" | ")));
    }

    void itIsSeenWhole() {
        if (qEnvironmentVariable("IPU_WORKBENCH_PICTURES").isEmpty())
            QSKIP("no folder for pictures");
        for (const QSize size : {QSize(1280, 800), QSize(2560, 1440)})
            for (const char* theme : {"light", "dark"}) {
                Solving solving("resnet50/resnet50.ipuproj", size);
                solving.bench.window->appearance().choose(theme);
                QVERIFY(solving.waitForPlans());
                solving.solver->findChild<QSpinBox*>()->setValue(4);
                QVERIFY(solving.waitForPlans());
                QTRY_VERIFY_WITH_TIMEOUT(solving.document().previewEstimate().has_value(), 20000);
                QTest::qWait(400);
                solving.person.keep(QStringLiteral("split-%1-%2").arg(theme).arg(size.width()));
            }
    }

    void solvedPlansOfAnUndividedModelRunAndSayWhatTheyWillDo() {
        WindowBench bench;
        core::Json arguments = core::Json::object();
        for (const auto& [key, value] : {std::pair("layers", "2"),
                                         {"hidden", "32"},
                                         {"heads", "2"},
                                         {"sequence", "16"},
                                         {"vocabulary", "64"},
                                         {"positions", "16"}})
            arguments[key] = value;
        // The first and the last layer share their weights.
        const core::Project tied = core::newProject("bert", arguments, "tied").value();
        QVERIFY(!tied.assignment.isPipelined());
        const std::filesystem::path file = bench.writeProject("tied.ipuproj");
        QVERIFY(core::saveProject(tied, file, core::Overwrite::Replace).has_value());
        QVERIFY(bench.window->files().open(file));
        QVERIFY(bench.waitForEstimate());
        app::SplitSolver dialog(bench.window->document(), bench.window->selection());
        dialog.solve();
        QVERIFY(QTest::qWaitFor([&] { return !dialog.plans().empty(); }, 20000));
        double least = std::numeric_limits<double>::infinity();
        for (const app::SolvedPlan& plan : dialog.plans()) {
            QVERIFY(plan.estimate.has_value());
            // The fastest comes first.
            QVERIFY(plan.estimate->samplesPerSecond <= least);
            least = plan.estimate->samplesPerSecond;
        }
        const core::Cycles promised = dialog.plans().front().estimate->step;
        dialog.applyPlan();
        QVERIFY(bench.waitForEstimate());
        const core::Project& split = bench.window->document().project();
        QVERIFY(split.pipeline.gradientAccumulationSteps.has_value());
        QVERIFY(!split.deviceMapping.ipus.empty());
        for (const core::Diagnostic& finding : bench.window->document().analysis().diagnostics)
            QVERIFY2(finding.severity != core::Severity::Error, finding.message.c_str());
        QCOMPARE(bench.window->document().estimate()->step.value(), promised.value());
    }

    void whatThereIsNowStandsBesideThePlansAndIsNotApplied() {
        WindowBench bench;
        QVERIFY(bench.window->files().open(bench.writeProject()));
        QVERIFY(bench.waitForEstimate());
        app::SplitSolver dialog(bench.window->document(), bench.window->selection());
        dialog.solve();
        QVERIFY(QTest::qWaitFor([&] { return !dialog.plans().empty(); }, 10000));
        auto* table = dialog.findChild<views::TablePanel*>();
        QCOMPARE(table->content().rows.size(), dialog.plans().size() + 1);
        QCOMPARE(table->content().rows.back().front().text, QStringLiteral("now"));
        const views::ProjectSnapshot before = bench.window->document().snapshot();
        table->setCurrentRow(int(dialog.plans().size()));
        dialog.applyPlan();
        QVERIFY(bench.window->document().snapshot() == before);
    }

    void theSolverSaysWhatBecomesOfTheIpusThatWereChosen() {
        WindowBench bench;
        QVERIFY(bench.window->files().open(bench.writeProject()));
        QVERIFY(bench.window->document().apply(
            "map", [](const core::Project& project) -> core::Result<core::Project> {
                core::Project next = project;
                next.deviceMapping.ipus = {core::IpuId(1), core::IpuId(0)};
                return next;
            }));
        app::SplitSolver dialog(bench.window->document(), bench.window->selection());
        dialog.solve();
        dialog.setVisible(true);
        const auto said = [&] {
            QString text;
            for (const QLabel* label : dialog.findChildren<QLabel*>())
                if (label->isVisible() && label->text().contains("IPUs"))
                    text += label->text();
            return text;
        };
        QVERIFY2(said().contains("1, 0"), qPrintable(said()));
        dialog.findChild<QSpinBox*>()->setValue(3);
        QVERIFY2(said().contains("given up"), qPrintable(said()));
        QVERIFY(QTest::qWaitFor([&] { return !dialog.plans().empty(); }, 10000));
        bench.window->document().undoStack().undo();
        app::SplitSolver plain(bench.window->document(), bench.window->selection());
        plain.solve();
        plain.setVisible(true);
        for (const QLabel* label : plain.findChildren<QLabel*>())
            QVERIFY2(!label->isVisible() || !label->text().contains("chosen"), qPrintable(label->text()));
    }

    void solvesASplitAndAppliesIt() {
        WindowBench bench;
        QVERIFY(bench.window->files().open(bench.writeProject()));
        app::SplitSolver dialog(bench.window->document(), bench.window->selection());
        dialog.solve();
        QVERIFY(QTest::qWaitFor([&] { return !dialog.plans().empty(); }, 10000));
        QVERIFY(dialog.plans().front().estimate.has_value());
        const core::PlanEstimate promised = *dialog.plans().front().estimate;
        dialog.applyPlan();
        QCOMPARE(bench.window->document().project().assignment.stageCount(), std::size_t(2));
        // The gauges say what the dialog said.
        QVERIFY(bench.waitForEstimate());
        const core::PlanEstimate& shown = *bench.window->document().estimate();
        QCOMPARE(shown.step.value(), promised.step.value());
        for (std::size_t i = 0; i < promised.stages.size(); ++i) {
            QCOMPARE(views::stageTime(shown.stages[i]).value(), views::stageTime(promised.stages[i]).value());
            QCOMPARE(shown.ipus[i].peak.value(), promised.ipus[i].peak.value());
        }
    }
};

REGISTER_WIDGET_TEST("split_solver", SplitSolverTest)
#include "split_solver_test.moc"
