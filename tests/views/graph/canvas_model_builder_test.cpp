#include "views/graph/model/canvas_model_builder.h"

#include "core/base/file.h"
#include "core/interchange/keras/keras_json.h"
#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/model_builder.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "views/common/text/layer_texts.h"
#include "views/graph/layout/stage_layout.h"

#include <QtTest/QTest>
#include <filesystem>

using namespace views;

namespace {

core::Project twoStages() {
    core::Project project;
    project.model = core::sequentialModel("mnist", {28, 28},
                                          {{"Flatten", "flatten", core::Json::object()},
                                           {"Dense", "dense", {{"units", 128}, {"activation", "relu"}}},
                                           {"Dropout", "dropout", {{"rate", 0.2}}},
                                           {"Dense", "logits", {{"units", 10}}}});
    project.assignment.stages = {core::StageId(0), core::StageId(0), core::StageId(1), core::StageId(1)};
    return project;
}

ProjectAnalysis analysisOf(const core::Project& project) {
    return {std::make_shared<core::TypedGraph>(core::inferKnownShapes(project.model).graph), {}};
}

} // namespace

class CanvasModelBuilderTest : public QObject {
    Q_OBJECT

private slots:
    void callsCarryStagesShapesAndAttributes() {
        const core::Project project = twoStages();
        const CanvasModel model = makeCanvasModel(project, analysisOf(project));
        QCOMPARE(model.nodes.size(), std::size_t{5});
        QCOMPARE(model.stageCount, std::size_t{2});
        const CanvasNode& dense = model.nodes[std::size_t(model.find({"dense", 0}))];
        QCOMPARE(dense.attributes, "128, relu");
        QCOMPARE(dense.stage.index(), std::size_t{0});
        QCOMPARE(dense.outputShapes, std::vector<QString>{"128"});
        QVERIFY(model.nodes[std::size_t(model.find({"dropout", 0}))].isFollower);
    }

    void withoutAListThereAreNoStages() {
        core::Project project = twoStages();
        project.assignment.stages.clear();
        const CanvasModel model = makeCanvasModel(project, {});
        QCOMPARE(model.stageCount, std::size_t{0});
        QVERIFY(!model.nodes.back().stage.isValid());
        QVERIFY(model.nodes.back().outputShapes.empty());
    }

    void nestedModelsBecomeGroupsOfTheirCalls() {
        const auto inner = std::make_shared<core::ModelGraph>(core::sequentialModel(
            "inner", {8}, {{"Dense", "a", {{"units", 8}}}, {"Dense", "b", {{"units", 8}}}}));
        core::ModelBuilder builder("outer");
        const core::TensorRef input = builder.input("input", {8});
        const core::TensorRef first = builder.callModel("inner", inner, {input});
        core::Project project;
        project.model = std::move(builder).build({builder.callAgain("inner", {first})});
        const CanvasModel model = makeCanvasModel(project, {});
        QCOMPARE(model.groups.size(), std::size_t{2});
        QCOMPARE(model.groups[0].id, std::string("inner"));
        QCOMPARE(model.groups[1].id, std::string("inner:1"));
        QCOMPARE(model.groups[1].members.size(), std::size_t{2});
    }

    void collapsingIsRemembered() {
        core::Project project = twoStages();
        project = withGroup(project, "head", {"dropout", "logits"});
        CanvasModel model = makeCanvasModel(project, {});
        QCOMPARE(model.groups.size(), std::size_t{1});
        QVERIFY(collapsedGroups(project, model).empty());
        project = withCollapsed(project, "head", true);
        QVERIFY(collapsedGroups(project, model).contains("head"));
        project = withoutGroup(project, "head");
        QVERIFY(makeCanvasModel(project, {}).groups.empty());
    }

    void attributesReadAtAGlance() {
        QCOMPARE(layerAttributes("Conv2D", {{"filters", 64}, {"kernel_size", {7, 7}}, {"strides", {2, 2}}}),
                 "7×7, 64, /2");
        QCOMPARE(layerAttributes("MaxPooling2D", {{"pool_size", {2, 2}}, {"strides", {2, 2}}}), "2×2");
        QCOMPARE(layerAttributes("ZeroPadding2D", {{"padding", {{3, 3}, {3, 3}}}}), "3");
        QCOMPARE(layerAttributes("ZeroPadding2D", {{"padding", {{0, 1}, {0, 1}}}}), "0+1");
        QCOMPARE(layerAttributes("Dense", {{"units", 10}, {"activation", "linear"}}), "10");
        QCOMPARE(layerAttributes("BatchNormalization", {{"axis", {3}}}), "");
        QCOMPARE(layerAttributes("Dense", core::Json::array()), "");
    }

    void everyModelFileIsDrawn() {
        REQUIRE_SHARED_DATA();
        for (const auto& entry : std::filesystem::directory_iterator(tests::sharedData() / "keras")) {
            const std::string name = entry.path().filename().string();
            if (entry.path().extension() != ".json" || name == "expected.json")
                continue;
            core::Diagnostics warnings;
            const auto text = core::readFile(entry.path());
            const auto read = core::readKerasModelText(*text, name, warnings);
            QVERIFY2(read.has_value(), name.c_str());
            core::Project project;
            project.model = *read;
            const CanvasModel model = makeCanvasModel(project, analysisOf(project));
            QVERIFY2(!model.nodes.empty(), name.c_str());
            const CanvasGeometry geometry =
                layOutStages(model, {{}, {}, collapsedGroups(project, model)}, 800);
            QVERIFY2(
                std::none_of(geometry.boxOf.begin(), geometry.boxOf.end(), [](int box) { return box < 0; }),
                name.c_str());
        }
    }
};

REGISTER_TEST("canvas_model_builder", CanvasModelBuilderTest)
#include "canvas_model_builder_test.moc"
