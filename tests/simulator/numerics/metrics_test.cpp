#include "core/config/keras_catalogue.h"
#include "simulator/catalogue/loss_settings.h"
#include "simulator/catalogue/metric_formulas.h"
#include "simulator/graph/metric_sums.h"
#include "tests/support/numerics/layer_probe.h"
#include "tests/support/test_registry.h"
#include "tests/tools/oracle/graph_run.h"

#include <QtTest/QTest>
#include <cmath>
#include <set>

using core::Json;
using namespace simulator;

namespace {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

/// What a Metric operation answers: the value, then its sums.
std::vector<float> answerOf(const core::KerasObject& metric, const Rows& prediction,
                            const oracles::Values& target, const std::vector<float>& weights = {}) {
    const auto samples = static_cast<std::int64_t>(prediction.size());
    const auto width = static_cast<std::int64_t>(prediction[0].size());
    std::vector<float> data;
    for (const Row& row : prediction)
        data.insert(data.end(), row.begin(), row.end());
    auto named = readMetric(metric, nullptr, width);
    if (!named)
        return {};
    oracles::GraphRun graph;
    std::vector<core::TensorId> inputs{graph.feed("prediction", tests::valuesOf({samples, width}, data)),
                                       graph.feed("target", target, TensorRole::Target)};
    if (!weights.empty())
        inputs.push_back(graph.feed("weight", tests::valuesOf({samples}, weights), TensorRole::Target));
    named->attributes.weighted = !weights.empty();
    const core::TensorId value = graph.build().add(named->attributes, inputs, "metric");
    return graph.run({value}) ? graph.read(value) : std::vector<float>();
}

oracles::Values dense(const Rows& rows) {
    std::vector<float> data;
    for (const Row& row : rows)
        data.insert(data.end(), row.begin(), row.end());
    return tests::valuesOf(
        {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size())}, data);
}
oracles::Values numbers(std::vector<float> classes) {
    const auto count = static_cast<std::int64_t>(classes.size());
    return tests::valuesOf({count}, std::move(classes), core::DataType::Int32);
}

struct MetricRow {
    const char* name;
    core::KerasObject metric;
    Rows prediction;
    oracles::Values target;
    /// Worked out by hand from the definition.
    double expected;
};

const Rows scores{{0.1, 0.6, 0.3}, {0.5, 0.2, 0.3}, {0.2, 0.3, 0.5}, {0.4, 0.35, 0.25}};
/// Classes 1, 2, 2, 1: the first and the third are hit; the fourth is second, the second one second too.
const Rows wanted{{0, 1, 0}, {0, 0, 1}, {0, 0, 1}, {0, 1, 0}};
const std::vector<float> classes{1, 2, 2, 1};
/// Above one half: 0.9, 0.6 and 0.8, of which the first and the third are marked; 0.4 is marked and missed.
const Rows chances{{0.9, 0.2}, {0.6, 0.4}, {0.8, 0.1}};
const Rows metricMarks{{1, 0}, {0, 1}, {1, 0}};
const Rows values{{1, 2}, {3, -1}};
const Rows truths{{2, 2}, {1, 1}};
const Rows metricShares{{0.25, 0.75}, {0.5, 0.5}};
const Rows mixes{{0.5, 0.5}, {0.25, 0.75}};

std::vector<MetricRow> metricRows() {
    const double ln2 = std::log(2.0);
    const double ln3 = std::log(3.0);
    return {
        {"equal values", {"Accuracy", {}}, {{1, 2, 3}, {0, 2, 2}}, dense({{1, 2, 0}, {1, 1, 2}}), 0.5},
        {"values on the right side", {"BinaryAccuracy", {}}, chances, dense(metricMarks), 4.0 / 6},
        {"another threshold", {"BinaryAccuracy", {{"threshold", 0.3}}}, chances, dense(metricMarks), 5.0 / 6},
        {"largest of the classes", {"CategoricalAccuracy", {}}, scores, dense(wanted), 0.5},
        {"largest at the class number", {"SparseCategoricalAccuracy", {}}, scores, numbers(classes), 0.5},
        {"among the two largest", {"TopKCategoricalAccuracy", {{"k", 2}}}, scores, dense(wanted), 1},
        {"among the first", {"TopKCategoricalAccuracy", {{"k", 1}}}, scores, dense(wanted), 0.5},
        {"class number among the two largest",
         {"SparseTopKCategoricalAccuracy", {{"k", 2}}},
         scores,
         numbers({0, 2, 0, 2}),
         0.25},
        {"marked among the shown", {"Precision", {}}, chances, dense(metricMarks), 2.0 / 3},
        {"precision of a threshold", {"Precision", {{"thresholds", 0.7}}}, chances, dense(metricMarks), 1},
        {"shown among the marked", {"Recall", {}}, chances, dense(metricMarks), 2.0 / 3},
        {"recall of a threshold in a list",
         {"Recall", {{"thresholds", {0.85}}}},
         chances,
         dense(metricMarks),
         1.0 / 3},
        {"true positives", {"TruePositives", {}}, chances, dense(metricMarks), 2},
        {"true negatives", {"TrueNegatives", {}}, chances, dense(metricMarks), 2},
        {"false positives", {"FalsePositives", {}}, chances, dense(metricMarks), 1},
        {"false negatives", {"FalseNegatives", {}}, chances, dense(metricMarks), 1},
        // Marked 0.9, 0.4 and 0.8 against 0.2, 0.6 and 0.1: eight of the nine pairs are in order.
        {"area under the curve", {"AUC", {{"num_thresholds", 21}}}, chances, dense(metricMarks), 8.0 / 9},
        // Thresholds −0, 0.5 and 1: (1, 1), (1/3, 2/3), (0, 0).
        {"area of three thresholds",
         {"AUC", {{"num_thresholds", 3}}},
         chances,
         dense(metricMarks),
         2.0 / 3 * (1 + 2.0 / 3) / 2 + 1.0 / 3 * (2.0 / 3) / 2},
        // Shown 1, 0, 2, 0: class 1 one of two, class 2 one of two, class 0 none of two.
        {"overlap of the classes",
         {"MeanIoU", {{"num_classes", 3}}},
         scores,
         numbers(classes),
         (0.5 + 0.5 + 0) / 3},
        {"root of the mean square",
         {"RootMeanSquaredError", {}},
         values,
         dense(truths),
         std::sqrt((1 + 0 + 4 + 4) / 4.0)},
        // (1, 2)·(2, 2) / √5√8 and (3, −1)·(1, 1) / √10√2.
        {"cosine",
         {"CosineSimilarity", {}},
         values,
         dense(truths),
         (6 / std::sqrt(40.0) + 2 / std::sqrt(20.0)) / 2},
        {"mean square", {"MeanSquaredError", {}}, values, dense(truths), 9.0 / 4},
        {"mean distance", {"MeanAbsoluteError", {}}, values, dense(truths), 5.0 / 4},
        {"mean percentage",
         {"MeanAbsolutePercentageError", {}},
         values,
         dense(truths),
         100 * (0.5 + 0 + 2 + 2) / 4},
        {"mean square of logarithms",
         {"MeanSquaredLogarithmicError", {}},
         {{1, 2}, {3, 0}},
         dense({{2, 2}, {1, 1}}),
         (std::pow(ln2 - ln3, 2) + 0 + ln2 * ln2 + ln2 * ln2) / 4},
        {"binary cross-entropy",
         {"BinaryCrossentropy", {}},
         metricShares,
         dense({{0, 1}, {1, 0}}),
         -(std::log(0.75) + std::log(0.75) + 2 * std::log(0.5)) / 4},
        {"smoothed binary cross-entropy of logits",
         {"BinaryCrossentropy", {{"from_logits", true}, {"label_smoothing", 0.5}}},
         {{0, ln3}},
         dense({{1, 1}}),
         // 0.75 and 0.25 of both; the chances are 1/2 and 3/4.
         -(std::log(0.5) + 0.75 * std::log(0.75) + 0.25 * std::log(0.25)) / 2},
        {"categorical cross-entropy",
         {"CategoricalCrossentropy", {}},
         metricShares,
         dense({{0, 1}, {1, 0}}),
         -(std::log(0.75) + std::log(0.5)) / 2},
        {"smoothed categorical cross-entropy",
         {"CategoricalCrossentropy", {{"label_smoothing", 0.5}}},
         metricShares,
         dense({{0, 1}, {1, 0}}),
         -(0.75 * std::log(0.75) + 0.25 * std::log(0.25) + std::log(0.5)) / 2},
        {"sparse categorical cross-entropy",
         {"SparseCategoricalCrossentropy", {}},
         metricShares,
         numbers({1, 0}),
         -(std::log(0.75) + std::log(0.5)) / 2},
        {"sparse categorical cross-entropy of logits",
         {"SparseCategoricalCrossentropy", {{"from_logits", true}}},
         {{0, ln3}},
         numbers({0}),
         std::log(4.0)},
        {"divergence",
         {"KLDivergence", {}},
         metricShares,
         dense(mixes),
         (0.5 * ln2 + 0.5 * std::log(2.0 / 3) + 0.25 * std::log(0.5) + 0.75 * std::log(1.5)) / 2},
        {"Poisson",
         {"Poisson", {}},
         metricShares,
         dense(mixes),
         (2 - 0.5 * std::log(0.25) - 0.5 * std::log(0.75) - std::log(0.5)) / 4},
        {"logarithm of the hyperbolic cosine",
         {"LogCoshError", {}},
         values,
         dense(truths),
         (std::log(std::cosh(1.0)) + 2 * std::log(std::cosh(2.0))) / 4},
        // Marks stand for ±1: 1 − 0.9, 1 + 0.2, 1 + 0.6, 1 − 0.4, 1 − 0.8, 1 + 0.1.
        {"hinge", {"Hinge", {}}, chances, dense(metricMarks), (0.1 + 1.2 + 1.6 + 0.6 + 0.2 + 1.1) / 6},
        {"squared hinge",
         {"SquaredHinge", {}},
         chances,
         dense(metricMarks),
         (0.01 + 1.44 + 2.56 + 0.36 + 0.04 + 1.21) / 6},
        // The right class against the best other one.
        {"categorical hinge", {"CategoricalHinge", {}}, scores, dense(wanted), (0.7 + 1.2 + 0.8 + 1.05) / 4},
    };
}

void compareMetric(double found, double expected) {
    QVERIFY2(std::abs(found - expected) <= 1e-6 + 1e-5 * std::abs(expected),
             qPrintable(QString("%1, expected %2").arg(found, 0, 'g', 9).arg(expected, 0, 'g', 9)));
}

} // namespace

Q_DECLARE_METATYPE(MetricRow)

/// Metrics by their definitions on numbers small enough to work them out by hand.
class MetricsTest : public QObject {
    Q_OBJECT

private slots:
    void everyMetricIsItsDefinition_data() {
        QTest::addColumn<MetricRow>("row");
        for (const MetricRow& row : metricRows())
            QTest::newRow(row.name) << row;
    }

    void everyMetricIsItsDefinition() {
        QFETCH(MetricRow, row);
        const std::vector<float> answer = answerOf(row.metric, row.prediction, row.target);
        QVERIFY(!answer.empty());
        compareMetric(static_cast<double>(answer.front()), row.expected);
        const std::vector<double> sums(answer.begin() + 1, answer.end());
        if (!sums.empty())
            compareMetric(metricOf(row.metric.className, sums), row.expected);
    }

    void everyMetricHasARow() {
        std::set<std::string> seen;
        for (const MetricRow& row : metricRows())
            seen.insert(row.metric.className);
        for (const core::MetricDefinition& definition : core::metrics())
            QVERIFY2(!definition.choiceEnding.empty() || seen.contains(std::string(definition.className)),
                     definition.className.data());
        for (const core::KerasClass& row : core::metricCatalogue().classes)
            QVERIFY2(readMetric({std::string(row.className), {{"num_classes", 3}}}, nullptr, 3),
                     row.className.data());
    }

    void weightsCountASampleMoreThanOnce() {
        // The second sample counts three times.
        const std::vector<float> weights{1, 3};
        const auto weighed = [&](const char* name, const Rows& p, const oracles::Values& t) {
            const std::vector<float> answer = answerOf({name, {}}, p, t, weights);
            return answer.empty() ? std::nan("") : static_cast<double>(answer.front());
        };
        compareMetric(weighed("MeanAbsoluteError", values, dense(truths)), (0.5 + 3 * 2) / 4);
        compareMetric(weighed("RootMeanSquaredError", values, dense(truths)), std::sqrt((1 + 3 * 8) / 8.0));
        compareMetric(weighed("TruePositives", {{0.9}, {0.8}}, dense({{1}, {1}})), 4);
        compareMetric(weighed("Precision", {{0.9}, {0.8}}, dense({{1}, {0}})), 0.25);
        compareMetric(weighed("MeanIoU", {{0.9, 0.1}, {0.8, 0.2}}, numbers({0, 1})), (0.25 + 0) / 2);
    }

    void sumsOfMicroBatchesGiveTheValueOfAll() {
        const Rows first{{0.9}, {0.6}, {0.7}};
        const Rows second{{0.8}, {0.1}, {0.4}};
        for (const char* name : {"Precision", "Recall", "FalsePositives", "AUC", "RootMeanSquaredError"}) {
            const auto one = answerOf({name, {}}, first, dense({{1}, {0}, {0}}));
            const auto other = answerOf({name, {}}, second, dense({{1}, {0}, {1}}));
            const auto both = answerOf({name, {}}, {{0.9}, {0.6}, {0.7}, {0.8}, {0.1}, {0.4}},
                                       dense({{1}, {0}, {0}, {1}, {0}, {1}}));
            std::vector<double> sums;
            for (std::size_t i = 1; i < one.size(); ++i)
                sums.push_back(static_cast<double>(one[i]) + static_cast<double>(other[i]));
            compareMetric(metricOf(name, sums), static_cast<double>(both.front()));
        }
    }

    void textsAreWhatTheLossAsksFor() {
        const auto chosen = [](const char* text, const char* loss, std::int64_t width) {
            return readMetric({text, Json::object()}, core::findLoss(loss), width)->attributes.className;
        };
        QCOMPARE(chosen("acc", "MeanSquaredError", 1), std::string("BinaryAccuracy"));
        QCOMPARE(chosen("accuracy", "CategoricalCrossentropy", 5), std::string("CategoricalAccuracy"));
        QCOMPARE(chosen("ce", "SparseCategoricalCrossentropy", 5),
                 std::string("SparseCategoricalCrossentropy"));
        QCOMPARE(chosen("crossentropy", "BinaryCrossentropy", 1), std::string("BinaryCrossentropy"));
        QCOMPARE(chosen("crossentropy", "CategoricalCrossentropy", 4),
                 std::string("CategoricalCrossentropy"));
    }

    void refusesFewerClassesThanTheOutputHas() {
        const auto metric = readMetric({"MeanIoU", {{"num_classes", 2}}}, nullptr, 3);
        QVERIFY(!metric);
        QVERIFY(core::toText(metric.error().front()).find("set num_classes to 3") != std::string::npos);
    }
};

REGISTER_TEST("metrics", MetricsTest)
#include "metrics_test.moc"
