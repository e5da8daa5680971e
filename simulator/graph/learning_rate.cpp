#include "simulator/graph/learning_rate.h"

#include "core/text/nearest_name.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>

namespace simulator {
namespace {

using core::Json;

bool flag(const Json& config, const char* key, bool preset) {
    const auto it = config.find(key);
    return it != config.end() && it->is_boolean() ? it->get<bool>() : preset;
}

double exponentialDecay(const Json& config, double step) {
    double share = step / core::numberOr(config, "decay_steps", 1);
    if (flag(config, "staircase", false))
        share = std::floor(share);
    return core::numberOr(config, "initial_learning_rate", 0) *
           std::pow(core::numberOr(config, "decay_rate", 1), share);
}

double inverseTimeDecay(const Json& config, double step) {
    double share = step / core::numberOr(config, "decay_steps", 1);
    if (flag(config, "staircase", false))
        share = std::floor(share);
    return core::numberOr(config, "initial_learning_rate", 0) /
           (1 + core::numberOr(config, "decay_rate", 0) * share);
}

double polynomialDecay(const Json& config, double step) {
    double steps = core::numberOr(config, "decay_steps", 1);
    if (flag(config, "cycle", false))
        steps *= std::max(1.0, std::ceil(step / steps));
    const double end = core::numberOr(config, "end_learning_rate", 1e-4);
    const double left = 1 - std::min(step, steps) / steps;
    return (core::numberOr(config, "initial_learning_rate", 0) - end) *
               std::pow(left, core::numberOr(config, "power", 1)) +
           end;
}

double piecewiseConstantDecay(const Json& config, double step) {
    const Json& boundaries = config.at("boundaries");
    const Json& values = config.at("values");
    std::size_t interval = 0;
    while (interval < boundaries.size() && step > boundaries[interval].get<double>())
        ++interval;
    return values[interval].get<double>();
}

double cosineShare(double share, double alpha) {
    return (1 - alpha) * 0.5 * (1 + std::cos(std::numbers::pi * share)) + alpha;
}

double cosineDecay(const Json& config, double step) {
    const double steps = core::numberOr(config, "decay_steps", 1);
    return core::numberOr(config, "initial_learning_rate", 0) *
           cosineShare(std::min(step, steps) / steps, core::numberOr(config, "alpha", 0));
}

double cosineDecayRestarts(const Json& config, double step) {
    const double timeFactor = core::numberOr(config, "t_mul", 2);
    const double rateFactor = core::numberOr(config, "m_mul", 1);
    const double done = step / core::numberOr(config, "first_decay_steps", 1);
    double restarts = std::floor(done);
    double share = done - restarts;
    if (timeFactor != 1) {
        restarts = std::floor(std::log(1 - done * (1 - timeFactor)) / std::log(timeFactor));
        const double start = (1 - std::pow(timeFactor, restarts)) / (1 - timeFactor);
        share = (done - start) / std::pow(timeFactor, restarts);
    }
    return core::numberOr(config, "initial_learning_rate", 0) * std::pow(rateFactor, restarts) *
           cosineShare(share, core::numberOr(config, "alpha", 0));
}

/// A line to 0 times a cosine that goes through its periods.
double linearCosineDecay(const Json& config, double step) {
    const double steps = core::numberOr(config, "decay_steps", 1);
    const double share = std::min(step, steps) / steps;
    const double periods = core::numberOr(config, "num_periods", 0.5);
    const double cosine = 0.5 * (1 + std::cos(std::numbers::pi * 2 * periods * share));
    return core::numberOr(config, "initial_learning_rate", 0) *
           ((core::numberOr(config, "alpha", 0) + 1 - share) * cosine +
            core::numberOr(config, "beta", 0.001));
}

struct Schedule {
    std::string_view className;
    std::vector<std::string_view> required;
    double (*rate)(const Json& config, double step);
};

const std::array<Schedule, 7>& schedules() {
    static const std::array<Schedule, 7> all{{
        {"ExponentialDecay", {"initial_learning_rate", "decay_steps", "decay_rate"}, exponentialDecay},
        {"InverseTimeDecay", {"initial_learning_rate", "decay_steps", "decay_rate"}, inverseTimeDecay},
        {"PolynomialDecay", {"initial_learning_rate", "decay_steps"}, polynomialDecay},
        {"PiecewiseConstantDecay", {"boundaries", "values"}, piecewiseConstantDecay},
        {"CosineDecay", {"initial_learning_rate", "decay_steps"}, cosineDecay},
        {"CosineDecayRestarts", {"initial_learning_rate", "first_decay_steps"}, cosineDecayRestarts},
        {"LinearCosineDecay", {"initial_learning_rate", "decay_steps"}, linearCosineDecay},
    }};
    return all;
}

const Schedule* findSchedule(std::string_view className) {
    const auto it = std::ranges::find(schedules(), className, &Schedule::className);
    return it == schedules().end() ? nullptr : &*it;
}

core::Diagnostic refusal(std::string code, std::string message, std::string hint) {
    return core::makeError(core::Trouble::Input, std::move(code),
                           {"", "/training/optimizer/config/learning_rate"}, std::move(message),
                           {std::move(hint)});
}

bool isNumberList(const Json& value) {
    return value.is_array() && std::ranges::all_of(value, [](const Json& item) { return item.is_number(); });
}

core::Result<LearningRate> readSchedule(const Json& value, LearningRate rate) {
    const auto className = value.find("class_name");
    if (className == value.end() || !className->is_string())
        return core::failure(refusal("learning-rate/form", "a learning-rate schedule needs a class_name",
                                     "name it, for example \"class_name\": \"ExponentialDecay\""));
    rate.schedule.className = className->get<std::string>();
    rate.schedule.config = value.value("config", Json::object());
    const Schedule* schedule = findSchedule(rate.schedule.className);
    if (schedule == nullptr) {
        std::vector<std::string> names;
        for (const Schedule& known : schedules())
            names.emplace_back(known.className);
        const auto nearest = core::nearestName(rate.schedule.className, names);
        return core::failure(
            refusal("learning-rate/unknown-schedule",
                    "\"" + rate.schedule.className + "\" is not a Keras learning-rate schedule",
                    nearest ? "did you mean \"" + *nearest + "\"?"
                            : fmt::format("schedules: {}", fmt::join(names, ", "))));
    }
    for (const std::string_view key : schedule->required) {
        const auto it = rate.schedule.config.find(std::string(key));
        if (it == rate.schedule.config.end() || !(it->is_number() || isNumberList(*it)))
            return core::failure(refusal("learning-rate/missing",
                                         rate.schedule.className + " needs \"" + std::string(key) + "\"",
                                         "give it in the schedule's config"));
    }
    for (const char* key : {"decay_steps", "first_decay_steps"}) {
        if (core::numberOr(rate.schedule.config, key, 1) <= 0)
            return core::failure(refusal("learning-rate/steps", std::string(key) + " must be positive",
                                         "give a number of steps from 1"));
    }
    if (schedule->rate == piecewiseConstantDecay &&
        rate.schedule.config["values"].size() != rate.schedule.config["boundaries"].size() + 1)
        return core::failure(refusal("learning-rate/values",
                                     "PiecewiseConstantDecay needs one value more than boundaries",
                                     "give the value before the first boundary too"));
    rate.initial = learningRateAt(rate, 0);
    return rate;
}

} // namespace

core::Result<LearningRate> readLearningRate(const Json& optimizerConfig, double preset) {
    LearningRate rate;
    rate.initial = preset;
    rate.decay = core::numberOr(optimizerConfig, "decay", 0);
    const char* key = optimizerConfig.contains("learning_rate") ? "learning_rate" : "lr";
    const auto it = optimizerConfig.find(key);
    if (it == optimizerConfig.end() || it->is_null())
        return rate;
    if (it->is_object())
        return readSchedule(*it, std::move(rate));
    if (!it->is_number())
        return core::failure(refusal("learning-rate/form", "the learning rate is a number or a schedule",
                                     "write a number, or an object with class_name and config"));
    rate.initial = it->get<double>();
    return rate;
}

double learningRateAt(const LearningRate& rate, std::int64_t update) {
    const double step = static_cast<double>(update);
    const Schedule* schedule = findSchedule(rate.schedule.className);
    const double value = schedule == nullptr ? rate.initial : schedule->rate(rate.schedule.config, step);
    return rate.decay > 0 ? value / (1 + rate.decay * step) : value;
}

} // namespace simulator
