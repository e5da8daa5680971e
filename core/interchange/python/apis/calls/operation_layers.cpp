// Functions on tensors as layers. One row per function.
#include "core/interchange/python/apis/calls/operation_layers.h"

#include "core/interchange/python/apis/calls/ipu_configuration.h"
#include "core/interchange/python/apis/calls/loss_function.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/sample_computation.h"
#include "core/interchange/python/draft/tensor_functions.h"
#include "core/interchange/python/draft/tensor_shape.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

/// An argument of a function, in its position.
struct OperationArgument {
    enum class Use : std::uint8_t {
        Tensor,    ///< an input of the layer, in the order of the rows' own `inputs`
        Numbers,   ///< an input as well, or an attribute of the same name where the program says its numbers
        Zeros,     ///< an input, or an attribute with its rows where it is an array of zeros
        Attribute, ///< an attribute of the layer
        Moot       ///< says nothing that the simulated system could do differently
    };
    std::string_view name;
    Use use = Use::Moot;
    /// Of the layer; the argument's name where empty.
    std::string_view attribute = {};
};

struct Operation {
    std::string_view pattern;
    std::string_view className;
    std::vector<OperationArgument> arguments = {};
    /// Names of the tensors in the order of the layer's inputs; empty: as they come.
    std::vector<std::string_view> inputs = {};
    /// Attributes whose default differs from the layer's, as JSON.
    std::string_view defaults = "{}";
    std::int64_t outputs = 1;
};

constexpr auto tensor = OperationArgument::Use::Tensor;
constexpr auto saidNumbers = OperationArgument::Use::Numbers;
constexpr auto zeroRows = OperationArgument::Use::Zeros;
constexpr auto attribute = OperationArgument::Use::Attribute;

std::vector<OperationArgument> connectionistArguments(std::string_view data, std::string_view length) {
    return {{"labels", tensor},
            {data, tensor},
            {"label_length", tensor},
            {length, tensor},
            {"blank_index", attribute},
            {"out_dtype"},
            {"name"}};
}

std::vector<OperationArgument> beamArguments(std::string_view data, std::string_view length) {
    return {{data, tensor},           {length, tensor},           {"beam_width", attribute},
            {"top_paths", attribute}, {"blank_index", attribute}, {"name"}};
}

std::vector<OperationArgument> sampledArguments() {
    return {{"weights"},
            {"biases"},
            {"labels", tensor},
            {"inputs", tensor},
            {"num_sampled", attribute},
            {"num_classes", attribute},
            {"num_true", attribute},
            {"sampled_values"},
            {"name"},
            {"seed", attribute}};
}

std::vector<OperationArgument> normArguments(bool hasGroups, bool hasStride) {
    std::vector<OperationArgument> list{{"inputs", tensor}};
    if (hasGroups)
        list.push_back({"groups", attribute});
    for (const OperationArgument& one :
         {OperationArgument{"channels_axis", attribute}, OperationArgument{"center", attribute},
          OperationArgument{"scale", attribute}, OperationArgument{"epsilon", attribute},
          OperationArgument{"param_initializers"}, OperationArgument{"reuse"},
          OperationArgument{"variables_collections"}, OperationArgument{"training"},
          OperationArgument{"trainable", attribute}, OperationArgument{"scope"}})
        list.push_back(one);
    if (hasStride)
        list.push_back({"strided_channel_grouping", attribute});
    return list;
}

std::vector<Operation> normalizations() {
    // A layer normalization is a group normalization with one group.
    return {{"ipu.**.normalization_ops.group_norm",
             "GroupNormalization",
             normArguments(true, true),
             {},
             R"({"groups":2,"channels_axis":-1,"epsilon":1e-6})"},
            {"ipu.**.normalization_ops.instance_norm",
             "InstanceNormalization",
             normArguments(false, false),
             {},
             R"({"channels_axis":-1,"epsilon":1e-6})"},
            {"ipu.**.normalization_ops.layer_norm",
             "GroupNormalization",
             normArguments(false, false),
             {},
             R"({"groups":1,"channels_axis":-1,"epsilon":1e-6})"}};
}

std::vector<Operation> networkOperations() {
    const std::vector<std::string_view> lossInputs{"labels", "data", "label_length", "data_length"};
    const std::vector<std::string_view> byData{"data", "labels", "label_length", "data_length"};
    const std::vector<std::string_view> byLogits{"logits", "labels", "label_length", "logit_length"};
    const std::vector<std::string_view> sampled{"inputs", "labels"};
    constexpr std::string_view timeMajor = R"({"time_major":true,"from_logits":false})";
    constexpr std::string_view timeMajorLogits = R"({"time_major":true,"from_logits":true})";
    constexpr std::string_view beam =
        R"({"time_major":true,"from_logits":true,"blank_index":-1,"beam_width":100,"top_paths":1})";
    constexpr std::string_view beamLogs =
        R"({"time_major":true,"from_logits":false,"blank_index":-1,"beam_width":100,"top_paths":1})";
    return {
        {"ipu.**.nn_ops.ctc_beam_search_decoder",
         "CTCBeamSearch",
         beamArguments("logits", "logits_lengths"),
         {},
         beam,
         3},
        {"ipu.**.nn_ops.ctc_beam_search_decoder_with_log_probs",
         "CTCBeamSearch",
         beamArguments("log_probs", "input_lengths"),
         {},
         beamLogs,
         3},
        {"ipu.**.nn_ops.ctc_loss", "CTCLoss", connectionistArguments("data", "data_length"), byData,
         timeMajor},
        {"ipu.**.nn_ops.ctc_loss_with_log_probs", "CTCLoss", connectionistArguments("data", "data_length"),
         byData, timeMajor},
        {"ipu.**.nn_ops.ctc_loss_v2", "CTCLoss", connectionistArguments("logits", "logit_length"), byLogits,
         timeMajorLogits},
        {"ipu.**.nn_ops.ctc_loss_with_logits", "CTCLoss", connectionistArguments("logits", "logit_length"),
         byLogits, timeMajorLogits},
        {"ipu.**.nn_ops.gelu",
         "Activation",
         {{"x", tensor}, {"approximate", attribute}, {"name"}},
         {},
         R"({"activation":"gelu_tanh"})"},
        {"ipu.**.nn_ops.hard_sigmoid",
         "Activation",
         {{"x", tensor}, {"name"}},
         {},
         R"({"activation":"hard_sigmoid"})"},
        {"ipu.**.nn_ops.swish", "Activation", {{"x", tensor}, {"name"}}, {}, R"({"activation":"swish"})"},
        {"ipu.**.nn_ops.nce_loss", "NceLoss", sampledArguments(), sampled},
        {"ipu.**.nn_ops.sampled_softmax_loss", "SampledSoftmaxLoss", sampledArguments(), sampled},
    };
}

std::vector<Operation> replicaOperations() {
    return {
        {"ipu.**.all_gather", "AllGather", {{"x", tensor}, {"replication_factor", attribute}, {"name"}}},
        {"ipu.**.all_to_all",
         "AllToAll",
         {{"x", tensor},
          {"split_dimension", attribute},
          {"concat_dimension", attribute},
          {"replication_factor", attribute, "number_of_replicas"},
          {"name"}}},
        {"ipu.**.cross_replica_sum",
         "CrossReplicaSum",
         {{"x", tensor}, {"replica_group_size", attribute}, {"name"}}},
        {"ipu.**.cross_replica_mean",
         "CrossReplicaMean",
         {{"x", tensor}, {"replica_group_size", attribute}, {"name"}}},
        {"ipu.**.reduce_scatter",
         "ReduceScatter",
         {{"x", tensor}, {"replication_factor", attribute}, {"op", attribute}, {"name"}}},
    };
}

std::vector<Operation> dataOperations() {
    return {
        {"ipu.**.slicing_ops.sequence_slice",
         "SequenceSlice",
         {{"dst", zeroRows, "dst_rows"},
          {"src", tensor},
          {"num_elems", saidNumbers},
          {"src_offsets", saidNumbers},
          {"dst_offsets", saidNumbers},
          {"zero_unused", attribute}}},
        {"ipu.**.slicing_ops.sequence_slice_pack",
         "SequenceSlicePack",
         {{"dst", zeroRows, "dst_rows"},
          {"src", tensor},
          {"num_elems", saidNumbers},
          {"dst_offsets", saidNumbers},
          {"zero_unused", attribute}}},
        {"ipu.**.slicing_ops.sequence_slice_unpack",
         "SequenceSliceUnpack",
         {{"src", tensor},
          {"num_elems", saidNumbers},
          {"src_offsets", saidNumbers},
          {"total_elements", attribute}}},
        {"ipu.**.statistics_ops.fixed_width_bins",
         "FixedWidthBins",
         {{"inputs", tensor}, {"n_bins", attribute}}},
        {"ipu.**.statistics_ops.histogram",
         "Histogram",
         {{"inputs", tensor}, {"levels", saidNumbers}, {"absolute_of_input", attribute}},
         {},
         R"({"levels":null})"},
        {"ipu.**.statistics_ops.histogram_update",
         "Histogram",
         {{"hist", tensor}, {"inputs", tensor}, {"levels", saidNumbers}, {"absolute_of_input", attribute}},
         {"inputs", "hist", "levels"},
         R"({"levels":null})"},
        {"ipu.**.image_ops.normalise_image",
         "NormaliseImage",
         {{"image", tensor},
          {"channel_offsets", attribute},
          {"channel_scales", attribute},
          {"scale", attribute},
          {"name"}}},
        {"ipu.**.math_ops.serialized_matmul",
         "SerializedMatmul",
         {{"a", tensor},
          {"b", tensor},
          {"serialization_factor", attribute},
          {"serialization_dimension", attribute},
          {"transpose_a", attribute},
          {"transpose_b", attribute},
          {"name"}}},
        {"ipu.**.rand_ops.dropout",
         "Dropout",
         {{"x", tensor}, {"rate", attribute}, {"noise_shape", attribute}, {"seed", attribute}, {"name"}},
         {},
         R"({"rate":0.5})"},
    };
}

const std::vector<Operation>& operations() {
    static const std::vector<Operation> list = [] {
        std::vector<Operation> all;
        for (const auto& part :
             {normalizations(), networkOperations(), replicaOperations(), dataOperations()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return list;
}

std::int64_t positionOf(const Operation& known, std::string_view name) {
    const auto row = std::ranges::find(known.arguments, name, &OperationArgument::name);
    return row == known.arguments.end() ? -1 : row - known.arguments.begin();
}

void checkArguments(const PythonApiCall& call, const Operation& known) {
    for (const auto& [name, value] : call.arguments.keywords)
        if (positionOf(known, name) < 0)
            call.refuse("python/value",
                        fmt::format("{}() has no argument \"{}\"", call.name(), quotedName(name)),
                        {"leave it out"});
    if (call.arguments.list.size() > known.arguments.size())
        call.refuse("python/value",
                    fmt::format("{}() takes {} arguments and gets {}", call.name(), known.arguments.size(),
                                call.arguments.list.size()),
                    {"remove the last ones"});
}

bool isInput(const OperationArgument& argument) {
    return argument.use == tensor || argument.use == saidNumbers || argument.use == zeroRows;
}

/// What a layer keeps of numbers that the program says where it could also give a tensor; null: it cannot.
Json keptNumbers(const OperationArgument& argument, const PythonValue& value) {
    const auto array = argument.use == tensor || value.is<PythonTensor>() ? nullptr : arrayOf(value);
    if (array == nullptr || array->isOpen || array->extents.empty())
        return nullptr;
    if (argument.use == zeroRows)
        return std::ranges::all_of(array->numbers, [](double number) { return number == 0; })
                   ? Json(array->extents.front())
                   : Json();
    if (array->extents.size() != 1)
        return nullptr;
    Json list = Json::array();
    for (const double number : array->numbers)
        if (array->kind == PythonArray::Kind::Whole)
            list.push_back(static_cast<std::int64_t>(number));
        else
            list.push_back(number);
    return list;
}

struct OperationInput {
    std::string_view name;
    PythonValue value;

    [[nodiscard]] bool isTensor() const { return value.is<PythonTensor>(); }
};

/// What the function is called on, in the order of the layer's inputs; `config` gets what is numbers.
std::vector<OperationInput> inputsOf(const PythonApiCall& call, const Operation& known, Json& config) {
    std::vector<std::string_view> order = known.inputs;
    if (order.empty())
        for (const OperationArgument& argument : known.arguments)
            if (isInput(argument))
                order.push_back(argument.name);
    std::vector<OperationInput> inputs;
    for (const std::string_view name : order) {
        const auto position = static_cast<std::size_t>(positionOf(known, name));
        const PythonValue* given = call.arguments.given(name, position);
        if (given == nullptr)
            call.refuse("python/value", fmt::format("{}() lacks \"{}\"", call.name(), name),
                        {fmt::format("write {}=…", name)});
        const OperationArgument& argument = known.arguments[position];
        if (Json numbers = keptNumbers(argument, *given); !numbers.is_null())
            config[std::string(argument.attribute.empty() ? name : argument.attribute)] = std::move(numbers);
        else
            inputs.push_back({name, *given});
    }
    return inputs;
}

constexpr const char* ofAnswers = "what a model answers";

/// What statistics are taken of outside of a model; empty: of samples, which say nothing about it.
std::string measuredIn(const std::vector<OperationInput>& inputs) {
    std::string what;
    for (const OperationInput& input : inputs) {
        const auto* data = input.value.as<PythonData>();
        if (data != nullptr && data->isGradient)
            return "gradients";
        if (data != nullptr && data->weights)
            what = "weights";
        else if (data != nullptr && what.empty() && (data->model >= 0 || data->computed != nullptr))
            what = ofAnswers;
    }
    return what;
}

/// The layer of a project knows a mean; the operation of the API does not. Source: reduce_scatter_op in the
/// API reference.
void checkCollectiveOperator(const PythonApiCall& call, const Json& given) {
    constexpr std::array<std::string_view, 8> known{"ADD",         "MUL",        "MIN",        "MAX",
                                                    "LOGICAL_AND", "LOGICAL_OR", "SQUARE_ADD", "LOCAL"};
    constexpr std::string_view prefix = "COLLECTIVE_OP_";
    const std::string name = given.is_string() ? given.get<std::string>() : "";
    if (given.is_null() ||
        (name.starts_with(prefix) && std::ranges::find(known, name.substr(prefix.size())) != known.end()))
        return;
    std::vector<std::string> cures;
    if (name == "COLLECTIVE_OP_MEAN" || name == "COLLECTIVE_OP_AVG")
        cures.emplace_back("write op=\"COLLECTIVE_OP_ADD\" and divide the result by the number of replicas");
    cures.push_back(
        fmt::format("write op=\"{0}\" with one of {1}", std::string(prefix) + "…", fmt::join(known, ", ")));
    call.refuse(
        "value-error/collective-operator",
        fmt::format("{}() knows no operator {}", call.name(), name.empty() ? given.dump() : quotedName(name)),
        std::move(cures));
}

PythonValue callOperation(const PythonApiCall& call, const Operation& known) {
    // The example of the API reference writes zero_unused before the last argument; the signature has none.
    if (known.className == "SequenceSliceUnpack" && call.arguments.list.size() == known.arguments.size() + 1)
        call.arguments.list.erase(call.arguments.list.end() - 2);
    checkArguments(call, known);
    const auto asTensor = [&](PythonValue& value) {
        if (const auto* loss = value.as<PythonLoss>(); loss != nullptr && loss->model < 0)
            value = tensorOfLoss(call.builder, *loss, call.place());
    };
    std::ranges::for_each(call.arguments.list, asTensor);
    for (auto& entry : call.arguments.keywords)
        asTensor(entry.second);
    Json config = Json::parse(known.defaults);
    const std::vector<OperationInput> inputs = inputsOf(call, known, config);
    if (std::ranges::none_of(inputs, &OperationInput::isTensor)) {
        const std::string measured = measuredIn(inputs);
        const bool isStatistic = known.pattern.find("statistics_ops") != std::string_view::npos;
        const bool isOfAnswers = measured == ofAnswers;
        if (!measured.empty() && isStatistic && !isOfAnswers)
            call.warn("python/ignored",
                      fmt::format("{}() of {} is left out: a loop of the program computes it, and a project "
                                  "has no such output",
                                  call.name(), measured),
                      {"compute it of a tensor within the model, and make it an output of the model",
                       "record samples with RecordTraining among training.callbacks"});
        PythonData made;
        for (const OperationInput& input : inputs)
            keepGradients(input.value, made);
        made.areSummed = made.areSummed || (made.isGradient && known.className == "CrossReplicaSum");
        made.areAveraged = made.areAveraged || (made.isGradient && known.className == "CrossReplicaMean");
        if (isStatistic && isOfAnswers) {
            PythonValue statistic = made;
            rememberComputation(statistic, {PythonComputation::Kind::Function, call.path, call.arguments});
            PythonProgramBuilder::remember(call.builder.measuredAnswers, statistic, call.place());
            return statistic;
        }
        return known.outputs == 1
                   ? PythonValue(made)
                   : pythonList(PythonValues(static_cast<std::size_t>(known.outputs), made), true);
    }
    PythonValues tensors;
    for (const OperationInput& input : inputs) {
        const auto beside = std::ranges::find_if(inputs, &OperationInput::isTensor);
        const auto numbers = input.isTensor()
                                 ? std::nullopt
                                 : numberForEach(call, *beside->value.as<PythonTensor>(), input.value, 0);
        if (!input.isTensor() && !numbers)
            call.refuse(
                "python/unsupported",
                fmt::format("{}() gets a \"{}\" that is no tensor of the model", call.name(), input.name),
                {"give what comes from tf.keras.Input(), the infeed or a layer"});
        tensors.push_back(numbers.value_or(input.value));
    }
    for (std::size_t i = 0; i < known.arguments.size(); ++i) {
        const OperationArgument& argument = known.arguments[i];
        const PythonValue* given = call.arguments.given(argument.name, i);
        if (argument.use != attribute || given == nullptr)
            continue;
        const auto array = given->is<PythonData>() ? arrayOf(*given) : nullptr;
        const bool isOfRun = given->is<PythonData>() && array == nullptr;
        if (isOfRun && argument.name == "seed")
            continue;
        config[std::string(argument.attribute.empty() ? argument.name : argument.attribute)] =
            array != nullptr ? jsonOf(*array) : call.builder.json(*given, call.place());
    }
    if (known.className == "ReduceScatter")
        checkCollectiveOperator(call, config.value("op", Json()));
    if (known.className == "ReduceScatter" && !tensors.empty())
        if (const auto* tensor = tensors.front().as<PythonTensor>())
            if (const Json shape = tensorShape(call.builder, *tensor); shape.is_array() && shape.size() != 1)
                call.refuse("value-error/rank",
                            fmt::format("{}() takes a tensor of one axis, and this one has {}", call.name(),
                                        shape.size()),
                            {"reshape it to one axis: tf.reshape(x, [-1])"});
    if (config.contains("approximate") && config["approximate"] == false)
        config["activation"] = "gelu";
    if (known.className == "Activation")
        config.erase("approximate");
    const PythonValue result =
        callNewLayer(call, std::string(known.className), std::move(config), listedInputs(std::move(tensors)));
    return known.outputs == 1 ? result : outputTuple(*result.as<PythonTensor>(), known.outputs);
}

/// A layer for each tensor of a list, or of one.
PythonValue callEach(const PythonApiCall& call, const char* className) {
    const PythonValue* tensors = call.arguments.find("tensors", 0);
    if (tensors == nullptr)
        call.refuse("python/value", fmt::format("{}() takes tensors first", call.name()),
                    {fmt::format("write {}(x)", call.name())});
    const auto one = [&](const PythonValue& value) {
        return value.is<PythonTensor>() ? callNewLayer(call, className, Json::object(), {value}) : value;
    };
    if (!tensors->is<PythonList>())
        return one(*tensors);
    PythonValues results;
    for (const PythonValue& value : tensors->items())
        results.push_back(one(value));
    return pythonList(std::move(results), tensors->as<PythonList>()->isTuple);
}

/// It has no input in the API; the layer hangs on the model's last input, whose values it does not look at.
PythonValue callReplicationIndex(const PythonApiCall& call) {
    const std::vector<PythonLayer>& layers = call.builder.facts.draft.layers;
    for (std::size_t i = layers.size(); i-- > 0;)
        if (layers[i].className == "InputLayer")
            return callNewLayer(call, "ReplicationIndex", Json::object(),
                                {PythonTensor{static_cast<std::int64_t>(i), 0, 0}});
    return PythonData();
}

/// Between processes the mean, where `op` does not say the sum.
PythonValue callAllReduce(const PythonApiCall& call) {
    const PythonValue* value = call.arguments.find("tensor", 0);
    if (value == nullptr)
        return PythonData();
    const PythonValue* operation = call.arguments.given("op", 1);
    const bool isSum = operation != nullptr && call.builder.json(*operation, call.place()) == Json("Sum");
    if (!value->is<PythonTensor>()) { // gradients and losses; a process by itself has its own
        PythonValue own = *value;
        const std::int64_t processes =
            configuredNumber(call, "experimental.multi_replica_distribution.process_count").value_or(1);
        if (auto* data = std::get_if<PythonData>(&own.content);
            data != nullptr && data->isGradient && processes > 1)
            (isSum ? data->areSummed : data->areAveraged) = true;
        return own;
    }
    return callNewLayer(call, isSum ? "CrossReplicaSum" : "CrossReplicaMean", Json::object(), {*value});
}

/// What all processes hold, one behind the other along the first axis; a process by itself has its own.
PythonValue callProcessGather(const PythonApiCall& call) {
    const PythonValue* value = call.arguments.find("tensor", 0);
    if (value == nullptr || !value->is<PythonTensor>())
        return value == nullptr ? PythonValue(PythonData()) : *value;
    const std::int64_t processes =
        configuredNumber(call, "experimental.multi_replica_distribution.process_count").value_or(1);
    if (processes <= 1)
        return *value;
    const Json shape = tensorShape(call.builder, *value->as<PythonTensor>());
    const PythonValue all = callNewLayer(call, "AllGather", {{"replication_factor", processes}}, {*value});
    if (!shape.is_array() || shape.empty())
        return all;
    Json joined = Json::array({-1}); // the axis of processes and the first become one
    joined.insert(joined.end(), shape.begin() + 1, shape.end());
    PythonArguments reshaped{{all}, {{"shape", pythonConstant(joined)}}, call.place()};
    return callOnTensors(call.builder, "reshape", reshaped);
}

/// The tensors that a user operation is given.
PythonValues inputsOf(const PythonApiCall& call) {
    const PythonValue* inputs = call.arguments.find("inputs", 0);
    if (inputs == nullptr)
        return {};
    return inputs->is<PythonList>() ? inputs->items() : PythonValues{*inputs};
}

/// outs={"output_types": […], "output_shapes": […]}; an empty object: it is not given.
Json outputsSaid(const PythonApiCall& call, std::size_t position) {
    const PythonValue* given = call.arguments.given("outs", position);
    return given == nullptr ? Json::object() : call.builder.json(*given, call.place());
}

/// A function of a shared library: its outputs as `outs` says, else as its first input.
PythonValue callUserOperation(const PythonApiCall& call) {
    const PythonValue* library = call.arguments.find("library_path", 1);
    PythonValues tensors = inputsOf(call);
    if (tensors.empty() || library == nullptr)
        call.refuse("python/value", fmt::format("{}() takes tensors and a library", call.name()),
                    {fmt::format("write {}([x], \"library.so\", outs={{…}})", call.name())});
    Json config{{"library_path", call.builder.json(*library, call.place())}, {"op_name", "Callback"}};
    if (const PythonValue* name = call.arguments.given("op_name", 4))
        config["op_name"] = call.builder.json(*name, call.place());
    if (const PythonValue* text = call.arguments.given("attributes", 7))
        config["attributes"] = call.builder.json(*text, call.place());
    const Json outs = outputsSaid(call, 2);
    std::int64_t count = 1;
    if (outs.contains("output_shapes") && outs["output_shapes"].is_array()) {
        config["output_shapes"] = Json::array();
        for (const Json& shape : outs["output_shapes"])
            config["output_shapes"].push_back(
                shape.is_array() && !shape.empty() ? Json(shape.begin() + 1, shape.end()) : shape);
        count = static_cast<std::int64_t>(outs["output_shapes"].size());
    }
    if (outs.contains("output_types"))
        config["output_types"] = outs["output_types"];
    const PythonValue result = callNewLayer(call, "UserOperation", std::move(config), std::move(tensors));
    const auto* first = result.as<PythonTensor>();
    return first == nullptr ? result : outputTuple(*first, count);
}

/// A function built from a library of the real system: its shape is what the program says, its code no one's
/// here.
PythonValue callPrecompiledOperation(const PythonApiCall& call) {
    PythonValues tensors = inputsOf(call);
    const Json outs = outputsSaid(call, 3);
    const Json shapes = outs.is_object() ? outs.value("output_shapes", Json()) : Json();
    if (tensors.empty() || !shapes.is_array() || shapes.size() != 1 || !shapes[0].is_array() ||
        shapes[0].empty())
        call.refuse("python/unsupported",
                    fmt::format("{}() is read with tensors and one output, whose shape it says", call.name()),
                    {"give it outs={\"output_types\": [tf.float32], \"output_shapes\": [[batch, extent]]}",
                     "write the function against user_operation.h and call cpu_user_operation()"});
    PythonLayer layer;
    layer.className = "PrecompiledUserOperation";
    layer.name = call.builder.freshName("precompiled_user_op");
    layer.place = call.place();
    OpaqueLayer declared;
    declared.outputShape.dimensions.emplace_back(); // of a batch
    for (std::size_t i = 1; i < shapes[0].size(); ++i) {
        const bool isExtent = shapes[0][i].is_number_integer() && shapes[0][i] > 0;
        declared.outputShape.dimensions.push_back(isExtent ? Dimension(shapes[0][i].get<std::int64_t>())
                                                           : Dimension());
    }
    declared.flops = 1; // one for each value that it answers
    for (const Dimension& extent : declared.outputShape.dimensions)
        declared.flops *= extent.value_or(1);
    call.builder.facts.opaqueLayers.emplace(layer.name, declared);
    call.warn(
        "python/ignored",
        fmt::format("what the library of {} computes, and how long it takes, is not read: an opaque layer "
                    "stands for it, with one operation for each value that it answers",
                    call.name()),
        {fmt::format("set parameters and flops of \"{}\" under opaque_layers in the project", layer.name),
         "write the function against user_operation.h and call cpu_user_operation()"});
    PythonArguments operands{listedInputs(std::move(tensors)), {}, call.place()};
    const PythonValue result = callLayer(call.builder, call.builder.addLayer(std::move(layer)), operands);
    const auto* first = result.as<PythonTensor>();
    return first == nullptr ? result : pythonList({*first}, true);
}

} // namespace

PythonValue callNewLayer(const PythonApiCall& call, const std::string& className, Json config,
                         PythonValues tensors) {
    PythonArguments made{{}, {}, call.place()};
    for (const auto& [key, value] : config.items())
        made.keywords.emplace_back(key, pythonConstant(value));
    PythonArguments given{std::move(tensors), {}, call.place()};
    return callLayer(call.builder, makeLayer(call.builder, className, made), given);
}

std::optional<PythonValue> numberForEach(const PythonApiCall& call, const PythonTensor& beside,
                                         const PythonValue& value, std::size_t batchAxis) {
    const auto array = arrayOf(value);
    if (array == nullptr || array->isOpen || array->numbers.empty() || array->extents.size() > 1 ||
        std::ranges::any_of(array->numbers, [&](double one) { return one != array->numbers.front(); }))
        return std::nullopt;
    PythonProgramBuilder& builder = call.builder;
    const Json shape = tensorShape(builder, beside);
    if (!shape.is_array() || shape.size() <= batchAxis)
        return std::nullopt;
    PythonArguments zeros{{beside}, {}, call.place()};
    PythonValue made = callOnTensors(builder, "zeros_like", zeros);
    if (shape.size() > 1) {
        Json axes = Json::array();
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            if (axis != batchAxis)
                axes.push_back(axis);
        PythonArguments sum{{made}, {{"axis", pythonConstant(axes)}}, call.place()};
        made = callOnTensors(builder, "math.reduce_sum", sum);
    }
    PythonArguments number{{made}, {{"y", numberOfArray(*array, 0)}}, call.place()};
    PythonArguments whole{
        {callOnTensors(builder, "math.add", number)}, {{"dtype", pythonText("int32")}}, call.place()};
    return callOnTensors(builder, "cast", whole);
}

PythonValues listedInputs(PythonValues tensors) {
    return tensors.size() > 1 ? PythonValues{pythonList(std::move(tensors))} : tensors;
}

PythonValue outputTuple(const PythonTensor& first, std::int64_t count) {
    PythonValues outputs;
    for (std::int64_t i = 0; i < count; ++i)
        outputs.emplace_back(PythonTensor{first.layer, first.call, i});
    return pythonList(std::move(outputs), true);
}

std::vector<PythonApiName> operationNames() {
    std::vector<PythonApiName> names;
    for (const Operation& known : operations())
        names.push_back(readName(std::string(known.pattern),
                                 [&known](const auto& call) { return callOperation(call, known); }));
    const std::vector<PythonApiName> others{
        readName("ipu.**.assume_equal_across_replicas",
                 [](const auto& call) { return callEach(call, "AssumeEqualAcrossReplicas"); }),
        readName("ipu.**.recomputation_checkpoint",
                 [](const auto& call) { return callEach(call, "RecomputationCheckpoint"); }),
        readName("ipu.**.replication_index", callReplicationIndex),
        readName("ipu.**.horovod.**.allreduce", callAllReduce),
        readName("ipu.**.horovod.**.allgather", callProcessGather),
        readName("ipu.**.cpu_user_operation", callUserOperation),
        readName("ipu.**.precompiled_user_op", callPrecompiledOperation),
    };
    names.insert(names.end(), others.begin(), others.end());
    return names;
}

} // namespace core
