#include "app/window/lessons/tour.h"

#include "app/window/start/start_page.h"
#include "app/window/window_tour.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"

#include <QPushButton>
#include <set>

using tests::WindowBench;

/// The walk over the real window, by mouse and keys.
class TourTest : public QObject {
    Q_OBJECT

private slots:
    void everyStepShowsAPartOfItsOwn_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("small") << QSize(1280, 800);
        QTest::newRow("large") << QSize(2560, 1440);
    }

    void everyStepShowsAPartOfItsOwn() {
        QFETCH(const QSize, size);
        WindowBench bench;
        bench.window->resize(size);
        bench.window->show();
        QPushButton* begin = nullptr;
        for (QPushButton* button : bench.window->findChild<app::StartPage*>()->findChildren<QPushButton*>()) {
            if (button->text() == "Tour of the window")
                begin = button;
        }
        QVERIFY(begin != nullptr);
        QTest::mouseClick(begin, Qt::LeftButton);
        auto* tour = bench.window->findChild<app::Tour*>();
        QVERIFY(tour != nullptr);
        QVERIFY(bench.window->document().isOpen());
        QCOMPARE(tour->count(), std::size_t(5));
        std::set<QString> seen;
        QRect before;
        for (std::size_t step = 0; step < tour->count(); ++step) {
            QCOMPARE(tour->step(), step);
            QTRY_VERIFY2(!tour->spotlight().isEmpty() && tour->spotlight() != before,
                         qPrintable(QString::number(step)));
            before = tour->spotlight();
            QVERIFY(bench.window->rect().contains(before));
            QVERIFY(bench.window->rect().contains(tour->card().geometry()));
            QVERIFY(seen.insert(tour->text()).second);
            if (const QString folder = qEnvironmentVariable("IPU_WORKBENCH_PICTURES"); !folder.isEmpty()) {
                QTest::qWait(300);
                bench.window->grab().save(
                    QString("%1/tour-%2-%3.png").arg(folder).arg(step).arg(size.width()));
            }
            if (step + 1 < tour->count())
                QTest::keyClick(tour, Qt::Key_Return);
        }
        QTest::keyClick(tour, Qt::Key_Left);
        QCOMPARE(tour->step(), std::size_t(3));
        QTest::keyClick(tour, Qt::Key_Right);
        QTest::keyClick(tour, Qt::Key_Return);
        QTRY_VERIFY(bench.window->findChild<app::Tour*>() == nullptr);
    }

    /// What is explained is under no veil: the mouse reaches it, but where the card has no room beside it.
    void theExplainedPartStaysInUse() {
        WindowBench bench;
        bench.window->show();
        app::Tour* tour = app::startTour(*bench.window);
        QVERIFY(tour != nullptr);
        QTRY_VERIFY(!tour->spotlight().isEmpty());
        const QPoint corner = tour->spotlight().bottomLeft() + QPoint(5, -5);
        QVERIFY(!tour->mask().contains(corner));
        QVERIFY(tour->mask().contains(QPoint(2, 2)));
        QVERIFY(bench.window->childAt(corner) != tour);
    }

    void escapeLeaves() {
        WindowBench bench;
        bench.window->show();
        bench.window->actions().action("help.tour")->trigger();
        auto* tour = bench.window->findChild<app::Tour*>();
        QVERIFY(tour != nullptr);
        QTest::keyClick(tour, Qt::Key_Escape);
        QTRY_VERIFY(bench.window->findChild<app::Tour*>() == nullptr);
        QVERIFY(bench.window->document().isOpen());
    }
};

REGISTER_WIDGET_TEST("tour", TourTest)
#include "tour_test.moc"
