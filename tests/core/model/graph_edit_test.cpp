#include "core/model/edit/copied_layers.h"
#include "core/model/edit/graph_edit.h"
#include "core/model/graph/graph_structure.h"
#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/graph/model_builder.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <random>

namespace {

using core::Json;
using core::TensorRef;

core::ModelGraph chain() {
    return core::sequentialModel("m", {8},
                                 {{"Dense", "a", {{"units", 4}}},
                                  {"Activation", "b", {{"activation", "relu"}}},
                                  {"Dense", "c", {{"units", 2}}}});
}

core::InvocationId callOf(const core::ModelGraph& graph, const char* name) {
    for (const core::LayerInvocation& invocation : graph.invocations) {
        if (graph.layer(invocation.layer).name == name)
            return invocation.id;
    }
    return {};
}

core::LayerId idOf(const core::ModelGraph& graph, const char* name) {
    return graph.findLayer(name).value();
}

/// "a(x) b(a) …; outputs": the wiring in one line.
QString wiring(const core::ModelGraph& graph) {
    QStringList parts;
    for (const core::LayerInvocation& invocation : graph.invocations) {
        QStringList inputs;
        for (const TensorRef& input : invocation.inputs)
            inputs << QString::fromStdString(graph.layer(input.invocation).name);
        parts << QString::fromStdString(graph.layer(invocation.layer).name) + "(" + inputs.join(",") + ")";
    }
    QStringList outputs;
    for (const TensorRef& output : graph.outputs)
        outputs << QString::fromStdString(graph.layer(output.invocation).name);
    return parts.join(" ") + " > " + outputs.join(",");
}

QString codeOf(const core::Result<core::ModelGraph>& result) {
    return result ? QString() : QString::fromStdString(result.error().front().code);
}

QString hintOf(const core::Result<core::ModelGraph>& result) {
    return result || result.error().front().hints.empty()
               ? QString()
               : QString::fromStdString(result.error().front().hints[0]);
}

/// How many layers two models hold as the same value in memory, place by place.
std::size_t sharedLayers(const core::ModelGraph& a, const core::ModelGraph& b) {
    std::size_t shared = 0;
    for (std::size_t i = 0; i < std::min(a.layers.size(), b.layers.size()); ++i)
        shared += &a.layers[i] == &b.layers[i] ? 1 : 0;
    return shared;
}

/// Dense layers in a row behind an input.
core::ModelGraph longChain(std::size_t layers) {
    std::vector<core::SequentialEntry> entries;
    for (std::size_t i = 0; i < layers; ++i)
        entries.push_back({"Dense", "d" + std::to_string(i), {{"units", 4}}});
    return core::sequentialModel("long", {4}, entries);
}

} // namespace

class GraphEditTest : public QObject {
    Q_OBJECT

private slots:
    void whatNobodyReadsIsAnOutputOfAModelDrawnFromNothing() {
        core::ModelGraph graph;
        graph = core::addInput(graph, {"InputLayer", "x", {{"batch_input_shape", {nullptr, 8}}}}).value();
        QCOMPARE(wiring(graph), QString("x() > "));
        graph = core::addLayer(graph, {"Dense", "a"}, {{callOf(graph, "x"), 0}}).value();
        QCOMPARE(wiring(graph), QString("x() a(x) > a"));
        graph = core::addLayer(graph, {"Dense", "b"}, {{callOf(graph, "a"), 0}}).value();
        QCOMPARE(wiring(graph), QString("x() a(x) b(a) > b"));
        // A loose layer gives an output once it is fed.
        graph = core::addLayer(graph, {"Dense", "loose"}, {}).value();
        QCOMPARE(wiring(graph), QString("x() a(x) b(a) loose() > b"));
        graph = core::connect(graph, {callOf(graph, "a"), 0}, {callOf(graph, "loose"), 0}).value();
        QCOMPARE(wiring(graph), QString("x() a(x) b(a) loose(a) > b,loose"));
        // A choice stays through later edits.
        graph = core::setOutputs(graph, {{callOf(graph, "b"), 0}}).value();
        graph = core::addLayer(graph, {"Dense", "c"}, {{callOf(graph, "b"), 0}}).value();
        QCOMPARE(wiring(graph), QString("x() a(x) b(a) loose(a) c(b) > c"));
    }

    void anInputThatIsNotListedIsOnceItsShapeIsChosen() {
        core::ModelGraph before = chain();
        const core::LayerId input = before.invocation(before.inputs.front().invocation).layer;
        before.layers[input.index()].isImplicit = true;
        const auto after = core::setAttribute(before, input, "batch_input_shape", {nullptr, 16});
        QVERIFY(after);
        QVERIFY(!after->layer(input).isImplicit);
        const auto shapes = core::inferShapes(*after);
        QVERIFY(shapes);
        QCOMPARE(shapes->layers[1].weights[0].shape, (core::Shape{16, 4}));
    }

    void theModelStaysWholeWithoutItsLastLayer() {
        const core::ModelGraph before = chain();
        const auto shorter = core::removeLayers(before, {idOf(before, "c")}, core::Reconnect::No);
        QVERIFY(shorter);
        QCOMPARE(shorter->outputs, (std::vector<TensorRef>{{callOf(*shorter, "b"), 0}}));
        QVERIFY(core::inferShapes(*shorter).has_value());
    }

    void aCutThatIsHealedLeavesNoOutputBehind() {
        const core::ModelGraph before = chain();
        const auto cut = core::disconnect(before, {callOf(before, "c"), 0});
        QVERIFY(cut);
        QCOMPARE(cut->outputs.size(), std::size_t{2});
        const auto healed = core::connect(*cut, {callOf(*cut, "b"), 0}, {callOf(*cut, "c"), 0});
        QVERIFY(healed);
        QCOMPARE(healed->outputs, (std::vector<TensorRef>{{callOf(*healed, "c"), 0}}));
    }

    void anEditCopiesTheLayersItChangesAlone() {
        const core::ModelGraph before = longChain(500);
        const core::LayerId layer = idOf(before, "d250");
        const auto changed = core::setAttribute(before, layer, "units", 5);
        QVERIFY(changed);
        QCOMPARE(sharedLayers(before, *changed), std::size_t{500}); // the input and 499 others
        QVERIFY(&before.layers[layer.index()] != &changed->layers[layer.index()]);
        QCOMPARE(before.layer(layer).config["units"], Json(4));
        QCOMPARE(changed->layer(layer).config["units"], Json(5));
        const auto renamed = core::renameLayer(*changed, layer, "other");
        QVERIFY(renamed);
        QCOMPARE(sharedLayers(before, *renamed), std::size_t{500});
        const auto added =
            core::addLayer(before, {"Dense", "last", {{"units", 4}}}, {before.outputs.front()});
        QVERIFY(added);
        QCOMPARE(sharedLayers(before, *added), std::size_t{501});
        const auto removed = core::removeLayers(before, {layer}, core::Reconnect::Yes);
        QVERIFY(removed);
        QCOMPARE(sharedLayers(before, *removed), layer.index()); // those behind it get other numbers
        QCOMPARE(before, longChain(500));
    }

    void aSequentialModelGrowsAtItsEnd() {
        const auto edited = core::addLayer(chain(), {"Softmax", "", {}}, {{callOf(chain(), "c"), 0}});
        QCOMPARE(wiring(*edited), QString("input_1() a(input_1) b(a) c(b) softmax(c) > softmax"));
        QVERIFY(edited->kind == core::ModelKind::Sequential);
    }

    void aLayerSplicedIntoAnEdgeKeepsTheChain() {
        const auto edited =
            core::insertOnEdge(chain(), {callOf(chain(), "b"), 0}, {"BatchNormalization", "norm", {}});
        QCOMPARE(wiring(*edited), QString("input_1() a(input_1) norm(a) b(norm) c(b) > c"));
        QVERIFY(edited->kind == core::ModelKind::Sequential);
        QVERIFY(core::checkStructure(*edited).empty());
    }

    void aBranchMakesTheModelFunctional() {
        const core::ModelGraph graph = chain();
        const auto branched =
            core::addLayer(graph, {"Dense", "side", {{"units", 2}}}, {{callOf(graph, "a"), 0}});
        QVERIFY(branched->kind == core::ModelKind::Functional);
        QCOMPARE(wiring(*branched), QString("input_1() a(input_1) b(a) c(b) side(a) > c,side"));
        const auto joined = core::addLayer(*branched, {"Add", "", {}},
                                           {{callOf(*branched, "c"), 0}, {callOf(*branched, "side"), 0}});
        QCOMPARE(wiring(*joined), QString("input_1() a(input_1) b(a) c(b) side(a) add(c,side) > add"));
        QVERIFY(core::inferShapes(*joined).has_value());
    }

    void removingReconnectsOrNot() {
        const core::ModelGraph graph = chain();
        const auto joined = core::removeLayers(graph, {idOf(graph, "b")}, core::Reconnect::Yes);
        QCOMPARE(wiring(*joined), QString("input_1() a(input_1) c(a) > c"));
        QVERIFY(joined->kind == core::ModelKind::Sequential);
        const auto cut = core::removeLayers(graph, {idOf(graph, "b")}, core::Reconnect::No);
        QCOMPARE(wiring(*cut), QString("input_1() a(input_1) c() > c,a"));
        QVERIFY(cut->kind == core::ModelKind::Functional);
        const auto last =
            core::removeLayers(graph, {idOf(graph, "c"), idOf(graph, "b")}, core::Reconnect::Yes);
        QCOMPARE(wiring(*last), QString("input_1() a(input_1) > a"));
    }

    void namesStayUnique() {
        const core::ModelGraph graph = chain();
        QCOMPARE(
            core::renameLayer(graph, idOf(graph, "a"), "first")->layers[1].config["name"].get<std::string>(),
            std::string("first"));
        const auto taken = core::renameLayer(graph, idOf(graph, "a"), "c");
        QCOMPARE(codeOf(taken), QString("edit/duplicate-name"));
        QCOMPARE(hintOf(taken), QString("the next free name is \"c_1\""));
        QCOMPARE(codeOf(core::renameLayer(graph, idOf(graph, "a"), "")), QString("edit/name"));
        QCOMPARE(codeOf(core::addLayer(graph, {"Dense", "a", {}}, {})), QString("edit/duplicate-name"));
    }

    void attributesAreSetWithinTheirRules() {
        const core::ModelGraph graph = chain();
        const core::LayerId a = idOf(graph, "a");
        QCOMPARE(core::setAttribute(graph, a, "units", 16)->layers[1].config["units"].get<int>(), 16);
        const auto zero = core::setAttribute(graph, a, "units", 0);
        QCOMPARE(codeOf(zero), QString("edit/attribute"));
        QCOMPARE(hintOf(zero), QString("the nearest legal value is 1"));
        QCOMPARE(codeOf(core::setAttribute(graph, a, "units", "many")), QString("edit/attribute"));
        QCOMPARE(codeOf(core::setAttribute(graph, a, "units", nullptr)), QString("edit/attribute"));
        const auto unknown = core::setAttribute(graph, a, "unit", 3);
        QCOMPARE(codeOf(unknown), QString("edit/unknown-attribute"));
        QCOMPARE(hintOf(unknown), QString("did you mean \"units\"?"));
        const auto activated = core::setAttribute(graph, a, "activation", "tanh");
        QCOMPARE(activated->layers[1].config["activation"].get<std::string>(), std::string("tanh"));
        const auto plain = core::setAttribute(*activated, a, "activation", nullptr);
        QVERIFY(plain->layers[1].config["activation"].is_null());
        const auto frozen = core::setAttribute(graph, a, "trainable", false);
        QVERIFY(!frozen->layers[1].trainable && frozen->layers[1].config["trainable"] == false);
    }

    void rulesAcrossAttributesHold() {
        core::ModelBuilder builder("m");
        const TensorRef x = builder.input("x", {9, 9, 1});
        const TensorRef y =
            builder.call("Conv2D", "conv", {{"filters", 1}, {"kernel_size", 3}, {"strides", 2}}, {x});
        const core::ModelGraph graph = std::move(builder).build({y});
        const auto dilated = core::setAttribute(graph, core::LayerId(1), "dilation_rate", 2);
        QCOMPARE(codeOf(dilated), QString("edit/attribute"));
        QVERIFY(dilated.error().front().message.find("exclude") != std::string::npos);
    }

    void connectionsNeverMakeACycle() {
        const core::ModelGraph graph = core::toFunctional(chain());
        const auto cycle = core::connect(graph, {callOf(graph, "c"), 0}, {callOf(graph, "a"), 0});
        QCOMPARE(codeOf(cycle), QString("edit/cycle"));
        QCOMPARE(codeOf(core::connect(graph, {callOf(graph, "a"), 0}, {callOf(graph, "a"), 0})),
                 QString("edit/cycle"));
        QCOMPARE(codeOf(core::connect(graph, {callOf(graph, "a"), 0}, {callOf(graph, "c"), 1})),
                 QString("edit/too-many-inputs"));
        QCOMPARE(codeOf(core::connect(graph, {callOf(graph, "a"), 0}, {callOf(graph, "input_1"), 0})),
                 QString("edit/too-many-inputs"));
        const auto skipped = core::connect(graph, {callOf(graph, "a"), 0}, {callOf(graph, "c"), 0});
        QCOMPARE(wiring(*skipped), QString("input_1() a(input_1) b(a) c(a) > c,b"));
        const auto loose = core::disconnect(*skipped, {callOf(*skipped, "c"), 0});
        QCOMPARE(wiring(*loose), QString("input_1() a(input_1) b(a) c() > c,b"));
    }

    void inputsThatArePassedByNameKeepTheirNames() {
        core::ModelBuilder builder("m");
        const TensorRef x = builder.input("x", {5, 8});
        const TensorRef y = builder.input("y", {6, 8});
        const TensorRef a =
            builder.call("MultiHeadAttention", "a", {{"num_heads", 2}, {"key_dim", 4}}, {x, y});
        const core::ModelGraph graph = std::move(builder).build({a});
        QCOMPARE(graph.invocation(a.invocation).arguments.dump(), std::string(R"({"value":{"$input":1}})"));
        const auto more = core::connect(graph, y, {a.invocation, 2});
        QCOMPARE(more->invocation(a.invocation).arguments.dump(),
                 std::string(R"({"value":{"$input":1},"key":{"$input":2}})"));
        const auto less = core::disconnect(*more, {a.invocation, 1});
        QCOMPARE(less->invocation(a.invocation).arguments.dump(), std::string(R"({"key":{"$input":1}})"));
        QVERIFY(core::inferShapes(*less).has_value());
    }

    void copiesHaveTheirOwnNamesAndWiring() {
        const core::ModelGraph graph = core::toFunctional(chain());
        const std::vector<core::LayerId> pair{idOf(graph, "a"), idOf(graph, "b")};
        const auto kept = core::duplicateLayers(graph, pair, core::IncomingEdges::Keep);
        QCOMPARE(wiring(*kept), QString("input_1() a(input_1) b(a) c(b) a_1(input_1) b_1(a_1) > c,b_1"));
        const auto dropped = core::duplicateLayers(graph, pair, core::IncomingEdges::Drop);
        QCOMPARE(wiring(*dropped), QString("input_1() a(input_1) b(a) c(b) a_1() b_1(a_1) > c"));
    }

    void copiesAreCountedOnAsKerasCounts() {
        core::ModelGraph graph = core::toFunctional(chain());
        const auto copyOf = [&](const char* name) {
            graph = core::duplicateLayers(graph, {idOf(graph, name)}, core::IncomingEdges::Keep).value();
            return graph.layers.back().name;
        };
        QCOMPARE(copyOf("a"), std::string("a_1"));
        QCOMPARE(copyOf("a"), std::string("a_2"));
        QCOMPARE(copyOf("a_1"), std::string("a_3"));
        QCOMPARE(copyOf("input_1"), std::string("input_2"));
        const auto pasted =
            core::pasteLayers(graph, core::copyLayers(graph, {idOf(graph, "a_3")}), false).value();
        QCOMPARE(pasted.layers.back().name, std::string("a_4"));
        // What was cut comes back under its own name.
        const auto copied = core::copyLayers(graph, {idOf(graph, "a_2")});
        const auto cut = core::removeLayers(graph, {idOf(graph, "a_2")}, core::Reconnect::No).value();
        QCOMPARE(core::pasteLayers(cut, copied, false).value().layers.back().name, std::string("a_2"));
    }

    void anotherClassKeepsWhatItShares() {
        const core::ModelGraph graph = core::sequentialModel(
            "m", {5, 8},
            {{"LSTM", "r", {{"units", 6}, {"return_sequences", true}, {"unit_forget_bias", false}}}});
        const auto gru = core::replaceClass(graph, core::LayerId(1), "GRU");
        QCOMPARE(gru->layers[1].className, std::string("GRU"));
        QCOMPARE(gru->layers[1].config["units"].get<int>(), 6);
        QCOMPARE(gru->layers[1].config["return_sequences"].get<bool>(), true);
        QVERIFY(!gru->layers[1].config.contains("unit_forget_bias"));
        QCOMPARE(gru->layers[1].name, std::string("r"));
        QCOMPARE(codeOf(core::replaceClass(graph, core::LayerId(1), "Denze")), QString("edit/unknown-class"));
    }

    void aFurtherCallSharesWeights() {
        const core::ModelGraph graph = core::sequentialModel("m", {4}, {{"Dense", "a", {{"units", 4}}}});
        const auto twice = core::addCall(graph, core::LayerId(1), {{core::InvocationId(1), 0}});
        QCOMPARE(wiring(*twice), QString("input_1() a(input_1) a(a) > a"));
        QCOMPARE(twice->invocations[2].call, 1U);
        QCOMPARE(core::inferShapes(*twice)->layers.size(), std::size_t{2});
    }

    void aPieceBecomesANestedModelAndComesBack() {
        const core::ModelGraph graph = core::toFunctional(chain());
        const auto nested = core::nestLayers(graph, {idOf(graph, "a"), idOf(graph, "b")}, "block");
        QVERIFY2(nested.has_value(), nested ? "" : nested.error().front().message.c_str());
        QCOMPARE(wiring(*nested), QString("input_1() c(block) block(input_1) > c"));
        QVERIFY(core::checkStructure(*nested).empty());
        const auto before = core::inferShapes(graph);
        const auto inside = core::inferShapes(*nested);
        QCOMPARE(inside->layers.size(), before->layers.size());
        QCOMPARE(inside->layers[1].path, std::string("block/a"));
        const auto opened = core::expandModel(*nested, idOf(*nested, "block"));
        QCOMPARE(wiring(*opened), QString("input_1() c(b) a(input_1) b(a) > c"));
    }

    void aNestedModelThatIsCalledTwiceExpandsToSharedLayers() {
        const core::ModelGraph graph = core::sequentialModel("m", {4}, {{"Dense", "a", {{"units", 4}}}});
        const auto nested = core::nestLayers(graph, {core::LayerId(1)}, "block");
        const auto twice = core::addCall(*nested, idOf(*nested, "block"), {{callOf(*nested, "block"), 0}});
        QCOMPARE(wiring(*twice), QString("input_1() block(input_1) block(block) > block"));
        const auto opened = core::expandModel(*twice, idOf(*twice, "block"));
        QCOMPARE(wiring(*opened), QString("input_1() a(input_1) a(a) > a"));
        QVERIFY(core::checkStructure(*opened).empty());
    }

    void aBlockThatEnclosesALayerIsRefused() {
        const core::ModelGraph graph = core::toFunctional(chain());
        const auto nested = core::nestLayers(graph, {idOf(graph, "a"), idOf(graph, "c")}, "block");
        QCOMPARE(codeOf(nested), QString("edit/cycle"));
        QCOMPARE(codeOf(core::nestLayers(graph, {idOf(graph, "input_1")}, "block")),
                 QString("edit/input-layer"));
    }

    void refusalsSayInputAndNoNameOfAClass() {
        const core::ModelGraph graph = core::toFunctional(chain());
        const core::LayerId input = idOf(graph, "input_1");
        const std::vector<core::Result<core::ModelGraph>> refused{
            core::nestLayers(graph, {input}, "block"), core::addCall(graph, input, {}),
            core::connect(graph, {callOf(graph, "a"), 0}, {callOf(graph, "input_1"), 0}),
            core::replaceClass(graph, input, "Dense")};
        for (const core::Result<core::ModelGraph>& each : refused) {
            QVERIFY(!each.has_value());
            QVERIFY(each.error().front().message.find("input") != std::string::npos);
            QVERIFY(each.error().front().message.find("InputLayer") == std::string::npos);
        }
    }

    void aBlockRepeatsInARow() {
        const core::ModelGraph graph = core::sequentialModel(
            "m", {4}, {{"Dense", "a", {{"units", 4}}}, {"ReLU", "b"}, {"Softmax", "c"}});
        const auto three = core::repeatLayers(graph, {idOf(graph, "a"), idOf(graph, "b")}, 3);
        QCOMPARE(wiring(*three),
                 QString("input_1() a(input_1) b(a) a_1(b) b_1(a_1) a_2(b_1) b_2(a_2) c(b_2) > c"));
        QVERIFY(three->kind == core::ModelKind::Sequential);
        QVERIFY(*core::repeatLayers(graph, {idOf(graph, "a")}, 1) == graph);
        QCOMPARE(codeOf(core::repeatLayers(graph, {idOf(graph, "a")}, 0)), QString("edit/times"));
        QCOMPARE(codeOf(core::repeatLayers(graph, {idOf(graph, "a"), idOf(graph, "c")}, 2)),
                 QString("edit/not-one-way"));
    }

    void stagesFollowTheirCallsThroughAnEdit() {
        const core::ModelGraph graph = chain();
        const auto edited = core::insertOnEdge(graph, {callOf(graph, "b"), 0}, {"Dropout", "", {}});
        const auto match = core::matchAssignable(graph, *edited);
        QCOMPARE(match.size(), std::size_t{4});
        QCOMPARE(match[0], std::optional<std::size_t>(0));
        QVERIFY(!match[1].has_value());
        QCOMPARE(match[3], std::optional<std::size_t>(2));
    }

    void randomEditsKeepTheInvariants() {
        std::mt19937 random(11); // NOLINT: the same every time
        const auto below = [&](std::size_t count) { return count == 0 ? 0 : random() % count; };
        std::size_t accepted = 0;
        for (int run = 0; run < 40; ++run) {
            core::ModelGraph graph = chain();
            for (int step = 0; step < 40; ++step) {
                const auto tensor = [&] {
                    return TensorRef{core::InvocationId(below(graph.invocations.size())), 0};
                };
                const auto layer = [&] { return core::LayerId(below(graph.layers.size())); };
                const core::InputSlot slot{core::InvocationId(below(graph.invocations.size())), below(3)};
                const core::NewLayer made{
                    core::layerCatalogue()[below(core::layerCatalogue().size())].className, "", {}};
                const auto edited = [&]() -> core::Result<core::ModelGraph> {
                    switch (below(13)) {
                    case 0:
                        return core::addLayer(graph, made, {tensor()});
                    case 1:
                        return core::addLayer(graph, made, {tensor(), tensor()});
                    case 2:
                        return core::removeLayers(graph, {layer()}, core::Reconnect(below(2) == 1));
                    case 3:
                        return core::connect(graph, tensor(), slot);
                    case 4:
                        return core::disconnect(graph, slot);
                    case 5:
                        return core::insertOnEdge(graph, slot, made);
                    case 6:
                        return core::duplicateLayers(graph, {layer(), layer()},
                                                     core::IncomingEdges(below(2) == 1));
                    case 7:
                        return core::addCall(graph, layer(), {tensor()});
                    case 10:
                        return core::nestLayers(graph, {layer(), layer()}, "block");
                    case 11:
                        return core::expandModel(graph, layer());
                    case 12:
                        return core::repeatLayers(graph, {layer()}, 2);
                    case 8:
                        return core::replaceClass(graph, layer(), made.className);
                    default:
                        return core::renameLayer(graph, layer(), "name_" + std::to_string(below(30)));
                    }
                }();
                if (!edited) {
                    QVERIFY(!edited.error().empty());
                    continue;
                }
                const core::Diagnostics findings = core::checkStructure(*edited);
                QVERIFY2(findings.empty(), findings.empty() ? "" : core::toText(findings.front()).c_str());
                static_cast<void>(core::inferKnownShapes(*edited));
                graph = *edited;
                ++accepted;
                if (graph.layers.empty() || graph.layers.size() > 60)
                    break;
            }
        }
        QVERIFY(accepted > 500);
    }
};

REGISTER_TEST("graph_edit", GraphEditTest)
#include "graph_edit_test.moc"
