#include "simulator/planner/partition_problem.h"

#include "simulator/compiler/planning/plan_operations.h"
#include "simulator/planner/estimate.h"
#include "tests/simulator/compile_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <numeric>

namespace {

simulator::PartitionSource chainSource(const tests::ChainShape& shape) {
    simulator::PartitionSource source;
    simulator::CompileOptions options = tests::chainOptions(std::vector<std::size_t>(shape.layers, 0), 4);
    source.system = tests::systemFor(options);
    source.layers = shape.layers;
    for (std::size_t layer = 0; layer < shape.layers; ++layer)
        source.layerOf.emplace_back(layer);
    const simulator::StagedGraph staged = simulator::assignStages(tests::chainGraph(shape), options.stages);
    simulator::PlanCache plans;
    source.plans = simulator::planOperations(staged, source.system, options, plans);
    source.graph = staged.graph;
    return source;
}

} // namespace

class PartitionProblemTest : public QObject {
    Q_OBJECT

private slots:
    void layersCostWhatTheirStageProgramsTake() {
        const tests::ChainShape shape{.layers = 6, .batch = 128, .width = 128, .optimizerSlots = 1};
        const simulator::PartitionProblem problem =
            simulator::partitionProblem(chainSource(shape), {.stages = 3});
        const auto pipeline = tests::compiled(shape, tests::chainOptions({0, 0, 1, 1, 2, 2}, 12)).value();
        for (std::size_t stage = 0; stage < 3; ++stage) {
            std::int64_t forward = 0;
            for (std::size_t layer = 2 * stage; layer < 2 * stage + 2; ++layer)
                forward += problem.layers[layer].forwardCycles;
            // The program adds what its FIFOs push.
            QVERIFY(forward <= pipeline.stages[stage].forward.total().value());
            QVERIFY(forward * 10 >= pipeline.stages[stage].forward.total().value() * 8);
        }
    }

    void cutsCountEveryValueThatCrosses() {
        const tests::ChainShape shape{.layers = 4, .batch = 16, .width = 32, .skips = {0}};
        const simulator::PartitionProblem problem =
            simulator::partitionProblem(chainSource(shape), {.stages = 2});
        constexpr std::int64_t value = 16 * 32 * 4;
        // Behind layer 0: its output and the target. Behind layer 1: also its own output.
        QCOMPARE(problem.layers[0].cutBytes, 2 * value);
        QCOMPARE(problem.layers[1].cutBytes, 3 * value);
        QCOMPARE(problem.layers[2].cutBytes, 3 * value);
        QVERIFY(problem.layers[1].cutCycles > 0);
        QCOMPARE(problem.fifoDepths, (std::vector<std::int64_t>{2, 0}));
    }

    void everyVariableIsResidentOnce() {
        const tests::ChainShape shape{.layers = 3, .batch = 16, .width = 64, .optimizerSlots = 2};
        const auto problem = simulator::partitionProblem(chainSource(shape), {.stages = 2});
        for (const simulator::LayerCost& layer : problem.layers) {
            QVERIFY(layer.residentBytes >= 4 * 64 * 64 * 4);
            QVERIFY(layer.activationBytes >= 16 * 64 * 4);
        }
    }

    void theEstimateFillsEveryIpu() {
        const auto pipeline =
            tests::compiled({.layers = 4, .batch = 64}, tests::chainOptions({0, 0, 1, 1}, 8)).value();
        const core::PlanEstimate estimate = simulator::estimateOf(pipeline, {2, 2});
        QVERIFY(estimate.refusal.empty() && estimate.fits);
        QCOMPARE(estimate.stages.size(), std::size_t(2));
        for (const core::IpuEstimate& ipu : estimate.ipus) {
            core::Cycles sum = ipu.busy;
            for (const core::Cycles cycles : ipu.idle)
                sum += cycles;
            QCOMPARE(sum, estimate.step);
            QVERIFY(ipu.peak < ipu.limit);
        }
        QCOMPARE(estimate.stages[0].cut.value(), std::int64_t(2 * 64 * 64 * 4));
    }
};

REGISTER_TEST("partition_problem", PartitionProblemTest)
#include "partition_problem_test.moc"
