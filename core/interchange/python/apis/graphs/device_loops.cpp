// Loops that run on the device.
#include "core/interchange/python/apis/graphs/device_loops.h"

#include "core/interchange/python/apis/calls/model_elements.h"
#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/graphs/function_model.h"
#include "core/interchange/python/apis/graphs/pipeline_call.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/tensor_shape.h"
#include "core/model/graph/layer_catalogue.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <utility>

namespace core {

namespace {

/// A body that a strategy runs: it trains by itself, with samples for what the queue feeds.
PythonValue runOwnLoop(const PythonApiCall& call, const PythonValue& body, const Json& count,
                       PythonValues values, const PythonQueue* queue) {
    if (queue != nullptr)
        useQueue(call.builder, *queue);
    if (queue != nullptr && queue->dataset.element != nullptr) {
        const PythonValue& element = *queue->dataset.element;
        const PythonValues parts = element.is<PythonList>() ? element.items() : PythonValues{element};
        values.insert(values.end(), parts.begin(), parts.end());
    }
    call.builder.hasOwnDeviceLoop = true;
    PythonArguments passed{std::move(values), {}, call.place()};
    call.builder.tally.beginLoop("", count.get<std::int64_t>(), false);
    static_cast<void>(call.interpreter.call(body, passed));
    call.builder.tally.endLoop();
    return PythonData();
}

[[noreturn]] void refuseRounds(const PythonApiCall& call) {
    call.refuse(
        "python/unsupported",
        "how often while_loop() goes round is known only when it runs, and a project holds a "
        "number of steps",
        {"write ipu.loops.repeat(n, body, …)", "give maximum_iterations=n",
         "count the rounds in a loop variable that begins with a number, and compare it with another"});
}

/// What goes round with samples trains or answers: how often decides the run.
void refuseOpenCount(const PythonApiCall& call, const Json& count) {
    if (!count.is_number_integer())
        refuseOpenNumber(call, fmt::format("how often {}() goes round", call.name()),
                         "write the whole number of rounds in the program");
}

/// How often a loop goes round, and whether what only a run knows may end it earlier.
struct Rounds {
    std::int64_t most = 0;
    bool mayEndEarlier = false;
};

/// Of a condition on counters: numbers that each round adds the same to. `most`: the loop ends there at the
/// latest.
Rounds roundsUntil(const PythonApiCall& call, const PythonValue& condition, PythonValues counters,
                   const PythonValues& after, std::optional<std::int64_t> most) {
    const auto numberIn = [](const PythonValue& value) -> std::optional<double> {
        const auto array = arrayOf(value);
        return array != nullptr && array->numbers.size() == 1 ? std::optional(array->numbers.front())
                                                              : std::nullopt;
    };
    std::vector<double> steps;
    for (std::size_t i = 0; i < counters.size(); ++i) {
        const auto before = numberIn(counters[i]);
        const auto next = i < after.size() ? numberIn(after[i]) : std::nullopt;
        steps.push_back(before && next ? *next - *before : 0);
        if (before && next)
            counters[i] = *before == std::floor(*before) ? pythonConstant(static_cast<std::int64_t>(*before))
                                                         : pythonConstant(*before);
        else
            counters[i] = PythonData();
    }
    constexpr std::int64_t limit = 100'000;
    Rounds rounds;
    for (; rounds.most <= limit && (!most || rounds.most < *most); ++rounds.most) {
        PythonArguments passed{counters, {}, call.place()};
        PythonValue goesOn = PythonData();
        try {
            goesOn = call.interpreter.call(condition, passed);
        } catch (const PythonRefusal&) {
            if (!most)
                throw;
        }
        const auto truth = numberIn(goesOn);
        if (goesOn.constant() == false || (truth && *truth == 0))
            return rounds;
        rounds.mayEndEarlier = rounds.mayEndEarlier || (!goesOn.constant().is_boolean() && !truth);
        if (std::ranges::all_of(steps, [](double step) { return step == 0; }))
            break; // each round is asked the same
        for (std::size_t i = 0; i < counters.size(); ++i)
            if (counters[i].isNumber() && steps[i] != 0)
                counters[i] = counters[i].isWhole() && steps[i] == std::floor(steps[i])
                                  ? pythonConstant(counters[i].constant().get<std::int64_t>() +
                                                   static_cast<std::int64_t>(steps[i]))
                                  : pythonConstant(counters[i].constant().get<double>() + steps[i]);
    }
    if (!most)
        refuseRounds(call);
    rounds.most = *most;
    return rounds;
}

/// What a body hands on to its next round: what it returns, without operations.
PythonValues handedOnBy(const PythonApiCall& call, const PythonValue& result, std::size_t taken) {
    PythonValues values = outputsOf(result);
    std::erase_if(values, [](const PythonValue& value) {
        const auto* object = value.as<PythonLibraryObject>();
        return value.isNone() || (object != nullptr && object->className == "tf.Operation");
    });
    if (values.size() != taken)
        call.refuse("value-error/loop-values",
                    fmt::format("the body of {}() takes {} {} and returns {}", call.name(), taken,
                                taken == 1 ? "value" : "values", values.size()),
                    {"return the values of the next round, as many as it takes"});
    return values;
}

/// Whether a layer that a round of a loop made has weights, or is a model.
bool hasOwnWeights(PythonProgramBuilder& builder, const PythonLayer& layer) {
    if (layer.model >= 0)
        return true;
    if (layer.calls.empty())
        return false;
    std::vector<TensorSpec> inputs;
    for (const PythonTensor& tensor : layer.calls.front().tensors) {
        TensorSpec spec;
        for (const Json& extent : tensorShape(builder, tensor))
            spec.shape.dimensions.push_back(
                extent.is_number_integer() ? std::optional(extent.get<std::int64_t>()) : std::nullopt);
        inputs.push_back(std::move(spec));
    }
    const auto facts = describeCall(layer.className, layer.config, inputs, layer.calls.front().keywords,
                                    programPrecision(builder));
    return facts && !facts->weights.empty();
}

/// The rounds behind the first of a loop within a graph, each on what the one before handed on: the layers of
/// all of them are those of the project. A graph has its body once, and with it the weights that it makes.
PythonValue followRounds(const PythonApiCall& call, const PythonValue& body, const Json& count,
                         const PythonValues& inputs, const PythonValue& first, std::size_t layersBefore) {
    constexpr std::int64_t mostRounds = 1000;
    const auto isTensor = [](const PythonValue& value) { return value.is<PythonTensor>(); };
    if (inputs.empty() || std::ranges::none_of(outputsOf(first), isTensor))
        return first;
    PythonValues values = handedOnBy(call, first, inputs.size());
    const auto staysAlike = [](const PythonValue& before, const PythonValue& after) {
        const auto* old = before.as<PythonTensor>();
        const auto* tensor = after.as<PythonTensor>();
        return tensor == nullptr || (old != nullptr && *old == *tensor);
    };
    if (std::ranges::equal(inputs, values, staysAlike))
        return first;
    if (!count.is_number_integer())
        refuseRounds(call);
    if (count.get<std::int64_t>() > mostRounds)
        call.refuse(
            "python/unsupported",
            fmt::format("the layers of each round of a loop are layers of the model, and {} rounds are "
                        "more than the {} that are read",
                        count.get<std::int64_t>(), mostRounds),
            {"make fewer rounds", "give it infeed_queue where it should feed samples"});
    if (count.get<std::int64_t>() < 1)
        return pythonList(inputs);
    std::deque<std::int64_t> shared;
    for (std::size_t i = layersBefore; i < call.builder.facts.draft.layers.size(); ++i) {
        const PythonLayer made = call.builder.facts.draft.layers[i];
        if (hasOwnWeights(call.builder, made))
            shared.push_back(static_cast<std::int64_t>(i));
    }
    const bool reuses = std::exchange(call.builder.scope.reuses, true);
    for (std::int64_t round = 1; round < count.get<std::int64_t>(); ++round) {
        const std::size_t before = call.builder.facts.draft.layers.size();
        PythonArguments passed{values, {}, call.place()};
        call.builder.layersOfRound = shared;
        values = handedOnBy(call, call.interpreter.call(body, passed), inputs.size());
        call.builder.layersOfRound.clear();
        for (std::size_t i = before; round == 1 && i < call.builder.facts.draft.layers.size(); ++i) {
            const PythonLayer made = call.builder.facts.draft.layers[i];
            if (hasOwnWeights(call.builder, made))
                call.builder.refuse(
                    made.place, "python/unsupported",
                    fmt::format("the rounds of {}() share their weights, and the first one has no layer {}",
                                call.name(), quotedName(made.name)),
                    {"make the layer before the loop, and call it in the body"});
        }
    }
    call.builder.scope.reuses = reuses;
    return first.is<PythonList>() ? pythonList(std::move(values)) : values.front();
}

/// A loop around loops that train: what they run at once is as often as much.
PythonValue repeatWithin(const PythonApiCall& call, const Json& count, std::size_t modelsBefore) {
    if (!count.is_number_integer())
        refuseRounds(call);
    for (std::size_t i = modelsBefore; i < call.builder.facts.draft.models.size(); ++i)
        for (const char* key : {"steps_per_execution", "steps_per_epoch"})
            if (Json& training = call.builder.facts.draft.models[i].training;
                training.value(key, Json()).is_number_integer()) {
                std::int64_t all = 0;
                if (__builtin_mul_overflow(training[key].get<std::int64_t>(), count.get<std::int64_t>(),
                                           &all))
                    call.refuse("python/value", "this loop makes more rounds than can be counted",
                                {"make fewer rounds"});
                training[key] = all;
            }
    call.builder.step.reset();
    return PythonData();
}

/// A body that runs `count` times before the host hears of it.
PythonValue runLoop(const PythonApiCall& call, Json count, std::size_t bodyAt,
                    const PythonValue* condition = nullptr, std::optional<std::int64_t> most = std::nullopt) {
    const PythonValue* body = call.arguments.find("body", bodyAt);
    const PythonValue* inputs = call.arguments.given("inputs", bodyAt + 1);
    const PythonValue* queueValue = call.arguments.given("infeed_queue", bodyAt + 2);
    const auto* queue = queueValue == nullptr ? nullptr : queueValue->as<PythonQueue>();
    const PythonValues carried = inputs == nullptr ? PythonValues() : outputsOf(*inputs);
    if (call.builder.tally.isInExecution()) {
        refuseOpenCount(call, count);
        return runOwnLoop(call, *body, count, carried, queue);
    }
    PythonValues values = carried;
    PythonArguments passed{values, {}, call.place()};
    const bool isNamed =
        body != nullptr && (body->is<PythonLibraryName>() || body->is<PythonLayerName>()); // tf.tanh
    if (queue != nullptr || !isNamed) {
        const PythonProgramFunction function = functionOf(call, body, "a body");
        if (queue != nullptr) {
            passed = makeArguments(call, function, std::move(values), queue->dataset);
            values = passed.list;
            for (const auto& entry : passed.keywords)
                values.push_back(entry.second);
        }
    }
    call.builder.step.reset();
    call.builder.enqueued.clear();
    const std::size_t layersBefore = call.builder.facts.draft.layers.size();
    const std::size_t modelsBefore = call.builder.facts.draft.models.size();
    const PythonValue result = call.interpreter.call(*body, passed);
    const std::optional<PythonTrainingStep> step = call.builder.step;
    if (condition != nullptr) {
        const Rounds rounds = roundsUntil(call, *condition, carried, outputsOf(result), most);
        count = rounds.most;
        if (rounds.mayEndEarlier)
            call.warn("python/ignored",
                      fmt::format("this loop may end before {} rounds, as what it computes says: the project "
                                  "makes all of them",
                                  rounds.most),
                      {"write ipu.loops.repeat(n, body, …) with the rounds that you expect"});
    }
    if (queue == nullptr && call.builder.facts.draft.models.size() > modelsBefore)
        return repeatWithin(call, count, modelsBefore);
    if (!step && queue == nullptr)
        return followRounds(call, *body, count, carried, result, layersBefore);
    refuseOpenCount(call, count);
    Json training{{"steps_per_execution", count}, {"steps_per_epoch", count}};
    if (queue != nullptr && !queue->options.empty())
        training["infeed"] = queue->options;
    addTrainedModel(call, step ? &*step : nullptr, outputsOf(result), values,
                    queue == nullptr ? PythonData() : queue->dataset, std::move(training));
    return PythonData();
}

PythonValue callRepeat(const PythonApiCall& call) {
    const PythonValue* count = call.arguments.find("n", 0);
    return runLoop(call, count == nullptr || !count->isWhole() ? Json() : count->constant(), 1);
}

PythonValue callWhile(const PythonApiCall& call) {
    constexpr std::size_t position = 4;
    const PythonValue* given = call.arguments.given("maximum_iterations", position);
    const auto most = given != nullptr && given->isWhole()
                          ? std::optional(given->constant().get<std::int64_t>())
                          : std::nullopt;
    const PythonValue* condition = call.arguments.find("condition", 0);
    if (condition == nullptr || !programFunction(*condition) || call.builder.tally.isInExecution()) {
        if (!most)
            refuseRounds(call);
        return runLoop(call, *most, 1);
    }
    const PythonValue kept = *condition;
    return runLoop(call, nullptr, 1, &kept, most);
}

} // namespace

std::vector<PythonApiName> deviceLoopNames() {
    return {readName("ipu.**.loops.repeat", callRepeat), readName("ipu.**.loops.while_loop", callWhile)};
}

} // namespace core
