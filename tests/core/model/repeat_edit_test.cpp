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

/// An encoder of residual blocks, and a decoder whose blocks read what goes on and what the encoder gave.
ModelGraph encoderAndDecoder(int times) {
    ModelBuilder builder("both");
    TensorRef memory = builder.input("source", {8});
    for (int i = 1; i <= 3; ++i)
        memory = residual(builder, "encoder_" + std::to_string(i), memory);
    TensorRef at = builder.input("target", {8});
    for (int i = 1; i <= times; ++i) {
        const std::string name = "decoder_" + std::to_string(i);
        const TensorRef own = builder.call("Dense", name + "_own", {{"units", 8}}, {at});
        const TensorRef cross = builder.call("Multiply", name + "_cross", Json::object(), {own, memory});
        at = builder.call("Add", name + "_add", Json::object(), {at, cross});
    }
    return std::move(builder).build({builder.call("Dense", "head", {{"units", 3}}, {at})});
}

} // namespace

class RepeatEditTest : public QObject {
    Q_OBJECT

private slots:
    void blocksThatReadATensorBesideAreFoundAndCounted() {
        const ModelGraph graph = encoderAndDecoder(4);
        std::vector<RepeatedLayers> repeats = findRepeats(graph);
        QCOMPARE(repeats.size(), std::size_t{2});
        const RepeatedLayers* decoder = nullptr;
        for (const RepeatedLayers& run : repeats)
            decoder = repeatTitle(graph, run) == "decoder" ? &run : decoder;
        QVERIFY(decoder != nullptr);
        QCOMPARE(decoder->times(), std::size_t{4});
        const auto more = withRepeatCount(graph, *decoder, 6);
        QVERIFY(more.has_value());
        const ModelGraph six = encoderAndDecoder(6);
        QCOMPARE(more->layers.size(), six.layers.size());
        for (const LayerInvocation& call : more->invocations) {
            const std::string& name = more->layer(call.layer).name;
            if (name.find("_cross") != std::string::npos)
                QCOMPARE(more->layer(call.inputs[1].invocation).name, std::string("encoder_3_add"));
            if (name == "decoder_6_own")
                QCOMPARE(more->layer(call.inputs[0].invocation).name, std::string("decoder_5_add"));
        }
        QVERIFY(checkStructure(*more).empty());
        const auto fewer = withRepeatCount(graph, *decoder, 2);
        QVERIFY(fewer.has_value());
        QCOMPARE(fewer->layers.size(), encoderAndDecoder(2).layers.size());
    }

    void aBlockWithATensorBesideIsRepeated() {
        const ModelGraph graph = encoderAndDecoder(1);
        std::vector<LayerId> block;
        for (const char* name : {"decoder_1_own", "decoder_1_cross", "decoder_1_add"})
            block.push_back(*graph.findLayer(name));
        const auto three = repeatLayers(graph, block, 3);
        QVERIFY2(three.has_value(), three ? "" : three.error().front().message.c_str());
        QCOMPARE(three->layers.size(), encoderAndDecoder(3).layers.size());
        int readers = 0;
        for (const LayerInvocation& call : three->invocations) {
            for (const TensorRef& input : call.inputs)
                readers += three->layer(input.invocation).name == "encoder_3_add" ? 1 : 0;
        }
        QCOMPARE(readers, 3);
        QVERIFY(checkStructure(*three).empty());
    }

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
