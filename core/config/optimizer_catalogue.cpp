#include "core/config/keras_catalogue.h"

namespace core {

namespace {

constexpr auto optimizerNumber = KerasParameterType::Number;
constexpr auto optimizerFlag = KerasParameterType::Switch;
constexpr auto optimizerInteger = KerasParameterType::Integer;
/// 2¹²⁷: beyond, a scaled loss is no float32.
constexpr double largestScale = 1.7014118346046923e38;

KerasParameter learningRate(std::string_view defaultText) {
    return {"learning_rate", KerasParameterType::NumberOrSchedule, defaultText, 0, 1e12};
}

KerasParameter share(std::string_view name, std::string_view defaultText) {
    return {name, optimizerNumber, defaultText, 0, 1};
}

KerasParameter notNegative(std::string_view name, std::string_view defaultText) {
    return {name, optimizerNumber, defaultText, 0, 1e12};
}

std::vector<KerasParameter> adamParameters() {
    return {learningRate("0.001"), share("beta_1", "0.9"), share("beta_2", "0.999"),
            notNegative("epsilon", "1e-07")};
}

std::vector<KerasParameter> with(std::vector<KerasParameter> parameters, KerasParameter last) {
    parameters.push_back(std::move(last));
    return parameters;
}

} // namespace

const KerasCatalogue& optimizerCatalogue() {
    static const KerasCatalogue catalogue{
        "optimizer",
        {
            {"SGD", {learningRate("0.01"), share("momentum", "0.0"), {"nesterov", optimizerFlag, "false"}}},
            {"RMSprop",
             {learningRate("0.001"),
              share("rho", "0.9"),
              share("momentum", "0.0"),
              notNegative("epsilon", "1e-07"),
              {"centered", optimizerFlag, "false"}}},
            {"Adam", with(adamParameters(), {"amsgrad", optimizerFlag, "false"})},
            {"AdamW", with(with(adamParameters(), {"amsgrad", optimizerFlag, "false"}),
                           notNegative("weight_decay", "0.004"))},
            {"Adamax", adamParameters()},
            {"Nadam", adamParameters()},
            {"Adagrad",
             {learningRate("0.001"), notNegative("initial_accumulator_value", "0.1"),
              notNegative("epsilon", "1e-07")}},
            {"Adadelta", {learningRate("0.001"), share("rho", "0.95"), notNegative("epsilon", "1e-07")}},
            {"Ftrl",
             {learningRate("0.001"),
              {"learning_rate_power", optimizerNumber, "-0.5", -1e12, 0},
              notNegative("initial_accumulator_value", "0.1"),
              notNegative("l1_regularization_strength", "0.0"),
              notNegative("l2_regularization_strength", "0.0"),
              notNegative("l2_shrinkage_regularization_strength", "0.0"),
              notNegative("beta", "0.0")}},
            {"LAMB",
             {learningRate("0.001"), share("beta_1", "0.9"), share("beta_2", "0.999"),
              notNegative("epsilon", "1e-06"), notNegative("weight_decay_rate", "0.0")}},
            // tf.keras.mixed_precision.LossScaleOptimizer
            {"LossScaleOptimizer",
             {{"inner_optimizer", KerasParameterType::Optimizer, ""},
              {"dynamic", optimizerFlag, "true"},
              {"initial_scale", optimizerNumber, "null", 1, largestScale},
              {"dynamic_growth_steps", optimizerInteger, "2000", 1, 1e15}}},
        },
        {
            {"name", KerasParameterType::Text, "null"},
            notNegative("decay", "0.0"),
            notNegative("clipnorm", "null"),
            notNegative("clipvalue", "null"),
            notNegative("global_clipnorm", "null"),
        },
        false,
        {{"lr", "learning_rate"}},
    };
    return catalogue;
}

const KerasCatalogue& learningRateScheduleCatalogue() {
    constexpr auto numbers = KerasParameterType::Numbers;
    const KerasParameter initial = notNegative("initial_learning_rate", "");
    const KerasParameter steps{"decay_steps", optimizerNumber, "", 1, 1e15};
    static const KerasCatalogue catalogue{
        "learning rate schedule",
        {
            {"ExponentialDecay",
             {initial, steps, notNegative("decay_rate", ""), {"staircase", optimizerFlag, "false"}}},
            {"InverseTimeDecay",
             {initial, steps, notNegative("decay_rate", ""), {"staircase", optimizerFlag, "false"}}},
            {"PolynomialDecay",
             {initial,
              steps,
              notNegative("end_learning_rate", "0.0001"),
              notNegative("power", "1.0"),
              {"cycle", optimizerFlag, "false"}}},
            {"CosineDecay", {initial, steps, notNegative("alpha", "0.0")}},
            {"PiecewiseConstantDecay", {{"boundaries", numbers, ""}, {"values", numbers, ""}}},
        },
        {{"name", KerasParameterType::Text, "null"}},
    };
    return catalogue;
}

KerasObject optimizerOf(const TrainingOptions& training) {
    return training.optimizer.value_or(KerasObject{"RMSprop", Json::object()});
}

KerasObject unwrappedOptimizer(const KerasObject& optimizer) {
    const auto inner = optimizer.config.find("inner_optimizer");
    if (optimizer.className != "LossScaleOptimizer" || inner == optimizer.config.end())
        return optimizer;
    Diagnostics ignored;
    return readKerasObject(*inner, optimizerCatalogue(), "", "", ignored).value_or(optimizer);
}

bool keepsState(const KerasObject& optimizer) {
    if (optimizer.className == "LossScaleOptimizer")
        return keepsState(unwrappedOptimizer(optimizer));
    return optimizer.className != "SGD" ||
           resolvedConfig(optimizer, optimizerCatalogue())["momentum"].get<double>() != 0;
}

} // namespace core
