#include "core/catalogue/older_optimizers.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr std::array<std::string_view, 3> keysOfRules{"unscaled_momentum", "epsilon_inside_sqrt",
                                                      "initial_rms"};

bool has(const Json& config, const std::string& key) {
    const auto found = config.find(key);
    return found != config.end() && *found != false && *found != 0 && !found->is_null();
}

} // namespace

const std::vector<OlderOptimizer>& olderOptimizers() {
    static const std::vector<OlderOptimizer> list{
        {"GradientDescentOptimizer", "SGD", {{"learning_rate", "learning_rate"}}},
        {"MomentumOptimizer",
         "SGD",
         {{"learning_rate", "learning_rate"},
          {"momentum", "momentum"},
          {"use_locking", nullptr},
          {"name", nullptr},
          {"use_nesterov", "nesterov"}},
         {{"unscaled_momentum", true}}},
        {"AdamOptimizer",
         "Adam",
         {{"learning_rate", "learning_rate", "0.001"},
          {"beta1", "beta_1"},
          {"beta2", "beta_2"},
          {"epsilon", "epsilon", "1e-08"}}},
        {"RMSPropOptimizer",
         "RMSprop",
         {{"learning_rate", "learning_rate"},
          {"decay", "rho", "0.9"},
          {"momentum", "momentum"},
          {"epsilon", "epsilon", "1e-10"},
          {"use_locking", nullptr},
          {"centered", "centered"}},
         {{"epsilon_inside_sqrt", true}, {"initial_rms", 1.0}}},
        // It divides by the root alone; its accumulator begins above zero.
        {"AdagradOptimizer",
         "Adagrad",
         {{"learning_rate", "learning_rate"},
          {"initial_accumulator_value", "initial_accumulator_value", "0.1"}},
         {{"epsilon", 0.0}}},
        {"AdadeltaOptimizer",
         "Adadelta",
         {{"learning_rate", "learning_rate", "0.001"},
          {"rho", "rho", "0.95"},
          {"epsilon", "epsilon", "1e-08"}}},
        {"FtrlOptimizer",
         "Ftrl",
         {{"learning_rate", "learning_rate"},
          {"learning_rate_power", "learning_rate_power"},
          {"initial_accumulator_value", "initial_accumulator_value"},
          {"l1_regularization_strength", "l1_regularization_strength"},
          {"l2_regularization_strength", "l2_regularization_strength"},
          {"use_locking", nullptr},
          {"name", nullptr},
          {"accum_name", nullptr},
          {"linear_name", nullptr},
          {"l2_shrinkage_regularization_strength", "l2_shrinkage_regularization_strength"},
          {"beta", "beta"}}},
    };
    return list;
}

bool isOlderRule(std::string_view key) {
    return std::ranges::find(keysOfRules, key) != keysOfRules.end();
}

const OlderOptimizer* olderOptimizerOf(std::string_view className, const Json& config) {
    const auto fits = [&](const OlderOptimizer& older) {
        const auto isTaken = [&](const std::string& key) {
            return key == "name" || older.rule.contains(key) || !has(config, key) ||
                   std::ranges::any_of(older.arguments, [&](const OlderOptimizer::Argument& argument) {
                       return argument.keras != nullptr && key == argument.keras;
                   });
        };
        if (older.className != className || older.rule.empty())
            return false;
        bool isSame = true;
        for (const auto& [key, value] : older.rule.items())
            isSame = isSame && isOlderRule(key) && config.value(key, Json()) == value;
        for (const auto& entry : config.items())
            isSame = isSame && isTaken(entry.key());
        return isSame;
    };
    const auto found = std::ranges::find_if(olderOptimizers(), fits);
    return found == olderOptimizers().end() ? nullptr : &*found;
}

} // namespace core
