#include "simulator/catalogue/optimizer_formulas.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace simulator {
namespace {

using Settings = OptimizerSettings;
using Factors = OptimizerFactors;

float single(double value) {
    return static_cast<float>(value);
}

Factors sgdFactors(const Settings& s, double rate, double) {
    Factors f;
    f.rate = single(rate);
    f.momentum = single(s["momentum"]);
    return f;
}

Factors rmspropFactors(const Settings& s, double rate, double) {
    Factors f;
    f.rate = single(rate);
    f.rho = single(s["rho"]);
    f.oneMinusRho = single(1 - s["rho"]);
    f.epsilon = single(s["epsilon"]);
    f.momentum = single(s["momentum"]);
    return f;
}

Factors betaFactors(const Settings& s) {
    Factors f;
    f.beta1 = single(s["beta_1"]);
    f.beta2 = single(s["beta_2"]);
    f.oneMinusBeta1 = single(1 - s["beta_1"]);
    f.oneMinusBeta2 = single(1 - s["beta_2"]);
    return f;
}

/// The decay of both moments.
Factors momentFactors(const Settings& s) {
    Factors f = betaFactors(s);
    f.epsilon = single(s["epsilon"]);
    return f;
}

Factors adamFactors(const Settings& s, double rate, double t) {
    Factors f = momentFactors(s);
    f.rate = single(rate * std::sqrt(1 - std::pow(s["beta_2"], t)) / (1 - std::pow(s["beta_1"], t)));
    return f;
}

Factors adamWFactors(const Settings& s, double rate, double t) {
    Factors f = adamFactors(s, rate, t);
    f.decay = single(rate * s["weight_decay"]);
    return f;
}

Factors lionFactors(const Settings& s, double rate, double) {
    Factors f = betaFactors(s);
    f.rate = single(rate);
    f.decay = single(rate * s["weight_decay"]);
    return f;
}

Factors adamaxFactors(const Settings& s, double rate, double t) {
    Factors f = momentFactors(s);
    f.rate = single(rate / (1 - std::pow(s["beta_1"], t)));
    return f;
}

/// Momentum schedule of Keras: u_t = beta_1·(1 − 0.5·0.96^(0.004·t)).
double nadamMomentum(double beta1, double t) {
    return beta1 * (1 - 0.5 * std::pow(0.96, 0.004 * t));
}

/// u_1 · … · u_t. Updates come one after the other, so each thread goes on from the product it had last.
double nadamProduct(double beta1, double t) {
    struct Known {
        double beta1 = 0;
        double t = 0;
        double product = 1;
    };
    thread_local Known known;
    if (known.beta1 != beta1 || known.t > t)
        known = {beta1};
    for (; known.t < t; ++known.t)
        known.product *= nadamMomentum(beta1, known.t + 1);
    return known.product;
}

Factors nadamFactors(const Settings& s, double rate, double t) {
    const double product = nadamProduct(s["beta_1"], t);
    const double now = nadamMomentum(s["beta_1"], t);
    const double next = nadamMomentum(s["beta_1"], t + 1);
    Factors f = momentFactors(s);
    f.rate = single(rate);
    f.gradientShare = single((1 - now) / (1 - product));
    f.momentumShare = single(next / (1 - product * next));
    f.correction2 = single(1 / (1 - std::pow(s["beta_2"], t)));
    return f;
}

Factors adagradFactors(const Settings& s, double rate, double) {
    Factors f;
    f.rate = single(rate);
    f.epsilon = single(s["epsilon"]);
    return f;
}

Factors adadeltaFactors(const Settings& s, double rate, double) {
    Factors f = adagradFactors(s, rate, 1);
    f.rho = single(s["rho"]);
    f.oneMinusRho = single(1 - s["rho"]);
    return f;
}

Factors ftrlFactors(const Settings& s, double rate, double) {
    Factors f;
    f.rate = single(rate);
    f.power = single(s["learning_rate_power"]);
    f.l1 = single(s["l1_regularization_strength"]);
    f.l2 = single(s["l2_regularization_strength"] + s["beta"] / (2 * rate));
    f.shrinkage = single(s["l2_shrinkage_regularization_strength"]);
    return f;
}

Factors lambFactors(const Settings& s, double rate, double t) {
    Factors f = momentFactors(s);
    f.rate = single(rate);
    f.decay = single(s["weight_decay_rate"]);
    f.correction1 = single(1 / (1 - std::pow(s["beta_1"], t)));
    f.correction2 = single(1 / (1 - std::pow(s["beta_2"], t)));
    return f;
}

std::string_view sgdKernel(const Settings& s) {
    if (s.has("unscaled_momentum"))
        return s.has("nesterov") ? "unscaled nesterov" : "unscaled momentum";
    if (!s.has("momentum"))
        return "sgd";
    return s.has("nesterov") ? "nesterov" : "momentum";
}

std::string_view rmspropKernel(const Settings& s) {
    if (s.has("momentum") || s.has("epsilon_inside_sqrt")) // with momentum, epsilon is inside always
        return s.has("centered") ? "rmsprop centered momentum" : "rmsprop momentum";
    return s.has("centered") ? "rmsprop centered" : "rmsprop";
}

std::string_view adamKernel(const Settings& s) {
    return s.has("amsgrad") ? "amsgrad" : "adam";
}

constexpr const char lion[] = "lion";
constexpr const char adamax[] = "adamax";
constexpr const char nadam[] = "nadam";
constexpr const char adagrad[] = "adagrad";
constexpr const char adadelta[] = "adadelta";
constexpr const char ftrl[] = "ftrl";
constexpr const char lamb[] = "lamb";

/// One kernel whatever the settings.
template <const char* Name>
std::string_view always(const Settings&) {
    return Name;
}

/// Prices: {sums, square roots, divides, norms, sums with slots}, from the update rules of Keras'
/// OptimizerV2. AdamW is Adam with the decay of the parameter, one scaled add more.
constexpr std::array optimizerRows{
    OptimizerFormula{"SGD", {1, 0, 0, 0, 2}, sgdFactors, sgdKernel},
    OptimizerFormula{"RMSprop", {4, 1, 1}, rmspropFactors, rmspropKernel},
    OptimizerFormula{"Adam", {5, 1, 1}, adamFactors, adamKernel},
    OptimizerFormula{"AdamW", {6, 1, 1}, adamWFactors, adamKernel},
    OptimizerFormula{"Lion", {5, 0, 0}, lionFactors, always<lion>},
    OptimizerFormula{"Adamax", {5, 0, 1}, adamaxFactors, always<adamax>},
    OptimizerFormula{"Nadam", {7, 1, 1}, nadamFactors, always<nadam>},
    OptimizerFormula{"Adagrad", {3, 1, 1}, adagradFactors, always<adagrad>},
    OptimizerFormula{"Adadelta", {6, 2, 1}, adadeltaFactors, always<adadelta>},
    OptimizerFormula{"Ftrl", {8, 2, 1}, ftrlFactors, always<ftrl>},
    OptimizerFormula{"LAMB", {7, 1, 1, 2}, lambFactors, always<lamb>, true},
};

} // namespace

std::span<const OptimizerFormula> optimizerFormulas() {
    return optimizerRows;
}

std::vector<std::string_view> optimizerNames() {
    std::vector<std::string_view> names;
    for (const OptimizerFormula& row : optimizerRows)
        names.push_back(row.className);
    return names;
}

const OptimizerFormula* findOptimizerFormula(std::string_view className) {
    const auto found = std::ranges::find(optimizerRows, className, &OptimizerFormula::className);
    return found == optimizerRows.end() ? nullptr : &*found;
}

const OptimizerFormula& optimizerFormula(std::string_view className) {
    const OptimizerFormula* found = findOptimizerFormula(className);
    assert(found != nullptr);
    return *found;
}

} // namespace simulator
