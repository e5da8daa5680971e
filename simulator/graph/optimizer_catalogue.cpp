#include "simulator/graph/optimizer_catalogue.h"

#include "core/base/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace simulator {
namespace {

// A slot with `onlyWith` names its hyperparameter by position, so the order of the lists matters.
const std::vector<OptimizerDefinition>& definitions() {
    static const std::vector<OptimizerDefinition> all{
        {"SGD", 0.01, {{"momentum", 0}, {"nesterov", 0}}, {{"momentum", 0, -1, 0}}, 5},
        {"RMSprop",
         0.001,
         {{"rho", 0.9}, {"momentum", 0}, {"epsilon", 1e-7}, {"centered", 0}},
         {{"rms"}, {"momentum", 0, -1, 1}, {"mg", 0, -1, 3}},
         10},
        {"Adam",
         0.001,
         {{"beta_1", 0.9}, {"beta_2", 0.999}, {"epsilon", 1e-7}, {"amsgrad", 0}},
         {{"m"}, {"v"}, {"vhat", 0, -1, 3}},
         12},
        {"AdamW",
         0.001,
         {{"beta_1", 0.9}, {"beta_2", 0.999}, {"epsilon", 1e-7}, {"amsgrad", 0}, {"weight_decay", 0.004}},
         {{"m"}, {"v"}, {"vhat", 0, -1, 3}},
         14},
        {"Adamax", 0.001, {{"beta_1", 0.9}, {"beta_2", 0.999}, {"epsilon", 1e-7}}, {{"m"}, {"v"}}, 10},
        {"Nadam", 0.001, {{"beta_1", 0.9}, {"beta_2", 0.999}, {"epsilon", 1e-7}}, {{"m"}, {"v"}}, 16},
        {"Adagrad",
         0.001,
         {{"initial_accumulator_value", 0.1}, {"epsilon", 1e-7}},
         {{"accumulator", 0.1, 0}},
         6},
        {"Adadelta", 0.001, {{"rho", 0.95}, {"epsilon", 1e-7}}, {{"accum_grad"}, {"accum_var"}}, 14},
        {"Ftrl",
         0.001,
         {{"learning_rate_power", -0.5},
          {"initial_accumulator_value", 0.1},
          {"l1_regularization_strength", 0},
          {"l2_regularization_strength", 0},
          {"l2_shrinkage_regularization_strength", 0},
          {"beta", 0}},
         {{"accumulator", 0.1, 1}, {"linear"}},
         20},
        {"LAMB",
         0.001,
         {{"beta_1", 0.9}, {"beta_2", 0.999}, {"epsilon", 1e-6}, {"weight_decay_rate", 0}},
         {{"m"}, {"v"}},
         18},
    };
    return all;
}

std::string lowerCase(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

/// Other names of Keras editions: {name in a file, name of the catalogue}.
constexpr std::pair<std::string_view, std::string_view> aliases[]{
    {"gradientdescent", "sgd"}, {"gradientdescentoptimizer", "sgd"}, {"momentum", "sgd"}};
constexpr std::pair<std::string_view, std::string_view> hyperparameterAliases[]{
    {"weight_decay_rate", "weight_decay"}};

const core::Json* findValue(const core::Json& config, std::string_view name) {
    auto it = config.find(std::string(name));
    for (const auto& [own, other] : hyperparameterAliases) {
        if (it == config.end() && own == name)
            it = config.find(std::string(other));
    }
    return it == config.end() || it->is_null() ? nullptr : &*it;
}

core::Diagnostic optimizerRefusal(std::string code, std::string place, std::string message) {
    core::Diagnostic diagnostic;
    diagnostic.code = std::move(code);
    diagnostic.location.place = std::move(place);
    diagnostic.message = std::move(message);
    return diagnostic;
}

} // namespace

int OptimizerDefinition::indexOf(std::string_view name) const {
    const auto it = std::ranges::find(hyperparameters, name, &Hyperparameter::name);
    return it == hyperparameters.end() ? -1 : static_cast<int>(it - hyperparameters.begin());
}

std::span<const OptimizerDefinition> optimizerCatalogue() {
    return definitions();
}

const OptimizerDefinition* findOptimizer(std::string_view className) {
    std::string wanted = lowerCase(className.substr(className.rfind('>') + 1));
    for (const auto& [other, own] : aliases) {
        if (wanted == other)
            wanted = own;
    }
    const auto it = std::ranges::find_if(definitions(), [&](const OptimizerDefinition& definition) {
        return lowerCase(definition.className) == wanted;
    });
    return it == definitions().end() ? nullptr : &*it;
}

core::Result<std::vector<double>> readHyperparameters(const core::KerasObject& optimizer) {
    const OptimizerDefinition* definition = findOptimizer(optimizer.className);
    if (definition == nullptr) {
        std::vector<std::string> names;
        for (const OptimizerDefinition& known : definitions())
            names.emplace_back(known.className);
        core::Diagnostic diagnostic =
            optimizerRefusal("training/unknown-optimizer", "/training/optimizer",
                             "\"" + optimizer.className + "\" is not an optimizer known here");
        if (const auto nearest = core::nearestName(optimizer.className, names))
            diagnostic.hints.push_back("did you mean \"" + *nearest + "\"?");
        return core::failure(std::move(diagnostic));
    }
    std::vector<double> values;
    for (const Hyperparameter& parameter : definition->hyperparameters) {
        const core::Json* value = findValue(optimizer.config, parameter.name);
        if (value == nullptr)
            values.push_back(parameter.preset);
        else if (value->is_boolean())
            values.push_back(value->get<bool>() ? 1 : 0);
        else if (value->is_number())
            values.push_back(value->get<double>());
        else
            return core::failure(optimizerRefusal("training/optimizer-value",
                                                  "/training/optimizer/config/" + std::string(parameter.name),
                                                  std::string(parameter.name) + " must be a number"));
    }
    return values;
}

std::vector<OptimizerSlot> activeSlots(const OptimizerDefinition& definition,
                                       std::span<const double> hyperparameters) {
    std::vector<OptimizerSlot> slots;
    for (OptimizerSlot slot : definition.slots) {
        if (slot.onlyWith >= 0 && hyperparameters[static_cast<std::size_t>(slot.onlyWith)] <= 0)
            continue;
        if (slot.initialHyperparameter >= 0)
            slot.initialValue = hyperparameters[static_cast<std::size_t>(slot.initialHyperparameter)];
        slots.push_back(slot);
    }
    return slots;
}

} // namespace simulator
