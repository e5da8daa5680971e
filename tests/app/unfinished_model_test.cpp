#include "app/window/frame/dock_panel.h"
#include "app/window/frame/status_line.h"
#include "app/window/start/example_list.h"
#include "core/project/project_edit.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/notice_bar.h"
#include "views/common/widgets/search_popup.h"
#include "views/common/widgets/tooltip_card.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/graph/graph_view.h"
#include "views/graph/stage_strip.h"
#include "views/inspector/form/property_form.h"
#include "views/inspector/inspector_view.h"
#include "views/profile/verdict_strip.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>

using tests::WindowBench;

namespace {

/// A window with a small pipelined project.
struct EditingBench : WindowBench {
    explicit EditingBench(QSize size = {1280, 800}) {
        window->resize(size);
        window->show();
        window->activateWindow();
        const bool isActive = QTest::qWaitForWindowActive(window.get());
        Q_ASSERT(isActive);
        Q_UNUSED(isActive)
        const bool isOpened = window->files().open(writeProject());
        Q_ASSERT(isOpened);
        Q_UNUSED(isOpened)
        const bool isEstimated = waitForEstimate();
        Q_ASSERT(isEstimated);
        Q_UNUSED(isEstimated)
        QApplication::processEvents();
    }

    views::CanvasView& canvas() { return window->graph().canvas(); }
    views::Document& document() { return window->document(); }
    QPointF placeOf(const std::string& layer) {
        const int node = canvas().model().find({layer, 0});
        return canvas().viewport().toView(canvas().geometry().placeOf[std::size_t(node)].center() -
                                          QPointF(20, 0));
    }
    void click(const std::string& layer) {
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, placeOf(layer).toPoint());
    }
    /// A layer that nothing feeds.
    void addLoose(const char* className) {
        window->selection().clear();
        window->graph().commands().addLayer(QString::fromLatin1(className), std::nullopt);
    }
    void keep(const QString& name) const {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            return;
        QApplication::processEvents();
        window->grab().save(folder + "/" + name + ".png");
    }
    QString problems() const {
        QString all;
        for (const auto* table : window->findChild<views::DiagnosticsView*>()->findChildren<QTableView*>()) {
            for (int row = 0; table->model() != nullptr && row < table->model()->rowCount(); ++row)
                all += table->model()->index(row, 1).data().toString() + "\n" +
                       table->model()->index(row, 0).data().toString() + "\n";
        }
        return all;
    }
};

} // namespace

class UnfinishedModelTest : public QObject {
    Q_OBJECT

private slots:
    void init() { views::applyTheme(*qApp, views::Theme(views::ThemeKind::Light)); }

    void aLooseLayerCostsNoFigureOfTheOthers() {
        EditingBench bench;
        const core::PlanEstimate before = *bench.document().estimate();
        bench.addLoose("Dense");
        QVERIFY(bench.waitForEstimate());
        const core::PlanEstimate& after = *bench.document().estimate();
        QVERIFY2(after.refusal.empty(), after.refusal.c_str());
        QCOMPARE(after.step.value(), before.step.value());
        QCOMPARE(after.uncounted.size(), std::size_t{1});
        for (const views::CanvasNode& node : bench.canvas().model().nodes)
            QCOMPARE(node.outputShapes.empty(), node.key.path == after.uncounted.front());
        QCOMPARE(bench.window->graph().scene().figures().uncounted, std::size_t{1});
        bench.keep("unfinished-loose-1280-light");
        views::applyTheme(*qApp, views::Theme(views::ThemeKind::Dark));
        bench.keep("unfinished-loose-1280-dark");
    }

    void whatFollowsACutKeepsItsLastFiguresMarkedOld() {
        EditingBench bench;
        const auto& model = bench.document().project().model;
        const std::string last = model.layers[model.layers.size() - 1].name;
        const int node = bench.canvas().model().find({last, 0});
        const std::vector<int> edges = bench.canvas().model().incoming[std::size_t(node)];
        bench.window->graph().commands().disconnect(bench.canvas().model(), edges);
        QVERIFY(bench.waitForEstimate());
        const core::PlanEstimate& estimate = *bench.document().estimate();
        QVERIFY(!estimate.stages.empty());
        bool isOld = !estimate.refusal.empty();
        for (const core::InvocationEstimate& one : estimate.invocations)
            isOld = isOld || (one.layer == last && one.isOld && one.forward.value() > 0);
        QVERIFY(isOld);
        bench.keep("unfinished-cut-1280-light");
        bench.window->actions().action("edit.undo")->trigger();
        QVERIFY(bench.waitForEstimate());
        QVERIFY(bench.document().areFiguresCurrent());
        QVERIFY(bench.document().estimate()->uncounted.empty());
    }

    void aMissingDatasetCostsNoFigureAndIsNamed() {
        EditingBench bench;
        const core::Cycles step = bench.document().estimate()->step;
        bench.document().apply("data", [](const core::Project& project) -> core::Result<core::Project> {
            core::TrainingOptions training = project.training;
            training.dataset = core::DatasetSpec{"npz", {{"file", "digits-that-are-not-there.npz"}}};
            return core::withTraining(project, training);
        });
        QVERIFY(bench.waitForEstimate());
        QVERIFY2(bench.document().areFiguresCurrent(), bench.document().estimate()->refusal.c_str());
        QCOMPARE(bench.document().estimate()->step.value(), step.value());
        bool isNamed = false;
        for (const core::Diagnostic& finding : bench.document().analysis().diagnostics)
            isNamed = isNamed || (finding.location.place == "/training/dataset" &&
                                  finding.message.find("digits-that-are-not-there.npz") != std::string::npos);
        QVERIFY(isNamed);
    }

    void aMissingDatasetIsNamedAfterARunAndFoundByAButton() {
        EditingBench bench;
        bench.document().apply("data", [](const core::Project& project) -> core::Result<core::Project> {
            core::TrainingOptions training = project.training;
            training.dataset = core::DatasetSpec{"npz", {{"file", "digits-that-are-not-there.npz"}}};
            return core::withTraining(project, training);
        });
        QVERIFY(bench.run());
        auto* notice = bench.window->findChild<views::NoticeBar*>();
        QVERIFY(notice != nullptr && notice->isVisible());
        QString said;
        for (const QLabel* label : notice->findChildren<QLabel*>())
            said += label->text();
        QVERIFY2(said.contains("digits-that-are-not-there.npz"), qPrintable(said));
        QPushButton* find = nullptr;
        for (QPushButton* button : notice->findChildren<QPushButton*>())
            find = button->text().startsWith("Find") ? button : find;
        QVERIFY(find != nullptr);
        bench.dialogs->file = "/somewhere/digits.npz";
        find->click();
        QCOMPARE(bench.document().project().training.dataset->parameters["file"],
                 core::Json("/somewhere/digits.npz"));
    }

    void theMistakeIsSaidWhileItIsTyped() {
        EditingBench bench;
        bench.click("logits");
        auto* row = bench.window->findChild<views::InspectorView*>()->form().row("units");
        QVERIFY(row != nullptr);
        auto* field = qobject_cast<QLineEdit*>(row->editor());
        QVERIFY(field != nullptr);
        const int steps = bench.document().undoStack().count();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, "-5");
        QTRY_VERIFY(field->property("invalid").toBool());
        QCOMPARE(bench.document().undoStack().count(), steps);
        // What is right is seen in the drawing before Enter, and is one step with it.
        field->selectAll();
        QTest::keyClicks(field, "64");
        QTRY_COMPARE(bench.document().undoStack().count(), steps + 1);
        QVERIFY(!field->property("invalid").toBool());
        QTest::keyClicks(field, "0");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(bench.document().undoStack().count(), steps + 1);
        const auto& model = bench.document().project().model;
        QCOMPARE(model.layer(*model.findLayer("logits")).config["units"], core::Json(640));
    }

    void aCycleIsRefusedWithItsReason() {
        EditingBench bench;
        const std::string first = bench.canvas().model().nodes[1].key.path;
        const auto objection =
            bench.window->graph().commands().objectionTo({{"logits", 0}, 0}, {first, 0}, 0);
        QVERIFY(objection.has_value());
        QVERIFY(objection->isRefused);
        QVERIFY2(objection->why.contains("cycle"), qPrintable(objection->why));
        // By mouse: the line is pulled from the port of the last box onto an earlier one.
        bench.window->graph().scene().setLayoutKind(views::CanvasLayoutKind::Free);
        bench.window->graph().scene().camera().fitAll();
        QApplication::processEvents();
        const auto& geometry = bench.canvas().geometry();
        const int from = geometry.boxOf[std::size_t(bench.canvas().model().find({"logits", 0}))];
        const QPoint start =
            bench.canvas().viewport().toView(geometry.boxes[std::size_t(from)].outPorts.front()).toPoint();
        const QPoint end = bench.placeOf(first).toPoint();
        const auto snapshot = bench.document().snapshot();
        QSignalSpy refused(&bench.document(), &views::Document::refused);
        QTest::mousePress(&bench.canvas(), Qt::LeftButton, {}, start);
        for (int i = 1; i <= 4; ++i)
            QTest::mouseMove(&bench.canvas(), start + (end - start) * i / 4);
        bench.keep("refused-cycle-1280-light");
        QTest::mouseRelease(&bench.canvas(), Qt::LeftButton, {}, end);
        QCOMPARE(bench.document().snapshot(), snapshot);
        QCOMPARE(refused.count(), 1);
    }

    void aShapeThatDoesNotFitIsSaidBeforeTheMouseIsReleased() {
        EditingBench bench;
        bench.addLoose("Conv2D");
        const auto objection =
            bench.window->graph().commands().objectionTo({{"hidden1", 0}, 0}, {"conv2d", 0}, 0);
        QVERIFY(objection.has_value());
        QVERIFY(!objection->isRefused);
        QVERIFY2(objection->why.contains("conv2d"), qPrintable(objection->why));
        QVERIFY(!bench.window->graph().commands().objectionTo({{"input", 0}, 0}, {"logits", 0}, 0));
    }

    void theNoticeOfAFailedRunGoesWithItsCause() {
        EditingBench bench;
        bench.addLoose("Dense");
        QVERIFY(bench.waitForEstimate());
        QVERIFY(bench.run());
        auto* notice = bench.window->findChild<views::NoticeBar*>();
        QVERIFY(notice != nullptr && notice->isVisible());
        bench.window->actions().action("edit.undo")->trigger();
        QVERIFY(bench.waitForEstimate());
        QTRY_VERIFY(!notice->isVisible());
    }

    void newsOfTheProjectAsItWasGoWithIt() {
        EditingBench bench;
        const auto* status = bench.window->findChild<app::StatusLine*>();
        QVERIFY(status != nullptr);
        QVERIFY(!bench.document().apply(
            "Refuse", [](const core::Project& project) { return core::withMicroBatches(project, 0); }));
        QVERIFY(!status->message().isEmpty());
        bench.document().apply(
            "Seven", [](const core::Project& project) { return core::withMicroBatches(project, 7); });
        QCOMPARE(status->message(), QString());
        // A plan without figures is not up to date.
        QVERIFY(bench.waitForEstimate());
        QVERIFY(!bench.document().areFiguresCurrent());
        const auto says = [&](const QString& text) {
            const auto labels = status->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == text; });
        };
        QTRY_VERIFY(says("No estimate of this plan"));
        bench.window->actions().action("edit.undo")->trigger();
        QTRY_VERIFY(says("Estimate up to date"));
    }

    void nothingDeadIsSelectedAndUndoSelectsAgain() {
        EditingBench bench;
        bench.click("logits");
        QCOMPARE(bench.window->selection().state().current->path, std::string("logits"));
        QTest::keyClick(&bench.canvas(), Qt::Key_Delete);
        QVERIFY(bench.window->selection().state().invocations.empty());
        bench.window->actions().action("edit.undo")->trigger();
        QVERIFY(bench.window->selection().state().current.has_value());
        QCOMPARE(bench.window->selection().state().current->path, std::string("logits"));
        // An added layer that is taken back is not selected any more, but what was before.
        bench.window->graph().commands().addLayer("Dense", views::TensorSource{{"logits", 0}, 0});
        QVERIFY(bench.window->selection().state().current->path != "logits");
        bench.window->actions().action("edit.undo")->trigger();
        QCOMPARE(bench.window->selection().state().current->path, std::string("logits"));
    }

    void theCardGoesWithWhatItShows() {
        EditingBench bench;
        bench.click("logits");
        QTest::mouseMove(&bench.canvas(), bench.placeOf("logits").toPoint() + QPoint(3, 0));
        QTest::mouseMove(&bench.canvas(), bench.placeOf("logits").toPoint());
        auto* card = bench.canvas().findChild<views::ToolTipCard*>();
        QVERIFY(card != nullptr && card->isVisible());
        QTest::keyClick(&bench.canvas(), Qt::Key_Delete);
        QVERIFY(!card->isVisible());
    }

    void theCanvasHasMostOfALowWindow() {
        EditingBench bench({1280, 800});
        bench.keep("room-1280-light");
        const double share = double(bench.canvas().height()) / bench.window->height();
        QVERIFY2(share >= 0.55, qPrintable(QString::number(share)));
        // With what is said of a run above it too.
        QVERIFY(bench.waitForEstimate() && bench.run());
        const auto* verdict = bench.window->findChild<views::VerdictStrip*>();
        QTRY_VERIFY(verdict != nullptr && verdict->isVisible() && !verdict->clauses().empty());
        QTRY_VERIFY2(100 * bench.canvas().height() >= 55 * bench.window->height(),
                     qPrintable(QString::number(bench.canvas().height())));
        bench.keep("room-ran-1280-light");
        bench.window->resize(2560, 1440);
        // In a high window the lists are open.
        const auto* problems = bench.window->findChild<app::DockPanel*>("problems");
        QVERIFY(problems != nullptr);
        QTRY_VERIFY(!problems->isFolded() && problems->height() > 100);
        bench.keep("room-2560-light");
        views::applyTheme(*qApp, views::Theme(views::ThemeKind::Dark));
        bench.keep("room-2560-dark");
    }

    void sixteenStagesHaveTheirGauges() {
        EditingBench bench({1280, 800});
        const auto path = app::exampleFolder() / "resnet50" / "resnet50.ipuproj";
        QVERIFY(bench.window->files().openCopy(path));
        bench.window->graph().commands().splitEvenly(16);
        bench.document().apply(
            "32", [](const core::Project& project) { return core::withMicroBatches(project, 32); });
        QVERIFY(bench.waitForEstimate());
        bench.keep("sixteen-stages-1280-light");
        const auto* strip = bench.window->graph().findChild<views::GaugeStrip*>();
        QVERIFY(strip != nullptr);
        const QImage image = const_cast<views::GaugeStrip*>(strip)->grab().toImage();
        std::set<QRgb> colours;
        for (int x = 0; x < image.width(); ++x)
            colours.insert(image.pixel(x, image.height() / 3));
        QVERIFY2(bench.document().areFiguresCurrent(), bench.document().estimate()->refusal.c_str());
        QVERIFY2(colours.size() > 4, qPrintable(QString::number(colours.size())));
        bench.window->resize(2560, 1440);
        bench.keep("sixteen-stages-2560-light");
    }

    void problemsAndGaugesFoldAndOpen() {
        EditingBench bench({1280, 800});
        app::DockPanel* problems = nullptr;
        for (app::DockPanel* dock : bench.window->workspaces().docks())
            problems = dock->objectName() == "problems" ? dock : problems;
        QVERIFY(problems != nullptr && problems->isFolded());
        const int folded = problems->height();
        // A click on a tab opens it, the button folds it again.
        QTest::mouseClick(problems->findChild<QTabBar*>(), Qt::LeftButton, {}, QPoint(20, 10));
        QVERIFY(!problems->isFolded());
        QTRY_VERIFY(problems->height() > folded + 100);
        bench.keep("problems-open-1280-light");
        for (auto* button : problems->findChildren<QToolButton*>()) {
            if (button->accessibleName().startsWith("Fold"))
                QTest::mouseClick(button, Qt::LeftButton);
        }
        QTRY_VERIFY(problems->height() <= folded + 2);
        const int canvas = bench.canvas().height();
        for (auto* button : bench.window->graph().findChildren<QToolButton*>()) {
            if (button->accessibleName() == "Fold the gauges")
                QTest::mouseClick(button, Qt::LeftButton);
        }
        QTRY_VERIFY(bench.canvas().height() > canvas + 80);
    }

    void docksRecoverFromATinyWindow() {
        EditingBench bench({1600, 1000});
        std::vector<int> before;
        for (const app::DockPanel* dock : bench.window->workspaces().docks())
            before.push_back(dock->isVisible() ? dock->width() : 0);
        bench.window->resize(500, 300);
        QTest::qWait(50);
        bench.window->resize(1600, 1000);
        QTest::qWait(50);
        for (std::size_t i = 0; i < before.size(); ++i) {
            const app::DockPanel* dock = bench.window->workspaces().docks()[i];
            QVERIFY2(
                !dock->isVisible() || std::abs(dock->width() - before[i]) <= 2,
                qPrintable(
                    QString("%1: %2, was %3").arg(dock->objectName()).arg(dock->width()).arg(before[i])));
        }
    }
};

REGISTER_WIDGET_TEST("unfinished_model", UnfinishedModelTest)
#include "unfinished_model_test.moc"
