#include "views/document/latest_runner.h"

#include "tests/support/test_registry.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QtTest/QTest>

using views::LatestRunner;

class LatestRunnerTest : public QObject {
    Q_OBJECT

private slots:
    void theResultArrivesOnTheOwnersThread() {
        LatestRunner runner;
        QThread* workedOn = nullptr;
        QThread* deliveredOn = nullptr;
        runner.request([&](const core::JobContext&) -> LatestRunner::Deliver {
            workedOn = QThread::currentThread();
            return [&] { deliveredOn = QThread::currentThread(); };
        });
        QTRY_VERIFY(deliveredOn != nullptr);
        QCOMPARE(deliveredOn, thread());
        QVERIFY(workedOn != thread());
    }

    void onlyTheLatestRequestDelivers() {
        LatestRunner runner;
        QSemaphore started;
        std::vector<int> delivered;
        std::atomic<int> worked = 0;
        const auto job = [&](int number) {
            return [&, number](const core::JobContext& context) -> LatestRunner::Deliver {
                ++worked;
                if (number == 0) {
                    started.release();
                    while (!context.isCancelled())
                        QThread::yieldCurrentThread();
                }
                return [&delivered, number] { delivered.push_back(number); };
            };
        };
        runner.request(job(0));
        started.acquire();
        for (int i = 1; i <= 5; ++i)
            runner.request(job(i));
        QTRY_COMPARE(delivered, std::vector<int>{5});
        QCOMPARE(worked.load(), 2); // what waited in between never ran
        QVERIFY(!runner.isBusy());
    }

    void cancellingStopsTheJobAndDeliversNothing() {
        LatestRunner runner;
        QSemaphore started;
        bool delivered = false;
        runner.request([&](const core::JobContext& context) -> LatestRunner::Deliver {
            started.release();
            while (!context.isCancelled())
                QThread::yieldCurrentThread();
            return [&] { delivered = true; };
        });
        started.acquire();
        runner.cancel();
        QTRY_VERIFY(!runner.isBusy());
        QVERIFY(!delivered);
    }

    void destroyingTheRunnerEndsTheJob() {
        QSemaphore started;
        std::atomic<bool> ended = false;
        {
            LatestRunner runner;
            runner.request([&](const core::JobContext& context) -> LatestRunner::Deliver {
                started.release();
                while (!context.isCancelled())
                    QThread::yieldCurrentThread();
                ended = true;
                return {};
            });
            started.acquire();
        }
        QVERIFY(ended);
    }
};

REGISTER_WIDGET_TEST("latest_runner", LatestRunnerTest)
#include "latest_runner_test.moc"
