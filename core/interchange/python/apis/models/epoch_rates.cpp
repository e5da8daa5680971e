#include "core/interchange/python/apis/models/epoch_rates.h"

#include "core/interchange/python/apis/rates/set_rates.h"

#include <algorithm>
#include <vector>

namespace core {

namespace {

/// Epochs that a project says rates for at most.
constexpr std::int64_t mostEpochs = 10'000;

/// Keras hands on the rate so far to functions that take it.
bool takesRate(const PythonValue& schedule) {
    const PythonFunction* function = schedule.as<PythonFunction>();
    std::size_t own = 0;
    if (const auto* method = schedule.as<PythonMethod>()) {
        const auto* instance = method->owner->as<PythonInstance>();
        function = instance == nullptr ? nullptr : instance->definition->function(method->name);
        own = 1;
    }
    return function != nullptr &&
           std::ranges::count(function->definition->parameters, PythonParameter::Kind::Any,
                              &PythonParameter::kind) > static_cast<std::ptrdiff_t>(own + 1);
}

/// How many epochs a project can say rates for; nothing: the program does not say, or too many.
std::optional<std::int64_t> epochsOf(const ModelCall& call) {
    const Json epochs = call.model().training.value("epochs", Json(1));
    return epochs.is_number_integer() && epochs.get<std::int64_t>() <= mostEpochs
               ? std::optional(std::max(epochs.get<std::int64_t>(), firstEpoch(call) + 1))
               : std::nullopt;
}

std::optional<double> firstRateOf(const ModelCall& call) {
    return firstRate(call.model().training.value("optimizer", Json()));
}

Json scheduler(Json rates) {
    return Json{{"class_name", "LearningRateScheduler"}, {"config", {{"schedule", std::move(rates)}}}};
}

} // namespace

std::int64_t firstEpoch(const ModelCall& call) {
    const PythonValue* first = call.arguments().given("initial_epoch", initialEpochAt);
    constexpr std::int64_t most = std::int64_t{1} << 40;
    return first != nullptr && first->isWhole()
               ? std::clamp<std::int64_t>(first->constant().get<std::int64_t>(), 0, most)
               : 0;
}

void settleSetRates(PythonProgramBuilder& builder) {
    for (PythonModel& model : builder.facts.draft.models) {
        const Json optimizer = model.training.value("optimizer", Json());
        if (!optimizer.is_object() || !optimizer.contains(pythonSetRates))
            continue;
        const Json set = optimizer[pythonSetRates];
        model.training["optimizer"].erase(pythonSetRates);
        const Json epochs = model.training.value("epochs", Json(1));
        const Json callbacks = model.training.value("callbacks", Json::array());
        const std::optional<double> first = firstRate(optimizer);
        if (!epochs.is_number_integer() || set.front()[0] >= epochs)
            continue;
        if (epochs > mostEpochs || !first || !callbacks.is_array() ||
            std::ranges::any_of(callbacks, changesRate)) {
            builder.warn(model.trainingPlace, "python/ignored",
                         "the learning rates that are set between the calls of fit() are left out",
                         {"give fit() one LearningRateScheduler with the rates of all epochs"});
            continue;
        }
        std::vector<double> rates(epochs.get<std::size_t>(), *first);
        for (const Json& entry : set)
            if (entry[0] < epochs)
                std::fill(rates.begin() + entry[0].get<std::ptrdiff_t>(), rates.end(),
                          entry[1].get<double>());
        if (std::ranges::count(rates, *first) == std::ssize(rates))
            continue;
        model.training["callbacks"] = callbacks;
        model.training["callbacks"].push_back(scheduler(rates));
    }
}

std::optional<Json> ratesByEpoch(const ModelCall& call, const PythonLibraryObject& callback) {
    const PythonValue schedule = callback.attributes->at("schedule");
    const auto epochs = epochsOf(call);
    std::optional<double> rate = firstRateOf(call);
    const bool isTold = takesRate(schedule);
    if (!epochs || (isTold && !rate))
        return std::nullopt;
    Json rates = Json::array();
    for (std::int64_t epoch = firstEpoch(call); epoch < *epochs; ++epoch) {
        PythonArguments arguments{{pythonConstant(epoch)}, {}, call.place()};
        if (isTold)
            arguments.list.push_back(pythonConstant(*rate));
        const PythonValue made = call.call.interpreter.call(schedule, arguments);
        if (!made.isNumber())
            return std::nullopt;
        rate = made.constant().get<double>();
        rates.push_back(*rate);
    }
    return scheduler(std::move(rates));
}

std::optional<Json> ratesByEpoch(const ModelCall& call, const PythonInstance& callback) {
    const auto epochs = epochsOf(call);
    PythonProgramBuilder& builder = call.call.builder;
    if (!epochs)
        return std::nullopt;
    (*callback.attributes)["model"] = call.name;
    builder.epochRate = PythonProgramBuilder::EpochRate{firstRateOf(call), false};
    Json rates = Json::array();
    bool isRead = true;
    try {
        for (std::int64_t epoch = firstEpoch(call); epoch < *epochs; ++epoch) {
            PythonArguments arguments{{pythonConstant(epoch)}, {}, call.place()};
            static_cast<void>(call.call.interpreter.callOwn(callback, "on_epoch_begin", arguments));
            isRead = isRead && builder.epochRate->rate.has_value();
            rates.push_back(builder.epochRate->rate.value_or(0));
        }
    } catch (const PythonRefusal&) { // it does more than that, or a run alone knows what
        isRead = false;
    }
    isRead = isRead && builder.epochRate->isSet;
    builder.epochRate.reset();
    if (!isRead)
        return std::nullopt;
    return scheduler(std::move(rates));
}

} // namespace core
