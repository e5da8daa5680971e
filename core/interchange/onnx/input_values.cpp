#include "core/interchange/onnx/input_values.h"

#include "core/interchange/archive/wire_writer.h"
#include "core/model/onnx/onnx_operator.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>

namespace core {

namespace {

/// Tensors whose values decide extents, and the node that asks.
std::map<std::string, const OnnxNode*> decidingTensors(const OnnxGraph& graph) {
    std::map<std::string, const OnnxNode*> deciding;
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
        const OnnxOperator* row = findOnnxOperator(*node);
        const OnnxNode* asks = nullptr;
        for (const std::string& output : node->outputs) {
            if (const auto found = deciding.find(output); found != deciding.end())
                asks = found->second;
        }
        const bool readsShape = node->operation == "Shape" || node->operation == "Size";
        for (std::size_t i = 0; i < node->inputs.size(); ++i) {
            const bool isSetting = row != nullptr && row->isSetting(i);
            if (node->hasInput(i) && (isSetting || (asks != nullptr && !readsShape)))
                deciding.emplace(node->inputs[i], isSetting ? &*node : asks);
        }
    }
    return deciding;
}

/// The first extent; nothing where the tensor has none.
std::optional<Dimension> firstExtent(const OnnxValue& value) {
    if (!value.shape || value.shape->rank() == 0)
        return std::nullopt;
    return (*value.shape)[0];
}

/// A TensorProto.
void writeTensor(WireWriter& writer, const OnnxTensor& tensor, std::string_view name) {
    for (const std::int64_t extent : tensor.extents)
        writer.signedNumber(1, extent);
    writer.number(2, static_cast<std::uint64_t>(tensor.type));
    writer.text(8, name);
    writer.text(9, tensor.data);
}

} // namespace

std::vector<OnnxFixedInput> inputsToFix(const OnnxModel& model) {
    const auto deciding = decidingTensors(model.graph);
    const auto inputs = model.graph.fedInputs();
    const auto batched = std::ranges::find_if(inputs, [&](const OnnxValue* value) {
        return !deciding.contains(value->name) && firstExtent(*value);
    });
    std::vector<OnnxFixedInput> fixed;
    for (const OnnxValue* value : inputs) {
        if (const auto found = deciding.find(value->name); found != deciding.end()) {
            const OnnxNode& node = *found->second;
            fixed.push_back({value->name, node.name.empty() ? node.operation : node.name, node.operation});
        } else if (value->shape && batched != inputs.end() && firstExtent(*value) != firstExtent(**batched)) {
            fixed.push_back({value->name, "", ""});
        }
    }
    return fixed;
}

std::string withInputValues(std::string_view bytes, const std::map<std::string, OnnxTensor>& values) {
    if (values.empty())
        return std::string(bytes);
    WireWriter model;
    model.append(bytes);
    model.message(7, [&](WireWriter& graph) {
        for (const auto& [name, tensor] : values)
            graph.message(5, [&](WireWriter& initializer) { writeTensor(initializer, tensor, name); });
    });
    return model.bytes();
}

Result<OnnxTensor> inputValue(const OnnxValue& input, std::string_view numbers) {
    const auto refuse = [&](std::string message) {
        return failure(makeError(Trouble::Input, "onnx/input-value", {"", input.name}, std::move(message),
                                 {"give numbers between commas, for example 1,-1,64"}));
    };
    std::vector<double> values;
    for (std::size_t begin = 0; begin <= numbers.size();) {
        const std::size_t end = std::min(numbers.find(',', begin), numbers.size());
        const std::string_view part = numbers.substr(begin, end - begin);
        double value = 0;
        const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (error != std::errc() || stop != part.data() + part.size())
            return refuse(fmt::format("\"{}\" is no number", part.substr(0, 40)));
        values.push_back(value);
        begin = end + 1;
    }
    std::vector<std::int64_t> extents{std::ssize(values)};
    if (input.shape) {
        const Dimension count = input.shape->elementCount();
        if (count && *count != std::ssize(values))
            return refuse(fmt::format("the input has {} elements, not {}", *count, values.size()));
        if (count) {
            extents.clear();
            for (const Dimension& extent : input.shape->dimensions)
                extents.push_back(extent.value_or(1));
        }
    }
    const OnnxType type = onnxElementBytes(input.type) == 0 ? OnnxType::Int64 : input.type;
    return tensorOfNumbers(type, std::move(extents), values);
}

} // namespace core
