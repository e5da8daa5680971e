#include "core/model/graph/layer_catalogue.h"
#include "core/model/layer_naming.h"
#include "core/model/layers/function_shapes.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

/// Keeps every product of a few sizes far below 63 bits.
constexpr std::int64_t largestTensor = std::int64_t{1} << 40;

bool isTooLarge(const Shape& shape) {
    Count count = 1;
    for (const Dimension& extent : shape.dimensions) {
        if (!extent)
            continue;
        if (*extent > largestExtent)
            return true;
        count *= *extent;
    }
    return !count.isKnown() || count.value() > largestTensor;
}

RuleResult<CallFacts> refuseGiants(RuleResult<CallFacts> facts) {
    if (!facts)
        return facts;
    const std::string hint = fmt::format("a tensor holds at most 2^40 elements, an axis {}", largestExtent);
    for (const TensorSpec& spec : facts->outputs) {
        if (isTooLarge(spec.shape))
            return refuse(fmt::format("its output {} is too large", toText(spec.shape)), hint);
    }
    for (const WeightSpec& spec : facts->weights) {
        if (isTooLarge(spec.shape))
            return refuse(fmt::format("its weight \"{}\" {} is too large", spec.name, toText(spec.shape)),
                          hint);
    }
    if (facts->flops.isTooLarge())
        return refuse("its arithmetic exceeds 2^63 operations", hint);
    return facts;
}

/// Inputs that the call's keyword arguments name.
std::size_t countNamedInputs(const Json& value, int depth = 0) {
    constexpr int deepest = 8;
    if (!value.is_structured() || depth > deepest)
        return 0;
    if (value.is_object() && value.contains("$input"))
        return 1;
    std::size_t count = 0;
    for (const auto& [key, entry] : value.items()) {
        if (key != "$args")
            count += countNamedInputs(entry, depth + 1);
    }
    return count;
}

std::optional<RuleError> checkInputCount(const LayerDefinition& definition, std::size_t count,
                                         const Json& arguments) {
    const std::size_t named = countNamedInputs(arguments);
    const std::size_t positional = count > named ? count - named : 0;
    if (count < definition.minimumInputs)
        return RuleError{fmt::format("takes at least {} input{}, has {}", definition.minimumInputs,
                                     definition.minimumInputs == 1 ? "" : "s", count),
                         "connect it", ""};
    if (positional > definition.maximumInputs)
        return RuleError{fmt::format("takes at most {} input{}, has {}", definition.maximumInputs,
                                     definition.maximumInputs == 1 ? "" : "s", positional),
                         definition.maximumInputs == 0 ? "connect nothing to it"
                                                       : "merge them with a Concatenate or Add layer",
                         ""};
    return std::nullopt;
}

RuleResult<CallFacts> applyDefinition(const LayerDefinition& definition, const Json& config,
                                      std::span<const TensorSpec> inputs, const Json& arguments,
                                      const PrecisionPolicy& precision, const ModelGraph* model) {
    if (auto error = checkInputCount(definition, inputs.size(), arguments))
        return tl::unexpected(*error);
    // The layer inside a wrapper that holds a model is kept beside the config, not in it.
    const Diagnostics findings =
        model == nullptr ? checkAttributes(definition, config, "", "") : Diagnostics{};
    if (!findings.empty())
        return refuse(
            findings.front().message, findings.front().hints.empty() ? "" : findings.front().hints.front(),
            findings.front().location.place.substr(findings.front().location.place.empty() ? 0 : 1));
    const LayerAttributes attributes(definition, config);
    std::vector<DataType> types(inputs.size());
    std::ranges::transform(inputs, types.begin(), &TensorSpec::type);
    const PrecisionPolicy own =
        callPrecision(definition, resolvePrecision(attributes.value("dtype"), precision), types);
    const bool isInteger = !isFloating(own.compute);
    return definition.rule(
        LayerCall{attributes, inputs, arguments, isInteger ? precision : own, precision, model});
}

RuleResult<CallFacts> describeUnknown(std::string_view className, const Json& config,
                                      std::span<const TensorSpec> inputs, const Json& arguments,
                                      const PrecisionPolicy& precision) {
    if (const LayerDefinition* base = findBaseDefinition(className, config)) {
        if (auto facts = refuseGiants(applyDefinition(*base, config, inputs, arguments, precision, nullptr)))
            return facts;
    }
    if (inputs.empty())
        return refuse("is not connected", "connect its input");
    const std::string function = snakeCase(className);
    if (const LayerRule rule = findFunctionRule(function)) {
        static const LayerDefinition nothing;
        const LayerAttributes attributes(nothing, config);
        if (auto facts = rule(LayerCall{attributes, inputs, arguments, precision, precision, nullptr}))
            return refuseGiants(std::move(facts));
    }
    CallFacts facts;
    facts.outputs = {inputs.front()};
    return facts;
}

} // namespace

RuleResult<CallFacts> describeCall(std::string_view className, const Json& config,
                                   std::span<const TensorSpec> inputs, const Json& arguments,
                                   const PrecisionPolicy& precision, const ModelGraph* model) {
    const LayerDefinition* definition = findLayerDefinition(className);
    if (definition == nullptr)
        return describeUnknown(className, config, inputs, arguments, precision);
    return refuseGiants(applyDefinition(*definition, config, inputs, arguments, precision, model));
}

} // namespace core
