// Learning rates that a program sets while it trains.
#include "core/interchange/python/apis/rates/set_rates.h"

#include "core/catalogue/optimizers.h"
#include "core/config/keras_catalogue.h"
#include "core/interchange/python/draft/own_schedules.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace core {

namespace {

/// What is told of it as a number or a schedule; null: only a run knows it.
Json rateSaid(const PythonProgramBuilder& builder, const PythonValue& value, PythonPlace place) {
    const PythonValue number = withRateNow(builder, value);
    const auto* data = number.as<PythonData>();
    const bool isSaid =
        number.isNumber() || number.is<PythonConfigured>() ||
        (data != nullptr && data->array != nullptr && data->array->extents.empty() && !data->array->isOpen);
    const Json said = isSaid ? builder.json(number, place) : Json();
    return said.is_number() || said.is_object() ? said : Json();
}

std::int64_t stepsOf(const PythonProgramBuilder& builder, std::int64_t model) {
    const auto counted = builder.tally.steps().find(model);
    return counted == builder.tally.steps().end() ? 0 : counted->second.total;
}

/// A rate that is set in a loop which is followed once for all its rounds may differ from round to round: the
/// program is followed anew, and each of them. False: only a run knows how many those are, or they are too
/// many.
bool followsRounds(const PythonProgramBuilder& builder) {
    constexpr std::int64_t most = 20'000;
    std::int64_t rounds = 1;
    const PythonProgramBuilder::LoopAround* once = nullptr;
    for (const auto& loop : builder.loopsAround) {
        if (loop.isFollowed)
            continue;
        if (loop.rounds < 0 || loop.rounds > most)
            return false;
        rounds *= std::max<std::int64_t>(loop.rounds, 1);
        if (rounds > most)
            return false;
        once = once == nullptr ? &loop : once;
    }
    if (once != nullptr)
        builder.refuse(once->place, pythonEachRound, PythonProgramBuilder::loopAt(once->place), {});
    return true;
}

void remember(PythonProgramBuilder& builder, std::int64_t model, std::int64_t step, double rate) {
    auto& rates = builder.setRates[model];
    while (!rates.empty() && rates.back().step >= step)
        rates.pop_back(); // nothing was trained by it
    if (rates.empty() || rates.back().rate != rate)
        rates.push_back({step, rate});
}

} // namespace

std::int64_t modelCompiledWith(const PythonProgramBuilder& builder, const PythonConfigured& optimizer) {
    if (optimizer.model >= 0)
        return optimizer.model;
    std::int64_t found = PythonData::ofNoModel;
    const auto& models = builder.facts.draft.models;
    const Json own = configuredNow(optimizer);
    for (std::size_t model = 0; model < models.size(); ++model) {
        const Json compiled = models[model].training.value("optimizer", Json());
        const auto isSame = [&](const char* key) {
            return compiled.is_object() && compiled.value(key, Json()) == own.value(key, Json());
        };
        // A loop of the program trains without compiling.
        const bool isCompiled = !models[model].isTrained() || models[model].isFitted;
        if (!isCompiled || !isSame("class_name") || !isSame("config"))
            continue;
        if (found != PythonData::ofNoModel)
            return PythonData::ofNoModel; // which of them is not known
        found = static_cast<std::int64_t>(model);
    }
    return found;
}

PythonValue rateOfOptimizer(const PythonProgramBuilder& builder, const PythonConfigured& optimizer) {
    PythonData rate;
    rate.rateOf = modelCompiledWith(builder, optimizer);
    rate.rate = optimizer.rate;
    if (rate.rate != nullptr && !rate.rate->isSet)
        if (const auto first = firstRate(optimizer.json))
            rate.rate->now = *first;
    return rate;
}

void setLearningRate(PythonProgramBuilder& builder, const PythonData& rate, const PythonValue& value,
                     PythonPlace place) {
    const Json said = rateSaid(builder, value, place);
    if (builder.epochRate) {
        builder.epochRate->isSet = true;
        builder.epochRate->rate = said.is_number() ? std::optional(said.get<double>()) : std::nullopt;
        return;
    }
    const auto leaveOut = [&] {
        builder.warn(place, "python/ignored",
                     said.is_null() || builder.unknownWays > 0
                         ? "the learning rate that is set here is left out: only a run knows it"
                         : "the learning rate that is set here is left out",
                     {"give the optimizer a schedule of tf.keras.optimizers.schedules",
                      "compute the rate of numbers that the program says"});
    };
    if (builder.unknownWays > 0 || !followsRounds(builder))
        return leaveOut();
    if (rate.rateOf < 0) {
        if (rate.rate == nullptr)
            builder.refuse(place, "python/unsupported",
                           "the rate of this optimizer is not followed from one step to the next",
                           {"give the optimizer a schedule of learning rates",
                            "take an optimizer of tf.keras.optimizers, and set its learning_rate"});
        if (said.is_null())
            return leaveOut();
        rate.rate->now = said;
        rate.rate->isSet = true;
        return;
    }
    PythonModel& made = builder.model(rate.rateOf);
    Json& optimizer = made.training["optimizer"];
    if (optimizer.is_string())
        optimizer = {{"class_name", optimizer}, {"config", Json::object()}};
    if (said.is_null() || !optimizer.is_object())
        return leaveOut();
    if (!made.isTrained() && !made.isTrainedByBatch) {
        optimizerOptions(optimizer)["learning_rate"] = said;
        if (rate.rate != nullptr)
            *rate.rate = {said, true};
        return;
    }
    const bool isPlain =
        said.is_number() && !optimizerOptions(optimizer).value("learning_rate", Json()).is_object();
    if (!isPlain || (!made.isFitted && made.fitted))
        return leaveOut();
    if (!made.isFitted) // a loop of the program trains it
        return remember(builder, rate.rateOf, stepsOf(builder, rate.rateOf), said.get<double>());
    // The next fit() goes on with it.
    const Json epochs = made.training.value("epochs", Json(1));
    Json& rates = optimizer[pythonSetRates];
    if (rates.is_array() && rates.back()[0] == epochs)
        rates.back()[1] = said;
    else
        rates.push_back({epochs, said});
}

std::optional<double> firstRate(const Json& optimizer) {
    Json given = optimizer;
    Json whole = scaledOptimizer(given);
    if (whole.is_string())
        whole = {{"class_name", whole}, {"config", Json::object()}};
    if (whole.is_null())
        whole = {{"class_name", "RMSprop"}, {"config", Json::object()}};
    const std::string name = whole.is_object() ? whole.value("class_name", "") : "";
    const KerasClass* known = optimizerCatalogue().named(name);
    if (known == nullptr)
        return std::nullopt;
    const Json config = whole.value("config", Json::object());
    const Json rate =
        config.contains("learning_rate")
            ? config["learning_rate"]
            : resolvedConfig({std::string(known->className), Json::object()}, optimizerCatalogue())
                  .value("learning_rate", Json());
    return rate.is_number() ? std::optional(rate.get<double>()) : std::nullopt;
}

bool changesRate(const Json& callback) {
    const std::string name = callback.value("class_name", "");
    return name == "LearningRateScheduler" || name == "ReduceLROnPlateau";
}

std::optional<double> rateNow(const PythonProgramBuilder& builder, const PythonData& rate) {
    if (builder.epochRate)
        return builder.epochRate->rate;
    if (rate.rateOf < 0)
        return rate.rate != nullptr && rate.rate->now.is_number()
                   ? std::optional(rate.rate->now.get<double>())
                   : std::nullopt;
    const PythonModel& made = builder.facts.draft.models[static_cast<std::size_t>(rate.rateOf)];
    const Json callbacks = made.training.value("callbacks", Json::array());
    if (!callbacks.is_array() || std::ranges::any_of(callbacks, changesRate))
        return std::nullopt;
    if (const auto set = builder.setRates.find(rate.rateOf); set != builder.setRates.end())
        return set->second.back().rate;
    Json optimizer = made.training.value("optimizer", Json());
    forgetRatesBefore(optimizer);
    return firstRate(optimizer);
}

bool isRate(const PythonValue& value) {
    const auto* data = value.as<PythonData>();
    return data != nullptr && data->rateOf != -1;
}

PythonValue withRateNow(const PythonProgramBuilder& builder, const PythonValue& value) {
    const auto now = isRate(value) ? rateNow(builder, *value.as<PythonData>()) : std::nullopt;
    return now ? pythonConstant(*now) : value;
}

void noteRate(PythonProgramBuilder& builder, std::int64_t model, const Json& optimizer) {
    if (const auto rate = firstRate(optimizer))
        remember(builder, model, stepsOf(builder, model), *rate);
}

void settleStepRates(PythonProgramBuilder& builder) {
    constexpr std::size_t mostValues = 64;
    for (auto& [index, set] : builder.setRates) {
        PythonModel& model = builder.model(index);
        const std::int64_t steps = stepsOf(builder, index);
        std::erase_if(set, [&](const auto& entry) { return entry.step > 0 && entry.step >= steps; });
        Json& optimizer = model.training["optimizer"];
        const auto first = firstRate(optimizer);
        if (set.empty() || !first)
            continue;
        const Json count = model.pipeline.value("gradient_accumulation_steps_per_replica", Json(1));
        const std::int64_t accumulated =
            count.is_number_integer() ? std::max<std::int64_t>(count.get<std::int64_t>(), 1) : 1;
        Json boundaries = Json::array();
        Json values = Json::array({set.front().step == 0 ? set.front().rate : *first});
        for (const auto& entry : set) {
            const std::int64_t updates = entry.step / accumulated;
            if (updates == 0) {
                values.back() = entry.rate;
                continue;
            }
            // A rate holds up to its boundary, counted from 0.
            if (!boundaries.empty() && boundaries.back() == updates - 1)
                values.back() = entry.rate;
            else {
                boundaries.push_back(updates - 1);
                values.push_back(entry.rate);
            }
        }
        Json& rate = optimizerOptions(optimizer)["learning_rate"];
        if (boundaries.empty()) {
            rate = values.front();
        } else if (values.size() <= mostValues) {
            rate = {{"class_name", "PiecewiseConstantDecay"},
                    {"config", {{"boundaries", boundaries}, {"values", values}}}};
        } else { // one for each step may be a line, or too many
            auto bounds = boundaries.get<std::vector<std::int64_t>>();
            auto rates = values.get<std::vector<double>>();
            rate = builder.json(
                scheduleOf(builder, {[bounds = std::move(bounds),
                                      rates = std::move(rates)](PythonInterpreter&, const PythonValue& step) {
                                         const auto at =
                                             std::ranges::lower_bound(bounds, step.constant().get<double>());
                                         return pythonConstant(
                                             rates[static_cast<std::size_t>(at - bounds.begin())]);
                                     },
                                     "of the loop", model.trainingPlace}),
                model.trainingPlace);
        }
    }
}

void forgetRatesBefore(Json& optimizer, std::int64_t epochs) {
    if (!optimizer.is_object() || !optimizer.contains(pythonSetRates))
        return;
    for (const Json& entry : optimizer[pythonSetRates])
        if (entry[0] <= epochs)
            optimizerOptions(optimizer)["learning_rate"] = entry[1];
    optimizer.erase(pythonSetRates);
}

} // namespace core
