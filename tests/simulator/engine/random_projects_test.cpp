#include "core/plan/recomputation.h"
#include "core/profile/records/time_records.h"
#include "tests/simulator/engine/simulated_run.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <map>
#include <random>

using core::Bytes;
using core::Cycles;
using core::LaneKind;
using core::Project;
using core::SpanKind;
using tests::SimulatedRun;

namespace {

constexpr unsigned projects = 40;

/// A small project with everything about its pipeline drawn from `random`; always a valid one.
class RandomProject {
public:
    explicit RandomProject(unsigned seed)
        : m_random(seed) {}

    Project make() {
        const std::size_t stages = 1 + pick(4);
        std::vector<int> widths(stages + pick(4));
        for (int& width : widths)
            width = static_cast<int>(8 * (1 + pick(32)));
        Project project = tests::denseProject(widths, stages);
        project.pipeline.schedule = std::array{"Grouped", "Interleaved", "Sequential"}[pick(3)];
        const auto microBatches = static_cast<std::int64_t>(2 * stages * (1 + pick(3)));
        project.pipeline.gradientAccumulationSteps = microBatches;
        project.training.batchSize = static_cast<std::int64_t>(1 + pick(16));
        const auto repeats = static_cast<std::int64_t>(1 + pick(2));
        project.training.stepsPerExecution = microBatches * repeats;
        project.replicas = std::int64_t(1) << pick(3);
        project.system.ipus *= *project.replicas;
        project.training.stepsPerEpoch = project.training.stepsPerExecution * *project.replicas;
        project.ipuConfig.values["allow_recompute"] = coin();
        project.ipuConfig.values["optimizations.prefetch_data_streams"] = coin();
        project.pipeline.accumulateOutfeed = coin();
        project.pipeline.offloadWeightUpdateVariables = coin();
        project.pipeline.offloadGradientAccumulationBuffers = coin();
        if (stages > 1)
            project.pipeline.offloadActivations = coin();
        shareIpus(project, stages);
        return project;
    }

private:
    std::size_t pick(std::size_t count) { return m_random() % count; }
    bool coin() { return pick(2) == 1; }

    /// Where the schedule allows it, now and then two stages on one IPU.
    void shareIpus(Project& project, std::size_t stages) {
        if (stages < 2 || project.pipeline.schedule == "Interleaved" || coin())
            return;
        for (std::size_t stage = 0; stage < stages; ++stage)
            project.deviceMapping.ipus.emplace_back(pick(stages));
    }

    std::mt19937 m_random;
};

/// The drawn projects that are valid: a mapping may use fewer IPUs than the replicas leave.
std::vector<Project> randomProjects() {
    std::vector<Project> result;
    for (unsigned seed = 0; seed < projects; ++seed)
        if (Project project = RandomProject(seed).make();
            core::validate(project, core::RunMode::Train).has_value())
            result.push_back(std::move(project));
    return result;
}

Cycles stepOf(const Project& project, const core::Json& figures) {
    Project changed = project;
    changed.system.other.update(figures);
    return tests::simulatedRun(changed).summary.step;
}

} // namespace

/// What holds of every run, whatever the project.
class RandomProjectsTest : public QObject {
    Q_OBJECT

private slots:
    void mostDrawnProjectsAreValid() { QVERIFY(randomProjects().size() > projects / 2); }

    void workAndIdleFillEveryLaneAndSumToTheSummary() {
        for (const Project& project : randomProjects()) {
            const SimulatedRun run = tests::simulatedRun(project);
            std::map<core::LaneId, Cycles> ends;
            Cycles idle;
            for (const core::SpanRecord& span : run.profile.spans()) {
                if (run.profile.lanes()[span.lane.index()].kind != LaneKind::Compute)
                    continue;
                QCOMPARE(span.start, ends[span.lane]);
                ends[span.lane] += span.duration;
                if (span.kind == SpanKind::Idle)
                    idle += span.duration;
            }
            for (const core::LaneRecord& lane : run.profile.lanes())
                if (lane.kind == LaneKind::Compute)
                    QCOMPARE(ends[lane.id], run.summary.step);
            Cycles causes;
            for (const Cycles cycles : run.summary.idleByCause)
                causes += cycles;
            QCOMPARE(causes, idle);
        }
    }

    void stageProgramsAreTheSumOfTheirSteps() {
        for (const Project& project : randomProjects()) {
            const SimulatedRun run = tests::simulatedRun(project);
            for (const simulator::StagePrograms& stage : run.executable.stages)
                for (const simulator::StageProgram* program :
                     {&stage.forward, &stage.backward, &stage.recompute, &stage.weightUpdate}) {
                    Cycles sum;
                    for (std::uint32_t index = 0; index < program->steps.size(); ++index) {
                        const bool repeats = index >= program->loopBegin && index < program->loopEnd;
                        sum += program->steps[index].duration * (repeats ? program->iterations : 1);
                    }
                    QCOMPARE(program->total(), sum);
                }
        }
    }

    void whatIsSentIsReceived() {
        for (const Project& project : randomProjects()) {
            const SimulatedRun run = tests::simulatedRun(project);
            const simulator::SlotPattern pattern = simulator::slotPattern(run.executable);
            for (const simulator::SlotKind& kind : pattern.kinds) {
                Bytes sent;
                Bytes received;
                for (std::size_t ipu = 0; ipu < kind.exchange.sent.size(); ++ipu) {
                    sent += kind.exchange.sent[ipu];
                    received += kind.exchange.received[ipu];
                }
                QCOMPARE(sent, received);
            }
            Bytes crossing;
            for (const core::TransferRecord& transfer : run.profile.transfers())
                crossing += transfer.bytes;
            Bytes ofStages;
            for (const core::StageSummary& stage : run.summary.stages)
                ofStages += stage.transfer;
            QCOMPARE(crossing, ofStages);
        }
    }

    void memoryAddsUpByCategoryBlockAndTile() {
        for (const Project& project : randomProjects()) {
            const SimulatedRun run = tests::simulatedRun(project);
            for (std::size_t ipu = 0; ipu < run.summary.memory.size(); ++ipu) {
                const core::IpuMemorySummary& summary = run.summary.memory[ipu];
                Bytes categories;
                for (const Bytes bytes : summary.byCategory)
                    categories += bytes;
                QCOMPARE(categories, summary.peak);
                QCOMPARE(summary.alwaysLive + summary.notAlwaysLivePeak, summary.peak);
                const core::TileMemoryRecord& tiles = run.profile.tileMemory()[ipu];
                std::int64_t worst = 0;
                for (const std::vector<std::int32_t>& category : tiles.bytes)
                    worst += category[static_cast<std::size_t>(summary.worstTile)];
                QCOMPARE(worst, summary.worstTileBytes.value());
            }
        }
    }

    void theSameProjectIsTheSameRun() {
        for (const Project& project : randomProjects()) {
            const SimulatedRun first = tests::simulatedRun(project);
            const SimulatedRun second = tests::simulatedRun(project);
            QVERIFY(first.summary == second.summary);
            QVERIFY(first.profile.spans() == second.profile.spans());
            QVERIFY(first.profile.liveRanges() == second.profile.liveRanges());
        }
    }

    void fasterLinksAndHostsNeverSlowARun() {
        for (const Project& project : randomProjects()) {
            const Cycles step = stepOf(project, core::Json::object());
            for (const auto& [figure, value] :
                 {std::pair{"link_bytes_per_second", 32e9}, std::pair{"host_bytes_per_second", 40e9},
                  std::pair{"streaming_memory_bytes_per_second", 40e9}})
                QVERIFY2(stepOf(project, {{figure, value}}) <= step, figure);
        }
    }
};

REGISTER_TEST("random_projects", RandomProjectsTest)

#include "random_projects_test.moc"
