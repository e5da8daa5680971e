// The names of TensorFlow 2.
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/configured_objects.h"
#include "core/interchange/python/apis/calls/element_expression.h"
#include "core/interchange/python/apis/calls/loss_function.h"
#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/data/array_functions.h"
#include "core/interchange/python/apis/data/data_methods.h"
#include "core/interchange/python/apis/data/dataset_functions.h"
#include "core/interchange/python/apis/data/number_functions.h"
#include "core/interchange/python/apis/models/program_weights.h"
#include "core/interchange/python/draft/losses.h"
#include "core/interchange/python/draft/tensor_functions.h"
#include "core/interchange/python/draft/tensor_shape.h"

#include <algorithm>

namespace core {

namespace {

PythonValue setSeed(const PythonApiCall& call) {
    if (const PythonValue* seed = call.arguments.find("seed", 0); seed != nullptr && seed->isWhole())
        call.builder.facts.training["seed"] = seed->constant();
    return {};
}

PythonValue anyFunction(const PythonApiCall& call);

bool holdsTensor(const PythonValue& value) {
    return value.is<PythonTensor>() || std::ranges::any_of(value.items(), [](const PythonValue& item) {
               return item.is<PythonTensor>();
           });
}

/// The extents that are known; the batch is what is left.
PythonValue shapeOfTensor(const PythonApiCall& call) {
    const auto* tensor = call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonTensor>();
    const Json shape = tensor == nullptr ? Json() : tensorShape(call.builder, *tensor);
    if (!shape.is_array())
        return anyFunction(call);
    PythonValues extents;
    for (const Json& extent : shape)
        extents.push_back(pythonConstant(extent.is_null() ? Json(-1) : extent));
    return pythonList(std::move(extents));
}

/// A function on tensors is a layer, of a loss it is a reduction; all else is about data.
PythonValue anyFunction(const PythonApiCall& call) {
    const PythonArguments& arguments = call.arguments;
    if (auto formula = elementFunction(call.name(), arguments))
        return *formula;
    if (auto number = numberOfTensor(call))
        return *number;
    if (call.builder.computesLoss && call.name() != "reduce_mean" && call.name() != "reduce_sum")
        for (PythonValue& value : call.arguments.list)
            if (const auto* loss = value.as<PythonLoss>())
                value = tensorOfLoss(call.builder, *loss, call.place());
    if (const auto* loss = arguments.list.empty() ? nullptr : arguments.list[0].as<PythonLoss>())
        return reduceLoss(call.builder, *loss, call.name(), call.place());
    if (auto weights = weightFunction(call))
        return *weights;
    if (auto clipped = clipGradients(call))
        return *clipped;
    const bool hasTensor =
        std::ranges::any_of(arguments.list, holdsTensor) ||
        std::ranges::any_of(arguments.keywords, [](const auto& entry) { return holdsTensor(entry.second); });
    constexpr std::size_t module = 3; // "tf."
    if (hasTensor)
        return callOnTensors(call.builder, call.path.substr(module), call.arguments);
    return callArrayFunction(call, call.name()).value_or(samplesOfArguments(arguments));
}

constexpr const char* compiledClass = "tf.function.compiled";

/// tf.function(f): what it answers is compiled as a whole; as a decorator with arguments it has none.
PythonValue compiledFunction(const PythonApiCall& call) {
    const PythonValue* function = call.arguments.find("func", 0);
    if (function == nullptr)
        return PythonData();
    PythonLibraryObject object{compiledClass, std::make_shared<std::map<std::string, PythonValue>>()};
    (*object.attributes)["func"] = *function;
    return object;
}

PythonValue callCompiled(const PythonApiCall& call) {
    const PythonValue function = call.arguments.list.at(0).as<PythonLibraryObject>()->attributes->at("func");
    call.arguments.list.erase(call.arguments.list.begin());
    const PythonExecution execution(call.builder);
    return call.interpreter.call(function, call.arguments);
}

std::vector<PythonApiName> tensorflowNames() {
    std::vector<PythonApiName> names = datasetNames();
    for (PythonApiName& row : std::vector<PythonApiName>{
             readName("tf.random.set_seed", setSeed), readName("tf.set_random_seed", setSeed),
             readName("tf.function", compiledFunction),
             readName(std::string(compiledClass) + ".__call__", callCompiled),
             readName("tf.**.DynamicLossScale", makeLossScale),
             readName("tf.**.get_variable", variableOfProgram), readName("tf.shape", shapeOfTensor),
             readName("tf.**", anyFunction)})
        names.push_back(std::move(row));
    return names;
}

} // namespace

const PythonApiTable& tensorflowApi() {
    static const PythonApiTable api{{{"tensorflow", "tf"},
                                     {"tf.compat.v1", "tf"},
                                     {"tf.python.ops.nn", "tf.nn"},
                                     {"tf.python.ops.math_ops", "tf"},
                                     {"tf.python.ops.array_ops", "tf"}},
                                    {"tf", "tensorflow", "tensorflow.python.framework.ops",
                                     "tensorflow.python.ops.array_ops", "tensorflow.python.ops.math_ops",
                                     "tensorflow.python.ops.nn", "tensorflow.python.ops.variable_scope"},
                                    tensorflowNames()};
    return api;
}

} // namespace core
