#include "core/config/proposed_loss.h"

#include "core/model/edit/graph_edit.h"
#include "core/model/graph/model_builder.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::Json;

class ProposedLossTest : public QObject {
    Q_OBJECT

    static core::KerasObject lossBehind(const std::string& className, const Json& attributes) {
        const core::ModelGraph model = core::sequentialModel(
            "m", {8}, {{"Dense", "a", {{"units", 4}}}, {className, "last", attributes}});
        return core::proposedLosses(model).at(0);
    }

private slots:
    void theLastLayerSaysWhichLoss() {
        QCOMPARE(lossBehind("Softmax", Json::object()).className,
                 std::string("SparseCategoricalCrossentropy"));
        QVERIFY(
            !lossBehind("Dense", {{"units", 3}, {"activation", "softmax"}}).config.contains("from_logits"));
        QCOMPARE(lossBehind("Dense", {{"units", 1}, {"activation", "sigmoid"}}).className,
                 std::string("BinaryCrossentropy"));
        QCOMPARE(lossBehind("Dense", {{"units", 3}}).config, (Json{{"from_logits", true}}));
        QCOMPARE(lossBehind("Dense", {{"units", 1}}).className, std::string("MeanSquaredError"));
    }

    void outputsThatAgreeShareOne() {
        core::ModelGraph model =
            core::sequentialModel("m", {8}, {{"Dense", "a", {{"units", 4}}}, {"Dense", "b", {{"units", 4}}}});
        model = core::setOutputs(model, {{core::InvocationId(1), 0}, {core::InvocationId(2), 0}}).value();
        QCOMPARE(core::proposedLosses(model).size(), std::size_t{1});
        model = core::addLayer(model, {"Softmax", "", Json::object()}, {{core::InvocationId(2), 0}}).value();
        QCOMPARE(core::proposedLosses(model).size(), std::size_t{2});
        QVERIFY(core::proposedLosses(core::ModelGraph{}).empty());
    }

    void aLossIsSaidInWords() {
        QCOMPARE(core::lossInWords({"SparseCategoricalCrossentropy", Json::object()}),
                 std::string("sparse categorical cross entropy"));
        QCOMPARE(core::lossInWords({"MeanSquaredError", Json::object()}), std::string("mean squared error"));
    }
};

REGISTER_TEST("proposed_loss", ProposedLossTest)
#include "proposed_loss_test.moc"
