#include "core/interchange/python/apis/older/tf1_objects.h"

#include "core/interchange/python/apis/calls/configured_objects.h"
#include "core/text/nearest_name.h"
#include "core/text/text_case.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace core {

namespace {

/// A function: the class of Keras, and its arguments in order with Keras' names; null: it says nothing here.
/// Source: the signatures in TensorFlow's documentation.
struct OlderObject {
    struct Argument {
        const char* name = nullptr;
        const char* keras = nullptr;
        /// The function's default where it is not that of the class, as JSON.
        const char* byDefault = nullptr;
    };
    const char* name;
    const char* className;
    std::array<Argument, 6> arguments;
};

constexpr OlderObject::Argument globalStep{"global_step"};
constexpr OlderObject::Argument initialRate{"learning_rate", "initial_learning_rate"};
constexpr OlderObject::Argument decaySteps{"decay_steps", "decay_steps"};
constexpr OlderObject::Argument decayRate{"decay_rate", "decay_rate"};
constexpr OlderObject::Argument staircase{"staircase", "staircase"};
constexpr OlderObject::Argument seed{"seed", "seed"};

constexpr std::array<OlderObject, 6> schedules{
    {{"exponential_decay", "ExponentialDecay", {{initialRate, globalStep, decaySteps, decayRate, staircase}}},
     {"natural_exp_decay", "ExponentialDecay", {{initialRate, globalStep, decaySteps, decayRate, staircase}}},
     {"inverse_time_decay",
      "InverseTimeDecay",
      {{initialRate, globalStep, decaySteps, decayRate, staircase}}},
     {"polynomial_decay",
      "PolynomialDecay",
      {{initialRate,
        globalStep,
        decaySteps,
        {"end_learning_rate", "end_learning_rate"},
        {"power", "power"},
        {"cycle", "cycle"}}}},
     {"cosine_decay", "CosineDecay", {{initialRate, globalStep, decaySteps, {"alpha", "alpha"}}}},
     {"piecewise_constant",
      "PiecewiseConstantDecay",
      {{{"x"}, {"boundaries", "boundaries"}, {"values", "values"}}}}}};

constexpr std::array<OlderObject, 11> initializers{
    {{"glorot_uniform_initializer", "GlorotUniform", {{seed}}},
     {"glorot_normal_initializer", "GlorotNormal", {{seed}}},
     {"xavier_initializer", "GlorotUniform", {{{"uniform"}, seed}}},
     {"zeros_initializer", "Zeros", {}},
     {"ones_initializer", "Ones", {}},
     {"constant_initializer", "Constant", {{{"value", "value"}}}},
     {"random_normal_initializer", "RandomNormal", {{{"mean", "mean"}, {"stddev", "stddev"}, seed}}},
     {"truncated_normal_initializer",
      "TruncatedNormal",
      {{{"mean", "mean"}, {"stddev", "stddev", "1.0"}, seed}}},
     {"random_uniform_initializer", "RandomUniform", {{{"minval", "minval"}, {"maxval", "maxval"}, seed}}},
     {"variance_scaling_initializer",
      "VarianceScaling",
      {{{"scale", "scale"}, {"mode", "mode"}, {"distribution", "distribution"}, seed}}},
     {"orthogonal_initializer", "Orthogonal", {{{"gain", "gain"}, seed}}}}};

PythonValue olderObject(const PythonApiCall& call, const OlderObject& known) {
    if (const PythonValue* value = call.arguments.find("value", 0);
        value != nullptr && known.className == std::string_view("Constant"))
        if (auto initializer = initializerOfNumbers(call, *value))
            return *initializer;
    Json config = Json::object();
    for (std::size_t i = 0; i < known.arguments.size(); ++i) {
        const OlderObject::Argument& argument = known.arguments[i];
        const PythonValue* given =
            argument.name == nullptr ? nullptr : call.arguments.given(argument.name, i);
        if (argument.keras == nullptr)
            continue;
        if (given != nullptr)
            config[argument.keras] = call.builder.json(*given, call.place());
        else if (argument.byDefault != nullptr)
            config[argument.keras] = Json::parse(argument.byDefault);
        else if (i == 0 && argument.keras == std::string_view("initial_learning_rate"))
            call.refuse("python/name", fmt::format("{}() lacks its learning rate", known.name),
                        {fmt::format("write {}(0.1, global_step, …)", known.name)});
    }
    for (const auto& entry : call.arguments.keywords)
        if (const std::string& keyword = entry.first;
            keyword != "dtype" && keyword != "name" && keyword != "verify_shape" &&
            std::ranges::none_of(known.arguments, [&](const auto& argument) {
                return argument.name != nullptr && keyword == argument.name;
            })) {
            std::vector<std::string> names;
            for (const OlderObject::Argument& argument : known.arguments)
                if (argument.name != nullptr)
                    names.emplace_back(argument.name);
            const auto meant = nearestName(keyword, names);
            call.refuse("type-error/argument",
                        fmt::format("{}() has no argument \"{}\"", known.name, quotedName(keyword)),
                        {meant ? fmt::format("did you mean \"{}\"?", *meant) : "leave it out"});
        }
    // lr * exp(−rate * step / steps)
    if (known.name == std::string_view("natural_exp_decay") && config.contains("decay_rate") &&
        config["decay_rate"].is_number())
        config["decay_rate"] = std::exp(-config["decay_rate"].get<double>());
    return PythonConfigured{{{"class_name", known.className}, {"config", std::move(config)}}, call.path};
}

/// variance_scaling_initializer(factor, mode, uniform, seed) and xavier_initializer(uniform, seed) of
/// tf.contrib.layers, which is it with the factor 1 of both fans. Its normal numbers are cut off and scaled
/// up by √1.3, those of Keras by 1 / 0.88.
PythonValue contribScaling(const PythonApiCall& call) {
    const bool isXavier = call.name() == "xavier_initializer";
    const std::size_t next = isXavier ? 0 : 2;
    Json config{{"scale", isXavier ? 1.0 : 2.0}, {"mode", isXavier ? "fan_avg" : "fan_in"}};
    bool isUniform = isXavier;
    for (const auto& entry : call.arguments.keywords)
        if (const std::string& keyword = entry.first;
            keyword != "dtype" && keyword != "seed" && keyword != "uniform" &&
            (isXavier || (keyword != "factor" && keyword != "mode")))
            call.refuse("type-error/argument",
                        fmt::format("{}() has no argument \"{}\"", call.name(), quotedName(keyword)),
                        {"leave it out"});
    if (const PythonValue* factor = isXavier ? nullptr : call.arguments.given("factor", 0))
        config["scale"] = call.builder.json(*factor, call.place());
    if (const PythonValue* mode = isXavier ? nullptr : call.arguments.given("mode", 1);
        mode != nullptr && mode->isText())
        config["mode"] = lowerCase(mode->constant().get<std::string>());
    if (const PythonValue* uniform = call.arguments.given("uniform", next))
        isUniform = call.builder.json(*uniform, call.place()) == true;
    if (const PythonValue* given = call.arguments.given("seed", next + 1))
        config["seed"] = call.builder.json(*given, call.place());
    config["distribution"] = isUniform ? "uniform" : "truncated_normal";
    return PythonConfigured{{{"class_name", "VarianceScaling"}, {"config", std::move(config)}}, call.path};
}

} // namespace

std::vector<PythonApiName> olderObjectNames() {
    std::vector<PythonApiName> names;
    const auto add = [&](const std::string& pattern, const OlderObject& known) {
        names.push_back(readName(pattern, [&known](const auto& call) { return olderObject(call, known); }));
    };
    for (const OlderObject& known : schedules)
        add(std::string("tf.train.") + known.name, known);
    add("tf.train.piecewise_constant_decay", schedules.back());
    for (const char* name : {"variance_scaling_initializer", "xavier_initializer"})
        names.push_back(readName(std::string("tf.contrib.**.") + name, contribScaling));
    for (const OlderObject& known : initializers)
        add(std::string("tf.**.") + known.name, known);
    return names;
}

} // namespace core
