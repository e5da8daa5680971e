#include "core/model/edit/repeat_edit.h"

#include "core/interchange/keras/keras_json.h"
#include "core/model/edit/graph_edit.h"
#include "core/model/graph/graph_structure.h"
#include "core/model/graph/model_builder.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using namespace core;

namespace {

/// A residual block: two layers and a sum with what came in.
TensorRef residual(ModelBuilder& builder, const std::string& name, TensorRef from, int units = 8) {
    TensorRef main = builder.call("Dense", name + "_dense", {{"units", units}}, {from});
    main = builder.call("ReLU", name + "_relu", Json::object(), {main});
    return builder.call("Add", name + "_add", Json::object(), {from, main});
}

/// A stem, `times` residual blocks, a head.
ModelGraph tower(int times) {
    ModelBuilder builder("tower");
    TensorRef at = builder.input("pixels", {8});
    at = builder.call("Dense", "stem", {{"units", 8}}, {at});
    for (int i = 1; i <= times; ++i)
        at = residual(builder, "block_" + std::to_string(i), at);
    return std::move(builder).build({builder.call("Dense", "head", {{"units", 3}}, {at})});
}

std::vector<std::string> namesOf(const ModelGraph& graph, const std::vector<LayerId>& layers) {
    std::vector<std::string> names;
    for (const LayerId id : layers)
        names.push_back(graph.layer(id).name);
    return names;
}

} // namespace

class RepeatEditTest : public QObject {
    Q_OBJECT

private slots:
    void equalBlocksInARowAreFound() {
        const ModelGraph graph = tower(4);
        const std::vector<RepeatedLayers> repeats = findRepeats(graph);
        QCOMPARE(repeats.size(), std::size_t{1});
        QCOMPARE(repeats[0].times(), std::size_t{4});
        QVERIFY((namesOf(graph, repeats[0].copies[2]) ==
                 std::vector<std::string>{"block_3_dense", "block_3_relu", "block_3_add"}));
        QCOMPARE(repeatTitle(graph, repeats[0]), std::string("block"));
    }

    void whatDiffersEndsARun() {
        ModelBuilder builder("tower");
        TensorRef at = builder.input("pixels", {8});
        for (int i = 1; i <= 3; ++i)
            at = residual(builder, "wide_" + std::to_string(i), at);
        TensorRef other = builder.call("Dense", "between", {{"units", 8}, {"use_bias", false}}, {at});
        for (int i = 1; i <= 2; ++i)
            other = residual(builder, "tail_" + std::to_string(i), other);
        const ModelGraph graph = std::move(builder).build({other});
        const std::vector<RepeatedLayers> repeats = findRepeats(graph);
        QCOMPARE(repeats.size(), std::size_t{2});
        QCOMPARE(repeats[0].times(), std::size_t{3});
        QCOMPARE(repeats[1].times(), std::size_t{2});
        QCOMPARE(repeatTitle(graph, repeats[1]), std::string("tail"));
        // Neither a single pair nor a chain of different layers is one.
        QVERIFY(findRepeats(sequentialModel("pair", {8},
                                            {{"Dense", "a", {{"units", 8}}}, {"Dense", "b", {{"units", 8}}}}))
                    .empty());
    }

    void aSharedLayerIsInNoBlock() {
        ModelBuilder builder("shared");
        TensorRef at = builder.input("pixels", {8});
        at = builder.call("Dense", "again", {{"units", 8}}, {at});
        for (int i = 0; i < 3; ++i)
            at = builder.callAgain("again", {at});
        QVERIFY(findRepeats(std::move(builder).build({at})).empty());
    }

    void aBlockGrowsAndItsNamesGoOnCounting() {
        const ModelGraph graph = tower(3);
        const RepeatedLayers run = findRepeats(graph).front();
        const auto grown = withRepeatCount(graph, run, 12);
        QVERIFY(grown.has_value());
        QVERIFY(checkStructure(*grown).empty());
        const std::vector<RepeatedLayers> again = findRepeats(*grown);
        QCOMPARE(again.size(), std::size_t{1});
        QCOMPARE(again[0].times(), std::size_t{12});
        QVERIFY((namesOf(*grown, again[0].copies.back()) ==
                 std::vector<std::string>{"block_12_dense", "block_12_relu", "block_12_add"}));
        // As the same model drawn at once.
        const ModelGraph drawn = tower(12);
        QCOMPARE(grown->layers.size(), drawn.layers.size());
        for (const Layer& layer : drawn.layers)
            QVERIFY2(grown->findLayer(layer.name).has_value(), layer.name.c_str());
        // And back: the model that there was.
        const auto back = withRepeatCount(*grown, again[0], 3);
        QVERIFY(back.has_value());
        QVERIFY(back->layers == graph.layers);
        QVERIFY(back->invocations == graph.invocations);
        QVERIFY(back->outputs == graph.outputs);
    }

    void theLastBlockOfAModelGivesItsOutput() {
        ModelBuilder builder("open");
        TensorRef at = builder.input("pixels", {8});
        for (int i = 1; i <= 2; ++i)
            at = residual(builder, "block_" + std::to_string(i), at);
        const ModelGraph graph = std::move(builder).build({at});
        for (const std::size_t times : {1, 2, 5}) {
            const auto edited = withRepeatCount(graph, findRepeats(graph).front(), times);
            QVERIFY(edited.has_value());
            QCOMPARE(edited->outputs.size(), std::size_t{1});
            QCOMPARE(edited->layer(edited->outputs.front().invocation).name,
                     "block_" + std::to_string(times) + "_add");
        }
    }

    void aSequentialModelStaysOne() {
        const ModelGraph graph = sequentialModel("chain", {16},
                                                 {{"Dense", "dense", {{"units", 16}}},
                                                  {"Dense", "dense_1", {{"units", 16}}},
                                                  {"Dense", "dense_2", {{"units", 16}}},
                                                  {"Dense", "logits", {{"units", 4}}}});
        const auto edited = withRepeatCount(graph, findRepeats(graph).front(), 5);
        QVERIFY(edited.has_value());
        QVERIFY(edited->kind == ModelKind::Sequential);
        QVERIFY(edited->findLayer("dense_4").has_value());
        QCOMPARE(edited->layers.back().name, std::string("logits"));
    }

    void absurdCountsAreRefused() {
        const ModelGraph graph = tower(2);
        const RepeatedLayers run = findRepeats(graph).front();
        QCOMPARE(withRepeatCount(graph, run, 0).error().front().code, std::string("edit/times"));
        QCOMPARE(withRepeatCount(graph, run, 1001).error().front().code, std::string("edit/times"));
    }

    void thousandsOfLayersAreSearched() {
        ModelBuilder builder("deep");
        TensorRef at = builder.input("pixels", {8});
        for (int i = 1; i <= 1000; ++i)
            at = residual(builder, "block_" + std::to_string(i), at);
        const std::vector<RepeatedLayers> repeats = findRepeats(std::move(builder).build({at}));
        QCOMPARE(repeats.size(), std::size_t{1});
        QCOMPARE(repeats[0].times(), std::size_t{1000});
    }
};

REGISTER_TEST("repeat_edit", RepeatEditTest)
#include "repeat_edit_test.moc"
