#include "core/project/choices/muted_layers.h"

#include "core/model/edit/graph_edit.h"
#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/model_builder.h"
#include "core/project/project_edit.h"
#include "core/project/project_sections.h"
#include "core/project/validate.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

core::Project drawn() {
    core::Project project;
    project.model = core::sequentialModel("m", {8},
                                          {{"Dense", "wide", {{"units", 8}}},
                                           {"Dropout", "drop", {{"rate", 0.4}}},
                                           {"Dense", "narrow", {{"units", 4}}},
                                           {"Reshape", "square", {{"target_shape", {2, 2}}}}});
    return project;
}

core::Result<core::Project> muted(const core::Project& project, const std::string& layer,
                                  bool isMuted = true) {
    const std::vector<std::string> layers{layer};
    return core::withMuted(project, layers, isMuted);
}

} // namespace

class MutedLayersTest : public QObject {
    Q_OBJECT

private slots:
    void aBypassedLayerPassesOnWhatItReads() {
        const auto project = muted(drawn(), "drop");
        QVERIFY(project.has_value());
        QCOMPARE(core::mutedLayers(*project).at("drop").className, std::string("Dropout"));
        const auto sound = core::validate(*project, core::RunMode::Predict);
        QVERIFY(sound.has_value());
        const core::Layer& layer = project->model.layer(*project->model.findLayer("drop"));
        QCOMPARE(layer.className, std::string("Activation"));
        QCOMPARE(layer.config["activation"], core::Json("linear"));
        // A layer that changed the shape, where what reads it takes another one.
        const auto wider = muted(drawn(), "wide");
        QVERIFY(wider.has_value());
        QVERIFY(core::inferShapes(wider->model).has_value());
    }

    void takenUpAgainItIsWhatItWas() {
        const core::Project before = drawn();
        // One in the middle, and the one that says what the model is fed with.
        for (const char* layer : {"drop", "wide"}) {
            const auto between = muted(before, layer);
            QVERIFY(between.has_value());
            const auto after = muted(*between, layer, false);
            QVERIFY(after.has_value());
            QCOMPARE(after->model.layer(*after->model.findLayer(layer)).config,
                     before.model.layer(*before.model.findLayer(layer)).config);
            QVERIFY(after->model == before.model);
            QVERIFY(after->canvas == before.canvas);
        }
    }

    void theFileKeepsWhatItWas() {
        const auto project = muted(drawn(), "drop");
        core::Diagnostics findings;
        core::Project read = *project;
        read.canvas = core::readCanvas(core::toJson(project->canvas), "file", "/canvas", findings);
        QVERIFY(findings.empty());
        const auto restored = muted(read, "drop", false);
        QVERIFY(restored->model == drawn().model);
    }

    void whereShapesWouldNotFitItIsRefusedInWords() {
        const auto refused = muted(drawn(), "narrow");
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().front().code, std::string("edit/bypass"));
        QVERIFY(refused.error().front().message.find("narrow") != std::string::npos);
        QVERIFY(refused.error().front().message.find("square") != std::string::npos);
        core::Project join = drawn();
        join.model = core::toFunctional(join.model);
        const core::LayerId wide = *join.model.findLayer("wide");
        std::vector<core::TensorRef> both;
        for (const core::LayerInvocation& call : join.model.invocations) {
            if (call.layer == wide || call.inputs.empty())
                both.push_back({call.id, 0});
        }
        join.model = core::addLayer(join.model, {"Add", "sum", core::Json::object()}, both).value();
        const auto sum = muted(join, "sum");
        QVERIFY(!sum.has_value());
        QVERIFY(sum.error().front().message.find("2 tensors") != std::string::npos);
    }

    void aLayerWhoseLaterOutputLeavesTheModelIsNotBypassed() {
        core::Project project;
        core::ModelBuilder builder("states");
        const core::TensorRef input = builder.input("sequence", {5, 8});
        const core::TensorRef memory =
            builder.call("LSTM", "memory", {{"units", 4}, {"return_state", true}}, {input});
        project.model = std::move(builder).build({memory, {memory.invocation, 1}});
        const auto refused = muted(project, "memory");
        QVERIFY(!refused.has_value());
        QVERIFY(refused.error().front().message.find("several tensors") != std::string::npos);
    }

    void aShapeOfTheInputThatWasChangedMeanwhileStays() {
        auto project = muted(drawn(), "wide");
        const core::LayerId wide = *project->model.findLayer("wide");
        const core::Json shape{nullptr, 16};
        project->model.layers[wide.index()].config["batch_input_shape"] = shape;
        const auto restored = muted(*project, "wide", false);
        QVERIFY(restored.has_value());
        QCOMPARE(restored->model.layer(wide).className, std::string("Dense"));
        QCOMPARE(restored->model.layer(wide).config["batch_input_shape"], shape);
    }

    void manyAreBypassedAndUsedAgainInOneGo() {
        std::vector<core::SequentialEntry> chain;
        std::vector<std::string> names;
        for (int i = 0; i < 3000; ++i) {
            names.push_back("drop" + std::to_string(i));
            chain.push_back({"Dropout", names.back(), {{"rate", 0.1}}});
        }
        core::Project before;
        before.model = core::sequentialModel("m", {8}, chain);
        const auto bypassed = core::withMuted(before, names, true);
        QVERIFY(bypassed.has_value());
        QCOMPARE(core::mutedLayers(*bypassed).size(), names.size());
        const auto after = core::withMuted(*bypassed, names, false);
        QVERIFY(after.has_value());
        QVERIFY(after->model == before.model);
        QVERIFY(core::mutedLayers(*after).empty());
    }

    void aCopyIsBypassedAsItsOriginalIs() {
        const auto project = muted(drawn(), "drop");
        QVERIFY(project.has_value());
        const core::MutedLayer kept = core::mutedLayers(*project).at("drop");
        const auto through = core::mutedFromJson(core::mutedToJson(kept));
        QVERIFY(through.has_value());
        core::Project copied = *project;
        copied.model = core::duplicateLayers(project->model, {*project->model.findLayer("drop")},
                                             core::IncomingEdges::Keep)
                           .value();
        copied = core::withMutedCopies(std::move(copied), {{"drop_1", *through}});
        QCOMPARE(core::mutedLayers(copied).size(), std::size_t(2));
        const auto used = muted(copied, "drop_1", false);
        QVERIFY(used.has_value());
        const core::Layer& layer = used->model.layer(*used->model.findLayer("drop_1"));
        QCOMPARE(layer.className, std::string("Dropout"));
        QCOMPARE(layer.config["name"], core::Json("drop_1"));
        QVERIFY(!core::mutedFromJson(core::Json::array()).has_value());
        QVERIFY(!core::mutedFromJson({{"class_name", 3}}).has_value());
    }

    void itKeepsItsNameThroughEdits() {
        auto project = muted(drawn(), "drop");
        project = core::withLayerName(*project, "drop", "noise");
        QVERIFY(project.has_value());
        QVERIFY(core::mutedLayers(*project).contains("noise"));
        project = muted(*project, "noise", false);
        const core::Layer& layer = project->model.layer(*project->model.findLayer("noise"));
        QCOMPARE(layer.className, std::string("Dropout"));
        QCOMPARE(layer.config["name"], core::Json("noise"));
        // What is deleted is not bypassed any more.
        project = muted(*project, "noise");
        project = core::editModel(*project, [](const core::ModelGraph& graph) {
            return core::removeLayers(graph, {*graph.findLayer("noise")}, core::Reconnect::Yes);
        });
        QVERIFY(project.has_value());
        QVERIFY(!project->canvas.other.contains("muted"));
    }
};

REGISTER_TEST("muted_layers", MutedLayersTest)
#include "muted_layers_test.moc"
