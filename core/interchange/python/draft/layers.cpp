#include "core/interchange/python/draft/layers.h"

#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/tensor_functions.h"
#include "core/interchange/python/draft/tensor_shape.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/graph/layer_precision.h"
#include "core/model/layer_naming.h"
#include "core/text/nearest_name.h"

#include <array>
#include <fmt/format.h>

namespace core {

namespace {

/// input_shape, input_dim and batch_size as Keras keeps them.
void keepInputShape(Json& config, const LayerDefinition& definition) {
    const auto take = [&](const char* key) {
        Json value = config.contains(key) ? config[key] : Json();
        config.erase(key);
        return value;
    };
    const bool ownsDimension = definition.findAttribute("input_dim") != nullptr;
    const Json batch = definition.findAttribute("batch_size") == nullptr ? take("batch_size") : Json();
    const Json shape = take("input_shape");
    const Json dimension = ownsDimension ? Json() : take("input_dim");
    if (!shape.is_null())
        config["batch_input_shape"] = shapeWithBatch(shape, batch);
    else if (!dimension.is_null())
        config["batch_input_shape"] = Json::array({batch, dimension});
    else if (const Json length = config.value("input_length", Json());
             definition.className == "Embedding" && (length.is_number_integer() || length.is_array()))
        config["batch_input_shape"] = shapeWithBatch(length, batch); // as Keras does
}

/// An argument of a layer; a policy is its name.
Json argumentOfLayer(const PythonProgramBuilder& builder, const std::string& name, const PythonValue& value,
                     PythonPlace place) {
    const auto* policy = name == "dtype" ? value.as<PythonLibraryObject>() : nullptr;
    if (policy != nullptr && policy->attributes->contains("name"))
        return ownPrecision(builder.json(policy->attributes->at("name"), place).get<std::string>());
    Json said = builder.json(value, place);
    // A type that the program says holds whatever its policy is.
    const bool isWhole = name == "dtype" && precisionFromJson(said) == PrecisionPolicy{};
    return isWhole ? ownPrecision("float32") : said;
}

/// How many tensors a call of a layer answers.
std::int64_t countOutputs(const PythonProgramBuilder& builder, const PythonLayer& layer) {
    if (layer.model >= 0)
        return static_cast<std::int64_t>(
            builder.facts.draft.models[static_cast<std::size_t>(layer.model)].outputs.size());
    const bool isWrapper = layer.config.contains("layer") && layer.config["layer"].is_object() &&
                           layer.config["layer"].contains("config");
    const Json& inner = isWrapper ? layer.config["layer"]["config"] : layer.config;
    if (!inner.contains("return_state") || inner["return_state"] != true)
        return 1;
    if (layer.className == "Bidirectional")
        return 5;
    return layer.className.find("LSTM") != std::string::npos ? 3 : 2;
}

} // namespace

Json shapeWithBatch(const Json& shape, const Json& batch) {
    Json whole = Json::array({batch});
    if (shape.is_array())
        whole.insert(whole.end(), shape.begin(), shape.end());
    else
        whole.push_back(shape);
    return whole;
}

namespace {

/// The layer that the first round of a loop made here.
std::optional<PythonLayerName> layerOfRound(PythonProgramBuilder& builder, const std::string& className,
                                            PythonPlace place) {
    std::deque<std::int64_t>& made = builder.layersOfRound;
    const auto found = std::ranges::find_if(made, [&](std::int64_t layer) {
        return builder.layer(layer).className == className && builder.layer(layer).place == place;
    });
    if (found == made.end())
        return std::nullopt;
    const PythonLayerName name{*found};
    made.erase(found);
    return name;
}

} // namespace

std::optional<std::string> misspeltName(const std::string& name, const std::vector<std::string>& known) {
    constexpr std::size_t most = 2; // letters more or less: others may be of another edition
    const auto near = nearestName(name, known);
    const std::size_t longer = near ? std::max(near->size(), name.size()) : 0;
    const std::size_t shorter = near ? std::min(near->size(), name.size()) : 0;
    return near && *near != name && longer - shorter <= most && longer > most + 1 ? near : std::nullopt;
}

namespace {

/// Python raises a TypeError at an argument that a layer does not have; what another edition may have stays.
void refuseMisspelt(const PythonProgramBuilder& builder, const LayerDefinition& definition,
                    const PythonArguments& arguments) {
    if (definition.category == LayerCategory::Operation || arguments.keywords.empty())
        return;
    constexpr std::array<std::string_view, 16> ofEvery{"name",
                                                       "dtype",
                                                       "trainable",
                                                       "dynamic",
                                                       "autocast",
                                                       "input_shape",
                                                       "batch_input_shape",
                                                       "batch_size",
                                                       "batch_shape",
                                                       "input_dim",
                                                       "input_length",
                                                       "weights",
                                                       "activity_regularizer",
                                                       "sparse",
                                                       "ragged",
                                                       "tensor"};
    std::vector<std::string> names(ofEvery.begin(), ofEvery.end());
    for (const AttributeDefinition& attribute : definition.attributes)
        names.push_back(attribute.name);
    for (const auto& entry : arguments.keywords)
        if (std::ranges::find(names, entry.first) == names.end())
            if (const auto meant = misspeltName(entry.first, names))
                builder.refuse(
                    arguments.place, "type-error/argument",
                    fmt::format("{} takes no argument \"{}\"", definition.className, quotedName(entry.first)),
                    {fmt::format("did you mean \"{}\"?", *meant)});
}

} // namespace

PythonLayerName makeLayer(PythonProgramBuilder& builder, const std::string& className,
                          const PythonArguments& arguments) {
    const LayerDefinition* definition = findLayerDefinition(className);
    if (definition == nullptr)
        builder.refuse(arguments.place, "python/unsupported",
                       fmt::format("there is no layer class \"{}\"", quotedName(className)),
                       {"use a layer of Keras or of the IPU extensions"});
    if (const auto again = layerOfRound(builder, className, arguments.place))
        return *again;
    PythonLayer layer;
    layer.className = className;
    layer.place = arguments.place;
    layer.stage = builder.scope.stage;
    layer.config["name"] = nullptr;
    if (arguments.list.size() > definition->attributes.size())
        builder.refuse(arguments.place, "python/value", fmt::format("{} has too many arguments", className),
                       {fmt::format("it takes at most {}", definition->attributes.size())});
    // An InputLayer says first what Keras keeps under another name.
    constexpr std::array<const char*, 3> ofInput{"input_shape", "batch_size", "dtype"};
    for (std::size_t i = 0; i < arguments.list.size(); ++i)
        layer.config[className == "InputLayer" && i < ofInput.size() ? ofInput[i]
                                                                     : definition->attributes[i].name] =
            builder.json(arguments.list[i], arguments.place);
    refuseMisspelt(builder, *definition, arguments);
    for (const auto& [name, value] : arguments.keywords)
        layer.config[name] = className == "InputLayer"
                                 ? builder.json(value, arguments.place)
                                 : argumentOfLayer(builder, name, value, arguments.place);
    if (const Json inner = className == "Bidirectional" ? layer.config.value("layer", Json()) : Json();
        inner.is_object() && inner.value("class_name", std::string()).starts_with("Popnn"))
        builder.refuse(arguments.place, "value-error/unsupported-argument",
                       fmt::format("Bidirectional runs its layer backwards, and {} has no go_backwards",
                                   inner["class_name"].get<std::string>()),
                       {"use the layer of tf.keras in it"});
    // Keras takes "SAME" as well.
    if (Json& padding = layer.config["padding"]; padding.is_string()) {
        std::string lower = padding.get<std::string>();
        std::ranges::transform(lower, lower.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
        padding = lower;
    } else if (padding.is_null()) {
        layer.config.erase("padding");
    }
    if (const auto cells = layer.config.find("cell"); // Keras stacks a list of them
        cells != layer.config.end() && cells->is_array())
        *cells = {{"class_name", "StackedRNNCells"}, {"config", {{"cells", *cells}}}};
    keepInputShape(layer.config, *definition);
    if (layer.config["name"].is_string()) {
        layer.name = layer.config["name"].get<std::string>();
        builder.useName(layer.name);
    } else {
        const bool isInput = className == "InputLayer";
        layer.name = builder.freshName(isInput ? "input" : snakeCase(className), isInput);
        layer.config["name"] = layer.name;
    }
    if (className == "InputLayer")
        layer.calls.emplace_back();
    return builder.addLayer(std::move(layer));
}

PythonTensor makeInput(PythonProgramBuilder& builder, const PythonArguments& arguments) {
    PythonLayer layer;
    layer.className = "InputLayer";
    layer.place = arguments.place;
    const auto given = [&](const char* name, std::size_t position) {
        const PythonValue* value = arguments.find(name, position);
        return value == nullptr ? Json() : builder.json(*value, arguments.place);
    };
    if (const PythonValue* whole = arguments.keyword("batch_shape"))
        layer.config["batch_shape"] = builder.json(*whole, arguments.place);
    else
        layer.config["batch_input_shape"] = shapeWithBatch(given("shape", 0), given("batch_size", 1));
    if (!layer.config.contains("batch_shape") && given("shape", 0).is_null())
        builder.refuse(arguments.place, "python/value", "Input() lacks its shape",
                       {"write shape=(…) without the batch axis"});
    for (const auto& [name, value] : arguments.keywords) {
        if (name != "shape" && name != "batch_size" && name != "batch_shape" && name != "name" &&
            !value.isNone())
            layer.config[name] = builder.json(value, arguments.place);
    }
    builder.hasHalves = builder.hasHalves || layer.config.value("dtype", Json()) == "float16";
    const Json name = given("name", 2);
    layer.name = name.is_string() ? name.get<std::string>() : builder.freshName("input", true);
    builder.useName(layer.name);
    layer.config["name"] = layer.name;
    layer.calls.emplace_back();
    return {builder.addLayer(std::move(layer)).layer, 0, 0};
}

Json callStructure(PythonProgramBuilder& builder, const PythonValue& value, PythonCall& call,
                   PythonPlace place) {
    if (const auto* tensor = value.as<PythonTensor>()) {
        call.tensors.push_back(*tensor);
        return {{"$tensor", call.tensors.size() - 1}};
    }
    if (value.is<PythonList>()) {
        // A list without tensors is one of constants, however deep.
        Json list = Json::array();
        for (const PythonValue& item : value.items())
            list.push_back(item.is<PythonTensor>() || item.is<PythonList>() || item.is<PythonData>()
                               ? callStructure(builder, item, call, place)
                               : builder.json(item, place));
        return list;
    }
    const auto* data = value.as<PythonData>();
    if (arrayOf(value) != nullptr && data != nullptr &&
        (!data->array->isTensor || !builder.scope.stage || data->array->stage == builder.scope.stage))
        return jsonOf(*data->array);
    if (data != nullptr && builder.scope.stage)
        builder.refuse(
            place, "value-error/captured-tensor",
            fmt::format("stage {} captures a tensor from outside that is no variable", *builder.scope.stage),
            {"pass it as an input of the model, so that it comes through the infeed"});
    return builder.json(value, place);
}

void takeTypeOfInput(PythonProgramBuilder& builder, PythonLayerName name, const PythonTensor& input) {
    const PythonLayer& layer = builder.layer(name.layer);
    if (!builder.hasHalves || !layer.calls.empty() || layer.config.contains("dtype") || layer.model >= 0 ||
        tensorType(builder, input) != "float16")
        return;
    builder.layer(name.layer).config["dtype"] = "float16";
    builder.computesInHalves = true;
}

namespace {

/// Whether an array has as many rows as a batch has samples, which are not alike.
bool differsBySample(PythonProgramBuilder& builder, const PythonArray& array, const PythonTensor& beside) {
    const std::int64_t rows = array.extents.size() > 1 ? array.extents.front() : 0;
    return rows > 1 && fixedBatch(builder, beside) == rows && !haveOneRow(array);
}

/// Arrays of numbers in a list of tensors become tensors as well.
PythonValue withConstants(PythonProgramBuilder& builder, const PythonValue& value, PythonPlace place) {
    const auto* list = value.as<PythonList>();
    const auto isTensor = [](const PythonValue& item) { return item.is<PythonTensor>(); };
    if (list == nullptr || std::ranges::none_of(*list->items, isTensor) ||
        std::ranges::all_of(*list->items, isTensor))
        return value;
    const PythonTensor beside = *std::ranges::find_if(*list->items, isTensor)->as<PythonTensor>();
    PythonValues items;
    for (const PythonValue& item : *list->items) {
        const auto array = isTensor(item) ? nullptr : arrayOf(item);
        const auto* data = item.as<PythonData>();
        const bool isCaptured = data != nullptr && array != nullptr && data->array->isTensor &&
                                builder.scope.stage && data->array->stage != builder.scope.stage;
        if (array != nullptr && !isCaptured && differsBySample(builder, *array, beside))
            builder.refuse(place, "python/unsupported",
                           "this array has other numbers for each sample of a batch, which no layer of a "
                           "project holds",
                           {"give it to the model as an input", "use one row for all samples"});
        items.push_back(array == nullptr || isCaptured ? item
                                                       : constantTensor(builder, *array, beside, place));
    }
    return pythonList(std::move(items), list->isTuple);
}

} // namespace

PythonValue callLayer(PythonProgramBuilder& builder, PythonLayerName name, PythonArguments& arguments) {
    const LayerDefinition* definition = findLayerDefinition(builder.layer(name.layer).className);
    PythonCall call;
    call.stage = builder.scope.stage ? builder.scope.stage : builder.layer(name.layer).stage;
    call.shard = builder.scope.shard;
    call.isOnHost = builder.scope.isHost;
    call.group = builder.group;
    if (arguments.list.empty() && !arguments.keywords.empty()) {
        arguments.list.push_back(arguments.keywords.front().second);
        arguments.keywords.erase(arguments.keywords.begin());
    }
    if (arguments.list.empty())
        builder.refuse(arguments.place, "python/value", "a layer is called on a tensor",
                       {"write layer(x) with a tensor x"});
    arguments.list[0] = withConstants(builder, arguments.list[0], arguments.place);
    Json first = callStructure(builder, arguments.list[0], call, arguments.place);
    if (call.tensors.empty())
        builder.refuse(arguments.place, "python/value", "a layer is called on a tensor of the model",
                       {"start with tf.keras.Input(shape=…)"});
    call.structure = first.is_array() ? std::move(first) : Json::array({std::move(first)});
    const auto* second = arguments.list.size() == 2 ? arguments.list[1].as<PythonLibraryName>() : nullptr;
    if (second != nullptr && second->path == "keras.training")
        arguments.list.pop_back();
    for (std::size_t i = 1; i < arguments.list.size(); ++i) {
        const bool isNamed = definition != nullptr && i < definition->inputNames.size();
        const std::string input = isNamed ? definition->inputNames[i] : i == 1 ? "initial_state" : "";
        if (input.empty())
            builder.refuse(arguments.place, "python/unsupported",
                           "this argument of the call has no known name", {"pass it by name"});
        call.keywords[input] = callStructure(builder, arguments.list[i], call, arguments.place);
    }
    for (const auto& [key, value] : arguments.keywords) {
        const bool isLeftToRun = key == "training" && !value.constant().is_boolean();
        if (!isLeftToRun)
            call.keywords[key] = callStructure(builder, value, call, arguments.place);
    }
    if (builder.importsOlderApi)
        takeTypeOfInput(builder, name, call.tensors.front());
    PythonLayer& layer = builder.layer(name.layer);
    layer.isInner = layer.isInner || builder.calledObjects > 0;
    layer.calls.push_back(std::move(call));
    PythonTensor result{name.layer, static_cast<std::int64_t>(layer.calls.size()) - 1, 0};
    const std::int64_t outputs = countOutputs(builder, layer);
    if (outputs <= 1)
        return result;
    PythonValues list;
    for (std::int64_t i = 0; i < outputs; ++i) {
        result.output = i;
        list.emplace_back(result);
    }
    return pythonList(std::move(list));
}

} // namespace core
