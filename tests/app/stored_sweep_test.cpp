#include "app/services/sweep/stored_sweep.h"

#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/sweep_queries.h"
#include "core/project/project.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"
#include "views/common/widgets/search_popup.h"
#include "views/comparison/comparison_view.h"
#include "views/profile/tables/table_panel.h"
#include "views/sweep/sweep_view.h"

#include <QLineEdit>
#include <QTableView>
#include <QToolButton>

using tests::WindowBench;
using tests::Workbench;

namespace {

/// Every point of it fits; the condition leaves one schedule out of the front.
const std::string sweepFile = R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
 "grid": {"pipeline.schedule": ["Grouped", "1F1B"],
          "pipeline.gradient_accumulation_steps_per_replica": [2, 4]},
 "where": ["pipeline.gradient_accumulation_steps_per_replica == 4"]})";

/// The printed row of a point.
core::Json rowOf(const core::Json& json, const core::Json& point) {
    for (const core::Json& row : json["rows"])
        if (row["point"] == point)
            return row;
    return {};
}

struct Swept {
    Swept() {
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", sweepFile);
        swept = workbench.run({"sweep", "s.json", "--json"});
        bench.window->show();
        isOpen = bench.window->files().open(workbench.path("p.ipuproj"));
        view = bench.window->findChild<views::SweepView*>();
    }

    Workbench workbench;
    tests::Answer swept;
    WindowBench bench;
    bool isOpen = false;
    views::SweepView* view = nullptr;
};

} // namespace

/// What `sweep` stored, in the window of the project that was swept.
class StoredSweepTest : public QObject {
    Q_OBJECT

private slots:
    void theWindowShowsTheFrontThatTheVerbPrints() {
        Swept swept;
        QVERIFY2(swept.isOpen && swept.view != nullptr, swept.swept.err);
        const core::Json json = swept.swept.json();
        QVERIFY(!json["front"].empty());
        QTRY_COMPARE(swept.view->front().content().rows.size(), json["front"].size());
        for (std::size_t i = 0; i < json["front"].size(); ++i) {
            const core::Json row = rowOf(json, json["front"][i]);
            const auto& cells = swept.view->front().content().rows[i];
            QCOMPARE(cells[0].text.toLongLong(), row["point"].get<qlonglong>());
            QCOMPARE(cells[1].sort.toDouble(), row["samples_per_second"].get<double>());
            QCOMPARE(cells[2].sort.toLongLong(), row["peak_bytes"].get<qlonglong>());
        }
    }

    void aSweepOfAnotherProcessAppears() {
        Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", sweepFile);
        WindowBench bench;
        bench.window->show();
        QVERIFY(bench.window->files().open(workbench.path("p.ipuproj")));
        auto* view = bench.window->findChild<views::SweepView*>();
        QVERIFY(view != nullptr && view->counts().isEmpty());
        const core::Json json = workbench.run({"sweep", "s.json", "--json"}).json();
        QVERIFY(!json["front"].empty());
        QTRY_VERIFY2(view->counts().contains("of 4 points"), qPrintable(view->counts()));
        // Whoever looks at it sees the rest.
        view->show();
        QTRY_COMPARE(view->front().content().rows.size(), json["front"].size());
    }

    void thePaletteFindsThePage() {
        Swept swept;
        QVERIFY2(swept.isOpen && swept.view != nullptr, swept.swept.err);
        QVERIFY(!swept.view->isVisible());
        swept.bench.window->actions().action("edit.find")->trigger();
        auto* popup = swept.bench.window->findChild<views::SearchPopup*>();
        QVERIFY(popup != nullptr);
        auto* edit = popup->findChild<QLineEdit*>();
        QVERIFY(edit != nullptr);
        QTest::keyClicks(edit, "Show Sweeps");
        QTest::keyClick(edit, Qt::Key_Return);
        QTRY_VERIFY(swept.view->isVisible());
    }

    void anOpenedPointHasItsFiguresAndUndoTakesItBack() {
        Swept swept;
        QVERIFY2(swept.isOpen && swept.view != nullptr, swept.swept.err);
        QTRY_VERIFY(!swept.view->front().content().rows.empty());
        const core::Json json = swept.swept.json();
        const core::Json best = rowOf(json, json["best"]);
        views::Document& document = swept.bench.window->document();
        const core::Project before = document.project();
        QTest::mouseClick(&swept.view->openButton(), Qt::LeftButton);
        QCOMPARE(std::string(document.project().pipeline.schedule),
                 best["pipeline.schedule"].get<std::string>());
        QVERIFY(swept.bench.waitForEstimate());
        QCOMPARE(document.estimate()->step.value(), best["step_cycles"].get<std::int64_t>());
        document.undoStack().undo();
        QVERIFY(document.project() == before);
    }

    void aPointIsComparedWithTheSelectedRunAndKept() {
        Swept swept;
        QVERIFY2(swept.isOpen && swept.view != nullptr, swept.swept.err);
        QVERIFY(swept.bench.run());
        const core::Project before = swept.bench.window->document().project();
        const core::RunId first = *swept.bench.window->selection().state().run;
        QTRY_VERIFY(swept.view->compareButton().isEnabled());
        const std::string point = swept.view->front().content().rows[0][0].text.toStdString();
        const core::Json row = rowOf(swept.swept.json(), core::Json::parse(point));
        auto& compare = swept.bench.window->workspaces().view<views::ComparisonView>();
        QTest::mouseClick(&swept.view->compareButton(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(compare.runs().size(), std::size_t(2), 20000);
        const core::RunId second = compare.runs()[1];
        QCOMPARE(compare.runs()[0], first);
        QVERIFY(compare.isVisible());
        const auto database = core::ProfileDatabase::open(swept.bench.window->files().database(),
                                                          {core::DatabaseAccess::ReadOnly});
        QCOMPARE(core::loadRun(*database, second)->step.value(), row["step_cycles"].get<std::int64_t>());
        QVERIFY(swept.bench.window->document().project() == before);
        // What was run once is not run again.
        swept.bench.window->selection().selectRun(first);
        QTest::mouseClick(&swept.view->compareButton(), Qt::LeftButton);
        QVERIFY(!swept.bench.window->runs().isRunning());
        QCOMPARE(compare.runs(), (std::vector{first, second}));
    }

    void aPointOfAnotherProjectSaysThatItsFiguresAreOthers() {
        Swept swept;
        QVERIFY2(swept.isOpen && swept.view != nullptr, swept.swept.err);
        const auto database = core::ProfileDatabase::open(swept.workbench.path("p.profiles.sqlite"),
                                                          {core::DatabaseAccess::ReadOnly});
        QVERIFY(database.has_value());
        views::SweptProject project{swept.bench.window->document().project(),
                                    swept.workbench.path("p.ipuproj")};
        QVERIFY(app::projectOfPoint(*database, 1, 2, project)->isAsSwept);
        project.project.training.batchSize *= 2;
        QVERIFY(!app::projectOfPoint(*database, 1, 2, project)->isAsSwept);
        QCOMPARE(app::projectOfPoint(*database, 1, 99, project).error().front().code,
                 std::string("sweep/unknown"));
        QCOMPARE(app::projectOfPoint(*database, 7, 0, project).error().front().code,
                 std::string("sweep/unknown"));
    }
};

REGISTER_WIDGET_TEST("stored_sweep", StoredSweepTest)
#include "stored_sweep_test.moc"
