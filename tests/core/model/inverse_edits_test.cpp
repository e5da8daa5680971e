#include "core/model/edit/copied_layers.h"
#include "core/model/edit/graph_edit.h"
#include "core/model/graph/graph_structure.h"
#include "tests/support/random_graphs.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <random>

namespace {

using core::LayerId;
using core::ModelGraph;
using core::TensorRef;
using tests::forRandomGraphs;
using tests::someLayer;

/// Name of each layer with the names of what its calls read: what a person sees, whatever the order is.
QStringList drawn(const ModelGraph& graph) {
    QStringList lines;
    for (const core::LayerInvocation& call : graph.invocations) {
        QString line =
            QString::fromStdString(graph.layer(call.layer).name + " " + graph.layer(call.layer).className);
        for (const TensorRef& input : call.inputs)
            line += QString::fromStdString(" " + graph.layer(input.invocation).name);
        lines << line;
    }
    lines.sort();
    QStringList outputs;
    for (const TensorRef& output : graph.outputs)
        outputs << QString::fromStdString(graph.layer(output.invocation).name);
    outputs.sort();
    return lines << "gives " + outputs.join(' ');
}

} // namespace

/// What one edit does, another takes back, on random graphs.
class InverseEditsTest : public QObject {
    Q_OBJECT

private slots:
    void aLayerOnAnEdgeIsTakenOutAgain() {
        forRandomGraphs([](std::mt19937& random, const ModelGraph& graph) {
            const core::InvocationId call(1 + random() % (graph.invocations.size() - 1));
            const auto more = core::insertOnEdge(graph, {call, 0}, {"Activation", "new"});
            QVERIFY(more);
            const auto back =
                core::removeLayers(*more, {more->findLayer("new").value()}, core::Reconnect::Yes);
            QVERIFY(back);
            QCOMPARE(drawn(*back), drawn(graph));
        });
    }

    void aNestedModelIsExpandedToWhatItWas() {
        forRandomGraphs([](std::mt19937& random, const ModelGraph& graph) {
            const std::vector<LayerId> layers{someLayer(random, graph), someLayer(random, graph)};
            const auto nested = core::nestLayers(graph, layers, "inner");
            if (!nested)
                return; // they enclose another layer
            QVERIFY(core::checkStructure(*nested).empty());
            const auto back = core::expandModel(*nested, nested->findLayer("inner").value());
            QVERIFY(back);
            QCOMPARE(drawn(*back), drawn(graph));
        });
    }

    void anotherNameIsTakenBack() {
        forRandomGraphs([](std::mt19937& random, const ModelGraph& graph) {
            const LayerId layer = someLayer(random, graph);
            const auto renamed = core::renameLayer(graph, layer, "other");
            QVERIFY(renamed);
            QVERIFY(*renamed != graph);
            QCOMPARE(core::renameLayer(*renamed, layer, graph.layer(layer).name).value(), graph);
        });
    }

    void copiesAreRemovedWithoutATrace() {
        forRandomGraphs([](std::mt19937& random, const ModelGraph& graph) {
            const std::vector<LayerId> layers{someLayer(random, graph)};
            const auto doubled = core::duplicateLayers(graph, layers, core::IncomingEdges::Keep);
            QVERIFY(doubled);
            std::vector<LayerId> copies;
            for (std::size_t i = graph.layers.size(); i < doubled->layers.size(); ++i)
                copies.emplace_back(i);
            QCOMPARE(copies.size(), layers.size());
            const auto back = core::removeLayers(*doubled, copies, core::Reconnect::No);
            QVERIFY(back);
            QCOMPARE(drawn(*back), drawn(graph));
        });
    }

    void copiedLayersReadBackFromTheirText() {
        forRandomGraphs([](std::mt19937& random, const ModelGraph& graph) {
            const auto copied = core::copyLayers(graph, {someLayer(random, graph), someLayer(random, graph)});
            QVERIFY(!copied.empty());
            QVERIFY(core::copiedLayersOfText(core::textOfCopiedLayers(copied)) == copied);
        });
    }

    void allThatIsCopiedIsPastedIntoAnEmptyModelAsItWas() {
        forRandomGraphs([](std::mt19937&, const ModelGraph& graph) {
            std::vector<LayerId> all;
            for (const core::Layer& layer : graph.layers)
                all.push_back(layer.id);
            const auto pasted = core::pasteLayers({}, core::copyLayers(graph, all), false);
            QVERIFY(pasted);
            QCOMPARE(pasted->layers.size(), graph.layers.size());
            for (std::size_t i = 0; i < graph.invocations.size(); ++i)
                QCOMPARE(pasted->invocations[i].inputs, graph.invocations[i].inputs);
        });
    }

    void aTextThatIsNoneOfCopiedLayersGivesNone() {
        for (const char* text :
             {"", "ipu-workbench-layers", R"({"ipu-workbench-layers": 5})",
              R"([{"ipu-workbench-layers": []}])", R"({"ipu-workbench-layers": [1, "a"]})"})
            QVERIFY2(core::copiedLayersOfText(text).empty(), text);
    }

    /// Else the model could be saved, and not be opened again.
    void anOutputThatAnInputDoesNotHaveIsRefused() {
        forRandomGraphs([](std::mt19937&, const ModelGraph& graph) {
            const auto pasted =
                core::pasteLayers(graph, {{"Dense", "new", {{"units", 2}}, {{"x", 1}}}}, true);
            QVERIFY(!pasted);
            QCOMPARE(pasted.error().front().message, std::string("there is no output 1"));
            QVERIFY(!core::addCall(graph, LayerId(1), {{core::InvocationId(0), 1}}));
        });
    }

    void anOutputBeyondAllNumbersIsNoInput() {
        const auto layers = core::copiedLayersOfText(
            R"({"ipu-workbench-layers": [{"class_name": "Dense", "name": "a", "inputs":
                [{"layer": "x", "output": 4294967296}, {"layer": "y", "output": 1}, {"layer": "z", "output": -1}]}]})");
        QCOMPARE(layers.size(), std::size_t{1});
        QCOMPARE(layers[0].inputs.size(), std::size_t{2});
        QCOMPARE(layers[0].inputs[0].layer, std::string("y"));
        QCOMPARE(layers[0].inputs[0].output, 1U);
        QCOMPARE(layers[0].inputs[1].output, 0U);
    }
};

REGISTER_TEST("inverse_edits", InverseEditsTest)
#include "inverse_edits_test.moc"
