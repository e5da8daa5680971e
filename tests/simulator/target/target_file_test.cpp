#include "simulator/target/target_catalogue.h"
#include "simulator/target/target_file.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <string>

using namespace simulator;

namespace {

std::string withKeys(const std::string& keys) {
    return R"({"format": "ipu-workbench-target", "version": 1, "name": "mine")" + keys + "}";
}

std::string firstCode(const core::Result<IpuTarget>& result) {
    return result ? "" : result.error().front().code;
}

std::string allText(const core::Result<IpuTarget>& result) {
    std::string text;
    for (const core::Diagnostic& finding : result.error())
        text += core::toText(finding) + "\n";
    return text;
}

} // namespace

class TargetFileTest : public QObject {
    Q_OBJECT

private slots:
    void takesTheFiguresItLeavesOutFromItsBase() {
        const auto target = readTarget(withKeys(R"(, "based_on": "bow", "tiles": 16)"), "t.json");
        QVERIFY(target);
        QCOMPARE(target->name, std::string("mine"));
        QCOMPARE(target->tiles, 16);
        QCOMPARE(target->clockHz, 1.85e9);
        QCOMPARE(target->memoryPerTileBytes, 638976);
    }

    void writesAFileThatReadsBackTheSame() {
        for (const CatalogueTarget& entry : targetCatalogue()) {
            IpuTarget target = entry.target;
            target.name = "copy";
            const auto again = readTarget(core::toText(toJson(target)), "copy.json");
            QVERIFY(again);
            QVERIFY(*again == target);
        }
    }

    void reportsEveryFindingWithItsPlace() {
        const auto target =
            readTarget(withKeys(R"(, "clok_hz": 1e9, "tiles": 0, "pair_bus": "yes")"), "t.json");
        QVERIFY(!target);
        QCOMPARE(target.error().size(), std::size_t(3));
        const std::string text = allText(target);
        QVERIFY(text.find("t.json:/clok_hz") != std::string::npos);
        QVERIFY(text.find("clock_hz") != std::string::npos);
        QVERIFY(text.find("t.json:/tiles") != std::string::npos);
        QVERIFY(text.find("t.json:/pair_bus") != std::string::npos);
    }

    void refusesWhatIsNoTargetFile() {
        QVERIFY(!readTarget("", "t.json"));
        QVERIFY(!readTarget("[]", "t.json"));
        QVERIFY(!readTarget("{}", "t.json"));
        QVERIFY(!readTarget(R"({"format": "other", "version": 1, "name": "x"})", "t.json"));
        QVERIFY(!readTarget(R"({"format": "ipu-workbench-target", "version": 2, "name": "x"})", "t.json"));
        QVERIFY(!readTarget(withKeys(R"(, "based_on": "ipu3")"), "t.json"));
        QVERIFY(!readTarget(withKeys(R"(, "executable_bytes_per_tile": 700000)"), "t.json"));
        QCOMPARE(
            firstCode(readTarget(R"({"format": "ipu-workbench-target", "version": 1, "name": "ipu2"})", "")),
            std::string("name-taken"));
    }

    void resolvesNamesAndNamesTheNearest() {
        QCOMPARE(resolveTarget("bow")->clockHz, 1.85e9);
        const auto unknown = resolveTarget("ipu22");
        QCOMPARE(firstCode(unknown), std::string("target/unknown"));
        QVERIFY(allText(unknown).find("\"ipu2\"") != std::string::npos);
        QCOMPARE(firstCode(resolveTarget("nowhere/t.json")), std::string("file/missing"));
    }

    void overridesSingleFigures() {
        const IpuTarget ipu2 = findTarget("ipu2")->target;
        QCOMPARE(overrideFigures(ipu2, core::Json{{"clock_hz", 1.5e9}}, "", "/system")->clockHz, 1.5e9);
        const auto refused = overrideFigures(ipu2, core::Json{{"clock", 1.5e9}}, "", "/system");
        QVERIFY(!refused);
        QVERIFY(allText(refused).find("/system/clock") != std::string::npos);
    }
};

REGISTER_TEST("target_file", TargetFileTest)
#include "target_file_test.moc"
