#include "core/model/onnx/onnx_operator.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace core {

std::optional<std::vector<std::int64_t>> OnnxOperatorCall::integers(std::size_t position) const {
    if (!has(position) || values[position] == nullptr)
        return std::nullopt;
    return integersOf(*values[position]);
}

std::optional<std::vector<double>> OnnxOperatorCall::numbers(std::size_t position) const {
    if (!has(position) || values[position] == nullptr)
        return std::nullopt;
    return numbersOf(*values[position]);
}

std::optional<std::vector<std::int64_t>> OnnxOperatorCall::setting(std::string_view attribute,
                                                                   std::size_t position) const {
    return has(position) ? integers(position) : node.integers(attribute);
}

namespace {

using OperatorTable = std::map<std::string_view, const OnnxOperator*>;

const OperatorTable& operatorTable() {
    static const OperatorTable table = [] {
        OperatorTable all;
        const std::array families{elementwiseOnnxOperators(), reductionOnnxOperators(),
                                  productOnnxOperators(),     windowOnnxOperators(),
                                  normalOnnxOperators(),      movementOnnxOperators(),
                                  indexingOnnxOperators(),    imageOnnxOperators(),
                                  sequenceOnnxOperators(),    constantOnnxOperators()};
        for (const auto family : families) {
            for (const OnnxOperator& row : family)
                all.emplace(row.name, &row);
        }
        return all;
    }();
    return table;
}

} // namespace

const OnnxOperator* findOnnxOperator(const OnnxNode& node) {
    const bool isStandard =
        node.domain.empty() || node.domain == "ai.onnx" || node.domain == "ai.onnx.preview.training";
    const auto found = operatorTable().find(node.operation);
    return isStandard && found != operatorTable().end() ? found->second : nullptr;
}

std::vector<const OnnxOperator*> onnxOperators() {
    std::vector<const OnnxOperator*> all;
    for (const auto& [name, row] : operatorTable())
        all.push_back(row);
    return all;
}

RuleResult<OnnxFacts> onnxOutput(OnnxExtents extents, DataType type, std::int64_t flopsPerElement) {
    const Count flops = elementsOf(extents) * flopsPerElement;
    return OnnxFacts{{{std::move(extents), type}}, flops};
}

RuleResult<OnnxFacts> sameOnnxForm(const OnnxOperatorCall& call) {
    return onnxOutput(call.extents(), call.type(), 1);
}

Count elementsOf(const OnnxExtents& extents) {
    Count count = 1;
    for (const std::int64_t extent : extents)
        count *= Count(extent);
    return count;
}

RuleResult<std::size_t> onnxAxisOf(std::int64_t axis, std::int64_t rank) {
    if (axis < -rank || axis >= rank)
        return refuse(fmt::format("takes axis {} of a tensor of {} axes", axis, rank),
                      "name an axis of the tensor");
    return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

RuleResult<std::vector<std::size_t>> onnxAxesOf(const std::vector<std::int64_t>& axes, std::int64_t rank) {
    std::vector<std::size_t> result;
    for (const std::int64_t axis : axes) {
        const auto place = onnxAxisOf(axis, rank);
        if (!place)
            return tl::unexpected(place.error());
        result.push_back(*place);
    }
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

RuleResult<OnnxExtents> onnxBroadcast(const OnnxExtents& a, const OnnxExtents& b) {
    const OnnxExtents& longer = a.size() >= b.size() ? a : b;
    const OnnxExtents& shorter = a.size() >= b.size() ? b : a;
    OnnxExtents result = longer;
    for (std::size_t back = 1; back <= shorter.size(); ++back) {
        std::int64_t& extent = result[result.size() - back];
        const std::int64_t other = shorter[shorter.size() - back];
        if (extent != other && extent != 1 && other != 1)
            return refuse(fmt::format("has operands of {} and {} elements along one axis", extent, other),
                          "give them equal extents, or 1");
        extent = extent == 1 ? other : extent;
    }
    return result;
}

tl::unexpected<RuleError> refuseUnknownValue(const OnnxOperatorCall& call, std::string_view what) {
    return refuse(fmt::format("computes {} whose {} changes from run to run", call.node.operation, what),
                  "a program for the IPU has static extents: make it a constant, or give the model's input a "
                  "value when importing (import --value NAME=…)");
}

RuleResult<DataType> typeAttribute(const OnnxOperatorCall& call, std::string_view name, DataType byDefault) {
    if (call.node.attribute(name) == nullptr)
        return byDefault;
    const auto type =
        deviceType(static_cast<OnnxType>(std::clamp<std::int64_t>(call.node.integer(name, 1), 0, 255)));
    if (!type)
        return refuse("gives values that are no numbers", "give a number type", "attributes");
    return *type;
}

} // namespace core
