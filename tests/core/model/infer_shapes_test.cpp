#include "core/model/graph/flattened_model.h"
#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/layer_precision.h"
#include "core/model/graph/model_builder.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

using core::Json;
using core::TensorRef;

QString firstCode(const core::Diagnostics& findings) {
    return findings.empty() ? QString() : QString::fromStdString(findings.front().code);
}

QString paths(const core::TypedGraph& graph) {
    QStringList list;
    for (const core::TypedInvocation& invocation : graph.invocations)
        list << QString::fromStdString(graph.layer(invocation.layer).path) +
                    (invocation.call > 0 ? QString(":%1").arg(invocation.call) : QString());
    return list.join(" ");
}

std::shared_ptr<const core::ModelGraph> encoder() {
    core::ModelBuilder builder("encoder");
    const TensorRef x = builder.input("inner", {8});
    const TensorRef y = builder.call("Dense", "project", {{"units", 3}}, {x});
    const TensorRef z = builder.call("Activation", "act", {{"activation", "relu"}}, {y});
    return std::make_shared<const core::ModelGraph>(std::move(builder).build({z}));
}

/// Two inputs through one encoder, then a distance: a siamese network.
core::ModelGraph siamese() {
    core::ModelBuilder builder("siamese");
    const TensorRef left = builder.input("left", {8});
    const TensorRef right = builder.input("right", {8});
    const auto inner = encoder();
    const TensorRef a = builder.callModel("encoder", inner, {left});
    const TensorRef b = builder.callModel("encoder", inner, {right});
    return std::move(builder).build({builder.call("Subtract", "distance", {}, {a, b})});
}

core::InferenceOptions withBatch(std::int64_t batch) {
    core::InferenceOptions options;
    options.batchSize = batch;
    return options;
}

} // namespace

class InferShapesTest : public QObject {
    Q_OBJECT

private slots:
    void nestedModelsAreOpenedInPlaceAndShareTheirWeights() {
        const core::ModelGraph model = siamese();
        const auto graph = core::inferShapes(model, withBatch(16));
        QVERIFY(graph.has_value());
        QCOMPARE(paths(*graph),
                 QString("right left encoder/project encoder/act encoder/project:1 encoder/act:1 distance"));
        QCOMPARE(graph->layers.size(), std::size_t{5});
        QCOMPARE(QString::fromStdString(core::toText(graph->spec(graph->outputs[0]).shape)),
                 QString("(16, 3)"));
        // Every inner call knows the drawn call it belongs to.
        QCOMPARE(graph->invocations[2].drawn, graph->invocations[3].drawn);
        QVERIFY(graph->invocations[2].drawn != graph->invocations[4].drawn);
        QCOMPARE(*graph->invocations[2].flops, std::int64_t{2 * 16 * 8 * 3});
        const auto flattened = core::flattenModel(model);
        QCOMPARE(flattened->assignable().size(), std::size_t{5});
    }

    void aFrozenOuterModelFreezesItsLayers() {
        core::ModelGraph model = siamese();
        auto frozen = std::make_shared<core::ModelGraph>(*encoder());
        frozen->extra["config"] = {{"trainable", false}};
        model.layers[2].model = frozen;
        const auto graph = core::inferShapes(model);
        QVERIFY(!graph->layers[2].weights[0].trainable);
        model.layers[2].model = encoder();
        model.layers[2].trainable = false;
        QVERIFY(!core::inferShapes(model)->layers[2].weights[0].trainable);
    }

    void aSharedLayerFedWithAnotherWidthIsRefused() {
        core::ModelBuilder builder("m");
        const TensorRef x = builder.input("x", {8});
        const TensorRef y = builder.input("y", {9});
        const TensorRef a = builder.call("Dense", "shared", {{"units", 3}}, {x});
        const TensorRef b = builder.callAgain("shared", {y});
        const auto graph = core::inferShapes(std::move(builder).build({a, b}));
        QVERIFY(!graph.has_value());
        QCOMPARE(firstCode(graph.error()), QString("layer/shape"));
        QCOMPARE(graph.error().front().location.place, std::string("shared"));
    }

    void oneFaultHidesOnlyWhatComesAfterIt() {
        core::ModelBuilder builder("m");
        const TensorRef x = builder.input("x", {8});
        const TensorRef bad = builder.call("Conv2D", "bad", {{"filters", 1}, {"kernel_size", 3}}, {x});
        const TensorRef after = builder.call("Flatten", "after", {}, {bad});
        const TensorRef good = builder.call("Dense", "good", {{"units", 3}}, {x});
        const core::InferredModel inferred = core::inferKnownShapes(std::move(builder).build({after, good}));
        QCOMPARE(inferred.findings.size(), std::size_t{1});
        QCOMPARE(inferred.findings.front().location.place, std::string("bad"));
        QVERIFY(inferred.drawnOutputs[after.invocation.index()].empty());
        QCOMPARE(inferred.drawnOutputs[good.invocation.index()].size(), std::size_t{1});
    }

    void anUnconnectedLayerIsNamed() {
        core::ModelBuilder builder("m");
        const TensorRef lost = builder.call("Dense", "lost", {{"units", 3}}, {});
        const auto graph = core::inferShapes(std::move(builder).build({lost}));
        QVERIFY(!graph.has_value());
        QVERIFY(graph.error().front().message.find("lost") != std::string::npos);
    }

    void runsRefuseFreeExtents() {
        const core::ModelGraph model = core::sequentialModel(
            "m", {std::nullopt, std::nullopt, 3}, {{"Conv2D", "c", {{"filters", 4}, {"kernel_size", 3}}}});
        core::InferenceOptions options = withBatch(2);
        QVERIFY(core::inferShapes(model, options).has_value());
        options.requiresKnownShapes = true;
        const auto graph = core::inferShapes(model, options);
        QVERIFY(!graph.has_value());
        QCOMPARE(firstCode(graph.error()), QString("model/free-shape"));
        QCOMPARE(graph.error().front().location.place, std::string("input_1"));
    }

    void precisionReachesTensorsAndWeights() {
        const core::ModelGraph model = core::sequentialModel(
            "m", {8},
            {{"Dense", "a", {{"units", 4}}},
             {"Softmax",
              "b",
              {{"dtype", {{"class_name", "Policy"}, {"config", {{"name", "mixed_float16"}}}}}}}});
        const auto half = [&](const char* name) {
            core::InferenceOptions options;
            options.precision = *core::precisionFromName(name);
            return core::inferShapes(model, options).value();
        };
        const core::TypedGraph pure = half("float16");
        QVERIFY(pure.invocations[0].outputs[0].type == core::DataType::Float16);
        QVERIFY(pure.layers[1].weights[0].type == core::DataType::Float16);
        const core::TypedGraph mixed = half("mixed_float16");
        QVERIFY(mixed.invocations[0].outputs[0].type == core::DataType::Float32);
        QVERIFY(mixed.invocations[1].outputs[0].type == core::DataType::Float16);
        QVERIFY(mixed.layers[1].weights[0].type == core::DataType::Float32);
        const core::TypedGraph full = half("float32");
        QVERIFY(full.invocations[1].outputs[0].type == core::DataType::Float32);
        QVERIFY(full.invocations[2].outputs[0].type == core::DataType::Float16);
    }

    void aLayerMayKeepFullPrecision() {
        const auto typeOf = [](const core::Json& dtype) {
            const core::ModelGraph model = core::sequentialModel(
                "m", {8}, {{"Dense", "a", {{"units", 4}}}, {"Dense", "b", {{"units", 4}, {"dtype", dtype}}}});
            core::InferenceOptions options;
            options.precision = *core::precisionFromName("float16");
            const core::TypedGraph typed = core::inferShapes(model, options).value();
            return std::pair(typed.invocations[2].outputs[0].type, typed.layers[2].weights[0].type);
        };
        const std::pair full(core::DataType::Float32, core::DataType::Float32);
        const std::pair half(core::DataType::Float16, core::DataType::Float16);
        QVERIFY(typeOf(core::ownPrecision("float32")) == full);
        // What Keras writes into every layer that was told nothing.
        QVERIFY(typeOf("float32") == half);
        QVERIFY(typeOf({{"class_name", "DTypePolicy"}, {"config", {{"name", "float32"}}}}) == half);
    }

    void functionsComputeInTheTypeOfTheirTensors() {
        core::ModelBuilder builder("m");
        const TensorRef x = builder.input("x", {8});
        const TensorRef half = builder.call("Dense", "a", {{"units", 4}, {"dtype", "float16"}}, {x});
        const TensorRef same = builder.call("TFOpLambda", "b", {{"function", "nn.relu"}}, {half});
        const TensorRef part = builder.call("SlicingOpLambda", "c", {{"function", "x"}}, {same});
        const TensorRef whole = builder.call("Dense", "d", {{"units", 4}}, {part});
        const TensorRef again = builder.call("TFOpLambda", "e", {{"function", "nn.relu"}}, {whole});
        const core::ModelGraph model = std::move(builder).build({again});
        const auto graph = core::inferShapes(model, withBatch(2));
        QVERIFY(graph.has_value());
        for (const std::size_t i : {1U, 2U, 3U})
            QVERIFY(graph->invocations[i].outputs[0].type == core::DataType::Float16);
        for (const std::size_t i : {0U, 4U, 5U})
            QVERIFY(graph->invocations[i].outputs[0].type == core::DataType::Float32);
    }

    void declaredOpaqueLayersHaveTheirShapeAndCost() {
        core::ModelBuilder builder("m");
        const TensorRef x = builder.input("x", {8});
        const TensorRef y = builder.call("Lambda", "mystery", {{"function", "code"}}, {x});
        const core::ModelGraph model = std::move(builder).build({y});
        core::InferenceOptions options = withBatch(4);
        options.opaqueLayers["mystery"] = {core::Shape{std::nullopt, 5, 6}, 100, 7};
        const auto graph = core::inferShapes(model, options);
        QCOMPARE(QString::fromStdString(core::toText(graph->spec(graph->outputs[0]).shape)),
                 QString("(4, 5, 6)"));
        QCOMPARE(*graph->invocations[1].flops, std::int64_t{28});
        QCOMPARE(*graph->layers[1].weights[0].shape.elementCount(), std::int64_t{100});
        options.opaqueLayers["mystery"].outputShape = core::Shape{5, 6};
        QCOMPARE(*core::inferShapes(model, options)->invocations[1].outputs[0].shape.elementCount(),
                 std::int64_t{120});
    }

    void aModelInsideTimeDistributedIsOneLayer() {
        core::ModelBuilder builder("m");
        const TensorRef x = builder.input("x", {5, 8});
        const TensorRef y = builder.call("TimeDistributed", "each", {}, {x});
        core::ModelGraph model = std::move(builder).build({y});
        model.layers[1].model = encoder();
        const auto graph = core::inferShapes(model, withBatch(2));
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().front().message.c_str());
        QCOMPARE(QString::fromStdString(core::toText(graph->spec(graph->outputs[0]).shape)),
                 QString("(2, 5, 3)"));
        QCOMPARE(graph->layers[1].weights.size(), std::size_t{2});
        QCOMPARE(graph->layers[1].weights[0].name, std::string("project/kernel"));
    }

    void nestedModelsThatMultiplyWithoutEndAreRefused() {
        auto inner = encoder();
        for (int level = 0; level < 24; ++level) {
            core::ModelBuilder builder("level");
            const TensorRef x = builder.input("x", {8});
            const TensorRef a = builder.callModel("half", inner, {x});
            const TensorRef b = builder.callModel("half", inner, {x});
            inner = std::make_shared<const core::ModelGraph>(
                std::move(builder).build({builder.call("Add", "sum", {}, {a, b})}));
        }
        const auto graph = core::inferShapes(*inner);
        QVERIFY(!graph.has_value());
        QCOMPARE(firstCode(graph.error()), QString("model/too-large"));
    }
};

REGISTER_TEST("infer_shapes", InferShapesTest)
#include "infer_shapes_test.moc"
