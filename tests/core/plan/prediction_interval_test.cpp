#include "core/plan/prediction_interval.h"

#include "core/interchange/keras/keras_json.h"
#include "core/interchange/templates/template_project.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>

using core::ProgramFamily;

namespace {

core::PredictionInterval quotientOf(ProgramFamily program, ProgramFamily baseline, bool isOneModel) {
    const core::PredictionIntervals& intervals = core::publishedIntervals();
    return core::rateQuotientInterval(intervals, program, intervals, baseline, isOneModel);
}

} // namespace

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
            const core::PredictionInterval interval = core::publishedIntervals().rate(family);
            QVERIFY(interval.low < 1 && interval.high > 1);
            // A family of which little is known is not the surest.
            QVERIFY(core::publishedIntervals().rate(ProgramFamily::Other).low <= interval.low);
            QVERIFY(core::publishedIntervals().rate(ProgramFamily::Other).high >= interval.high);
        }
        QVERIFY(core::publishedIntervals().peak().low < 1 && core::publishedIntervals().peak().high > 1);
    }

    void twoRunsOfOneModelAreSurerThanTwoModels() {
        for (const ProgramFamily family : {ProgramFamily::Transformer, ProgramFamily::Other}) {
            const auto one = quotientOf(family, family, true);
            const auto two = quotientOf(family, family, false);
            const auto single = core::publishedIntervals().rate(family);
            QVERIFY(two.low < single.low && two.high > single.high);
            QVERIFY(one.low > two.low && one.high < two.high);
            QVERIFY(one.low < 1 && one.high > 1);
        }
        const auto ab = quotientOf(ProgramFamily::Convolutional, ProgramFamily::Other, false);
        const auto ba = quotientOf(ProgramFamily::Other, ProgramFamily::Convolutional, false);
        QVERIFY(std::abs(ab.low * ba.high - 1) < 1e-12);
        QVERIFY(std::abs(ab.high * ba.low - 1) < 1e-12);
        QVERIFY(
            core::quotientInterval(core::publishedIntervals().peak(), core::publishedIntervals().peak()).low <
            core::publishedIntervals().peak().low);
    }

    void aModelHasTheFamilyOfItsFile() {
        for (const char* name : {"bert", "resnet", "mlp"}) {
            const auto project = core::newProject(name, core::Json::object());
            QVERIFY2(project.has_value(), name);
            QCOMPARE(core::programFamily(project->model),
                     core::programFamily(core::writeKerasModel(project->model)));
        }
    }

    void ownIntervalsAreThoseOfTheTargetsFile() {
        core::PredictionIntervals own = core::publishedIntervals();
        QVERIFY(!own.hasOwn());
        own.setOwn(core::FigureClass::Product, {0.5, 1.5, 3});
        const core::Json file{{"intervals", core::ownIntervalsJson(own)}};
        QCOMPARE(core::intervalsOfTarget(core::toText(file)), own);
        // Nothing of one's own, and what makes no sense: those of the published rows.
        for (const char* text : {"", "{}", "[1]", R"({"intervals": 1})", R"({"intervals": {"scaling": []}})",
                                 R"({"intervals": {"scaling": {"low": 2, "high": 1}}})",
                                 R"({"intervals": {"scaling": {"low": "a", "high": 1}}})"})
            QVERIFY2(core::intervalsOfTarget(text) == core::publishedIntervals(), text);
    }

    void theTextOfAPointsIntervalsIsReadBack() {
        const core::ProgramIntervals known{{0.9, 1.1, 17, 1}, {0.95, 1.05, 9, 9}};
        const std::string text = core::toText(known);
        QVERIFY(core::programIntervals(text) == std::optional(known));
        // As earlier programs wrote it.
        const auto earlier = core::programIntervals(text.substr(0, 6 * core::intervalDigits));
        QVERIFY(earlier == std::optional(core::ProgramIntervals{{0.9, 1.1, 17}, {0.95, 1.05, 9}}));
        QVERIFY(!core::programIntervals(text.substr(0, 7 * core::intervalDigits)));
    }

    void anIntervalSaysWhatItIsMadeOf() {
        QCOMPARE(core::rowsText({0.9, 1.1, 16}), std::string("16 measurements"));
        QCOMPARE(core::rowsText({0.9, 1.1, 12, 12}), std::string("12 measurements of your own"));
        QCOMPARE(core::rowsText({0.9, 1.1, 17, 1}),
                 std::string("16 published measurements, widened to hold 1 of your own"));
        QCOMPARE(core::rowsText({0.9, 1.1, 1, 1}),
                 std::string("the widest published interval, widened to hold 1 of your own"));
        // A file that does not say which are its own has nothing else.
        const core::PredictionIntervals read =
            core::intervalsOfTarget(R"({"intervals": {"scaling": {"low": 0.9, "high": 1.1, "rows": 6}}})");
        QVERIFY(read.of(core::FigureClass::Scaling).isOwn());
    }

    void aStepIsShortWhereTheRateIsHigh() {
        const core::PredictedRanges ranges = core::predictedRanges(
            {{0.945, 1.112}, {0.951, 1.066}}, 1000, core::Cycles(1'000'000), core::Bytes(1'000'000));
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
