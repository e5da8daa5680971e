#include "core/model/onnx/onnx_model.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace core {

namespace {

template <class T>
void append(const std::string& data, std::vector<double>& numbers) {
    for (std::size_t at = 0; at + sizeof(T) <= data.size(); at += sizeof(T)) {
        T value;
        std::memcpy(&value, data.data() + at, sizeof(T));
        numbers.push_back(static_cast<double>(value));
    }
}

double halfToDouble(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 0x1f;
    const int fraction = bits & 0x3ff;
    const double sign = (bits & 0x8000) != 0 ? -1 : 1;
    if (exponent == 0)
        return sign * std::ldexp(fraction, -24);
    if (exponent == 31)
        return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
    return sign * std::ldexp(1024 + fraction, exponent - 25);
}

template <class Convert>
void appendBits(const std::string& data, std::vector<double>& numbers, Convert convert) {
    for (std::size_t at = 0; at + 2 <= data.size(); at += 2) {
        std::uint16_t bits = 0;
        std::memcpy(&bits, data.data() + at, 2);
        numbers.push_back(convert(bits));
    }
}

} // namespace

namespace {

constexpr std::array typeNames{"undefined", "float",  "uint8",     "int8",       "uint16",  "int16",
                               "int32",     "int64",  "string",    "bool",       "float16", "double",
                               "uint32",    "uint64", "complex64", "complex128", "bfloat16"};

} // namespace

std::string toString(OnnxType type) {
    const auto index = static_cast<std::size_t>(type);
    return index < typeNames.size() ? typeNames[index] : fmt::format("type {}", index);
}

OnnxType onnxTypeFromName(std::string_view name) {
    const auto found = std::ranges::find(typeNames, name);
    return found == typeNames.end() ? OnnxType::Undefined : static_cast<OnnxType>(found - typeNames.begin());
}

std::optional<DataType> deviceType(OnnxType type) {
    switch (type) {
    case OnnxType::Float:
    case OnnxType::Double:
    case OnnxType::BFloat16:
        return DataType::Float32;
    case OnnxType::Float16:
        return DataType::Float16;
    case OnnxType::UInt8:
        return DataType::UInt8;
    case OnnxType::Int8:
        return DataType::Int8;
    case OnnxType::UInt16:
        return DataType::UInt16;
    case OnnxType::Int16:
        return DataType::Int16;
    case OnnxType::Int32:
    case OnnxType::Int64:
        return DataType::Int32;
    case OnnxType::UInt32:
    case OnnxType::UInt64:
        return DataType::UInt32;
    case OnnxType::Bool:
        return DataType::Bool;
    default:
        return std::nullopt;
    }
}

bool isFloating(OnnxType type) {
    return type == OnnxType::Float || type == OnnxType::Double || type == OnnxType::Float16 ||
           type == OnnxType::BFloat16;
}

std::size_t onnxElementBytes(OnnxType type) {
    constexpr std::array<std::size_t, 17> bytes{0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8, 8, 16, 2};
    const auto index = static_cast<std::size_t>(type);
    return index < bytes.size() ? bytes[index] : 0;
}

std::int64_t OnnxTensor::elements() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : extents)
        count *= extent;
    return count;
}

std::vector<double> numbersOf(const OnnxTensor& tensor) {
    std::vector<double> numbers;
    numbers.reserve(static_cast<std::size_t>(std::max<std::int64_t>(tensor.elements(), 0)));
    switch (tensor.type) {
    case OnnxType::Float:
        append<float>(tensor.data, numbers);
        break;
    case OnnxType::Double:
        append<double>(tensor.data, numbers);
        break;
    case OnnxType::UInt8:
    case OnnxType::Bool:
        append<std::uint8_t>(tensor.data, numbers);
        break;
    case OnnxType::Int8:
        append<std::int8_t>(tensor.data, numbers);
        break;
    case OnnxType::UInt16:
        append<std::uint16_t>(tensor.data, numbers);
        break;
    case OnnxType::Int16:
        append<std::int16_t>(tensor.data, numbers);
        break;
    case OnnxType::Int32:
        append<std::int32_t>(tensor.data, numbers);
        break;
    case OnnxType::Int64:
        append<std::int64_t>(tensor.data, numbers);
        break;
    case OnnxType::UInt32:
        append<std::uint32_t>(tensor.data, numbers);
        break;
    case OnnxType::UInt64:
        append<std::uint64_t>(tensor.data, numbers);
        break;
    case OnnxType::Float16:
        appendBits(tensor.data, numbers, halfToDouble);
        break;
    case OnnxType::BFloat16:
        appendBits(tensor.data, numbers, [](std::uint16_t bits) {
            return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
        });
        break;
    default:
        break;
    }
    return numbers;
}

std::vector<std::int64_t> integersOf(const OnnxTensor& tensor) {
    constexpr double most = 9e15;
    std::vector<std::int64_t> list;
    for (const double number : numbersOf(tensor))
        list.push_back(std::isnan(number) ? 0 : static_cast<std::int64_t>(std::clamp(number, -most, most)));
    return list;
}

OnnxTensor tensorOfNumbers(OnnxType type, std::vector<std::int64_t> extents,
                           const std::vector<double>& numbers) {
    if (type == OnnxType::Float16 || type == OnnxType::BFloat16)
        type = OnnxType::Float;
    OnnxTensor tensor{"", type, std::move(extents), {}, false};
    for (const double number : numbers) {
        const std::size_t bytes = onnxElementBytes(type);
        std::uint64_t bits = 0;
        if (type == OnnxType::Float)
            bits = std::bit_cast<std::uint32_t>(static_cast<float>(number));
        else if (type == OnnxType::Double)
            bits = std::bit_cast<std::uint64_t>(number);
        else if (type == OnnxType::Bool)
            bits = number != 0 ? 1 : 0;
        else if (!std::isnan(number))
            bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(std::clamp(number, -9.2e18, 9.2e18)));
        tensor.data.append(reinterpret_cast<const char*>(&bits), bytes);
    }
    return tensor;
}

const OnnxAttribute* OnnxNode::attribute(std::string_view wanted) const {
    const auto found = attributes.find(wanted);
    return found == attributes.end() ? nullptr : &found->second;
}

std::int64_t OnnxNode::integer(std::string_view wanted, std::int64_t byDefault) const {
    const OnnxAttribute* found = attribute(wanted);
    return found != nullptr && found->kind == OnnxAttribute::Kind::Integer ? found->integer : byDefault;
}

double OnnxNode::number(std::string_view wanted, double byDefault) const {
    const OnnxAttribute* found = attribute(wanted);
    if (found != nullptr && found->kind == OnnxAttribute::Kind::Integer)
        return static_cast<double>(found->integer);
    return found != nullptr && found->kind == OnnxAttribute::Kind::Number ? found->number : byDefault;
}

std::string OnnxNode::text(std::string_view wanted, std::string_view byDefault) const {
    const OnnxAttribute* found = attribute(wanted);
    return found != nullptr && found->kind == OnnxAttribute::Kind::Text ? found->text
                                                                        : std::string(byDefault);
}

std::vector<std::int64_t> OnnxNode::integers(std::string_view wanted) const {
    const OnnxAttribute* found = attribute(wanted);
    return found == nullptr ? std::vector<std::int64_t>{} : found->integers;
}

const OnnxTensor* OnnxGraph::initializer(std::string_view wanted) const {
    const auto found = std::find_if(initializers.begin(), initializers.end(),
                                    [&](const OnnxTensor& tensor) { return tensor.name == wanted; });
    return found == initializers.end() ? nullptr : &*found;
}

std::vector<const OnnxValue*> OnnxGraph::fedInputs() const {
    std::vector<const OnnxValue*> fed;
    for (const OnnxValue& value : inputs) {
        if (initializer(value.name) == nullptr)
            fed.push_back(&value);
    }
    return fed;
}

} // namespace core
