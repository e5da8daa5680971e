// The names of TensorFlow 2.
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/configured_objects.h"
#include "core/interchange/python/apis/calls/data_methods.h"
#include "core/interchange/python/apis/calls/element_expression.h"
#include "core/interchange/python/draft/losses.h"
#include "core/interchange/python/draft/tensor_functions.h"

#include <algorithm>

namespace core {

namespace {

PythonValue setSeed(const PythonApiCall& call) {
    if (const PythonValue* seed = call.arguments.find("seed", 0); seed != nullptr && seed->isWhole())
        call.builder.facts.training["seed"] = seed->constant();
    return {};
}

/// A variable of the program: what it holds is not known, but its shape is.
PythonValue variable(const PythonApiCall& call) {
    PythonData data;
    if (const PythonValue* shape = call.arguments.given("shape", 1);
        shape != nullptr && shape->is<PythonList>())
        data.shape = call.builder.json(*shape, call.place());
    return data;
}

bool holdsTensor(const PythonValue& value) {
    return value.is<PythonTensor>() || std::ranges::any_of(value.items(), [](const PythonValue& item) {
               return item.is<PythonTensor>();
           });
}

/// A function on tensors is a layer, of a loss it is a reduction; all else is about data.
PythonValue anyFunction(const PythonApiCall& call) {
    const PythonArguments& arguments = call.arguments;
    if (auto formula = elementFunction(call.name(), arguments))
        return *formula;
    if (const auto* loss = arguments.list.empty() ? nullptr : arguments.list[0].as<PythonLoss>())
        return reduceLoss(call.builder, *loss, call.name(), call.place());
    const bool hasTensor =
        std::ranges::any_of(arguments.list, holdsTensor) ||
        std::ranges::any_of(arguments.keywords, [](const auto& entry) { return holdsTensor(entry.second); });
    constexpr std::size_t module = 3; // "tf."
    return hasTensor ? callOnTensors(call.builder, call.path.substr(module), call.arguments)
                     : samplesOfArguments(arguments);
}

} // namespace

const PythonApiTable& tensorflowApi() {
    static const PythonApiTable api{
        {{"tensorflow", "tf"},
         {"tf.compat.v1", "tf"},
         {"tf.python.ops.nn", "tf.nn"},
         {"tf.python.ops.math_ops", "tf"},
         {"tf.python.ops.array_ops", "tf"}},
        {"tf", "tensorflow", "tensorflow.python.framework.ops", "tensorflow.python.ops.array_ops",
         "tensorflow.python.ops.math_ops", "tensorflow.python.ops.nn",
         "tensorflow.python.ops.variable_scope"},
        {readName("tf.random.set_seed", setSeed), readName("tf.set_random_seed", setSeed),
         readName("tf.**.DynamicLossScale", makeLossScale), readName("tf.**.get_variable", variable),
         readName("tf.**", anyFunction)}};
    return api;
}

} // namespace core
