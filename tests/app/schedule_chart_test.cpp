#include "app/services/plan/schedule_chart.h"
#include "core/base/file.h"
#include "core/interchange/project/project_file.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/notice_bar.h"
#include "views/document/document.h"
#include "views/plan/schedule/schedule_canvas.h"
#include "views/plan/schedule/schedule_view.h"
#include "views/plan/schedule/strips_canvas.h"
#include "views/profile/tables/table_panel.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QtTest/QTest>

using tests::Workbench;

namespace {

std::filesystem::path chartedExample() {
    return tests::projectRoot() / "projects" / "encoder" / "encoder.ipuproj";
}

core::Json reportedSchedules(const Workbench& workbench) {
    return workbench.run({"schedule", QString::fromStdString(chartedExample().string()), "--all", "--json"})
        .json();
}

/// What a row of the catalogue's table says.
core::Json reportedRow(const core::Json& report, const std::string& schedule) {
    for (const core::Json& row : report["schedules"])
        if (row["schedule"] == schedule)
            return row;
    return nullptr;
}

/// The view of the example as the window has it.
struct ScheduleWindow {
    views::Document document;
    views::Selection selection;
    tests::RecordedIntents intents;
    views::ScheduleView view{document,
                             selection,
                             intents,
                             app::projectScheduleChart,
                             app::scheduleOutcomesSource(),
                             app::withScheduleMove};

    ScheduleWindow() {
        view.resize(1100, 800);
        view.show();
        auto file = core::readProject(core::readFile(chartedExample()).value(), "encoder");
        document.open(file->project, chartedExample());
        view.compareAll(true);
    }
    [[nodiscard]] bool waitForAll() const {
        return QTest::qWaitFor(
            [this] { return !view.isBusy() && !view.outcomes().canvas().scene().outcomes.empty(); }, 9000);
    }
    [[nodiscard]] QPushButton* button(const QString& text) const {
        for (QPushButton* one : view.findChildren<QPushButton*>())
            if (one->text() == text && one->isVisible())
                return one;
        return nullptr;
    }
    [[nodiscard]] QPushButton* use(const QString& schedule) const {
        for (QPushButton* button : view.findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Use %1").arg(schedule) && button->isVisible())
                return button;
        return nullptr;
    }
};

} // namespace

class ScheduleChartTest : public QObject {
    Q_OBJECT

private slots:
    void theWindowSaysTheSameFigures() {
        const Workbench workbench;
        const core::Json all = reportedSchedules(workbench);
        const ScheduleWindow window;
        QVERIFY(window.waitForAll());
        const auto& outcomes = window.view.outcomes().canvas().scene().outcomes;
        QCOMPARE(outcomes.size(), all["schedules"].size());
        for (const core::ScheduleOutcome& outcome : outcomes) {
            const core::Json row = reportedRow(all, outcome.schedule);
            if (outcome.isRefused())
                continue;
            QCOMPARE(row["step_cycles"].get<std::int64_t>(), outcome.plan.step.value());
            QCOMPARE(row["peak_bytes"].get<std::int64_t>(), outcome.peak().value());
        }
    }

    void whatTheStripsShowIsTheWorkOfTheUpdate() {
        const ScheduleWindow window;
        QVERIFY(window.waitForAll());
        for (const core::ScheduleOutcome& outcome : window.view.outcomes().canvas().scene().outcomes) {
            for (std::size_t ipu = 0; ipu < outcome.work.size(); ++ipu) {
                const auto& lane = outcome.work[ipu];
                core::Cycles before;
                core::Cycles sum;
                for (const core::WorkStretch& work : lane) {
                    QVERIFY(work.start >= before);
                    before = work.end();
                    sum += work.duration;
                }
                // What a program waits for is not work.
                QCOMPARE(sum, outcome.plan.ipus[ipu].busy);
                QVERIFY(before <= outcome.plan.step);
            }
            QCOMPARE(outcome.work.size(), outcome.plan.ipus.size());
        }
    }

    void aScheduleIsChosenByKeysAndTaken() {
        ScheduleWindow window;
        QVERIFY(window.waitForAll());
        views::StripsCanvas& canvas = window.view.outcomes().canvas();
        QTest::keyClick(&canvas, Qt::Key_Home);
        while (window.view.outcomes().chosen() != "1F1B")
            QTest::keyClick(&canvas, Qt::Key_Down);
        QVERIFY(canvas.accessibleDescription().startsWith("1F1B: "));
        QPushButton* use = window.use("1F1B");
        QVERIFY(use != nullptr);
        QTest::mouseClick(use, Qt::LeftButton);
        QCOMPARE(window.document.project().pipeline.schedule, std::string("1F1B"));
        window.document.undoStack().undo();
        QVERIFY(window.document.project().pipeline.schedule != "1F1B");
        QTest::keyClick(&canvas, Qt::Key_Return);
        QVERIFY(!window.view.isComparing());
        QCOMPARE(window.view.shownSchedule(), std::string("1F1B"));
    }

    void workIsDraggedToAnotherSlotAndSaved() {
        ScheduleWindow window;
        window.view.compareAll(false);
        views::ScheduleCanvas& canvas = window.view.canvas();
        QTRY_VERIFY(!window.view.isBusy() && canvas.chart());
        const std::size_t count = canvas.chart()->slotList.size();
        views::ScheduleCellId last{count - 1, 0, 0};
        while (canvas.chart()->slotList[last.slot].work[0].empty())
            --last.slot;
        canvas.select(last, true);
        const QPoint from = canvas.placeOf(last).center().toPoint();
        QVERIFY(canvas.viewport()->rect().contains(from));
        QTest::mousePress(canvas.viewport(), Qt::LeftButton, {}, from);
        // Past the column of the last slot.
        QTest::mouseMove(canvas.viewport(), from + QPoint(30, 0));
        QTest::mouseMove(canvas.viewport(), from + QPoint(canvas.viewport()->width(), 0));
        QTest::mouseRelease(canvas.viewport(), Qt::LeftButton, {},
                            from + QPoint(canvas.viewport()->width(), 0));
        QTRY_COMPARE(canvas.chart()->slotList.size(), count + 1);
        // Moved work of a schedule in step stays in step.
        QCOMPARE(window.view.shownSchedule(), std::string("TableInStep"));
        QVERIFY(window.view.notice().isVisible());
        QVERIFY(!window.document.isDirty());
        if (const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES"); !folder.isEmpty())
            window.view.grab().save(folder + QStringLiteral("/schedule_moved.png"));
        QTest::mouseClick(window.button("Save and use…"), Qt::LeftButton);
        QCOMPARE(window.intents.calls.back(), QStringLiteral("saveScheduleTable"));
        QVERIFY(window.intents.cells.starts_with("ipu in step,"));
        QTest::mouseClick(window.button("Undo move"), Qt::LeftButton);
        QTRY_VERIFY(!window.view.isBusy() && canvas.chart()->slotList.size() == count);
        QVERIFY(!window.view.notice().isVisible());
        QCOMPARE(window.view.shownSchedule(), std::string("Grouped"));
    }

    void aMoveThatBreaksARuleIsRefusedInWords() {
        ScheduleWindow window;
        window.view.compareAll(false);
        views::ScheduleCanvas& canvas = window.view.canvas();
        QTRY_VERIFY(!window.view.isBusy() && canvas.chart());
        const auto before = canvas.chart()->slotList;
        canvas.select(views::ScheduleCellId{0, 0, 0}, true);
        QTest::keyClick(&canvas, Qt::Key_Right, Qt::AltModifier);
        QTRY_VERIFY(window.view.notice().isVisible());
        const QString said = window.view.notice().findChild<QLabel*>()->text();
        QVERIFY2(said.startsWith("Not moved") && said.count("slot") >= 2, qPrintable(said));
        QVERIFY(canvas.chart()->slotList == before);
        QCOMPARE(window.view.shownSchedule(), std::string("Grouped"));
    }

    void picturesAreTakenForEyes() {
        const QByteArray folder = qgetenv("IPU_WORKBENCH_PICTURES");
        if (folder.isEmpty())
            QSKIP("no folder for pictures is named");
        ScheduleWindow window;
        QVERIFY(window.waitForAll());
        for (const auto kind : {views::ThemeKind::Light, views::ThemeKind::Dark}) {
            views::applyTheme(*qApp, views::Theme(kind));
            for (const QSize size : {QSize(1280, 800), QSize(900, 360), QSize(2560, 1440)}) {
                window.view.resize(size);
                QTest::qWait(50);
                window.view.grab().save(QStringLiteral("%1/schedules_%2_%3.png")
                                            .arg(QString::fromLocal8Bit(folder), views::themeName(kind))
                                            .arg(size.width()));
            }
        }
    }
};

REGISTER_WIDGET_TEST("schedule_chart", ScheduleChartTest)
#include "schedule_chart_test.moc"
