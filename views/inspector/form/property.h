#pragma once

#include "core/base/json.h"

#include <QString>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace core {
struct AttributeDefinition;
}

namespace views {

/// How a value is edited.
enum class PropertyEditor : std::uint8_t {
    Text,
    Integer,
    Number,
    Switch,
    OptionalSwitch, ///< on, off, or as the system decides (null)
    Choice,
    OpenChoice, ///< one of the choices or any other text
    Tuple,      ///< whole numbers: "3 × 3"
    Json,
};

/// One editable line of a form: an attribute of a layer, an option of a section.
struct Property {
    /// What an edit names: an attribute, or the path of a setting ("pipeline.schedule").
    std::string id;
    QString label;
    QString documentation;
    PropertyEditor editor = PropertyEditor::Text;
    core::Json value;
    core::Json defaultValue;
    /// null is a value of its own.
    bool isNullable = false;
    /// Several things are shown, and they differ here.
    bool isMixed = false;
    bool isReadOnly = false;
    std::vector<std::string> choices;
    /// What may be typed, for the hint of an empty field.
    QString accepted;
    /// Why not to use it (any more), or that it has no effect.
    QString note;

    [[nodiscard]] bool isDefault() const { return value == defaultValue; }
    bool operator==(const Property&) const = default;
};

/// A titled group of properties; `isOpen` is how it starts.
struct PropertySection {
    QString title;
    std::vector<Property> properties;
    bool isOpen = true;

    bool operator==(const PropertySection&) const = default;
};

/// The value as shown in the field.
[[nodiscard]] QString propertyText(const Property& property);

/// The value that a typed text means, or what is wrong with it. An empty text is null where that is a value,
/// and the default otherwise.
[[nodiscard]] tl::expected<core::Json, QString> propertyValue(const Property& property, const QString& text);

/// The line for an attribute of a layer.
[[nodiscard]] Property attributeProperty(const core::AttributeDefinition& attribute, core::Json value);

} // namespace views
