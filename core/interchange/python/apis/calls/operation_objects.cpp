// Objects of the IPU extensions that are layers where they are called: recurrent cells, host embeddings,
// expressions of one element.
#include "core/interchange/python/apis/calls/operation_layers.h"

#include "core/interchange/python/draft/tensor_functions.h"
#include "core/text/text_case.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>

namespace core {

namespace {

constexpr const char* className = "$class";
constexpr const char* configuration = "$config";

PythonValue makeObject(const std::string& path, std::string layerClass, Json config) {
    PythonLibraryObject object = pythonObject(path);
    (*object.attributes)[className] = pythonText(std::move(layerClass));
    (*object.attributes)[configuration] = pythonConstant(std::move(config));
    return object;
}

/// The object that a function belongs to is its first argument.
const PythonLibraryObject& ownerOf(const PythonApiCall& call) {
    const auto* object =
        call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonLibraryObject>();
    if (object == nullptr)
        call.refuse("python/value", fmt::format("{}() belongs to an object", call.name()),
                    {"make the object first and call its function"});
    return *object;
}

// ---- recurrent cells ------------------------------------------------------------------------------------

/// Arguments of the cells of rnn_ops in their order and the layer's attributes; null: no attribute.
struct CellArgument {
    const char* name;
    const char* attribute;
};
constexpr std::array<CellArgument, 11> cellArguments{{{"num_units", "units"},
                                                      {"dtype", "dtype"},
                                                      {"partials_dtype", "partials_dtype"},
                                                      {"seed", nullptr},
                                                      {"weights_initializer", "kernel_initializer"},
                                                      {"bias_initializer", "bias_initializer"},
                                                      {"activation", "activation"},
                                                      {"recurrent_activation", "recurrent_activation"},
                                                      {"return_state", "return_state"},
                                                      {"name", "name"},
                                                      {"reset_after", "reset_after"}}};

PythonValue makeCell(const PythonApiCall& call, const char* layerClass) {
    const std::string layer = layerClass;
    const bool isPopnn = layer.starts_with("Popnn");
    Json config{{"return_sequences", true}, {"return_state", true}, {"time_major", true}};
    if (layer == "PopnnLSTM")
        config["unit_forget_bias"] = false;
    else
        config["reset_after"] = false;
    for (std::size_t i = 0; i < cellArguments.size(); ++i) {
        const CellArgument& argument = cellArguments[i];
        const PythonValue* given = call.arguments.given(argument.name, i);
        const bool isPartials = argument.name == std::string_view("partials_dtype");
        if (given != nullptr && argument.attribute != nullptr && (!isPartials || isPopnn))
            config[argument.attribute] = call.builder.json(*given, call.place());
    }
    constexpr std::size_t seedAt = 3;
    if (const PythonValue* seed = call.arguments.given("seed", seedAt);
        seed != nullptr && !config.contains("kernel_initializer"))
        config["kernel_initializer"] = {{"class_name", "GlorotUniform"},
                                        {"config", {{"seed", call.builder.json(*seed, call.place())}}}};
    // These cells have one matrix of weights, and so one initializer, where Keras' have two.
    config["recurrent_initializer"] = config.value("kernel_initializer", Json("glorot_uniform"));
    // Layers of Keras may do without a function, these operations may not.
    constexpr std::array<std::string_view, 5> functions{"relu", "tanh", "softmax", "sigmoid", "hard_sigmoid"};
    for (const char* attribute : {"activation", "recurrent_activation"}) {
        const bool isOfGates = attribute == std::string_view("recurrent_activation");
        const Json given = config.value(attribute, Json());
        const auto accepted = std::span(functions).subspan(isOfGates ? 1 : 0);
        if (given.is_string() && std::ranges::find(accepted, given.get<std::string>()) == accepted.end())
            call.refuse("value-error/unsupported-argument",
                        fmt::format("the {} of the IPU's {} is not to be \"{}\"", attribute, call.name(),
                                    quotedName(given.get<std::string>())),
                        {isOfGates ? "use tanh, softmax, sigmoid or hard_sigmoid"
                                   : "use tanh, relu, softmax, sigmoid or hard_sigmoid"});
    }
    if (!config.contains("units"))
        call.refuse("python/value", fmt::format("{}() lacks num_units", call.name()),
                    {fmt::format("write {}(num_units=…)", call.name())});
    return makeObject(call.path, layer, std::move(config));
}

/// Samples that a queue feeds in the order of time have their batch in the second axis. The input of a model
/// has it in the first, so it is turned before the cell.
PythonValue withBatchFirst(const PythonApiCall& call, const PythonTensor& tensor) {
    PythonLayer& input = call.builder.layer(tensor.layer);
    const Json shape = input.config.value("batch_input_shape", Json());
    constexpr std::size_t axes = 3;
    const bool isUsed = std::ranges::any_of(call.builder.facts.draft.layers, [&](const PythonLayer& layer) {
        return std::ranges::any_of(layer.calls, [&](const PythonCall& one) {
            return std::ranges::find(one.tensors, tensor) != one.tensors.end();
        });
    });
    if (input.className != "InputLayer" || isUsed || !shape.is_array() || shape.size() != axes ||
        !shape[0].is_number_integer() || !shape[1].is_number_integer())
        return tensor;
    input.config["batch_input_shape"] = Json{shape[1], shape[0], shape[2]};
    PythonArguments turned{{tensor}, {{"perm", pythonConstant(Json{1, 0, 2})}}, call.place()};
    return callOnTensors(call.builder, "transpose", turned);
}

/// cell(inputs, …) answers the outputs of all steps and the last state.
PythonValue callCell(const PythonApiCall& call) {
    const PythonLibraryObject object = ownerOf(call);
    PythonArguments& given = call.arguments;
    given.list.erase(given.list.begin());
    const std::string layer = object.attributes->at(className).constant().get<std::string>();
    Json config = object.attributes->at(configuration).constant();
    // The order in which the cells take them.
    std::vector<std::string_view> inputs{"inputs"};
    if (layer == "DynamicGRU" || layer == "AUGRU")
        inputs.emplace_back("seq_len");
    if (layer == "AUGRU")
        inputs.emplace_back("attention_score");
    PythonValues tensors;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const PythonValue* value = given.find(inputs[i], i);
        if (value != nullptr && value->is<PythonTensor>()) {
            tensors.push_back(*value);
            continue;
        }
        if (tensors.empty())
            return pythonList({PythonData(), PythonData()}, true);
        const PythonValue* order = given.keyword("time_major");
        const bool isTurned = order == nullptr ? config["time_major"] == true : order->constant() == true;
        auto number = value == nullptr ? std::nullopt
                                       : numberForEach(call, *tensors.front().as<PythonTensor>(), *value,
                                                       isTurned ? 1 : 0);
        if (!number)
            call.refuse("python/unsupported",
                        fmt::format("{}() gets a \"{}\" that is no tensor of the model", layer, inputs[i]),
                        {"give what comes from the infeed or a layer", "give one length for all samples"});
        tensors.push_back(std::move(*number));
    }
    if (const PythonValue* state = given.given("initial_state", inputs.size())) {
        PythonValues states = state->is<PythonList>() ? state->items() : PythonValues{*state};
        if (layer == "PopnnLSTM" && states.size() == 2)
            std::swap(states[0], states[1]); // LSTMStateTuple is (c, h); the layer takes h first
        if (std::ranges::all_of(states, [](const PythonValue& one) { return one.is<PythonTensor>(); }))
            tensors.push_back(states.size() == 1 ? states[0] : pythonList(std::move(states)));
    }
    const PythonValue* time = given.keyword("time_major");
    if (time != nullptr && time->is<PythonConstant>())
        config["time_major"] = time->constant();
    if (config["time_major"] == true)
        tensors.front() = withBatchFirst(call, *tensors.front().as<PythonTensor>());
    if (layer == "DynamicGRU" || layer == "AUGRU") // no classes of Keras: they take one list
        tensors = listedInputs(std::move(tensors));
    const PythonValue answer = callNewLayer(call, layer, std::move(config), std::move(tensors));
    const PythonValues& outputs = answer.items();
    if (outputs.size() < 2)
        return answer;
    if (outputs.size() == 2)
        return pythonList(outputs, true);
    return pythonList({outputs[0], pythonList({outputs[2], outputs[1]}, true)}, true);
}

// ---- host embeddings ------------------------------------------------------------------------------------

PythonValue makeOptimizerSpec(const PythonApiCall& call) {
    PythonConfigured spec{{{"optimizer", "SGD"}}, ""};
    if (const PythonValue* name = call.arguments.given("optimizer_name", 1);
        name != nullptr && name->isText() && call.name() == "HostEmbeddingOptimizerSpec" &&
        lowerCase(name->constant().get<std::string>()).find("sgd") == std::string::npos)
        call.refuse("value-error/optimizer",
                    fmt::format("a host embedding is trained by SGD, not by {}",
                                quotedName(name->constant().get<std::string>())),
                    {"leave optimizer_name out"});
    if (const PythonValue* rate = call.arguments.given("learning_rate", 0))
        spec.json["learning_rate"] = call.builder.json(*rate, call.place());
    if (call.name() != "HostEmbeddingSGDGAOptimizerSpec")
        return spec;
    spec.json["optimizer"] = "SGDGA";
    if (const PythonValue* factor = call.arguments.given("accumulation_factor", 1))
        spec.json["accumulation_factor"] = call.builder.json(*factor, call.place());
    return spec;
}

PythonValue makeEmbedding(const PythonApiCall& call) {
    const bool hasTensor = call.name() == "HostEmbedding";
    Json shape;
    Json initializer;
    if (const PythonValue* given = call.arguments.find(hasTensor ? "embedding_tensor" : "shape", 1)) {
        const auto* data = given->as<PythonData>();
        shape = data == nullptr ? call.builder.json(*given, call.place()) : data->shape;
        initializer = data == nullptr ? Json() : data->initializer;
    }
    constexpr std::size_t initializerAt = 5;
    if (const PythonValue* given = hasTensor ? nullptr : call.arguments.given("initializer", initializerAt))
        initializer = call.builder.json(*given, call.place());
    if (!shape.is_array() || shape.size() != 2)
        call.refuse("python/value", "the program does not say what shape the host embedding has",
                    {"write create_host_embedding(name, shape=[rows, columns], dtype=tf.float32)"});
    Json config{{"input_dim", shape[0]}, {"output_dim", shape[1]}};
    if (!initializer.is_null())
        config["embeddings_initializer"] = initializer;
    const std::size_t next = hasTensor ? 2 : 3;
    if (const PythonValue* strategy = call.arguments.given("partition_strategy", next))
        config["partition_strategy"] = call.builder.json(*strategy, call.place());
    if (const PythonValue* spec = call.arguments.given("optimizer_spec", next + 1)) {
        const Json optimizer = call.builder.json(*spec, call.place());
        if (!optimizer.is_object())
            call.refuse("python/value", "optimizer_spec is no specification of an optimizer",
                        {"write optimizer_spec=ipu.embedding_ops.HostEmbeddingOptimizerSpec(learning_rate)"});
        config.update(optimizer);
    }
    if (const PythonValue* name = call.arguments.given("name", 0); name != nullptr && name->isText())
        config["name"] = name->constant();
    return makeObject("ipu.embedding_ops.HostEmbedding", "HostEmbedding", std::move(config));
}

PythonValue callEmbedding(const PythonApiCall& call) {
    const PythonLibraryObject object = ownerOf(call);
    const PythonValue* indices = call.arguments.find("indices", 1);
    if (indices == nullptr || !indices->is<PythonTensor>())
        return PythonData();
    Json config = object.attributes->at(configuration).constant();
    if (config.contains("name") && call.builder.isUsed(config["name"].get<std::string>()))
        config.erase("name");
    if (const PythonValue* clips = call.arguments.given("clip_indices", 2))
        config["clip_indices"] = call.builder.json(*clips, call.place());
    return callNewLayer(call, "HostEmbedding", std::move(config), {*indices});
}

} // namespace

std::vector<PythonApiName> operationObjectNames() {
    struct Cell {
        const char* name;
        const char* layer;
    };
    constexpr std::array<Cell, 4> cells{{{"PopnnAUGRU", "AUGRU"},
                                         {"PopnnDynamicGRU", "DynamicGRU"},
                                         {"PopnnGRU", "PopnnGRU"},
                                         {"PopnnLSTM", "PopnnLSTM"}}};
    std::vector<PythonApiName> names;
    for (const Cell& cell : cells) {
        const std::string path = std::string("ipu.**.rnn_ops.") + cell.name;
        names.push_back(
            readName(path, [layer = cell.layer](const auto& call) { return makeCell(call, layer); }));
        names.push_back(readName(path + ".__call__", callCell));
        names.push_back(readName(path + ".call", callCell));
        names.push_back(hostName(path + ".*"));
    }
    const std::vector<PythonApiName> embeddings{
        readName("ipu.**.embedding_ops.create_host_embedding", makeEmbedding),
        readName("ipu.**.embedding_ops.HostEmbedding", makeEmbedding),
        readName("ipu.**.embedding_ops.HostEmbedding.lookup", callEmbedding),
        readName("ipu.**.embedding_ops.HostEmbedding.__call__", callEmbedding),
        hostName("ipu.**.embedding_ops.HostEmbedding.*"),
        readName("ipu.**.embedding_ops.HostEmbeddingOptimizerSpec", makeOptimizerSpec),
        readName("ipu.**.embedding_ops.HostEmbeddingSGDGAOptimizerSpec", makeOptimizerSpec),
    };
    names.insert(names.end(), embeddings.begin(), embeddings.end());
    return names;
}

} // namespace core
