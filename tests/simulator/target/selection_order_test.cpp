#include "simulator/target/selection_order.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <numeric>

using namespace simulator;
using Indices = std::vector<std::int64_t>;

namespace {

/// Hops of virtual IPU v to v + 1.
Indices neighbourHops(SelectionOrder order, std::int64_t n) {
    const Indices indices = physicalIndices(order, n);
    Indices hops;
    for (std::size_t v = 0; v + 1 < indices.size(); ++v)
        hops.push_back(hopsBetween(indices[v], indices[v + 1]));
    return hops;
}

} // namespace

class SelectionOrderTest : public QObject {
    Q_OBJECT

private slots:
    void numbersFourAndEightIpusAsDocumented() {
        QCOMPARE(physicalIndices(SelectionOrder::Zigzag, 4), (Indices{0, 1, 2, 3}));
        QCOMPARE(physicalIndices(SelectionOrder::Snake, 4), (Indices{0, 1, 3, 2}));
        QCOMPARE(physicalIndices(SelectionOrder::Hoof, 4), (Indices{0, 2, 3, 1}));
        QCOMPARE(physicalIndices(SelectionOrder::Zigzag, 8), (Indices{0, 1, 2, 3, 4, 5, 6, 7}));
        QCOMPARE(physicalIndices(SelectionOrder::Snake, 8), (Indices{0, 1, 3, 2, 4, 5, 7, 6}));
        QCOMPARE(physicalIndices(SelectionOrder::Hoof, 8), (Indices{0, 2, 4, 6, 7, 5, 3, 1}));
    }

    void allOrdersCoincideForTwoIpus() {
        for (const auto order : {SelectionOrder::Zigzag, SelectionOrder::Snake, SelectionOrder::Hoof})
            QCOMPARE(physicalIndices(order, 2), (Indices{0, 1}));
    }

    void everyOrderIsAPermutation() {
        for (const auto order : {SelectionOrder::Zigzag, SelectionOrder::Snake, SelectionOrder::Hoof})
            for (std::int64_t n = 1; n <= 256; n *= 2) {
                Indices indices = physicalIndices(order, n);
                std::ranges::sort(indices);
                Indices all(static_cast<std::size_t>(n));
                std::iota(all.begin(), all.end(), 0);
                QCOMPARE(indices, all);
            }
    }

    void snakeAndHoofStepOneHopAndZigzagAlternates() {
        for (std::int64_t n = 2; n <= 64; n *= 2) {
            const auto one = [](std::int64_t hops) { return hops == 1; };
            QVERIFY(std::ranges::all_of(neighbourHops(SelectionOrder::Snake, n), one));
            QVERIFY(std::ranges::all_of(neighbourHops(SelectionOrder::Hoof, n), one));
        }
        QCOMPARE(neighbourHops(SelectionOrder::Zigzag, 6), (Indices{1, 2, 1, 2, 1}));
    }

    void onlyHoofPutsFirstAndLastSideBySide() {
        for (std::int64_t n = 8; n <= 64; n *= 2) {
            const Indices hoof = physicalIndices(SelectionOrder::Hoof, n);
            const Indices snake = physicalIndices(SelectionOrder::Snake, n);
            QCOMPARE(hopsBetween(hoof.front(), hoof.back()), 1);
            QVERIFY(hopsBetween(snake.front(), snake.back()) > 1);
        }
    }

    void automaticOrderLooksAtThePipeline() {
        QVERIFY(resolveOrder(SelectionOrder::Auto, Indices{0, 1, 2, 3}) == SelectionOrder::Snake);
        QVERIFY(resolveOrder(SelectionOrder::Auto, Indices{0, 1, 3, 2}) == SelectionOrder::Zigzag);
        QVERIFY(resolveOrder(SelectionOrder::Auto, Indices{}) == SelectionOrder::Zigzag);
        QVERIFY(resolveOrder(SelectionOrder::Hoof, Indices{0, 1}) == SelectionOrder::Hoof);
    }

    void readsItsNames() {
        QVERIFY(selectionOrderFromName("HOOF") == SelectionOrder::Hoof);
        QVERIFY(!selectionOrderFromName("hoof"));
        QCOMPARE(toString(SelectionOrder::Auto), std::string_view("AUTO"));
    }
};

REGISTER_TEST("selection_order", SelectionOrderTest)
#include "selection_order_test.moc"
