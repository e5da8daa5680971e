#include "core/config/loss_weight.h"

#include <algorithm>

namespace core {

namespace {

/// Beside what Keras' class takes, in no file.
constexpr const char* weightKey = "loss_weight";

} // namespace

double lossWeight(const KerasObject& loss) {
    return loss.config.is_object() ? loss.config.value(weightKey, 1.0) : 1.0;
}

bool hasLossWeights(std::span<const KerasObject> losses) {
    return std::ranges::any_of(losses, [](const KerasObject& loss) { return lossWeight(loss) != 1; });
}

void setLossWeight(KerasObject& loss, double weight) {
    loss = withoutLossWeight(std::move(loss));
    if (weight != 1)
        loss.config[weightKey] = weight;
}

KerasObject withoutLossWeight(KerasObject loss) {
    if (loss.config.is_object())
        loss.config.erase(weightKey);
    return loss;
}

} // namespace core
