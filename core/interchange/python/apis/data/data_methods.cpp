#include "core/interchange/python/apis/data/data_methods.h"

#include "core/interchange/python/apis/calls/gradients.h"
#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/data/array_functions.h"
#include "core/interchange/python/apis/data/constants/constant_functions.h"
#include "core/interchange/python/apis/data/constants/seeded_draws.h"
#include "core/interchange/python/apis/data/dataset_functions.h"
#include "core/interchange/python/apis/data/fed_samples.h"
#include "core/interchange/python/apis/rates/set_rates.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/sample_shapes.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

/// The model that is run, with what trains it or with its outputs; −1: none.
std::int64_t compiledIn(const PythonProgramBuilder& builder, const PythonValue& value) {
    if (const auto* data = value.as<PythonData>())
        return data->compiled;
    if (const auto* tensor = value.as<PythonTensor>()) {
        const auto& models = builder.facts.draft.models;
        for (std::size_t i = models.size(); i > 0; --i)
            if (std::ranges::find(models[i - 1].outputs, *tensor) != models[i - 1].outputs.end())
                return static_cast<std::int64_t>(i) - 1;
        return -1;
    }
    std::int64_t found = -1;
    for (const PythonValue& item : value.items())
        found = std::max(found, compiledIn(builder, item));
    return found;
}

/// A run of a graph: what it feeds, and what it trains.
PythonValue run(const PythonApiCall& call, const PythonData& data) {
    if (const PythonValue* fetches = call.arguments.find("fetches", 0))
        if (const std::int64_t model = compiledIn(call.builder, *fetches); model >= 0) {
            call.builder.launches.step(model);
            feedPlaceholders(call.builder, model, call.arguments);
        }
    for (const PythonValue& value : call.arguments.list)
        call.builder.feed(value);
    for (const auto& entry : call.arguments.keywords)
        call.builder.feed(entry.second);
    return data;
}

/// session.make_callable(fetches): a function that runs them.
PythonValue callableRun(const PythonApiCall& call, const PythonData& data) {
    const PythonValue* fetches = call.arguments.find("fetches", 0);
    if (fetches == nullptr || call.arguments.given("feed_list", 1) != nullptr)
        call.refuse("python/unsupported", "make_callable() is read of fetches alone",
                    {"write session.run(fetches, feed_dict=…)"});
    PythonLibraryObject made = pythonObject("functools.partial");
    (*made.attributes)["func"] = PythonMethod{std::make_shared<const PythonValue>(data), "run"};
    (*made.attributes)["args"] = pythonList({*fetches}, true);
    (*made.attributes)["keywords"] = pythonDictionary({});
    return made;
}

/// x.reshape(a, b) and x.reshape((a, b)).
PythonValue reshape(const PythonApiCall& call, PythonData data) {
    data.count = data.element == nullptr ? PythonData::unknownCount : data.count;
    const bool isList = call.arguments.list.size() == 1 && call.arguments.list[0].is<PythonList>();
    const Json target = writtenShape(isList ? call.arguments.list[0] : pythonList(call.arguments.list, true));
    data.shape = reshapedShape(data.shape, target);
    data.dataset.clear();
    return data;
}

PythonValue flatten(const PythonApiCall&, PythonData data) {
    data.count = data.element == nullptr ? PythonData::unknownCount : data.count;
    data.shape = reshapedShape(data.shape, Json::array({-1}));
    data.dataset.clear();
    return data;
}

bool changesWeight(const PythonData& data, const PythonValue* value) {
    return data.weights || (value != nullptr && gradientsIn(*value) != nullptr);
}

/// optimizer.learning_rate.assign(0.1) of a compiled model.
PythonValue assign(const PythonApiCall& call, const PythonData& data) {
    const PythonValue* value = call.arguments.find("value", 0);
    if (value != nullptr && data.rateOf != -1)
        setLearningRate(call.builder, data, *value, call.place());
    return changesWeight(data, value) ? updateByHand(call, data, value) : PythonValue(data);
}

PythonValue changeBy(const PythonApiCall& call, PythonData data) {
    const PythonValue* delta = call.arguments.find("delta", 0);
    if (delta != nullptr && data.rateOf != -1)
        setLearningRate(
            call.builder, data,
            call.interpreter.operation(call.path == "assign_sub" ? "-" : "+", data, *delta, call.place()),
            call.place());
    return changesWeight(data, delta) ? updateByHand(call, data, delta) : PythonValue(data);
}

PythonValue gradient(const PythonApiCall& call, const PythonData&) {
    return takeGradients(call);
}

/// x.astype(int): the same in another type.
PythonValue astype(const PythonApiCall& call, PythonData data) {
    setType(data, typeNamed(call.arguments.find("dtype", 0)));
    return data;
}

/// step.assign_add(1) of a variable of the host: what it holds is known where the program always comes there.
PythonValue assignNumber(const PythonApiCall& call, const PythonData& variable) {
    const bool isSum = call.path != "assign";
    const PythonValue* value = call.arguments.find(isSum ? "delta" : "value", 0);
    const bool isRepeated =
        std::ranges::any_of(call.builder.loopsAround, [](const auto& loop) { return !loop.isFollowed; });
    PythonArray& array = *variable.array;
    if (value == nullptr || isRepeated || call.builder.unknownWays > 0) {
        array.isOpen = true;
        return variable;
    }
    const PythonValue made = isSum ? call.interpreter.operation(call.path == "assign_sub" ? "-" : "+",
                                                                variable, *value, call.place())
                                   : withRateNow(call.builder, *value);
    const auto number = arrayOf(made);
    const bool isKnown = number != nullptr && number->extents.empty() && !number->isOpen;
    array.isOpen = array.isOpen && isSum ? true : !isKnown;
    if (isKnown)
        array.numbers = number->numbers;
    return variable;
}

struct DataMethod {
    std::string_view name;
    PythonValue (*meaning)(const PythonApiCall&, PythonData);
};
constexpr std::array<DataMethod, 10> dataMethods{
    {{"astype", astype},
     {"assign_sub", changeBy},
     {"assign_add", changeBy},
     {"assign", [](const PythonApiCall& call, PythonData data) { return assign(call, data); }},
     {"run", [](const PythonApiCall& call, PythonData data) { return run(call, data); }},
     {"make_callable", [](const PythonApiCall& call, PythonData data) { return callableRun(call, data); }},
     {"reshape", reshape},
     {"flatten", flatten},
     {"ravel", flatten},
     {"gradient", [](const PythonApiCall& call, PythonData data) { return gradient(call, data); }}}};
/// Functions of arrays that are functions of their module as well.
constexpr std::array<std::string_view, 31> arrayMethods{
    "mean",    "sum",       "std",      "var",    "min",     "max",          "argmax",      "argmin",
    "prod",    "any",       "all",      "ptp",    "clip",    "squeeze",      "cumsum",      "cumprod",
    "argsort", "transpose", "swapaxes", "repeat", "take",    "dot",          "round",       "diagonal",
    "trace",   "nonzero",   "conj",     "normal", "uniform", "argpartition", "searchsorted"};
/// Functions of arrays that leave their numbers what they are.
constexpr std::array<std::string_view, 5> handingOn{"numpy", "copy", "tolist", "to_numpy", "view"};

} // namespace

PythonValue callDataMethod(const PythonApiCall& call, const PythonData& data) {
    if (call.path.starts_with("assign") && data.array != nullptr && data.array->extents.empty() &&
        data.rateOf == -1 && !data.weights)
        return assignNumber(call, data);
    constexpr std::array<std::string_view, 5> reading{"numpy", "read_value", "value", "item", "eval"};
    if (data.rateOf != -1 && std::ranges::find(reading, call.path) != reading.end())
        return withRateNow(call.builder, data);
    if (data.array != nullptr)
        if (auto made = constantMethod(call, data))
            return *made;
    if (data.numbers != nullptr)
        if (auto made = seededDraw(call, *data.numbers))
            return *made;
    PythonData result = data;
    result.array = nullptr;
    result.numbers = nullptr;
    result.placeholder = 0;
    const auto row = std::ranges::find(dataMethods, call.path, &DataMethod::name);
    if (row != dataMethods.end())
        return row->meaning(call, result);
    if (call.path == "shuffle" && !call.arguments.list.empty()) // of a generator of random numbers
        if (const auto* shuffled = call.arguments.list[0].as<PythonData>();
            shuffled != nullptr && shuffled->array != nullptr)
            shuffled->array->isOpen = true;
    const bool isArray = data.shape.is_array() && data.element == nullptr && data.placeholder == 0;
    const bool draws = drawsArray(call.path);
    if (draws && !isArray && data.origin.starts_with("tf.random.")) { // one of TensorFlow
        const PythonValue* shape = call.arguments.find("shape", 0);
        return arrayOfShape(shape == nullptr ? Json() : writtenShape(*shape));
    }
    if (draws && !isArray) // of a generator of random numbers
        return callArrayFunction(call, call.path).value_or(result);
    if (isArray && std::ranges::find(arrayMethods, call.path) != arrayMethods.end()) {
        const bool areAxes = call.path == "transpose" && !call.arguments.list.empty() &&
                             !call.arguments.list.front().is<PythonList>();
        if (areAxes)
            call.arguments.list = {pythonList(call.arguments.list, true)};
        call.arguments.list.insert(call.arguments.list.begin(), PythonValue(data));
        return callArrayFunction(call, call.path).value_or(result);
    }
    if (auto made = callDatasetMethod(call, result))
        return *made;
    if (std::ranges::find(handingOn, call.path) == handingOn.end())
        result.areWhole = false;
    return result;
}

PythonValue samplesOfArguments(const PythonArguments& arguments) {
    PythonData result;
    for (const PythonValue& argument : arguments.list) {
        const auto* data = firstSamples(argument);
        if (data == nullptr)
            continue;
        if (result.dataset.empty()) {
            result.dataset = data->dataset;
            result.batchSize = data->batchSize;
        }
        if (result.origin.empty())
            result.origin = data->origin;
        if (result.part < 0)
            result.part = data->part;
        keepGradients(argument, result);
    }
    return result;
}

} // namespace core
