#include "views/inspector/form/property.h"

#include "core/model/graph/layer_catalogue.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::Json;
using views::Property;
using views::PropertyEditor;

namespace {

Property with(PropertyEditor editor, Json value = nullptr) {
    Property property;
    property.editor = editor;
    property.value = std::move(value);
    property.defaultValue = 7;
    return property;
}

QString json(const tl::expected<Json, QString>& value) {
    return value ? QString::fromStdString(value->dump()) : "refused: " + value.error();
}

} // namespace

class PropertyTest : public QObject {
    Q_OBJECT

private slots:
    void textsMeanValues() {
        QCOMPARE(json(propertyValue(with(PropertyEditor::Integer), "1 024")), "1024");
        QCOMPARE(json(propertyValue(with(PropertyEditor::Number), "0.5")), "0.5");
        QCOMPARE(json(propertyValue(with(PropertyEditor::Number), "3")), "3");
        QCOMPARE(json(propertyValue(with(PropertyEditor::Text), " relu ")), "\"relu\"");
        QCOMPARE(json(propertyValue(with(PropertyEditor::Switch), "true")), "true");
        QCOMPARE(json(propertyValue(with(PropertyEditor::Json), "{\"a\": 1}")), "{\"a\":1}");
    }

    void tuplesAreReadInEveryHabit() {
        for (const char* text : {"3 × 3", "3x3", "3, 3", "[3, 3]", "(3, 3)", "3 3"})
            QCOMPARE(json(propertyValue(with(PropertyEditor::Tuple), text)), "[3,3]");
        QCOMPARE(json(propertyValue(with(PropertyEditor::Tuple), "3")), "3");
        QCOMPARE(json(propertyValue(with(PropertyEditor::Tuple), "[3]")), "[3]");
        QCOMPARE(json(propertyValue(with(PropertyEditor::Tuple), "?, 28, 28")), "[null,28,28]");
        QVERIFY(!propertyValue(with(PropertyEditor::Tuple), "a × b"));
    }

    void nonsenseIsRefusedInWords() {
        QVERIFY(!propertyValue(with(PropertyEditor::Integer), "many"));
        QVERIFY(!propertyValue(with(PropertyEditor::Integer), "2.5"));
        QVERIFY(!propertyValue(with(PropertyEditor::Number), "inf"));
        QVERIFY(!propertyValue(with(PropertyEditor::Switch), "perhaps"));
        QVERIFY(!propertyValue(with(PropertyEditor::Json), "{"));
        Property choice = with(PropertyEditor::Choice);
        choice.choices = {"valid", "same"};
        QVERIFY(!propertyValue(choice, "full"));
        choice.editor = PropertyEditor::OpenChoice;
        QCOMPARE(json(propertyValue(choice, "my_target.json")), "\"my_target.json\"");
    }

    void anEmptyTextIsTheDefaultOrNull() {
        QCOMPARE(json(propertyValue(with(PropertyEditor::Integer), "")), "7");
        Property nullable = with(PropertyEditor::Integer);
        nullable.isNullable = true;
        QCOMPARE(json(propertyValue(nullable, " ")), "null");
    }

    /// What a field shows must read back as the value it shows, for the defaults of every layer there is.
    void everyDefaultOfEveryLayerSurvivesItsOwnField() {
        for (const core::LayerDefinition& definition : core::layerCatalogue()) {
            const Json config = core::newLayerConfig(definition, "layer");
            for (const core::AttributeDefinition& attribute : definition.attributes) {
                const auto value = config.find(attribute.name);
                if (value == config.end() || value->is_null())
                    continue;
                const Property property = views::attributeProperty(attribute, *value);
                const QString text = propertyText(property);
                const auto back = propertyValue(property, text);
                const std::string what = definition.className + "." + attribute.name + " = " + value->dump() +
                                         " reads as " + text.toStdString();
                QVERIFY2(back.has_value(), what.c_str());
                const bool isSame = *back == *value || (value->is_object() && back->is_string());
                QVERIFY2(isSame, (what + " and back as " + back->dump()).c_str());
            }
        }
    }
};

REGISTER_TEST("property", PropertyTest)
#include "property_test.moc"
