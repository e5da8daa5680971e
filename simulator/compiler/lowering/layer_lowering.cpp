#include "simulator/compiler/lowering/layer_lowering.h"

#include "core/model/graph/layer_catalogue.h"
#include "core/model/layers/function_shapes.h"
#include "simulator/compiler/lowering/activation_functions.h"
#include "simulator/compiler/lowering/regularizers.h"

#include <algorithm>
#include <array>

namespace simulator {

using core::Json;
using core::TensorId;

bool LoweringCall::hasWeight(std::string_view name) const {
    return std::ranges::find(weights, name, &LoweredWeight::name) != weights.end();
}

TensorId LoweringCall::storedWeight(std::string_view name) const {
    const auto it = std::ranges::find(weights, name, &LoweredWeight::name);
    return it == weights.end() ? TensorId{} : it->tensor;
}

TensorId LoweringCall::weight(std::string_view name) const {
    return build.cast(storedWeight(name), precision.compute);
}

std::vector<LoweredWeight> LoweringCall::weightsBelow(std::string_view prefix) const {
    std::vector<LoweredWeight> result;
    const std::string start = std::string(prefix) + "/";
    for (const LoweredWeight& one : weights) {
        if (one.name.starts_with(start))
            result.push_back({one.name.substr(start.size()), one.tensor});
    }
    return result;
}

TensorId LoweringCall::addBias(TensorId x, std::string_view name) const {
    return hasWeight(name) ? build.add(Binary{BinaryFunction::Add}, {x, weight(name)}, "add_bias") : x;
}

std::optional<std::size_t> LoweringCall::inputNamed(std::string_view name, std::size_t position) const {
    std::vector<bool> isNamed(inputs.size(), false);
    std::optional<std::size_t> wanted;
    for (const auto& [key, value] : arguments.items()) {
        if (!value.is_object() || !value.contains("$input"))
            continue;
        const auto index = value["$input"].get<std::size_t>();
        if (index >= inputs.size())
            continue;
        isNamed[index] = true;
        if (key == name)
            wanted = index;
    }
    for (std::size_t i = 0; i < isNamed.size() && !wanted; ++i) {
        if (!isNamed[i] && position-- == 0)
            wanted = i;
    }
    return wanted;
}

bool LoweringCall::argumentFlag(std::string_view name, bool byDefault) const {
    const auto it = arguments.find(std::string(name));
    return it != arguments.end() && it->is_boolean() ? it->get<bool>() : byDefault;
}

bool LoweringCall::isTraining() const {
    return argumentFlag("training", context.training);
}

TensorId LoweringCall::mask(std::size_t index) const {
    const auto it = context.masks.find(inputs[index]);
    return it == context.masks.end() ? TensorId{} : it->second;
}

void LoweringCall::setMask(TensorId output, TensorId mask) const {
    if (mask.isValid())
        context.masks[output] = mask;
}

std::uint64_t LoweringCall::seed() const {
    // Layers of the IPU have one seed for their weights and one, a pair of 32-bit numbers, for their dropout.
    const bool hasOwn = attributes.definition().findAttribute("dropout_seed") != nullptr;
    const Json& value = attributes.value(hasOwn ? "dropout_seed" : "seed");
    const auto number = [](const Json& one) {
        return one.is_number_integer() ? static_cast<std::uint64_t>(one.get<std::int64_t>()) : 0;
    };
    if (!value.is_array())
        return number(value);
    std::uint64_t joined = 0;
    for (const Json& half : value)
        joined = joined << 32U | (number(half) & 0xFFFFFFFFU);
    return joined;
}

tl::unexpected<core::Diagnostics> cannotLower(std::string message, std::string hint) {
    return core::failure(
        core::makeError(core::Trouble::Input, "numerics/layer", {}, std::move(message), {std::move(hint)}));
}

const LoweringEntry* findLowering(std::string_view className) {
    static const auto table = [] {
        std::map<std::string_view, const LoweringEntry*> entries;
        const std::array families{coreLowerings(),          activationLowerings(),
                                  convolutionLowerings(),   poolingLowerings(),
                                  normalizationLowerings(), regularizationLowerings(),
                                  mergingLowerings(),       reshapingLowerings(),
                                  recurrentLowerings(),     convolutionalRecurrentLowerings(),
                                  attentionLowerings(),     wrapperLowerings(),
                                  preprocessingLowerings(), augmentationLowerings(),
                                  functionLowerings(),      applicationLowerings(),
                                  ipuLowerings(),           onnxLowerings()};
        for (const auto family : families) {
            for (const LoweringEntry& entry : family)
                entries.emplace(entry.className, &entry);
        }
        return entries;
    }();
    const auto it = table.find(className);
    return it == table.end() ? nullptr : it->second;
}

namespace {

const core::LayerDefinition* definitionOf(std::string_view className, const Json& config) {
    const core::LayerDefinition* definition = core::findLayerDefinition(className);
    return definition != nullptr ? definition : core::findBaseDefinition(className, config);
}

core::Diagnostic unknownLayer(const std::string& className) {
    return core::makeError(core::Trouble::Input, "numerics/layer", {}, className + " cannot be computed",
                           {"declare its shape and cost under opaque_layers to price it, "
                            "or replace it by layers that compute the same"});
}

std::vector<TensorId> castInputs(GraphBuilder& build, const std::vector<TensorId>& inputs,
                                 LoweringContext& context, core::DataType type) {
    std::vector<TensorId> result;
    for (const TensorId id : inputs) {
        const TensorId cast = core::isFloating(build.type(id)) ? build.cast(id, type) : id;
        if (const auto mask = context.masks.find(id); mask != context.masks.end())
            context.masks[cast] = mask->second;
        result.push_back(cast);
    }
    return result;
}

} // namespace

bool hasLowering(std::string_view className, const Json& config) {
    const core::LayerDefinition* definition = definitionOf(className, config);
    return definition != nullptr && findLowering(definition->className) != nullptr;
}

Lowered lowerLayer(LoweringContext& context, const InnerLayer& layer, const Json& arguments, bool trainable,
                   const core::ModelGraph* model, std::vector<core::TensorSpec> outputs) {
    const core::LayerDefinition* definition = definitionOf(layer.className, layer.config);
    const LoweringEntry* entry = definition == nullptr ? nullptr : findLowering(definition->className);
    if (entry == nullptr)
        return core::failure(unknownLayer(layer.className));
    const core::LayerAttributes attributes(*definition, layer.config);
    std::vector<core::DataType> types(layer.inputs.size());
    std::ranges::transform(layer.inputs, types.begin(),
                           [&](const TensorId id) { return context.build.type(id); });
    const core::PrecisionPolicy precision = core::callPrecision(
        *definition, core::resolvePrecision(attributes.value("dtype"), context.precision), types);
    LoweringCall call{context,
                      context.build,
                      attributes,
                      arguments,
                      castInputs(context.build, layer.inputs, context, precision.compute),
                      layer.weights,
                      precision,
                      trainable && attributes.value("trainable") != false,
                      model,
                      std::move(outputs)};
    Lowered lowered = entry->lower(call);
    if (!lowered)
        return lowered;
    addPenalties(call, *lowered);
    if (entry->passesMask && !call.inputs.empty() && call.mask().isValid())
        call.setMask(lowered->front(), call.mask());
    return lowered;
}

} // namespace simulator
