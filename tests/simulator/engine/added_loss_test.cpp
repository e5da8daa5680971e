#include "tests/simulator/training_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>

namespace {

/// x → hidden → output; `regularizer` of the hidden layer as JSON, and what else the model holds.
core::Project projectWith(const std::string& regularizer, const std::string& more,
                          const std::vector<std::size_t>& stages = {}) {
    const std::string layers = fmt::format(
        R"({{"class_name": "InputLayer", "name": "x", "config": {{"name": "x", "batch_input_shape": [null, 6]}}, "inbound_nodes": []}},
        {{"class_name": "Dense", "name": "hidden", "config": {{"name": "hidden", "units": 4, "activity_regularizer": {}}}, "inbound_nodes": [[["x", 0, 0, {{}}]]]}},
        {}
        {{"class_name": "Dense", "name": "output", "config": {{"name": "output", "units": 2}}, "inbound_nodes": [[["hidden", 0, 0, {{}}]]]}})",
        regularizer, more);
    core::Project project;
    project.name = "added";
    core::Diagnostics warnings;
    project.model =
        core::readKerasModelText(
            fmt::format(
                R"({{"class_name": "Functional", "config": {{"name": "added", "layers": [{}], "input_layers": [["x", 0, 0]], "output_layers": [["output", 0, 0]]}}}})",
                layers),
            "", warnings)
            .value();
    project.training.batchSize = 8;
    project.training.stepsPerExecution = 8;
    project.training.stepsPerEpoch = 32;
    project.training.optimizer = core::KerasObject{"SGD", {{"learning_rate", 0.05}}};
    project.training.losses = {core::KerasObject{"MeanSquaredError", core::Json::object()}};
    project.training.dataset = core::DatasetSpec{"synthetic", core::Json::object()};
    for (const std::size_t stage : stages)
        project.assignment.stages.emplace_back(stage);
    project.pipeline.gradientAccumulationSteps = 8;
    project.system.ipus = stages.empty() ? 1 : 2;
    return project;
}

/// Half the squares of the hidden values, summed over each sample: what an activity regularizer adds.
const std::string halfSquares =
    R"({"class_name": "TFOpLambda", "name": "square", "config": {"name": "square", "function": "math.square"}, "inbound_nodes": [["hidden", 0, 0, {}]]},
    {"class_name": "TFOpLambda", "name": "sum", "config": {"name": "sum", "function": "math.reduce_sum"}, "inbound_nodes": [["square", 0, 0, {"axis": 1}]]},
    {"class_name": "TFOpLambda", "name": "half", "config": {"name": "half", "function": "math.multiply"}, "inbound_nodes": [["sum", 0, 0, {"y": 0.5}]]},
    {"class_name": "AddLoss", "name": "added", "config": {"name": "added"}, "inbound_nodes": [[["half", 0, 0, {}]]]},)";

void compareTrained(const tests::Trained& a, const tests::Trained& b) {
    QVERIFY(!a.series("loss").empty());
    QCOMPARE(a.series("loss").size(), b.series("loss").size());
    for (std::size_t i = 0; i < a.series("loss").size(); ++i)
        QVERIFY(std::abs(a.series("loss")[i] - b.series("loss")[i]) < 1e-5);
    for (const auto& [name, values] : a.weights)
        for (std::size_t i = 0; i < values.size(); ++i)
            QVERIFY(std::abs(values[i] - b.weights.at(name)[i]) < 1e-5F);
}

} // namespace

class AddedLossTest : public QObject {
    Q_OBJECT

private slots:
    void aTermTrainsLikeTheRegularizerThatItIs() {
        const auto regularized =
            tests::train(projectWith(R"({"class_name": "L2", "config": {"l2": 0.5}})", ""));
        const auto added = tests::train(projectWith("null", halfSquares));
        const auto neither = tests::train(projectWith("null", ""));
        QVERIFY2(added.has_value(), added ? "" : core::toText(added.error().front()).c_str());
        compareTrained(*regularized, *added);
        QVERIFY(added->series("loss").front() > neither->series("loss").front());
    }

    void aTermOfAnEarlierStageReachesTheLoss() {
        const auto whole = tests::train(projectWith("null", halfSquares));
        const auto split = tests::train(projectWith("null", halfSquares, {0, 0, 0, 0, 0, 1}));
        QVERIFY2(split.has_value(), split ? "" : core::toText(split.error().front()).c_str());
        compareTrained(*whole, *split);
    }
};

REGISTER_TEST("added_loss", AddedLossTest)
#include "added_loss_test.moc"
