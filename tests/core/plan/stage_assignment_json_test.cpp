#include "core/model/graph/model_builder.h"
#include "core/plan/assignment_entries.h"
#include "core/plan/stage_assignment_json.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::Json;

namespace {

const core::Json dense = Json::object({{"units", 4}});

core::ModelGraph chainOfLayers() {
    return core::sequentialModel("chain", {8},
                                 {{"Dense", "a", dense}, {"Dense", "b", dense}, {"Dense", "c", dense}});
}

/// input → inner (p, q) → out, with a shared layer called before and after.
core::ModelGraph nested() {
    core::ModelBuilder inner("inner");
    const auto x = inner.input("inner_in", {4});
    const auto p = inner.call("Dense", "p", dense, {x});
    const auto innerModel = std::make_shared<const core::ModelGraph>(
        std::move(inner).build({inner.call("Dense", "q", dense, {p})}));
    core::ModelBuilder outer("outer");
    const auto in = outer.input("in", {4});
    const auto first = outer.call("Dense", "shared", dense, {in});
    const auto middle = outer.callModel("inner", innerModel, {first});
    return std::move(outer).build({outer.callAgain("shared", {middle})});
}

core::StageAssignment read(const core::ModelGraph& model, const char* stages, core::Diagnostics& findings) {
    const Json pipeline = {{"stages", Json::parse(stages)}};
    core::ObjectReader reader(pipeline, "p", "/pipeline", findings);
    return core::readStages(reader, model);
}

std::vector<int> numbers(const core::StageAssignment& assignment) {
    std::vector<int> out;
    for (const core::StageId stage : assignment.stages)
        out.push_back(stage.isValid() ? static_cast<int>(stage.index()) : -1);
    return out;
}

} // namespace

class StageAssignmentJsonTest : public QObject {
    Q_OBJECT

private slots:
    void listsTheCallsInPostOrderWithNestedModelsOpened() {
        std::vector<std::string> calls;
        for (const auto& entry : core::flattened(core::assignmentEntries(nested())))
            calls.push_back(entry.path + "#" + std::to_string(entry.call));
        QCOMPARE(calls, (std::vector<std::string>{"shared#0", "inner/p#0", "inner/q#0", "shared#1"}));
    }

    void readsAFlatList() {
        core::Diagnostics findings;
        QCOMPARE(numbers(read(chainOfLayers(), "[0, 0, 1]", findings)), (std::vector<int>{0, 0, 1}));
        QCOMPARE(numbers(read(nested(), "[0, 0, 1, 1]", findings)), (std::vector<int>{0, 0, 1, 1}));
        QVERIFY(findings.empty());
    }

    void readsAListPerNestedModel() {
        core::Diagnostics findings;
        const auto assignment = read(nested(), "[0, [0, 1], 1]", findings);
        QVERIFY(findings.empty());
        QCOMPARE(numbers(assignment), (std::vector<int>{0, 0, 1, 1}));
        QCOMPARE(core::toText(core::toJson(assignment, nested()), -1), std::string("[0,[0,1],1]"));
    }

    void readsStagesByLayerName() {
        core::Diagnostics findings;
        QCOMPARE(numbers(read(chainOfLayers(), R"({"c": 1, "a": 0, "b": 0})", findings)),
                 (std::vector<int>{0, 0, 1}));
        QCOMPARE(numbers(read(nested(), R"({"shared": [0, 1], "inner/p": 0, "inner/q": 1})", findings)),
                 (std::vector<int>{0, 0, 1, 1}));
        QVERIFY(findings.empty());
    }

    void readsNullAsUnset() {
        core::Diagnostics findings;
        QCOMPARE(numbers(read(chainOfLayers(), "[0, null, 1]", findings)), (std::vector<int>{0, -1, 1}));
        QVERIFY(findings.empty());
        QCOMPARE(read(chainOfLayers(), "[0, null, 1]", findings).stageCount(), std::size_t{2});
        QVERIFY(!read(chainOfLayers(), "null", findings).isPipelined());
    }

    void refusesAsAValueError_data() {
        QTest::addColumn<QByteArray>("stages");
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QByteArray>("place");
        const auto row = [](const char* stages, const char* code, const char* place) {
            QTest::newRow(stages) << QByteArray(stages) << QByteArray(code) << QByteArray(place);
        };
        row("5", "value-error/stages-type", "/pipeline/stages");
        row("[0, 1]", "value-error/stage-count", "/pipeline/stages");
        row("[0, 0, 0, 1]", "value-error/stage-count", "/pipeline/stages");
        row("[0, 1.5, 1]", "value-error/stage-type", "/pipeline/stages/1");
        row("[0, \"1\", 1]", "value-error/stage-type", "/pipeline/stages/1");
        row("[0, -1, 1]", "value-error/stage-number", "/pipeline/stages/1");
        row("[0, 1000000000000, 1]", "value-error/stage-number", "/pipeline/stages/1");
        row("{\"a\": 0, \"b\": 1}", "value-error/stage-missing", "/pipeline/stages");
        row("{\"a\": 0, \"b\": 1, \"c\": 1, \"d\": 1}", "project/unknown-key", "/pipeline/stages/d");
    }

    void refusesAsAValueError() {
        QFETCH(QByteArray, stages);
        QFETCH(QByteArray, code);
        QFETCH(QByteArray, place);
        core::Diagnostics findings;
        QVERIFY(!read(chainOfLayers(), stages.constData(), findings).isPipelined());
        QCOMPARE(findings.size(), std::size_t{1});
        QCOMPARE(findings[0].code, code.toStdString());
        QCOMPARE(findings[0].location.place, place.toStdString());
        QVERIFY(!findings[0].hints.empty());
    }

    void refusesANumberForANestedModel() {
        core::Diagnostics findings;
        (void)read(nested(), "[0, 0, 1]", findings);
        QCOMPARE(findings.at(0).code, std::string("value-error/nested-model-stage"));
    }

    void readsTheDeviceMapping() {
        core::Diagnostics findings;
        const auto mapping = [&](const char* text) {
            const Json pipeline = {{"device_mapping", Json::parse(text)}};
            core::ObjectReader reader(pipeline, "p", "/pipeline", findings);
            return core::readDeviceMapping(reader);
        };
        QCOMPARE(core::toText(core::toJson(mapping("[3, 1]")), -1), std::string("[3,1]"));
        QVERIFY(findings.empty());
        (void)mapping("3");
        (void)mapping("[0, \"1\"]");
        (void)mapping("[0, -1]");
        QCOMPARE(findings.at(0).code, std::string("type-error/device-mapping"));
        QCOMPARE(findings.at(1).code, std::string("type-error/device-mapping"));
        QCOMPARE(findings.at(2).code, std::string("value-error/device-mapping"));
    }
};

REGISTER_TEST("stage_assignment_json", StageAssignmentJsonTest)
#include "stage_assignment_json_test.moc"
