#include "core/plan/prediction_interval.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::ProgramFamily;

class PredictionIntervalTest : public QObject {
    Q_OBJECT

private slots:
    void theFamilyIsThatOfTheLayers_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("family");
        const auto row = [](const char* name, const char* model, ProgramFamily family) {
            QTest::newRow(name) << QString(model) << int(family);
        };
        row("dense", R"({"config": {"layers": [{"class_name": "Dense"}]}})", ProgramFamily::Other);
        row("convolution", R"({"config": {"layers": [{"class_name": "Dense"}, {"class_name": "Conv2D"}]}})",
            ProgramFamily::Convolutional);
        row("attention beside a convolution",
            R"({"config": {"layers": [{"class_name": "Conv2D"}, {"class_name": "MultiHeadAttention"}]}})",
            ProgramFamily::Transformer);
        row("nested",
            R"({"config": {"layers": [{"class_name": "Functional",
                "config": {"layers": [{"class_name": "DepthwiseConv2D"}]}}]}})",
            ProgramFamily::Convolutional);
        row("nothing", "null", ProgramFamily::Other);
    }
    void theFamilyIsThatOfTheLayers() {
        QFETCH(const QString, model);
        QFETCH(const int, family);
        QCOMPARE(int(core::programFamily(core::Json::parse(model.toStdString()))), family);
    }

    void everyIntervalHoldsThePrediction() {
        for (const ProgramFamily family :
             {ProgramFamily::Transformer, ProgramFamily::Convolutional, ProgramFamily::Other}) {
            const core::PredictionInterval interval = core::throughputInterval(family);
            QVERIFY(interval.low < 1 && interval.high > 1);
            // A family of which little is known is not the surest.
            QVERIFY(core::throughputInterval(ProgramFamily::Other).low <= interval.low);
            QVERIFY(core::throughputInterval(ProgramFamily::Other).high >= interval.high);
        }
        QVERIFY(core::peakInterval().low < 1 && core::peakInterval().high > 1);
    }
};

REGISTER_TEST("prediction_interval", PredictionIntervalTest)
#include "prediction_interval_test.moc"
