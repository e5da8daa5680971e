#include "simulator/compiler/lowering/loss_lowering.h"
#include "simulator/graph/rules/differentiate.h"
#include "tests/support/numerics/layer_probe.h"
#include "tests/support/test_registry.h"
#include "tests/tools/oracle/graph_run.h"

#include <QtTest/QTest>
#include <cmath>
#include <functional>
#include <set>

using core::Json;
using namespace simulator;

namespace {

using Row = std::vector<double>;
using Rows = std::vector<Row>;
/// A loss of one sample's predictions and targets, as its definition has it.
using Formula = std::function<double(const Row& p, const Row& t)>;

struct LossAnswer {
    std::string error;
    std::vector<float> values;
    std::vector<float> gradient;
    /// Largest distance of the gradient of the sum of the values from central differences.
    double worst = 0;
};

/// Values of a loss before or after its reduction, and the gradient of their sum.
class LossProbe {
public:
    LossProbe(core::KerasObject loss, oracles::Values prediction, oracles::Values target)
        : m_loss(std::move(loss))
        , m_prediction(std::move(prediction))
        , m_target(std::move(target)) {}

    LossProbe& weigh(oracles::Values weights) {
        m_weights = std::move(weights);
        return *this;
    }

    LossAnswer run() {
        LossAnswer answer;
        const auto loss = LossLowering::make(m_loss, m_prediction.form.extents);
        if (!loss)
            return {core::toText(loss.error().front()), {}, {}, 0};
        oracles::GraphRun graph;
        GraphBuilder& build = graph.build();
        build.setScope({"loss", {}, Phase::Forward});
        const core::TensorId p = graph.feed("prediction", m_prediction);
        LossOperands operands{p, graph.feed("target", m_target, TensorRole::Target), {}};
        if (m_weights)
            operands.weight = graph.feed("weight", *m_weights, TensorRole::Target);
        const core::TensorId values = loss->add(build, operands, loss->attributes().fromLogits).value();
        const GradientSeed seed{values, build.constant(1, build.extents(values), core::DataType::Float32)};
        const auto gradients = differentiate(build, std::span(&seed, 1), std::span(&p, 1));
        if (!gradients)
            return {core::toText(gradients.error().front()), {}, {}, 0};
        const core::TensorId gradient = sumOfParts(build, *gradients, p);
        if (const auto result = graph.run({values, gradient}); !result)
            return {core::toText(result.error().front()), {}, {}, 0};
        answer.values = graph.read(values);
        answer.gradient = graph.read(gradient);
        constexpr float step = 1.0F / 256;
        for (std::size_t i = 0; i < m_prediction.data.size(); ++i) {
            const auto at = [&](float by) {
                std::vector<float> moved = m_prediction.data;
                moved[i] += by;
                graph.write(p, moved);
                graph.rerun();
                double sum = 0;
                for (const float value : graph.read(values))
                    sum += static_cast<double>(value);
                return sum;
            };
            const double expected = (at(step) - at(-step)) / (2.0 * static_cast<double>(step));
            const double scale = std::max(1.0, std::abs(expected));
            answer.worst =
                std::max(answer.worst, std::abs(expected - static_cast<double>(answer.gradient[i])) / scale);
        }
        return answer;
    }

private:
    core::KerasObject m_loss;
    oracles::Values m_prediction;
    oracles::Values m_target;
    std::optional<oracles::Values> m_weights;
};

oracles::Values matrix(const Rows& rows) {
    std::vector<float> data;
    for (const Row& row : rows)
        for (const double value : row)
            data.push_back(static_cast<float>(value));
    return tests::valuesOf(
        {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size())}, std::move(data));
}

double meanOf(const Row& p, const Row& t, const std::function<double(double, double)>& function) {
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
        sum += function(p[i], t[i]);
    return sum / static_cast<double>(p.size());
}
double sumOf(const Row& row) {
    double sum = 0;
    for (const double value : row)
        sum += value;
    return sum;
}
Row softmax(const Row& logits) {
    Row result;
    for (const double x : logits)
        result.push_back(std::exp(x));
    const double sum = sumOf(result);
    for (double& x : result)
        x /= sum;
    return result;
}
double logistic(double x) {
    return 1 / (1 + std::exp(-x));
}
double crossEntropy(const Row& q, const Row& t) {
    double value = 0;
    for (std::size_t i = 0; i < q.size(); ++i)
        value -= t[i] * std::log(q[i]);
    return value;
}
/// The class numbers as rows of zeros with a one.
Rows oneHot(const std::vector<float>& classes, std::size_t width) {
    Rows rows;
    for (const float number : classes) {
        rows.emplace_back(width, 0.0);
        rows.back()[static_cast<std::size_t>(number)] = 1;
    }
    return rows;
}

const Rows probabilities{{0.1, 0.6, 0.3}, {0.5, 0.25, 0.25}};
const Rows classTargets{{0, 1, 0}, {0, 0, 1}};
const Rows shares{{0.2, 0.5, 0.3}, {0.7, 0.1, 0.2}};
const Rows logits{{0.5, -1.25, 2}, {-0.75, 0.25, 1.5}};
const Rows marks{{1, 0, 1}, {0, 1, 1}};

struct LossRow {
    const char* name;
    core::KerasObject loss;
    Rows prediction;
    Rows target;
    Formula formula;
};

std::vector<LossRow> lossRows() {
    const auto element = [](std::function<double(double, double)> function) {
        return [function](const Row& p, const Row& t) { return meanOf(p, t, function); };
    };
    const auto focal = [](double p, double t) {
        const double hit = t * p + (1 - t) * (1 - p);
        const double entropy = -(t * std::log(p) + (1 - t) * std::log(1 - p));
        return (1 - hit) * (1 - hit) * (1 - hit) * entropy;
    };
    return {
        {"mean squared error", {"MeanSquaredError", {}}, logits, shares, element([](double p, double t) {
             return (p - t) * (p - t);
         })},
        {"mean absolute error", {"MeanAbsoluteError", {}}, logits, shares, element([](double p, double t) {
             return std::abs(p - t);
         })},
        {"mean absolute percentage error",
         {"MeanAbsolutePercentageError", {}},
         logits,
         shares,
         element([](double p, double t) { return 100 * std::abs(p - t) / t; })},
        {"mean squared logarithmic error",
         {"MeanSquaredLogarithmicError", {}},
         probabilities,
         shares,
         element([](double p, double t) { return std::pow(std::log(1 + p) - std::log(1 + t), 2); })},
        {"binary cross-entropy",
         {"BinaryCrossentropy", {}},
         probabilities,
         marks,
         element([](double p, double t) { return -(t * std::log(p) + (1 - t) * std::log(1 - p)); })},
        {"binary cross-entropy of logits, smoothed",
         {"BinaryCrossentropy", {{"from_logits", true}, {"label_smoothing", 0.2}}},
         logits,
         marks,
         element([](double x, double t) {
             const double wanted = t * 0.8 + 0.1;
             return -(wanted * std::log(logistic(x)) + (1 - wanted) * std::log(1 - logistic(x)));
         })},
        {"binary focal cross-entropy",
         {"BinaryFocalCrossentropy", {{"gamma", 3}}},
         probabilities,
         marks,
         element(focal)},
        {"binary focal cross-entropy of balanced classes",
         {"BinaryFocalCrossentropy",
          {{"gamma", 3}, {"apply_class_balancing", true}, {"alpha", 0.4}, {"from_logits", true}}},
         logits,
         marks,
         element([focal](double x, double t) { return (t * 0.4 + (1 - t) * 0.6) * focal(logistic(x), t); })},
        {"categorical cross-entropy",
         {"CategoricalCrossentropy", {}},
         probabilities,
         classTargets,
         crossEntropy},
        {"categorical cross-entropy of logits, smoothed",
         {"CategoricalCrossentropy", {{"from_logits", true}, {"label_smoothing", 0.3}}},
         logits,
         classTargets,
         [](const Row& x, Row t) {
             for (double& value : t)
                 value = value * 0.7 + 0.1;
             return crossEntropy(softmax(x), t);
         }},
        {"categorical focal cross-entropy",
         {"CategoricalFocalCrossentropy", {{"alpha", 0.3}}},
         probabilities,
         classTargets,
         [](const Row& p, const Row& t) {
             double value = 0;
             for (std::size_t i = 0; i < p.size(); ++i)
                 value -= 0.3 * (1 - p[i]) * (1 - p[i]) * t[i] * std::log(p[i]);
             return value;
         }},
        {"Kullback-Leibler divergence",
         {"KLDivergence", {}},
         probabilities,
         shares,
         [](const Row& p, const Row& t) {
             double value = 0;
             for (std::size_t i = 0; i < p.size(); ++i)
                 value += t[i] * std::log(t[i] / p[i]);
             return value;
         }},
        {"Poisson", {"Poisson", {}}, probabilities, shares, element([](double p, double t) {
             return p - t * std::log(p);
         })},
        {"logarithm of the hyperbolic cosine",
         {"LogCosh", {}},
         logits,
         shares,
         element([](double p, double t) { return std::log(std::cosh(p - t)); })},
        {"cosine similarity",
         {"CosineSimilarity", {}},
         logits,
         shares,
         [](const Row& p, const Row& t) {
             double pp = 0;
             double tt = 0;
             double pt = 0;
             for (std::size_t i = 0; i < p.size(); ++i) {
                 pp += p[i] * p[i];
                 tt += t[i] * t[i];
                 pt += p[i] * t[i];
             }
             return -pt / std::sqrt(pp * tt);
         }},
        {"Huber", {"Huber", {{"delta", 0.75}}}, logits, shares, element([](double p, double t) {
             const double e = std::abs(p - t);
             return e < 0.75 ? e * e / 2 : 0.75 * e - 0.75 * 0.75 / 2;
         })},
        {"hinge", {"Hinge", {}}, logits, marks, element([](double p, double t) {
             return std::max(0.0, 1 - (2 * t - 1) * p);
         })},
        {"squared hinge", {"SquaredHinge", {}}, logits, marks, element([](double p, double t) {
             return std::pow(std::max(0.0, 1 - (2 * t - 1) * p), 2);
         })},
        {"categorical hinge",
         {"CategoricalHinge", {}},
         logits,
         classTargets,
         [](const Row& p, const Row& t) {
             double right = 0;
             double wrong = -1e9;
             for (std::size_t i = 0; i < p.size(); ++i) {
                 right += p[i] * t[i];
                 wrong = std::max(wrong, p[i] * (1 - t[i]));
             }
             return std::max(0.0, wrong - right + 1);
         }},
        {"Dice of each sample",
         {"Dice", {{"axis", 1}}},
         probabilities,
         marks,
         [](const Row& p, const Row& t) {
             double both = 0;
             for (std::size_t i = 0; i < p.size(); ++i)
                 both += p[i] * t[i];
             return 1 - 2 * both / (sumOf(p) + sumOf(t) + 1e-7);
         }},
        {"Tversky of each sample",
         {"Tversky", {{"axis", {-1}}, {"alpha", 0.3}, {"beta", 0.6}}},
         probabilities,
         marks,
         [](const Row& p, const Row& t) {
             double both = 0;
             double missed = 0;
             double wrong = 0;
             for (std::size_t i = 0; i < p.size(); ++i) {
                 both += p[i] * t[i];
                 missed += t[i] * (1 - p[i]);
                 wrong += p[i] * (1 - t[i]);
             }
             return 1 - both / (both + 0.3 * missed + 0.6 * wrong + 1e-7);
         }},
    };
}

void compare(double found, double expected) {
    QVERIFY2(std::abs(found - expected) <= 2e-6 + 2e-5 * std::abs(expected),
             qPrintable(QString("%1, expected %2").arg(found, 0, 'g', 9).arg(expected, 0, 'g', 9)));
}

} // namespace

Q_DECLARE_METATYPE(LossRow)

/// Losses by their formulas on small numbers, their axes, and their gradients.
class LossesTest : public QObject {
    Q_OBJECT

private slots:
    void everyLossIsItsFormula_data() {
        QTest::addColumn<LossRow>("row");
        for (const LossRow& row : lossRows())
            QTest::newRow(row.name) << row;
    }

    void everyLossIsItsFormula() {
        QFETCH(LossRow, row);
        row.loss.config["reduction"] = "none";
        const LossAnswer each = LossProbe(row.loss, matrix(row.prediction), matrix(row.target)).run();
        QVERIFY2(each.error.empty(), each.error.c_str());
        QCOMPARE(each.values.size(), row.prediction.size());
        double sum = 0;
        for (std::size_t i = 0; i < row.prediction.size(); ++i) {
            const double expected = row.formula(row.prediction[i], row.target[i]);
            compare(static_cast<double>(each.values[i]), expected);
            sum += expected * (i == 0 ? 0.5 : 2);
        }
        QVERIFY2(each.worst < 4e-3, qPrintable(QString::number(each.worst)));
        for (const char* reduction : {"sum", "sum_over_batch_size"}) {
            row.loss.config["reduction"] = reduction;
            const LossAnswer all = LossProbe(row.loss, matrix(row.prediction), matrix(row.target))
                                       .weigh(tests::valuesOf({2}, {0.5F, 2}))
                                       .run();
            QVERIFY2(all.error.empty(), all.error.c_str());
            compare(static_cast<double>(all.values.front()), std::string(reduction) == "sum" ? sum : sum / 2);
            QVERIFY2(all.worst < 4e-3, qPrintable(QString::number(all.worst)));
        }
    }

    /// All that the table above has no row for.
    void everyLossHasARow() {
        std::set<std::string> seen{"SparseCategoricalCrossentropy", "Circle"};
        for (const LossRow& row : lossRows())
            seen.insert(row.loss.className);
        for (const core::LossDefinition& definition : core::losses())
            QVERIFY2(definition.parameter("model") != nullptr ||
                         seen.contains(std::string(definition.className)),
                     definition.className.data());
    }

    void sparseTargetsAreOneHotOnes() {
        const std::vector<float> classes{2, 0};
        const auto target = tests::valuesOf({2}, classes, core::DataType::Int32);
        for (const bool fromLogits : {false, true}) {
            const Rows& shown = fromLogits ? logits : probabilities;
            const Json config{{"from_logits", fromLogits}, {"reduction", "none"}};
            const LossAnswer answer =
                LossProbe({"SparseCategoricalCrossentropy", config}, matrix(shown), target).run();
            const Rows wanted = oneHot(classes, 3);
            for (std::size_t i = 0; i < 2; ++i)
                compare(static_cast<double>(answer.values[i]),
                        crossEntropy(fromLogits ? softmax(shown[i]) : shown[i], wanted[i]));
            QVERIFY2(answer.worst < 4e-3, qPrintable(QString::number(answer.worst)));
        }
        const Json ignoring{{"from_logits", true}, {"reduction", "none"}, {"ignore_class", 2}};
        const LossAnswer ignored =
            LossProbe({"SparseCategoricalCrossentropy", ignoring}, matrix(logits), target).run();
        QCOMPARE(ignored.values[0], 0.0F);
        QCOMPARE(ignored.gradient[0], 0.0F);
        QVERIFY(ignored.values[1] > 0);
    }

    void diceAndTverskyRunOverEverythingUnlessAxesAreNamed() {
        // Σt = 4, Σp = 2.
        const Rows p{{0.1, 0.6, 0.3}, {0.5, 0.25, 0.25}};
        const Rows t{{1, 1, 0}, {1, 0, 1}};
        const auto value = [&](const char* name, const Json& config) {
            return static_cast<double>(LossProbe({name, config}, matrix(p), matrix(t)).run().values.front());
        };
        const double both = 0.1 + 0.6 + 0.5 + 0.25;
        compare(value("Dice", Json::object()), 1 - 2 * both / 6);
        compare(value("Tversky", Json::object()), 1 - both / (both + 0.5 * (4 - both) + 0.5 * (2 - both)));
        compare(value("Tversky", {{"alpha", 1}, {"beta", 0}}), 1 - both / 4);
        // Along the samples: one value for each of the three columns, then their mean.
        const Row columns{0.6 * 2 / (0.6 + 2), 0.6 * 2 / (0.85 + 1), 0.25 * 2 / (0.55 + 1)};
        compare(value("Dice", {{"axis", 0}}), 1 - sumOf(columns) / 3);
        const LossAnswer weighed = LossProbe({"Dice", Json::object()}, matrix(p), matrix(t))
                                       .weigh(tests::valuesOf({2}, {1, 3}))
                                       .run();
        compare(static_cast<double>(weighed.values.front()), 2 * (1 - 2 * both / 6));
        QVERIFY(weighed.worst < 4e-3);
    }

    void circlePullsClassesTogetherAndOthersApart_data() {
        QTest::addColumn<bool>("removesDiagonal");
        QTest::newRow("without the samples themselves") << true;
        QTest::newRow("with them") << false;
    }

    void circlePullsClassesTogetherAndOthersApart() {
        QFETCH(bool, removesDiagonal);
        // Unit vectors of the classes 0, 0, 1 and 2: the last two have no partner.
        const Rows p{{0.6, 0.8}, {0.8, 0.6}, {0, 1}, {1, 0}};
        const std::vector<int> classes{0, 0, 1, 2};
        constexpr double gamma = 4;
        constexpr double margin = 0.25;
        double sum = 0;
        int counted = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            double near = 0;
            double far = 0;
            for (std::size_t j = 0; j < 4; ++j) {
                const double d = std::max(0.0, 1 - p[i][0] * p[j][0] - p[i][1] * p[j][1]);
                if (classes[i] != classes[j])
                    far += std::exp(gamma * std::max(0.0, 1 + margin - d) * (1 - margin - d));
                else if (i != j || !removesDiagonal)
                    near += std::exp(-gamma * (margin + d) * (margin - d));
            }
            if (near == 0)
                continue;
            ++counted;
            sum += std::log(1 + std::exp(std::log(near) + std::log(far)));
        }
        QCOMPARE(counted, removesDiagonal ? 2 : 4);
        const Json config{{"gamma", gamma}, {"margin", margin}, {"remove_diagonal", removesDiagonal}};
        const auto target = tests::valuesOf({4}, {0, 0, 1, 2}, core::DataType::Int32);
        const LossAnswer answer = LossProbe({"Circle", config}, matrix(p), target).run();
        QVERIFY2(answer.error.empty(), answer.error.c_str());
        compare(static_cast<double>(answer.values.front()), sum / counted);
        QVERIFY(std::isfinite(answer.gradient[5]));
        // Away from d = 0, where the distance has a kink.
        if (removesDiagonal)
            QVERIFY2(answer.worst < 1e-2, qPrintable(QString::number(answer.worst)));
    }

    void anotherAxisIsTheLastOneAfterTurningTheOperands() {
        // [2 samples, 3 classes, 2 positions].
        const std::vector<float> p{0.1F, 0.5F, 0.6F, 0.2F, 0.3F, 0.3F, 0.2F, 0.4F, 0.7F, 0.1F, 0.1F, 0.5F};
        const std::vector<float> t{0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1};
        const auto at = [](const std::vector<float>& values, std::size_t sample, std::size_t position) {
            Row row;
            for (std::size_t k = 0; k < 3; ++k)
                row.push_back(static_cast<double>(values[sample * 6 + k * 2 + position]));
            return row;
        };
        const Json config{{"axis", 1}, {"reduction", "none"}};
        const LossAnswer dense = LossProbe({"CategoricalCrossentropy", config}, tests::valuesOf({2, 3, 2}, p),
                                           tests::valuesOf({2, 3, 2}, t))
                                     .run();
        const LossAnswer classes =
            LossProbe({"SparseCategoricalCrossentropy", config}, tests::valuesOf({2, 3, 2}, p),
                      tests::valuesOf({2, 2}, {1, 0, 1, 2}, core::DataType::Int32))
                .run();
        const LossAnswer cosine = LossProbe({"CosineSimilarity", config}, tests::valuesOf({2, 3, 2}, p),
                                            tests::valuesOf({2, 3, 2}, t))
                                      .run();
        QCOMPARE(dense.values.size(), std::size_t(4));
        for (std::size_t sample = 0; sample < 2; ++sample)
            for (std::size_t position = 0; position < 2; ++position) {
                const Row q = at(p, sample, position);
                const Row wanted = at(t, sample, position);
                const std::size_t index = sample * 2 + position;
                compare(static_cast<double>(dense.values[index]), crossEntropy(q, wanted));
                compare(static_cast<double>(classes.values[index]), crossEntropy(q, wanted));
                double length = 0;
                double along = 0;
                for (std::size_t k = 0; k < 3; ++k) {
                    length += q[k] * q[k];
                    along += q[k] * wanted[k];
                }
                compare(static_cast<double>(cosine.values[index]), -along / std::sqrt(length));
            }
        QVERIFY(dense.worst < 4e-3 && classes.worst < 4e-3 && cosine.worst < 4e-3);
    }

    void refusesAxesThatAreNotThere_data() {
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("too high") << QByteArray(R"({"axis": 2})") << QByteArray("give an axis from -2 to 1");
        QTest::newRow("too low") << QByteArray(R"({"axis": [-3]})") << QByteArray("have 2 axes");
        QTest::newRow("twice") << QByteArray(R"({"axis": [1, -1]})") << QByteArray("names an axis twice");
        QTest::newRow("none") << QByteArray(R"({"axis": []})") << QByteArray("names no axis");
    }

    void refusesAxesThatAreNotThere() {
        QFETCH(QByteArray, config);
        QFETCH(QByteArray, message);
        const auto loss = LossLowering::make({"Dice", Json::parse(config.toStdString())}, {4, 3});
        QVERIFY(!loss);
        const QByteArray text = QByteArray::fromStdString(core::toText(loss.error().front()));
        QVERIFY2(text.contains(message), text.constData());
        const auto circle = LossLowering::make({"Circle", Json::object()}, {4, 3, 2});
        QVERIFY(!circle);
    }

    void noSamplesAreNoLoss() {
        for (const core::LossDefinition& definition : core::losses()) {
            if (definition.parameter("model") != nullptr)
                continue; // what it gives is its model's
            const bool isDense = definition.target == core::TargetForm::Dense;
            const LossAnswer answer = LossProbe({std::string(definition.className), {{"reduction", "sum"}}},
                                                tests::valuesOf({0, 3}, {}),
                                                isDense ? tests::valuesOf({0, 3}, {})
                                                        : tests::valuesOf({0}, {}, core::DataType::Int32))
                                          .run();
            QVERIFY2(answer.error.empty(), answer.error.c_str());
            QCOMPARE(answer.values.size(), std::size_t(1));
            QVERIFY2(std::isfinite(answer.values.front()), definition.className.data());
        }
    }
};

REGISTER_TEST("losses", LossesTest)
#include "losses_test.moc"
