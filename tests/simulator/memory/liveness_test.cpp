#include "simulator/memory/liveness.h"

#include "simulator/memory/address_assignment.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <numeric>
#include <random>

using simulator::AddressRequest;
using simulator::LiveInterval;

class LivenessTest : public QObject {
    Q_OBJECT

private slots:
    void sumsWhatIsLiveAtEachStep() {
        const std::vector<LiveInterval> intervals{{0, 2}, {1, 1}, {3, 0}};
        const std::vector<std::int64_t> bytes{10, 5, 100};
        // The last one lives around the end of a slot of steps 0 … 3; step 4 is the update.
        QCOMPARE(simulator::liveBytes(intervals, bytes, 5, 3),
                 (std::vector<std::int64_t>{110, 15, 10, 100, 0}));
    }

    void blocksThatAreLiveTogetherDoNotOverlap() {
        std::mt19937 random(2);
        std::vector<AddressRequest> requests;
        constexpr std::uint32_t slotEnd = 40;
        for (int count = 0; count < 200; ++count) {
            const std::uint32_t a = random() % (slotEnd + 1);
            const std::uint32_t b = random() % (slotEnd + 1);
            requests.push_back({{a, b}, static_cast<std::int64_t>(random() % 100)});
        }
        const std::vector<std::int64_t> addresses = simulator::assignAddresses(requests, slotEnd);
        for (std::size_t a = 0; a < requests.size(); ++a)
            for (std::size_t b = a + 1; b < requests.size(); ++b) {
                bool together = false;
                for (std::uint32_t step = 0; step <= slotEnd; ++step)
                    together = together || (requests[a].interval.covers(step, slotEnd) &&
                                            requests[b].interval.covers(step, slotEnd));
                const bool apart = addresses[a] + requests[a].bytes <= addresses[b] ||
                                   addresses[b] + requests[b].bytes <= addresses[a];
                QVERIFY(!together || apart || requests[a].bytes == 0 || requests[b].bytes == 0);
            }
    }

    /// In the order in which blocks begin, the largest first. What lives around the end keeps its place all
    /// along.
    void everyBlockLiesAtTheLowestAddressThatIsFree() {
        constexpr std::uint32_t slotEnd = 12;
        for (unsigned int seed = 1; seed <= 40; ++seed) {
            std::mt19937 random(seed);
            std::vector<AddressRequest> requests;
            for (int count = 0; count < 30; ++count)
                requests.push_back({{static_cast<std::uint32_t>(random() % (slotEnd + 1)),
                                     static_cast<std::uint32_t>(random() % (slotEnd + 1))},
                                    static_cast<std::int64_t>(random() % 6) - 1});
            const auto lives = [&](std::size_t index) {
                const LiveInterval interval = requests[index].interval;
                return interval.wraps() ? LiveInterval{0, slotEnd} : interval;
            };
            std::vector<std::size_t> order(requests.size());
            std::iota(order.begin(), order.end(), 0);
            std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
                return lives(a).first != lives(b).first ? lives(a).first < lives(b).first
                                                        : requests[a].bytes > requests[b].bytes;
            });
            std::vector<std::int64_t> expected(requests.size(), 0);
            for (std::size_t place = 0; place < order.size(); ++place) {
                const std::size_t index = order[place];
                if (requests[index].bytes <= 0)
                    continue;
                const auto isFree = [&](std::int64_t address) {
                    return std::all_of(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(place),
                                       [&](std::size_t other) {
                                           return requests[other].bytes <= 0 ||
                                                  lives(other).last < lives(index).first ||
                                                  address + requests[index].bytes <= expected[other] ||
                                                  expected[other] + requests[other].bytes <= address;
                                       });
                };
                while (!isFree(expected[index]))
                    ++expected[index];
            }
            QCOMPARE(simulator::assignAddresses(requests, slotEnd), expected);
        }
    }

    void aFreedAddressIsUsedAgain() {
        const std::vector<AddressRequest> requests{{{0, 1}, 100}, {{2, 3}, 60}, {{2, 3}, 40}, {{1, 3}, 10}};
        QCOMPARE(simulator::assignAddresses(requests, 3), (std::vector<std::int64_t>{0, 0, 60, 100}));
    }

    void benchmarkOneMillionOperations() {
        constexpr std::size_t operations = 1'000'000;
        std::mt19937 random(1);
        std::vector<LiveInterval> intervals;
        std::vector<std::int64_t> bytes(operations, 64);
        for (std::uint32_t step = 0; step < operations; ++step)
            intervals.push_back({step, std::min<std::uint32_t>(step + random() % 2000, operations - 1)});
        QBENCHMARK {
            const auto live = simulator::liveBytes(intervals, bytes, operations, operations - 1);
            QCOMPARE(live.size(), operations);
        }
    }
};

REGISTER_TEST("liveness", LivenessTest)
#include "liveness_test.moc"
