#include "views/inspector/form/property.h"

#include "core/model/activation_catalogue.h"
#include "core/model/attribute_definition.h"
#include "core/model/data_type.h"
#include "core/model/initializer_catalogue.h"
#include "views/common/text/number_text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>
#include <cmath>

namespace views {

namespace {

using core::AttributeKind;
using core::Json;

QString propertyText(const char* text) {
    return QCoreApplication::translate("views::Property", text);
}

tl::unexpected<QString> wrong(const QString& message) {
    return tl::unexpected<QString>(message);
}

bool isObjectByName(const Json& value) {
    return value.is_object() && value.contains("class_name") && value["class_name"].is_string() &&
           (!value.contains("config") || value["config"].empty());
}

QString tupleText(const Json& value) {
    QStringList parts;
    for (const Json& element : value)
        parts.append(element.is_null() ? QStringLiteral("?") : QString::fromStdString(element.dump()));
    // A list of one is not the number alone: "[3]".
    return parts.size() == 1 ? u'[' + parts.front() + u']' : parts.join(QStringLiteral(" × "));
}

bool isFlatTuple(const Json& value) {
    return value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& element) {
               return element.is_number_integer() || element.is_null();
           });
}

tl::expected<Json, QString> numberFrom(const QString& text, bool whole) {
    QString plain = text;
    plain.remove(thinSpace).remove(u' ');
    plain.replace(QChar(0x2212), u'-');
    bool isRead = false;
    if (whole) {
        const qlonglong number = plain.toLongLong(&isRead);
        return isRead ? tl::expected<Json, QString>(std::int64_t(number))
                      : wrong(propertyText("not a whole number"));
    }
    const qlonglong integer = plain.toLongLong(&isRead);
    if (isRead)
        return Json(std::int64_t(integer));
    const double number = plain.toDouble(&isRead);
    if (!isRead || !std::isfinite(number))
        return wrong(propertyText("not a number"));
    return Json(number);
}

/// "3 × 3", "3x3", "3, 3", "[3, 3]", "3".
tl::expected<Json, QString> tupleFrom(const QString& text) {
    static const QRegularExpression separators(QStringLiteral("[×x,;\\s\\[\\]()]+"));
    Json list = Json::array();
    const QStringList parts = text.split(separators, Qt::SkipEmptyParts);
    for (const QString& part : parts) {
        if (part == QStringLiteral("?") || part == QStringLiteral("None") || part == QStringLiteral("null")) {
            list.push_back(nullptr);
            continue;
        }
        tl::expected<Json, QString> number = numberFrom(part, true);
        if (!number)
            return wrong(propertyText("numbers such as 3 × 3 are wanted"));
        list.push_back(std::move(*number));
    }
    if (list.size() == 1 && !text.contains(u'[') && !text.contains(u'('))
        return list[0];
    return list;
}

tl::expected<Json, QString> jsonFrom(const QString& text) {
    core::Result<Json> value = core::parseJson(text.toStdString(), "");
    if (!value)
        return wrong(propertyText("not JSON: %1").arg(toQString(value.error().front().message)));
    return std::move(*value);
}

tl::expected<Json, QString> choiceFrom(const Property& property, const QString& text) {
    const std::string wanted = text.toStdString();
    if (property.editor == PropertyEditor::OpenChoice ||
        std::find(property.choices.begin(), property.choices.end(), wanted) != property.choices.end())
        return Json(wanted);
    return wrong(propertyText("one of the list is wanted"));
}

struct KindEditor {
    AttributeKind kind;
    PropertyEditor editor;
};

PropertyEditor editorOf(const core::AttributeDefinition& attribute, const Json& value) {
    switch (attribute.kind) {
    case AttributeKind::Integer:
        return PropertyEditor::Integer;
    case AttributeKind::Number:
        return PropertyEditor::Number;
    case AttributeKind::Boolean:
        return attribute.isNullable ? PropertyEditor::OptionalSwitch : PropertyEditor::Switch;
    case AttributeKind::Text:
        return PropertyEditor::Text;
    case AttributeKind::Choice:
    case AttributeKind::DataType:
        return PropertyEditor::Choice;
    case AttributeKind::IntegerTuple:
    case AttributeKind::Axes:
    case AttributeKind::Shape:
        return value.is_array() && !isFlatTuple(value) ? PropertyEditor::Json : PropertyEditor::Tuple;
    case AttributeKind::Padding:
        return isFlatTuple(value) || value.is_number_integer() ? PropertyEditor::Tuple : PropertyEditor::Json;
    case AttributeKind::Activation:
    case AttributeKind::Initializer:
        return value.is_string() || value.is_null() || isObjectByName(value) ? PropertyEditor::OpenChoice
                                                                             : PropertyEditor::Json;
    case AttributeKind::Regularizer:
    case AttributeKind::Constraint:
    case AttributeKind::Layer:
    case AttributeKind::Layers:
    case AttributeKind::Any:
        return PropertyEditor::Json;
    }
    return PropertyEditor::Json;
}

std::vector<std::string> choicesOf(const core::AttributeDefinition& attribute) {
    std::vector<std::string> choices = attribute.choices;
    if (attribute.kind == AttributeKind::Activation) {
        for (const core::ActivationDefinition& activation : core::activationCatalogue())
            choices.emplace_back(activation.name);
    } else if (attribute.kind == AttributeKind::Initializer) {
        for (const core::InitializerDefinition& initializer : core::initializerCatalogue())
            choices.emplace_back(initializer.name);
    } else if (attribute.kind == AttributeKind::DataType && choices.empty()) {
        for (int type = 0; type <= int(core::DataType::Bool); ++type)
            choices.emplace_back(core::toString(static_cast<core::DataType>(type)));
    }
    return choices;
}

} // namespace

QString propertyText(const Property& property) {
    const Json& value = property.value;
    if (property.isMixed || value.is_null())
        return {};
    if (property.editor == PropertyEditor::Json)
        return QString::fromStdString(core::toText(value, -1));
    if (value.is_string())
        return toQString(value.get_ref<const std::string&>());
    if (isObjectByName(value))
        return toQString(value["class_name"].get_ref<const std::string&>());
    if (value.is_boolean())
        return value.get<bool>() ? QStringLiteral("true") : QStringLiteral("false");
    if (isFlatTuple(value))
        return tupleText(value);
    return QString::fromStdString(core::toText(value, -1));
}

tl::expected<Json, QString> propertyValue(const Property& property, const QString& text) {
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty())
        return property.isNullable ? Json(nullptr) : property.defaultValue;
    switch (property.editor) {
    case PropertyEditor::Text:
        return Json(trimmed.toStdString());
    case PropertyEditor::Integer:
        return numberFrom(trimmed, true);
    case PropertyEditor::Number:
        return numberFrom(trimmed, false);
    case PropertyEditor::Switch:
    case PropertyEditor::OptionalSwitch:
        if (trimmed == QStringLiteral("true") || trimmed == QStringLiteral("false"))
            return Json(trimmed == QStringLiteral("true"));
        return wrong(propertyText("true or false"));
    case PropertyEditor::Choice:
    case PropertyEditor::OpenChoice:
        return choiceFrom(property, trimmed);
    case PropertyEditor::Tuple:
        return tupleFrom(trimmed);
    case PropertyEditor::Json:
        return jsonFrom(trimmed);
    }
    return wrong(propertyText("not understood"));
}

Property attributeProperty(const core::AttributeDefinition& attribute, Json value) {
    Property property;
    property.id = attribute.name;
    property.label = toQString(attribute.name);
    property.documentation = toQString(attribute.documentation);
    property.editor = editorOf(attribute, value);
    property.value = std::move(value);
    property.defaultValue = attribute.defaultValue;
    property.isNullable = attribute.isNullable || attribute.defaultValue.is_null();
    property.choices = choicesOf(attribute);
    property.accepted = toQString(core::acceptedValues(attribute));
    return property;
}

} // namespace views
