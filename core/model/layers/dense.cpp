#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/shape_rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace core {

namespace {

using namespace attribute;

/// An Einstein summation "input,kernel->output" of single letters, an ellipsis in front of input and output
/// allowed.
struct Equation {
    std::string input;
    std::string kernel;
    std::string output;
    bool hasEllipsis = false;
};

std::optional<Equation> parseEquation(std::string text) {
    std::erase(text, ' ');
    const std::size_t comma = text.find(',');
    const std::size_t arrow = text.find("->");
    if (comma == std::string::npos || arrow == std::string::npos || comma > arrow)
        return std::nullopt;
    Equation equation{text.substr(0, comma), text.substr(comma + 1, arrow - comma - 1),
                      text.substr(arrow + 2), false};
    constexpr std::string_view ellipsis = "...";
    if (equation.input.starts_with(ellipsis) && equation.output.starts_with(ellipsis)) {
        equation.input.erase(0, ellipsis.size());
        equation.output.erase(0, ellipsis.size());
        equation.hasEllipsis = true;
    }
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    for (const std::string* part : {&equation.input, &equation.kernel, &equation.output}) {
        if (!std::all_of(part->begin(), part->end(), isLetter))
            return std::nullopt;
    }
    return equation;
}

/// The output's extents where the layer declares them: `output_shape` without the batch axis, from the back.
std::map<char, Dimension> declaredExtents(const LayerCall& call, const Equation& equation) {
    const Json& declared = call.attributes.value("output_shape");
    std::map<char, Dimension> extents;
    const Json list = declared.is_array() ? declared : Json::array({declared});
    for (std::size_t back = 1; back <= std::min(list.size(), equation.output.size()); ++back)
        extents[equation.output[equation.output.size() - back]] = wholeNumber(list[list.size() - back]);
    return extents;
}

RuleResult<CallFacts> describeEinsumDense(const LayerCall& call) {
    const auto equation = parseEquation(call.attributes.text("equation"));
    if (!equation)
        return refuse("cannot read its equation", "write it like \"ab,bc->ac\" or \"...x,xy->...y\"",
                      "equation");
    const Shape& input = call.shape();
    const std::size_t letters = equation->input.size();
    if (input.rank() < letters || (!equation->hasEllipsis && input.rank() != letters))
        return refuse(
            fmt::format("its equation names {} input axes, the input is {}", letters, toText(input)), "",
            "equation");
    std::map<char, Dimension> extents = declaredExtents(call, *equation);
    for (std::size_t i = 0; i < letters; ++i)
        extents[equation->input[i]] = input[input.rank() - letters + i];
    Shape shape(std::vector<Dimension>(input.dimensions.begin(),
                                       input.dimensions.end() - static_cast<std::ptrdiff_t>(letters)));
    for (const char letter : equation->output)
        shape.dimensions.push_back(extents[letter]);
    Shape kernel;
    Count summed = 1;
    for (const char letter : equation->kernel) {
        if (!extents[letter])
            return refuse(fmt::format("does not know the extent of axis '{}' of its kernel", letter),
                          "give output_shape", "output_shape");
        kernel.dimensions.push_back(extents[letter]);
        if (equation->output.find(letter) == std::string::npos)
            summed *= extents[letter];
    }
    CallFacts facts = output(call, shape);
    facts.weights.push_back(weight(call, "kernel", kernel, "kernel_initializer"));
    const std::string biasAxes = call.attributes.text("bias_axes");
    if (!biasAxes.empty()) {
        // One extent per output axis from the first biased one on; 1 where the bias is shared.
        Shape bias;
        const std::size_t first = equation->output.find_first_of(biasAxes);
        for (std::size_t i = first; i < equation->output.size(); ++i) {
            const bool isBiased = biasAxes.find(equation->output[i]) != std::string::npos;
            bias.dimensions.push_back(isBiased ? extents[equation->output[i]] : Dimension(1));
        }
        facts.weights.push_back(weight(call, "bias", bias, "bias_initializer"));
    }
    facts.flops = Count(2) * elements(shape) * summed;
    return facts;
}

LayerDefinition dense() {
    LayerDefinition definition;
    definition.className = "Dense";
    definition.category = LayerCategory::Core;
    definition.documentation =
        "Every output is a weighted sum of all inputs: activation(input · kernel + bias), "
        "along the last axis.";
    definition.attributes =
        joined({{integer("units", "Number of outputs along the last axis.").required(64).alias("output_dim"),
                 activation("activation", "linear", "Function applied to the sum.")},
                weightObjects({"kernel", "bias"}),
                {json("lora_rank", nullptr, "Rank of a low-rank adapter; bookkeeping of newer editions."),
                 json("lora_alpha", nullptr, "Scale of a low-rank adapter; bookkeeping of newer editions."),
                 json("input_dim", nullptr, "Bookkeeping of old editions."),
                 json("quantization_mode", nullptr, "Bookkeeping of newer editions.")}});
    definition.rule = describeFeatureProduct;
    return definition;
}

LayerDefinition einsumDense() {
    LayerDefinition definition;
    definition.className = "EinsumDense";
    definition.category = LayerCategory::Core;
    definition.documentation = "A dense layer whose sum is an Einstein summation of any shape.";
    definition.attributes = joined(
        {{text("equation", "Sum to form, for example \"abc,cd->abd\".").required("...x,xy->...y"),
          json("output_shape", nullptr,
               "Extents of the output without the batch axis; null where they follow "
               "from the input."),
          activation("activation", nullptr, "Function applied to the sum."),
          text("bias_axes", "Output axes with a bias of their own; null for none.").nullable()},
         weightObjects({"kernel", "bias"}),
         {json("lora_rank", nullptr, "Rank of a low-rank adapter; bookkeeping of newer editions."),
          json("lora_alpha", nullptr, "Scale of a low-rank adapter; bookkeeping of newer editions.")}});
    definition.rule = describeEinsumDense;
    return definition;
}

} // namespace

LayerFamily denseLayers() {
    return {dense(), einsumDense()};
}

} // namespace core
