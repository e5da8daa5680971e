#include "simulator/planner/stage_partition.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <functional>
#include <random>
#include <set>

using simulator::Partition;
using simulator::PartitionObjective;
using simulator::PartitionProblem;

namespace {

PartitionProblem randomProblem(std::mt19937& engine, std::size_t layers, std::size_t stages) {
    const auto random = [&](std::int64_t below) { return static_cast<std::int64_t>(engine() % below); };
    PartitionProblem problem;
    problem.stages = stages;
    problem.objective = static_cast<PartitionObjective>(random(3));
    problem.timeShare = static_cast<double>(random(11)) / 10;
    problem.recompute = random(2) == 0;
    for (std::size_t layer = 0; layer < layers; ++layer)
        problem.layers.push_back({random(50), random(90), random(50), random(100), random(100), random(40),
                                  random(30), random(60)});
    for (std::size_t stage = 0; stage < stages; ++stage)
        problem.fifoDepths.push_back(2 * static_cast<std::int64_t>(stages - 1 - stage));
    return problem;
}

/// Bottleneck and bytes cut of every partition, best first.
std::vector<std::pair<double, std::int64_t>> bruteForce(const PartitionProblem& problem) {
    // The objective, said a second time: a slot is its slowest stage and then its slowest copies; bytes of
    // the fullest stage; or both as shares of an even split.
    double cycles = 0;
    double bytes = 0;
    for (const simulator::LayerCost& layer : problem.layers) {
        cycles += static_cast<double>(layer.forwardCycles + layer.backwardCycles);
        bytes += static_cast<double>(layer.residentBytes + layer.activationBytes);
    }
    const auto stages = static_cast<double>(problem.stages);
    const auto value = [&](std::int64_t stageCycles, std::int64_t stageBytes) {
        if (problem.objective == PartitionObjective::Time)
            return static_cast<double>(stageCycles);
        if (problem.objective == PartitionObjective::Memory)
            return static_cast<double>(stageBytes);
        return problem.timeShare * static_cast<double>(stageCycles) / std::max(cycles / stages, 1.0) +
               (1 - problem.timeShare) * static_cast<double>(stageBytes) / std::max(bytes / stages, 1.0);
    };
    std::vector<std::pair<double, std::int64_t>> all;
    const std::function<void(std::size_t, std::size_t, double, std::int64_t, std::int64_t)> cut =
        [&](std::size_t stage, std::size_t begin, double largest, std::int64_t slowest,
            std::int64_t cutBytes) {
            if (stage == problem.stages) {
                if (begin == problem.layers.size())
                    all.emplace_back(largest + value(slowest, 0), cutBytes);
                return;
            }
            for (std::size_t end = begin + 1; end <= problem.layers.size(); ++end) {
                const std::size_t last = end - 1;
                if (!problem.locks.empty() && problem.locks[last] && *problem.locks[last] != stage)
                    return;
                const simulator::StageCost cost = simulator::stageCost(problem, stage, begin, end);
                cut(stage + 1, end, std::max(largest, value(cost.cycles, cost.peakBytes)),
                    std::max(slowest, cost.cutCycles), cutBytes + cost.cutBytes);
            }
        };
    cut(0, 0, 0, 0, 0);
    std::ranges::sort(all);
    return all;
}

void verifyAgainstBruteForce(const PartitionProblem& problem) {
    auto expected = bruteForce(problem);
    const auto found = simulator::partitionStages(problem);
    QCOMPARE(found.has_value(), !expected.empty());
    if (!found)
        return;
    expected.resize(std::min(expected.size(), problem.alternatives));
    QCOMPARE(found->size(), expected.size());
    std::set<std::vector<std::size_t>> distinct;
    for (std::size_t rank = 0; rank < expected.size(); ++rank) {
        const Partition& partition = (*found)[rank];
        QCOMPARE(partition.bottleneck, expected[rank].first);
        QCOMPARE(partition.totalCutBytes, expected[rank].second);
        QVERIFY(distinct.insert(partition.assignment()).second);
        for (const simulator::StageCost& stage : partition.stages)
            QVERIFY(stage.endLayer > stage.firstLayer);
        for (std::size_t layer = 0; layer < problem.locks.size(); ++layer)
            QVERIFY(!problem.locks[layer] || partition.assignment()[layer] == *problem.locks[layer]);
    }
}

} // namespace

class StagePartitionTest : public QObject {
    Q_OBJECT

private slots:
    void equalsBruteForceOnAllSizesOfSmallChains() {
        std::mt19937 random(1);
        for (std::size_t layers = 1; layers <= 12; ++layers)
            for (std::size_t stages = 1; stages <= std::min<std::size_t>(5, layers); ++stages)
                for (int round = 0; round < 40; ++round) { // two thousand in all
                    PartitionProblem problem = randomProblem(random, layers, stages);
                    problem.alternatives = 1 + random() % 8;
                    verifyAgainstBruteForce(problem);
                }
    }

    void equalsBruteForceWithLocks() {
        std::mt19937 random(2);
        for (int round = 0; round < 200; ++round) {
            PartitionProblem problem = randomProblem(random, 3 + random() % 8, 1 + random() % 3);
            problem.alternatives = 4;
            problem.locks.resize(problem.layers.size());
            for (auto& lock : problem.locks)
                if (random() % 4 == 0)
                    lock = random() % problem.stages;
            verifyAgainstBruteForce(problem);
        }
    }

    void equalLayersAreSplitEvenly() {
        PartitionProblem problem;
        problem.stages = 4;
        problem.layers.assign(12, {10, 20, 0, 0, 0, 0, 0, 0});
        const auto best = simulator::partitionStages(problem).value();
        QCOMPARE(best.front().bottleneckCycles(), std::int64_t(90));
        QCOMPARE(best.front().assignment(), (std::vector<std::size_t>{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}));
    }

    void moreStagesThanLayersAreRefused() {
        PartitionProblem problem;
        problem.stages = 3;
        problem.layers.resize(2);
        QCOMPARE(simulator::partitionStages(problem).error().front().code,
                 std::string("value-error/too-few-layers"));
        problem.stages = 2;
        problem.locks = {1, 0};
        QCOMPARE(simulator::partitionStages(problem).error().front().code, std::string("value-error/locks"));
    }

    void stopsWhenTold() {
        std::mt19937 random(3);
        std::stop_source source;
        source.request_stop();
        const auto result =
            simulator::partitionStages(randomProblem(random, 50, 4), {source.get_token(), {}});
        QCOMPARE(result.error().front().trouble, core::Trouble::Interrupted);
    }

    void benchmarkOneThousandLayersOnSixtyFourStages_data() {
        QTest::addColumn<int>("objective");
        QTest::newRow("time") << 0;
        QTest::newRow("memory") << 1;
        QTest::newRow("blend") << 2;
    }
    void benchmarkOneThousandLayersOnSixtyFourStages() {
        QFETCH(int, objective);
        std::mt19937 random(4);
        PartitionProblem problem = randomProblem(random, 1000, 64);
        problem.objective = static_cast<PartitionObjective>(objective);
        problem.timeShare = 0.5;
        problem.recompute = true;
        problem.alternatives = 3;
        for (simulator::LayerCost& layer : problem.layers)
            layer.cutCycles = static_cast<std::int64_t>(random() % 1000);
        QBENCHMARK_ONCE {
            QCOMPARE(simulator::partitionStages(problem)->size(), std::size_t(3));
        }
    }
};

REGISTER_TEST("stage_partition", StagePartitionTest)
#include "stage_partition_test.moc"
