#include "core/interchange/templates/template_project.h"
#include "core/plan/recomputation.h"
#include "simulator/engine/clock/executions.h"
#include "tests/simulator/engine/simulated_run.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <map>

using core::Bytes;
using core::Cycles;
using core::IdleCause;
using core::MemoryCategory;
using core::Project;
using core::RecomputationMode;
using core::SpanKind;
using simulator::TransferPath;
using tests::SimulatedRun;
using tests::simulatedRun;

namespace {

const std::vector<int> widths{128, 128, 256, 256, 128, 64, 32, 10};

/// Four stages on four IPUs.
Project fourStages() {
    return tests::denseProject(widths, 4);
}

core::DeviceMapping mapping(std::initializer_list<std::size_t> ipus) {
    core::DeviceMapping result;
    for (const std::size_t ipu : ipus)
        result.ipus.emplace_back(ipu);
    return result;
}

bool isAccepted(const Project& project) {
    return core::validate(project, core::RunMode::Train).has_value();
}

/// Transformer layers between an embedding and a head that share their weights.
Project sharedEmbedding() {
    return core::newProject("bert", {{"layers", 2},
                                     {"hidden", 64},
                                     {"heads", 2},
                                     {"sequence", 32},
                                     {"vocabulary", 512},
                                     {"stages", 2}})
        .value();
}

} // namespace

/// Every option of a pipeline shows where the programming system's documents say it does: in the slots, in
/// what crosses between IPUs, in cycles or in memory.
class PipelineOptionsTest : public QObject {
    Q_OBJECT

private slots:
    // --- placement ---------------------------------------------------------------------------------------

    void stagesThatShareAnIpuRunOneAfterTheOtherAndNeedFewerIpus() {
        const SimulatedRun apart = simulatedRun(fourStages());
        Project project = fourStages();
        project.deviceMapping = mapping({0, 1, 0, 1});
        project.system.ipus = 2;
        const SimulatedRun together = simulatedRun(project);
        QCOMPARE(together.summary.memory.size(), std::size_t(2));
        QCOMPARE(together.summary.stages[2].ipu, core::IpuId(0));
        QVERIFY(together.summary.step > apart.summary.step);
        QVERIFY(together.memory(0, MemoryCategory::Weights) > apart.memory(0, MemoryCategory::Weights));
        QCOMPARE(together.memory(MemoryCategory::Weights), apart.memory(MemoryCategory::Weights));
    }

    void whatOnlyPassesThroughTakesAFifoOnTheIpuThatHoldsItAlready() {
        Project project = fourStages();
        // The targets enter at stage 0 and are wanted by the loss on stage 3.
        QCOMPARE(simulatedRun(project).transfers(TransferPath::LocalFifo), std::size_t(0));
        const auto passing = [](const SimulatedRun& run) {
            return std::ranges::count(run.profile.transfers(), true, &core::TransferRecord::passThrough);
        };
        QCOMPARE(passing(simulatedRun(project)), 2);
        project.deviceMapping = mapping({0, 1, 2, 0});
        const SimulatedRun grouped = simulatedRun(project);
        QCOMPARE(grouped.transfers(TransferPath::LocalFifo), std::size_t(1));
        QCOMPARE(passing(grouped), 0);
        const auto shortcut = std::ranges::find(grouped.executable.transfers, TransferPath::LocalFifo,
                                                &simulator::StageTransfer::path);
        QCOMPARE(shortcut->fifoDepth, std::int64_t(2));
        project.pipeline.schedule = "Sequential";
        QCOMPARE(simulatedRun(project).transfers(TransferPath::Direct), std::size_t(1));
    }

    void theSelectionOrderDecidesHowFarNeighboursAre() {
        const auto hops = [](std::string_view order) {
            Project project = fourStages();
            project.ipuConfig.values["selection_order"] = order;
            std::int64_t sum = 0;
            const SimulatedRun run = simulatedRun(project);
            for (const core::TransferRecord& transfer : run.profile.transfers())
                sum += transfer.hops;
            return std::pair(sum, run.summary.step);
        };
        QVERIFY(hops("ZIGZAG") > hops("SNAKE"));
        QCOMPARE(hops("AUTO"), hops("SNAKE"));
    }

    void sharedWeightsAreHeldOnceOnTheIpuOfTheirStages() {
        const Project project = sharedEmbedding();
        const SimulatedRun run = simulatedRun(project);
        std::size_t tables = 0;
        for (const core::LiveRangeRecord& range : run.profile.liveRanges())
            if (range.category == MemoryCategory::Weights && range.name == "word_embeddings/embeddings")
                ++tables;
        QCOMPARE(tables, std::size_t(1));
        QVERIFY(run.summary.stages.front().ipu == run.summary.stages.back().ipu);
        // One accumulator, to which the backward passes of both stages add.
        std::size_t additions = 0;
        for (const simulator::Operation& operation : run.executable.graph.operations)
            if (std::holds_alternative<simulator::AccumulateGradient>(operation.attributes) &&
                run.executable.graph.tensor(operation.outputs.front())
                    .name.str()
                    .starts_with("word_embeddings/"))
                ++additions;
        QCOMPARE(additions, std::size_t(2));
        Project apart = project;
        apart.deviceMapping = {};
        apart.system.ipus = 4;
        QVERIFY(!isAccepted(apart));
    }

    // --- activations --------------------------------------------------------------------------------------

    void recomputationStashesLessAndWorksMore() {
        Project project = fourStages();
        const SimulatedRun kept = simulatedRun(project);
        project.ipuConfig.values["allow_recompute"] = true;
        const SimulatedRun recomputed = simulatedRun(project);
        for (std::size_t stage = 0; stage < 3; ++stage) {
            QVERIFY(recomputed.summary.stages[stage].stash < kept.summary.stages[stage].stash);
            QVERIFY(recomputed.summary.stages[stage].recompute > Cycles(0));
        }
        QCOMPARE(recomputed.summary.stages[3].recompute, Cycles(0));
        QVERIFY(recomputed.summary.step > kept.summary.step);
        QVERIFY(recomputed.spans(SpanKind::Recompute) > 0 && kept.spans(SpanKind::Recompute) == 0);
    }

    void autoMeansTheModeOfTheSchedule() {
        for (const std::string kind : {"Grouped", "Interleaved", "Sequential"}) {
            Project project = fourStages();
            project.ipuConfig.values["allow_recompute"] = true;
            project.pipeline.schedule = kind;
            const SimulatedRun automatic = simulatedRun(project);
            project.pipeline.recomputationMode = kind == "Sequential"
                                                     ? RecomputationMode::RecomputeAndBackpropagateInterleaved
                                                     : RecomputationMode::RecomputeThenBackpropagate;
            const SimulatedRun chosen = simulatedRun(project);
            QCOMPARE(automatic.summary.step, chosen.summary.step);
            QCOMPARE(automatic.summary.memory, chosen.summary.memory);
            // Inside the backward pass there is no program of its own.
            QCOMPARE(automatic.spans(SpanKind::Recompute) == 0, kind == "Sequential");
        }
    }

    void offloadedActivationsMoveTheFifosToStreamingMemory() {
        Project project = fourStages();
        const SimulatedRun onChip = simulatedRun(project);
        project.pipeline.offloadActivations = true;
        const SimulatedRun offloaded = simulatedRun(project);
        QVERIFY(offloaded.memory(0, MemoryCategory::Stash) < onChip.memory(0, MemoryCategory::Stash));
        QVERIFY(offloaded.spans(SpanKind::RemoteMemory) > onChip.spans(SpanKind::RemoteMemory));
        QVERIFY(offloaded.summary.stages[0].forward > onChip.summary.stages[0].forward);
        project.system.remoteMemory = false;
        QVERIFY(!isAccepted(project));
    }

    // --- variables ----------------------------------------------------------------------------------------

    void offloadedVariablesLeaveTheChipAndAreStreamed_data() {
        QTest::addColumn<int>("variables");
        QTest::newRow("optimizer state") << 0;
        QTest::newRow("accumulators") << 1;
        QTest::newRow("weights") << 2;
    }
    void offloadedVariablesLeaveTheChipAndAreStreamed() {
        QFETCH(int, variables);
        constexpr std::array switches{&core::PipelineOptions::offloadWeightUpdateVariables,
                                      &core::PipelineOptions::offloadGradientAccumulationBuffers,
                                      &core::PipelineOptions::offloadWeights};
        constexpr std::array categories{MemoryCategory::OptimizerState, MemoryCategory::Accumulators,
                                        MemoryCategory::Weights};
        const auto option = switches[static_cast<std::size_t>(variables)];
        const MemoryCategory category = categories[static_cast<std::size_t>(variables)];
        Project project = fourStages();
        project.pipeline.*option = false;
        if (variables != 0)
            project.pipeline.offloadWeightUpdateVariables = false;
        const SimulatedRun onChip = simulatedRun(project);
        project.pipeline.*option = true;
        const SimulatedRun offloaded = simulatedRun(project);
        QVERIFY(offloaded.memory(category) < onChip.memory(category));
        QVERIFY(offloaded.memory(category) * 4 < onChip.memory(category));
        QCOMPARE(onChip.spans(SpanKind::RemoteMemory), std::size_t(0));
        QVERIFY(offloaded.spans(SpanKind::RemoteMemory) > 0);
        QVERIFY(offloaded.summary.step > onChip.summary.step);
        project.system.remoteMemory = false;
        QVERIFY(!isAccepted(project));
    }

    void smallTensorsStayOnTheChip() {
        Project project = fourStages();
        const Bytes some = simulatedRun(project).memory(MemoryCategory::OptimizerState);
        project.ipuConfig.values["optimizations.minimum_remote_tensor_size"] = 1 << 30;
        QVERIFY(simulatedRun(project).memory(MemoryCategory::OptimizerState) > some);
    }

    void shardedStateIsStreamedInPartsAndGathered() {
        Project project = fourStages();
        project.system.ipus = 8;
        project.replicas = 2;
        project.training.stepsPerEpoch = 128;
        const SimulatedRun whole = simulatedRun(project);
        project.pipeline.replicatedOptimizerStateSharding = true;
        const SimulatedRun sharded = simulatedRun(project);
        const auto stored = [](const SimulatedRun& run) {
            Bytes bytes;
            for (const simulator::Step& step : run.executable.stages[1].weightUpdate.steps)
                if (step.kind == core::StepKind::StreamCopy)
                    bytes += step.bytes;
            return bytes;
        };
        QVERIFY(stored(sharded) < stored(whole));
        QVERIFY(std::ranges::count(sharded.executable.placements, simulator::Placement::RemoteSharded) > 0);
        project.pipeline.offloadWeights = true;
        project.pipeline.replicatedWeightSharding = true;
        const SimulatedRun weights = simulatedRun(project);
        QVERIFY(weights.memory(MemoryCategory::Weights) * 4 < sharded.memory(MemoryCategory::Weights));
        QVERIFY(weights.summary.stages[0].forward > sharded.summary.stages[0].forward);
    }

    // --- loops --------------------------------------------------------------------------------------------

    void aSerialisedBatchIsALoopInEveryStage() {
        Project project = fourStages();
        project.pipeline.schedule = "Sequential";
        project.deviceMapping = mapping({0, 0, 0, 0});
        project.system.ipus = 1;
        const SimulatedRun plain = simulatedRun(project);
        project.pipeline.batchSerializationIterations = 4;
        project.training.stepsPerEpoch = 256;
        const SimulatedRun serialised = simulatedRun(project);
        QCOMPARE(serialised.summary.effectiveBatch, plain.summary.effectiveBatch * 4);
        const core::ProgramStepRecord* loop = serialised.programStep("micro-batches of the batch");
        QVERIFY(loop && loop->kind == core::StepKind::Repeat && loop->count == 4);
        QVERIFY(!plain.programStep("micro-batches of the batch"));
        QVERIFY(serialised.spans(SpanKind::RemoteMemory) > plain.spans(SpanKind::RemoteMemory));
        project.pipeline.offloadActivations = false;
        QVERIFY(simulatedRun(project).summary.step < serialised.summary.step);
    }

    void theRepeatCountIsALoopOfWholePipelines() {
        Project project = fourStages();
        project.training.stepsPerExecution = 64;
        project.pipeline.repeatCount = 4;
        const SimulatedRun run = simulatedRun(project);
        QCOMPARE(run.programStep("weight updates")->count, std::int64_t(4));
        QCOMPARE(run.profile.executions().front().updates, std::int64_t(4));
        QVERIFY(run.programStep("main")->kind == core::StepKind::Repeat);
    }

    void recurrentLayersAreLoopsOverTheirTimeSteps() {
        Project project = tests::denseProject({8}, 1);
        core::Diagnostics warnings;
        project.model = core::readKerasModelText(
                            R"({"class_name": "Functional", "config": {"name": "r", "layers": [
  {"class_name": "InputLayer", "name": "x", "inbound_nodes": [],
   "config": {"name": "x", "batch_input_shape": [null, 12, 8], "dtype": "float32"}},
  {"class_name": "InputLayer", "name": "lengths", "inbound_nodes": [],
   "config": {"name": "lengths", "batch_input_shape": [null], "dtype": "int32"}},
  {"class_name": "LSTM", "name": "lstm", "inbound_nodes": [[["x", 0, 0, {}]]],
   "config": {"name": "lstm", "units": 16, "return_sequences": true}},
  {"class_name": "DynamicGRU", "name": "gru",
   "inbound_nodes": [[["lstm", 0, 0, {}], ["lengths", 0, 0, {}]]],
   "config": {"name": "gru", "units": 8}}],
 "input_layers": [["x", 0, 0], ["lengths", 0, 0]], "output_layers": [["gru", 0, 0]]}})",
                            "", warnings)
                            .value();
        const SimulatedRun run = simulatedRun(project);
        const core::ProgramStepRecord* steps = run.programStep("time steps");
        QVERIFY(steps && steps->kind == core::StepKind::Repeat && steps->count == 12);
        const core::ProgramStepRecord* bounded =
            run.programStep("while a sequence lasts, at most 12 time steps");
        QVERIFY(bounded && bounded->kind == core::StepKind::Repeat && bounded->count == 12);
        // With their turns the steps of a program are what it takes.
        std::map<core::ProgramStepId, const core::ProgramStepRecord*> byId;
        for (const core::ProgramStepRecord& step : run.profile.programSteps())
            byId[step.id] = &step;
        Cycles sum;
        for (const core::ProgramStepRecord& step : run.profile.programSteps()) {
            const bool isLeaf = step.kind == core::StepKind::OnTileExecute ||
                                step.kind == core::StepKind::DoExchange || step.kind == core::StepKind::Sync;
            if (!isLeaf || !step.operation.isValid() || step.phase != core::ProgramPhase::Forward)
                continue;
            const core::ProgramStepRecord* parent = byId.at(step.parent);
            sum += step.duration * (parent->kind == core::StepKind::Repeat ? parent->count : 1);
        }
        const simulator::StageProgram& forward = run.executable.stages[0].forward;
        Cycles expected;
        for (const simulator::Step& step : forward.steps)
            if (step.operation.isValid())
                expected += step.duration;
        QCOMPARE(sum, expected);
    }

    void moreStepsPerExecutionSaveRoundTripsToTheHost() {
        Project project = fourStages();
        project.training.stepsPerExecution = 16;
        const SimulatedRun often = simulatedRun(project);
        project.training.stepsPerExecution = 64;
        const SimulatedRun seldom = simulatedRun(project);
        QCOMPARE(often.profile.executions().size(), 4 * seldom.profile.executions().size());
        const auto total = [](const SimulatedRun& run) {
            const core::ExecutionRecord& last = run.profile.executions().back();
            return last.start + last.duration;
        };
        QVERIFY(total(often) > total(seldom));
        QVERIFY(often.summary.hostStallFraction > seldom.summary.hostStallFraction);
    }

    // --- host ---------------------------------------------------------------------------------------------

    void theOutfeedCarriesWhatTheOptionsSay() {
        Project project = fourStages();
        const Bytes loss = simulatedRun(project).executable.outfeedBytes;
        project.training.metrics = {{"MeanAbsoluteError", core::Json::object()}};
        QVERIFY(simulatedRun(project).executable.outfeedBytes > loss);
        project.pipeline.outfeedLoss = true;
        QCOMPARE(simulatedRun(project).executable.outfeedBytes, loss);
        project.pipeline.outfeedLoss = false;
        project.pipeline.outfeedMask = {true, false};
        // The outputs of a micro-batch of 16 samples.
        QCOMPARE(simulatedRun(project).executable.outfeedBytes, Bytes(16 * 10 * 4));
        project.pipeline.outfeedMask = {false, false};
        QCOMPARE(simulatedRun(project).executable.outfeedBytes, Bytes(16 * 10 * 4) + loss);
    }

    void anAccumulatedOutfeedGoesOncePerUpdateInItsType() {
        Project project = fourStages();
        const SimulatedRun each = simulatedRun(project);
        QCOMPARE(each.spans(SpanKind::Outfeed), std::size_t(16));
        project.pipeline.accumulateOutfeed = true;
        const SimulatedRun once = simulatedRun(project);
        QCOMPARE(once.spans(SpanKind::Outfeed), std::size_t(1));
        QVERIFY(once.summary.step < each.summary.step);
        project.pipeline.accumulateOutfeedType = core::DataType::Float16;
        QCOMPARE(simulatedRun(project).executable.updateOutfeedBytes * 2, once.executable.updateOutfeedBytes);
    }

    void withoutPrefetchingEveryMicroBatchWaitsForTheHost() {
        Project project = fourStages();
        const SimulatedRun ahead = simulatedRun(project);
        project.ipuConfig.values["optimizations.prefetch_data_streams"] = false;
        const SimulatedRun waiting = simulatedRun(project);
        QVERIFY(waiting.idle(IdleCause::Host) > ahead.idle(IdleCause::Host));
        QVERIFY(waiting.summary.hostStallFraction > ahead.summary.hostStallFraction);
        Cycles infeed;
        for (const core::SpanRecord& span : waiting.profile.spans())
            if (span.kind == SpanKind::Infeed)
                infeed += span.duration;
        QVERIFY(infeed > Cycles(0));
    }

    void aDeeperQueueHidesMoreOfASlowHost() {
        Project project = fourStages();
        // A host that brings a micro-batch about as fast as the pipeline's full part asks for it gets ahead
        // while the ramps ask for none; one of these rates is about that.
        bool isHidden = false;
        for (const double rate : {2e7, 5e7, 1e8, 2e8, 5e8, 1e9, 2e9}) {
            project.system.other["host_bytes_per_second"] = rate;
            std::vector<Cycles> waits;
            for (const std::int64_t depth : {1, 3, 16}) {
                project.training.infeed.prefetchDepth = depth;
                waits.push_back(simulatedRun(project).idle(IdleCause::Host));
            }
            QVERIFY(waits[0] >= waits[1] && waits[1] >= waits[2]);
            isHidden = isHidden || waits[0] > waits[2];
        }
        QVERIFY(isHidden);
    }

    void aFullOutfeedBufferStopsTheDevice() {
        // Predictions of every replica share the machine's host link: results leave the device faster than
        // the host takes them.
        Project project = tests::denseProject({128, 128, 4096, 4096}, 4);
        project.system.ipus = 16;
        project.replicas = 4;
        project.training.batchSize = 256;
        project.training.stepsPerExecution = 16;
        project.system.other["host_machine_bytes_per_second"] = 5e9;
        const auto steps = [&](std::int64_t depth) {
            project.training.outfeed.bufferDepth = depth;
            return simulatedRun(project, core::RunMode::Predict).summary.step;
        };
        const Cycles shallow = steps(1);
        const Cycles deep = steps(16);
        QVERIFY(deep < shallow);
        QVERIFY(steps(3) <= shallow && steps(3) >= deep);
    }

    void ioTilesHideTheHostBehindTheWork() {
        Project project = tests::denseProject({512, 512, 512, 512, 512, 512, 512, 10}, 4);
        project.training.batchSize = 256;
        const SimulatedRun exposed = simulatedRun(project);
        project.ipuConfig.values["io_tiles.num_io_tiles"] = 64;
        project.ipuConfig.values["io_tiles.place_ops_on_io_tiles"] = true;
        const SimulatedRun hidden = simulatedRun(project);
        QVERIFY(hidden.idle(IdleCause::Host) < exposed.idle(IdleCause::Host));
        QVERIFY(hidden.executable.overlapsHostIo);
        QCOMPARE(hidden.executable.schedule.timeSlots.size(),
                 exposed.executable.schedule.timeSlots.size() + 2);
        project.pipeline.schedule = "Interleaved";
        QVERIFY(!simulatedRun(project).executable.overlapsHostIo);
    }

    void syntheticDataNeverCrossesToOrFromTheHost() {
        Project project = fourStages();
        project.training.syntheticData.infeed = true;
        const SimulatedRun noInput = simulatedRun(project);
        QCOMPARE(noInput.executable.infeedBytes, Bytes(0));
        QCOMPARE(noInput.spans(SpanKind::Infeed), std::size_t(0));
        QVERIFY(noInput.spans(SpanKind::Outfeed) > 0);
        project.training.syntheticData.outfeed = true;
        const SimulatedRun neither = simulatedRun(project);
        QCOMPARE(neither.spans(SpanKind::Outfeed), std::size_t(0));
        QCOMPARE(neither.idle(IdleCause::Host), Cycles(0));
        QVERIFY(neither.summary.step < simulatedRun(fourStages()).summary.step);
    }

    // --- plans and replicas -------------------------------------------------------------------------------

    void poplarOptionsOfAStageChangeItsPlansAndNoOther() {
        Project project = fourStages();
        project.training.precision = "float16";
        const SimulatedRun common = simulatedRun(project);
        project.pipeline.forwardStagesPoplarOptions.resize(4);
        project.pipeline.forwardStagesPoplarOptions[1].matmul = {{"partialsType", "half"}};
        const SimulatedRun changed = simulatedRun(project);
        for (std::size_t stage = 0; stage < 4; ++stage) {
            QCOMPARE(changed.summary.stages[stage].forward != common.summary.stages[stage].forward,
                     stage == 1);
            QCOMPARE(changed.summary.stages[stage].backward, common.summary.stages[stage].backward);
        }
        project.pipeline.forwardStagesPoplarOptions.clear();
        project.pipeline.backwardStagesPoplarOptions.resize(4);
        project.pipeline.backwardStagesPoplarOptions[2].matmul = {{"partialsType", "half"}};
        const SimulatedRun backward = simulatedRun(project);
        for (std::size_t stage = 0; stage < 4; ++stage)
            QCOMPARE(backward.summary.stages[stage].backward != common.summary.stages[stage].backward,
                     stage == 2);
    }

    void replicasReduceTheirGradientsOncePerUpdate() {
        Project project = fourStages();
        const SimulatedRun one = simulatedRun(project);
        project.system.ipus = 16;
        project.replicas = 4;
        project.training.stepsPerEpoch = 256;
        const SimulatedRun four = simulatedRun(project);
        QCOMPARE(four.summary.effectiveBatch, 4 * one.summary.effectiveBatch);
        QCOMPARE(four.spans(SpanKind::AllReduce), std::size_t(4));
        QVERIFY(four.idle(IdleCause::AllReduce) > Cycles(0) && one.idle(IdleCause::AllReduce) == Cycles(0));
        QVERIFY(four.summary.samplesPerSecond > one.summary.samplesPerSecond);
    }

    void gradientsWaitForOneAnotherUpToTheBuffer() {
        Project project = fourStages();
        project.system.ipus = 8;
        project.replicas = 2;
        project.training.stepsPerEpoch = 128;
        const SimulatedRun single = simulatedRun(project);
        // A kernel and a bias of each of eight layers.
        QCOMPARE(single.executable.collectives.size(), std::size_t(16));
        QVERIFY(single.programStep("all-reduce of dense0/kernel/accumulator on IPU 0"));
        project.ipuConfig.values["optimizations.maximum_cross_replica_sum_buffer_size"] = 1 << 20;
        const SimulatedRun merged = simulatedRun(project);
        QCOMPARE(merged.executable.collectives.size(), std::size_t(4));
        QVERIFY(merged.programStep("all-reduce of 4 gradients on IPU 0"));
        QCOMPARE(merged.executable.allReduceBytes, single.executable.allReduceBytes);
        QVERIFY(merged.summary.step < single.summary.step);
    }

    void replicasOfSeveralMachinesReduceAcrossThem() {
        Project project = fourStages();
        project.system.ipus = 8;
        project.replicas = 2;
        project.training.stepsPerEpoch = 128;
        project.system.machines = 2;
        const SimulatedRun two = simulatedRun(project);
        QVERIFY(two.executable.collectives.front().acrossMachines > Cycles(0));
        QCOMPARE(two.executable.collectives.front().withinMachine, Cycles(0));
        project.system.ipus = 64;
        project.replicas = 16;
        project.training.stepsPerEpoch = 1024;
        project.system.machines = 16;
        const SimulatedRun gateways = simulatedRun(project);
        QVERIFY(gateways.executable.allReduce[0] > two.executable.allReduce[0]);
        QCOMPARE(gateways.summary.effectiveBatch, 8 * two.summary.effectiveBatch);
    }

    void aProcessShardsOverItsOwnReplicas() {
        Project project = fourStages();
        project.system.ipus = 16;
        project.replicas = 4;
        project.training.stepsPerEpoch = 256;
        project.pipeline.replicatedOptimizerStateSharding = true;
        const SimulatedRun together = simulatedRun(project);
        project.ipuConfig.values["experimental.multi_replica_distribution.process_count"] = 2;
        const SimulatedRun apart = simulatedRun(project);
        QCOMPARE(apart.executable.system.localReplicas(), std::int64_t(2));
        QCOMPARE(apart.summary.effectiveBatch, together.summary.effectiveBatch);
        QCOMPARE(apart.executable.allReduceBytes, together.executable.allReduceBytes);
        const auto stored = [](const SimulatedRun& run) {
            return run.executable.stages[1].weightUpdate.steps.back().bytes;
        };
        QVERIFY(stored(apart) > stored(together));
        project.ipuConfig.values["experimental.multi_replica_distribution.process_count"] = 3;
        QVERIFY(!isAccepted(project));
        project.ipuConfig.values["experimental.multi_replica_distribution.process_count"] = 2;
        project.ipuConfig.values["experimental.multi_replica_distribution.process_index"] = 2;
        QVERIFY(!isAccepted(project));
    }

    void fusedProductsAreOneProduct() {
        Project project =
            core::newProject(
                "bert", {{"layers", 2}, {"hidden", 64}, {"heads", 2}, {"sequence", 32}, {"vocabulary", 512}})
                .value();
        const SimulatedRun apart = simulatedRun(project);
        project.ipuConfig.values["optimizations.combine_matmuls"] = true;
        const SimulatedRun fused = simulatedRun(project);
        const auto busy = [](const SimulatedRun& run) {
            return std::ranges::count_if(
                run.profile.operations(), [](const core::OperationRecord& operation) {
                    return operation.kind == "MatMul" && operation.compute > Cycles(0);
                });
        };
        QVERIFY(busy(fused) < busy(apart));
        QVERIFY(fused.summary.step < apart.summary.step);
    }

    void sliceOptionsChangeThePlansOfLookups() {
        Project project = core::newProject("bert", {{"layers", 2},
                                                    {"hidden", 64},
                                                    {"heads", 2},
                                                    {"sequence", 32},
                                                    {"vocabulary", 4096},
                                                    {"stages", 2}})
                              .value();
        const auto lookup = [&] {
            const SimulatedRun run = simulatedRun(project);
            Cycles all;
            for (const core::OperationRecord& operation : run.profile.operations())
                if (operation.kind == "Gather")
                    all += operation.compute + operation.exchange + operation.sync;
            return all;
        };
        const Cycles fastest = lookup();
        // Two stages of layers and the one of the embeddings before them.
        project.pipeline.forwardStagesPoplarOptions.resize(3);
        project.pipeline.forwardStagesPoplarOptions[0].slice = {{"planMinimisationTarget", "memory"}};
        QVERIFY(lookup() > fastest);
        project.pipeline.forwardStagesPoplarOptions[0].slice = {{"availableMemoryProportion", "0.0001"}};
        QVERIFY(lookup() > fastest);
    }

    // --- records ------------------------------------------------------------------------------------------

    void everyProfileLevelAddsToTheOneBefore() {
        using simulator::ProfileLevel;
        const auto at = [](ProfileLevel level) {
            return simulatedRun(fourStages(), core::RunMode::Train, level);
        };
        const SimulatedRun none = at(ProfileLevel::None);
        QVERIFY(none.profile.operations().empty() && none.profile.spans().empty());
        QVERIFY(!none.profile.executions().empty());
        const SimulatedRun device = at(ProfileLevel::Device);
        QVERIFY(!device.profile.operations().empty() && !device.profile.livenessSteps().empty());
        QVERIFY(device.profile.spans().empty() && device.profile.tileMemory().empty());
        const SimulatedRun ipu = at(ProfileLevel::Ipu);
        QVERIFY(!ipu.profile.spans().empty() && ipu.spans(SpanKind::Exchange) == 0);
        QVERIFY(at(ProfileLevel::Tile).spans(SpanKind::Exchange) > 0);
        QCOMPARE(none.summary.step, ipu.summary.step);
    }
};

REGISTER_TEST("pipeline_options", PipelineOptionsTest)

#include "pipeline_options_test.moc"
