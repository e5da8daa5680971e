#include "simulator/compiler/staging/build_training_graph.h"

#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/model_builder.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <set>

using core::Json;
using simulator::Operation;
using simulator::TrainingGraph;
using simulator::TrainingGraphOptions;

namespace {

core::TypedGraph typed(const core::ModelGraph& model, std::int64_t batch = 4) {
    core::InferenceOptions options;
    options.batchSize = batch;
    return *core::inferShapes(model, options);
}

core::ModelGraph twoDense() {
    return core::sequentialModel("m", {6},
                                 {{"Dense", "first", {{"units", 5}, {"activation", "relu"}}},
                                  {"Dense", "second", {{"units", 3}, {"activation", "softmax"}}}});
}

TrainingGraphOptions training(bool accumulates) {
    TrainingGraphOptions options;
    options.training.optimizer = core::KerasObject{"SGD", {{"momentum", 0.9}}};
    options.training.losses = {{"SparseCategoricalCrossentropy", Json::object()}};
    options.training.metrics = {{"accuracy", Json::object()}};
    options.accumulates = accumulates;
    options.microBatches = accumulates ? 8 : 1;
    return options;
}

/// One line per operation: name, kind, inputs → outputs.
std::string listing(const TrainingGraph& graph) {
    std::string text;
    for (const Operation& operation : graph.operations) {
        text += operation.name + " = " + std::string(kindName(operation.attributes)) + "(";
        for (std::size_t i = 0; i < operation.inputs.size(); ++i)
            text += (i == 0 ? "" : ", ") + graph.tensor(operation.inputs[i]).name;
        text += ") -> ";
        for (std::size_t i = 0; i < operation.outputs.size(); ++i)
            text += (i == 0 ? "" : ", ") + graph.tensor(operation.outputs[i]).name;
        text += "\n";
    }
    return text;
}

bool mentions(const core::Diagnostics& diagnostics, const std::string& text) {
    return std::ranges::any_of(diagnostics, [&](const core::Diagnostic& diagnostic) {
        return core::toText(diagnostic).find(text) != std::string::npos;
    });
}

} // namespace

class BuildTrainingGraphTest : public QObject {
    Q_OBJECT

private slots:
    void aClassifierReadsAsForwardLossBackwardUpdate() {
        const auto graph = simulator::buildTrainingGraph(typed(twoDense()), training(false));
        QVERIFY(graph.has_value());
        const std::string expected =
            "first/matmul = MatMul(input_1, first/kernel) -> first/matmul/out\n"
            "first/add_bias = Binary(first/matmul/out, first/bias) -> first/add_bias/out\n"
            "first/relu = Unary(first/add_bias/out) -> first/relu/out\n"
            "second/matmul = MatMul(first/relu/out, second/kernel) -> second/matmul/out\n"
            "second/add_bias = Binary(second/matmul/out, second/bias) -> second/add_bias/out\n"
            "second/softmax = Softmax(second/add_bias/out) -> second/softmax/out\n"
            "second/loss = Loss(second/add_bias/out, second/target) -> second/loss/out\n"
            "second/accuracy = Metric(second/softmax/out, second/target) -> second/accuracy/out\n"
            "second/loss/grad/loss_gradient = LossGradient(second/add_bias/out, second/target, constant) -> "
            "second/loss/grad/loss_gradient/out\n"
            "second/add_bias/grad/reduce = Reduce(second/loss/grad/loss_gradient/out) -> "
            "second/add_bias/grad/reduce/out\n"
            "second/matmul/grad/left = MatMul(second/loss/grad/loss_gradient/out, second/kernel) -> "
            "second/matmul/grad/left/out\n"
            "second/matmul/grad/weights = MatMul(first/relu/out, second/loss/grad/loss_gradient/out) -> "
            "second/matmul/grad/weights/out\n"
            "first/relu/grad/unary_gradient = UnaryGradient(first/relu/out, second/matmul/grad/left/out) -> "
            "first/relu/grad/unary_gradient/out\n"
            "first/add_bias/grad/reduce = Reduce(first/relu/grad/unary_gradient/out) -> "
            "first/add_bias/grad/reduce/out\n"
            "first/matmul/grad/weights = MatMul(input_1, first/relu/grad/unary_gradient/out) -> "
            "first/matmul/grad/weights/out\n"
            "first/kernel/update = OptimizerUpdate(first/matmul/grad/weights/out, first/kernel, "
            "first/kernel/momentum) -> first/kernel, first/kernel/momentum\n"
            "first/bias/update = OptimizerUpdate(first/add_bias/grad/reduce/out, first/bias, "
            "first/bias/momentum) -> first/bias, first/bias/momentum\n"
            "second/kernel/update = OptimizerUpdate(second/matmul/grad/weights/out, second/kernel, "
            "second/kernel/momentum) -> second/kernel, second/kernel/momentum\n"
            "second/bias/update = OptimizerUpdate(second/add_bias/grad/reduce/out, second/bias, "
            "second/bias/momentum) -> second/bias, second/bias/momentum\n";
        QCOMPARE(listing(*graph), expected);
    }

    void idsEqualPositionsAndInputsAreWrittenBeforeTheyAreRead() {
        for (const bool accumulates : {false, true}) {
            const auto graph = simulator::buildTrainingGraph(typed(twoDense()), training(accumulates));
            QVERIFY(graph.has_value());
            std::set<core::TensorId> written;
            for (std::size_t i = 0; i < graph->tensors.size(); ++i)
                QCOMPARE(graph->tensors[i].id.index(), i);
            std::set<core::TensorId> made;
            for (const Operation& operation : graph->operations)
                made.insert(operation.outputs.begin(), operation.outputs.end());
            for (std::size_t i = 0; i < graph->operations.size(); ++i) {
                const Operation& operation = graph->operations[i];
                QCOMPARE(operation.id.index(), i);
                for (const core::TensorId input : operation.inputs) {
                    const simulator::TensorRole role = graph->tensor(input).role;
                    const bool isComputed =
                        role == simulator::TensorRole::Activation || role == simulator::TensorRole::Gradient;
                    QVERIFY2(!isComputed || written.contains(input), operation.name.str().c_str());
                }
                written.insert(operation.outputs.begin(), operation.outputs.end());
            }
        }
    }

    void accumulationStandsRightBehindEachGradient() {
        const auto graph = simulator::buildTrainingGraph(typed(twoDense()), training(true));
        QVERIFY(graph.has_value());
        for (std::size_t i = 0; i < graph->operations.size(); ++i) {
            const Operation& operation = graph->operations[i];
            const auto* accumulate = std::get_if<simulator::AccumulateGradient>(&operation.attributes);
            if (accumulate == nullptr)
                continue;
            QCOMPARE(accumulate->count, 8);
            QCOMPARE(graph->operations[i - 1].outputs.front(), operation.inputs.front());
        }
        for (const simulator::ParameterSlots& kept : graph->parameters)
            QVERIFY(kept.accumulator.isValid());
    }

    void aLayerCalledTwiceHasOneParameterAndAPartOfTheGradientPerCall() {
        core::ModelBuilder builder("m");
        const auto input = builder.input("x", {4});
        const auto once = builder.call("Dense", "shared", {{"units", 4}}, {input});
        const auto twice = builder.callAgain("shared", {once});
        const core::TypedGraph model = typed(std::move(builder).build({twice}));
        TrainingGraphOptions options = training(true);
        options.training.losses = {{"mse", Json::object()}};
        options.training.metrics.clear();
        const auto graph = simulator::buildTrainingGraph(model, options);
        QVERIFY(graph.has_value());
        QCOMPARE(graph->parameters.size(), std::size_t{2});
        QCOMPARE(graph->parameters[0].gradients.size(), std::size_t{2});
        options.accumulates = false;
        QCOMPARE(simulator::buildTrainingGraph(model, options)->parameters[0].gradients.size(),
                 std::size_t{1});
    }

    void frozenLayersAreStateAndGetNoGradient() {
        core::ModelGraph model = twoDense();
        model.layers[1].trainable = false;
        model.layers[1].config["trainable"] = false;
        const auto graph = simulator::buildTrainingGraph(typed(model), training(false));
        QVERIFY(graph.has_value());
        QCOMPARE(graph->parameters.size(), std::size_t{2});
        // Nothing trainable comes before the second layer: its input needs no gradient.
        QVERIFY(listing(*graph).find("second/matmul/grad/left") == std::string::npos);
    }

    void predictionHasNoLossAndEvaluationNoBackwardPass() {
        TrainingGraphOptions options = training(false);
        options.mode = core::RunMode::Predict;
        const auto predict = simulator::buildTrainingGraph(typed(twoDense()), options);
        QVERIFY(predict.has_value());
        QVERIFY(!predict->loss.isValid() && predict->targets.empty());
        QCOMPARE(predict->predictions.size(), std::size_t{1});
        options.mode = core::RunMode::Evaluate;
        const auto evaluate = simulator::buildTrainingGraph(typed(twoDense()), options);
        QVERIFY(evaluate->loss.isValid());
        QVERIFY(std::ranges::all_of(evaluate->operations, [](const Operation& operation) {
            return operation.phase == simulator::Phase::Forward;
        }));
    }

    void mixedPrecisionCastsWeightsAtTheirUse() {
        core::InferenceOptions inference;
        inference.batchSize = 2;
        inference.precision = *core::precisionFromName("mixed_float16");
        const auto model = core::inferShapes(twoDense(), inference);
        TrainingGraphOptions options = training(false);
        options.training.precision = "mixed_float16";
        const auto graph = simulator::buildTrainingGraph(*model, options);
        QVERIFY(graph.has_value());
        for (const simulator::ParameterSlots& kept : graph->parameters)
            QVERIFY(graph->tensor(kept.parameter).type == core::DataType::Float32);
        for (const Operation& operation : graph->operations) {
            if (std::holds_alternative<simulator::MatMul>(operation.attributes))
                QVERIFY(graph->tensor(operation.outputs[0]).type == core::DataType::Float16);
        }
    }

    void unknownLossesMetricsAndOptimizersAreNamed() {
        TrainingGraphOptions options = training(false);
        options.training.losses = {{"mean_square_error", Json::object()}};
        QVERIFY(mentions(simulator::buildTrainingGraph(typed(twoDense()), options).error(),
                         "mean_squared_error"));
        options = training(false);
        options.training.metrics = {{"accurcy", Json::object()}};
        QVERIFY(mentions(simulator::buildTrainingGraph(typed(twoDense()), options).error(), "ccuracy"));
        options = training(false);
        options.training.optimizer = core::KerasObject{"Addam", Json::object()};
        QVERIFY(mentions(simulator::buildTrainingGraph(typed(twoDense()), options).error(), "Adam"));
    }

    void anOpaqueLayerIsPricedWhenItsCostIsDeclaredAndRefusedOtherwise() {
        core::ModelGraph model = twoDense();
        core::Layer& layer = model.layers[1];
        layer.className = "Mystery";
        layer.config = Json::object();
        core::InferenceOptions inference;
        inference.batchSize = 2;
        inference.opaqueLayers["first"] = {core::Shape{std::nullopt, 5}, 0, 1000};
        const auto typedModel = core::inferShapes(model, inference);
        QVERIFY(typedModel.has_value());
        const auto refused = simulator::buildTrainingGraph(*typedModel, training(false));
        QVERIFY(!refused && mentions(refused.error(), "Mystery"));
        TrainingGraphOptions options = training(false);
        options.opaqueFlops["first"] = 1000;
        QVERIFY(simulator::buildTrainingGraph(*typedModel, options).has_value());
    }
};

REGISTER_TEST("build_training_graph", BuildTrainingGraphTest)
#include "build_training_graph_test.moc"
