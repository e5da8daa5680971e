#pragma once

#include "core/base/json.h"
#include "core/base/whole_number.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// What an attribute holds, and so which editor shows it and how it is checked.
enum class AttributeKind : std::uint8_t {
    Integer,
    Number,
    Boolean,
    Text,
    Choice,       ///< one of `choices`
    IntegerTuple, ///< `rank` whole numbers; a single one stands for all
    Padding,      ///< per field axis one amount or [before, after]; a single one stands for all
    Axes,         ///< an axis or a list of axes, negative from the end
    Activation,
    Initializer,
    Regularizer,
    Constraint,
    Shape, ///< a list of extents, null where free
    DataType,
    Layer,  ///< a wrapped layer as {"class_name", "config"}
    Layers, ///< a list of wrapped layers
    Any,    ///< any JSON value
};

/// The largest extent of one axis that is accepted; also TensorFlow's limit for the sizes layers take.
inline constexpr std::int64_t largestExtent = 2147483647;

/// One attribute of a layer: Keras' own name, default and limits.
struct AttributeDefinition {
    std::string name;
    AttributeKind kind = AttributeKind::Any;
    std::string documentation;
    /// What holds where the file says nothing; of a required attribute, what a new layer starts with.
    Json defaultValue;
    bool isRequired = false;
    /// null is a value of its own (otherwise it stands for the default).
    bool isNullable = false;
    /// Inclusive bounds of each number.
    double low = -1e308;
    double high = 1e308;
    /// The lower bound itself is refused.
    bool excludesLow = false;
    std::size_t rank = 0;
    std::vector<std::string> choices;
    /// Names of other Keras editions, read in its place.
    std::vector<std::string> aliases;

    /// Where the file gives this key, another edition of Keras wrote it, whose default is `editionDefault`.
    std::string editionMarker;
    Json editionDefault;

    AttributeDefinition& required(Json start);
    AttributeDefinition& defaults(Json value);
    /// The default is null, and null means something.
    AttributeDefinition& nullable();
    AttributeDefinition& between(double lowest, double highest);
    AttributeDefinition& above(double bound);
    AttributeDefinition& alias(std::string other);
    AttributeDefinition& defaultsBeside(std::string marker, Json value);
};

/// Makers of definitions; the tables of layers read as lists of them. Integers and tuples start out with the
/// bounds 1 … largestExtent, booleans with the default false, the Keras objects with null.
namespace attribute {

[[nodiscard]] AttributeDefinition integer(std::string name, std::string documentation);
[[nodiscard]] AttributeDefinition number(std::string name, std::string documentation);
[[nodiscard]] AttributeDefinition boolean(std::string name, bool byDefault, std::string documentation);
[[nodiscard]] AttributeDefinition text(std::string name, std::string documentation);
[[nodiscard]] AttributeDefinition choice(std::string name, std::vector<std::string> choices,
                                         std::string documentation);
[[nodiscard]] AttributeDefinition tuple(std::string name, std::size_t rank, std::string documentation);
[[nodiscard]] AttributeDefinition padding(std::string name, std::size_t rank, std::string documentation);
[[nodiscard]] AttributeDefinition axes(std::string name, Json byDefault, std::string documentation);
[[nodiscard]] AttributeDefinition activation(std::string name, Json byDefault, std::string documentation);
[[nodiscard]] AttributeDefinition initializer(std::string name, Json byDefault, std::string documentation);
[[nodiscard]] AttributeDefinition regularizer(std::string name, std::string documentation);
[[nodiscard]] AttributeDefinition constraint(std::string name, std::string documentation);
[[nodiscard]] AttributeDefinition json(std::string name, Json byDefault, std::string documentation);
[[nodiscard]] AttributeDefinition any(AttributeKind kind, std::string name, std::string documentation);

} // namespace attribute

/// What is wrong with a value of an attribute, for people; nothing when it is right. Never throws, whatever
/// the value holds.
[[nodiscard]] std::optional<std::string> objectionTo(const Json& value, const AttributeDefinition& attribute);

/// The class of a regularizer whose penalty no run computes; empty: every run does, or there is none.
[[nodiscard]] std::string uncomputedRegularizer(const Json& value);

/// What the attribute accepts, for hints: "a whole number from 1 to 2147483647", "\"valid\" or \"same\"".
[[nodiscard]] std::string acceptedValues(const AttributeDefinition& attribute);

} // namespace core
