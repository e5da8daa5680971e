#include "core/profile/records/memory_profile.h"
#include "simulator/engine/run.h"

#include "simulator/planner/estimate.h"
#include "tests/simulator/engine/simulated_run.h"
#include "tests/simulator/project_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::MemoryProfile;
using simulator::RunRequest;

namespace {

RunRequest requestOf(const core::Project& project, core::RunMode mode = core::RunMode::Train) {
    return {.project = tests::validated(project, mode),
            .level = simulator::ProfileLevel::Ipu,
            .numerics = false,
            .baseFolder = {},
            .projectText = "text",
            .projectHash = "hash",
            .started = "2024-01-01T00:00:00Z"};
}

const std::vector<int> layerWidths{128, 128, 256, 256, 128, 64, 32, 10};

} // namespace

class RunTest : public QObject {
    Q_OBJECT

private slots:
    void aRunIsCompiledSimulatedAndFinished() {
        MemoryProfile profile;
        const auto summary = simulator::run(requestOf(tests::denseProject(layerWidths, 4)), profile);
        QVERIFY(summary.has_value());
        QVERIFY(profile.isComplete() && profile.summary() == *summary);
        QCOMPARE(summary->provenance.schedule, std::string("Grouped"));
        QCOMPARE(summary->provenance.projectHash, std::string("hash"));
        QCOMPARE(summary->effectiveBatch, std::int64_t(16 * 16));
        QCOMPARE(summary->stages.size(), std::size_t(4));
        QCOMPARE(summary->executions, std::int64_t(4));
        QVERIFY(summary->samplesPerSecond > 0 && summary->fits);
        QVERIFY(std::ranges::any_of(profile.operations(), [](const core::OperationRecord& operation) {
            return operation.layer == "dense3" && operation.kind == "MatMul";
        }));
    }

    void theEstimateEqualsTheRun() {
        for (const std::size_t stages : {1, 2, 4}) {
            for (const bool recompute : {false, true}) {
                core::Project project = tests::denseProject(layerWidths, stages);
                project.ipuConfig.values["allow_recompute"] = recompute;
                MemoryProfile profile;
                const auto summary = simulator::run(requestOf(project), profile);
                QVERIFY(summary.has_value());
                simulator::CompilationCache cache;
                const core::PlanEstimate estimate = simulator::estimate(tests::validated(project), cache);
                QCOMPARE(estimate.step, summary->step);
                QCOMPARE(estimate.samplesPerSecond, summary->samplesPerSecond);
                QCOMPARE(estimate.idleFraction, summary->idleFraction);
                QCOMPARE(estimate.stages.size(), summary->stages.size());
                for (std::size_t stage = 0; stage < stages; ++stage) {
                    QCOMPARE(estimate.stages[stage].forward, summary->stages[stage].forward);
                    QCOMPARE(estimate.stages[stage].backward, summary->stages[stage].backward);
                    QCOMPARE(estimate.stages[stage].stash, summary->stages[stage].stash);
                }
                for (std::size_t ipu = 0; ipu < estimate.ipus.size(); ++ipu) {
                    QCOMPARE(estimate.ipus[ipu].peak, summary->memory[ipu].peak);
                    QCOMPARE(estimate.ipus[ipu].worstTileBytes, summary->memory[ipu].worstTileBytes);
                }
            }
        }
    }

    void aCacheGivesTheSameEstimateAfterALayerMoved() {
        core::Project project = tests::denseProject(layerWidths, 4);
        simulator::CompilationCache cache;
        (void)simulator::estimate(tests::validated(project), cache);
        const std::size_t plans = cache.plans().size();
        project.assignment.stages[2] = core::StageId(0);
        const core::PlanEstimate moved = simulator::estimate(tests::validated(project), cache);
        simulator::CompilationCache fresh;
        const core::PlanEstimate cold = simulator::estimate(tests::validated(project), fresh);
        QCOMPARE(moved.step, cold.step);
        QCOMPARE(moved.ipus[0].peak, cold.ipus[0].peak);
        QCOMPARE(cache.plans().size(), plans);
        // A change of the model is no move: the graph is built anew.
        project.training.batchSize = 8;
        const core::PlanEstimate smaller = simulator::estimate(tests::validated(project), cache);
        QVERIFY(smaller.stages[0].stash < moved.stages[0].stash);
    }

    /// 4 stages on 1, 4 and 64 replicas: within one machine, over IPU-Links, over the gateways of a POD256.
    void replicasAddThroughputButPayForTheirReduction() {
        double before = 0;
        core::Cycles reduction;
        for (const std::int64_t replicas : {1, 4, 64}) {
            core::Project project = tests::denseProject(layerWidths, 4);
            project.replicas = replicas;
            project.system.ipus = 4 * replicas;
            project.training.stepsPerExecution = 32 * replicas;
            project.training.stepsPerEpoch = 64 * replicas;
            const tests::SimulatedRun run = tests::simulatedRun(project);
            core::Cycles reducing;
            for (const core::SpanRecord& span : run.profile.spans())
                if (span.kind == core::SpanKind::AllReduce)
                    reducing += span.duration;
            QCOMPARE(run.summary.effectiveBatch, 16 * 16 * replicas);
            QVERIFY2(run.summary.samplesPerSecond > before, std::to_string(replicas).c_str());
            QVERIFY2(replicas == 1 ? reducing == core::Cycles() : reducing > reduction,
                     std::to_string(replicas).c_str());
            if (before > 0)
                QVERIFY(run.summary.samplesPerSecond < before * 16);
            before = run.summary.samplesPerSecond;
            reduction = reducing;
        }
    }

    void everyModeRuns() {
        core::Project project = tests::denseProject(layerWidths, 2);
        for (const core::RunMode mode :
             {core::RunMode::Train, core::RunMode::Evaluate, core::RunMode::Predict}) {
            MemoryProfile profile;
            const auto summary = simulator::run(requestOf(project, mode), profile);
            QVERIFY(summary.has_value());
            QCOMPARE(summary->stages[0].backward.value() > 0, mode == core::RunMode::Train);
            QCOMPARE(summary->stages[0].update.value() > 0, mode == core::RunMode::Train);
        }
    }

    void theSameProjectGivesTheSameRecords() {
        MemoryProfile first;
        MemoryProfile second;
        const RunRequest request = requestOf(tests::denseProject(layerWidths, 4));
        QVERIFY(simulator::run(request, first).has_value() && simulator::run(request, second).has_value());
        QVERIFY(first.spans() == second.spans() && first.liveRanges() == second.liveRanges());
        QVERIFY(first.programSteps() == second.programSteps() && first.summary() == second.summary());
    }

    void aCancelledRunIsNotFinished() {
        std::stop_source source;
        source.request_stop();
        MemoryProfile profile;
        const auto result =
            simulator::run(requestOf(tests::denseProject(layerWidths, 2)), profile, {source.get_token(), {}});
        QCOMPARE(result.error().front().trouble, core::Trouble::Interrupted);
        QVERIFY(!profile.isComplete());
    }

    void aTargetThatCannotBeReadIsRefusedBeforeTheSinkHearsOfIt() {
        core::Project project = tests::denseProject(layerWidths, 2);
        project.system.target = "no-such-target";
        MemoryProfile profile;
        QVERIFY(!simulator::run(requestOf(project), profile).has_value());
        QVERIFY(profile.provenance().projectName.empty());
    }

    void progressNeverGoesBack() {
        double last = 0;
        bool isMonotone = true;
        MemoryProfile profile;
        const core::JobContext job{{}, [&](double fraction, std::string_view) {
                                       isMonotone = isMonotone && fraction >= last && fraction <= 1;
                                       last = fraction;
                                   }};
        QVERIFY(simulator::run(requestOf(tests::denseProject(layerWidths, 2)), profile, job).has_value());
        QVERIFY(isMonotone);
        QCOMPARE(last, 1.0);
    }

    void levelNamesAreThoseOfTheCommandLine() {
        for (const auto* name : {"none", "device", "ipu", "tile"})
            QCOMPARE(simulator::toString(*simulator::profileLevelFromName(name)), std::string_view(name));
        QVERIFY(!simulator::profileLevelFromName("all"));
    }
};

REGISTER_TEST("run", RunTest)
#include "run_test.moc"
