// Operators that move elements.
#include "core/interchange/onnx/onnx_import.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

bool same(OnnxImport& onnx, const OnnxNode& node) {
    return onnx.alias(node);
}

bool flatten(OnnxImport& onnx, const OnnxNode& node) {
    return onnx.isTensor(node, 0) && node.integer("axis", 1) == 1 &&
           onnx.bind(node, onnx.add(onnxLabel(node), "Flatten", Json::object(), {onnx.tensor(node)}));
}

/// The shape that a Reshape asks for, 0 where it keeps the batch axis; nothing where a layer cannot say it.
std::optional<std::vector<std::int64_t>> targetShape(OnnxImport& onnx, const OnnxNode& node) {
    if (!node.hasInput(1))
        return node.integers("shape");
    const KnownValue* known = onnx.known(node, 1);
    if (known == nullptr || std::ssize(known->elements) > longestConstant ||
        node.integer("allowzero", 0) != 0)
        return std::nullopt;
    std::vector<std::int64_t> target;
    for (const BatchNumber& element : known->elements) {
        const bool isBatch = target.empty() && element == BatchNumber{0, 1};
        if (element.isConstant())
            target.push_back(static_cast<std::int64_t>(std::clamp(element.value, -9e15, 9e15)));
        else
            target.push_back(isBatch ? 0 : -1);
    }
    return target;
}

bool reshape(OnnxImport& onnx, const OnnxNode& node) {
    auto target = targetShape(onnx, node);
    if (!onnx.isTensor(node, 0) || !target || target->empty())
        return false;
    const bool keepsBatch = target->front() == 0;
    const bool hasZero = std::count(target->begin() + 1, target->end(), 0) > 0;
    if (hasZero || std::count(target->begin(), target->end(), -1) > 1)
        return false;
    if (!keepsBatch)
        return onnx.bind(node, onnx.function(node, "reshape", onnx.tensor(node), {{"shape", *target}}));
    target->erase(target->begin());
    return onnx.bind(node,
                     onnx.add(onnxLabel(node), "Reshape", {{"target_shape", *target}}, {onnx.tensor(node)}));
}

bool transpose(OnnxImport& onnx, const OnnxNode& node) {
    std::vector<std::int64_t> order = node.integers("perm");
    if (!onnx.isTensor(node, 0) || order.empty())
        return false;
    if (order[0] != 0)
        return onnx.bind(node, onnx.function(node, "transpose", onnx.tensor(node), {{"perm", order}}));
    order.erase(order.begin());
    return onnx.bind(node, onnx.add(onnxLabel(node), "Permute", {{"dims", order}}, {onnx.tensor(node)}));
}

bool concatenate(OnnxImport& onnx, const OnnxNode& node) {
    std::vector<Json> tensors;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (!onnx.isTensor(node, i))
            return false;
        tensors.push_back(onnx.tensor(node, i));
    }
    return tensors.size() > 1 && onnx.bind(node, onnx.add(onnxLabel(node), "Concatenate",
                                                          {{"axis", node.integer("axis", 1)}}, tensors));
}

bool expandOrSqueeze(OnnxImport& onnx, const OnnxNode& node) {
    const auto axes = onnx.integers(node, "axes", 1);
    if (!onnx.isTensor(node, 0) || !axes || axes->empty())
        return false;
    const bool isSqueeze = node.operation == "Squeeze";
    Json tensor = onnx.tensor(node);
    const std::int64_t rank = onnx.rank(node);
    const auto count = static_cast<std::int64_t>(axes->size());
    if (isSqueeze)
        return onnx.bind(node, onnx.function(node, "squeeze", tensor, {{"axis", *axes}}));
    // Axes of the result, the first first.
    std::vector<std::int64_t> places = *axes;
    for (std::int64_t& axis : places)
        axis = axis < 0 && rank >= 0 ? axis + rank + count : axis;
    std::ranges::sort(places);
    for (const std::int64_t axis : places)
        tensor = onnx.function(node, "expand_dims", tensor, {{"axis", axis}});
    return onnx.bind(node, tensor);
}

/// tensor[…] with one entry along an axis.
Json sliced(OnnxImport& onnx, const OnnxNode& node, const Json& tensor, std::int64_t axis, Json bounds) {
    Json spec = Json::array();
    const Json all{{"start", nullptr}, {"stop", nullptr}, {"step", nullptr}};
    for (std::int64_t i = 0; i < axis; ++i)
        spec.push_back(all);
    spec.push_back(std::move(bounds));
    return onnx.add(onnxLabel(node), "SlicingOpLambda",
                    {{"trainable", true}, {"dtype", "float32"}, {"function", "__operators__.getitem"}},
                    {tensor}, {{"slice_spec", std::move(spec)}});
}

std::optional<std::int64_t> axisOf(const OnnxImport& onnx, const OnnxNode& node, std::int64_t axis) {
    const std::int64_t rank = onnx.rank(node);
    if (axis < -rank || axis >= rank)
        return std::nullopt;
    return axis < 0 ? axis + rank : axis;
}

bool gather(OnnxImport& onnx, const OnnxNode& node) {
    const OnnxTensor* table = onnx.constant(node, 0);
    if (table != nullptr && isFloating(table->type) && table->extents.size() == 2 &&
        node.integer("axis", 0) == 0 && onnx.isTensor(node, 1)) {
        const Json made = onnx.add(onnxLabel(node), "Embedding",
                                   {{"input_dim", table->extents[0]}, {"output_dim", table->extents[1]}},
                                   {onnx.tensor(node, 1)});
        onnx.keep(made, "embeddings", *table);
        return onnx.bind(node, made);
    }
    const OnnxTensor* index = onnx.constant(node, 1);
    const auto axis = axisOf(onnx, node, node.integer("axis", 0));
    if (!onnx.isTensor(node, 0) || index == nullptr || index->elements() != 1 || !axis)
        return false;
    const auto place = static_cast<std::int64_t>(numbersOf(*index).at(0));
    if (index->extents.empty())
        return onnx.bind(node, sliced(onnx, node, onnx.tensor(node), *axis, place));
    return onnx.bind(
        node,
        sliced(onnx, node, onnx.tensor(node), *axis,
               {{"start", place}, {"stop", place == -1 ? Json() : Json(place + 1)}, {"step", nullptr}}));
}

bool slice(OnnxImport& onnx, const OnnxNode& node) {
    const bool hasInputs = onnx.opset() >= 10;
    const auto starts = hasInputs ? onnx.integers(node, "", 1) : std::optional(node.integers("starts"));
    const auto ends = hasInputs ? onnx.integers(node, "", 2) : std::optional(node.integers("ends"));
    const auto axes = onnx.integers(node, "axes", 3);
    const auto steps = onnx.integers(node, "", 4);
    if (!onnx.isTensor(node, 0) || !starts || !ends || !axes || !steps || starts->size() != ends->size() ||
        std::ranges::any_of(*steps, [](std::int64_t step) { return step <= 0; }))
        return false;
    Json tensor = onnx.tensor(node);
    for (std::size_t i = 0; i < starts->size(); ++i) {
        const auto axis = axisOf(onnx, node, i < axes->size() ? (*axes)[i] : static_cast<std::int64_t>(i));
        if (!axis)
            return false;
        constexpr std::int64_t far = 1LL << 31;
        const bool isOpen = (*ends)[i] >= far - 1;
        tensor = sliced(onnx, node, tensor, *axis,
                        {{"start", (*starts)[i]},
                         {"stop", isOpen ? Json() : Json((*ends)[i])},
                         {"step", i < steps->size() ? Json((*steps)[i]) : Json()}});
    }
    return onnx.bind(node, tensor);
}

bool split(OnnxImport& onnx, const OnnxNode& node) {
    const auto sizes = onnx.integers(node, "split", 1);
    const auto axis = axisOf(onnx, node, node.integer("axis", 0));
    if (!onnx.isTensor(node, 0) || !sizes || !axis || sizes->size() != node.outputs.size())
        return false;
    const Json tensor = onnx.tensor(node);
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < sizes->size(); ++i) {
        onnx.bind(node,
                  sliced(onnx, node, tensor, *axis,
                         {{"start", begin}, {"stop", begin + (*sizes)[i]}, {"step", nullptr}}),
                  i);
        begin += (*sizes)[i];
    }
    return true;
}

constexpr OnnxMakerRow movementRows[]{
    {"Concat", concatenate},  {"Flatten", flatten},
    {"Gather", gather},       {"Identity", same},
    {"Reshape", reshape},     {"Slice", slice},
    {"Split", split},         {"Squeeze", expandOrSqueeze},
    {"Transpose", transpose}, {"Unsqueeze", expandOrSqueeze},
};

} // namespace

std::span<const OnnxMakerRow> movementMakers() {
    return movementRows;
}

} // namespace core
