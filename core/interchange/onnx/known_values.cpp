#include "core/interchange/onnx/known_values.h"

#include "core/interchange/onnx/folding_rules.h"
#include "core/model/count.h"

#include <algorithm>

namespace core {

namespace {

constexpr int deepestChain = 512;

KnownValue knownTensor(const OnnxTensor& tensor) {
    KnownValue value{tensor.extents, tensor.type, {}};
    for (const double number : numbersOf(tensor))
        value.elements.push_back({number, 0});
    return value;
}

std::optional<KnownValue> ofConstant(const OnnxNode& node) {
    if (const auto* value = node.attribute("value"); value != nullptr && value->tensor) {
        if (value->tensor->elements() > longestKnownValue || value->tensor->isExternal)
            return std::nullopt;
        return knownTensor(*value->tensor);
    }
    if (const auto* value = node.attribute("value_int"))
        return KnownValue{{}, OnnxType::Int64, {{static_cast<double>(value->integer), 0}}};
    if (const auto* value = node.attribute("value_float"))
        return KnownValue{{}, OnnxType::Float, {{value->number, 0}}};
    KnownValue list;
    if (const auto* value = node.attribute("value_ints")) {
        for (const std::int64_t number : value->integers)
            list.elements.push_back({static_cast<double>(number), 0});
    } else if (const auto* numbers = node.attribute("value_floats")) {
        list.type = OnnxType::Float;
        for (const double number : numbers->numbers)
            list.elements.push_back({number, 0});
    } else {
        return std::nullopt;
    }
    list.extents = {std::ssize(list.elements)};
    return list;
}

} // namespace

bool KnownValue::dependsOnBatch() const {
    return !std::ranges::all_of(elements, &BatchNumber::isConstant);
}

std::vector<double> KnownValue::numbers() const {
    std::vector<double> list;
    for (const BatchNumber& element : elements)
        list.push_back(element.value);
    return list;
}

std::vector<double> KnownValue::perSample() const {
    std::vector<double> list;
    for (const BatchNumber& element : elements)
        list.push_back(element.perSample);
    return list;
}

KnownValues::KnownValues(const OnnxGraph& graph, bool hasOpenBatch,
                         std::function<std::optional<Shape>(const std::string&)> shapeOf)
    : m_hasOpenBatch(hasOpenBatch)
    , m_shapeOf(std::move(shapeOf)) {
    for (const OnnxNode& node : graph.nodes) {
        for (const std::string& output : node.outputs)
            m_writers.emplace(output, &node);
    }
    for (const OnnxTensor& tensor : graph.initializers) {
        if (tensor.elements() > longestKnownValue || tensor.isExternal)
            continue;
        m_values[tensor.name] = knownTensor(tensor);
        if (isFloating(tensor.type) && tensor.elements() > 1)
            m_isTrained.insert(tensor.name);
    }
}

const KnownValue* KnownValues::find(const std::string& name) {
    return find(name, 0);
}

const KnownValue* KnownValues::find(const std::string& name, int depth) {
    if (const auto found = m_values.find(name); found != m_values.end())
        return &found->second;
    const auto writer = m_writers.find(name);
    if (depth > deepestChain || writer == m_writers.end() || m_unknown.contains(name))
        return nullptr;
    const KnownValue* value = evaluate(*writer->second, name, depth);
    if (value == nullptr)
        m_unknown.insert(name);
    return value;
}

const KnownValue* KnownValues::evaluate(const OnnxNode& node, const std::string& name, int depth) {
    std::optional<KnownValue> answer;
    bool isTrained = false;
    if (!node.domain.empty() || node.outputs.size() != 1)
        return nullptr;
    if (node.operation == "Constant") {
        answer = ofConstant(node);
    } else if (node.operation == "Shape" || node.operation == "Size") {
        answer = ofShape(node);
    } else if (const FoldingRule rule = findFoldingRule(node.operation); rule && !node.inputs.empty()) {
        std::vector<const KnownValue*> inputs;
        for (const std::string& input : node.inputs) {
            const KnownValue* value = input.empty() ? nullptr : find(input, depth + 1);
            if (value == nullptr)
                return nullptr;
            inputs.push_back(value);
            isTrained = isTrained || m_isTrained.contains(input);
        }
        answer = rule(node, inputs);
    }
    if (!answer)
        return nullptr;
    Count count = 1;
    for (const std::int64_t extent : answer->extents)
        count *= Count(extent);
    if (count != Count(std::ssize(answer->elements)))
        return nullptr;
    if (isTrained)
        m_isTrained.insert(name);
    return &(m_values[name] = std::move(*answer));
}

BatchNumber KnownValues::extentNumber(std::int64_t extent) const {
    if (m_hasOpenBatch && extent > 0 && extent % openBatchPrime == 0)
        return {0, static_cast<double>(extent) / static_cast<double>(openBatch)};
    return {static_cast<double>(extent), 0};
}

std::optional<KnownValue> KnownValues::ofShape(const OnnxNode& node) const {
    if (node.inputs.empty())
        return std::nullopt;
    auto shape = m_shapeOf(node.inputs[0]);
    if (const auto constant = m_values.find(node.inputs[0]); constant != m_values.end()) {
        shape = Shape();
        for (const std::int64_t extent : constant->second.extents)
            shape->dimensions.emplace_back(extent);
    }
    if (!shape)
        return std::nullopt;
    if (node.operation == "Size") {
        const Dimension count = elements(*shape).known();
        return count ? std::optional(KnownValue{{}, OnnxType::Int64, {extentNumber(*count)}}) : std::nullopt;
    }
    const auto rank = static_cast<std::int64_t>(shape->rank());
    const auto place = [&](std::int64_t value) {
        return std::clamp<std::int64_t>(value < 0 ? value + rank : value, 0, rank);
    };
    const std::int64_t start = place(node.integer("start", 0));
    const std::int64_t end = std::max(start, place(node.integer("end", rank)));
    KnownValue value{{end - start}, OnnxType::Int64, {}};
    for (std::int64_t i = start; i < end; ++i) {
        const Dimension extent = (*shape)[static_cast<std::size_t>(i)];
        if (!extent)
            return std::nullopt;
        value.elements.push_back(extentNumber(*extent));
    }
    return value;
}

bool KnownValues::isZero(const std::string& name) {
    return isZero(name, 0);
}

bool KnownValues::isZero(const std::string& name, int depth) {
    if (const KnownValue* value = find(name))
        return std::ranges::all_of(value->elements, [](const BatchNumber& n) { return n == BatchNumber{}; });
    const auto writer = m_writers.find(name);
    if (writer == m_writers.end() || depth > deepestChain)
        return false;
    const OnnxNode& node = *writer->second;
    if (node.operation == "ConstantOfShape") {
        const OnnxAttribute* value = node.attribute("value");
        if (value == nullptr || !value->tensor)
            return true;
        const std::vector<double> numbers = numbersOf(*value->tensor);
        return numbers.empty() || numbers.front() == 0;
    }
    if (node.operation == "Concat")
        return std::ranges::all_of(node.inputs,
                                   [&](const std::string& input) { return isZero(input, depth + 1); });
    static const std::set<std::string, std::less<>> movements{
        "Expand", "Tile", "Slice", "Reshape", "Transpose", "Unsqueeze", "Squeeze", "Cast", "Identity"};
    return movements.contains(node.operation) && !node.inputs.empty() && isZero(node.inputs[0], depth + 1);
}

} // namespace core
