#include "tests/support/numerics/layer_probe.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

using Floats = std::vector<float>;

/// Two channels of 2 × 4 pixels, the second of one level only.
Floats equalized(core::Json config, bool training, float unit = 1, float least = 0) {
    Floats pixels;
    for (const float level : {0.0F, 0.0F, 0.0F, 1.0F, 1.0F, 2.0F, 3.0F, 3.0F}) {
        pixels.push_back(least + unit * level);
        pixels.push_back(least + unit * 2);
    }
    config["bins"] = 4;
    const tests::ProbeAnswer answer = tests::probe({.className = "Equalization",
                                                    .config = std::move(config),
                                                    .inputs = {tests::valuesOf({1, 2, 4, 2}, pixels)},
                                                    .training = training});
    return answer.error.empty() ? answer.outputs.at(0) : Floats{};
}

} // namespace

class AugmentationLayersTest : public QObject {
    Q_OBJECT

private slots:
    /// Counts 3, 2, 1, 2; a step of (8 − 2) / 3 = 2 pixels a level; levels (1, 4, 6, 7) / 2.
    void equalizationMakesLevelsEquallyFrequent() {
        QCOMPARE(equalized({{"value_range", {0, 3}}}, true),
                 (Floats{0, 2, 0, 2, 0, 2, 2, 2, 2, 2, 3, 2, 3, 2, 3, 2}));
    }

    void equalizationKeepsTheRangeOfValues() {
        const Floats shifted = equalized({{"value_range", {-1, 0.5}}}, true, 0.5F, -1);
        const Floats plain = equalized({{"value_range", {0, 3}}}, true);
        QCOMPARE(shifted.size(), plain.size());
        for (std::size_t i = 0; i < plain.size(); ++i)
            QCOMPARE(shifted[i], -1 + 0.5F * plain[i]);
    }

    void equalizationIsForTrainingOnly() {
        QCOMPARE(equalized({{"value_range", {0, 3}}}, false),
                 (Floats{0, 2, 0, 2, 0, 2, 1, 2, 1, 2, 2, 2, 3, 2, 3, 2}));
    }
};

REGISTER_TEST("augmentation_layers", AugmentationLayersTest)
#include "augmentation_layers_test.moc"
