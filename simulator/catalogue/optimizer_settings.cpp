#include "simulator/catalogue/optimizer_settings.h"

#include "core/text/nearest_name.h"
#include "simulator/catalogue/optimizer_formulas.h"

#include <cassert>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>

namespace simulator {
namespace {

constexpr std::string_view rateKey = "learning_rate";

const core::Json* givenValue(const core::Json& config, const core::KerasParameter& key) {
    auto it = config.find(std::string(key.name));
    if (it == config.end() && !key.otherName.empty())
        it = config.find(std::string(key.otherName));
    return it == config.end() || it->is_null() ? nullptr : &*it;
}

core::Diagnostic unknownOptimizer(const std::string& className) {
    const std::vector<std::string_view> known = optimizerNames();
    const std::vector<std::string> names(known.begin(), known.end());
    const auto nearest = core::nearestName(className, names);
    return core::makeError(core::Trouble::Input, "training/unknown-optimizer", {"", "/training/optimizer"},
                           "\"" + className + "\" is not an optimizer known here",
                           {nearest ? "did you mean \"" + *nearest + "\"?"
                                    : fmt::format("optimizers: {}", fmt::join(names, ", "))});
}

core::Diagnostic noNumber(std::string_view key) {
    return core::makeError(core::Trouble::Input, "training/optimizer-value",
                           {"", "/training/optimizer/config/" + std::string(key)},
                           std::string(key) + " must be a number", {"write a number, or leave the key out"});
}

} // namespace

OptimizerSettings::OptimizerSettings(const core::OptimizerDefinition& definition,
                                     std::span<const double> values)
    : m_definition(&definition)
    , m_values(values.begin(), values.end()) {}

double OptimizerSettings::operator[](std::string_view name) const {
    std::size_t index = 0;
    for (const core::KerasParameter& key : m_definition->parameters) {
        if (key.name == name)
            return m_values[index];
        if (key.name != rateKey)
            ++index;
    }
    assert(!"the optimizer has no such key");
    return 0;
}

core::Result<std::vector<double>> readHyperparameters(const core::KerasObject& optimizer) {
    const core::OptimizerDefinition* definition = core::findOptimizer(optimizer.className);
    if (definition == nullptr || findOptimizerFormula(definition->className) == nullptr)
        return core::failure(unknownOptimizer(optimizer.className));
    std::vector<double> values;
    for (const core::KerasParameter& key : definition->parameters) {
        if (key.name == rateKey)
            continue;
        const core::Json* given = givenValue(optimizer.config, key);
        const core::Json value = given == nullptr ? core::Json::parse(key.defaultText) : *given;
        if (!value.is_boolean() && !value.is_number())
            return core::failure(noNumber(key.name));
        values.push_back(value.is_boolean() ? (value.get<bool>() ? 1 : 0) : value.get<double>());
    }
    return values;
}

double defaultLearningRate(const core::OptimizerDefinition& definition) {
    return core::Json::parse(definition.parameter(rateKey)->defaultText).get<double>();
}

std::vector<ActiveSlot> activeSlots(const core::OptimizerDefinition& definition,
                                    std::span<const double> hyperparameters) {
    const OptimizerSettings settings(definition, hyperparameters);
    std::vector<ActiveSlot> slots;
    for (const core::OptimizerSlot& slot : definition.slotVariables)
        if (slot.isKept([&](std::string_view key) { return settings.has(key); }))
            slots.push_back({slot.name, slot.initialKey.empty() ? 0 : settings[slot.initialKey]});
    return slots;
}

} // namespace simulator
