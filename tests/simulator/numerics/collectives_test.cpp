#include "simulator/numerics/replica_exchange.h"
#include "tests/support/test_registry.h"
#include "tests/tools/oracle/graph_run.h"

#include <QtTest/QTest>
#include <thread>

using namespace simulator;

namespace {

constexpr std::int64_t replicas = 4;

oracles::Values row(std::vector<float> values) {
    oracles::Values result;
    result.form.extents.push_back(static_cast<std::int64_t>(values.size()));
    result.data = std::move(values);
    return result;
}
TensorForm formOf(const Extents& extents) {
    TensorForm form;
    form.extents = extents;
    return form;
}

/// What each replica gets when replica r gives {r + 1, 10·(r + 1), …}, `count` numbers.
std::vector<std::vector<float>> exchanged(const Collective& collective, std::int64_t count,
                                          const Extents& outputExtents) {
    ReplicaExchange exchange(replicas);
    std::vector<std::vector<float>> results(replicas);
    std::vector<std::jthread> threads;
    for (std::int64_t replica = 0; replica < replicas; ++replica) {
        threads.emplace_back([&, replica] {
            oracles::GraphRun graph;
            graph.build().setScope({"model", {}, Phase::Forward});
            std::vector<float> values;
            for (std::int64_t i = 0; i < count; ++i)
                values.push_back(static_cast<float>(replica + 1) * (i % 2 == 0 ? 1.0F : 10.0F));
            const core::TensorId x = graph.feed("x", row(values));
            const core::TensorId y = graph.build().addAs(collective, {x}, "exchange", formOf(outputExtents));
            StepState state;
            state.replica = replica;
            state.exchange = &exchange;
            if (graph.run({y}, state))
                results[static_cast<std::size_t>(replica)] = graph.read(y);
        });
    }
    threads.clear();
    return results;
}

} // namespace

class CollectivesTest : public QObject {
    Q_OBJECT

private slots:
    void everyReplicaGetsTheCombination_data() {
        QTest::addColumn<CollectiveFunction>("function");
        QTest::addColumn<float>("first");
        using enum CollectiveFunction;
        QTest::newRow("sum") << Add << 10.0F;
        QTest::newRow("mean") << Mean << 2.5F;
        QTest::newRow("product") << Multiply << 24.0F;
        QTest::newRow("minimum") << Minimum << 1.0F;
        QTest::newRow("maximum") << Maximum << 4.0F;
        QTest::newRow("and") << LogicalAnd << 1.0F;
        QTest::newRow("or") << LogicalOr << 1.0F;
        QTest::newRow("sum of squares") << SquareAdd << 30.0F;
    }

    void everyReplicaGetsTheCombination() {
        QFETCH(CollectiveFunction, function);
        QFETCH(float, first);
        for (const auto& result : exchanged({CollectiveKind::AllReduce, function}, 2, {2}))
            QCOMPARE(result.at(0), first);
    }

    void groupsStayApart() {
        const auto near = exchanged({CollectiveKind::AllReduce, CollectiveFunction::Add, 2}, 1, {1});
        QCOMPARE(near, (std::vector<std::vector<float>>{{3}, {3}, {7}, {7}}));
        const auto far = exchanged({CollectiveKind::AllReduce, CollectiveFunction::Add, 2, true}, 1, {1});
        QCOMPARE(far, (std::vector<std::vector<float>>{{4}, {6}, {4}, {6}}));
    }

    void scatterGatherAndAllToAllMoveTheRightPieces() {
        const auto scattered = exchanged({CollectiveKind::ReduceScatter}, 4, {1});
        QCOMPARE(scattered, (std::vector<std::vector<float>>{{10}, {100}, {10}, {100}}));
        const auto gathered = exchanged({CollectiveKind::AllGather}, 1, {4, 1});
        for (const auto& result : gathered)
            QCOMPARE(result, (std::vector<float>{1, 2, 3, 4}));
        const auto swapped = exchanged({CollectiveKind::AllToAll}, 4, {4});
        QCOMPARE(swapped[0], (std::vector<float>{1, 2, 3, 4}));
        QCOMPARE(swapped[1], (std::vector<float>{10, 20, 30, 40}));
    }

    void aReplicaAloneTakesTheOthersForCopies() {
        oracles::GraphRun graph;
        graph.build().setScope({"model", {}, Phase::Forward});
        const core::TensorId x = graph.feed("x", row({3}));
        const core::TensorId y = graph.build().addAs(
            Collective{CollectiveKind::AllGather, CollectiveFunction::Add, 2}, {x}, "gather", formOf({2, 1}));
        QVERIFY(graph.run({y}));
        QCOMPARE(graph.read(y), (std::vector<float>{3, 3}));
    }
};

REGISTER_TEST("collectives", CollectivesTest)
#include "collectives_test.moc"
