#include "core/profile/records/memory_profile.h"
#include "simulator/engine/records/record_simulation.h"

#include "core/profile/records/profile_sink.h"
#include "simulator/engine/records/run_summary.h"
#include "tests/simulator/compile_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <map>
#include <set>

using core::MemoryProfile;
using simulator::CompiledPipeline;
using simulator::ProfileLevel;

namespace {

struct Recorded {
    CompiledPipeline pipeline;
    simulator::SimulatedUpdate update;
    MemoryProfile profile;
};

Recorded recorded(ProfileLevel level, simulator::CompileOptions options,
                  const tests::ChainShape& shape = {.layers = 6, .batch = 64, .optimizerSlots = 1},
                  std::int64_t replicas = 1) {
    Recorded result{tests::compiled(shape, std::move(options), replicas).value(), {}, {}};
    result.update = simulator::simulate(result.pipeline);
    simulator::recordSimulation(result.pipeline, result.update, level,
                                [](core::InvocationId id) { return id.isValid() ? "layer" : ""; },
                                result.profile, {});
    return result;
}

simulator::CompileOptions threeStages() {
    simulator::CompileOptions options = tests::chainOptions({0, 0, 1, 1, 2, 2}, 12);
    options.execution.updatesPerExecution = 4;
    options.execution.executionsPerEpoch = 3;
    options.execution.epochs = 2;
    return options;
}

} // namespace

class RecordSimulationTest : public QObject {
    Q_OBJECT

private slots:
    void spansOfALaneDoNotOverlapAndComputeLanesAreFull() {
        const Recorded run = recorded(ProfileLevel::Tile, threeStages(), {.layers = 6, .batch = 64}, 2);
        std::map<std::size_t, std::vector<core::SpanRecord>> byLane;
        for (const core::SpanRecord& span : run.profile.spans())
            byLane[span.lane.index()].push_back(span);
        for (const core::LaneRecord& lane : run.profile.lanes()) {
            auto& spans = byLane[lane.id.index()];
            std::ranges::sort(spans, {}, &core::SpanRecord::start);
            core::Cycles end;
            core::Cycles sum;
            for (const core::SpanRecord& span : spans) {
                QVERIFY(span.start >= end);
                end = span.start + span.duration;
                sum += span.duration;
            }
            QVERIFY(end <= run.update.timing.total);
            if (lane.kind == core::LaneKind::Compute)
                QCOMPARE(sum, run.update.timing.total);
        }
    }

    void everyPieceOfWorkIsASpan() {
        const Recorded run = recorded(ProfileLevel::Ipu, threeStages());
        std::map<core::SpanKind, std::int64_t> counts;
        for (const core::SpanRecord& span : run.profile.spans())
            ++counts[span.kind];
        QCOMPARE(counts[core::SpanKind::Forward], std::int64_t(3 * 12));
        QCOMPARE(counts[core::SpanKind::Backward], std::int64_t(3 * 12));
        QCOMPARE(counts[core::SpanKind::WeightUpdate], std::int64_t(3));
        QCOMPARE(counts[core::SpanKind::Infeed], std::int64_t(12));
        QCOMPARE(counts[core::SpanKind::Outfeed], std::int64_t(12));
    }

    void levelsAddUp() {
        const Recorded none = recorded(ProfileLevel::None, threeStages());
        QVERIFY(none.profile.operations().empty() && none.profile.spans().empty());
        QCOMPARE(none.profile.executions().size(), std::size_t(6));
        const Recorded device = recorded(ProfileLevel::Device, threeStages());
        QCOMPARE(device.profile.operations().size(), device.pipeline.graph.operations.size());
        QVERIFY(device.profile.spans().empty() && !device.profile.livenessSteps().empty());
        const Recorded ipu = recorded(ProfileLevel::Ipu, threeStages());
        QCOMPARE(ipu.profile.tileMemory().size(), std::size_t(4));
        const Recorded tile = recorded(ProfileLevel::Tile, threeStages());
        QVERIFY(tile.profile.spans().size() > ipu.profile.spans().size());
    }

    void executionsFollowOneAnother() {
        const Recorded run = recorded(ProfileLevel::None, threeStages());
        core::Cycles now;
        for (const core::ExecutionRecord& execution : run.profile.executions()) {
            QCOMPARE(execution.start, now);
            QCOMPARE(execution.duration, execution.hostBefore + run.update.timing.total * execution.updates +
                                             execution.hostAfter);
            now += execution.duration;
        }
        QCOMPARE(run.profile.executions().back().epoch, std::int64_t(1));
    }

    void liveRangesAddUpToThePeakExactly() {
        const Recorded run = recorded(ProfileLevel::Ipu, threeStages());
        for (const simulator::IpuMemoryPlan& plan : run.pipeline.memory.ipus) {
            core::Bytes sum;
            for (const core::LiveRangeRecord& range : run.profile.liveRanges())
                if (range.ipu == plan.ipu && range.firstStep <= plan.peakStep &&
                    plan.peakStep <= range.lastStep)
                    sum += range.bytes;
            QCOMPARE(sum, plan.summary.peak);
        }
    }

    void blocksLiveAtOneStepHaveAddressesOfTheirOwn() {
        const Recorded run = recorded(ProfileLevel::Ipu, threeStages());
        std::vector<core::LiveRangeRecord> live;
        for (const core::LiveRangeRecord& range : run.profile.liveRanges())
            if (range.ipu.index() == 0 && range.firstStep <= 5 && 5 <= range.lastStep)
                live.push_back(range);
        std::ranges::sort(live, {}, &core::LiveRangeRecord::address);
        for (std::size_t index = 1; index < live.size(); ++index)
            QVERIFY(live[index - 1].address + live[index - 1].bytes <= live[index].address);
    }

    void theProgramTreeCallsEveryStageProgramItHolds() {
        const Recorded run = recorded(ProfileLevel::Device, threeStages());
        std::set<std::string> called;
        std::map<std::size_t, std::string> programs;
        std::map<std::string, core::Cycles> steps;
        for (const core::ProgramStepRecord& step : run.profile.programSteps()) {
            QVERIFY(!step.parent.isValid() || step.parent < step.id);
            if (step.kind == core::StepKind::Call)
                called.insert(step.label);
            if (step.phase && step.kind == core::StepKind::Sequence)
                programs[step.id.index()] = step.label;
            else if (step.parent.isValid() && programs.contains(step.parent.index()))
                steps[programs[step.parent.index()]] += step.duration;
        }
        QCOMPARE(programs.size(), std::size_t(9));
        for (const auto& [id, label] : programs) {
            QVERIFY(called.contains(label));
            QCOMPARE(steps[label], run.profile.programSteps()[id].duration);
        }
    }

    void theSummaryAgreesWithWhatWasRecorded() {
        const Recorded run = recorded(ProfileLevel::Ipu, threeStages());
        const core::RunSummary summary = simulator::runSummary(run.pipeline, run.update);
        core::Cycles idle;
        for (const core::SpanRecord& span : run.profile.spans())
            if (span.kind == core::SpanKind::Idle)
                idle += span.duration;
        core::Cycles byCause;
        for (const core::Cycles cycles : summary.idleByCause)
            byCause += cycles;
        QCOMPARE(idle, byCause);
        // Three stages are on a replica of four IPUs; the unused one counts.
        QCOMPARE(summary.idleFraction, ratio(idle, summary.step * 4));
        QCOMPARE(summary.executions, std::int64_t(6));
        core::Bytes crossing;
        for (const core::TransferRecord& transfer : run.profile.transfers())
            crossing += transfer.bytes;
        for (const core::StageSummary& stage : summary.stages)
            crossing -= stage.transfer;
        QCOMPARE(crossing.value(), std::int64_t(0));
    }
};

REGISTER_TEST("record_simulation", RecordSimulationTest)
#include "record_simulation_test.moc"
