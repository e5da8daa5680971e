#include "core/interchange/python/apis/functions/own_recurrence.h"

#include "core/interchange/python/draft/tensor_functions.h"
#include "core/interchange/python/draft/tensor_shape.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>

namespace core {

namespace {

/// Steps that are written out as layers.
constexpr std::int64_t mostSteps = 128;

bool isSet(const PythonLibraryObject& layer, const char* option) {
    const auto given = layer.attributes->find(option);
    return given != layer.attributes->end() && given->second.constant() == true;
}

/// The widths of the states of a cell: one, or a list.
std::vector<std::int64_t> stateSizes(const PythonApiCall& call, const PythonValue& cell) {
    const PythonValue said = call.interpreter.attributeOf(cell, "state_size");
    std::vector<std::int64_t> sizes;
    for (const PythonValue& size : said.is<PythonList>() ? said.items() : PythonValues{said}) {
        if (!size.isWhole() || size.constant().get<std::int64_t>() < 1)
            call.refuse("python/unsupported", "the state_size of this cell is no number, nor a list of such",
                        {"set state_size in the __init__ of the cell"});
        sizes.push_back(size.constant().get<std::int64_t>());
    }
    return sizes;
}

/// Zeros of that width for each sample.
PythonValue zeroState(const PythonApiCall& call, const PythonTensor& sequence, std::size_t rank,
                      std::int64_t width) {
    const auto apply = [&](const char* function, const PythonValue& value, const char* key, Json setting) {
        PythonArguments arguments{{value}, {}, call.place()};
        if (key != nullptr)
            arguments.keywords.emplace_back(key, pythonConstant(std::move(setting)));
        return callOnTensors(call.builder, function, arguments);
    };
    Json axes = Json::array();
    for (std::size_t axis = 1; axis < rank; ++axis)
        axes.push_back(axis);
    const PythonValue sums =
        apply("math.reduce_sum", apply("zeros_like", sequence, nullptr, nullptr), "axis", axes);
    return apply("math.add", apply("reshape", sums, "shape", {-1, 1}), "y",
                 Json::array({Json(static_cast<std::size_t>(width), 0.0)}));
}

PythonValues statesIn(const PythonValue& value) {
    return value.is<PythonList>() ? value.items() : PythonValues{value};
}

} // namespace

PythonValue makeOwnRecurrence(const PythonApiCall& call) {
    PythonLibraryObject layer = pythonObject(pythonOwnRecurrence);
    (*layer.attributes)["cell"] = *call.arguments.find("cell", 0);
    constexpr std::array<const char*, 6> settings{"return_sequences", "return_state", "go_backwards",
                                                  "stateful",         "unroll",       "time_major"};
    for (std::size_t i = 0; i < settings.size(); ++i)
        if (const PythonValue* value = call.arguments.find(settings[i], i + 1))
            (*layer.attributes)[settings[i]] = *value;
    if (isSet(layer, "time_major") || isSet(layer, "stateful"))
        call.refuse("python/unsupported",
                    "an RNN with a cell of the program is read batch first and without state",
                    {"leave time_major and stateful out", "use an LSTM, a GRU or a SimpleRNN"});
    return layer;
}

PythonValue callOwnRecurrence(const PythonApiCall& call) {
    const PythonLibraryObject layer = *call.arguments.list.at(0).as<PythonLibraryObject>();
    const PythonValue cell = layer.attributes->at("cell");
    const auto* sequence =
        call.arguments.list.size() < 2 ? nullptr : call.arguments.list[1].as<PythonTensor>();
    if (sequence == nullptr)
        return PythonData();
    const PythonTensor input = *sequence;
    const Json shape = tensorShape(call.builder, input);
    const bool isKnown = shape.is_array() && shape.size() > 1 && shape[1].is_number_integer();
    if (!isKnown || shape[1].get<std::int64_t>() < 1 || shape[1].get<std::int64_t>() > mostSteps)
        call.refuse("python/unsupported",
                    fmt::format("a cell of the program is followed step by step, for 1 to {} steps, and this "
                                "sequence has {}",
                                mostSteps, isKnown ? shape[1].dump() : "an unknown number"),
                    {"give the input its number of steps", "use an LSTM, a GRU or a SimpleRNN"});
    PythonValues states;
    if (const PythonValue* given = call.arguments.given("initial_state", 2))
        states = statesIn(*given);
    if (states.empty())
        for (const std::int64_t width : stateSizes(call, cell))
            states.push_back(zeroState(call, input, shape.size(), width));
    const std::int64_t steps = shape[1].get<std::int64_t>();
    PythonValues outputs;
    for (std::int64_t step = 0; step < steps; ++step) {
        const std::int64_t at = isSet(layer, "go_backwards") ? steps - 1 - step : step;
        const PythonValue whole = PythonSlice{
            std::make_shared<const PythonValues>(PythonValues{PythonValue(), PythonValue(), PythonValue()})};
        const PythonValue now =
            sliceTensor(call.builder, input, pythonList({whole, pythonConstant(at)}, true), call.place());
        PythonArguments passed{{now, pythonList(states)}, {}, call.place()};
        const PythonValue answer = call.interpreter.call(cell, passed);
        if (answer.items().size() != 2 || !answer.items().front().is<PythonTensor>())
            call.refuse("python/value",
                        "the call() of a cell answers its output and the list of its new states",
                        {"return output, [state]"});
        outputs.push_back(answer.items().front());
        states = statesIn(answer.items().back());
    }
    PythonValue result = outputs.back();
    if (isSet(layer, "return_sequences")) {
        PythonArguments all{{pythonList(outputs)}, {{"axis", pythonConstant(1)}}, call.place()};
        result = callOnTensors(call.builder, "stack", all);
    }
    if (!isSet(layer, "return_state"))
        return result;
    states.insert(states.begin(), result);
    return pythonList(std::move(states));
}

} // namespace core
