#include "simulator/compiler/lowering/weight_update.h"
#include "simulator/numerics/sequence/operation_sequence.h"
#include "simulator/numerics/sequence/tensor_store.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <cmath>

using namespace simulator;
using core::Json;

namespace {

/// One weight under an optimizer: its slots by position, and what an update makes of it. Written from the
/// formulas of Keras 2, in double precision.
struct Scalar {
    double weight = 0;
    double a = 0;
    double b = 0;
    double c = 0;
    /// Product of Nadam's momenta.
    double product = 1;
};
using UpdateFormula = void (*)(Scalar& s, double g, double t);

constexpr double rate = 0.01;

void sgd(Scalar& s, double g, double) {
    s.weight -= rate * g;
}
void momentum(Scalar& s, double g, double) {
    s.a = 0.9 * s.a - rate * g;
    s.weight += s.a;
}
void nesterov(Scalar& s, double g, double) {
    s.a = 0.9 * s.a - rate * g;
    s.weight += 0.9 * s.a - rate * g;
}
/// Of TensorFlow 1.
void unscaledMomentum(Scalar& s, double g, double) {
    s.a = 0.9 * s.a + g;
    s.weight -= rate * s.a;
}
void unscaledNesterov(Scalar& s, double g, double) {
    s.a = 0.9 * s.a + g;
    s.weight -= rate * g + rate * 0.9 * s.a;
}
void olderRmsprop(Scalar& s, double g, double t) {
    s.a = 0.8 * (t == 1 ? 1 : s.a) + 0.2 * g * g;
    s.weight -= rate * g / std::sqrt(s.a + 1e-5);
}
void olderRmspropCenteredMomentum(Scalar& s, double g, double t) {
    s.a = 0.8 * (t == 1 ? 1 : s.a) + 0.2 * g * g;
    s.c = 0.8 * s.c + 0.2 * g;
    s.b = 0.7 * s.b + rate * g / std::sqrt(s.a - s.c * s.c + 1e-5);
    s.weight -= s.b;
}
void rmsprop(Scalar& s, double g, double) {
    s.a = 0.8 * s.a + 0.2 * g * g;
    s.weight -= rate * g / (std::sqrt(s.a) + 1e-5);
}
void rmspropMomentum(Scalar& s, double g, double) {
    s.a = 0.8 * s.a + 0.2 * g * g;
    s.b = 0.7 * s.b + rate * g / std::sqrt(s.a + 1e-5);
    s.weight -= s.b;
}
void rmspropCentered(Scalar& s, double g, double) {
    s.a = 0.8 * s.a + 0.2 * g * g;
    s.c = 0.8 * s.c + 0.2 * g;
    s.weight -= rate * g / (std::sqrt(s.a - s.c * s.c) + 1e-5);
}
void rmspropCenteredMomentum(Scalar& s, double g, double) {
    s.a = 0.8 * s.a + 0.2 * g * g;
    s.c = 0.8 * s.c + 0.2 * g;
    s.b = 0.7 * s.b + rate * g / std::sqrt(s.a - s.c * s.c + 1e-5);
    s.weight -= s.b;
}
double adamStep(Scalar& s, double g, double t, bool amsgrad) {
    s.a = 0.9 * s.a + 0.1 * g;
    s.b = 0.999 * s.b + 0.001 * g * g;
    s.c = std::max(s.c, s.b);
    const double corrected = rate * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t));
    return corrected * s.a / (std::sqrt(amsgrad ? s.c : s.b) + 1e-7);
}
void adam(Scalar& s, double g, double t) {
    s.weight -= adamStep(s, g, t, false);
}
void amsgrad(Scalar& s, double g, double t) {
    s.weight -= adamStep(s, g, t, true);
}
void adamw(Scalar& s, double g, double t) {
    s.weight -= rate * 0.05 * s.weight;
    s.weight -= adamStep(s, g, t, false);
}
void lion(Scalar& s, double g, double) {
    const double direction = 0.9 * s.a + 0.1 * g;
    s.a = 0.99 * s.a + 0.01 * g;
    s.weight -= rate * 0.05 * s.weight;
    s.weight -= direction == 0 ? 0 : std::copysign(rate, direction);
}
void adamax(Scalar& s, double g, double t) {
    s.a = 0.9 * s.a + 0.1 * g;
    s.b = std::max(0.999 * s.b, std::abs(g));
    s.weight -= rate / (1 - std::pow(0.9, t)) * s.a / (s.b + 1e-7);
}
void nadam(Scalar& s, double g, double t) {
    const auto share = [](double step) { return 0.9 * (1 - 0.5 * std::pow(0.96, 0.004 * step)); };
    s.product *= share(t);
    s.a = 0.9 * s.a + 0.1 * g;
    s.b = 0.999 * s.b + 0.001 * g * g;
    const double bar =
        (1 - share(t)) * g / (1 - s.product) + share(t + 1) * s.a / (1 - s.product * share(t + 1));
    s.weight -= rate * bar / (std::sqrt(s.b / (1 - std::pow(0.999, t))) + 1e-7);
}
void adagrad(Scalar& s, double g, double) {
    s.a = (s.a == 0 ? 0.1 : s.a) + g * g;
    s.weight -= rate * g / (std::sqrt(s.a) + 1e-7);
}
void adadelta(Scalar& s, double g, double) {
    s.a = 0.9 * s.a + 0.1 * g * g;
    const double update = std::sqrt(s.b + 1e-6) / std::sqrt(s.a + 1e-6) * g;
    s.b = 0.9 * s.b + 0.1 * update * update;
    s.weight -= rate * update;
}
void ftrl(Scalar& s, double g, double t) {
    const double before = t == 1 ? 0.1 : s.a;
    s.a = before + g * g;
    s.b += g - (std::sqrt(s.a) - std::sqrt(before)) / rate * s.weight;
    const double quadratic = std::sqrt(s.a) / rate + 2 * 0.02;
    s.weight = std::abs(s.b) > 0.01 ? (std::copysign(0.01, s.b) - s.b) / quadratic : 0;
}

const std::vector<float> firstWeights{0.5F, -0.25F, 1.5F, 0.0F};

/// Gradients of update t (from 1) that change sign and size.
std::vector<float> gradientsAt(int t) {
    std::vector<float> gradients;
    for (int i = 0; i < 4; ++i)
        gradients.push_back(static_cast<float>(std::sin(1.7 * t + i) * (i + 1) * 0.3));
    return gradients;
}

/// Weights after `updates` updates.
std::vector<float> trained(const core::KerasObject& optimizer, int updates) {
    TrainingGraph graph;
    GraphBuilder build(graph);
    TensorForm form;
    form.extents = {4};
    const core::TensorId gradient = build.tensor("gradient", form, TensorRole::Input);
    const core::TensorId weight = build.tensor("weight", form, TensorRole::Parameter);
    graph.parameters.push_back({weight, {}, {}, {}});
    UpdateOptions options;
    options.optimizer = optimizer;
    if (!addWeightUpdates(build, {{weight, {{{}, gradient}}}}, options))
        return {};
    TensorStore store(graph);
    store.write(weight, firstWeights);
    SequenceRequest request{&graph, {}, store.addresses(), {}};
    for (const Operation& operation : graph.operations)
        request.operations.push_back(operation.id);
    const auto sequence = OperationSequence::make(std::move(request));
    ThreadPool pool(1);
    pool.reserveScratch(sequence->threadScratch());
    StepState state;
    for (state.update = 0; state.update < updates; ++state.update) {
        state.learningRate = learningRateAt(graph.learningRate, state.update);
        store.write(gradient, gradientsAt(static_cast<int>(state.update) + 1));
        sequence->run(state, pool);
    }
    return store.read(weight);
}

void compare(const std::vector<float>& results, const std::vector<double>& expected) {
    QCOMPARE(results.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY2(std::abs(static_cast<double>(results[i]) - expected[i]) <=
                     2e-6 * (1 + std::abs(expected[i])),
                 qPrintable(QString("%1, expected %2").arg(results[i]).arg(expected[i])));
}

} // namespace

class OptimizersTest : public QObject {
    Q_OBJECT

private slots:
    void updatesFollowTheFormulas_data() {
        QTest::addColumn<QString>("className");
        QTest::addColumn<QString>("config");
        QTest::addColumn<UpdateFormula>("formula");
        QTest::newRow("sgd") << "SGD"
                             << "{}" << UpdateFormula(sgd);
        QTest::newRow("momentum") << "SGD"
                                  << R"({"momentum": 0.9})" << UpdateFormula(momentum);
        QTest::newRow("nesterov") << "SGD"
                                  << R"({"momentum": 0.9, "nesterov": true})" << UpdateFormula(nesterov);
        const QString rms = R"({"rho": 0.8, "epsilon": 1e-5, "momentum": %1, "centered": %2})";
        QTest::newRow("rmsprop") << "RMSprop" << rms.arg("0", "false") << UpdateFormula(rmsprop);
        QTest::newRow("rmsprop momentum")
            << "RMSprop" << rms.arg("0.7", "false") << UpdateFormula(rmspropMomentum);
        QTest::newRow("rmsprop centered")
            << "RMSprop" << rms.arg("0", "true") << UpdateFormula(rmspropCentered);
        QTest::newRow("rmsprop centered momentum")
            << "RMSprop" << rms.arg("0.7", "true") << UpdateFormula(rmspropCenteredMomentum);
        QTest::newRow("momentum of TensorFlow 1")
            << "SGD"
            << R"({"momentum": 0.9, "unscaled_momentum": true})" << UpdateFormula(unscaledMomentum);
        QTest::newRow("nesterov of TensorFlow 1")
            << "SGD"
            << R"({"momentum": 0.9, "nesterov": true, "unscaled_momentum": true})"
            << UpdateFormula(unscaledNesterov);
        const QString older =
            R"({"rho": 0.8, "epsilon": 1e-5, "momentum": %1, "centered": %2, "epsilon_inside_sqrt": true, "initial_rms": 1})";
        QTest::newRow("rmsprop of TensorFlow 1")
            << "RMSprop" << older.arg("0", "false") << UpdateFormula(olderRmsprop);
        QTest::newRow("rmsprop of TensorFlow 1, centered with momentum")
            << "RMSprop" << older.arg("0.7", "true") << UpdateFormula(olderRmspropCenteredMomentum);
        QTest::newRow("adam") << "Adam"
                              << "{}" << UpdateFormula(adam);
        QTest::newRow("amsgrad") << "Adam"
                                 << R"({"amsgrad": true})" << UpdateFormula(amsgrad);
        QTest::newRow("adamw") << "AdamW"
                               << R"({"weight_decay": 0.05})" << UpdateFormula(adamw);
        QTest::newRow("lion") << "Lion"
                              << R"({"weight_decay": 0.05})" << UpdateFormula(lion);
        QTest::newRow("adamax") << "Adamax"
                                << "{}" << UpdateFormula(adamax);
        QTest::newRow("nadam") << "Nadam"
                               << "{}" << UpdateFormula(nadam);
        QTest::newRow("adagrad") << "Adagrad"
                                 << "{}" << UpdateFormula(adagrad);
        QTest::newRow("adadelta") << "Adadelta"
                                  << R"({"rho": 0.9, "epsilon": 1e-6})" << UpdateFormula(adadelta);
        QTest::newRow("ftrl") << "Ftrl"
                              << R"({"l1_regularization_strength": 0.01, "l2_regularization_strength": 0.02})"
                              << UpdateFormula(ftrl);
    }

    void updatesFollowTheFormulas() {
        QFETCH(QString, className);
        QFETCH(QString, config);
        QFETCH(UpdateFormula, formula);
        constexpr int updates = 6;
        core::KerasObject optimizer{className.toStdString(), *core::parseJson(config.toStdString(), "")};
        optimizer.config["learning_rate"] = rate;
        std::vector<double> expected;
        for (std::size_t i = 0; i < firstWeights.size(); ++i) {
            Scalar scalar{static_cast<double>(firstWeights[i])};
            for (int t = 1; t <= updates; ++t)
                formula(scalar, static_cast<double>(gradientsAt(t)[i]), t);
            expected.push_back(scalar.weight);
        }
        compare(trained(optimizer, updates), expected);
    }

    void lambStepsInProportionToTheWeights() {
        std::vector<double> expected(firstWeights.begin(), firstWeights.end());
        double weights = 0;
        double steps = 0;
        std::vector<double> step;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto g = static_cast<double>(gradientsAt(1)[i]);
            step.push_back(g / (std::abs(g) + 1e-6) + 0.01 * expected[i]);
            weights += expected[i] * expected[i];
            steps += step.back() * step.back();
        }
        for (std::size_t i = 0; i < expected.size(); ++i)
            expected[i] -= rate * std::sqrt(weights / steps) * step[i];
        compare(trained({"LAMB", {{"learning_rate", rate}, {"weight_decay_rate", 0.01}}}, 1), expected);
    }

    void clippingBoundsTheStep_data() {
        QTest::addColumn<QString>("key");
        QTest::newRow("norm") << "clipnorm";
        QTest::newRow("global norm") << "global_clipnorm";
        QTest::newRow("value") << "clipvalue";
    }
    void clippingBoundsTheStep() {
        QFETCH(QString, key);
        core::KerasObject optimizer{"SGD", {{"learning_rate", 1.0}}};
        optimizer.config[key.toStdString()] = 0.2;
        double norm = 0;
        for (const float g : gradientsAt(1))
            norm += static_cast<double>(g) * static_cast<double>(g);
        std::vector<double> expected;
        for (std::size_t i = 0; i < firstWeights.size(); ++i) {
            const auto g = static_cast<double>(gradientsAt(1)[i]);
            const double clipped =
                key == "clipvalue" ? std::clamp(g, -0.2, 0.2) : g * std::min(1.0, 0.2 / std::sqrt(norm));
            expected.push_back(static_cast<double>(firstWeights[i]) - clipped);
        }
        compare(trained(optimizer, 1), expected);
    }

    void weightsDecayByTheirGradients() {
        const core::KerasObject optimizer{"SGD", {{"learning_rate", 0.5}, {"gradient_decay", 0.25}}};
        std::vector<double> expected;
        for (std::size_t i = 0; i < firstWeights.size(); ++i) {
            const auto weight = static_cast<double>(firstWeights[i]);
            expected.push_back(weight - 0.5 * (static_cast<double>(gradientsAt(1)[i]) + 0.25 * weight));
        }
        compare(trained(optimizer, 1), expected);
    }
};

REGISTER_TEST("optimizers", OptimizersTest)
#include "optimizers_test.moc"
