#include "core/project/run_figures.h"
#include "core/project/validate.h"
#include "tests/core/project/project_fixture.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <random>

using core::Project;
using core::RunMode;

namespace {

/// Seeded random projects of a two-stage pipeline with data.
class RandomProjects {
public:
    struct Case {
        Project project;
        std::int64_t samples = 0;
    };

    Case next() {
        Case made{tests::pipelinedProject(), pick({16, 64, 120, 256, 1000})};
        Project& project = made.project;
        project.training.batchSize = pick({1, 2, 4, 7});
        project.training.stepsPerExecution = pick({1, 2, 4, 6, 8, 12, 16, 24});
        project.pipeline.gradientAccumulationSteps = pick({1, 2, 4, 6, 8, 12});
        project.pipeline.schedule = pick({"Grouped", "Interleaved", "Sequential"});
        project.system.ipus = pick({2, 4, 8});
        project.training.dataset = core::DatasetSpec{"synthetic", core::Json::object()};
        if (pick({0, 1}) == 1)
            project.training.stepsPerEpoch = pick({8, 16, 24, 48});
        return made;
    }

private:
    template <class Value>
    Value pick(std::initializer_list<Value> values) {
        return values.begin()[m_engine() % values.size()];
    }

    std::mt19937 m_engine{20240229};
};

/// The rules of Keras and of the schedules, written down once more: nothing when one is broken.
struct Expected {
    std::int64_t replicas = 0;
    std::int64_t stepsPerReplica = 0;
    std::int64_t stepsPerExecution = 0;
    bool isAllowed = false;
};

Expected expectedOf(const Project& project, std::int64_t samples) {
    constexpr std::int64_t ipusPerReplica = 2;
    constexpr std::int64_t stages = 2;
    Expected expected;
    expected.replicas = project.system.ipus / ipusPerReplica;
    const std::int64_t steps = project.training.stepsPerEpoch.value_or(samples / project.training.batchSize);
    expected.stepsPerReplica = steps / expected.replicas;
    expected.stepsPerExecution = std::min(project.training.stepsPerExecution, expected.stepsPerReplica);
    const std::int64_t accumulation = *project.pipeline.gradientAccumulationSteps;
    const std::int64_t overlap = project.pipeline.schedule == "Grouped"       ? 2 * stages
                                 : project.pipeline.schedule == "Interleaved" ? stages
                                                                              : 1;
    expected.isAllowed = expected.stepsPerReplica > 0 &&
                         expected.stepsPerReplica % expected.stepsPerExecution == 0 &&
                         project.training.stepsPerExecution % accumulation == 0 &&
                         expected.stepsPerExecution % accumulation == 0 && accumulation % overlap == 0;
    return expected;
}

} // namespace

/// Steps, accumulation and replicas: what follows from them, and when they are refused.
class RunFiguresTest : public QObject {
    Q_OBJECT

private slots:
    void countsFollowFromBatchStepsAndReplicas() {
        RandomProjects projects;
        int allowed = 0;
        int refused = 0;
        constexpr int cases = 1500;
        for (int number = 0; number < cases; ++number) {
            const auto [project, samples] = projects.next();
            const Expected expected = expectedOf(project, samples);
            const auto validated = core::validate(project, RunMode::Train, core::DatasetFacts{samples});
            const std::string codes = validated ? std::string() : validated.error().front().code;
            QVERIFY2(validated.has_value() == expected.isAllowed,
                     qPrintable(QString("case %1: %2").arg(number).arg(codes.c_str())));
            (expected.isAllowed ? allowed : refused) += 1;
            if (!validated)
                continue;
            const std::int64_t accumulation = *project.pipeline.gradientAccumulationSteps;
            QCOMPARE(validated->replicas(), expected.replicas);
            QCOMPARE(validated->microBatches(), accumulation);
            QCOMPARE(validated->effectiveBatch(),
                     project.training.batchSize * accumulation * expected.replicas);
            QCOMPARE(validated->updatesPerExecution(), expected.stepsPerExecution / accumulation);
            QCOMPARE(validated->executionsPerEpoch(), expected.stepsPerReplica / expected.stepsPerExecution);
            QCOMPARE(validated->executionsPerEpoch() * validated->updatesPerExecution() * accumulation,
                     expected.stepsPerReplica);
        }
        QVERIFY(allowed > cases / 20 && refused > cases / 20);
    }

    /// A pipeline that predicts fills and empties as often as it is repeated within one execution.
    void repeatedPipelinesPredictInParts() {
        Project project = tests::pipelinedProject();
        project.training.stepsPerExecution = 48;
        project.training.stepsPerEpoch = 96;
        for (const RunMode mode : {RunMode::Predict, RunMode::Evaluate}) {
            project.pipeline.repeatCount.reset();
            const auto whole = core::validate(project, mode);
            QVERIFY(whole.has_value());
            QCOMPARE(whole->microBatches(), 48);
            QCOMPARE(whole->updatesPerExecution(), 1);
            project.pipeline.repeatCount = 4;
            const auto parts = core::validate(project, mode);
            QVERIFY(parts.has_value());
            QCOMPARE(parts->microBatches(), 12);
            QCOMPARE(parts->updatesPerExecution(), 4);
            QCOMPARE(parts->executionsPerEpoch(), whole->executionsPerEpoch());
            project.pipeline.repeatCount = 5;
            const auto odd = core::validate(project, mode);
            QVERIFY(!odd.has_value());
            QCOMPARE(odd.error().front().code, std::string("value-error/repeat-count"));
        }
    }

    /// Replicas are what the IPUs hold of the model, rounded up to a power of two.
    void replicasFollowFromTheIpus() {
        for (const std::int64_t ipus : {2, 4, 8, 16, 32, 64}) {
            for (const std::size_t highest : {1U, 2U, 3U, 5U, 7U, 9U}) {
                Project project = tests::pipelinedProject();
                project.deviceMapping = tests::mapping({0, highest});
                project.system.ipus = ipus;
                std::int64_t perReplica = 1;
                while (perReplica < static_cast<std::int64_t>(highest) + 1)
                    perReplica *= 2;
                const auto validated = core::validate(project, RunMode::Train);
                QCOMPARE(validated.has_value(), ipus >= perReplica);
                if (validated)
                    QCOMPARE(validated->replicas(), ipus / perReplica);
                else
                    QCOMPARE(validated.error().front().code, std::string("value-error/too-few-ipus"));
            }
        }
    }
};

REGISTER_TEST("run_figures", RunFiguresTest)
#include "run_figures_test.moc"
