#include "core/interchange/python/draft/own_schedules.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <optional>

namespace core {

namespace {

/// Stands for a schedule of the program in an optimizer's JSON; its config says which one.
constexpr const char* standIn = "$schedule";
/// Updates that are asked for their rates one by one, and rates that a project keeps.
constexpr std::int64_t mostUpdates = 20'000;
constexpr std::size_t mostRates = 4'096;

/// The rates of a schedule at some updates, rising from 0.
struct SampledRates {
    std::vector<std::int64_t> updates;
    std::vector<double> rates;
};

class ScheduleSampler {
public:
    ScheduleSampler(PythonInterpreter& interpreter, PythonProgramBuilder& builder,
                    PythonProgramBuilder::OwnSchedule schedule)
        : m_interpreter(interpreter)
        , m_builder(builder)
        , m_schedule(std::move(schedule)) {}

    Json read(std::optional<std::int64_t> updates) {
        const SampledRates sampled = updates ? evenly(*updates) : byOctaves();
        const double span = sampled.rates.size() > 1 ? sampled.rates.back() - sampled.rates.front() : 0;
        double largest = 0;
        for (const double rate : sampled.rates)
            largest = std::max(largest, std::abs(rate));
        const bool isWhole = updates && *updates <= mostUpdates;
        if (isWhole && isLine(sampled, span, largest))
            return span == 0 ? Json(sampled.rates.front())
                             : Json{{"class_name", "PolynomialDecay"},
                                    {"config",
                                     {{"initial_learning_rate", sampled.rates.front()},
                                      {"decay_steps", sampled.updates.back()},
                                      {"end_learning_rate", sampled.rates.back()},
                                      {"power", 1.0}}}};
        double tolerance = 0;
        SampledRates pieces = piecesOf(sampled, 0);
        for (double share = 1e-5; pieces.rates.size() > mostRates; share *= 2) {
            tolerance = share * largest;
            pieces = piecesOf(sampled, tolerance);
        }
        if (pieces.rates.size() == 1)
            return pieces.rates.front();
        if (!isWhole || tolerance > 0)
            warn(updates.has_value(), pieces.rates.size());
        pieces.updates.pop_back(); // the last piece has no end
        return {{"class_name", "PiecewiseConstantDecay"},
                {"config", {{"boundaries", pieces.updates}, {"values", pieces.rates}}}};
    }

private:
    /// A schedule may divide by the step, or take its root: the rate at 0 is that just above it then, where
    /// that is one of a warm-up.
    double firstRate() {
        try {
            return rateAt(0);
        } catch (const PythonRefusal&) {
            constexpr double above = 1e-9;
            const double rate = rateAt(above);
            if (std::abs(rate) > std::abs(rateAt(1)))
                throw;
            return rate;
        }
    }

    double rateAt(double update) {
        const bool isWhole = update == std::floor(update);
        const PythonValue rate =
            m_schedule.rate(m_interpreter, isWhole ? pythonConstant(static_cast<std::int64_t>(update))
                                                   : pythonConstant(update));
        if (!rate.isNumber() || !std::isfinite(rate.constant().get<double>()))
            m_builder.refuse(
                m_schedule.place, "python/unsupported",
                fmt::format("the rate of {} at step {} is {}", name(), update,
                            rate.isNumber() ? "no finite number" : "known only when the program runs"),
                {"use a schedule of tf.keras.optimizers.schedules",
                 "compute the rate of a step with numbers of the program"});
        return rate.constant().get<double>();
    }

    SampledRates evenly(std::int64_t updates) {
        const std::int64_t stride = (updates + mostUpdates - 1) / mostUpdates;
        SampledRates sampled;
        for (std::int64_t update = 0; update < updates; update += stride)
            take(sampled, update);
        return sampled;
    }

    /// Steps that grow by half an octave.
    SampledRates byOctaves() {
        constexpr std::int64_t last = std::int64_t{1} << 16;
        SampledRates sampled;
        for (std::int64_t update = 0; update <= last; update += std::max<std::int64_t>(update / 2, 1))
            take(sampled, update);
        return sampled;
    }

    void take(SampledRates& sampled, std::int64_t update) {
        sampled.updates.push_back(update);
        sampled.rates.push_back(update == 0 ? firstRate() : rateAt(static_cast<double>(update)));
    }

    /// Rates between two that are not below 0, as a project's own schedules have them.
    static bool isLine(const SampledRates& sampled, double span, double largest) {
        constexpr double exact = 1e-9;
        const double last = static_cast<double>(std::max<std::int64_t>(sampled.updates.back(), 1));
        for (std::size_t i = 0; i < sampled.rates.size(); ++i) {
            const double wanted =
                sampled.rates.front() + span * static_cast<double>(sampled.updates[i]) / last;
            if (std::abs(sampled.rates[i] - wanted) > exact * largest)
                return false;
        }
        return span == 0 || std::min(sampled.rates.front(), sampled.rates.back()) >= 0;
    }

    /// Runs of rates that differ by twice the tolerance at most: the middle of each, and the last update that
    /// has it.
    static SampledRates piecesOf(const SampledRates& sampled, double tolerance) {
        SampledRates pieces;
        double low = 0;
        double high = 0;
        for (std::size_t i = 0; i < sampled.rates.size(); ++i) {
            const double rate = sampled.rates[i];
            const bool goesOn = i > 0 && std::max(high, rate) - std::min(low, rate) <= 2 * tolerance;
            low = goesOn ? std::min(low, rate) : rate;
            high = goesOn ? std::max(high, rate) : rate;
            if (!goesOn) {
                if (i > 0)
                    pieces.updates.push_back(sampled.updates[i] - 1);
                pieces.rates.push_back(rate);
            }
            pieces.rates.back() = low == high ? low : (low + high) / 2;
        }
        pieces.updates.push_back(sampled.updates.back());
        return pieces;
    }

    void warn(bool isLengthKnown, std::size_t rates) {
        m_builder.warn(m_schedule.place, "python/ignored",
                       fmt::format("the schedule {} is taken as {} rates, each constant for some steps{}",
                                   name(), rates,
                                   isLengthKnown ? "" : ": how many updates the training makes is not known"),
                       {isLengthKnown ? "use a schedule of tf.keras.optimizers.schedules for every step"
                                      : "say how long the training is: write fit(…, steps_per_epoch=N)"});
    }

    [[nodiscard]] std::string name() const { return quotedName(m_schedule.name); }

    PythonInterpreter& m_interpreter;
    PythonProgramBuilder& m_builder;
    PythonProgramBuilder::OwnSchedule m_schedule;
};

void settleIn(Json& value, const std::function<Json(std::size_t)>& scheduleOf) {
    if (value.is_object() && value.value("class_name", Json()) == standIn) {
        value = scheduleOf(value["config"]["number"].get<std::size_t>());
        return;
    }
    if (value.is_structured())
        for (Json& item : value)
            settleIn(item, scheduleOf);
}

} // namespace

PythonValue ownSchedule(PythonProgramBuilder& builder, const PythonInstance& object, PythonPlace place) {
    return scheduleOf(builder, {[object, place](PythonInterpreter& interpreter, const PythonValue& step) {
                                    PythonArguments one{{step}, {}, place};
                                    return interpreter.callOwn(object, "__call__", one);
                                },
                                object.definition->name, place});
}

PythonValue scheduleOf(PythonProgramBuilder& builder, PythonProgramBuilder::OwnSchedule schedule) {
    const std::size_t number = builder.ownSchedules.size();
    builder.ownSchedules.push_back(std::move(schedule));
    return PythonConfigured{{{"class_name", standIn}, {"config", {{"number", number}}}}, ""};
}

void countUpdates(PythonProgramBuilder& builder, Json& optimizer, std::int64_t steps) {
    const auto inUpdates = [&](Json& count) {
        if (count.is_number())
            count = std::max<std::int64_t>(std::llround(count.get<double>() / static_cast<double>(steps)), 1);
    };
    if (steps <= 1 || !optimizer.is_object() || !optimizer.contains("config"))
        return;
    for (Json& option : optimizer["config"]) {
        if (!option.is_object() || !option.contains("config"))
            continue;
        Json& config = option["config"];
        if (option["class_name"] == standIn) {
            PythonProgramBuilder::OwnSchedule own =
                builder.ownSchedules.at(config["number"].get<std::size_t>());
            const auto rate = own.rate;
            own.rate = [rate, steps](PythonInterpreter& interpreter, const PythonValue& update) {
                return rate(interpreter, update.isWhole()
                                             ? pythonConstant(update.constant().get<std::int64_t>() * steps)
                                             : pythonConstant(update.constant().get<double>() *
                                                              static_cast<double>(steps)));
            };
            config["number"] = builder.ownSchedules.size();
            builder.ownSchedules.push_back(std::move(own));
            continue;
        }
        for (const char* key : {"decay_steps", "first_decay_steps"})
            if (const auto count = config.find(key); count != config.end())
                inUpdates(*count);
        if (const auto bounds = config.find("boundaries"); bounds != config.end() && bounds->is_array())
            for (Json& bound : *bounds)
                inUpdates(bound);
    }
}

void settleSchedules(PythonInterpreter& interpreter, PythonProgramBuilder& builder,
                     const PythonUpdates& updatesOf) {
    if (builder.ownSchedules.empty())
        return;
    for (std::size_t i = 0; i < builder.facts.draft.models.size(); ++i) {
        const PythonModel& model = builder.facts.draft.models[i];
        if (!model.training.contains("optimizer"))
            continue;
        Json optimizer = model.training["optimizer"];
        settleIn(optimizer, [&](std::size_t number) {
            return ScheduleSampler(interpreter, builder, builder.ownSchedules.at(number))
                .read(updatesOf(static_cast<std::int64_t>(i)));
        });
        builder.facts.draft.models[i].training["optimizer"] = std::move(optimizer);
    }
}

} // namespace core
