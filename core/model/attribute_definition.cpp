#include "core/model/attribute_definition.h"

#include "core/model/initializer_catalogue.h"
#include "core/text/text_case.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

AttributeDefinition& AttributeDefinition::required(Json start) {
    isRequired = true;
    defaultValue = std::move(start);
    return *this;
}
AttributeDefinition& AttributeDefinition::defaults(Json value) {
    defaultValue = std::move(value);
    isNullable = isNullable || defaultValue.is_null();
    return *this;
}
AttributeDefinition& AttributeDefinition::nullable() {
    return defaults(nullptr);
}
AttributeDefinition& AttributeDefinition::between(double lowest, double highest) {
    low = lowest;
    high = highest;
    return *this;
}
AttributeDefinition& AttributeDefinition::above(double bound) {
    low = bound;
    excludesLow = true;
    return *this;
}
AttributeDefinition& AttributeDefinition::alias(std::string other) {
    aliases.push_back(std::move(other));
    return *this;
}

AttributeDefinition& AttributeDefinition::defaultsBeside(std::string marker, Json value) {
    editionMarker = std::move(marker);
    editionDefault = std::move(value);
    return *this;
}

namespace attribute {

AttributeDefinition any(AttributeKind kind, std::string name, std::string documentation) {
    AttributeDefinition definition;
    definition.name = std::move(name);
    definition.kind = kind;
    definition.documentation = std::move(documentation);
    return definition;
}

AttributeDefinition integer(std::string name, std::string documentation) {
    return any(AttributeKind::Integer, std::move(name), std::move(documentation)).between(1, largestExtent);
}
AttributeDefinition number(std::string name, std::string documentation) {
    return any(AttributeKind::Number, std::move(name), std::move(documentation));
}
AttributeDefinition boolean(std::string name, bool byDefault, std::string documentation) {
    return any(AttributeKind::Boolean, std::move(name), std::move(documentation)).defaults(byDefault);
}
AttributeDefinition text(std::string name, std::string documentation) {
    return any(AttributeKind::Text, std::move(name), std::move(documentation));
}
AttributeDefinition choice(std::string name, std::vector<std::string> choices, std::string documentation) {
    AttributeDefinition definition =
        any(AttributeKind::Choice, std::move(name), std::move(documentation)).defaults(choices.front());
    definition.choices = std::move(choices);
    return definition;
}
AttributeDefinition tuple(std::string name, std::size_t rank, std::string documentation) {
    AttributeDefinition definition =
        any(AttributeKind::IntegerTuple, std::move(name), std::move(documentation)).between(1, largestExtent);
    definition.rank = rank;
    return definition;
}
AttributeDefinition padding(std::string name, std::size_t rank, std::string documentation) {
    AttributeDefinition definition =
        any(AttributeKind::Padding, std::move(name), std::move(documentation)).between(0, largestExtent);
    definition.rank = rank;
    return definition;
}
AttributeDefinition axes(std::string name, Json byDefault, std::string documentation) {
    return any(AttributeKind::Axes, std::move(name), std::move(documentation))
        .between(-32, 31)
        .defaults(std::move(byDefault));
}
AttributeDefinition activation(std::string name, Json byDefault, std::string documentation) {
    AttributeDefinition definition =
        any(AttributeKind::Activation, std::move(name), std::move(documentation));
    definition.isNullable = true;
    return definition.defaults(std::move(byDefault));
}
AttributeDefinition initializer(std::string name, Json byDefault, std::string documentation) {
    return any(AttributeKind::Initializer, std::move(name), std::move(documentation))
        .defaults(std::move(byDefault));
}
AttributeDefinition regularizer(std::string name, std::string documentation) {
    return any(AttributeKind::Regularizer, std::move(name), std::move(documentation)).nullable();
}
AttributeDefinition constraint(std::string name, std::string documentation) {
    return any(AttributeKind::Constraint, std::move(name), std::move(documentation)).nullable();
}
AttributeDefinition json(std::string name, Json byDefault, std::string documentation) {
    AttributeDefinition definition = any(AttributeKind::Any, std::move(name), std::move(documentation));
    definition.isNullable = true;
    return definition.defaults(std::move(byDefault));
}

} // namespace attribute

namespace {

std::string numberText(double value) {
    return value == std::floor(value) && std::abs(value) < 1e15
               ? fmt::format("{}", static_cast<std::int64_t>(value))
               : fmt::format("{}", value);
}

std::string boundsText(const AttributeDefinition& attribute) {
    if (attribute.low <= -1e300 && attribute.high >= 1e300)
        return "";
    if (attribute.high >= 1e300)
        return fmt::format(" {} {}", attribute.excludesLow ? "above" : "of at least",
                           numberText(attribute.low));
    if (attribute.excludesLow)
        return fmt::format(" above {} and up to {}", numberText(attribute.low), numberText(attribute.high));
    return fmt::format(" from {} to {}", numberText(attribute.low), numberText(attribute.high));
}

std::string shortText(const Json& value) {
    constexpr std::size_t longest = 60;
    if (value.is_structured())
        return std::string(typeName(value));
    std::string text = toText(value, -1);
    return text.size() <= longest ? text : text.substr(0, longest) + "…";
}

bool isInBounds(double value, const AttributeDefinition& attribute) {
    const bool isHighEnough = attribute.excludesLow ? value > attribute.low : value >= attribute.low;
    return isHighEnough && value <= attribute.high;
}

using Objection = std::optional<std::string>;

Objection wrongType(const Json& value, const AttributeDefinition& attribute) {
    return fmt::format("\"{}\" must be {}, not {}", attribute.name, acceptedValues(attribute),
                       value.is_structured() || value.is_null() ? std::string(typeName(value))
                                                                : shortText(value));
}

Objection objectionToNumber(const Json& value, const AttributeDefinition& attribute) {
    if (!value.is_number())
        return wrongType(value, attribute);
    if (!isInBounds(value.get<double>(), attribute))
        return fmt::format("\"{}\" is {}; it must be {}", attribute.name, shortText(value),
                           acceptedValues(attribute));
    return std::nullopt;
}

Objection objectionToInteger(const Json& value, const AttributeDefinition& attribute) {
    if (!value.is_number() || (!wholeNumber(value) && std::abs(value.get<double>()) < 1e15))
        return wrongType(value, attribute);
    return objectionToNumber(value, attribute);
}

Objection objectionToTuple(const Json& value, const AttributeDefinition& attribute) {
    if (value.is_number())
        return objectionToInteger(value, attribute);
    const bool fits = value.is_array() && (value.size() == attribute.rank || value.size() == 1);
    if (!fits)
        return wrongType(value, attribute);
    for (const Json& entry : value) {
        if (const Objection objection = objectionToInteger(entry, attribute))
            return objection;
    }
    return std::nullopt;
}

Objection objectionToPadding(const Json& value, const AttributeDefinition& attribute) {
    if (value.is_number())
        return objectionToInteger(value, attribute);
    // One axis is written [before, after] or [[before, after]]; more axes one entry each.
    const bool fits =
        value.is_array() && (value.size() == attribute.rank || (attribute.rank == 1 && value.size() == 2));
    if (!fits)
        return wrongType(value, attribute);
    for (const Json& entry : value) {
        if (entry.is_array() && entry.size() != 2)
            return wrongType(value, attribute);
        for (const Json& amount : entry.is_array() ? entry : Json::array({entry})) {
            if (const Objection objection = objectionToInteger(amount, attribute))
                return objection;
        }
    }
    return std::nullopt;
}

Objection objectionToList(const Json& value, const AttributeDefinition& attribute, bool allowsNull) {
    constexpr std::size_t largestRank = 32;
    if (!value.is_array() || value.size() > largestRank)
        return wrongType(value, attribute);
    for (const Json& entry : value) {
        if (entry.is_null() && allowsNull)
            continue;
        if (const Objection objection = objectionToInteger(entry, attribute))
            return objection;
    }
    return std::nullopt;
}

Objection objectionToChoice(const Json& value, const AttributeDefinition& attribute) {
    if (!value.is_string())
        return wrongType(value, attribute);
    const std::string text = lowerCase(value.get<std::string>());
    if (std::ranges::any_of(attribute.choices,
                            [&](const std::string& one) { return lowerCase(one) == text; }))
        return std::nullopt;
    return fmt::format("\"{}\" cannot be {}; it must be {}", attribute.name, shortText(value),
                       acceptedValues(attribute));
}

bool isWrappedLayer(const Json& value) {
    return value.is_object() && value.contains("class_name") && value["class_name"].is_string() &&
           value.contains("config") && value["config"].is_structured();
}

Objection check(bool isRight, const Json& value, const AttributeDefinition& attribute) {
    return isRight ? std::nullopt : wrongType(value, attribute);
}

/// The keys that the regularizers of Keras have; those of a class of a program are its own.
std::vector<std::string_view> keysOfRegularizer(std::string className) {
    className = lowerCase(className.substr(className.rfind('>') + 1));
    std::erase(className, '_');
    if (className == "orthogonalregularizer")
        return {"factor", "mode"};
    if (className == "l1l2")
        return {"l1", "l2"};
    return className == "l1" || className == "l2" ? std::vector<std::string_view>{"l1", "l2", "l"}
                                                  : std::vector<std::string_view>();
}

/// A factor by a name that the regularizer does not have would leave it at Keras' own default.
Objection objectionToRegularizer(const Json& value, const AttributeDefinition& attribute) {
    if (!value.is_object())
        return check(value.is_string(), value, attribute);
    const auto name = value.find("class_name");
    const auto config = value.find("config");
    if (name == value.end() || !name->is_string() || config == value.end() || !config->is_object())
        return std::nullopt;
    const std::vector<std::string_view> keys = keysOfRegularizer(name->get<std::string>());
    if (keys.empty())
        return std::nullopt;
    for (const auto& [key, entry] : config->items()) {
        if (std::ranges::find(keys, key) == keys.end())
            return fmt::format("\"{}\": {} has no \"{}\", it takes \"{}\"", attribute.name,
                               name->get_ref<const std::string&>(), key, fmt::join(keys, "\", \""));
        if (key != "mode" && !entry.is_number() && !entry.is_null())
            return fmt::format("\"{}\": \"{}\" must be a number, not {}", attribute.name, key,
                               shortText(entry));
    }
    return std::nullopt;
}

/// An argument by a name that the initializer does not have would leave it at Keras' own default.
Objection objectionToInitializer(const Json& value, const AttributeDefinition& attribute) {
    if (auto objection = check(value.is_string() || value.is_object(), value, attribute))
        return objection;
    const auto config = initializerObjection(value);
    return config ? Objection(fmt::format("\"{}\": {}", attribute.name, *config)) : std::nullopt;
}

} // namespace

std::optional<std::string> objectionTo(const Json& value, const AttributeDefinition& attribute) {
    if (value.is_null())
        return attribute.isRequired && !attribute.isNullable
                   ? std::optional(
                         fmt::format("\"{}\" must be {}", attribute.name, acceptedValues(attribute)))
                   : std::nullopt;
    switch (attribute.kind) {
    case AttributeKind::Integer:
        return objectionToInteger(value, attribute);
    case AttributeKind::Number:
        return objectionToNumber(value, attribute);
    case AttributeKind::Boolean:
        return check(value.is_boolean() || value == 0 || value == 1, value, attribute);
    case AttributeKind::Text:
        return check(value.is_string(), value, attribute);
    case AttributeKind::Choice:
        return objectionToChoice(value, attribute);
    case AttributeKind::IntegerTuple:
        return objectionToTuple(value, attribute);
    case AttributeKind::Padding:
        return objectionToPadding(value, attribute);
    case AttributeKind::Axes:
        return value.is_array() ? objectionToList(value, attribute, false)
                                : objectionToInteger(value, attribute);
    case AttributeKind::Shape:
        return objectionToList(value, attribute, true);
    case AttributeKind::Initializer:
        return objectionToInitializer(value, attribute);
    case AttributeKind::DataType:
    case AttributeKind::Constraint:
        return check(value.is_string() || value.is_object(), value, attribute);
    case AttributeKind::Regularizer:
        return objectionToRegularizer(value, attribute);
    case AttributeKind::Activation:
        return check(value.is_string() || value.is_structured(), value, attribute);
    case AttributeKind::Layer:
        return check(isWrappedLayer(value), value, attribute);
    case AttributeKind::Layers:
        return check(value.is_array() && std::all_of(value.begin(), value.end(), isWrappedLayer), value,
                     attribute);
    case AttributeKind::Any:
        return std::nullopt;
    }
    return std::nullopt;
}

std::string uncomputedRegularizer(const Json& value) {
    const Json name = value.is_object() ? value.value("class_name", Json()) : value;
    if (!name.is_string())
        return {};
    const std::vector<std::string_view> keys = keysOfRegularizer(name.get<std::string>());
    const bool isComputed = std::ranges::find(keys, "l1") != keys.end();
    return isComputed ? std::string() : name.get<std::string>();
}

std::string acceptedValues(const AttributeDefinition& attribute) {
    const std::string bounds = boundsText(attribute);
    switch (attribute.kind) {
    case AttributeKind::Integer:
        return "a whole number" + bounds;
    case AttributeKind::Number:
        return "a number" + bounds;
    case AttributeKind::Boolean:
        return "true or false";
    case AttributeKind::Text:
        return "text";
    case AttributeKind::Choice:
        return fmt::format("\"{}\"", fmt::join(attribute.choices, "\", \""));
    case AttributeKind::IntegerTuple:
        return fmt::format("a whole number or {} of them, each{}", attribute.rank, bounds);
    case AttributeKind::Padding:
        return fmt::format("a whole number or {} amounts or pairs [before, after], each{}", attribute.rank,
                           bounds);
    case AttributeKind::Axes:
        return "an axis or a list of axes, each" + bounds;
    case AttributeKind::Activation:
        return "the name of an activation";
    case AttributeKind::Initializer:
        return "the name of an initializer, or {\"class_name\", \"config\"}";
    case AttributeKind::Regularizer:
        return "the name of a regularizer, or {\"class_name\", \"config\"}";
    case AttributeKind::Constraint:
        return "the name of a constraint, or {\"class_name\", \"config\"}";
    case AttributeKind::Shape:
        return "a list of extents, each null or" + bounds;
    case AttributeKind::DataType:
        return "the name of an element type or policy";
    case AttributeKind::Layer:
        return "a layer {\"class_name\", \"config\"}";
    case AttributeKind::Layers:
        return "a list of layers {\"class_name\", \"config\"}";
    case AttributeKind::Any:
        return "any value";
    }
    return "";
}

} // namespace core
