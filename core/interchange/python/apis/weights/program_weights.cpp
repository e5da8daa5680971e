// Weights that layers of the program make, as layers of the catalogue.
#include "core/interchange/python/apis/weights/program_weights.h"

#include "core/interchange/python/apis/calls/configured_objects.h"
#include "core/interchange/python/apis/calls/operation_layers.h"
#include "core/interchange/python/apis/weights/weight_penalty.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/sample_computation.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_functions.h"
#include "core/interchange/python/draft/tensor_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

/// What it became: the layer that it is a part of, or the one whose calls answer it whole.
constexpr const char* itsLayer = "$layer";
constexpr const char* itsVariable = "$variable";
/// Where it is made, and whether it is used in several ways.
constexpr const char* itsPlace = "$place";
constexpr const char* isWhole = "$whole";
/// Its type, where that is of 16 bits.
constexpr const char* weightType = "dtype";

const PythonLibraryObject* weightOf(const PythonValue& value) {
    return isProgramWeight(value) ? value.as<PythonLibraryObject>() : nullptr;
}

const PythonValue* partOf(const PythonLibraryObject& weight, const char* name) {
    const auto found = weight.attributes->find(name);
    return found == weight.attributes->end() ? nullptr : &found->second;
}

Json shapeOfWeight(const PythonLibraryObject& weight) {
    return partOf(weight, "shape")->constant();
}

bool isFixed(const PythonLibraryObject& weight) {
    const PythonValue* trains = partOf(weight, "trainable");
    return trains != nullptr && trains->constant() == false;
}

/// A layer has it as a kernel or table, but it is something else as well: it is a variable of its own, which
/// the program is read with from its beginning.
[[noreturn]] void refuseSecondUse(const PythonProgramBuilder& builder, const PythonLibraryObject& weight,
                                  PythonPlace place) {
    builder.refuse(place, pythonSecondUse, partOf(weight, itsPlace)->constant().get<std::string>(),
                   {"make two weights of it"});
}

/// Whether the layer that a weight is a part of is of that class; where it is of another, it is a second use.
bool isPartOf(PythonProgramBuilder& builder, const PythonLibraryObject& weight, std::string_view className,
              PythonPlace place) {
    const PythonValue* made = partOf(weight, itsLayer);
    if (made != nullptr && builder.layer(made->as<PythonLayerName>()->layer).className != className)
        refuseSecondUse(builder, weight, place);
    return made != nullptr;
}

/// The tensor that a weight is in the stage that the program is in.
std::string tensorKey(const PythonProgramBuilder& builder) {
    return fmt::format("$tensor {}", builder.scope.stage.value_or(-1));
}

/// The weight as a tensor of its own.
PythonValue asTensor(PythonProgramBuilder& builder, const PythonValue& value, PythonPlace place) {
    const auto* weight = weightOf(value);
    if (weight == nullptr)
        return value;
    if (partOf(*weight, itsLayer) != nullptr)
        refuseSecondUse(builder, *weight, place);
    const std::string key = tensorKey(builder);
    if (const PythonValue* made = partOf(*weight, key.c_str()))
        return *made;
    if (!builder.anchor)
        builder.refuse(place, "python/unsupported", "this weight is used outside of the call of its layer",
                       {"use it in call(), on the tensors of the model"});
    if (const PythonValue* variable = partOf(*weight, itsVariable)) { // in another stage
        PythonArguments beside{{*builder.anchor}, {}, place};
        PythonValue again = callLayer(builder, *variable->as<PythonLayerName>(), beside);
        (*weight->attributes)[key] = again;
        return again;
    }
    PythonArguments arguments{{}, {{"shape", pythonConstant(shapeOfWeight(*weight))}}, place};
    for (const char* name : {"initializer", "regularizer", "constraint", weightType})
        if (const PythonValue* given = partOf(*weight, name))
            arguments.keywords.emplace_back(name, *given);
    PythonArguments beside{{*builder.anchor}, {}, place};
    const PythonLayerName layer = makeLayer(builder, "Variable", arguments);
    if (isFixed(*weight))
        builder.layer(layer.layer).config["trainable"] = false;
    PythonValue made = callLayer(builder, layer, beside);
    (*weight->attributes)[itsVariable] = layer;
    (*weight->attributes)[key] = made;
    return made;
}

bool isTensorAlone(const PythonLibraryObject& weight) {
    return partOf(weight, isWhole) != nullptr || partOf(weight, itsVariable) != nullptr;
}

/// The layer that a weight becomes part of has its type.
void takeType(const PythonLibraryObject& weight, PythonArguments& arguments) {
    if (const PythonValue* type = partOf(weight, weightType))
        arguments.keywords.emplace_back("dtype", *type);
}

/// What the program computed last in the stage that it is in, else what the stage is given first, else the
/// first of the inputs that were made last.
std::optional<PythonTensor> lastTensor(const PythonProgramBuilder& builder) {
    const std::vector<PythonLayer>& layers = builder.facts.draft.layers;
    std::optional<PythonTensor> input;
    for (std::size_t at = layers.size(); at-- > 0;) {
        if (layers[at].calls.empty())
            continue;
        const PythonTensor tensor{static_cast<std::int64_t>(at),
                                  static_cast<std::int64_t>(layers[at].calls.size()) - 1, 0};
        if (layers[at].className == "InputLayer")
            input = tensor;
        else if (input)
            break;
        else if (layers[at].calls.back().stage == builder.scope.stage)
            return tensor;
    }
    return builder.arrival ? builder.arrival : input;
}

/// x @ w of a weight with two axes is a Dense layer without bias.
std::optional<PythonValue> product(PythonProgramBuilder& builder, const PythonValue& left,
                                   const PythonValue& right, PythonPlace place) {
    const auto* weight = weightOf(right);
    if (weight == nullptr || !left.is<PythonTensor>() || isTensorAlone(*weight))
        return std::nullopt;
    const Json shape = shapeOfWeight(*weight);
    if (shape.size() != 2)
        return std::nullopt;
    PythonArguments tensors{{left}, {}, place};
    if (isPartOf(builder, *weight, "Dense", place))
        return callLayer(builder, *partOf(*weight, itsLayer)->as<PythonLayerName>(), tensors);
    PythonArguments arguments{
        {}, {{"units", pythonConstant(shape[1])}, {"use_bias", pythonConstant(false)}}, place};
    if (const PythonValue* given = partOf(*weight, "initializer"))
        arguments.keywords.emplace_back("kernel_initializer", *given);
    if (const PythonValue* given = partOf(*weight, "regularizer"))
        arguments.keywords.emplace_back("kernel_regularizer", *given);
    takeType(*weight, arguments);
    const PythonLayerName layer = makeLayer(builder, "Dense", arguments);
    if (isFixed(*weight))
        builder.layer(layer.layer).config["trainable"] = false;
    (*weight->attributes)[itsLayer] = layer;
    return callLayer(builder, layer, tensors);
}

/// x @ w of a matrix whose numbers the program says: a Dense layer that is not trained.
std::optional<PythonValue> productOfConstant(PythonProgramBuilder& builder, const PythonValue& left,
                                             const PythonValue& right, PythonPlace place) {
    const auto* tensor = left.as<PythonTensor>();
    const auto* data = right.as<PythonData>();
    const PythonArray* matrix = data == nullptr || tensor == nullptr ? nullptr : data->array.get();
    if (matrix == nullptr || matrix->isOpen || matrix->numbers.size() > std::size_t{mostModelNumbers} ||
        matrix->extents.size() != 2 ||
        (matrix->isTensor && builder.scope.stage && matrix->stage != builder.scope.stage))
        return std::nullopt;
    const Json shape = tensorShape(builder, *tensor);
    if (!shape.is_array() || shape.size() < 2 || shape.back() != matrix->extents[0])
        return std::nullopt;
    PythonLibraryObject weight = pythonObject(pythonWeightClass);
    (*weight.attributes)[itsPlace] =
        pythonText(fmt::format("{}:{}:{}", place.file, place.line, place.column));
    (*weight.attributes)["shape"] = pythonConstant(matrix->extents);
    (*weight.attributes)["trainable"] = pythonConstant(false);
    (*weight.attributes)["initializer"] =
        PythonConfigured{{{"class_name", "Constant"}, {"config", {{"value", matrix->numbers}}}}, ""};
    return product(builder, left, weight, place);
}

/// A kernel with fewer input channels than the tensor has is one of a convolution in groups.
std::int64_t groupsOf(PythonProgramBuilder& builder, const PythonValue& input, const Json& kernel) {
    const Json extents = tensorShape(builder, *input.as<PythonTensor>());
    const Json channels = extents.is_array() && !extents.empty() ? extents.back() : Json();
    const Json each = kernel[kernel.size() - 2];
    const bool isKnown = channels.is_number_integer() && each.is_number_integer() && each > 0;
    return isKnown ? std::max<std::int64_t>(channels.get<std::int64_t>() / each.get<std::int64_t>(), 1) : 1;
}

/// A function that convolves with a weight: the layer of Keras, which axes of the weight are windows and
/// which one counts the filters.
struct ConvolutionFunction {
    std::string_view name;
    const char* className;
    std::size_t axes; ///< of the weight
    const char* initializer = "kernel_initializer";
    std::size_t stridesAt = 2;
    std::size_t filtersAxis = 0; ///< from the last
};
constexpr std::array<ConvolutionFunction, 8> convolutionFunctions{
    {{"conv1d", "Conv1D", 3},
     {"conv2d", "Conv2D", 4},
     {"conv3d", "Conv3D", 5},
     {"conv2d_transpose", "Conv2DTranspose", 4, "kernel_initializer", 3, 1},
     {"conv3d_transpose", "Conv3DTranspose", 5, "kernel_initializer", 3, 1},
     {"depthwise_conv2d", "DepthwiseConv2D", 4, "depthwise_initializer"},
     {"depthwise_conv2d_native", "DepthwiseConv2D", 4, "depthwise_initializer"},
     {"separable_conv2d", "SeparableConv2D", 4, "depthwise_initializer", 3}}};

/// tf.nn.conv2d(x, w, strides, padding) of a weight and its like are layers without bias.
std::optional<PythonValue> convolution(const PythonApiCall& call) {
    const auto* const row = std::ranges::find(convolutionFunctions, call.name(), &ConvolutionFunction::name);
    if (row == convolutionFunctions.end())
        return std::nullopt;
    const std::string className = row->className;
    const PythonValue* input = call.arguments.find(call.name() == "conv1d" ? "value" : "input", 0);
    input = input == nullptr ? call.arguments.keyword("input") : input;
    const PythonValue* filter = call.arguments.find("filters", 1);
    for (const char* name : {"filter", "depthwise_filter"})
        filter = filter == nullptr ? call.arguments.keyword(name) : filter;
    const auto* weight = filter == nullptr ? nullptr : weightOf(*filter);
    const std::size_t axes = row->axes;
    if (weight == nullptr || input == nullptr || !input->is<PythonTensor>() || isTensorAlone(*weight) ||
        shapeOfWeight(*weight).size() != axes)
        return std::nullopt;
    PythonArguments tensors{{*input}, {}, call.place()};
    if (isPartOf(call.builder, *weight, className, call.place()))
        return callLayer(call.builder, *partOf(*weight, itsLayer)->as<PythonLayerName>(), tensors);
    const auto extents = [&](const char* name, const char* other, std::size_t position) {
        const PythonValue* given = call.arguments.given(name, position);
        given = given == nullptr ? call.arguments.keyword(other) : given;
        const Json all = given == nullptr ? Json(1) : call.builder.json(*given, call.place());
        return all.is_array() && all.size() == axes ? Json(all.begin() + 1, all.end() - 1) : all;
    };
    const PythonValue* padding = call.arguments.given("padding", row->stridesAt + 1);
    const PythonValue* format = call.arguments.given("data_format", row->stridesAt + 2);
    const bool isLast =
        format == nullptr || (format->isText() && format->constant().get<std::string>().ends_with('C'));
    const bool isTransposed = row->filtersAxis == 1;
    if ((padding == nullptr && !isTransposed) || (padding != nullptr && !padding->isText()) || !isLast)
        call.refuse("python/unsupported", "this convolution is not read",
                    {"give padding=\"SAME\" or \"VALID\" and channels last",
                     fmt::format("use tf.keras.layers.{}", className)});
    const Json shape = shapeOfWeight(*weight);
    PythonArguments arguments{
        {},
        {{"kernel_size", pythonConstant(Json(shape.begin(), shape.end() - 2))},
         {"strides", pythonConstant(extents("strides", "stride", row->stridesAt))},
         {"padding", pythonText(padding == nullptr || padding->constant() == "SAME" ? "same" : "valid")},
         {"use_bias", pythonConstant(false)}},
        call.place()};
    const bool isDepthwise = className == "DepthwiseConv2D" || className == "SeparableConv2D";
    const PythonLibraryObject* points = nullptr;
    if (isDepthwise)
        arguments.keywords.emplace_back("depth_multiplier", pythonConstant(shape.back()));
    if (className == "SeparableConv2D") {
        const PythonValue* pointwise = call.arguments.find("pointwise_filter", 2);
        points = pointwise == nullptr ? nullptr : weightOf(*pointwise);
        if (points == nullptr || isTensorAlone(*points) || partOf(*points, itsLayer) != nullptr)
            return std::nullopt;
        arguments.keywords.emplace_back("filters", pythonConstant(shapeOfWeight(*points).back()));
        if (const PythonValue* given = partOf(*points, "initializer"))
            arguments.keywords.emplace_back("pointwise_initializer", *given);
    } else if (!isDepthwise) {
        arguments.keywords.emplace_back("filters", pythonConstant(shape[axes - 1 - row->filtersAxis]));
    }
    if (!isDepthwise && row->filtersAxis == 0)
        arguments.keywords.emplace_back("groups", pythonConstant(groupsOf(call.builder, *input, shape)));
    if (const Json dilation = extents("dilations", "rate", row->stridesAt + 3);
        row->filtersAxis == 0 && dilation != 1)
        arguments.keywords.emplace_back("dilation_rate", pythonConstant(dilation));
    if (const PythonValue* given = partOf(*weight, "initializer"))
        arguments.keywords.emplace_back(row->initializer, *given);
    takeType(*weight, arguments);
    const PythonLayerName layer = makeLayer(call.builder, className, arguments);
    (*weight->attributes)[itsLayer] = layer;
    if (points != nullptr)
        (*points->attributes)[itsLayer] = layer;
    return callLayer(call.builder, layer, tensors);
}

/// x @ w + b: the bias of the Dense layer, or of one that convolves.
std::optional<PythonValue> bias(PythonProgramBuilder& builder, const PythonValue& left,
                                const PythonValue& right) {
    const auto* tensor = left.as<PythonTensor>();
    const auto* weight = weightOf(right);
    if (tensor == nullptr || weight == nullptr || isTensorAlone(*weight))
        return std::nullopt;
    PythonLayer& layer = builder.layer(tensor->layer);
    if (const PythonValue* made = partOf(*weight, itsLayer))
        return made->as<PythonLayerName>()->layer == tensor->layer ? std::optional(left) : std::nullopt;
    const Json shape = shapeOfWeight(*weight);
    const char* const outputs = layer.className == "Dense" ? "units" : "filters";
    const bool isConvolution =
        layer.className.find("Conv") != std::string::npos && layer.className != "DepthwiseConv2D";
    const bool fits = (layer.className == "Dense" || isConvolution) &&
                      layer.config.value("use_bias", Json()) == false &&
                      !layer.config.contains("activation") && layer.calls.size() == 1 && shape.size() == 1 &&
                      layer.config.contains(outputs) && shape[0] == layer.config[outputs];
    const bool areAlike = (layer.config.value("trainable", Json(true)) == false) == isFixed(*weight);
    if (!fits || !areAlike) // a layer is trained as a whole
        return std::nullopt;
    layer.config["use_bias"] = true;
    const PythonValue* given = partOf(*weight, "initializer"); // a weight's own is another than the layer's
    layer.config["bias_initializer"] =
        given == nullptr ? Json("glorot_uniform") : builder.json(*given, layer.place);
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
    if (isPartOf(call.builder, weight, "Embedding", call.place()))
        return callLayer(call.builder, *partOf(weight, itsLayer)->as<PythonLayerName>(), tensors);
    PythonArguments arguments{{pythonConstant(shape[0]), pythonConstant(shape[1])}, {}, call.place()};
    const PythonValue* given = partOf(weight, "initializer"); // a weight's own is another than the layer's
    arguments.keywords.emplace_back("embeddings_initializer",
                                    given == nullptr ? pythonText("glorot_uniform") : *given);
    takeType(weight, arguments);
    const PythonLayerName layer = makeLayer(call.builder, "Embedding", arguments);
    (*weight.attributes)[itsLayer] = layer;
    return callLayer(call.builder, layer, tensors);
}

/// The same of a weight that is a tensor of its own.
PythonValue rowsOfWeight(const PythonApiCall& call, const PythonValue& weight, const PythonValue& ids) {
    if (!call.builder.anchor && ids.is<PythonTensor>())
        call.builder.anchor = *ids.as<PythonTensor>();
    PythonArguments rows{{asTensor(call.builder, weight, call.place()), ids}, {}, call.place()};
    const bool isLookup = call.name() == "embedding_lookup" && call.path.starts_with("ipu.");
    const PythonValue* factor = isLookup ? call.arguments.given("serialization_factor", 3) : nullptr;
    if (factor != nullptr && factor->constant() != 1)
        rows.keywords.emplace_back("serialization_factor", *factor);
    return callOnTensors(call.builder, "gather", rows);
}

} // namespace

bool isWeight(const PythonValue& value) {
    return weightOf(value) != nullptr;
}

bool isHalfWeight(const PythonValue& value) {
    const auto* weight = weightOf(value);
    return weight != nullptr && partOf(*weight, weightType) != nullptr;
}

Json shapeOfVariable(const PythonValue& value) {
    if (const auto* weight = weightOf(value))
        return shapeOfWeight(*weight);
    const auto* data = value.as<PythonData>();
    return data == nullptr ? Json() : data->shape;
}

PythonValue lookupInVariable(const PythonApiCall& call) {
    const PythonValue* table = call.arguments.find("params", 0);
    const PythonValue* ids = call.arguments.find("ids", 1);
    const Json shape = table == nullptr ? Json() : shapeOfVariable(*table);
    if (ids == nullptr || !ids->is<PythonTensor>())
        return PythonData();
    if (table != nullptr && table->is<PythonTensor>())
        return rowsOfWeight(call, *table, *ids);
    const bool hasShape = shape.is_array() && shape.size() == 2;
    if (!hasShape)
        call.refuse("python/value", "the program does not say what shape the table has",
                    {"make it with tf.get_variable(name, shape=[rows, columns])"});
    const auto* weight = weightOf(*table);
    if (weight != nullptr && isTensorAlone(*weight))
        return rowsOfWeight(call, *table, *ids);
    PythonArguments tensors{{*ids}, {}, call.place()};
    const PythonValue* factor = call.arguments.given("serialization_factor", 3);
    if (weight != nullptr && isPartOf(call.builder, *weight, "Embedding", call.place())) {
        const PythonLayerName layer = *partOf(*weight, itsLayer)->as<PythonLayerName>();
        if (Json& known = call.builder.layer(layer.layer).config;
            factor != nullptr && !known.contains("serialization_factor"))
            known["serialization_factor"] = call.builder.json(*factor, call.place());
        return callLayer(call.builder, layer, tensors);
    }
    Json config{{"input_dim", shape[0]}, {"output_dim", shape[1]}};
    if (factor != nullptr)
        config["serialization_factor"] = call.builder.json(*factor, call.place());
    if (weight != nullptr) {
        const PythonValue* given = partOf(*weight, "initializer");
        config["embeddings_initializer"] =
            given == nullptr ? Json("glorot_uniform") : call.builder.json(*given, call.place());
        if (partOf(*weight, weightType) != nullptr)
            config["dtype"] = "float16";
    }
    const PythonValue made = callNewLayer(call, "Embedding", std::move(config), {*ids});
    if (const auto* tensor = made.as<PythonTensor>(); tensor != nullptr && weight != nullptr)
        (*weight->attributes)[itsLayer] = PythonLayerName{tensor->layer};
    return made;
}

PythonLibraryObject weightMadeAt(const PythonProgramBuilder& builder, PythonPlace place) {
    PythonLibraryObject weight = pythonObject(pythonWeightClass);
    const std::string key = fmt::format("{}:{}:{}", place.file, place.line, place.column);
    (*weight.attributes)[itsPlace] = pythonText(key);
    if (builder.wholeWeights.contains(key))
        (*weight.attributes)[isWhole] = pythonConstant(true);
    return weight;
}

PythonLibraryObject newWeight(const PythonApiCall& call) {
    return weightMadeAt(call.builder, call.place());
}

void becomePart(const PythonLibraryObject& weight, PythonLayerName layer) {
    (*weight.attributes)[itsLayer] = layer;
}

void setTypeOfWeight(PythonProgramBuilder& builder, const PythonLibraryObject& weight,
                     const std::string& type) {
    if (!isHalfType(type))
        return;
    (*weight.attributes)[weightType] = pythonText("float16");
    builder.hasHalves = true;
    builder.computesInHalves = true;
}

void giveWeight(const PythonApiCall& call, const PythonValue& value, PythonLayerName layer,
                const char* initializer) {
    const auto* weight = weightOf(value);
    if (weight == nullptr)
        return;
    PythonLayer& made = call.builder.layer(layer.layer);
    if (const PythonValue* given = partOf(*weight, "initializer"))
        made.config[initializer] = call.builder.json(*given, call.place());
    if (isTensorAlone(*weight) || partOf(*weight, itsLayer) != nullptr)
        call.warn(
            "python/ignored",
            fmt::format("{}() shares a weight with another layer in the program; in the project the "
                        "layer \"{}\" has one of its own, which is trained apart",
                        call.name(), quotedName(made.name)),
            {"multiply by the shared weight and give the logits to a softmax loss, where it has to stay "
             "one weight"});
    else
        (*weight->attributes)[itsLayer] = layer;
}

PythonValue makeWeight(const PythonApiCall& call) {
    PythonLibraryObject weight = newWeight(call);
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
    const PythonValue* type = call.arguments.given("dtype", 2);
    if (type == nullptr)
        type = call.builder.scope.type.get();
    const PythonValue* name = call.arguments.find("name", 0);
    const std::string key = name != nullptr && name->isText()
                                ? call.builder.scope.variables + "/" + name->constant().get<std::string>()
                                : "";
    if (const auto known = call.builder.variables.find(key);
        call.builder.scope.reuses && known != call.builder.variables.end())
        return known->second;
    constexpr std::size_t initializerAt = 3;
    const PythonValue* begins = call.arguments.given("initializer", initializerAt);
    const PythonValue* shape = call.arguments.given("shape", 1);
    // An array that it begins with has its extents.
    const bool isArray = begins != nullptr && (begins->is<PythonData>() || begins->is<PythonList>());
    if (shape == nullptr && isArray)
        data.shape = shapeOf(*begins);
    else if (shape == nullptr || !shape->is<PythonList>())
        return data;
    else
        data.shape = call.builder.json(*shape, call.place());
    if (!data.shape.is_array())
        return data;
    for (Json& extent : data.shape) // 64 / 4 is a number of channels, too
        if (extent.is_number_float() && extent.get<double>() == std::floor(extent.get<double>()))
            extent = static_cast<std::int64_t>(extent.get<double>());
    const bool isRead = !data.shape.empty() && std::ranges::all_of(data.shape, [](const Json& one) {
        return one.is_number_integer();
    });
    constexpr std::size_t trainableAt = 5;
    const PythonValue* trains = call.arguments.given("trainable", trainableAt);
    const bool isFrozen = trains != nullptr && trains->constant() == false;
    // A vector that is not trained is a moving average, or another count of the program's own.
    if (!isRead || (isFrozen && data.shape.size() < 2))
        return data;
    PythonLibraryObject weight = newWeight(call);
    if (isFrozen)
        (*weight.attributes)["trainable"] = pythonConstant(false);
    setTypeOfWeight(call.builder, weight, typeNamed(type));
    (*weight.attributes)["shape"] = pythonConstant(data.shape);
    std::optional<PythonValue> numbers;
    if (isArray)
        numbers = initializerOfNumbers(call, *begins);
    if (numbers)
        (*weight.attributes)["initializer"] = *numbers;
    else if (begins != nullptr && !begins->is<PythonData>())
        (*weight.attributes)["initializer"] = *begins;
    else if (call.builder.scope.initializer != nullptr)
        (*weight.attributes)["initializer"] = *call.builder.scope.initializer;
    if (!key.empty()) {
        call.builder.variables[key] = weight;
        call.builder.graphWeights.emplace_back(key, weight);
    }
    const PythonValue* regularizer = call.arguments.given("regularizer", initializerAt + 1);
    if (regularizer == nullptr)
        regularizer = call.builder.scope.regularizer.get();
    if (regularizer != nullptr)
        call.builder.collected.push_back(
            {weight, "", regularizerJson(call, *regularizer), key, call.place()});
    return weight;
}

std::optional<PythonValue> weightOperation(PythonProgramBuilder& builder, const std::string& operation,
                                           const PythonValue& left, const PythonValue& right,
                                           PythonPlace place) {
    if (operation == "@")
        if (auto made = productOfConstant(builder, left, right, place))
            return made;
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
    // A variable of a stage stands beside the tensor that it meets first.
    const std::optional<PythonTensor> before = builder.anchor;
    if (!before && (left.is<PythonTensor>() || right.is<PythonTensor>()))
        builder.anchor = *(left.is<PythonTensor>() ? left : right).as<PythonTensor>();
    else if (!before)
        builder.anchor = lastTensor(builder);
    if (!builder.anchor)
        return PythonData();
    const PythonValue a = asTensor(builder, left, place);
    const PythonValue b = asTensor(builder, right, place);
    builder.anchor = before;
    return tensorOperation(builder, operation, a, b, place);
}

std::optional<std::pair<PythonLayerName, std::string>> regularizedPart(const PythonProgramBuilder& builder,
                                                                       const PythonValue& value) {
    const auto* weight = weightOf(value);
    const PythonValue* variable = weight == nullptr ? nullptr : partOf(*weight, itsVariable);
    const PythonValue* layer = weight == nullptr ? nullptr : partOf(*weight, itsLayer);
    if (variable != nullptr)
        return std::pair(*variable->as<PythonLayerName>(), std::string("regularizer"));
    if (layer == nullptr)
        return std::nullopt;
    const PythonLayerName name = *layer->as<PythonLayerName>();
    const std::string& className = builder.facts.draft.layers[static_cast<std::size_t>(name.layer)].className;
    const bool isTable = className.ends_with("Embedding");
    return std::pair(name, std::string(isTable                             ? "embeddings_regularizer"
                                       : shapeOfWeight(*weight).size() > 1 ? "kernel_regularizer"
                                                                           : "bias_regularizer"));
}

std::optional<PythonValue> partOfWeight(PythonProgramBuilder& builder, const PythonValue& value,
                                        const PythonValue& index, PythonPlace place) {
    if (!isWeight(value))
        return std::nullopt;
    const std::optional<PythonTensor> before = builder.anchor;
    if (!builder.anchor)
        builder.anchor = lastTensor(builder);
    std::optional<PythonValue> part;
    if (builder.anchor)
        if (const PythonValue tensor = asTensor(builder, value, place); tensor.is<PythonTensor>())
            part = sliceTensor(builder, *tensor.as<PythonTensor>(), index, place);
    builder.anchor = before;
    return part;
}

namespace {

bool holdsWeight(const PythonValue& value) {
    return isWeight(value) || std::ranges::any_of(value.items(), isWeight);
}

/// A weight, or those in a list of weights and tensors.
PythonValue weightsAsTensors(PythonProgramBuilder& builder, const PythonValue& value, PythonPlace place) {
    const auto* list = value.as<PythonList>();
    if (list == nullptr || !holdsWeight(value))
        return asTensor(builder, value, place);
    PythonValues items;
    for (const PythonValue& item : *list->items)
        items.push_back(asTensor(builder, item, place));
    return pythonList(std::move(items), list->isTuple);
}

} // namespace

void weightsBesideTensors(const PythonApiCall& call) {
    PythonArguments& given = call.arguments;
    const std::optional<PythonTensor> before = call.builder.anchor;
    for (const PythonValue& value : given.list)
        if (const auto* tensor = value.as<PythonTensor>(); tensor != nullptr && !call.builder.anchor)
            call.builder.anchor = *tensor;
    if (!call.builder.anchor && std::ranges::any_of(given.list, holdsWeight))
        call.builder.anchor = lastTensor(call.builder);
    if (call.builder.anchor) {
        for (PythonValue& value : given.list)
            value = weightsAsTensors(call.builder, value, call.place());
        for (auto& entry : given.keywords)
            entry.second = asTensor(call.builder, entry.second, call.place());
    }
    call.builder.anchor = before;
}

std::optional<PythonValue> weightFunction(const PythonApiCall& call) {
    PythonArguments& given = call.arguments;
    const bool hasAny =
        std::ranges::any_of(given.list, holdsWeight) ||
        std::ranges::any_of(given.keywords, [](const auto& entry) { return isWeight(entry.second); });
    const std::string name = call.name();
    if (name == "matmul" && given.list.size() == 2 && given.keywords.empty())
        if (auto made = productOfConstant(call.builder, given.list[0], given.list[1], call.place()))
            return made;
    if (!hasAny)
        return std::nullopt;
    if (name == "matmul" && given.list.size() == 2 && given.keywords.empty())
        if (auto made = product(call.builder, given.list[0], given.list[1], call.place()))
            return made;
    constexpr std::size_t operands = 3;
    if (name == "xw_plus_b" && given.list.size() >= operands)
        if (const auto made = product(call.builder, given.list[0], given.list[1], call.place()))
            return weightOperation(call.builder, "+", *made, given.list[2], call.place());
    if (name == "relu_layer" && given.list.size() >= operands)
        if (const auto made = product(call.builder, given.list[0], given.list[1], call.place())) {
            PythonArguments sum{
                {*weightOperation(call.builder, "+", *made, given.list[2], call.place())}, {}, call.place()};
            return call.interpreter.call(PythonLibraryName{"tf.nn.relu"}, sum);
        }
    if (auto made = convolution(call))
        return made;
    if ((name == "bias_add" || name == "add") && given.list.size() == 2)
        if (auto made = bias(call.builder, given.list[0], given.list[1]))
            return made;
    const bool looksUp = name == "gather" || name == "embedding_lookup";
    if (looksUp && given.list.size() >= 2 && isWeight(given.list[0])) {
        if (!isTensorAlone(*weightOf(given.list[0])))
            return lookUp(call, *weightOf(given.list[0]), given.list[1]);
        return rowsOfWeight(call, given.list[0], given.list[1]);
    }
    weightsBesideTensors(call);
    return std::nullopt;
}

namespace {

/// A tensor with these extents behind the batch: the one that the layer was called on, else one that was made
/// last.
std::optional<PythonTensor> tensorOfShape(PythonProgramBuilder& builder, const Json& wanted) {
    const auto fits = [&](const PythonTensor& tensor) {
        const Json extents = tensorShape(builder, tensor);
        bool areAlike = extents.is_array() && wanted.is_array() && extents.size() == wanted.size();
        for (std::size_t i = 1; areAlike && i < extents.size(); ++i)
            areAlike = extents[i] == wanted[i];
        return areAlike;
    };
    if (builder.anchor && fits(*builder.anchor))
        return builder.anchor;
    constexpr std::size_t most = 8;
    const std::size_t count = builder.facts.draft.layers.size();
    for (std::size_t i = 0; i < std::min(most, count); ++i) {
        const std::size_t at = count - 1 - i;
        const PythonTensor tensor{static_cast<std::int64_t>(at), 0, 0};
        if (!builder.facts.draft.layers[at].calls.empty() && fits(tensor))
            return tensor;
    }
    return std::nullopt;
}

} // namespace

std::optional<PythonValue> noiseOfLayer(const PythonApiCall& call) {
    const bool isUniform = call.path == "tf.random.uniform" || call.path == "tf.random_uniform";
    const bool isNormal = call.path == "tf.random.normal" || call.path == "tf.random_normal";
    const bool isOfGraph = call.builder.importsOlderApi || call.path == "tf.random_normal";
    const PythonValue* shape = call.arguments.find("shape", 0);
    if ((!isUniform && !isNormal) || (!call.builder.anchor && !isOfGraph) || shape == nullptr)
        return std::nullopt;
    const auto numberOf = [&](const char* name, std::size_t position, double usual) -> std::optional<double> {
        const PythonValue* given = call.arguments.given(name, position);
        return given == nullptr    ? std::optional(usual)
               : given->isNumber() ? std::optional(given->constant().get<double>())
                                   : std::nullopt;
    };
    const auto first = numberOf(isUniform ? "minval" : "mean", 1, 0);
    const auto second = numberOf(isUniform ? "maxval" : "stddev", 2, 1);
    const bool areWhole = typeNamed(call.arguments.find("dtype", 3)).find("int") != std::string::npos;
    if (!first || !second || areWhole)
        return std::nullopt;
    const std::optional<PythonTensor> alike = tensorOfShape(call.builder, writtenShape(*shape));
    if (!alike)
        return std::nullopt;
    constexpr double evenSpread = 12; // the variance of evenly spread numbers is width² / 12
    const double mean = isUniform ? (*first + *second) / 2 : *first;
    const double deviation = isUniform ? (*second - *first) / std::sqrt(evenSpread) : *second;
    call.warn("python/noise",
              isUniform
                  ? "what this draws is a GaussianNoise layer of the same mean and deviation: a run draws "
                    "it in training only"
                  : "what this draws is a GaussianNoise layer: a run draws it in training only",
              {"predictions are those of the mean"});
    PythonArguments zeros{{*alike}, {{"y", pythonConstant(0.0)}}, call.place()};
    PythonArguments origin{{callOnTensors(call.builder, "math.multiply", zeros)}, {}, call.place()};
    PythonArguments given{{}, {{"stddev", pythonConstant(deviation)}}, call.place()};
    const PythonValue noise =
        callLayer(call.builder, makeLayer(call.builder, "GaussianNoise", given), origin);
    if (mean == 0)
        return noise;
    PythonArguments shifted{{noise}, {{"y", pythonConstant(mean)}}, call.place()};
    return callOnTensors(call.builder, "math.add", shifted);
}

} // namespace core
