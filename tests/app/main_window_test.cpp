#include "app/window/main_window.h"

#include "app/services/catalogue/view_table.h"
#include "app/window/dialogs/information.h"
#include "app/window/frame/dock_panel.h"
#include "app/window/frame/top_bar.h"
#include "app/window/start/example_list.h"
#include "core/interchange/project/project_file.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/timeline_queries.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "views/common/widgets/segmented_control.h"
#include "views/comparison/comparison_view.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/graph/graph_view.h"
#include "views/timeline/timeline_view.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTableView>
#include <set>

using tests::WindowBench;

namespace {

std::vector<core::RunRow> runsOf(const std::filesystem::path& database) {
    const auto open = core::ProfileDatabase::open(database, {core::DatabaseAccess::ReadOnly});
    return open ? core::listRuns(*open).value() : std::vector<core::RunRow>();
}

QComboBox* choice(const app::MainWindow& window, const QString& name) {
    for (QComboBox* box : window.findChildren<QComboBox*>()) {
        if (box->accessibleName() == name && qobject_cast<QToolBar*>(box->parentWidget()->parentWidget()))
            return box;
    }
    return nullptr;
}

void choose(QComboBox* box, const QString& text) {
    const int index = box->findText(text);
    QVERIFY2(index >= 0, qPrintable(text));
    box->setCurrentIndex(index);
    emit box->activated(index);
}

} // namespace

class MainWindowTest : public QObject {
    Q_OBJECT

private slots:
    void startsWithTheStartPageAndItsExamples() {
        WindowBench bench;
        bench.window->show();
        QCOMPARE(bench.window->workspaces().current(), std::optional(views::WorkspaceId::Start));
        QVERIFY(!bench.window->actions().action("file.save")->isEnabled());
        QVERIFY(!bench.window->actions().action("run.train")->isEnabled());
        QVERIFY(!app::examplesIn(app::exampleFolder()).empty());
    }

    void everyMenuOpensByALetterOfItsOwn() {
        const WindowBench bench;
        std::set<QString> letters;
        for (const QAction* menu : bench.window->menuBar()->actions()) {
            const QKeySequence letter = QKeySequence::mnemonic(menu->text());
            QVERIFY2(!letter.isEmpty(), qPrintable(menu->text()));
            QVERIFY2(letters.insert(letter.toString()).second, qPrintable(menu->text()));
        }
        QCOMPARE(letters.size(), std::size_t(7));
    }

    void theToolbarGivesEveryPartItsWidth() {
        WindowBench bench;
        bench.window->resize(1280, 800);
        bench.window->show();
        QVERIFY(bench.window->files().open(bench.writeProject()));
        QVERIFY(bench.waitForEstimate());
        const auto* bar = bench.window->findChild<app::TopBar*>();
        QVERIFY(bar != nullptr);
        for (const int width : {1600, 1280, 1100, 1280}) {
            bench.window->resize(width, 800);
            QCoreApplication::processEvents();
            const auto* workspaces = bar->findChild<views::SegmentedControl*>();
            QVERIFY(workspaces != nullptr);
            QVERIFY2(
                workspaces->width() >= workspaces->sizeHint().width(),
                qPrintable(QString("%1 of %2").arg(workspaces->width()).arg(workspaces->sizeHint().width())));
        }
    }

    /// Where text is larger than here, a window that just fits into 1280 would not.
    void theWindowIsAsSmallAsAPersonMakesIt() {
        WindowBench bench;
        QVERIFY(bench.window->files().open(bench.writeProject()));
        bench.window->show();
        QVERIFY(bench.waitForEstimate());
        for (const app::WorkspaceRow& row : app::workspaceRows()) {
            bench.window->workspaces().show(row.id);
            bench.window->resize(1024, 640);
            QCoreApplication::processEvents();
            QString widest;
            for (const QWidget* part : bench.window->findChildren<QWidget*>())
                if (part->isVisible() && part->minimumSizeHint().width() > 300)
                    widest += QString("%1 %2: %3, ")
                                  .arg(part->metaObject()->className(), part->objectName())
                                  .arg(part->minimumSizeHint().width());
            QVERIFY2(bench.window->width() <= 1024 && bench.window->height() <= 640,
                     qPrintable(QString("%1: %2 × %3; %4")
                                    .arg(row.key)
                                    .arg(bench.window->width())
                                    .arg(bench.window->height())
                                    .arg(widest)));
        }
    }

    void opensEveryExampleWithoutChangingIt() {
        WindowBench bench;
        bench.window->show();
        for (const app::Example& example : app::examplesIn(app::exampleFolder())) {
            QVERIFY2(bench.window->files().openCopy(example.path), qPrintable(example.name));
            QVERIFY(bench.window->document().path().empty());
            QVERIFY(QTest::qWaitFor([&] { return bench.window->document().isAnalysisCurrent(); }, 20000));
            QVERIFY2(!core::hasErrors(bench.window->document().analysis().diagnostics),
                     qPrintable(example.name));
            QVERIFY2(!bench.window->graph().canvas().model().nodes.empty(), qPrintable(example.name));
            QVERIFY(!example.text.isEmpty());
        }
    }

    void aPersonEditsRunsLooksAndRunsAgain() {
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        window.show();
        QVERIFY(window.files().open(bench.writeProject()));
        QCOMPARE(window.workspaces().current(), std::optional(views::WorkspaceId::Model));
        QVERIFY(bench.waitForEstimate());
        QVERIFY2(window.document().estimate()->refusal.empty(),
                 window.document().estimate()->refusal.c_str());
        const core::Cycles before = window.document().estimate()->step;
        QVERIFY(before.value() > 0);

        // A layer goes to the other stage by its digit.
        const auto stages = window.document().project().assignment;
        const auto& nodes = window.graph().canvas().model().nodes;
        const auto last =
            std::find_if(nodes.rbegin(), nodes.rend(), [](const auto& node) { return !node.isInput; });
        const std::size_t stage = last->stage.index() == 0 ? 1 : 0;
        window.selection().selectInvocation(last->key);
        window.graph().canvas().setFocus();
        QTest::keyClick(&window.graph().canvas(), stage == 0 ? Qt::Key_0 : Qt::Key_1);
        QVERIFY(window.document().project().assignment != stages);
        QVERIFY(window.document().isDirty());
        window.actions().action("edit.undo")->trigger();
        QVERIFY(window.document().project().assignment == stages);
        QVERIFY(bench.waitForEstimate());

        QVERIFY(bench.run());
        const std::filesystem::path database = window.files().database();
        QCOMPARE(runsOf(database).size(), std::size_t(1));
        QVERIFY(runsOf(database)[0].state == core::RunState::Complete);
        QCOMPARE(*runsOf(database)[0].step, before);
        QVERIFY(window.selection().state().run == runsOf(database)[0].run);

        window.workspaces().show(views::WorkspaceId::Timeline);
        auto* timeline = &window.workspaces().view<views::TimelineView>();
        QVERIFY(QTest::qWaitFor([&] { return timeline->canvas().isVisible(); }, 10000));

        choose(choice(window, "Schedule"), "Interleaved");
        QVERIFY(window.document().project().pipeline.schedule == "Interleaved");
        QVERIFY(bench.run());
        const auto runs = runsOf(database);
        QCOMPARE(runs.size(), std::size_t(2));
        QCOMPARE(runs[1].schedule, std::string("Interleaved"));
        QVERIFY(QTest::qWaitFor([&] { return window.selection().state().run == runs[1].run; }, 5000));

        window.intents().compareRuns({runs[0].run, runs[1].run});
        QCOMPARE(window.workspaces().current(), std::optional(views::WorkspaceId::Compare));
        auto* comparison = &window.workspaces().view<views::ComparisonView>();
        QVERIFY(QTest::qWaitFor([&] { return comparison->scene().data != nullptr; }, 10000));
        QCOMPARE(comparison->runs(), (std::vector<core::RunId>{runs[0].run, runs[1].run}));
    }

    void adviceHoldsWhatItPromises() {
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        QVERIFY(window.files().open(bench.writeProject()));
        QVERIFY(bench.waitForEstimate());
        const core::PlanEstimate present = *window.document().estimate();
        simulator::CompilationCache cache;
        const auto advice = simulator::rankedAdvice(
            {window.document().project(), present, std::nullopt, "small.ipuproj", {}}, cache);
        QVERIFY(!advice.empty());
        for (const simulator::Advice& one : advice) {
            window.document().apply(
                "advice", [&](const core::Project&) -> core::Result<core::Project> { return one.project; });
            QVERIFY(bench.waitForEstimate());
            const core::PlanEstimate& applied = *window.document().estimate();
            QVERIFY2(applied.fits, one.text.c_str());
            QCOMPARE(applied.samplesPerSecond / present.samplesPerSecond - 1, one.gain);
            QVERIFY(one.gain >= 0.005);
            window.document().undoStack().undo();
        }
    }

    void anEditIsCheckedOnceAndItsDatasetIsNotOpenedAgain() {
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        QVERIFY(window.files().open(bench.writeProject()));
        QVERIFY(bench.waitForEstimate());
        const std::size_t openings = window.checks().datasets().openings();
        QCOMPARE(openings, std::size_t(1));
        QCOMPARE(window.checks().count(), std::size_t(1));
        choose(choice(window, "Schedule"), "Interleaved");
        QVERIFY(bench.waitForEstimate());
        QCOMPARE(window.checks().count(), std::size_t(2));
        // Advice tries many changes; none of them is checked as a project of its own with its data.
        QTRY_VERIFY_WITH_TIMEOUT(window.problems().model(views::DiagnosticsView::Advice).rowCount() > 0,
                                 20000);
        QCOMPARE(window.checks().count(), std::size_t(2));
        QCOMPARE(window.checks().datasets().openings(), openings);
    }

    void aPlanThatDoesNotFitIsAProblemWithItsFigures() {
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        QVERIFY(window.files().openCopy(app::exampleFolder() / "too-large/too-large.ipuproj"));
        QVERIFY(bench.waitForEstimate());
        QVERIFY(!window.document().estimate()->fits);
        const views::NoteModel& rows = window.problems().model(views::DiagnosticsView::Problems);
        QVERIFY(rows.rowCount() > 0);
        QVERIFY(rows.row(0).text.contains("too little memory"));
        // The cheapest repair stands beside it: one click, one step.
        QTRY_COMPARE_WITH_TIMEOUT(rows.row(0).action, "Make it fit", 30000);
        const core::Project before = window.document().project();
        const auto act = rows.row(0).act;
        act();
        QCOMPARE(window.document().undoStack().count(), 1);
        QVERIFY(bench.waitForEstimate());
        QVERIFY(window.document().estimate()->fits);
        window.document().undoStack().undo();
        QVERIFY(window.document().project() == before);
    }

    void asksAboutUnsavedChanges() {
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        const auto path = bench.writeProject();
        QVERIFY(window.files().open(path));
        choose(choice(window, "Micro-batches"), "8");
        QVERIFY(window.document().isDirty());
        QVERIFY(window.isWindowModified());
        bench.dialogs->unsaved = app::Dialogs::Unsaved::Cancel;
        QVERIFY(!window.close());
        QVERIFY(!window.files().close());
        QVERIFY(window.document().isOpen());
        bench.dialogs->unsaved = app::Dialogs::Unsaved::Save;
        QVERIFY(window.files().close());
        QVERIFY(!window.document().isOpen());
        QCOMPARE(core::loadProject(path)->project.pipeline.gradientAccumulationSteps.value(), 8);
        QCOMPARE(bench.dialogs->asked.size(), 3);
    }

    void savesAProjectWithoutAFileWithItsRuns() {
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        QVERIFY(window.files().openCopy(bench.writeProject()));
        QVERIFY(bench.run());
        bench.dialogs->target = bench.folder.filePath("kept");
        QVERIFY(window.files().save());
        const std::filesystem::path kept = bench.folder.filePath("kept.ipuproj").toStdString();
        QCOMPARE(window.document().path(), kept);
        QVERIFY(!window.document().isDirty());
        QCOMPARE(runsOf(core::defaultDatabasePath(kept)).size(), std::size_t(1));
    }

    void savesTheDrawingAsAPicture() {
        WindowBench bench;
        QVERIFY(bench.window->files().open(bench.writeProject()));
        bench.dialogs->target = bench.folder.filePath("drawing.svg");
        bench.window->actions().action("file.picture")->trigger();
        QFile drawing(bench.dialogs->target);
        QVERIFY(drawing.open(QIODevice::ReadOnly));
        QVERIFY(drawing.readAll().contains("Dense"));
    }

    void revertsAndTellsWhatCannotBeRead() {
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        const auto path = bench.writeProject();
        QVERIFY(window.files().open(path));
        choose(choice(window, "Replicas"), "2");
        QCOMPARE(window.document().project().system.ipus, 4);
        QVERIFY(!window.files().revert());
        bench.dialogs->confirms = true;
        QVERIFY(window.files().revert());
        QVERIFY(!window.document().isDirty());
        QVERIFY(window.document().project().replicas != std::optional<std::int64_t>(2));
        QFile broken(bench.folder.filePath("broken.ipuproj"));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("{\"format\": 1");
        broken.close();
        QSignalSpy failed(&window.files(), &app::ProjectFiles::failed);
        QVERIFY(!window.files().open(broken.fileName().toStdString()));
        QCOMPARE(failed.count(), 1);
        QCOMPARE(window.document().path(), path);
    }

    void aCancelledRunLeavesNoCompleteRun() {
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        QVERIFY(window.files().open(bench.writeProject("long.ipuproj", 100000)));
        window.run();
        QVERIFY(window.actions().action("run.stop")->isEnabled());
        QVERIFY(!window.actions().action("run.train")->isEnabled());
        const std::filesystem::path database = window.files().database();
        QVERIFY(QTest::qWaitFor([&] { return runsOf(database).size() == 1; }, 20000));
        QVERIFY(runsOf(database)[0].state == core::RunState::Recording);
        window.actions().action("run.stop")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return !window.runs().isRunning(); }, 20000));
        QCOMPARE(runsOf(database).size(), std::size_t(1));
        QVERIFY(runsOf(database)[0].state == core::RunState::Cancelled);
        const auto stored = core::ProfileDatabase::open(database, {core::DatabaseAccess::ReadOnly}).value();
        QVERIFY(core::loadExecutions(stored, runsOf(database)[0].run).value().empty());
        QVERIFY(window.actions().action("run.train")->isEnabled());
    }

    void closesWhileARunIsUnderWay() {
        std::filesystem::path database;
        QTemporaryDir folder;
        {
            WindowBench bench;
            database = folder.filePath("long.profiles.sqlite").toStdString();
            std::filesystem::path path = folder.filePath("long.ipuproj").toStdString();
            std::filesystem::copy_file(bench.writeProject("long.ipuproj", 100000), path);
            QVERIFY(bench.window->files().open(path));
            bench.window->run();
            QVERIFY(!bench.window->close());
            QCOMPARE(bench.dialogs->asked.size(), 1);
            bench.dialogs->confirms = true;
            QVERIFY(bench.window->close());
        }
        for (const core::RunRow& row : runsOf(database))
            QVERIFY(row.state != core::RunState::Complete);
    }

    void offersTheUnsavedWorkOfAProgramThatDied() {
        QTemporaryDir folder;
        const QString settings = folder.filePath("settings.ini");
        const QString file = folder.filePath(".small.ipuproj.autosave");
        {
            WindowBench bench(settings);
            std::filesystem::path path = folder.filePath("small.ipuproj").toStdString();
            std::filesystem::copy_file(bench.writeProject(), path);
            QVERIFY(bench.window->files().open(path));
            choose(choice(*bench.window, "Schedule"), "Interleaved");
            QSignalSpy kept(&bench.window->recovery(), &app::Recovery::kept);
            bench.window->recovery().keepNow();
            QVERIFY(kept.wait(5000));
            const QString own = app::autosaveFile(path);
            QVERIFY(QFile::exists(own));
            QVERIFY(bench.window->recovery().leftBehind().empty());
            QVERIFY(bench.window->recovery().leftBehindOf(path).empty());
            QFile ownFile(own);
            QVERIFY(ownFile.open(QIODevice::ReadOnly));
            core::Json json = core::Json::parse(ownFile.readAll().toStdString());
            QFile left(file);
            // As if another process had written it and died.
            json["process"] = "1 1 gone";
            QVERIFY(left.open(QIODevice::WriteOnly));
            left.write(core::toText(json).c_str());
            left.close();
            bench.window->settings().setRecoveryFiles({file});
            const auto works = bench.window->recovery().leftBehind();
            QCOMPARE(works.size(), std::size_t(1));
            // Nobody confirms: what is unsaved stays, in the window and in the file beside the project.
            QVERIFY(!bench.window->files().revert());
            QVERIFY(bench.window->document().isDirty());
            QVERIFY(QFile::exists(file));
        }
        WindowBench next(settings);
        const auto works = next.window->recovery().leftBehind();
        QCOMPARE(works.size(), std::size_t(1));
        QVERIFY(next.window->files().restore(works[0]));
        QVERIFY(next.window->document().project().pipeline.schedule == "Interleaved");
        QVERIFY(next.window->document().isDirty());
        QVERIFY(QTest::qWaitFor([&] { return !QFile::exists(file); }, 5000));
    }

    void noTwoActionsShareAKey() {
        WindowBench bench;
        std::set<QString> seen;
        for (const app::ActionSet::Entry& entry : bench.window->actions().entries()) {
            if (entry.action == nullptr)
                continue;
            for (const QKeySequence& keys : entry.action->shortcuts())
                QVERIFY2(seen.insert(keys.toString()).second, qPrintable(entry.id + " " + keys.toString()));
        }
        for (const QAction* action : bench.window->graph().canvasActions()) {
            for (const QKeySequence& keys : action->shortcuts())
                QVERIFY2(seen.insert(keys.toString()).second,
                         qPrintable(action->text() + " " + keys.toString()));
        }
        QVERIFY(
            app::shortcutGroups({bench.window->actions(), bench.window->graph().canvasActions(), "Timeline"})
                .size() >= 5);
    }

    void remembersThemeUnitsAndDocks() {
        QTemporaryDir folder;
        const QString settings = folder.filePath("settings.ini");
        {
            WindowBench bench(settings);
            app::MainWindow& window = *bench.window;
            window.show();
            QVERIFY(window.files().open(bench.writeProject()));
            window.actions().action("theme.dark")->trigger();
            window.actions().action("units.cycles")->trigger();
            QVERIFY(window.workspaces().docks()[0]->isVisible());
            window.workspaces().docks()[0]->hide();
            QVERIFY(window.close());
        }
        WindowBench bench(settings);
        app::MainWindow& window = *bench.window;
        window.show();
        QVERIFY(window.files().open(bench.writeProject()));
        QVERIFY(window.actions().action("theme.dark")->isChecked());
        QCOMPARE(window.document().units().time, views::TimeUnit::Cycles);
        QVERIFY(!window.workspaces().docks()[0]->isVisible());
        window.actions().action("view.reset")->trigger();
        QVERIFY(window.workspaces().docks()[0]->isVisible());
        window.actions().action("theme.light")->trigger();
    }

    void everyWorkspaceAndPanelOpensWithAndWithoutAProject() {
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        window.show();
        const auto visit = [&] {
            for (const app::WorkspaceRow& row : app::workspaceRows()) {
                window.workspaces().show(row.id);
                QCOMPARE(window.workspaces().current(), std::optional(row.id));
                QTest::qWait(1);
            }
            for (const app::PanelRow& panel : app::panelRows()) {
                if (panel.id)
                    window.workspaces().showPanel(*panel.id);
            }
        };
        visit();
        QVERIFY(window.files().newEmpty());
        visit();
        QVERIFY(window.files().open(bench.writeProject()));
        visit();
        QVERIFY(bench.run());
        visit();
    }

    void textsOfTheExamplesAreWordsAlone() {
        const std::vector<app::Example> examples = app::examplesIn(app::exampleFolder());
        QVERIFY(!examples.empty());
        for (const app::Example& example : examples) {
            QVERIFY2(!example.text.isEmpty() && !example.text.contains("]("), qPrintable(example.text));
            QVERIFY(!example.text.contains(u'`'));
        }
    }

    void noMenuIsHigherThanALowWindow() {
        WindowBench bench;
        QVERIFY(bench.window->files().open(bench.writeProject()));
        bench.window->resize(1280, 800);
        for (const QAction* title : bench.window->menuBar()->actions()) {
            QVERIFY(title->menu() != nullptr);
            QVERIFY2(title->menu()->sizeHint().height() < 720,
                     qPrintable(title->text() + QString::number(title->menu()->sizeHint().height())));
        }
    }
};

REGISTER_WIDGET_TEST("main_window", MainWindowTest)
#include "main_window_test.moc"
