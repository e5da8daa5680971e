#include "core/interchange/python/apis/data/data_methods.h"

#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/data/array_functions.h"
#include "core/interchange/python/apis/data/constant_functions.h"
#include "core/interchange/python/apis/data/dataset_functions.h"
#include "core/interchange/python/draft/sample_shapes.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

/// The model that something trains which is run; −1: none.
std::int64_t compiledIn(const PythonValue& value) {
    if (const auto* data = value.as<PythonData>())
        return data->compiled;
    std::int64_t found = -1;
    for (const PythonValue& item : value.items())
        found = std::max(found, compiledIn(item));
    return found;
}

/// A run of a graph: what it feeds, and what it trains.
PythonValue run(const PythonApiCall& call, const PythonData& data) {
    if (const PythonValue* fetches = call.arguments.find("fetches", 0))
        if (const std::int64_t model = compiledIn(*fetches); model >= 0)
            call.builder.launches.step(model);
    for (const PythonValue& value : call.arguments.list)
        call.builder.feed(value);
    for (const auto& entry : call.arguments.keywords)
        call.builder.feed(entry.second);
    return data;
}

/// x.reshape(a, b) and x.reshape((a, b)).
PythonValue reshape(const PythonApiCall& call, PythonData data) {
    const bool isList = call.arguments.list.size() == 1 && call.arguments.list[0].is<PythonList>();
    const Json target = writtenShape(isList ? call.arguments.list[0] : pythonList(call.arguments.list, true));
    data.shape = reshapedShape(data.shape, target);
    data.dataset.clear();
    return data;
}

PythonValue flatten(const PythonApiCall&, PythonData data) {
    data.shape = reshapedShape(data.shape, Json::array({-1}));
    data.dataset.clear();
    return data;
}

/// optimizer.learning_rate.assign(0.1) of a compiled model.
PythonValue assign(const PythonApiCall& call, const PythonData& data) {
    if (const PythonValue* value = call.arguments.find("value", 0); value != nullptr && data.rateOf >= 0)
        setLearningRate(call.builder, data.rateOf, *value, call.place());
    return data;
}

PythonValue gradient(const PythonApiCall& call, const PythonData&) {
    return takeGradients(call);
}

struct DataMethod {
    std::string_view name;
    PythonValue (*meaning)(const PythonApiCall&, PythonData);
};
constexpr std::array<DataMethod, 6> dataMethods{
    {{"assign", [](const PythonApiCall& call, PythonData data) { return assign(call, data); }},
     {"run", [](const PythonApiCall& call, PythonData data) { return run(call, data); }},
     {"reshape", reshape},
     {"flatten", flatten},
     {"ravel", flatten},
     {"gradient", [](const PythonApiCall& call, PythonData data) { return gradient(call, data); }}}};
/// Functions of arrays that are functions of their module as well.
constexpr std::array<std::string_view, 13> arrayMethods{
    "mean", "sum",     "std",       "min",      "max",    "argmax", "argmin",
    "clip", "squeeze", "transpose", "swapaxes", "normal", "uniform"};

} // namespace

PythonValue callDataMethod(const PythonApiCall& call, const PythonData& data) {
    if (data.array != nullptr)
        if (auto made = constantMethod(call, data))
            return *made;
    PythonData result = data;
    result.array = nullptr;
    result.placeholder = 0;
    const auto row = std::ranges::find(dataMethods, call.path, &DataMethod::name);
    if (row != dataMethods.end())
        return row->meaning(call, result);
    const bool isArray = data.shape.is_array() && data.element == nullptr && data.placeholder == 0;
    const bool draws = drawsArray(call.path);
    if (draws && !isArray && data.origin.starts_with("tf.random.")) { // one of TensorFlow
        const PythonValue* shape = call.arguments.find("shape", 0);
        return arrayOfShape(shape == nullptr ? Json() : writtenShape(*shape));
    }
    if (draws && !isArray) // of a generator of random numbers
        return callArrayFunction(call, call.path).value_or(result);
    if (isArray && std::ranges::find(arrayMethods, call.path) != arrayMethods.end()) {
        call.arguments.list.insert(call.arguments.list.begin(), PythonValue(data));
        return callArrayFunction(call, call.path).value_or(result);
    }
    if (isArray && call.path == "repeat")
        return PythonData();
    if (auto made = callDatasetMethod(call, result))
        return *made;
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
        if (const PythonData* gradients = gradientsIn(argument)) {
            result.isGradient = true;
            result.factor = gradients->factor;
            result.decay = gradients->decay;
            result.gradientsOf = gradients->gradientsOf;
        }
    }
    return result;
}

} // namespace core
