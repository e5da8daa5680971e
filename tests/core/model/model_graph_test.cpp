#include "core/model/graph/graph_structure.h"
#include "core/model/graph/model_builder.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

using core::Json;
using core::TensorRef;

QString names(const core::ModelGraph& graph, const std::vector<core::InvocationId>& order) {
    QStringList list;
    for (const core::InvocationId id : order) {
        const std::uint32_t call = graph.invocation(id).call;
        list << QString::fromStdString(graph.layer(id).name) +
                    (call > 0 ? QString(":%1").arg(call) : QString());
    }
    return list.join(" ");
}

TensorRef dense(core::ModelBuilder& builder, const char* name, TensorRef input) {
    return builder.call("Dense", name, {{"units", 4}}, {input});
}

} // namespace

class ModelGraphTest : public QObject {
    Q_OBJECT

private slots:
    void aChainRunsInOrder() {
        const core::ModelGraph graph = core::sequentialModel(
            "m", {4}, {{"Dense", "a", {{"units", 4}}}, {"Activation", "b", {{"activation", "relu"}}}});
        QCOMPARE(names(graph, core::postOrder(graph)), QString("input_1 a b"));
        QCOMPARE(names(graph, core::assignableInvocations(graph)), QString("a b"));
        QVERIFY(core::checkStructure(graph).empty());
    }

    void branchesStandByDepthThenByInsertion() {
        // The long branch comes first where it is deeper; b and c share a depth and are in the order in which
        // the sum lists them.
        core::ModelBuilder builder("m");
        const TensorRef x = builder.input("x", {4});
        const TensorRef c = dense(builder, "c", x);
        const TensorRef a = dense(builder, "a", x);
        const TensorRef b = dense(builder, "b", a);
        const TensorRef sum = builder.call("Add", "sum", {}, {b, c});
        const core::ModelGraph graph = std::move(builder).build({sum});
        QCOMPARE(names(graph, core::postOrder(graph)), QString("x a b c sum"));
    }

    void aSharedLayerTakesItsCallsToItsGreatestDepth() {
        core::ModelBuilder builder("m");
        const TensorRef x = builder.input("x", {4});
        const TensorRef y = builder.input("y", {4});
        const TensorRef once = dense(builder, "shared", x);
        const TensorRef middle = dense(builder, "middle", once);
        const TensorRef twice = builder.callAgain("shared", {y});
        const TensorRef sum = builder.call("Add", "sum", {}, {twice, middle});
        const core::ModelGraph graph = std::move(builder).build({sum});
        // The second call would be beside "middle"; its layer was met deeper. It was noted first.
        QCOMPARE(names(graph, core::assignableInvocations(graph)), QString("shared:1 shared middle sum"));
        QCOMPARE(graph.invocations[3].call, 1U);
    }

    void severalOutputsStartTogether() {
        core::ModelBuilder builder("m");
        const TensorRef x = builder.input("x", {4});
        const TensorRef first = dense(builder, "first", x);
        const TensorRef second = dense(builder, "second", x);
        const core::ModelGraph graph = std::move(builder).build({second, first});
        // The depth-first walk ends with the last output; noting depths starts from there.
        QCOMPARE(names(graph, core::postOrder(graph)), QString("x first second"));
    }

    void callsThatLeadNowhereStillHaveAPlace() {
        core::ModelBuilder builder("m");
        const TensorRef x = builder.input("x", {4});
        dense(builder, "dangling", x);
        const TensorRef y = dense(builder, "y", x);
        const core::ModelGraph graph = std::move(builder).build({y});
        QCOMPARE(core::postOrder(graph).size(), std::size_t{3});
    }

    void tenThousandLayersAreNoTrouble() {
        core::ModelBuilder builder("m");
        TensorRef tensor = builder.input("x", {4});
        for (int i = 0; i < 10000; ++i)
            tensor = builder.call("ReLU", "relu_" + std::to_string(i), {}, {tensor});
        const core::ModelGraph graph = std::move(builder).build({tensor});
        QCOMPARE(core::postOrder(graph).size(), std::size_t{10001});
        QVERIFY(core::checkStructure(graph).empty());
    }

    void everyBrokenInvariantIsFound_data() {
        QTest::addColumn<int>("fault");
        QTest::addColumn<QString>("code");
        QTest::newRow("id") << 0 << "model/identity";
        QTest::newRow("two of one name") << 1 << "model/duplicate-name";
        QTest::newRow("no name") << 2 << "model/empty-name";
        QTest::newRow("input that does not exist") << 3 << "model/identity";
        QTest::newRow("model output that does not exist") << 4 << "model/output";
        QTest::newRow("model input that is no InputLayer") << 5 << "model/input";
        QTest::newRow("cycle") << 6 << "model/cycle";
        QTest::newRow("call numbers") << 7 << "model/identity";
        QTest::newRow("Sequential with a branch") << 8 << "model/not-sequential";
    }
    void everyBrokenInvariantIsFound() {
        QFETCH(int, fault);
        core::ModelBuilder builder("m");
        const TensorRef x = builder.input("x", {4});
        const TensorRef a = dense(builder, "a", x);
        const TensorRef b = dense(builder, "b", x);
        core::ModelGraph graph = std::move(builder).build({builder.call("Add", "sum", {}, {a, b})});
        QVERIFY(core::checkStructure(graph).empty());
        switch (fault) {
        case 0:
            graph.layers[1].id = core::LayerId(7);
            break;
        case 1:
            graph.layers[1].name = "b";
            break;
        case 2:
            graph.layers[1].name.clear();
            break;
        case 3:
            graph.invocations[1].inputs[0].invocation = core::InvocationId(99);
            break;
        case 4:
            graph.outputs[0].invocation = core::InvocationId();
            break;
        case 5:
            graph.inputs[0] = a;
            break;
        case 6:
            graph.invocations[1].inputs[0] = {core::InvocationId(3), 0};
            break;
        case 7:
            graph.invocations[1].call = 3;
            break;
        default:
            graph.kind = core::ModelKind::Sequential;
        }
        const core::Diagnostics findings = core::checkStructure(graph);
        QVERIFY(!findings.empty());
        QTEST(QString::fromStdString(findings.front().code), "code");
        // Whatever is wrong, walking it ends.
        if (fault == 6)
            QCOMPARE(core::postOrder(graph).size(), std::size_t{4});
    }
};

REGISTER_TEST("model_graph", ModelGraphTest)
#include "model_graph_test.moc"
