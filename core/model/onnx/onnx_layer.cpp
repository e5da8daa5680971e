#include "core/model/onnx/onnx_layer.h"

#include "core/base/whole_number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace core {

namespace {

using Kind = OnnxAttribute::Kind;
using Operand = OnnxOperand::Kind;

/// What a configuration may hold; longer constants are weights.
constexpr std::int64_t mostElements = 1 << 20;
constexpr std::size_t mostOperands = 4096;

tl::unexpected<OnnxLayerError> wrong(std::string message, std::string attribute) {
    return tl::unexpected(OnnxLayerError{std::move(message), std::move(attribute)});
}

/// JSON has no words for what is not finite.
Json numberJson(double number, bool isWhole) {
    if (std::isnan(number))
        return "nan";
    if (std::isinf(number))
        return number > 0 ? "inf" : "-inf";
    return isWhole ? Json(static_cast<std::int64_t>(number)) : Json(number);
}

std::optional<double> numberFrom(const Json& json) {
    if (json.is_boolean())
        return json.get<bool>() ? 1 : 0;
    if (json.is_number())
        return json.get<double>();
    if (json == "nan")
        return std::numeric_limits<double>::quiet_NaN();
    if (json == "inf" || json == "-inf")
        return (json == "inf" ? 1 : -1) * std::numeric_limits<double>::infinity();
    return std::nullopt;
}

Json listJson(const std::vector<double>& numbers, bool isWhole) {
    Json list = Json::array();
    for (const double number : numbers)
        list.push_back(numberJson(number, isWhole));
    return list;
}

std::optional<std::vector<double>> listFrom(const Json& json) {
    if (!json.is_array() || json.size() > static_cast<std::size_t>(mostElements))
        return std::nullopt;
    std::vector<double> numbers;
    for (const Json& entry : json) {
        const auto number = numberFrom(entry);
        if (!number)
            return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

Json formJson(const OnnxTensor& tensor) {
    return {{"type", toString(tensor.type)}, {"shape", tensor.extents}};
}

Json constantJson(const OnnxTensor& tensor) {
    Json json = formJson(tensor);
    json["values"] = listJson(numbersOf(tensor), !isFloating(tensor.type));
    return json;
}

/// Type and extents of a constant or weight.
std::optional<OnnxTensor> formFrom(const Json& json) {
    OnnxTensor tensor;
    tensor.type =
        onnxTypeFromName(json.value("type", Json()).is_string() ? json["type"].get<std::string>() : "");
    const Json shape = json.value("shape", Json());
    if (!deviceType(tensor.type) || !shape.is_array())
        return std::nullopt;
    constexpr std::int64_t most = std::int64_t{1} << 40;
    std::int64_t count = 1;
    for (const Json& entry : shape) {
        const auto extent = wholeNumber(entry);
        if (!extent || *extent < 0 || (*extent > 0 && count > most / *extent))
            return std::nullopt;
        count *= *extent;
        tensor.extents.push_back(*extent);
    }
    return tensor;
}

std::optional<OnnxTensor> constantFrom(const Json& json) {
    if (!json.is_object() || !json.contains("values"))
        return std::nullopt;
    const auto form = formFrom(json);
    const auto values = listFrom(json["values"]);
    if (!form || !values || form->elements() != static_cast<std::int64_t>(values->size()))
        return std::nullopt;
    return tensorOfNumbers(form->type, form->extents, *values);
}

Json attributeJson(const OnnxAttribute& attribute) {
    switch (attribute.kind) {
    case Kind::Number:
        return numberJson(attribute.number, false);
    case Kind::Integer:
        return attribute.integer;
    case Kind::Text:
        return attribute.text;
    case Kind::Tensor:
        return attribute.tensor ? constantJson(*attribute.tensor) : Json();
    case Kind::Numbers:
        return listJson(attribute.numbers, false);
    case Kind::Integers:
        return attribute.integers;
    case Kind::Texts:
        return attribute.texts;
    default:
        return nullptr;
    }
}

bool isWholeList(const Json& list) {
    return std::ranges::all_of(list, [](const Json& entry) { return entry.is_number_integer(); });
}

std::optional<OnnxAttribute> attributeFrom(const Json& json) {
    OnnxAttribute attribute;
    if (json.is_number_integer() || json.is_boolean()) {
        attribute.kind = Kind::Integer;
        attribute.integer = json.is_boolean() ? (json.get<bool>() ? 1 : 0) : json.get<std::int64_t>();
        attribute.number = static_cast<double>(attribute.integer);
    } else if (json.is_number()) {
        attribute.kind = Kind::Number;
        attribute.number = json.get<double>();
    } else if (json.is_string()) {
        attribute.kind = Kind::Text;
        attribute.text = json.get<std::string>();
        if (const auto number = numberFrom(json)) {
            attribute.kind = Kind::Number;
            attribute.number = *number;
        }
    } else if (json.is_object()) {
        auto tensor = constantFrom(json);
        if (!tensor)
            return std::nullopt;
        attribute.kind = Kind::Tensor;
        attribute.tensor = std::make_shared<const OnnxTensor>(std::move(*tensor));
    } else if (json.is_array() && !json.empty() && json.front().is_string() && !listFrom(json)) {
        attribute.kind = Kind::Texts;
        for (const Json& entry : json)
            attribute.texts.push_back(entry.is_string() ? entry.get<std::string>() : "");
    } else if (json.is_array()) {
        auto numbers = listFrom(json);
        if (!numbers)
            return std::nullopt;
        attribute.kind = isWholeList(json) ? Kind::Integers : Kind::Numbers;
        for (const Json& entry : json)
            if (attribute.kind == Kind::Integers)
                attribute.integers.push_back(entry.get<std::int64_t>());
        attribute.numbers = std::move(*numbers);
    } else {
        return std::nullopt;
    }
    return attribute;
}

Json operandJson(const OnnxOperand& operand) {
    switch (operand.kind) {
    case Operand::Absent:
        return nullptr;
    case Operand::Tensor:
        return operand.position;
    case Operand::Weight: {
        Json json{{"weight", operand.value.name}};
        json.update(formJson(operand.value));
        json["trained"] = operand.isTrained;
        return json;
    }
    case Operand::Constant:
        break;
    }
    Json json = constantJson(operand.value);
    if (!operand.perSample.empty())
        json["per_sample"] = listJson(operand.perSample, false);
    return json;
}

std::optional<OnnxOperand> operandFrom(const Json& json) {
    OnnxOperand operand;
    if (json.is_null())
        return operand;
    if (const auto position = wholeNumber(json)) {
        operand.kind = Operand::Tensor;
        operand.position = static_cast<std::size_t>(*position);
        return *position < 0 ? std::nullopt : std::optional(operand);
    }
    if (!json.is_object())
        return std::nullopt;
    if (json.contains("weight")) {
        auto form = formFrom(json);
        if (!form || !json["weight"].is_string() || json["weight"].get<std::string>().empty())
            return std::nullopt;
        operand.kind = Operand::Weight;
        operand.value = std::move(*form);
        operand.value.name = json["weight"].get<std::string>();
        operand.isTrained = json.value("trained", Json(true)) == true;
        return operand;
    }
    auto constant = constantFrom(json);
    if (!constant)
        return std::nullopt;
    operand.kind = Operand::Constant;
    operand.value = std::move(*constant);
    if (json.contains("per_sample")) {
        auto perSample = listFrom(json["per_sample"]);
        if (!perSample || static_cast<std::int64_t>(perSample->size()) != operand.value.elements())
            return std::nullopt;
        operand.perSample = std::move(*perSample);
    }
    return operand;
}

std::string textIn(const Json& config, const char* key) {
    const auto found = config.find(key);
    return found != config.end() && found->is_string() ? found->get<std::string>() : std::string();
}

tl::expected<void, OnnxLayerError> readOperands(const Json& config, OnnxLayer& layer) {
    const Json operands = config.value("operands", Json::array({0}));
    if (!operands.is_array() || operands.size() > mostOperands)
        return wrong("its operands are no list", "operands");
    for (const Json& entry : operands) {
        auto operand = operandFrom(entry);
        if (!operand)
            return wrong(fmt::format("its operand {} is no input, constant or weight", layer.operands.size()),
                         "operands");
        // Names only tell what is there.
        layer.node.inputs.push_back(
            operand->kind == Operand::Absent ? "" : fmt::format("input {}", layer.operands.size()));
        layer.operands.push_back(std::move(*operand));
    }
    return {};
}

tl::expected<void, OnnxLayerError> readOutputs(const Json& config, OnnxLayer& layer) {
    const Json outputs = config.value("outputs", Json::array({0}));
    if (!outputs.is_array() || outputs.empty() || outputs.size() > mostOperands)
        return wrong("its outputs are no list of positions", "outputs");
    for (const Json& entry : outputs) {
        const auto position = wholeNumber(entry);
        const bool rises = layer.outputs.empty() ||
                           (position && *position > static_cast<std::int64_t>(layer.outputs.back()));
        if (!position || *position < 0 || *position >= static_cast<std::int64_t>(mostOperands) || !rises)
            return wrong("its outputs are no rising list of positions", "outputs");
        layer.outputs.push_back(static_cast<std::size_t>(*position));
    }
    layer.node.outputs.resize(layer.outputs.back() + 1);
    for (const std::size_t position : layer.outputs)
        layer.node.outputs[position] = fmt::format("output {}", position);
    return {};
}

} // namespace

tl::expected<OnnxLayer, OnnxLayerError> readOnnxLayer(const Json& config) {
    OnnxLayer layer;
    layer.node.operation = textIn(config, "op_type");
    layer.node.domain = textIn(config, "domain");
    layer.opset = wholeNumber(config.value("opset", Json(1))).value_or(1);
    const Json attributes = config.value("attributes", Json::object());
    if (!attributes.is_null() && !attributes.is_object())
        return wrong("its attributes are no object", "attributes");
    for (const auto& [name, value] : attributes.items()) {
        auto attribute = attributeFrom(value);
        if (!attribute)
            return wrong(fmt::format("its attribute \"{}\" is no number, text, list or constant", name),
                         "attributes");
        layer.node.attributes.emplace(name, std::move(*attribute));
    }
    if (auto read = readOperands(config, layer); !read)
        return tl::unexpected(std::move(read.error()));
    if (auto read = readOutputs(config, layer); !read)
        return tl::unexpected(std::move(read.error()));
    return layer;
}

Json onnxLayerConfig(const OnnxLayer& layer) {
    Json attributes = Json::object();
    for (const auto& [name, value] : layer.node.attributes) {
        if (Json json = attributeJson(value); !json.is_null())
            attributes[name] = std::move(json);
    }
    Json operands = Json::array();
    for (const OnnxOperand& operand : layer.operands)
        operands.push_back(operandJson(operand));
    return {
        {"op_type", layer.node.operation},     {"domain", layer.node.domain},     {"opset", layer.opset},
        {"attributes", std::move(attributes)}, {"operands", std::move(operands)}, {"outputs", layer.outputs}};
}

} // namespace core
