// Weights of layers of Keras that programs use beside their layers, as tied embeddings are.
#include "core/interchange/python/apis/weights/shared_weights.h"

#include "core/interchange/python/apis/weights/program_weights.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/tensor_functions.h"
#include "core/interchange/python/draft/tensor_shape.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

std::string placeOf(const PythonLayer& layer) {
    return fmt::format("{}:{}:{}", layer.place.file, layer.place.line, layer.place.column);
}

bool sharesWeights(const PythonProgramBuilder& builder, PythonLayerName name) {
    const PythonLayer& layer = builder.facts.draft.layers[static_cast<std::size_t>(name.layer)];
    return (layer.className == "Embedding" || layer.className == "Dense") &&
           builder.wholeWeights.contains(placeOf(layer));
}

PythonValue optionOf(const Json& config, const std::string& name, const char* preset) {
    const Json given = config.value(name, Json(preset));
    return given.is_object() ? PythonValue(PythonConfigured{given, ""}) : pythonConstant(given);
}

/// One weight of a layer, the same at every call.
PythonValue partOfLayer(PythonProgramBuilder& builder, PythonLayerName name, const std::string& part,
                        Json shape, const char* initializer) {
    const std::pair key{name.layer, part};
    if (const auto known = builder.layerWeights.find(key); known != builder.layerWeights.end())
        return known->second;
    const PythonLayer layer = builder.layer(name.layer);
    PythonLibraryObject weight = weightMadeAt(builder, layer.place);
    (*weight.attributes)["shape"] = pythonConstant(std::move(shape));
    (*weight.attributes)["initializer"] = optionOf(layer.config, part + "_initializer", initializer);
    for (const char* option : {"regularizer", "constraint"})
        if (layer.config.contains(part + "_" + option) && !layer.config[part + "_" + option].is_null())
            (*weight.attributes)[option] = optionOf(layer.config, part + "_" + option, "");
    if (layer.config.value("trainable", Json(true)) == false)
        (*weight.attributes)["trainable"] = pythonConstant(false);
    if (!sharesWeights(builder, name))
        becomePart(weight, name);
    builder.layerWeights[key] = weight;
    return weight;
}

} // namespace

std::optional<PythonValue> weightOfLayer(PythonProgramBuilder& builder, PythonLayerName name,
                                         const std::string& attribute) {
    const PythonLayer& layer = builder.layer(name.layer);
    const Json& config = layer.config;
    if (layer.className == "Embedding" && attribute == "embeddings" && layer.module.empty() &&
        config.value("mask_zero", Json(false)) != true)
        return partOfLayer(builder, name, attribute, Json::array({config["input_dim"], config["output_dim"]}),
                           "uniform");
    if (layer.className != "Dense" || attribute != "kernel")
        return std::nullopt;
    const auto known = builder.layerWeights.find({name.layer, attribute});
    if (known != builder.layerWeights.end())
        return known->second;
    const bool isCalled = !layer.calls.empty() && layer.calls.front().tensors.size() == 1;
    const Json input = isCalled ? tensorShape(builder, layer.calls.front().tensors.front()) : Json();
    if (!input.is_array() || input.empty() || !input.back().is_number_integer())
        return std::nullopt;
    return partOfLayer(builder, name, attribute, Json::array({input.back(), config["units"]}),
                       "glorot_uniform");
}

std::optional<PythonValue> callOnSharedWeights(const PythonApiCall& call, PythonLayerName name) {
    PythonProgramBuilder& builder = call.builder;
    const PythonValue* input = call.arguments.find("inputs", 0);
    const auto* tensor = input == nullptr ? nullptr : input->as<PythonTensor>();
    if (tensor == nullptr || !sharesWeights(builder, name))
        return std::nullopt;
    const Json config = builder.layer(name.layer).config;
    const std::optional<PythonTensor> before = builder.anchor;
    if (!before)
        builder.anchor = *tensor;
    PythonValue made;
    if (builder.layer(name.layer).className == "Embedding") {
        PythonArguments rows{{*weightOfLayer(builder, name, "embeddings"), *input}, {}, call.place()};
        made = call.interpreter.call(PythonLibraryName{"tf.gather"}, rows);
    } else {
        const Json width = tensorShape(builder, *tensor).back();
        const PythonValue kernel =
            partOfLayer(builder, name, "kernel", Json::array({width, config["units"]}), "glorot_uniform");
        made = call.interpreter.operation("@", *input, kernel, call.place());
        if (config.value("use_bias", Json(true)) != false)
            made = call.interpreter.operation(
                "+", made, partOfLayer(builder, name, "bias", Json::array({config["units"]}), "zeros"),
                call.place());
        if (const Json activation = config.value("activation", Json());
            !activation.is_null() && activation != "linear") {
            PythonArguments options{{}, {{"activation", pythonConstant(activation)}}, call.place()};
            PythonArguments one{{made}, {}, call.place()};
            made = callLayer(builder, makeLayer(builder, "Activation", options), one);
        }
    }
    builder.anchor = before;
    return made;
}

void checkSharedWeights(const PythonProgramBuilder& builder) {
    for (const PythonModel& model : builder.facts.draft.models)
        for (const std::int64_t layer : model.isSequential ? model.layers : std::vector<std::int64_t>())
            if (sharesWeights(builder, {layer}))
                builder.refuse(
                    builder.facts.draft.layers[static_cast<std::size_t>(layer)].place, "python/unsupported",
                    "the program uses the weight of this layer beside the layer, which is part of a sequence",
                    {"write a Functional model, which calls the layer on a tensor"});
}

} // namespace core
