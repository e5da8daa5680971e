#include "simulator/compiler/compare_algorithms.h"

#include "simulator/compiler/compile.h"
#include "tests/simulator/project_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <set>

using simulator::AlgorithmLiveness;

class CompareAlgorithmsTest : public QObject {
    Q_OBJECT

private slots:
    void everyAlgorithmGivesALivenessOfTheSameProgram() {
        const auto project = tests::validated(tests::denseProject({128, 256, 128, 64}, 2));
        simulator::CompilationCache cache;
        const auto results = simulator::compareAlgorithms(project, cache);
        QVERIFY(results.has_value());
        QCOMPARE(results->size(), std::size_t(5));
        std::set<simulator::OrderingAlgorithm> seen;
        for (const AlgorithmLiveness& result : *results) {
            seen.insert(result.algorithm);
            QCOMPARE(result.ipus.size(), std::size_t(2));
            QCOMPARE(result.ipus[0].live.size(), results->front().ipus[0].live.size());
            QVERIFY(result.peakBytes() > 0 && result.ipus[0].fits);
        }
        QCOMPARE(seen.size(), std::size_t(5));
    }

    void theProjectsOwnAlgorithmIsTheOneCompiled() {
        core::Project project = tests::denseProject({128, 256, 128, 64}, 2);
        for (const simulator::OrderingAlgorithmRow& row : simulator::orderingAlgorithms()) {
            project.ipuConfig.values["scheduling.algorithm"] = std::string(row.name);
            simulator::CompilationCache cache;
            const auto compared = simulator::compareAlgorithms(tests::validated(project), cache);
            const auto executable = simulator::compile(tests::validated(project), {}, &cache);
            const auto own = std::ranges::find(*compared, row.algorithm, &AlgorithmLiveness::algorithm);
            QVERIFY(own != compared->end());
            for (std::size_t ipu = 0; ipu < 2; ++ipu)
                QCOMPARE(own->ipus[ipu].live, executable->memory.ipus[ipu].live);
        }
    }
};

REGISTER_TEST("compare_algorithms", CompareAlgorithmsTest)

#include "compare_algorithms_test.moc"
