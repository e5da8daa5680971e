#include "core/plan/prediction_interval.h"

#include "core/interchange/keras/keras_json.h"
#include "core/interchange/templates/template_project.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>

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

    void twoRunsOfOneModelAreSurerThanTwoModels() {
        for (const ProgramFamily family : {ProgramFamily::Transformer, ProgramFamily::Other}) {
            const auto one = core::throughputQuotientInterval(family, family, true);
            const auto two = core::throughputQuotientInterval(family, family, false);
            const auto single = core::throughputInterval(family);
            QVERIFY(two.low < single.low && two.high > single.high);
            QVERIFY(one.low > two.low && one.high < two.high);
            QVERIFY(one.low < 1 && one.high > 1);
        }
        const auto ab =
            core::throughputQuotientInterval(ProgramFamily::Convolutional, ProgramFamily::Other, false);
        const auto ba =
            core::throughputQuotientInterval(ProgramFamily::Other, ProgramFamily::Convolutional, false);
        QVERIFY(std::abs(ab.low * ba.high - 1) < 1e-12);
        QVERIFY(std::abs(ab.high * ba.low - 1) < 1e-12);
        QVERIFY(core::peakQuotientInterval().low < core::peakInterval().low);
    }

    void aModelHasTheFamilyOfItsFile() {
        for (const char* name : {"bert", "resnet", "mlp"}) {
            const auto project = core::newProject(name, core::Json::object());
            QVERIFY2(project.has_value(), name);
            QCOMPARE(core::programFamily(project->model),
                     core::programFamily(core::writeKerasModel(project->model)));
        }
    }

    void aStepIsShortWhereTheRateIsHigh() {
        const core::PredictedRanges ranges = core::predictedRanges(
            ProgramFamily::Convolutional, 1000, core::Cycles(1'000'000), core::Bytes(1'000'000));
        QCOMPARE(ranges.leastSamplesPerSecond, 945.0);
        QCOMPARE(ranges.mostSamplesPerSecond, 1112.0);
        QCOMPARE(ranges.leastStep.value(), std::llround(1e6 / 1.112));
        QCOMPARE(ranges.mostStep.value(), std::llround(1e6 / 0.945));
        QCOMPARE(ranges.leastPeak.value(), std::int64_t(951'000));
        QCOMPARE(ranges.mostPeak.value(), std::int64_t(1'066'000));
    }
};

REGISTER_TEST("prediction_interval", PredictionIntervalTest)
#include "prediction_interval_test.moc"
