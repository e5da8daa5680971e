#include "simulator/compiler/compile_graph.h"

#include "simulator/compiler/memory/memory_findings.h"
#include "tests/simulator/compile_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <random>
#include <set>

using core::RecomputationMode;
using simulator::CompiledPipeline;
using simulator::CompileOptions;
using tests::chainOptions;
using tests::ChainShape;
using tests::codeOf;
using tests::compiled;

namespace {

/// Everything a backward program reads was kept, made again, or came from another backward program.
void verifyBackwardFindsItsValues(const CompiledPipeline& pipeline) {
    const simulator::KeptGraph& staged = pipeline;
    const simulator::TensorUses uses(staged.graph);
    for (const simulator::Operation& operation : staged.graph.operations) {
        if (operation.phase != simulator::Phase::Backward)
            continue;
        const core::StageId stage = staged.stageOf(operation.id);
        for (const core::TensorId input : operation.inputs) {
            const core::TensorId value = uses.storage(input);
            const core::OperationId producer = uses.producer(value);
            const bool isForward =
                simulator::isHostFed(staged.graph.tensor(value).role) ||
                (producer.isValid() && staged.graph.operation(producer).phase == simulator::Phase::Forward);
            const bool isKept = std::ranges::any_of(staged.stashes, [&](const simulator::Stash& stash) {
                return stash.tensor == value && stash.stage == stage;
            });
            const auto& again = staged.recomputed[stage.index()];
            QVERIFY(!isForward || isKept || std::ranges::find(again, producer) != again.end());
        }
    }
}

/// Each program runs every operation of its stage and phase once, operands before users.
void verifyPrograms(const CompiledPipeline& pipeline) {
    const simulator::KeptGraph& staged = pipeline;
    const simulator::TensorUses uses(staged.graph);
    std::multiset<std::size_t> run;
    for (const simulator::StagePrograms& stage : pipeline.stages)
        for (const simulator::StageProgram* program :
             {&stage.forward, &stage.backward, &stage.weightUpdate}) {
            std::set<std::size_t> done;
            for (const core::OperationId id : program->order) {
                for (const core::TensorId input : staged.graph.operation(id).inputs) {
                    const core::OperationId producer = uses.producer(input);
                    const bool isHere = producer.isValid() &&
                                        std::ranges::find(program->order, producer) != program->order.end();
                    QVERIFY(!isHere || done.contains(producer.index()));
                }
                done.insert(id.index());
                run.insert(id.index());
            }
            core::Cycles sum;
            for (const simulator::Step& step : program->steps)
                sum += step.duration;
            QCOMPARE(sum, program->total());
        }
    for (const simulator::Operation& operation : staged.graph.operations)
        QVERIFY(run.contains(operation.id.index()));
}

std::int64_t peakOf(const CompiledPipeline& pipeline, std::size_t ipu) {
    return pipeline.memory.ipus[ipu].summary.peak.value();
}

CompileOptions recomputing(CompileOptions options, RecomputationMode mode = RecomputationMode::Auto) {
    options.allowRecompute = true;
    options.recomputationMode = mode;
    return options;
}

} // namespace

class CompileGraphTest : public QObject {
    Q_OBJECT

private slots:
    void compilesRandomChainsUnderEverySchedule() {
        std::mt19937 random(41);
        for (int round = 0; round < 60; ++round) {
            ChainShape shape{.layers = 3 + random() % 6, .width = 32, .optimizerSlots = random() % 3};
            for (std::size_t layer = 0; layer + 1 < shape.layers; ++layer) {
                if (random() % 4 == 0)
                    shape.skips.push_back(layer);
                if (random() % 4 == 0)
                    shape.checkpoints.push_back(layer);
            }
            std::vector<std::size_t> stages{0};
            while (stages.size() < shape.layers)
                stages.push_back(stages.back() + random() % 2);
            const std::size_t count = stages.back() + 1;
            CompileOptions options = chainOptions(stages, static_cast<std::int64_t>(4 * count));
            options.schedule = std::array{"Grouped", "Interleaved", "Sequential"}[random() % 3];
            options.allowRecompute = random() % 2 == 0;
            if (options.schedule == "Grouped" && random() % 2 == 0)
                options.recomputationMode = RecomputationMode::RecomputeAndBackpropagateInterleaved;
            if (options.schedule != "Interleaved" && random() % 3 == 0)
                for (core::IpuId& ipu : options.stages.ipus)
                    ipu = core::IpuId(random() % 3);
            const auto pipeline = compiled(shape, options);
            QCOMPARE(codeOf(pipeline), QString("accepted"));
            verifyBackwardFindsItsValues(*pipeline);
            verifyPrograms(*pipeline);
            QVERIFY(pipeline->memory.fits());
        }
    }

    void recomputationTradesTimeForMemory() {
        const ChainShape shape{.layers = 8, .batch = 512, .width = 256};
        const std::vector<std::size_t> stages{0, 0, 0, 0, 1, 1, 1, 1};
        const auto kept = compiled(shape, chainOptions(stages, 8)).value();
        const auto recomputed = compiled(shape, recomputing(chainOptions(stages, 8))).value();
        QVERIFY(peakOf(recomputed, 0) < peakOf(kept, 0));
        QVERIFY(recomputed.stages[0].recompute.total().value() > 0);
        QCOMPARE(recomputed.stages[1].recompute.total().value(), std::int64_t(0));
        QCOMPARE(kept.stages[0].recompute.total().value(), std::int64_t(0));
    }

    void recomputingInsideTheBackwardPassIsPartOfItsProgram() {
        const ChainShape shape{.layers = 6, .batch = 256, .width = 128, .checkpoints = {1}};
        const std::vector<std::size_t> stages{0, 0, 0, 0, 1, 1};
        const auto mode = RecomputationMode::RecomputeAndBackpropagateInterleaved;
        const auto inside = compiled(shape, recomputing(chainOptions(stages, 8), mode)).value();
        const auto kept = compiled(shape, chainOptions(stages, 8)).value();
        QVERIFY(!inside.schedule.shape.recompute);
        QVERIFY(inside.stages[0].backward.total() > kept.stages[0].backward.total());
        // Its code is there twice, its activations are not.
        QVERIFY(inside.memory.ipus[0].summary.alwaysLive > kept.memory.ipus[0].summary.alwaysLive);
        QVERIFY(inside.memory.ipus[0].summary.notAlwaysLivePeak <
                kept.memory.ipus[0].summary.notAlwaysLivePeak);
    }

    void theStashIsWhatTheFifosHold() {
        const ChainShape shape{.layers = 4, .batch = 64, .width = 64};
        const auto pipeline = compiled(shape, chainOptions({0, 1, 2, 3}, 8)).value();
        // Stage 0 keeps its input and its output: depth 6 for S = 4.
        std::int64_t bytes = 0;
        for (const simulator::Stash& stash : pipeline.stashes)
            if (stash.stage.index() == 0)
                bytes += stash.fifoBytes();
        QCOMPARE(bytes, std::int64_t(2 * 6 * 64 * 64 * 4));
        std::int64_t fifos = 0;
        for (const simulator::MemoryBlock& block : pipeline.memory.ipus[0].blocks)
            if (block.category == core::MemoryCategory::Stash)
                fifos += block.bytes();
        QCOMPARE(fifos, std::int64_t(2 * 6 * 64 * 64 * 4));
    }

    /// Sums over steps would else write behind their end.
    void everythingLivesWithinTheStepsOfItsIpu_data() {
        QTest::addColumn<ChainShape>("shape");
        QTest::addColumn<QList<std::size_t>>("stages");
        const QList<std::size_t> even{0, 0, 1, 1, 2, 2};
        QTest::newRow("every stage updates weights") << ChainShape{.layers = 6, .optimizerSlots = 1} << even;
        QTest::newRow("the last stage only uses weights of the first")
            << ChainShape{.layers = 6, .tied = {4, 5}} << even;
        QTest::newRow("nothing is trained") << ChainShape{.layers = 6, .training = false} << even;
        QTest::newRow("later weights are those of the first layer")
            << ChainShape{.layers = 6, .tied = {1, 2, 3, 4, 5}} << QList<std::size_t>{0, 0, 0, 0, 1, 2};
    }
    void everythingLivesWithinTheStepsOfItsIpu() {
        QFETCH(const ChainShape, shape);
        QFETCH(const QList<std::size_t>, stages);
        for (const bool recomputes : {false, true}) {
            CompileOptions options = chainOptions({stages.begin(), stages.end()}, 12);
            if (recomputes)
                options = recomputing(options);
            const auto pipeline = compiled(shape, options).value();
            for (const simulator::IpuMemoryPlan& plan : pipeline.memory.ipus)
                for (const simulator::MemoryBlock& block : plan.blocks) {
                    if (block.alwaysLive())
                        continue;
                    QVERIFY(block.interval.first < std::max<std::size_t>(plan.steps.size(), 1));
                    QVERIFY(block.interval.last < std::max<std::size_t>(plan.steps.size(), 1));
                }
        }
    }

    void fifosAreNotLiveDuringTheUpdate() {
        const auto pipeline =
            compiled({.layers = 4, .batch = 64, .optimizerSlots = 1}, chainOptions({0, 0, 1, 1}, 8)).value();
        const simulator::IpuMemoryPlan& plan = pipeline.memory.ipus[0];
        QVERIFY(plan.slotEnd + 1 < plan.steps.size());
        for (const simulator::MemoryBlock& block : plan.blocks)
            if (block.category == core::MemoryCategory::Stash)
                QCOMPARE(block.interval.last, plan.slotEnd);
    }

    void offloadedActivationsLeaveTheTilesAndTakeTime() {
        const ChainShape shape{.layers = 4, .batch = 512, .width = 128};
        CompileOptions options = chainOptions({0, 1, 2, 3}, 8);
        options.offload.remoteMemory = true;
        const auto kept = compiled(shape, options).value();
        options.offload.activations = true;
        const auto offloaded = compiled(shape, options).value();
        QVERIFY(peakOf(offloaded, 0) < peakOf(kept, 0));
        QVERIFY(offloaded.stages[0].forward.total() > kept.stages[0].forward.total());
    }

    void optimizerStateIsOffloadedWhereThereIsRemoteMemory() {
        const ChainShape shape{.layers = 2, .optimizerSlots = 2};
        CompileOptions options = chainOptions({0, 1}, 8);
        const auto category = static_cast<std::size_t>(core::MemoryCategory::OptimizerState);
        const auto stateOf = [&](const CompiledPipeline& pipeline) {
            return pipeline.memory.ipus[0].summary.byCategory[category].value();
        };
        QCOMPARE(stateOf(compiled(shape, options).value()), std::int64_t(2 * 64 * 64 * 4));
        options.offload.remoteMemory = true;
        QCOMPARE(stateOf(compiled(shape, options).value()), std::int64_t(0));
        options.offload.updateVariables = false;
        QCOMPARE(stateOf(compiled(shape, options).value()), std::int64_t(2 * 64 * 64 * 4));
    }

    void optionsOfAStageChangeItsPlansAlone() {
        const ChainShape shape{.layers = 2, .batch = 1024, .width = 1024};
        CompileOptions options = chainOptions({0, 1}, 8);
        const auto wide = compiled(shape, options).value();
        options.forward[0].matmul.availableMemoryProportion = 0.02;
        const auto narrow = compiled(shape, options).value();
        QVERIFY(narrow.stages[0].forward.total() > wide.stages[0].forward.total());
        QCOMPARE(narrow.stages[1].forward.total(), wide.stages[1].forward.total());
    }

    void replicasSumTheirGradientsOncePerUpdate() {
        const auto one = compiled({.layers = 2}, chainOptions({0, 1}, 8)).value();
        const auto four = compiled({.layers = 2}, chainOptions({0, 1}, 8), 4).value();
        QCOMPARE(one.allReduce[0].value(), std::int64_t(0));
        QVERIFY(four.allReduce[0].value() > 0);
        QCOMPARE(four.allReduceBytes[0].value(), std::int64_t(64 * 64 * 4));
    }

    void aModelThatDoesNotFitIsAFindingThatSaysByHowMuch() {
        const auto pipeline =
            compiled({.layers = 2, .batch = 65536, .width = 2048}, chainOptions({0, 1}, 8)).value();
        QVERIFY(!pipeline.memory.fits());
        const core::Diagnostic& finding = pipeline.memory.findings.front();
        QCOMPARE(finding.code, std::string("memory/out-of-memory"));
        const auto& worst = pipeline.memory.ipus[0].worst;
        const std::string byHowMuch = std::to_string(worst.bytes - pipeline.system.target.memoryPerTileBytes);
        QVERIFY2(finding.message.find(byHowMuch + " bytes more than it has") != std::string::npos,
                 finding.message.c_str());
    }

    void theModeIsRefusedBeforeTheSlots() {
        CompileOptions options = chainOptions({0, 0, 1, 1}, 7);
        options.schedule = "Interleaved";
        options.recomputationMode = RecomputationMode::RecomputeAndBackpropagateInterleaved;
        QCOMPARE(codeOf(compiled({}, options)), QString("unimplemented/recomputation-mode"));
        options.recomputationMode = RecomputationMode::Auto;
        QCOMPARE(codeOf(compiled({}, options)), QString("failed-precondition/micro-batch-multiple"));
        options.microBatches = 8;
        QCOMPARE(codeOf(compiled({}, options)), QString("accepted"));
    }

    void stagesThatShareAVariableMayStandOnOneIpu() {
        const ChainShape shape{.layers = 4, .tied = {2}};
        CompileOptions options = chainOptions({0, 0, 1, 1}, 8);
        options.stages.ipus = {core::IpuId(0), core::IpuId(0)};
        QCOMPARE(codeOf(compiled(shape, options)), QString("accepted"));
    }

    void moreTilesNeverSlowAProgram() {
        CompileOptions options = chainOptions({0, 0, 1, 1}, 8);
        simulator::IpuSystem system = tests::systemFor(options);
        std::int64_t before = INT64_MAX;
        for (const std::int64_t tiles : {304, 608, 1216, 1472}) {
            system.target.tiles = tiles;
            simulator::PlanCache plans;
            const auto pipeline = simulator::compileGraph(
                tests::chainGraph({.layers = 4, .batch = 512, .width = 256}), options, system, plans);
            const std::int64_t cycles = pipeline->stages[0].forward.total().value();
            QVERIFY(cycles <= before);
            before = cycles;
        }
    }

    void aSerialisedBatchLoopsInEveryStageAndBuffersBetweenThem() {
        const ChainShape shape{.layers = 4, .batch = 256, .width = 64};
        CompileOptions options = chainOptions({0, 0, 1, 1}, 2);
        options.schedule = "Sequential";
        options.stages.ipus = {core::IpuId(0), core::IpuId(0)};
        const auto plain = compiled(shape, options).value();
        options.batchSerialization = 3;
        options.offload.batchSerialized = true;
        const auto serialised = compiled(shape, options).value();
        QCOMPARE(serialised.stages[0].forward.total(), plain.stages[0].forward.total() * 3);
        QCOMPARE(serialised.infeedBytes, plain.infeedBytes * 3);
        QVERIFY(peakOf(serialised, 0) > peakOf(plain, 0));
        options.offload.remoteMemory = true;
        const auto remote = compiled(shape, options).value();
        QVERIFY(peakOf(remote, 0) < peakOf(serialised, 0));
        QVERIFY(remote.stages[0].forward.total() > serialised.stages[0].forward.total());
    }

    void aModelWithoutStagesRunsOnOneIpu() {
        const auto pipeline = compiled({.layers = 3}, chainOptions({0, 0, 0}, 4)).value();
        QCOMPARE(pipeline.schedule.timeSlots.size(), std::size_t(4));
        QVERIFY(pipeline.transfers.empty());
        QVERIFY(pipeline.stages[0].forward.total().value() > 0);
        QVERIFY(pipeline.stages[0].backward.total() > pipeline.stages[0].forward.total());
    }

    void blocksThatAreLiveTogetherHaveNamesAndPlaces() {
        const auto pipeline = compiled({.layers = 4}, recomputing(chainOptions({0, 0, 1, 1}, 8))).value();
        for (const simulator::IpuMemoryPlan& plan : pipeline.memory.ipus)
            for (const simulator::MemoryBlock& block : plan.blocks) {
                QVERIFY(!simulator::nameOf(block, pipeline.graph).empty());
                QVERIFY(block.alwaysLive() || block.interval.first < plan.steps.size());
                QVERIFY(block.alwaysLive() || block.interval.last < plan.steps.size());
                QVERIFY(!block.interval.wraps() || block.interval.first <= plan.slotEnd);
            }
    }
};

REGISTER_TEST("compile_graph", CompileGraphTest)
#include "compile_graph_test.moc"
