#include "app/services/lessons/lesson.h"

#include "app/window/lessons/lesson_strip.h"
#include "app/window/start/start_page.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "views/graph/graph_view.h"

#include <QPushButton>
#include <set>

using tests::WindowBench;

namespace {

QPushButton* buttonOf(const QWidget& widget, const QString& text) {
    for (QPushButton* button : widget.findChildren<QPushButton*>()) {
        if (button->text() == text)
            return button;
    }
    return nullptr;
}

/// The checker has spoken about the present plan.
bool isChecked(const WindowBench& bench) {
    return QTest::qWaitFor([&] { return bench.window->lessons().result().has_value(); }, 20000);
}

QString stateOf(app::LessonStrip& strip) {
    return strip.text() + QStringLiteral(" | ") + strip.goalText();
}

} // namespace

/// Lessons as a person takes them: opened from the start page, solved, checked by simulated figures.
class LessonTest : public QObject {
    Q_OBJECT

private slots:
    void everyLessonHasWhatOneNeeds() {
        std::set<std::string> ids;
        for (const app::Lesson& lesson : app::lessons()) {
            QVERIFY2(ids.insert(lesson.id).second, lesson.id.c_str());
            QVERIFY2(lesson.goals.size() >= 2 && lesson.hints.size() >= 3, lesson.id.c_str());
            QVERIFY2(!lesson.task.empty() && !lesson.moral.empty(), lesson.id.c_str());
        }
        QCOMPARE(app::lessons().size(), std::size_t(8));
    }

    void theStartFailsAndTheReferencePasses_data() {
        QTest::addColumn<int>("place");
        for (std::size_t i = 0; i < app::lessons().size(); ++i)
            QTest::newRow(app::lessons()[i].id.c_str()) << int(i);
    }

    void theStartFailsAndTheReferencePasses() {
        QFETCH(const int, place);
        WindowBench bench;
        bench.window->show();
        app::LessonStrip& strip = bench.window->lessons();
        auto* start = bench.window->findChild<app::StartPage*>();
        QVERIFY(start != nullptr);
        QPushButton* button = start->lessonButtons()[std::size_t(place)];
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(strip.current(), std::optional(std::size_t(place)));
        QVERIFY(strip.isVisible());
        QVERIFY(isChecked(bench));
        QVERIFY2(!strip.result()->isPassed(), qPrintable(stateOf(strip)));
        QVERIFY(bench.window->settings().passedLessons().isEmpty());

        QPushButton* solution = buttonOf(strip, "Show a solution");
        QVERIFY(solution != nullptr && solution->isVisible());
        QTest::mouseClick(solution, Qt::LeftButton);
        QVERIFY(isChecked(bench));
        QVERIFY2(strip.result()->isPassed(), qPrintable(stateOf(strip)));
        QVERIFY(strip.text().startsWith("Done."));
        QVERIFY(!solution->isVisible());
        QCOMPARE(bench.window->settings().passedLessons().size(), 1);

        // One step of the history, both ways.
        bench.window->actions().action("edit.undo")->trigger();
        QVERIFY(isChecked(bench));
        QVERIFY2(!strip.result()->isPassed(), qPrintable(stateOf(strip)));
    }

    void hintsComeOneByOne() {
        WindowBench bench;
        bench.window->show();
        bench.window->actions().action("lesson.balance")->trigger();
        app::LessonStrip& strip = bench.window->lessons();
        const QString task = strip.text();
        QPushButton* hint = buttonOf(strip, "Hint");
        QVERIFY(hint != nullptr);
        QStringList seen{task};
        for (std::size_t i = 0; i < app::lessons()[0].hints.size(); ++i) {
            QTest::mouseClick(hint, Qt::LeftButton);
            QVERIFY2(strip.text().startsWith(QString("Hint %1 of ").arg(i + 1)), qPrintable(strip.text()));
            QVERIFY(!seen.contains(strip.text()));
            seen << strip.text();
        }
    }

    /// The way of the hint of the first lesson: layers are selected and put on the stage by a key.
    void aPersonSolvesTheFirstLessonByHand() {
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        window.show();
        window.actions().action("help.lesson")->trigger();
        app::LessonStrip& strip = window.lessons();
        QCOMPARE(strip.current(), std::optional(std::size_t(0)));
        QVERIFY(isChecked(bench));
        std::set<views::InvocationKey> keys;
        for (const auto& node : window.graph().canvas().model().nodes) {
            if (!node.isInput && node.stage.index() == 1 && keys.size() < 3)
                keys.insert(node.key);
        }
        window.selection().selectInvocations(keys);
        window.graph().canvas().setFocus();
        QTest::keyClick(&window.graph().canvas(), Qt::Key_0);
        QVERIFY(isChecked(bench));
        QVERIFY2(strip.result()->isPassed(), qPrintable(stateOf(strip)));
    }

    void aSmallerModelIsNoSolution() {
        const app::Lesson& lesson = app::lessons()[0];
        const auto start = app::lessonProject(lesson, lesson.start);
        QVERIFY(start);
        core::Project other = *app::lessonProject(lesson, lesson.reference);
        other.model = app::lessonProject(app::lessons()[1], app::lessons()[1].start)->model;
        core::PlanEstimate estimate;
        estimate.samplesPerSecond = 1e9;
        const app::LessonResult result = app::checkLesson(lesson, *start, other, estimate);
        QVERIFY(!result.isSameModel);
        QVERIFY(!result.isPassed());
    }

    /// For looking: IPU_WORKBENCH_PICTURES names a folder.
    void looksRightInEveryTheme() {
        const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES");
        for (const char* theme : {"light", "dark", "high-contrast"}) {
            for (const QSize size : {QSize(1280, 800), QSize(2560, 1440)}) {
                WindowBench bench;
                app::MainWindow& window = *bench.window;
                window.appearance().choose(theme);
                window.resize(size);
                window.show();
                const auto keep = [&](const char* what) {
                    QTest::qWait(folder.isEmpty() ? 0 : 400);
                    if (!folder.isEmpty())
                        window.grab().save(
                            QString("%1/%2-%3-%4.png").arg(folder, what, theme).arg(size.width()));
                };
                keep("start");
                window.actions().action("lesson.shard")->trigger();
                QVERIFY(isChecked(bench));
                app::LessonStrip& strip = window.lessons();
                keep("lesson");
                QVERIFY(strip.height() < window.height() / 5);
                QTest::mouseClick(buttonOf(strip, "Hint"), Qt::LeftButton);
                QTest::mouseClick(buttonOf(strip, "Show a solution"), Qt::LeftButton);
                QVERIFY(isChecked(bench));
                keep("lesson-done");
            }
        }
    }

    void anotherProjectEndsTheLesson() {
        WindowBench bench;
        bench.window->show();
        bench.window->actions().action("help.lesson")->trigger();
        QVERIFY(bench.window->lessons().isVisible());
        QVERIFY(bench.window->files().open(bench.writeProject()));
        QVERIFY(!bench.window->lessons().isVisible());
        QVERIFY(!bench.window->lessons().current());
    }
};

REGISTER_WIDGET_TEST("lesson", LessonTest)
#include "lesson_test.moc"
