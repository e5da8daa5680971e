// Losses with respect to what was predicted.
#include "simulator/catalogue/loss_formulas.h"
#include "simulator/catalogue/loss_settings.h"
#include "tests/simulator/numerics/gradient_families.h"

#include <algorithm>
#include <cmath>

namespace tests {
namespace {

using namespace simulator;

/// Targets and predictions that lie where the loss is smooth.
void setOperands(RandomOperands& random, const core::LossDefinition& definition, const Loss& loss,
                 GradientCase& one) {
    // Any number of samples, none as well; a class at least.
    Extents extents = random.extents(static_cast<std::size_t>(random.integer(2, 3)));
    extents.back() = std::max<std::int64_t>(1, extents.back());
    const std::int64_t count = elementCount(extents);
    const std::string_view name = definition.className;
    const bool isProbability = (name.find("rossentropy") != std::string_view::npos && !loss.fromLogits) ||
                               name == "KLDivergence" || name == "Poisson" ||
                               name == "MeanSquaredLogarithmicError";
    TestOperand prediction = isProbability ? within(random, extents, 0.1, 0.9) : smooth(random, extents);
    TestOperand target = within(random, extents, 0.1, 0.9, false);
    if (name.find("Hinge") != std::string_view::npos && name != "CategoricalHinge")
        target.values = random.integers(count, 0, 1);
    if (name == "CategoricalHinge") {
        // One class of each row.
        target.values.assign(static_cast<std::size_t>(count), 0);
        for (std::int64_t row = 0; row < count / extents.back(); ++row)
            target.values[static_cast<std::size_t>(row * extents.back() +
                                                   random.integer(0, extents.back() - 1))] = 1;
    }
    if (definition.target == core::TargetForm::Classes) {
        const Extents classes(extents.begin(), extents.end() - 1);
        target = integers(classes, random.integers(elementCount(classes), 0, extents.back() - 1));
    }
    // Absolute errors bend where prediction and target meet: keep them further apart than a difference
    // reaches.
    constexpr float apart = 0.05F;
    for (std::size_t i = 0; name.find("Absolute") != std::string_view::npos && i < target.values.size();
         ++i) {
        if (std::abs(prediction.values[i] - target.values[i]) < apart)
            prediction.values[i] =
                target.values[i] + (prediction.values[i] < target.values[i] ? -apart : apart);
    }
    one.operands = {std::move(prediction), std::move(target)};
    if (loss.weighted)
        one.operands.push_back(within(random, Extents(extents.begin(), extents.end() - 1), 0.5, 2, false));
}

GradientCase lossCase(RandomOperands& random) {
    std::vector<core::LossDefinition> catalogue(core::losses().begin(), core::losses().end());
    std::erase_if(catalogue,
                  [](const core::LossDefinition& loss) { return lossFormula(loss.className).isComposed(); });
    const core::LossDefinition& definition = catalogue[static_cast<std::size_t>(
        random.integer(0, static_cast<std::int64_t>(catalogue.size()) - 1))];
    core::KerasObject object{std::string(definition.className), core::Json::object()};
    object.config["from_logits"] = random.coin();
    if (random.coin())
        object.config["label_smoothing"] = 0.1;
    object.config["reduction"] =
        random.pick(std::vector<std::string>{"none", "sum", "auto", "sum_over_batch_size"});
    if (definition.className == "Huber")
        object.config["delta"] = 0.7;
    Loss loss = *readLoss(object);
    loss.weighted = random.integer(0, 2) == 0;
    GradientCase one{loss, {}};
    setOperands(random, definition, loss, one);
    return one;
}

GradientCase ctcCase(RandomOperands& random) {
    const std::int64_t steps = random.integer(3, 5);
    const std::int64_t samples = random.extent();
    const std::int64_t classes = random.integer(2, 4);
    const std::int64_t length = random.integer(1, 2);
    CtcLoss loss;
    loss.blank = random.coin() ? 0 : classes - 1;
    std::vector<float> labels = random.integers(samples * length, 0, classes - 2);
    for (float& label : labels)
        label += static_cast<float>(loss.blank == 0 ? 1 : 0);
    return {loss,
            {smooth(random, {steps, samples, classes}), integers({samples, length}, labels),
             integers({samples}, random.integers(samples, 0, length)),
             integers({samples}, random.integers(samples, 3, steps))}};
}

constexpr GradientFamily lossCases[]{{"loss", lossCase}, {"ctc loss", ctcCase}};

} // namespace

std::span<const GradientFamily> lossFamilies() {
    return lossCases;
}

} // namespace tests
