#include "simulator/engine/clock/program_alternatives.h"

#include "simulator/cost/communication.h"
#include "tests/simulator/engine/simulated_run.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::Cycles;

class ProgramAlternativesTest : public QObject {
    Q_OBJECT

private slots:
    void everyAlgorithmStandsBesideTheProjectsOwn() {
        core::Project project = tests::denseProject({128, 256, 128, 64}, 2);
        project.ipuConfig.values["scheduling.algorithm"] = "CLUSTERING";
        simulator::CompilationCache cache;
        const auto found = simulator::programAlternatives(tests::validated(project), cache);
        QVERIFY(found.has_value());
        std::vector<std::string> names;
        for (const core::SchedulerAlternative& row : found->schedulers) {
            names.push_back(row.algorithm);
            QCOMPARE(row.isChosen, row.algorithm == "CLUSTERING");
            QCOMPARE(row.ipus.size(), std::size_t(2));
            QVERIFY(row.peak() >= row.ipus[1].peak && row.peak() > core::Bytes(0));
        }
        std::ranges::sort(names);
        QCOMPARE(names, std::vector<std::string>(
                            {"CHOOSE_BEST", "CLUSTERING", "LOOK_AHEAD", "POST_ORDER", "SHORTEST_PATH"}));
        // What the project would be compiled to is among them.
        const auto run = tests::simulatedRun(project);
        const auto chosen = std::ranges::find(found->schedulers, true, &core::SchedulerAlternative::isChosen);
        QCOMPARE(chosen->ipus[0].peak, run.summary.memory[0].peak);
    }

    void eagerExecutionStartsAProgramPerOperation() {
        core::Project project = tests::denseProject({128, 64}, 1);
        project.training.stepsPerExecution = 64;
        const simulator::Executable executable = simulator::compile(tests::validated(project)).value();
        const auto ways = simulator::executionAlternatives(executable);
        QCOMPARE(ways.size(), std::size_t(2));
        const core::ExecutionAlternative& graph = ways[0];
        const core::ExecutionAlternative& eager = ways[1];
        // Four updates of sixteen micro-batches to an execution.
        QCOMPARE(graph.launches, 0.25);
        std::int64_t perMicroBatch = 0;
        std::int64_t perUpdate = 0;
        for (const simulator::Operation& operation : executable.graph.operations)
            if (executable.plans[operation.id.index()].total() > Cycles(0))
                ++(operation.phase == simulator::Phase::WeightUpdate ? perUpdate : perMicroBatch);
        QCOMPARE(eager.launches, static_cast<double>(16 * perMicroBatch + perUpdate));
        const Cycles start = simulator::hostTransfer(executable.system.target, 1).begin;
        QCOMPARE(eager.launch, start * (16 * perMicroBatch + perUpdate));
        QVERIFY(eager.total() > graph.total() * 10);
        QVERIFY(graph.samplesPerSecond > eager.samplesPerSecond && eager.samplesPerSecond > 0);
        QCOMPARE(graph.device, tests::simulatedRun(project).summary.step);
    }
};

REGISTER_TEST("program_alternatives", ProgramAlternativesTest)
#include "program_alternatives_test.moc"
