// Losses and optimizers: single operations.
#include "simulator/catalogue/optimizer_settings.h"
#include "simulator/compiler/lowering/loss_lowering.h"
#include "simulator/compiler/lowering/weight_update.h"
#include "simulator/graph/rules/differentiate.h"
#include "tests/tools/oracle/graph_run.h"

#include <fmt/format.h>

namespace oracles {
namespace {

using core::Json;
using core::TensorId;
using namespace simulator;

} // namespace

Verdict runLossCase(const Json& document) {
    const core::KerasObject named{document["loss"].get<std::string>(),
                                  document.value("options", Json::object())};
    if (core::findLoss(named.className) == nullptr)
        return unsupported("no loss \"" + named.className + "\"");
    const auto target = valuesFromJson(document["y_true"]);
    const auto prediction = valuesFromJson(document["y_pred"]);
    if (!target || !prediction)
        return unsupported("y_true or y_pred cannot be read");
    core::KerasObject each = named;
    each.config["reduction"] = "none";
    const auto loss = LossLowering::make(named, prediction->form.extents);
    const auto unreduced = LossLowering::make(each, prediction->form.extents);
    if (!loss || !unreduced)
        return failed(loss ? unreduced.error() : loss.error());
    GraphRun graph;
    GraphBuilder& build = graph.build();
    const TensorId p = graph.feed("prediction", *prediction);
    const LossOperands operands{p, graph.feed("target", *target, TensorRole::Target), {}};
    const TensorId mean = *loss->add(build, operands, loss->attributes().fromLogits);
    const TensorId perSample = *unreduced->add(build, operands, loss->attributes().fromLogits);
    const GradientSeed seed{mean, build.constant(1, {}, core::DataType::Float32)};
    const auto gradients = differentiate(build, std::span(&seed, 1), std::span(&p, 1));
    if (!gradients)
        return failed(gradients.error());
    const TensorId gradient = sumOfParts(build, *gradients, p);
    if (const auto result = graph.run({mean, gradient, perSample}); !result)
        return failed(result.error());
    Verdict verdict;
    const Tolerance tolerance = toleranceOf(document);
    const Json& expected = document["expected"];
    const auto valuesAt = [&](const char* key) {
        return expected.contains(key) ? valuesFromJson(expected[key]) : std::nullopt;
    };
    if (const auto values = valuesAt("per_sample"))
        verdict.compare("per_sample", graph.read(perSample), values->data, tolerance);
    if (expected.contains("mean"))
        verdict.compare("mean", graph.read(mean), {expected["mean"].get<float>()}, tolerance);
    if (const auto values = valuesAt("grad_of_mean_wrt_y_pred"))
        verdict.compare("gradient", graph.read(gradient), values->data, tolerance);
    return verdict;
}

namespace {

/// Keras' names of a slot in other documents.
bool isSameSlot(std::string_view own, std::string_view other) {
    return own == other || (own == "momentum" && (other == "m" || other == "velocity" || other == "mom")) ||
           (own == "mg" && other == "mean_grad");
}

} // namespace

Verdict runOptimizerCase(const Json& document) {
    core::KerasObject optimizer{document["optimizer"].get<std::string>(),
                                document.value("config", Json::object())};
    const core::OptimizerDefinition* definition = core::findOptimizer(optimizer.className);
    if (definition == nullptr)
        return unsupported("no optimizer \"" + optimizer.className + "\"");
    optimizer.className = definition->className;

    TrainingGraph graph;
    GraphBuilder build(graph);
    const auto initial = valuesFromJson(document["initial"]);
    if (!initial)
        return unsupported("the initial weights cannot be read");
    const TensorId gradient = build.tensor("gradient", initial->form, TensorRole::Input);
    const TensorId weight = build.tensor("weight", initial->form, TensorRole::Parameter);
    graph.parameters.push_back({weight, {}, {}, {}});
    UpdateOptions options;
    options.optimizer = optimizer;
    if (const auto added = addWeightUpdates(build, {{weight, {{{}, gradient}}}}, options); !added)
        return failed(added.error());
    const auto hyperparameters = readHyperparameters(optimizer);
    const auto slots = activeSlots(*definition, *hyperparameters);
    const std::vector<TensorId>& slotIds = graph.parameters.front().optimizerSlots;

    TensorStore store(graph);
    store.write(weight, initial->data);
    SequenceRequest request{&graph, {}, store.addresses(), {}, true};
    for (const Operation& operation : graph.operations)
        request.operations.push_back(operation.id);
    auto sequence = OperationSequence::make(std::move(request));
    if (!sequence)
        return failed(sequence.error());
    ThreadPool pool;
    pool.reserveScratch(sequence->threadScratch());
    Verdict verdict;
    const Tolerance tolerance = toleranceOf(document);
    const Json& after = document["expected"]["weights_after_step"];
    for (std::size_t step = 0; step < document["gradients"].size(); ++step) {
        const auto values = valuesFromJson(document["gradients"][step]);
        store.write(gradient, values->data);
        StepState state;
        state.update = static_cast<std::int64_t>(step);
        state.learningRate = learningRateAt(graph.learningRate, state.update);
        sequence->run(state, pool);
        if (step < after.size())
            verdict.compare(fmt::format("weights after step {}", step), store.read(weight),
                            valuesFromJson(after[step])->data, tolerance);
    }
    const auto states = document["expected"].find("state_after_last_step");
    for (std::size_t i = 0; states != document["expected"].end() && i < slots.size(); ++i) {
        for (auto state = states->begin(); state != states->end(); ++state) {
            const auto values = valuesFromJson(state.value());
            if (values && isSameSlot(slots[i].name, state.key()))
                verdict.compare("state " + state.key(), store.read(slotIds[i]), values->data, tolerance);
        }
    }
    return verdict;
}

} // namespace oracles
