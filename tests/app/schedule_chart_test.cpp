#include "app/services/plan/schedule_chart.h"
#include "core/base/file.h"
#include "core/interchange/project/project_file.h"
#include "tests/support/recorded_intents.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"
#include "views/common/theme/widget_theme.h"
#include "views/document/document.h"
#include "views/plan/schedule/schedule_view.h"
#include "views/plan/schedule/strips_canvas.h"
#include "views/profile/tables/table_panel.h"

#include <QApplication>
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
    views::ScheduleView view{document, selection, intents, app::projectScheduleChart,
                             app::scheduleOutcomesSource()};

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
            for (const auto& lane : outcome.work) {
                core::Cycles before;
                for (const core::WorkStretch& work : lane) {
                    QVERIFY(work.start >= before);
                    before = work.end();
                }
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
