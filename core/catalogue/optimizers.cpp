#include "core/catalogue/optimizers.h"

#include "core/catalogue/keras_parameters.h"

#include <algorithm>

namespace core {

namespace {

/// 2¹²⁷: beyond, a scaled loss is no float32.
constexpr double largestScale = 1.7014118346046923e38;

KerasParameter learningRate(std::string_view defaultText) {
    return {"learning_rate", KerasParameterType::NumberOrSchedule, defaultText, 0, 1e12};
}

/// Learning rate, the decay of both moments and the number that keeps a division finite, then `more`.
std::vector<KerasParameter> momentKeys(std::string_view epsilon, std::vector<KerasParameter> more = {}) {
    std::vector<KerasParameter> keys{learningRate("0.001"), shareKey("beta_1", "0.9"),
                                     shareKey("beta_2", "0.999"), notNegativeKey("epsilon", epsilon)};
    keys.insert(keys.end(), more.begin(), more.end());
    return keys;
}

KerasParameter weightDecayRate() {
    KerasParameter key = notNegativeKey("weight_decay_rate", "0.0");
    key.otherName = "weight_decay";
    return key;
}

const std::vector<OptimizerSlot> moments{{"m"}, {"v"}};
const std::vector<OptimizerSlot> momentsAndHighest{{"m"}, {"v"}, {"vhat", {}, "amsgrad"}};

} // namespace

std::span<const OptimizerDefinition> optimizers() {
    static const std::vector<OptimizerDefinition> rows{
        // unscaled_momentum: as MomentumOptimizer of TensorFlow 1, which adds up gradients and multiplies
        // their sum by the learning rate of the update; Keras adds up gradients times the rate that each had.
        {{"SGD",
          {learningRate("0.01"), shareKey("momentum", "0.0"), switchKey("nesterov", "false"),
           switchKey("unscaled_momentum", "false")}},
         {{"momentum", {}, "momentum", "unscaled_momentum"}}},
        // epsilon_inside_sqrt, initial_rms: as RMSPropOptimizer of TensorFlow 1, which adds epsilon below the
        // root, begins with 1, and keeps its momentum even where that is 0.
        {{"RMSprop",
          {learningRate("0.001"), shareKey("rho", "0.9"), shareKey("momentum", "0.0"),
           notNegativeKey("epsilon", "1e-07"), switchKey("centered", "false"),
           switchKey("epsilon_inside_sqrt", "false"), notNegativeKey("initial_rms", "0.0")}},
         {{"rms", "initial_rms"},
          {"momentum", {}, "momentum", "epsilon_inside_sqrt"},
          {"mg", {}, "centered"}}},
        {{"Adam", momentKeys("1e-07", {switchKey("amsgrad", "false")})}, momentsAndHighest},
        {{"AdamW",
          momentKeys("1e-07", {switchKey("amsgrad", "false"), notNegativeKey("weight_decay", "0.004")})},
         momentsAndHighest},
        // X. Chen et al., "Symbolic Discovery of Optimization Algorithms", 2023, as Keras 3 has it.
        {{"Lion",
          {learningRate("0.001"), shareKey("beta_1", "0.9"), shareKey("beta_2", "0.99"),
           notNegativeKey("weight_decay", "0.0")}},
         {{"m"}}},
        {{"Adamax", momentKeys("1e-07")}, moments},
        {{"Nadam", momentKeys("1e-07")}, moments},
        {{"Adagrad",
          {learningRate("0.001"), notNegativeKey("initial_accumulator_value", "0.1"),
           notNegativeKey("epsilon", "1e-07")}},
         {{"accumulator", "initial_accumulator_value"}}},
        {{"Adadelta", {learningRate("0.001"), shareKey("rho", "0.95"), notNegativeKey("epsilon", "1e-07")}},
         {{"accum_grad"}, {"accum_var"}}},
        {{"Ftrl",
          {learningRate("0.001"), numberKey("learning_rate_power", "-0.5", -1e12, 0),
           notNegativeKey("initial_accumulator_value", "0.1"),
           notNegativeKey("l1_regularization_strength", "0.0"),
           notNegativeKey("l2_regularization_strength", "0.0"),
           notNegativeKey("l2_shrinkage_regularization_strength", "0.0"), notNegativeKey("beta", "0.0")}},
         {{"accumulator", "initial_accumulator_value"}, {"linear"}}},
        {{"LAMB", momentKeys("1e-06", {weightDecayRate()})}, moments},
        // tf.keras.mixed_precision.LossScaleOptimizer
        {{"LossScaleOptimizer",
          {{"inner_optimizer", KerasParameterType::Optimizer, ""},
           switchKey("dynamic", "true"),
           numberKey("initial_scale", "null", 1, largestScale),
           integerKey("dynamic_growth_steps", "2000", 1, 1e15)}},
         {},
         true},
    };
    return rows;
}

const KerasCatalogue& optimizerCatalogue() {
    static const KerasCatalogue catalogue{
        "optimizer",
        classesOf(optimizers()),
        {textKey("name", "null"), notNegativeKey("decay", "0.0"), notNegativeKey("clipnorm", "null"),
         notNegativeKey("clipvalue", "null"), notNegativeKey("global_clipnorm", "null"),
         // Added to each gradient of an update on each replica, before replicas add up or average theirs
         // and before it is clipped: this times its variable.
         notNegativeKey("gradient_decay", "0.0")},
        false,
        {{"lr", "learning_rate"}},
    };
    return catalogue;
}

const OptimizerDefinition* findOptimizer(std::string_view text) {
    return rowNamed(optimizers(), optimizerCatalogue(), text);
}

const KerasCatalogue& learningRateScheduleCatalogue() {
    constexpr auto numbers = KerasParameterType::Numbers;
    const KerasParameter initial = notNegativeKey("initial_learning_rate", "");
    const KerasParameter steps = numberKey("decay_steps", "", 1, 1e15);
    const KerasParameter staircase = switchKey("staircase", "false");
    static const KerasCatalogue catalogue{
        "learning rate schedule",
        {
            {"ExponentialDecay", {initial, steps, notNegativeKey("decay_rate", ""), staircase}},
            {"InverseTimeDecay", {initial, steps, notNegativeKey("decay_rate", ""), staircase}},
            {"PolynomialDecay",
             {initial, steps, notNegativeKey("end_learning_rate", "0.0001"), notNegativeKey("power", "1.0"),
              switchKey("cycle", "false")}},
            {"CosineDecay", {initial, steps, notNegativeKey("alpha", "0.0")}},
            {"CosineDecayRestarts",
             {initial, numberKey("first_decay_steps", "", 1, 1e15), numberKey("t_mul", "2.0", 1, 1e15),
              notNegativeKey("m_mul", "1.0"), notNegativeKey("alpha", "0.0")}},
            {"LinearCosineDecay",
             {initial, steps, notNegativeKey("num_periods", "0.5"), notNegativeKey("alpha", "0.0"),
              notNegativeKey("beta", "0.001")}},
            {"PiecewiseConstantDecay", {{"boundaries", numbers, ""}, {"values", numbers, ""}}},
        },
        {textKey("name", "null")},
    };
    return catalogue;
}

Json& scaledOptimizer(Json& optimizer) {
    const bool isScaled = optimizer.is_object() &&
                          optimizer.value("class_name", Json()) == "LossScaleOptimizer" &&
                          optimizer.contains("config") && optimizer["config"].contains("inner_optimizer");
    return isScaled ? optimizer["config"]["inner_optimizer"] : optimizer;
}

bool clipsGradients(const Json& config) {
    return std::ranges::any_of(clippingOptions, [&](const char* option) { return config.contains(option); });
}

} // namespace core
