#include "app/window/frame/forecast.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>

class ForecastTest : public QObject {
    Q_OBJECT

private slots:
    void whatWentFastAtFirstDoesNotMakeTheRestShort() {
        app::Forecast forecast;
        // Compiled in a second, which counts as a third of all; then a hundredth every second.
        forecast.add(0, 0);
        forecast.add(1, 0.35);
        double shown = 0;
        for (int second = 2; second <= 30; ++second) {
            forecast.add(second, 0.35 + 0.01 * (second - 1));
            shown = forecast.left().value_or(0);
        }
        QCOMPARE(qRound(shown), 36);
    }

    void anotherOneBeginsAnew() {
        app::Forecast forecast;
        for (int second = 0; second <= 10; ++second)
            forecast.add(second, 0.1 * second);
        QCOMPARE(qRound(forecast.left().value_or(-1)), 0);
        forecast.add(0, 0);
        QVERIFY(!forecast.left());
        forecast.add(2, 0.1);
        QCOMPARE(qRound(forecast.left().value_or(-1)), 18);
    }

    void nothingIsSaidOfWhatStandsStill() {
        app::Forecast forecast;
        forecast.add(0, 0.2);
        forecast.add(8, 0.2);
        QVERIFY(!forecast.left());
    }
};

REGISTER_TEST("forecast", ForecastTest)
#include "forecast_test.moc"
