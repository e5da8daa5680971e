#pragma once

#include "core/model/shape.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Element types by their number in TensorProto.DataType.
enum class OnnxType : std::uint8_t {
    Undefined = 0,
    Float = 1,
    UInt8 = 2,
    Int8 = 3,
    UInt16 = 4,
    Int16 = 5,
    Int32 = 6,
    Int64 = 7,
    String = 8,
    Bool = 9,
    Float16 = 10,
    Double = 11,
    UInt32 = 12,
    UInt64 = 13,
    Complex64 = 14,
    Complex128 = 15,
    BFloat16 = 16,
};

/// "float", "int64", …; "type 77" for numbers of later editions.
[[nodiscard]] std::string toString(OnnxType type);
/// The type of a name that `toString` gives; Undefined for any other text.
[[nodiscard]] OnnxType onnxTypeFromName(std::string_view name);
/// The element type that values of an ONNX type have on the device: float64 becomes float32, int64 int32.
/// Nothing for texts, complex numbers and unknown types.
[[nodiscard]] std::optional<DataType> deviceType(OnnxType type);
[[nodiscard]] bool isFloating(OnnxType type);
/// Bytes of one element; 0 for texts and unknown types.
[[nodiscard]] std::size_t onnxElementBytes(OnnxType type);

/// A dense tensor: little-endian elements, row-major.
struct OnnxTensor {
    std::string name;
    OnnxType type = OnnxType::Undefined;
    std::vector<std::int64_t> extents;
    std::string data;
    /// The elements are in another file (external data).
    bool isExternal = false;

    [[nodiscard]] std::int64_t elements() const;
    bool operator==(const OnnxTensor&) const = default;
};

/// The elements as numbers; every type but texts and complex numbers.
[[nodiscard]] std::vector<double> numbersOf(const OnnxTensor& tensor);
/// The elements as whole numbers, fractions cut off, what lies beyond ±9·10¹⁵ drawn to it.
[[nodiscard]] std::vector<std::int64_t> integersOf(const OnnxTensor& tensor);
/// A tensor of these numbers, converted to `type`; as many as `extents` say. float16 and bfloat16 have no
/// numbers of their own here: they become float.
[[nodiscard]] OnnxTensor tensorOfNumbers(OnnxType type, std::vector<std::int64_t> extents,
                                         const std::vector<double>& numbers);

struct OnnxGraph;

/// An attribute of a node. A whole number is readable as a number too, and so is a list of them.
struct OnnxAttribute {
    enum class Kind : std::uint8_t { None, Number, Integer, Text, Tensor, Graph, Numbers, Integers, Texts };
    Kind kind = Kind::None;
    double number = 0;
    std::int64_t integer = 0;
    std::string text;
    std::vector<double> numbers;
    std::vector<std::int64_t> integers;
    std::vector<std::string> texts;
    std::shared_ptr<const OnnxTensor> tensor;
    std::shared_ptr<const OnnxGraph> graph;
};

struct OnnxNode {
    std::string name;
    std::string operation;
    std::string domain;
    /// Names of tensors; "" where an optional one is left out.
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::map<std::string, OnnxAttribute, std::less<>> attributes;

    [[nodiscard]] const OnnxAttribute* attribute(std::string_view name) const;
    [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t byDefault) const;
    [[nodiscard]] double number(std::string_view name, double byDefault) const;
    [[nodiscard]] std::string text(std::string_view name, std::string_view byDefault) const;
    /// Empty where absent.
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const;
    [[nodiscard]] bool hasInput(std::size_t position) const {
        return position < inputs.size() && !inputs[position].empty();
    }
    [[nodiscard]] bool hasOutput(std::size_t position) const {
        return position < outputs.size() && !outputs[position].empty();
    }
};

/// A graph's input or output. Symbolic extents are unknown.
struct OnnxValue {
    std::string name;
    OnnxType type = OnnxType::Undefined;
    /// Nothing where even the rank is unknown.
    std::optional<Shape> shape;
};

struct OnnxGraph {
    std::string name;
    std::vector<OnnxNode> nodes;
    std::vector<OnnxTensor> initializers;
    std::vector<OnnxValue> inputs;
    std::vector<OnnxValue> outputs;

    [[nodiscard]] const OnnxTensor* initializer(std::string_view name) const;
    /// Inputs that no initializer gives: what a caller feeds.
    [[nodiscard]] std::vector<const OnnxValue*> fedInputs() const;
};

struct OnnxModel {
    std::int64_t irVersion = 0;
    /// Version of the standard operator set; of other sets by domain.
    std::int64_t opset = 1;
    std::map<std::string, std::int64_t, std::less<>> otherOpsets;
    std::string producer;
    OnnxGraph graph;
};

} // namespace core
