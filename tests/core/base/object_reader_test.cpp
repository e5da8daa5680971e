#include "core/base/object_reader.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <array>

class ObjectReaderTest : public QObject {
    Q_OBJECT

private slots:
    void collectsEveryFinding() {
        const core::Json json =
            core::Json::parse(R"({"steps": 2.5, "epoch": 3, "mode": "fast", "size": -1})");
        core::Diagnostics findings;
        core::ObjectReader reader(json, "p.ipuproj", "/training", findings);
        constexpr std::array<std::string_view, 2> modes{"slow", "faster"};
        QVERIFY(!reader.readInteger("steps", 0, 10));
        QVERIFY(!reader.readInteger("epochs", 0, 10));
        QVERIFY(!reader.readChoice("mode", modes));
        QVERIFY(!reader.readInteger("size", 0, 10));
        reader.finish();
        QCOMPARE(findings.size(), std::size_t{4});
        QCOMPARE(core::toText(findings[0]),
                 std::string(
                     "p.ipuproj:/training/steps: error: \"steps\" must be a whole number, not a number with "
                     "a fraction [project/wrong-type]\nhint: write a whole number, for example 8"));
        QCOMPARE(findings[1].hints.front(), std::string("did you mean \"faster\"?"));
        QCOMPARE(findings[3].code, std::string("project/unknown-key"));
        QCOMPARE(findings[3].hints.front(), std::string("did you mean \"epochs\"?"));
    }

    void readsNullAsAbsent() {
        const core::Json json = core::Json::parse(R"({"a": null})");
        core::Diagnostics findings;
        core::ObjectReader reader(json, "p", "", findings);
        QVERIFY(!reader.readText("a"));
        reader.finish();
        QVERIFY(findings.empty());
    }

    void readsWholeNumbersWrittenWithAPoint() {
        const core::Json json = core::Json::parse(R"({"a": 3.0})");
        core::Diagnostics findings;
        core::ObjectReader reader(json, "p", "", findings);
        QCOMPARE(reader.readInteger("a", 0, 5).value_or(-1), std::int64_t{3});
    }
};

REGISTER_TEST("object_reader", ObjectReaderTest)
#include "object_reader_test.moc"
