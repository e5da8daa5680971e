#include "core/catalogue/losses.h"
#include "core/catalogue/optimizers.h"
#include "simulator/catalogue/loss_formulas.h"
#include "simulator/catalogue/loss_settings.h"
#include "simulator/catalogue/metric_formulas.h"
#include "simulator/catalogue/optimizer_formulas.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <cmath>

using core::Json;

namespace {

const simulator::OptimizerKernel* kernelNamed(std::string_view name) {
    const auto& rows = simulator::kernels().optimizer.rows;
    const auto found = std::ranges::find(rows, name, &simulator::OptimizerKernel::name);
    return found == rows.end() ? nullptr : &*found;
}

/// The settings of a class with all its switches, and momentum, on or off.
core::KerasObject configured(const core::OptimizerDefinition& definition, bool on) {
    core::KerasObject object{std::string(definition.className), Json::object()};
    for (const core::KerasParameter& key : definition.parameters) {
        if (key.type == core::KerasParameterType::Switch)
            object.config[std::string(key.name)] = on;
        if (key.name == "momentum")
            object.config["momentum"] = on ? 0.5 : 0.0;
    }
    return object;
}

/// Keras' Nadam, by its definition: the product of all momenta so far.
double nadamGradientShare(double t) {
    const auto momentum = [](double step) { return 0.9 * (1 - 0.5 * std::pow(0.96, 0.004 * step)); };
    double product = 1;
    for (double step = 1; step <= t; ++step)
        product *= momentum(step);
    return (1 - momentum(t)) / (1 - product);
}

} // namespace

class TrainingCataloguesTest : public QObject {
    Q_OBJECT

private slots:
    void everyOptimizerHasAPriceAFormulaAndAKernel() {
        for (const core::OptimizerDefinition& definition : core::optimizers()) {
            const char* name = definition.className.data();
            const simulator::OptimizerFormula* formula =
                simulator::findOptimizerFormula(definition.className);
            QVERIFY2((formula != nullptr) != definition.wrapsAnother, name);
            if (formula == nullptr)
                continue;
            QVERIFY2(formula->price.sums > 0, name);
            QVERIFY2(formula->scalesByTrustRatio == (formula->price.norms > 0), name);
            for (const bool on : {false, true}) {
                const auto values = simulator::readHyperparameters(configured(definition, on));
                QVERIFY2(values, name);
                const simulator::OptimizerSettings settings(definition, *values);
                const simulator::OptimizerKernel* kernel = kernelNamed(formula->kernel(settings));
                QVERIFY2(kernel != nullptr, name);
                QVERIFY2(kernel->update != nullptr, name);
                QVERIFY2((kernel->moments != nullptr) == formula->scalesByTrustRatio, name);
                QVERIFY2(std::isfinite(formula->factors(settings, 0.01, 3).rate), name);
                QVERIFY2(simulator::activeSlots(definition, *values).size() <= definition.slotVariables.size(), name);
            }
        }
        for (const simulator::OptimizerFormula& formula : simulator::optimizerFormulas())
            QVERIFY2(core::findOptimizer(formula.className) != nullptr, formula.className.data());
    }

    void anOptimizerWithoutAFormulaIsRefused() {
        for (const char* name : {"Sophia", "Adamm", "LossScaleOptimizer"}) {
            const auto values = simulator::readHyperparameters({name, Json::object()});
            QVERIFY2(!values, name);
            QCOMPARE(values.error().front().code, std::string("training/unknown-optimizer"));
        }
        const auto near = simulator::readHyperparameters({"Adamm", Json::object()});
        QCOMPARE(near.error().front().hints.front(), std::string("did you mean \"Adam\"?"));
    }

    void decayOfTheWeightsIsPricedBesideAdam() {
        const simulator::OptimizerPrice& adam = simulator::optimizerFormula("Adam").price;
        const simulator::OptimizerPrice& decayed = simulator::optimizerFormula("AdamW").price;
        QCOMPARE(decayed.sums, adam.sums + 1);
        QCOMPARE(decayed.squareRoots, adam.squareRoots);
    }

    void slotsAreThoseThatTheConfigAsksFor() {
        const core::OptimizerDefinition& rmsprop = *core::findOptimizer("rmsprop");
        const auto slotNames = [&](bool on) {
            std::vector<std::string> names;
            const auto values = simulator::readHyperparameters(configured(rmsprop, on));
            for (const simulator::ActiveSlot& slot : simulator::activeSlots(rmsprop, *values))
                names.emplace_back(slot.name);
            return names;
        };
        QCOMPARE(slotNames(false), (std::vector<std::string>{"rms"}));
        QCOMPARE(slotNames(true), (std::vector<std::string>{"rms", "momentum", "mg"}));
        const core::OptimizerDefinition& adagrad = *core::findOptimizer("Adagrad");
        const auto values =
            simulator::readHyperparameters({"Adagrad", {{"initial_accumulator_value", 0.25}}});
        QCOMPARE(simulator::activeSlots(adagrad, *values).front().initialValue, 0.25);
    }

    void nadamFollowsItsMomentaInAnyOrderOfUpdates() {
        const core::OptimizerDefinition& nadam = *core::findOptimizer("Nadam");
        const auto values = simulator::readHyperparameters({"Nadam", Json::object()});
        const simulator::OptimizerSettings settings(nadam, *values);
        for (const double t : {1.0, 2.0, 40.0, 40.0, 7.0, 500.0}) {
            const auto factors = simulator::optimizerFormula("Nadam").factors(settings, 0.001, t);
            QCOMPARE(factors.gradientShare, static_cast<float>(nadamGradientShare(t)));
        }
    }

    void everyLossHasAPriceAndAFormula() {
        for (const core::LossDefinition& definition : core::losses()) {
            const char* name = definition.className.data();
            const simulator::LossFormula* formula = simulator::findLossFormula(definition.className);
            QVERIFY2(formula != nullptr, name);
            QVERIFY2((formula->value == nullptr) == (formula->gradient == nullptr), name);
            QVERIFY2(formula->isComposed() == (formula->price.forward == 0), name);
            QVERIFY2(formula->isComposed() == (formula->price.gradient == 0), name);
            for (const core::LossNumber& number : {definition.first, definition.second}) {
                QVERIFY2(number.key.empty() || definition.parameter(number.key) != nullptr, name);
                QVERIFY2(number.onlyWith.empty() || definition.parameter(number.onlyWith) != nullptr, name);
            }
        }
        for (const simulator::LossFormula& formula : simulator::lossFormulas())
            QVERIFY2(core::findLoss(formula.className) != nullptr, formula.className.data());
    }

    void everyMetricHasAFormulaOrIsTheMeanOfALoss() {
        for (const core::MetricDefinition& definition : core::metrics()) {
            const char* name = definition.className.data();
            const simulator::MetricFormula* formula = simulator::findMetricFormula(definition.className);
            const bool isOfItsOwn = definition.choiceEnding.empty() && definition.loss.empty();
            QVERIFY2((formula != nullptr) == isOfItsOwn, name);
            QVERIFY2(definition.loss.empty() || core::findLoss(definition.loss) != nullptr, name);
            QVERIFY2(definition.number.key.empty() || definition.parameter(definition.number.key) != nullptr,
                     name);
            if (formula == nullptr)
                continue;
            QVERIFY2(formula->price.resultsPerRow > 0 && formula->price.comparesPerSample > 0, name);
            QVERIFY2(!formula->price.passesAreParameter || !definition.number.key.empty(), name);
            QVERIFY2((formula->ofSample == nullptr) == (formula->addUp != nullptr), name);
            QVERIFY2((formula->addUp != nullptr) == (formula->ofSums != nullptr), name);
            QVERIFY2((formula->addUp != nullptr) == (definition.sums != core::MetricSums::Mean), name);
        }
        for (const simulator::MetricFormula& formula : simulator::metricFormulas())
            QVERIFY2(core::findMetric(formula.className) != nullptr, formula.className.data());
    }

    void aMetricThatLooksOnceAtEveryPredictionHasTheSharedPrice() {
        for (const core::MetricDefinition& definition : core::metrics()) {
            const simulator::MetricPrice price = simulator::priceOfMetric(definition.className);
            QVERIFY2((price == simulator::sharedReduction) == (definition.className != "AUC"),
                     definition.className.data());
        }
    }

    void everyChoiceOfKerasHasItsThreeClasses() {
        for (const core::MetricDefinition& definition : core::metrics()) {
            if (definition.choiceEnding.empty())
                continue;
            for (const char* beginning : {"Binary", "Categorical", "SparseCategorical"})
                QVERIFY(core::metricCatalogue().find(
                            std::string(beginning).append(definition.choiceEnding)) != nullptr);
        }
    }

    void aNullIgnoredClassIgnoresNone() {
        const auto loss = simulator::readLoss({"SparseCategoricalCrossentropy", {{"ignore_class", nullptr}}});
        QVERIFY(loss->parameter < 0);
        QCOMPARE(simulator::readLoss({"BinaryFocalCrossentropy", Json::object()})->secondParameter, 0.0);
        QCOMPARE(simulator::readLoss({"BinaryFocalCrossentropy", {{"apply_class_balancing", true}}})
                     ->secondParameter,
                 0.25);
    }
};

REGISTER_TEST("training_catalogues", TrainingCataloguesTest)
#include "training_catalogues_test.moc"
