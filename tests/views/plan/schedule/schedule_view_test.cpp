#include "views/plan/schedule/schedule_view.h"

#include "core/model/graph/model_builder.h"
#include "core/project/project_edit.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/test_registry.h"
#include "tests/views/plan/schedule/schedule_samples.h"
#include "views/common/theme/widget_theme.h"
#include "views/plan/schedule/schedule_canvas.h"
#include "views/plan/schedule/schedule_details.h"

#include <QApplication>
#include <QPushButton>
#include <QScrollBar>
#include <QtTest/QTest>

using namespace views;

namespace {

core::Project twoStages() {
    core::Project project;
    project.name = "net";
    project.model =
        core::sequentialModel("net", {8}, {{"Dense", "a", {{"units", 4}}}, {"Dense", "b", {{"units", 2}}}});
    project.assignment.stages = {core::StageId(0), core::StageId(1)};
    project.pipeline.gradientAccumulationSteps = 4;
    return project;
}

/// The sample, under the name of whatever schedule and project it is asked for; Sequential is refused.
core::Result<ScheduleChart> source(const core::Project& project, core::RunMode mode, const std::string&) {
    if (project.pipeline.schedule == "Sequential")
        return core::failure({.code = "test/refused",
                              .location = {"", "/pipeline/schedule"},
                              .message = "no two stages at a time",
                              .hints = {"use Grouped"}});
    ScheduleChart chart = tests::grouped();
    chart.schedule = project.pipeline.schedule;
    chart.subject = project.name;
    chart.isTraining = mode == core::RunMode::Train;
    return chart;
}

struct Fixture {
    Document document;
    Selection selection;
    tests::RecordedIntents intents;
    ScheduleView view{document, selection, intents, source};

    Fixture() {
        view.resize(1000, 700);
        view.show();
        document.open(twoStages(), {});
    }
    [[nodiscard]] bool waitForChart() const {
        return QTest::qWaitFor([this] { return !view.isBusy() && view.canvas().chart(); }, 5000);
    }
    [[nodiscard]] QPushButton* button(const QString& text) const {
        for (QPushButton* one : view.findChildren<QPushButton*>()) {
            if (one->text() == text && one->isVisible())
                return one;
        }
        return nullptr;
    }
    void click(const ScheduleCellId& cell) const {
        QTest::mouseClick(view.canvas().viewport(), Qt::LeftButton, {},
                          view.canvas().placeOf(cell).center().toPoint());
    }
    void key(int key) const { QTest::keyClick(&view.canvas(), Qt::Key(key)); }
};

} // namespace

class ScheduleViewTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(*qApp, Theme(ThemeKind::Light)); }

    void followsTheProjectAsItIsEdited() {
        Fixture at;
        QVERIFY(at.waitForChart());
        QCOMPARE(at.view.canvas().chart()->schedule, std::string("Grouped"));
        QVERIFY(at.document.apply("x", [](const core::Project& project) -> core::Result<core::Project> {
            return core::withSchedule(project, "Interleaved");
        }));
        QTRY_COMPARE(at.view.canvas().chart()->schedule, std::string("Interleaved"));
        at.document.undoStack().undo();
        QTRY_COMPARE(at.view.canvas().chart()->schedule, std::string("Grouped"));
    }

    void anotherScheduleIsLookedAtAndThenTaken() {
        Fixture at;
        QVERIFY(at.waitForChart());
        QVERIFY(at.button("Use Interleaved") == nullptr);
        at.view.lookAt("Interleaved");
        QTRY_COMPARE(at.view.canvas().chart()->schedule, std::string("Interleaved"));
        QVERIFY(at.document.project().pipeline.schedule == "Grouped");
        QVERIFY(!at.document.isDirty());
        QPushButton* use = at.button("Use Interleaved");
        QVERIFY(use != nullptr);
        use->click();
        QVERIFY(at.document.project().pipeline.schedule == "Interleaved");
        QVERIFY(at.button("Use Interleaved") == nullptr);
        at.document.undoStack().undo();
        QVERIFY(at.view.shownSchedule() == "Grouped");
    }

    void withoutATableTheViewSaysHowToBeginOne() {
        Fixture at;
        QVERIFY(at.waitForChart());
        at.view.lookAt("Table");
        QTRY_VERIFY(at.button("Begin with Grouped") != nullptr);
        QVERIFY(at.button("Go to the option") == nullptr);
        at.button("Begin with Grouped")->click();
        QTRY_VERIFY(at.view.canvas().chart() != nullptr);
        QCOMPARE(at.view.canvas().chart()->schedule, std::string("Grouped"));
        QVERIFY(!at.document.isDirty());
    }

    void aRefusalSaysWhyAndLeadsToTheOption() {
        Fixture at;
        QVERIFY(at.waitForChart());
        at.view.lookAt("Sequential");
        QTRY_VERIFY(at.button("Go to the option") != nullptr);
        QVERIFY(at.view.canvas().chart() == nullptr);
        at.button("Go to the option")->click();
        QCOMPARE(at.intents.calls, (std::vector<QString>{"showSetting /pipeline/schedule"}));
        at.view.lookAt("Grouped");
        QVERIFY(at.waitForChart());
    }

    void aClickFollowsTheMicroBatchEverywhere() {
        Fixture at;
        QVERIFY(at.waitForChart());
        at.click({3, 1, 0});
        QCOMPARE(at.view.canvas().state().selected, std::optional(ScheduleCellId{3, 1, 0}));
        QCOMPARE(at.selection.state().microBatch, std::optional<std::int64_t>(1));
        QCOMPARE(at.selection.state().stage, std::optional(core::StageId(1)));
        QCOMPARE(at.view.canvas().accessibleDescription(),
                 QString("Backward, micro-batch 1, stage 1, IPU 1, slot 3"));
        at.key(Qt::Key_Escape);
        QVERIFY(!at.view.canvas().state().selected);
        QVERIFY(at.selection.state().microBatch);
        at.key(Qt::Key_Escape);
        QVERIFY(!at.selection.state().microBatch);
    }

    void keysGoAlongIpusAndMicroBatches() {
        Fixture at;
        QVERIFY(at.waitForChart());
        const auto selected = [&] { return at.view.canvas().state().selected.value_or(ScheduleCellId{99}); };
        at.key(Qt::Key_Right);
        QCOMPARE(selected(), (ScheduleCellId{0, 0, 0}));
        at.key(Qt::Key_BracketRight);
        QCOMPARE(selected(), (ScheduleCellId{1, 1, 0}));
        at.key(Qt::Key_BracketRight);
        QCOMPARE(selected(), (ScheduleCellId{2, 1, 0}));
        at.key(Qt::Key_BracketRight);
        QCOMPARE(selected(), (ScheduleCellId{3, 0, 0}));
        at.key(Qt::Key_BracketRight);
        QCOMPARE(selected(), (ScheduleCellId{3, 0, 0}));
        at.key(Qt::Key_Period);
        QCOMPARE(selected(), (ScheduleCellId{3, 0, 1}));
        at.key(Qt::Key_Left);
        at.key(Qt::Key_Left);
        QCOMPARE(selected(), (ScheduleCellId{2, 0, 0}));
        at.key(Qt::Key_Down);
        QCOMPARE(selected(), (ScheduleCellId{2, 1, 0}));
        at.key(Qt::Key_BracketLeft);
        QCOMPARE(selected(), (ScheduleCellId{1, 1, 0}));
    }

    /// The widget shows what the file shows.
    void itsPictureIsThatOfTheChart() {
        Fixture at;
        QVERIFY(at.waitForChart());
        const auto bytes = renderPicture(at.view.canvas().picture(), PictureFormat::Svg);
        QCOMPARE(bytes, renderPicture(schedulePicture(*at.view.canvas().chart(), themeOf(nullptr)),
                                      PictureFormat::Svg));
    }

    void aLongScheduleScrollsToWhatIsSelected() {
        Fixture at;
        QVERIFY(at.waitForChart());
        auto chart = std::make_shared<ScheduleChart>(tests::grouped());
        chart->slotList.insert(chart->slotList.begin() + 4, 300, chart->slotList[3]);
        at.view.canvas().setChart(chart);
        QVERIFY(at.view.canvas().horizontalScrollBar()->maximum() > 0);
        at.view.canvas().select(ScheduleCellId{200, 1, 0}, true);
        const QRectF place = at.view.canvas().placeOf({200, 1, 0});
        QVERIFY(place.left() > 0 && place.right() < at.view.canvas().viewport()->width());
        // A shorter one does not hold what is gone.
        at.view.canvas().setChart(std::make_shared<const ScheduleChart>(tests::grouped()));
        QVERIFY(!at.view.canvas().state().selected);
    }

    void detailsSayWhatAndWhy() {
        using Kind = SchedulePlace::Kind;
        const ScheduleChart chart = tests::grouped();
        core::PlanEstimate estimate;
        estimate.clockHz = 1e9;
        estimate.step = core::Cycles(100000);
        estimate.stages.resize(2);
        estimate.stages[0].stage = core::StageId(0);
        estimate.stages[0].backward = core::Cycles(2500);
        Units units;
        units.time = TimeUnit::Time;
        const ToolTipContent work = scheduleDetails(chart, {Kind::Work, 3, 0, 0, 0}, &estimate, units);
        QCOMPARE(work.title, QString("Backward"));
        QCOMPARE(work.rows.back().value,
                 QStringLiteral("≈ ") +
                     timeText(core::Cycles(2500), TimeUnit::Time, {1e9, estimate.step}).joined());
        const auto reason = [&](std::size_t slot, std::size_t row) {
            return scheduleDetails(chart, {Kind::Idle, slot, row, 0, 0}, nullptr, units).footer;
        };
        QVERIFY(reason(0, 1).startsWith("Warm-up"));
        QVERIFY(reason(7, 1).startsWith("Drain"));
        QCOMPARE(spokenDetails(chart, {Kind::Update, 8, 1, 0, 0}), QString("Weight update, IPU 1"));
    }

    void theTableListsEveryPieceOfWork() {
        const TableContent table = scheduleTable(tests::grouped());
        QCOMPARE(table.rows.size(), std::size_t{16});
        QVERIFY(toPlainText(table).startsWith("0 | Ramp-up | 0 | 0 | Forward | 0\n"));
        const TableContent few = scheduleTable(tests::grouped(), 5);
        QCOMPARE(few.rows.size(), std::size_t{5});
        QVERIFY(toPlainText(few).contains("11 more"));
    }
};

REGISTER_WIDGET_TEST("schedule_view", ScheduleViewTest)
#include "schedule_view_test.moc"
