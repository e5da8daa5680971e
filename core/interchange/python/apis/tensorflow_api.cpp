// The names of TensorFlow 2.
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/configured_objects.h"
#include "core/interchange/python/apis/calls/element_expression.h"
#include "core/interchange/python/apis/calls/gradients.h"
#include "core/interchange/python/apis/calls/loss_function.h"
#include "core/interchange/python/apis/calls/program_function.h"
#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/data/array_functions.h"
#include "core/interchange/python/apis/data/constants/constant_functions.h"
#include "core/interchange/python/apis/data/data_methods.h"
#include "core/interchange/python/apis/data/dataset_functions.h"
#include "core/interchange/python/apis/data/number_functions.h"
#include "core/interchange/python/apis/files/record_files.h"
#include "core/interchange/python/apis/functions/composed_functions.h"
#include "core/interchange/python/apis/models/program_variables.h"
#include "core/interchange/python/apis/older/graph_metrics.h"
#include "core/interchange/python/apis/older/step_formulas.h"
#include "core/interchange/python/apis/weights/program_weights.h"
#include "core/interchange/python/apis/worker_clusters.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/losses.h"
#include "core/interchange/python/draft/sample_computation.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_functions.h"
#include "core/interchange/python/draft/tensor_shape.h"
#include "core/model/layers/function_shapes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

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

bool takesTensor(const PythonApiCall& call) {
    return std::ranges::any_of(call.arguments.list, holdsTensor) ||
           std::ranges::any_of(call.arguments.keywords,
                               [](const auto& entry) { return holdsTensor(entry.second); });
}

/// The extents that are known: of a tensor the batch is what is left, of samples an open one is what a run
/// knows.
PythonValue shapeOfTensor(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("input", 0);
    const auto* tensor = given == nullptr ? nullptr : given->as<PythonTensor>();
    const bool areSamples = given != nullptr && given->is<PythonData>();
    const Json shape = tensor != nullptr ? tensorShape(call.builder, *tensor)
                       : areSamples      ? shapeOf(*given)
                                         : Json();
    if (!shape.is_array())
        return anyFunction(call);
    const PythonValue open = areSamples ? PythonValue(arrayOfShape(Json::array())) : pythonConstant(-1);
    PythonValues extents;
    for (const Json& extent : shape)
        extents.push_back(extent.is_null() ? open : pythonConstant(extent));
    return pythonList(std::move(extents));
}

/// tensordot(a, b, 1): the last axis of one with the first of the other, a product of matrices.
std::optional<PythonValue> productOverLastAxis(const PythonApiCall& call) {
    const PythonValue* axes = call.arguments.given("axes", 2);
    if (call.name() != "tensordot" || axes == nullptr || call.arguments.list.size() < 2)
        return std::nullopt;
    const auto* tensor = call.arguments.list[0].as<PythonTensor>();
    const Json shape = tensor == nullptr ? Json() : tensorShape(call.builder, *tensor);
    const Json given = call.builder.json(*axes, call.place());
    const auto isLast = [&](const Json& axis) {
        return axis == -1 || (shape.is_array() && axis == static_cast<std::int64_t>(shape.size()) - 1);
    };
    const auto only = [](const Json& list) { return list.is_array() && list.size() == 1 ? list[0] : list; };
    const bool isProduct = given == 1 || (given.is_array() && given.size() == 2 && isLast(only(given[0])) &&
                                          only(given[1]) == 0);
    if (tensor == nullptr || !isProduct)
        return std::nullopt;
    PythonArguments operands{{call.arguments.list[0], call.arguments.list[1]}, {}, call.place()};
    return call.interpreter.call(PythonLibraryName{"tf.matmul"}, operands);
}

/// matmul(constant, x): a layer begins with its tensor, so it is the product of both turned, turned back.
std::optional<PythonValue> productWithConstant(const PythonApiCall& call) {
    const PythonValue* first = call.arguments.find("a", 0);
    const PythonValue* second = call.arguments.find("b", 1);
    const auto* tensor = second == nullptr ? nullptr : second->as<PythonTensor>();
    const auto constant = first == nullptr ? nullptr : arrayOf(*first);
    const Json shape = tensor == nullptr ? Json() : tensorShape(call.builder, *tensor);
    if (call.name() != "matmul" || constant == nullptr || constant->extents.size() != 2 ||
        !shape.is_array() || shape.size() < 3 ||
        call.arguments.list.size() + call.arguments.keywords.size() != 2)
        return std::nullopt;
    Json order = Json::array();
    for (std::size_t i = 0; i < shape.size(); ++i)
        order.push_back(i);
    std::swap(order[shape.size() - 1], order[shape.size() - 2]);
    const auto turned = [&](const PythonValue& value) {
        PythonArguments one{{value}, {{"perm", pythonConstant(order)}}, call.place()};
        return callOnTensors(call.builder, "transpose", one);
    };
    PythonArguments matrix{{*first}, {}, call.place()};
    const PythonValue other = call.interpreter.call(PythonLibraryName{"tf.transpose"}, matrix);
    PythonArguments operands{{turned(*tensor), other}, {}, call.place()};
    return turned(call.interpreter.call(PythonLibraryName{"tf.matmul"}, operands));
}

/// einsum(equation, a, b): the equation is no operand.
std::optional<PythonValue> summedOverIndices(const PythonApiCall& call) {
    PythonValues operands = call.arguments.list;
    const PythonValue* equation = call.arguments.find("equation", 0);
    if (call.name() != "einsum" || equation == nullptr || !equation->isText())
        return std::nullopt;
    if (!operands.empty() && operands.front().isText())
        operands.erase(operands.begin());
    PythonArguments tensors{{}, {{"equation", *equation}}, call.place()};
    const PythonValue text = *equation;
    PythonArguments weights{operands, {}, call.place()};
    const PythonApiCall sum{call.builder, call.interpreter, call.path, weights};
    static_cast<void>(weightFunction(sum)); // weights among them are tensors then
    if (std::ranges::none_of(weights.list, holdsTensor))
        return std::nullopt;
    tensors.list = {pythonList(weights.list)};
    return callOnTensors(call.builder, "einsum", tensors);
}

/// broadcast_to(token, [batch, 1, width]): the token once for each sample, as tile() repeats it.
std::optional<PythonValue> broadcastOverBatch(const PythonApiCall& call) {
    const auto* tensor = call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonTensor>();
    const PythonValue* shape = call.arguments.find("shape", 1);
    const PythonValues wanted = shape == nullptr ? PythonValues() : shape->items();
    if (call.name() != "broadcast_to" || tensor == nullptr || wanted.empty() ||
        wanted.front().constant() != -1)
        return std::nullopt;
    const Json extents = tensorShape(call.builder, *tensor);
    if (!extents.is_array() || extents.size() != wanted.size() || extents[0] != 1)
        return std::nullopt;
    PythonValues multiples{pythonConstant(-1)};
    for (std::size_t i = 1; i < wanted.size(); ++i) {
        const bool isKnown = wanted[i].isWhole() && extents[i].is_number_integer() && extents[i] != 0;
        if (!isKnown)
            return std::nullopt;
        multiples.push_back(
            pythonConstant(wanted[i].constant().get<std::int64_t>() / extents[i].get<std::int64_t>()));
    }
    PythonArguments tiled{{*tensor, pythonList(std::move(multiples))}, {}, call.place()};
    return callOnTensors(call.builder, "tile", tiled);
}

/// zeros((batch, 1, width)) and its like in a layer: the number once for each sample that the layer is called
/// on. No times what it is called on has one place for each of them.
std::optional<PythonValue> numberForSamples(const PythonApiCall& call) {
    const bool isFill = call.name() == "fill";
    const PythonValue* shape = call.arguments.find(isFill ? "dims" : "shape", 0);
    const PythonValue* filled = call.arguments.find("value", 1);
    const PythonValues extents = shape == nullptr ? PythonValues() : shape->items();
    const bool isKnown = call.name() == "zeros" || call.name() == "ones" ||
                         (isFill && filled != nullptr && filled->isNumber());
    const std::optional<PythonTensor>& called = call.builder.anchor;
    if (!isKnown || extents.empty() || extents.front().constant() != -1 || !called ||
        !std::ranges::all_of(extents.begin() + 1, extents.end(), &PythonValue::isWhole))
        return std::nullopt;
    const Json calledShape = tensorShape(call.builder, *called);
    if (!calledShape.is_array() || calledShape.empty())
        return std::nullopt;
    const auto apply = [&](const char* function, const PythonValue& tensor, const char* key, Json value) {
        PythonArguments arguments{{tensor}, {{key, pythonConstant(std::move(value))}}, call.place()};
        return callOnTensors(call.builder, function, arguments);
    };
    Json flat = Json::array({-1});
    Json whole = Json::array({-1});
    for (std::size_t i = 1; i < extents.size(); ++i) {
        flat.push_back(1);
        whole.push_back(extents[i].constant());
    }
    const Json number = isFill ? filled->constant() : Json(call.name() == "ones" ? 1.0 : 0.0);
    PythonValue made = apply("math.multiply", apply("cast", *called, "dtype", "float32"), "y", 0.0);
    Json axes = Json::array();
    for (std::size_t i = 1; i < calledShape.size(); ++i)
        axes.push_back(i);
    if (!axes.empty())
        made = apply("math.reduce_sum", made, "axis", std::move(axes));
    made = apply("math.add", apply("reshape", made, "shape", std::move(flat)), "y", number);
    return apply("broadcast_to", made, "shape", std::move(whole));
}

/// moments(x, axes): the mean and the variance over axes.
std::optional<PythonValue> momentsOfTensor(const PythonApiCall& call) {
    const PythonValue* x = call.arguments.find("x", 0);
    const PythonValue* axes = call.arguments.find("axes", 1);
    if (call.name() != "moments" || x == nullptr || !x->is<PythonTensor>() || axes == nullptr)
        return std::nullopt;
    PythonValue keep = pythonConstant(false);
    for (const char* name : {"keepdims", "keep_dims"})
        if (const PythonValue* given = call.arguments.keyword(name))
            keep = *given;
    PythonValues moments;
    for (const char* function : {"math.reduce_mean", "math.reduce_variance"}) {
        PythonArguments reduced{{*x}, {{"axis", *axes}, {"keepdims", keep}}, call.place()};
        moments.push_back(callOnTensors(call.builder, function, reduced));
    }
    return pythonList(std::move(moments), true);
}

/// Losses of tensors as tensors, in a list as well where tensors are among its values.
PythonValue lossesAsTensors(const PythonApiCall& call, const PythonValue& value) {
    if (const auto* loss = value.as<PythonLoss>(); loss != nullptr && loss->model < 0)
        return tensorOfLoss(call.builder, *loss, call.place());
    const auto* list = value.as<PythonList>();
    if (list == nullptr ||
        std::ranges::none_of(*list->items, [](const PythonValue& item) { return item.is<PythonTensor>(); }))
        return value;
    PythonValues items;
    for (const PythonValue& item : *list->items)
        items.push_back(lossesAsTensors(call, item));
    return pythonList(std::move(items), list->isTuple);
}

/// Functions after which gradients are what they were, where all is well: the bounds of clipping are read
/// elsewhere.
bool handsOnGradients(const std::string& name) {
    constexpr std::array<std::string_view, 10> known{
        "identity",     "convert_to_tensor", "cast",  "stop_gradient",       "where",
        "clip_by_norm", "clip_by_value",     "group", "clip_by_global_norm", "IndexedSlices"};
    return std::ranges::find(known, name) != known.end();
}

/// tf.nn.compute_average_loss(loss, sample_weight, global_batch_size): the sum over the samples of a replica,
/// by those of all: as many as the workers of a strategy have together, where no number is given.
std::optional<PythonValue> averageLoss(const PythonApiCall& call, const PythonLoss& loss) {
    const PythonValue* size = call.arguments.given("global_batch_size", 2);
    if (call.name() != "compute_average_loss" || isOneValue(loss))
        return std::nullopt;
    if (size == nullptr && call.builder.facts.workers > 1)
        return call.interpreter.operation("/", reduceLoss(loss, "reduce_mean"),
                                          pythonConstant(static_cast<double>(call.builder.facts.workers)),
                                          call.place());
    if (size == nullptr || !size->isNumber())
        return std::nullopt;
    const auto* labels = loss.target == nullptr ? nullptr : loss.target->as<PythonData>();
    const Json batch = labels != nullptr && labels->shape.is_array() && !labels->shape.empty()
                           ? labels->shape.front()
                           : Json();
    if (batch == size->constant())
        return reduceLoss(loss, "reduce_mean");
    PythonArguments one{{loss}, {}, call.place()};
    const PythonValue sum = call.interpreter.call(PythonLibraryName{"tf.reduce_sum"}, one);
    return call.interpreter.operation("/", sum, *size, call.place());
}

/// tf.add_n([a, b]), and sums and means over a list of tensors or losses: what adding them up computes.
std::optional<PythonValue> totalOfList(const PythonApiCall& call) {
    const std::string name = call.name();
    const bool isMean = name == "reduce_mean";
    const bool isReduction = isMean || name == "reduce_sum";
    const auto* list = call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonList>();
    const auto isComputed = [](const PythonValue& value) {
        const auto* data = value.as<PythonData>();
        return value.is<PythonTensor>() || value.is<PythonLoss>() ||
               (data != nullptr && data->computed != nullptr);
    };
    if ((!isReduction && name != "add_n" && name != "accumulate_n") || list == nullptr ||
        list->items->empty() || !std::ranges::any_of(*list->items, isComputed) || call.builder.scope.isHost)
        return std::nullopt;
    const PythonValue* axis = call.arguments.given("axis", 1);
    const bool isOfList = axis != nullptr && axis->constant() == 0;
    if (isReduction && ((axis != nullptr && !isOfList) || call.arguments.given("keepdims", 2) != nullptr))
        return std::nullopt;
    const PythonValues items = *list->items;
    const bool areLosses = std::ranges::all_of(items, [](const PythonValue& item) {
        const auto* loss = item.as<PythonLoss>();
        return loss != nullptr && isOneValue(*loss);
    });
    PythonValue total = items.front();
    for (std::size_t i = 1; i < items.size(); ++i)
        total = call.interpreter.operation("+", total, items[i], call.place());
    if (isReduction && !isOfList && !areLosses) {
        PythonArguments one{{total}, {}, call.place()};
        total = call.interpreter.call(PythonLibraryName{"tf." + name}, one);
    }
    return isMean ? call.interpreter.operation("/", total, pythonConstant(static_cast<double>(items.size())),
                                               call.place())
                  : total;
}

/// A function on tensors is a layer, of a loss it is a reduction; all else is about data.
PythonValue anyFunction(const PythonApiCall& call) {
    PythonArguments& arguments = call.arguments;
    if (const PythonValue* value = call.name() == "constant" ? arguments.keyword("value") : nullptr) {
        arguments.list.insert(arguments.list.begin(), PythonValue(*value));
        std::erase_if(arguments.keywords, [](const auto& entry) { return entry.first == "value"; });
    }
    if (const auto* extents = arguments.list.empty() ? nullptr : arguments.list.front().as<PythonList>();
        extents != nullptr && call.name() == "unstack" &&
        std::ranges::all_of(*extents->items, [](const PythonValue& one) { return one.isNumber(); }))
        return arguments.list.front();                                    // of tf.shape()
    if (!arguments.list.empty() && isGraphMetric(arguments.list.front())) // a cast, a mean
        return arguments.list.front();
    if (auto formula = elementFunction(call.name(), arguments))
        return *formula;
    if (auto gradients = gradientFunction(call))
        return *gradients;
    if (auto loss = lossArithmetic(call))
        return *loss;
    for (auto& entry : arguments.keywords) // of real numbers the same
        if (call.name() == "matmul" && (entry.first == "adjoint_a" || entry.first == "adjoint_b"))
            entry.first = entry.first == "adjoint_a" ? "transpose_a" : "transpose_b";
    if (auto number = numberOfTensor(call))
        return *number;
    if (auto chosen = chosenByMask(call))
        return *chosen;
    if (auto noise = noiseOfLayer(call))
        return *noise;
    if (auto total = totalOfList(call))
        return *total;
    if (!reducesLoss(call.name()))
        for (PythonValue& value : call.arguments.list)
            value = lossesAsTensors(call, value);
    if (const auto* loss = arguments.list.empty() ? nullptr : arguments.list[0].as<PythonLoss>()) {
        if (auto summed = summedLoss(call, *loss))
            return *summed;
        if (auto average = averageLoss(call, *loss))
            return *average;
        if (call.name() == "compute_average_loss" && arguments.given("sample_weight", 1) != nullptr)
            leaveSampleWeightsOut(call.builder, call.place());
        return reduceLoss(*loss, call.name());
    }
    if (auto sum = summedOverIndices(call))
        return *sum;
    if (auto made = productOverLastAxis(call))
        return *made;
    if (auto made = productWithConstant(call))
        return *made;
    if (auto moments = momentsOfTensor(call))
        return *moments;
    if (auto weights = weightFunction(call))
        return *weights;
    if (auto composed = composedFunction(call))
        return *composed;
    if (auto repeated = broadcastOverBatch(call))
        return *repeated;
    if (auto numbers = numberForSamples(call))
        return *numbers;
    if (auto clipped = clipGradients(call))
        return *clipped;
    const bool hasTensor = takesTensor(call);
    constexpr std::size_t module = 3; // "tf."
    if (hasTensor && call.builder.scope.isHost)
        return PythonData();
    if (hasTensor)
        return callOnTensors(call.builder, call.path.substr(module), call.arguments);
    PythonValue made = callArrayFunction(call, call.name()).value_or(samplesOfArguments(arguments));
    if (auto* data = std::get_if<PythonData>(&made.content); data != nullptr) {
        data->weights.reset();
        if (data->isGradient && !handsOnGradients(call.name()))
            data->factor.reset();
        if (drawsNumbers(call.path))
            data->origin = call.path + "()";
        data->initializer = drawsNumbers(call.path) ? initializerOfDraw(call) : Json();
    }
    return made;
}

/// tf.device("/device:IPU:0"): what is within is for the IPU. Other devices are the host's.
PythonValue namedDevice(const PythonApiCall& call) {
    const PythonValue* name = call.arguments.find("device_name", 0);
    PythonScope scope;
    scope.isStrategy = name != nullptr && name->isText() &&
                       name->constant().get_ref<const std::string&>().find("IPU") != std::string::npos;
    return scope;
}

/// tf.while_loop() within a function that is compiled for the device.
PythonValue graphLoop(const PythonApiCall& call) {
    const PythonValue* body = call.arguments.find("body", 1);
    if (call.builder.tally.isInExecution() && body != nullptr && programFunction(*body))
        call.refuse("python/unsupported", "what the body of tf.while_loop() does is not followed",
                    {"write for _ in tf.range(n): in the function", "write while in it"});
    return anyFunction(call);
}

/// Prints, assertions and summaries look at tensors and leave them as they are.
PythonValue lookedAt(const PythonApiCall& call) {
    if (takesTensor(call) && !call.builder.scope.isHost)
        call.warn("python/ignored", fmt::format("{}() is left out: a run shows no tensors", call.name()),
                  {"record samples with RecordTraining among training.callbacks"});
    const bool handsOn =
        (call.name() == "Print" || call.name() == "check_numerics") && !call.arguments.list.empty();
    return handsOn ? call.arguments.list.front() : PythonValue(pythonObject("tf.Operation"));
}

/// tf.group(): what trains is what it answers; all else that it runs answers nothing.
PythonValue groupedOperations(const PythonApiCall& call) {
    for (const PythonValue& value : call.arguments.list)
        if (value.is<PythonTrainingStep>())
            return value;
    return pythonObject("tf.Operation");
}

/// A function of Python in the middle of the model.
PythonValue hostFunction(const PythonApiCall& call) {
    if (takesTensor(call) && !call.builder.scope.isHost)
        call.refuse("python/unsupported",
                    fmt::format("{}() computes on the host in the middle of the device's program, which no "
                                "project holds",
                                call.name()),
                    {"compute it with functions of tf", "compute it before or behind the model"});
    return samplesOfArguments(call.arguments);
}

/// Whether a layer computes each number, or each row of the last axis, by itself.
bool isOfRows(const PythonLayer& layer) {
    constexpr std::array<std::string_view, 6> ofLastAxis{"softmax",     "log_softmax", "reduce_sum",
                                                         "reduce_mean", "reduce_max",  "l2_normalize"};
    const Json function = layer.config.value("function", Json());
    if (layer.className != "TFOpLambda" || !function.is_string() || layer.calls.size() != 1)
        return false;
    const std::string name = lastPart(function.get<std::string>());
    const Json axis = layer.calls.front().keywords.value("axis", Json());
    if (std::ranges::find(ofLastAxis, name) != ofLastAxis.end())
        return axis == -1 || (axis.is_null() && name.find("softmax") != std::string::npos);
    constexpr std::array<std::string_view, 36> ofNumbers{
        "abs",     "add",      "cast",     "ceil",     "clip_by_value", "cos",   "elu",    "erf",
        "exp",     "floor",    "gelu",     "identity", "leaky_relu",    "log",   "log1p",  "maximum",
        "minimum", "multiply", "negative", "pow",      "relu",          "relu6", "round",  "rsqrt",
        "selu",    "sigmoid",  "sign",     "sin",      "softplus",      "sqrt",  "square", "subtract",
        "swish",   "tanh",     "truediv",  "divide"};
    return std::ranges::find(ofNumbers, plainFunctionName(function.get<std::string>())) != ofNumbers.end();
}

/// map_fn(f, x): f of each sample. What f computes number by number, or along the last axis, is the same on
/// all samples at once.
PythonValue mappedOverSamples(const PythonApiCall& call) {
    const PythonValue* function = call.arguments.find("fn", 0);
    const PythonValue* elements = call.arguments.find("elems", 1);
    if (function == nullptr || elements == nullptr || !elements->is<PythonTensor>())
        return samplesOfArguments(call.arguments);
    const std::size_t before = call.builder.facts.draft.layers.size();
    PythonArguments one{{*elements}, {}, call.place()};
    const PythonValue callee = *function;
    PythonValue made = call.interpreter.call(callee, one);
    const std::vector<PythonLayer>& layers = call.builder.facts.draft.layers;
    if (!made.is<PythonTensor>() ||
        !std::all_of(layers.begin() + static_cast<std::ptrdiff_t>(before), layers.end(), isOfRows))
        call.refuse("python/unsupported",
                    fmt::format("what the function of {}() computes of one sample is not read", call.name()),
                    {"call it on all samples at once: its axes are then one further behind",
                     "use tf.keras.layers.TimeDistributed for a layer on each step of time"});
    return made;
}

/// tf.nest.map_structure(f, a, b): f of each value, in the lists and dictionaries that they are in.
PythonValue mappedStructure(const PythonApiCall& call, const PythonValue& function,
                            const PythonValues& each) {
    call.interpreter.countWork(1, call.place());
    const auto ofPart = [&](const auto& partOf) {
        PythonValues parts;
        for (const PythonValue& value : each)
            parts.push_back(partOf(value));
        return mappedStructure(call, function, parts);
    };
    if (const auto* list = each.front().as<PythonList>(); list != nullptr) {
        PythonValues made;
        for (std::size_t i = 0; i < list->items->size(); ++i)
            made.push_back(ofPart([&](const PythonValue& value) {
                return i < value.items().size() ? value.items()[i] : PythonValue(PythonData());
            }));
        return pythonList(std::move(made), list->isTuple);
    }
    if (const auto* dictionary = each.front().as<PythonDictionary>()) {
        std::vector<std::pair<PythonValue, PythonValue>> entries;
        for (const auto& entry : *dictionary->entries)
            entries.emplace_back(entry.first, ofPart([&](const PythonValue& value) {
                                     const auto* other = value.as<PythonDictionary>();
                                     if (other != nullptr)
                                         for (const auto& one : *other->entries)
                                             if (areEqual(one.first, entry.first))
                                                 return one.second;
                                     return PythonValue(PythonData());
                                 }));
        return pythonDictionary(std::move(entries));
    }
    PythonArguments one{each, {}, call.place()};
    return call.interpreter.call(function, one);
}

PythonValue mapStructure(const PythonApiCall& call) {
    if (call.arguments.list.size() < 2)
        return samplesOfArguments(call.arguments);
    const PythonValue function = call.arguments.list.front();
    return mappedStructure(call, function, {call.arguments.list.begin() + 1, call.arguments.list.end()});
}

/// tf.function(f): what it answers is compiled as a whole; as a decorator with arguments it has none.
PythonValue compiledFunction(const PythonApiCall& call) {
    const PythonValue* function = call.arguments.find("func", 0);
    if (function == nullptr)
        return PythonData();
    PythonLibraryObject object = pythonObject(pythonCompiledFunction);
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
    std::vector<PythonApiName> names = recordFileNames();
    for (PythonApiName& row : datasetNames())
        names.push_back(std::move(row));
    for (PythonApiName& row : clusterNames())
        names.push_back(std::move(row));
    for (PythonApiName& row : std::vector<PythonApiName>{
             readName("tf.random.set_seed", setSeed),
             readName("tf.set_random_seed", setSeed),
             readName("tf.function", compiledFunction),
             readName("tf.device", namedDevice),
             readName(std::string(pythonCompiledFunction) + ".__call__", callCompiled),
             readName("tf.**.DynamicLossScale", makeLossScale),
             readName("tf.**.get_variable",
                      [](const PythonApiCall& call) {
                          return makesGlobalStep(call) ? globalStep() : variableOfProgram(call);
                      }),
             readName("tf.Variable",
                      [](const PythonApiCall& call) {
                          return makesGlobalStep(call) ? globalStep() : variableOfValue(call);
                      }),
             readName("tf.shape", shapeOfTensor),
             readName("tf.nest.map_structure", mapStructure),
             readName("tf.map_fn", mappedOverSamples),
             readName("tf.vectorized_map", mappedOverSamples),
             readName("tf.print", lookedAt),
             readName("tf.group", groupedOperations),
             readName("tf.Print", lookedAt),
             readName("tf.Assert", lookedAt),
             readName("tf.**.check_numerics", lookedAt),
             readName("tf.debugging.**", lookedAt),
             readName("tf.summary.**", lookedAt),
             readName("tf.py_func", hostFunction),
             readName("tf.py_function", hostFunction),
             readName("tf.numpy_function", hostFunction),
             readName("tf.while_loop", graphLoop),
             readName("tf.**", anyFunction)})
        names.push_back(std::move(row));
    return names;
}

} // namespace

const PythonApiTable& tensorflowApi() {
    static const PythonApiTable api{{{"tensorflow", "tf"},
                                     {"tf.compat.v1", "tf"},
                                     {"tf.compat.v2", "tf"},
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
