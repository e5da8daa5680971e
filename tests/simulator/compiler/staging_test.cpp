#include "core/plan/schedule/schedule_catalogue.h"
#include "simulator/compiler/staging/insert_transfers.h"
#include "simulator/compiler/staging/plan_activations.h"
#include "tests/simulator/chain_graph.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <fmt/format.h>
#include <random>
#include <set>

using simulator::StagedGraph;
using simulator::TensorUses;
using simulator::TransferPath;

namespace {

StagedGraph staged(const tests::ChainShape& shape, const std::vector<std::size_t>& stages,
                   const std::vector<std::size_t>& ipus = {}) {
    return simulator::assignStages(tests::chainGraph(shape), tests::stageMap(stages, ipus));
}

std::string nameOf(const StagedGraph& graph, core::TensorId tensor) {
    const std::string& name = graph.graph.tensor(tensor).name;
    return name.ends_with("/out") ? name.substr(0, name.size() - 4) : name;
}

/// The table of a full pipeline on the IPUs of a graph.
core::PipelineSchedule scheduleOf(const StagedGraph& graph, const std::string& name) {
    core::PipelineShape shape{
        .stages = graph.stageCount, .training = graph.graph.training, .deviceMapping = graph.ipus};
    const core::ScheduleDefinition& definition = core::scheduleDefinition(name);
    shape.microBatches = core::fittingMicroBatches(definition, shape);
    return graph.stageCount < 2 ? core::buildUnpipelinedSchedule(shape).value()
                                : core::buildSchedule(definition, shape).value();
}

/// "input 0>1 pass"; the path where it is not an inter-IPU copy.
std::string transfersText(const StagedGraph& graph, const std::string& schedule) {
    constexpr std::array<std::string_view, 4> paths{"", " intra", " fifo", " direct"};
    std::string text;
    for (const simulator::StageTransfer& transfer :
         simulator::insertTransfers(graph, TensorUses(graph.graph), scheduleOf(graph, schedule)))
        text += fmt::format("{} {}>{}{}{}{}\n", nameOf(graph, transfer.tensor), transfer.from.index(),
                            transfer.to.index(), transfer.passThrough ? " pass" : "",
                            paths[static_cast<std::size_t>(transfer.path)],
                            transfer.fifoDepth > 0 ? fmt::format(" {}", transfer.fifoDepth) : "");
    return text;
}

simulator::ActivationPlan activations(const StagedGraph& graph, bool recompute, core::RecomputationMode mode,
                                      std::int64_t fifoFactor) {
    std::vector<std::int64_t> depths;
    for (std::size_t stage = 0; stage < graph.stageCount; ++stage)
        depths.push_back(fifoFactor * static_cast<std::int64_t>(graph.stageCount - 1 - stage));
    return simulator::planActivations(graph, TensorUses(graph.graph), {recompute, mode, depths, {}, false});
}

std::string stashesText(const StagedGraph& graph, const simulator::ActivationPlan& plan) {
    std::string text;
    for (std::size_t stage = 0; stage < graph.stageCount; ++stage) {
        text += fmt::format("{}:", stage);
        for (const simulator::Stash& stash : plan.stashes)
            if (stash.stage.index() == stage)
                text += fmt::format(" {}×{}", nameOf(graph, stash.tensor), stash.depth);
        text += " |";
        for (const core::OperationId id : plan.recomputed[stage])
            text += " " + graph.graph.operation(id).name;
        text += "\n";
    }
    return text;
}

} // namespace

class StagingTest : public QObject {
    Q_OBJECT

private slots:
    void operationsFollowTheirLayers() {
        const StagedGraph graph = staged({.layers = 4, .optimizerSlots = 1}, {0, 0, 1, 2});
        for (const simulator::Operation& operation : graph.graph.operations) {
            const std::size_t stage = graph.stageOf(operation.id).index();
            if (operation.name.str().starts_with("loss"))
                QCOMPARE(stage, std::size_t(2));
            else
                QCOMPARE(
                    stage,
                    std::size_t(operation.name.str()[5] - '0' < 2 ? 0 : operation.name.str()[5] - '0' - 1));
        }
    }

    void targetsAndActivationsAreCopiedHopByHop() {
        QCOMPARE(transfersText(staged({.layers = 3}, {0, 1, 2}), "Grouped"),
                 std::string("layer0/relu 0>1\n"
                             "layer1/relu 1>2\n"
                             "target 0>1\n"
                             "target 1>2 pass\n"
                             "layer2/grad/input 2>1\n"
                             "layer1/grad/input 1>0\n"));
    }

    void aValueNeededFurtherOnPassesThroughTheStagesBetween() {
        const std::string text =
            transfersText(staged({.layers = 4, .skips = {0}}, {0, 1, 2, 3}), "Interleaved");
        QVERIFY2(text.find("layer0/relu 0>1\nlayer0/relu 1>2\nlayer0/relu 2>3 pass\n") != std::string::npos,
                 text.c_str());
        // The sum of gradients is where the last part of it arrives.
        QVERIFY2(text.find("layer0/grad/add 1>0\n") != std::string::npos, text.c_str());
    }

    void aSkippedStageOnTheSameIpuIsAFifoWhenGroupedAndNothingWhenSequential() {
        const StagedGraph graph =
            staged({.layers = 4, .training = false, .skips = {0}}, {0, 1, 2, 3}, {0, 1, 2, 0});
        QCOMPARE(transfersText(graph, "Grouped"), std::string("layer0/relu 0>1\n"
                                                              "layer0/relu 0>3 fifo 2\n"
                                                              "layer1/relu 1>2\n"
                                                              "layer2/relu 2>3\n"));
        QCOMPARE(transfersText(graph, "Sequential"), std::string("layer0/relu 0>1\n"
                                                                 "layer0/relu 0>3 direct\n"
                                                                 "layer1/relu 1>2\n"
                                                                 "layer2/relu 2>3\n"));
        QCOMPARE(transfersText(graph, "Interleaved"), std::string("layer0/relu 0>1\n"
                                                                  "layer0/relu 1>2\n"
                                                                  "layer0/relu 2>3 pass\n"
                                                                  "layer1/relu 1>2\n"
                                                                  "layer2/relu 2>3\n"));
    }

    void neighbouringStagesOnOneIpuAreCopiedOnTheIpuWhenGrouped() {
        const StagedGraph graph = staged({.layers = 2, .training = false}, {0, 1}, {0, 0});
        QCOMPARE(transfersText(graph, "Grouped"), std::string("layer0/relu 0>1 intra\n"));
        QCOMPARE(transfersText(graph, "Sequential"), std::string("layer0/relu 0>1 direct\n"));
    }

    void predictionsReachTheOutfeedOfTheLastStage() {
        StagedGraph graph = staged({.layers = 3, .training = false}, {0, 1, 2});
        for (const simulator::Tensor& tensor : graph.graph.tensors)
            if (tensor.name == "layer0/relu/out")
                graph.outfeeds.push_back(tensor.id);
        const std::string text = transfersText(graph, "Grouped");
        QVERIFY2(text.find("layer0/relu 1>2\n") != std::string::npos, text.c_str());
    }

    void everyReaderFindsItsValueOnItsIpu() {
        std::mt19937 random(11);
        for (int round = 0; round < 100; ++round) {
            tests::ChainShape shape{.layers = 4 + random() % 5, .training = random() % 2 == 0};
            for (std::size_t layer = 0; layer + 1 < shape.layers; ++layer)
                if (random() % 3 == 0)
                    shape.skips.push_back(layer);
            std::vector<std::size_t> stages;
            for (std::size_t layer = 0, stage = 0; layer < shape.layers; ++layer)
                stages.push_back(layer == 0 ? 0 : stage += random() % 2);
            std::vector<std::size_t> ipus;
            for (std::size_t stage = 0; stage <= stages.back(); ++stage)
                ipus.push_back(random() % 3);
            const StagedGraph graph = staged(shape, stages, ipus);
            // Interleaved training wants every stage on an IPU of its own.
            const std::array<const char*, 3> names{"Grouped", shape.training ? "Grouped" : "Interleaved",
                                                   "Sequential"};
            const core::PipelineSchedule schedule = scheduleOf(graph, names[random() % 3]);
            verifyReachable(graph, simulator::insertTransfers(graph, TensorUses(graph.graph), schedule));
        }
    }

    void withoutRecomputationAStageKeepsWhatItsBackwardReads() {
        const StagedGraph graph = staged({.layers = 3}, {0, 1, 2});
        QCOMPARE(stashesText(graph, activations(graph, false, {}, 2)),
                 std::string("0: layer0/relu×4 input×4 |\n"
                             "1: layer1/relu×2 layer0/relu×2 |\n"
                             "2: layer2/relu×0 target×0 layer1/relu×0 |\n"));
    }

    void recomputingThenBackpropagatingKeepsTheInputsOfAllStagesButTheLast() {
        const StagedGraph graph = staged({.layers = 4}, {0, 0, 1, 2});
        QCOMPARE(stashesText(
                     graph, activations(graph, true, core::RecomputationMode::RecomputeThenBackpropagate, 1)),
                 std::string("0: input×2 | layer0/matmul layer0/relu layer1/matmul layer1/relu\n"
                             "1: layer1/relu×1 | layer2/matmul layer2/relu\n"
                             "2: layer3/relu×0 target×0 layer2/relu×0 |\n"));
    }

    void checkpointsAreKeptAndCutTheRecomputation() {
        const auto mode = core::RecomputationMode::RecomputeAndBackpropagateInterleaved;
        const StagedGraph graph = staged({.layers = 6, .checkpoints = {1, 4}}, {0, 0, 0, 1, 1, 1});
        QCOMPARE(stashesText(graph, activations(graph, true, mode, 2)),
                 std::string(
                     "0: layer1/relu×2 input×2 | layer0/matmul layer0/relu layer2/matmul layer2/relu\n"
                     "1: layer5/relu×0 target×0 layer4/relu×0 layer2/relu×0 | layer3/matmul layer3/relu\n"));
    }

    void theLastStageWithoutCheckpointsRecomputesNothing() {
        const auto mode = core::RecomputationMode::RecomputeAndBackpropagateInterleaved;
        const StagedGraph graph = staged({.layers = 2}, {0, 1});
        QVERIFY(activations(graph, true, mode, 2).recomputed[1].empty());
    }

private:
    /// Walks from every producer along the transfers of its tensor.
    static void verifyReachable(const StagedGraph& graph,
                                const std::vector<simulator::StageTransfer>& transfers) {
        std::set<std::tuple<std::size_t, std::size_t>> held;
        const TensorUses uses(graph.graph);
        for (const simulator::Tensor& tensor : graph.graph.tensors)
            if (simulator::isHostFed(tensor.role))
                held.insert({tensor.id.index(), 0});
            else if (uses.producer(tensor.id).isValid())
                held.insert({tensor.id.index(), graph.stageOf(uses.producer(tensor.id)).index()});
        for (const simulator::StageTransfer& transfer : transfers) {
            QVERIFY(held.contains({transfer.tensor.index(), transfer.from.index()}));
            const bool isLocal = graph.ipus[transfer.from.index()] == graph.ipus[transfer.to.index()];
            QCOMPARE(transfer.path != TransferPath::InterIpuCopy, isLocal);
            QVERIFY(held.insert({transfer.tensor.index(), transfer.to.index()}).second);
        }
        for (const simulator::Operation& operation : graph.graph.operations)
            for (const core::TensorId input : operation.inputs)
                if (simulator::isTransient(graph.graph.tensor(input).role) ||
                    simulator::isHostFed(graph.graph.tensor(input).role))
                    QVERIFY(held.contains({input.index(), graph.stageOf(operation.id).index()}));
    }
};

REGISTER_TEST("staging", StagingTest)
#include "staging_test.moc"
