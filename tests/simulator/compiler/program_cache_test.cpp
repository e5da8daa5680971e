#include "simulator/compiler/program_cache.h"

#include "core/config/ipu_config/ipu_config.h"
#include "core/project/validate.h"
#include "simulator/planner/estimate.h"
#include "tests/core/project/project_fixture.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <random>

namespace {

using core::Project;

/// An estimate with a cache of its own is the measure: nothing of an earlier compilation is in it.
core::PlanEstimate fresh(const Project& project) {
    simulator::CompilationCache cache;
    const auto validated = core::validate(project, core::RunMode::Train);
    return validated ? simulator::estimate(*validated, cache) : core::PlanEstimate{};
}

core::PlanEstimate remembered(const Project& project, simulator::CompilationCache& cache) {
    const auto validated = core::validate(project, core::RunMode::Train);
    return validated ? simulator::estimate(*validated, cache) : core::PlanEstimate{};
}

void compare(const core::PlanEstimate& a, const core::PlanEstimate& b) {
    QCOMPARE(a.refusal, b.refusal);
    QCOMPARE(a.step.value(), b.step.value());
    QCOMPARE(a.samplesPerSecond, b.samplesPerSecond);
    QCOMPARE(a.idleFraction, b.idleFraction);
    QCOMPARE(a.fits, b.fits);
    QCOMPARE(a.invocations.size(), b.invocations.size());
    QCOMPARE(a.stages.size(), b.stages.size());
    for (std::size_t i = 0; i < a.stages.size(); ++i) {
        QCOMPARE(a.stages[i].ipu, b.stages[i].ipu);
        QCOMPARE(a.stages[i].forward.value(), b.stages[i].forward.value());
        QCOMPARE(a.stages[i].backward.value(), b.stages[i].backward.value());
        QCOMPARE(a.stages[i].recompute.value(), b.stages[i].recompute.value());
        QCOMPARE(a.stages[i].stash.value(), b.stages[i].stash.value());
        QCOMPARE(a.stages[i].cut.value(), b.stages[i].cut.value());
    }
    QCOMPARE(a.ipus.size(), b.ipus.size());
    for (std::size_t i = 0; i < a.ipus.size(); ++i) {
        QCOMPARE(a.ipus[i].ipu, b.ipus[i].ipu);
        QCOMPARE(a.ipus[i].peak.value(), b.ipus[i].peak.value());
        QCOMPARE(a.ipus[i].alwaysLive.value(), b.ipus[i].alwaysLive.value());
        QCOMPARE(a.ipus[i].stash.value(), b.ipus[i].stash.value());
        QCOMPARE(a.ipus[i].temporary.value(), b.ipus[i].temporary.value());
        QCOMPARE(a.ipus[i].worstTile, b.ipus[i].worstTile);
        QCOMPARE(a.ipus[i].worstTileBytes.value(), b.ipus[i].worstTileBytes.value());
        QCOMPARE(a.ipus[i].busy.value(), b.ipus[i].busy.value());
        QVERIFY(a.ipus[i].idle == b.ipus[i].idle);
    }
}

Project randomProject(std::mt19937& random) {
    const auto of = [&](auto... values) {
        const std::array list{values...};
        return list[random() % list.size()];
    };
    Project project = tests::pipelinedProject();
    project.assignment = of(0, 1) == 0 ? tests::stages({0, 0, 1, 1}) : tests::stages({0, 1, 1, 1});
    project.pipeline.schedule = of("Grouped", "Interleaved", "Sequential", "1F1B", "ZB-H1");
    project.pipeline.gradientAccumulationSteps = of(1, 2, 3, 4, 8, 16);
    project.training.stepsPerExecution = 48;
    project.training.stepsPerEpoch = 96;
    project.training.batchSize = of(1, 2);
    project.training.infeed.prefetchDepth = of(1, 3);
    project.replicas = of(1, 2);
    project.system.ipus = 4;
    if (of(0, 1) == 1)
        project.ipuConfig.values["allow_recompute"] = true;
    project.pipeline.offloadActivations = of(0, 1) == 1;
    return project;
}

/// Four stages whose IPUs are called and shared in many ways.
Project randomMapping(std::mt19937& random) {
    const auto of = [&](auto... values) {
        const std::array list{values...};
        return list[random() % list.size()];
    };
    const std::array<core::DeviceMapping, 9> mappings{
        tests::mapping({0, 1, 2, 3}), tests::mapping({3, 0, 2, 1}), tests::mapping({1, 3, 0, 2}),
        tests::mapping({0, 1, 0, 1}), tests::mapping({1, 0, 1, 0}), tests::mapping({0, 1, 1, 0}),
        tests::mapping({0, 3, 3, 0}), tests::mapping({2, 1, 2, 0}), tests::mapping({})};
    Project project = randomProject(random);
    project.assignment = tests::stages({0, 1, 2, 3});
    project.pipeline.schedule =
        of("Grouped", "Interleaved", "Sequential", "1F1B", "ZB-H1", "Interleaved1F1B");
    project.pipeline.gradientAccumulationSteps = of(8, 16);
    project.deviceMapping = mappings[random() % mappings.size()];
    project.pipeline.offloadActivations = false;
    project.training.batchSize = 1;
    project.system.ipus = 8;
    return project;
}

} // namespace

class ProgramCacheTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsFoundHasTheFiguresOfWhatIsCompiled() {
        std::mt19937 random(7);
        simulator::CompilationCache cache;
        for (int i = 0; i < 900; ++i) {
            const Project project = randomProject(random);
            compare(remembered(project, cache), fresh(project));
        }
        QVERIFY2(cache.programs().found() > 20, qPrintable(QString::number(cache.programs().found())));
    }

    void fifosOfOtherDepthsAreOnlyMeasuredAgain() {
        std::mt19937 random(13);
        simulator::CompilationCache cache;
        bool somethingFits = false;
        bool somethingDoesNot = false;
        Project project;
        for (int i = 0; i < 300; ++i) {
            if (i % 10 == 0) {
                project = i % 20 == 0 ? randomProject(random) : randomMapping(random);
                project.pipeline.schedule = i % 80 > 0 ? "GPipe" : "Interleaved";
            }
            project.pipeline.gradientAccumulationSteps = static_cast<std::int64_t>(1 + random() % 3000);
            project.training.stepsPerExecution = *project.pipeline.gradientAccumulationSteps;
            project.training.stepsPerEpoch = 2 * project.training.stepsPerExecution;
            const core::PlanEstimate found = remembered(project, cache);
            compare(found, fresh(project));
            somethingFits = somethingFits || found.fits;
            somethingDoesNot = somethingDoesNot || (found.refusal.empty() && !found.fits);
        }
        QVERIFY(somethingFits && somethingDoesNot);
        QVERIFY2(cache.programs().found() > 100, qPrintable(QString::number(cache.programs().found())));
    }

    /// Of more schedules than slots are kept of, in an order in which hardly any is kept still.
    void slotsThatAreNotKeptAreLaidOutAgain() {
        std::mt19937 random(17);
        simulator::CompilationCache cache;
        simulator::TimedUpdates updates;
        for (int i = 0; i < 160; ++i) {
            Project project = tests::pipelinedProject();
            project.pipeline.schedule = i % 2 == 0 ? "Interleaved" : "1F1B";
            project.pipeline.gradientAccumulationSteps = 4000 + 2 * static_cast<std::int64_t>(random() % 40);
            project.training.stepsPerExecution = *project.pipeline.gradientAccumulationSteps;
            project.training.stepsPerEpoch = project.training.stepsPerExecution;
            project.training.infeed.prefetchDepth = static_cast<std::int64_t>(1 + random() % 2);
            if (i % 4 >= 2)
                project.system.other["host_machine_bytes_per_second"] = 1e6;
            const auto validated = core::validate(project, core::RunMode::Train);
            QVERIFY(validated.has_value());
            const core::PlanEstimate totals = simulator::estimateTotals(*validated, cache, updates);
            const core::PlanEstimate found = simulator::estimate(*validated, cache);
            QCOMPARE(totals.step.value(), found.step.value());
            if (i % 8 < 4)
                compare(found, fresh(project));
        }
    }

    void aMappingOfTheSameStagesToOtherIpusIsOnlyTimedAgain() {
        std::mt19937 random(3);
        simulator::CompilationCache cache;
        for (int i = 0; i < 400; ++i) {
            const Project project = randomMapping(random);
            compare(remembered(project, cache), fresh(project));
        }
        QVERIFY2(cache.programs().found() > 60, qPrintable(QString::number(cache.programs().found())));
    }

    void linkFiguresAreOnlyTimedAgain() {
        std::mt19937 random(5);
        simulator::CompilationCache cache;
        simulator::TimedUpdates updates;
        for (int i = 0; i < 200; ++i) {
            Project project = randomMapping(random);
            const bool isOneReplica = random() % 3 != 0;
            project.pipeline.schedule = "Grouped";
            project.replicas = isOneReplica ? 1 : 2;
            project.system.other["link_bytes_per_second"] = std::array{1e8, 4e9, 16e9}[random() % 3];
            project.system.other["sync_seconds_per_hop"] = std::array{15e-9, 1e-6}[random() % 2];
            project.system.other["links_between_pairs"] = 1 + static_cast<std::int64_t>(random() % 3);
            project.system.other["collective_latency_seconds"] = std::array{1e-6, 1e-5}[random() % 2];
            const auto validated = core::validate(project, core::RunMode::Train);
            QVERIFY(validated.has_value());
            const core::PlanEstimate totals = simulator::estimateTotals(*validated, cache, updates);
            const core::PlanEstimate measure = fresh(project);
            QCOMPARE(totals.step.value(), measure.step.value());
            QCOMPARE(totals.samplesPerSecond, measure.samplesPerSecond);
            QCOMPARE(totals.idleFraction, measure.idleFraction);
            compare(remembered(project, cache), measure);
        }
        QVERIFY2(cache.programs().found() > 300, qPrintable(QString::number(cache.programs().found())));
    }

    /// Where replicas pass something inside their programs, the links are in the programs' prices.
    void collectivesInsideProgramsArePricedByTheirLinks() {
        std::mt19937 random(9);
        simulator::CompilationCache cache;
        simulator::TimedUpdates updates;
        for (int i = 0; i < 60; ++i) {
            Project project = randomProject(random);
            project.pipeline.schedule = "Grouped";
            project.replicas = 2;
            project.pipeline.offloadWeightUpdateVariables = true;
            project.pipeline.replicatedOptimizerStateSharding = random() % 2 == 0;
            project.training.averagesReplicas = random() % 2 == 0;
            project.system.other["link_bytes_per_second"] = std::array{1e8, 4e9, 16e9}[random() % 3];
            const auto validated = core::validate(project, core::RunMode::Train);
            if (!validated)
                continue;
            const core::PlanEstimate totals = simulator::estimateTotals(*validated, cache, updates);
            const core::PlanEstimate measure = fresh(project);
            QCOMPARE(totals.step.value(), measure.step.value());
            compare(remembered(project, cache), measure);
        }
    }

    /// A host that kept up with nothing before keeps up with a deeper queue.
    void aQueueThatWasTooShortIsForgottenWithADeeperOne() {
        simulator::CompilationCache cache;
        simulator::TimedUpdates updates;
        for (const char* schedule : {"Grouped", "1F1B"})
            for (const std::int64_t depth : {0, 3, 0, 1, 3}) {
                Project project = tests::pipelinedProject();
                project.pipeline.schedule = schedule;
                project.training.infeed.prefetchDepth = depth;
                const auto validated = core::validate(project, core::RunMode::Train);
                QVERIFY(validated.has_value());
                QCOMPARE(simulator::estimateTotals(*validated, cache, updates).step.value(),
                         fresh(project).step.value());
            }
    }

    void totalsAreThoseOfTheWholeEstimate() {
        std::mt19937 random(11);
        simulator::CompilationCache cache;
        simulator::TimedUpdates updates;
        std::size_t estimated = 0;
        for (int i = 0; i < 300; ++i) {
            Project project = i % 2 == 0 ? randomProject(random) : randomMapping(random);
            project.training.infeed.prefetchDepth = static_cast<std::int64_t>(random() % 5);
            project.training.outfeed.bufferDepth = static_cast<std::int64_t>(1 + random() % 3);
            // From hosts that nothing waits for to those that all wait for.
            project.system.other["host_machine_bytes_per_second"] = std::array{1e6, 1e8, 1e10}[random() % 3];
            const auto validated = core::validate(project, core::RunMode::Train);
            if (!validated)
                continue;
            const core::PlanEstimate whole = simulator::estimate(*validated, cache);
            const core::PlanEstimate totals = simulator::estimateTotals(*validated, cache, updates);
            ++estimated;
            QCOMPARE(totals.refusal, whole.refusal);
            QCOMPARE(totals.step.value(), whole.step.value());
            QCOMPARE(totals.samplesPerSecond, whole.samplesPerSecond);
            QCOMPARE(totals.idleFraction, whole.idleFraction);
            QCOMPARE(totals.fits, whole.fits);
            QCOMPARE(totals.ipus.size(), whole.ipus.size());
            for (std::size_t ipu = 0; ipu < whole.ipus.size(); ++ipu) {
                QCOMPARE(totals.ipus[ipu].busy.value(), whole.ipus[ipu].busy.value());
                QCOMPARE(totals.ipus[ipu].peak.value(), whole.ipus[ipu].peak.value());
            }
        }
        QVERIFY2(updates.timed() < estimated, qPrintable(QString::number(updates.timed())));
    }

    void moreMicroBatchesAreOnlyTimedAgain() {
        simulator::CompilationCache cache;
        Project project = tests::pipelinedProject();
        project.training.stepsPerExecution = 4096;
        for (const std::int64_t microBatches : {8, 16, 32, 64, 128}) {
            project.pipeline.gradientAccumulationSteps = microBatches;
            (void)remembered(project, cache);
        }
        QCOMPARE(cache.programs().found(), std::size_t(4));
        project.training.batchSize = 3;
        (void)remembered(project, cache);
        QCOMPARE(cache.programs().found(), std::size_t(4));
    }
};

REGISTER_TEST("program_cache", ProgramCacheTest)
#include "program_cache_test.moc"
