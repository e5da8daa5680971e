#include "simulator/compiler/ordering/ordering_algorithm.h"

#include "tests/simulator/chain_graph.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <random>

using simulator::Computation;
using simulator::NodeOrder;

namespace {

/// Random operations over earlier ones.
Computation randomComputation(std::mt19937& random, std::uint32_t nodes) {
    Computation computation;
    std::vector<std::vector<std::uint32_t>> users(nodes);
    for (std::uint32_t node = 0; node < nodes; ++node) {
        computation.operations.emplace_back(node);
        std::vector<std::uint32_t> operands;
        for (std::uint32_t count = random() % 3; node > 0 && count > 0; --count)
            operands.push_back(random() % node);
        std::ranges::sort(operands);
        operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
        for (const std::uint32_t operand : operands) {
            computation.operands.values.push_back(operand);
            computation.reads.values.push_back(operand);
            users[operand].push_back(node);
        }
        computation.operands.close();
        computation.reads.close();
        computation.defines.values.push_back(node);
        computation.defines.close();
        computation.bufferBytes.push_back(1 + random() % 100);
        computation.leaves.push_back(false);
    }
    for (std::uint32_t node = 0; node < nodes; ++node) {
        computation.users.values.insert(computation.users.values.end(), users[node].begin(),
                                        users[node].end());
        computation.users.close();
        computation.leaves[node] = users[node].empty();
    }
    return computation;
}

bool isTopological(const Computation& computation, const NodeOrder& order) {
    std::vector<bool> done(computation.size(), false);
    for (const std::uint32_t node : order) {
        if (done[node])
            return false;
        for (const std::uint32_t operand : computation.operands[node])
            if (!done[operand])
                return false;
        done[node] = true;
    }
    return order.size() == computation.size();
}

/// Two long branches of large values from one source, joined at the end by small results:
/// 0 → (1 → 3), 0 → (2 → 4), 3 and 4 → 5; nodes 1 and 2 make 100 bytes, the others 1.
Computation twoBranches() {
    Computation computation;
    const std::vector<std::vector<std::uint32_t>> operands{{}, {0}, {0}, {1}, {2}, {3, 4}};
    const std::vector<std::vector<std::uint32_t>> users{{1, 2}, {3}, {4}, {5}, {5}, {}};
    for (std::uint32_t node = 0; node < 6; ++node) {
        computation.operations.emplace_back(node);
        for (const std::uint32_t operand : operands[node]) {
            computation.operands.values.push_back(operand);
            computation.reads.values.push_back(operand);
        }
        computation.users.values.insert(computation.users.values.end(), users[node].begin(),
                                        users[node].end());
        computation.defines.values.push_back(node);
        computation.operands.close();
        computation.reads.close();
        computation.users.close();
        computation.defines.close();
        computation.bufferBytes.push_back(node == 1 || node == 2 ? 100 : 1);
        computation.leaves.push_back(node == 5);
    }
    return computation;
}

} // namespace

class OrderingAlgorithmTest : public QObject {
    Q_OBJECT

private slots:
    void everyAlgorithmOrdersOperandsBeforeUsers() {
        std::mt19937 random(3);
        for (int round = 0; round < 40; ++round) {
            const Computation computation = randomComputation(random, 2 + random() % 40);
            for (const auto& row : simulator::orderingAlgorithms())
                QVERIFY2(isTopological(computation, row.order(computation, {})), row.name.data());
        }
    }

    void chooseBestIsAsGoodAsItsBestCandidate() {
        std::mt19937 random(5);
        for (int round = 0; round < 40; ++round) {
            const Computation computation = randomComputation(random, 30);
            std::int64_t lowest = INT64_MAX;
            for (const auto& row : simulator::orderingAlgorithms())
                if (row.isCandidate)
                    lowest =
                        std::min(lowest, simulator::peakLiveness(computation, row.order(computation, {})));
            QCOMPARE(simulator::peakLiveness(computation, simulator::orderComputation(computation, {})),
                     lowest);
        }
    }

    void livenessCountsWhatIsAliveAtEachStep() {
        const Computation computation = twoBranches();
        QCOMPARE(simulator::peakLiveness(computation, {0, 1, 3, 2, 4, 5}), std::int64_t(102));
        QCOMPARE(simulator::peakLiveness(computation, {0, 1, 2, 3, 4, 5}), std::int64_t(201));
    }

    void depthFirstFinishesABranchBeforeItStartsTheOther() {
        const Computation computation = twoBranches();
        const auto order = [&](simulator::OrderingAlgorithm algorithm) {
            return simulator::orderComputation(computation, {algorithm, 5, 64});
        };
        QCOMPARE(order(simulator::OrderingAlgorithm::PostOrder), (NodeOrder{0, 1, 3, 2, 4, 5}));
        QCOMPARE(simulator::peakLiveness(computation, order(simulator::OrderingAlgorithm::LookAhead)),
                 std::int64_t(102));
        QCOMPARE(order(simulator::OrderingAlgorithm::ShortestPath), (NodeOrder{0, 1, 3, 2, 4, 5}));
    }

    void aVariableIsReadBeforeItIsRewritten() {
        simulator::StagedGraph staged = simulator::assignStages(
            tests::chainGraph({.layers = 2, .accumulates = false, .optimizerSlots = 1}),
            tests::stageMap({0, 0}));
        const simulator::TensorUses uses(staged.graph);
        std::vector<core::OperationId> operations;
        for (const simulator::Operation& operation : staged.graph.operations)
            operations.push_back(operation.id);
        const Computation computation = simulator::makeComputation(staged, uses, operations);
        for (const auto& row : simulator::orderingAlgorithms()) {
            const NodeOrder order = row.order(computation, {});
            QVERIFY(isTopological(computation, order));
            std::vector<std::size_t> place(order.size());
            for (std::size_t step = 0; step < order.size(); ++step)
                place[order[step]] = step;
            for (const simulator::Operation& update : staged.graph.operations)
                if (update.phase == simulator::Phase::WeightUpdate)
                    for (const core::OperationId reader : uses.readers(update.outputs.front()))
                        QVERIFY(place[reader.index()] <= place[update.id.index()]);
        }
    }
};

REGISTER_TEST("ordering_algorithm", OrderingAlgorithmTest)
#include "ordering_algorithm_test.moc"
