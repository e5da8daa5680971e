#include "core/base/json.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

class JsonTest : public QObject {
    Q_OBJECT

private slots:
    void keepsTheOrderOfKeys() {
        const auto json = core::parseJson(R"({"b": 1, "a": [1, 2.5, null, "x"]})", "f.json");
        QVERIFY(json.has_value());
        QCOMPARE(core::toText(*json, -1), std::string(R"({"b":1,"a":[1,2.5,null,"x"]})"));
    }

    void refusesWithACodeAndAPlace_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("place");
        QTest::newRow("truncated") << QByteArray("{\"a\": 1,\n \"b\"") << "json/syntax"
                                   << "2:5";
        QTest::newRow("empty") << QByteArray("") << "json/syntax"
                               << "1:1";
        QTest::newRow("duplicate key") << QByteArray(R"({"a": {"b": 1, "b": 2}})") << "json/duplicate-key"
                                       << "/a/b";
        QTest::newRow("number too large") << QByteArray(R"({"a": [0, 1e999]})") << "json/syntax"
                                          << "1:15";
        QTest::newRow("not a number") << QByteArray(R"({"a": NaN})") << "json/syntax"
                                      << "1:7";
        QTest::newRow("binary") << QByteArray("\x7f\x45\x4c\x46", 4) << "json/syntax"
                                << "1:1";
    }
    void refusesWithACodeAndAPlace() {
        QFETCH(QByteArray, text);
        QFETCH(QString, code);
        QFETCH(QString, place);
        const auto json =
            core::parseJson(std::string_view(text.data(), static_cast<std::size_t>(text.size())), "f.json");
        QVERIFY(!json.has_value());
        QCOMPARE(json.error().size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(json.error().front().code), code);
        QCOMPARE(QString::fromStdString(json.error().front().location.place), place);
    }

    void survivesAHundredThousandLevels() {
        const std::string deep = std::string(100000, '[') + std::string(100000, ']');
        const auto json = core::parseJson(deep, "deep.json");
        QVERIFY(!json.has_value());
        QCOMPARE(json.error().front().code, std::string("json/depth"));
    }

    void escapesPointers() { QCOMPARE(core::childPointer("/a", "b/c~d"), std::string("/a/b~1c~0d")); }
};

REGISTER_TEST("json", JsonTest)
#include "json_test.moc"
