// Weights that layers of the program make, as layers of the catalogue.
#include "core/interchange/python/apis/models/program_weights.h"

#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_functions.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

constexpr const char* weightClass = "keras.weight";
/// What it became: the layer that it is a part of, or the tensor that it is.
constexpr const char* itsLayer = "$layer";
constexpr const char* itsTensor = "$tensor";

const PythonLibraryObject* weightOf(const PythonValue& value) {
    const auto* object = value.as<PythonLibraryObject>();
    return object != nullptr && object->className == weightClass ? object : nullptr;
}

const PythonValue* partOf(const PythonLibraryObject& weight, const char* name) {
    const auto found = weight.attributes->find(name);
    return found == weight.attributes->end() ? nullptr : &found->second;
}

Json shapeOfWeight(const PythonLibraryObject& weight) {
    return partOf(weight, "shape")->constant();
}

/// The weight as a tensor of its own.
PythonValue asTensor(PythonProgramBuilder& builder, const PythonValue& value, PythonPlace place) {
    const auto* weight = weightOf(value);
    if (weight == nullptr)
        return value;
    if (const PythonValue* made = partOf(*weight, itsTensor))
        return *made;
    if (!builder.anchor)
        builder.refuse(place, "python/unsupported", "this weight is used outside of the call of its layer",
                       {"use it in call(), on the tensors of the model"});
    PythonArguments arguments{{}, {{"shape", pythonConstant(shapeOfWeight(*weight))}}, place};
    for (const char* name : {"initializer", "regularizer", "constraint"})
        if (const PythonValue* given = partOf(*weight, name))
            arguments.keywords.emplace_back(name, *given);
    PythonArguments beside{{*builder.anchor}, {}, place};
    const PythonLayerName layer = makeLayer(builder, "Variable", arguments);
    if (const PythonValue* trains = partOf(*weight, "trainable");
        trains != nullptr && trains->constant() == false)
        builder.layer(layer.layer).config["trainable"] = false;
    PythonValue made = callLayer(builder, layer, beside);
    (*weight->attributes)[itsTensor] = made;
    return made;
}

/// x @ w of a weight with two axes is a Dense layer without bias.
std::optional<PythonValue> product(PythonProgramBuilder& builder, const PythonValue& left,
                                   const PythonValue& right, PythonPlace place) {
    const auto* weight = weightOf(right);
    if (weight == nullptr || !left.is<PythonTensor>() || partOf(*weight, itsTensor) != nullptr)
        return std::nullopt;
    const Json shape = shapeOfWeight(*weight);
    if (shape.size() != 2)
        return std::nullopt;
    PythonArguments tensors{{left}, {}, place};
    if (const PythonValue* made = partOf(*weight, itsLayer))
        return callLayer(builder, *made->as<PythonLayerName>(), tensors);
    PythonArguments arguments{
        {}, {{"units", pythonConstant(shape[1])}, {"use_bias", pythonConstant(false)}}, place};
    if (const PythonValue* given = partOf(*weight, "initializer"))
        arguments.keywords.emplace_back("kernel_initializer", *given);
    if (const PythonValue* given = partOf(*weight, "regularizer"))
        arguments.keywords.emplace_back("kernel_regularizer", *given);
    const PythonLayerName layer = makeLayer(builder, "Dense", arguments);
    (*weight->attributes)[itsLayer] = layer;
    return callLayer(builder, layer, tensors);
}

/// x @ w + b: the bias of the Dense layer.
std::optional<PythonValue> bias(PythonProgramBuilder& builder, const PythonValue& left,
                                const PythonValue& right) {
    const auto* tensor = left.as<PythonTensor>();
    const auto* weight = weightOf(right);
    if (tensor == nullptr || weight == nullptr || partOf(*weight, itsTensor) != nullptr)
        return std::nullopt;
    PythonLayer& layer = builder.layer(tensor->layer);
    if (const PythonValue* made = partOf(*weight, itsLayer))
        return made->as<PythonLayerName>()->layer == tensor->layer ? std::optional(left) : std::nullopt;
    const Json shape = shapeOfWeight(*weight);
    const bool fits = layer.className == "Dense" && layer.config.value("use_bias", Json()) == false &&
                      !layer.config.contains("activation") && layer.calls.size() == 1 && shape.size() == 1 &&
                      shape[0] == layer.config["units"];
    if (!fits)
        return std::nullopt;
    layer.config["use_bias"] = true;
    if (const PythonValue* given = partOf(*weight, "initializer"))
        layer.config["bias_initializer"] = builder.json(*given, layer.place);
    (*weight->attributes)[itsLayer] = PythonLayerName{tensor->layer};
    return left;
}

/// gather(table, ids): an Embedding layer.
PythonValue lookUp(const PythonApiCall& call, const PythonLibraryObject& weight, const PythonValue& ids) {
    const Json shape = shapeOfWeight(weight);
    if (shape.size() != 2)
        call.refuse("python/unsupported", "a lookup in a weight takes one with two axes",
                    {"make the weight with shape=(rows, columns)"});
    PythonArguments tensors{{ids}, {}, call.place()};
    if (const PythonValue* made = partOf(weight, itsLayer))
        return callLayer(call.builder, *made->as<PythonLayerName>(), tensors);
    PythonArguments arguments{{pythonConstant(shape[0]), pythonConstant(shape[1])}, {}, call.place()};
    if (const PythonValue* given = partOf(weight, "initializer"))
        arguments.keywords.emplace_back("embeddings_initializer", *given);
    const PythonLayerName layer = makeLayer(call.builder, "Embedding", arguments);
    (*weight.attributes)[itsLayer] = layer;
    return callLayer(call.builder, layer, tensors);
}

} // namespace

bool isWeight(const PythonValue& value) {
    return weightOf(value) != nullptr;
}

Json shapeOfVariable(const PythonValue& value) {
    if (const auto* weight = weightOf(value))
        return shapeOfWeight(*weight);
    const auto* data = value.as<PythonData>();
    return data == nullptr ? Json() : data->shape;
}

PythonValue makeWeight(const PythonApiCall& call) {
    PythonLibraryObject weight{weightClass, std::make_shared<std::map<std::string, PythonValue>>()};
    const bool namesFirst =
        !call.arguments.list.empty() && (call.arguments.list[0].isText() || call.arguments.list[0].isNone());
    const PythonValue* shape = call.arguments.find("shape", namesFirst ? 1 : 0);
    const Json extents = shape == nullptr ? Json::array() : writtenShape(*shape);
    const bool isKnown = extents.is_array() && std::ranges::all_of(extents, [](const Json& one) {
                             return one.is_number_integer();
                         });
    if (!isKnown)
        call.refuse("python/unsupported", "the program does not say what shape this weight has",
                    {"write its extents as numbers, or give the model an Input with its shape",
                     "use a layer of tf.keras.layers, such as Dense"});
    (*weight.attributes)["shape"] = pythonConstant(extents);
    for (const char* name : {"initializer", "regularizer", "constraint", "trainable"})
        if (const PythonValue* given = call.arguments.keyword(name);
            given != nullptr && !given->isNone() && !given->is<PythonData>())
            (*weight.attributes)[name] = *given;
    return weight;
}

PythonValue variableOfProgram(const PythonApiCall& call) {
    PythonData data;
    const PythonValue* shape = call.arguments.given("shape", 1);
    if (shape == nullptr || !shape->is<PythonList>())
        return data;
    data.shape = call.builder.json(*shape, call.place());
    constexpr std::size_t matrix = 2;
    const bool isMatrixOrBias =
        !data.shape.empty() && data.shape.size() <= matrix &&
        std::ranges::all_of(data.shape, [](const Json& one) { return one.is_number_integer(); });
    const PythonValue* trains = call.arguments.keyword("trainable");
    if (!isMatrixOrBias || (trains != nullptr && trains->constant() == false))
        return data;
    PythonLibraryObject weight{weightClass, std::make_shared<std::map<std::string, PythonValue>>()};
    (*weight.attributes)["shape"] = pythonConstant(data.shape);
    constexpr std::size_t initializerAt = 3;
    if (const PythonValue* given = call.arguments.given("initializer", initializerAt);
        given != nullptr && !given->isNone() && !given->is<PythonData>())
        (*weight.attributes)["initializer"] = *given;
    return weight;
}

std::optional<PythonValue> weightOperation(PythonProgramBuilder& builder, const std::string& operation,
                                           const PythonValue& left, const PythonValue& right,
                                           PythonPlace place) {
    if (!isWeight(left) && !isWeight(right))
        return std::nullopt;
    if (operation == "@")
        if (auto made = product(builder, left, right, place))
            return made;
    if (operation == "+") {
        if (auto made = bias(builder, left, right))
            return made;
        if (auto made = bias(builder, right, left))
            return made;
    }
    if (!builder.anchor && !left.is<PythonTensor>() && !right.is<PythonTensor>())
        return PythonData();
    const PythonValue a = asTensor(builder, left, place);
    const PythonValue b = asTensor(builder, right, place);
    return tensorOperation(builder, operation, a, b, place);
}

std::optional<PythonValue> weightFunction(const PythonApiCall& call) {
    PythonArguments& given = call.arguments;
    const bool hasAny =
        std::ranges::any_of(given.list, isWeight) ||
        std::ranges::any_of(given.keywords, [](const auto& entry) { return isWeight(entry.second); });
    if (!hasAny)
        return std::nullopt;
    const std::string name = call.name();
    if (name == "matmul" && given.list.size() == 2 && given.keywords.empty())
        if (auto made = product(call.builder, given.list[0], given.list[1], call.place()))
            return made;
    if ((name == "bias_add" || name == "add") && given.list.size() == 2)
        if (auto made = bias(call.builder, given.list[0], given.list[1]))
            return made;
    if ((name == "gather" || name == "embedding_lookup") && given.list.size() >= 2 && isWeight(given.list[0]))
        return lookUp(call, *weightOf(given.list[0]), given.list[1]);
    if (!call.builder.anchor)
        return std::nullopt;
    for (PythonValue& value : given.list)
        value = asTensor(call.builder, value, call.place());
    for (auto& entry : given.keywords)
        entry.second = asTensor(call.builder, entry.second, call.place());
    return std::nullopt;
}

} // namespace core
