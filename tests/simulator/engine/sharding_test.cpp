#include "tests/simulator/engine/simulated_run.h"
#include "tests/simulator/training_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::Cycles;
using core::IdleCause;
using core::Project;
using simulator::TransferPath;
using tests::SimulatedRun;
using tests::simulatedRun;

namespace {

/// Four Dense layers on the IPUs named.
Project sharded(std::initializer_list<std::size_t> shards) {
    Project project = tests::denseProject({128, 128, 64, 10}, 1);
    project.assignment.isSharding = true;
    for (const std::size_t shard : shards) {
        project.assignment.stages.emplace_back(shard);
        while (project.system.ipus <= static_cast<std::int64_t>(shard))
            project.system.ipus *= 2;
    }
    return project;
}

/// The same layers in the same places as a pipeline.
Project pipelined(std::initializer_list<std::size_t> stages) {
    Project project = sharded(stages);
    project.assignment.isSharding = false;
    return project;
}

Cycles workOf(const SimulatedRun& run) {
    Cycles sum;
    for (const simulator::StagePrograms& stage : run.executable.stages)
        sum += stage.forward.total() + stage.backward.total();
    return sum;
}

std::string firstCode(const Project& project) {
    const auto validated = core::validate(project, core::RunMode::Train);
    return validated ? "" : validated.error().front().code;
}

} // namespace

/// A model whose layers are on several IPUs without a pipeline: what runs when, what crosses, what it costs
/// compared with a pipeline, and that it learns the same.
class ShardingTest : public QObject {
    Q_OBJECT

private slots:
    void oneIpuWorksWhileTheOthersWait() {
        const SimulatedRun run = simulatedRun(sharded({0, 0, 1, 1}));
        QCOMPARE(run.summary.memory.size(), std::size_t(2));
        QCOMPARE(run.summary.stages.size(), std::size_t(2));
        // No FIFOs: a micro-batch is through before the next one starts.
        for (const auto& stage : run.summary.stages)
            QCOMPARE(stage.fifoDepth, std::int64_t(0));
        QVERIFY(run.idle(IdleCause::Serial) > Cycles(0));
        QCOMPARE(run.idle(IdleCause::WarmUp) + run.idle(IdleCause::Drain), Cycles(0));
        // The plain sum of all programs, and what is between them.
        QVERIFY(run.summary.step > workOf(run) * 16);
        std::vector<std::pair<Cycles, Cycles>> busy;
        for (const core::SpanRecord& span : run.profile.spans())
            if (span.kind == core::SpanKind::Forward || span.kind == core::SpanKind::Backward)
                busy.emplace_back(span.start, span.start + span.duration);
        std::ranges::sort(busy);
        QVERIFY(busy.size() > 16);
        for (std::size_t i = 1; i < busy.size(); ++i)
            QVERIFY(busy[i].first >= busy[i - 1].second);
    }

    void aPipelineOnTheSameIpusIsFasterAndKeepsMore() {
        const SimulatedRun apart = simulatedRun(sharded({0, 0, 1, 1}));
        const SimulatedRun pipeline = simulatedRun(pipelined({0, 0, 1, 1}));
        QVERIFY(pipeline.summary.step < apart.summary.step);
        QVERIFY(pipeline.summary.idleFraction < apart.summary.idleFraction);
        QVERIFY(pipeline.memory(core::MemoryCategory::Stash) > apart.memory(core::MemoryCategory::Stash));
        QCOMPARE(pipeline.memory(core::MemoryCategory::Weights), apart.memory(core::MemoryCategory::Weights));
    }

    void aValueIsCopiedOnceToEachIpuThatReadsIt() {
        // Targets go straight from the IPU of the input to that of the loss, past those between.
        const SimulatedRun run = simulatedRun(sharded({0, 1, 2, 3}));
        QCOMPARE(run.transfers(TransferPath::LocalFifo) + run.transfers(TransferPath::IntraIpuCopy),
                 std::size_t(0));
        for (const core::TransferRecord& transfer : run.profile.transfers())
            QVERIFY(!transfer.passThrough);
        // Three activations forward, three gradients back, the targets.
        QCOMPARE(run.transfers(TransferPath::InterIpuCopy), std::size_t(7));
        // A pipeline hands the targets on from stage to stage.
        QCOMPARE(simulatedRun(pipelined({0, 1, 2, 3})).transfers(TransferPath::InterIpuCopy), std::size_t(9));
    }

    void copiesWaitForOneAnotherUpToTheBuffer() {
        Project project = sharded({0, 1, 1, 0});
        const SimulatedRun single = simulatedRun(project);
        project.ipuConfig.values["optimizations.maximum_inter_ipu_copies_buffer_size"] = 1 << 20;
        const SimulatedRun together = simulatedRun(project);
        QCOMPARE(together.spanBytes(core::SpanKind::InterIpuCopy),
                 single.spanBytes(core::SpanKind::InterIpuCopy));
        QVERIFY(together.summary.step <= single.summary.step);
        project = sharded({0, 1, 1, 1});
        // The first step sends an activation and the targets to the second.
        const Cycles apart = simulatedRun(project).summary.step;
        project.ipuConfig.values["optimizations.maximum_inter_ipu_copies_buffer_size"] = 1 << 20;
        QVERIFY(simulatedRun(project).summary.step < apart);
    }

    void aShardedModelTrainsLikeOneOnOneIpu_data() {
        QTest::addColumn<QList<int>>("shards");
        QTest::newRow("two") << QList<int>{0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
        QTest::newRow("there and back") << QList<int>{0, 0, 1, 1, 1, 1, 1, 0, 0, 0};
        QTest::newRow("four") << QList<int>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1};
    }
    void aShardedModelTrainsLikeOneOnOneIpu() {
        QFETCH(QList<int>, shards);
        std::vector<std::size_t> numbers(shards.begin(), shards.end());
        Project project = tests::skippingProject(numbers);
        project.assignment.isSharding = true;
        const auto apart = tests::train(project);
        const auto whole = tests::train(tests::skippingProject({}));
        QVERIFY2(apart.has_value(), apart ? "" : core::toText(apart.error().front()).c_str());
        QCOMPARE(apart->series("loss"), whole->series("loss"));
        QVERIFY(apart->weights == whole->weights);
    }

    void shardsReplicateLikeStages() {
        Project project = sharded({0, 0, 1, 1});
        project.system.ipus = 8;
        project.training.stepsPerEpoch = 256;
        const SimulatedRun run = simulatedRun(project);
        QCOMPARE(run.executable.system.replicas, std::int64_t(4));
        QCOMPARE(run.executable.system.ipusPerReplica, std::int64_t(2));
        QVERIFY(run.idle(IdleCause::AllReduce) > Cycles(0));
    }

    void refusesWhatShardingDoesNotHave() {
        QCOMPARE(firstCode(sharded({0, 0, 1, 1})), std::string());
        QCOMPARE(firstCode(sharded({0, 0, 1})), std::string("value-error/shard-count"));
        Project unset = sharded({0, 0, 1, 1});
        unset.assignment.stages[2] = core::StageId();
        QCOMPARE(firstCode(unset), std::string("value-error/shard-unset"));
        Project mapped = sharded({0, 0, 1, 1});
        mapped.deviceMapping.ipus = {core::IpuId(1), core::IpuId(0)};
        QCOMPARE(firstCode(mapped), std::string("value-error/sharding"));
        Project few = sharded({0, 0, 1, 1});
        few.system.ipus = 1;
        QCOMPARE(firstCode(few), std::string("value-error/too-few-ipus"));
    }
};

REGISTER_TEST("sharding", ShardingTest)
#include "sharding_test.moc"
