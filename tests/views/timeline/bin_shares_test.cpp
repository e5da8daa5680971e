#include "views/profile/time/bin_shares.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <cmath>

using namespace views;
using core::Cycles;
using core::SpanKind;

namespace {

/// A lane of regular slots, half of each work, in bins of another period.
std::vector<core::SpanBin> regularSlots(std::int64_t slotCount, std::int64_t slotCycles,
                                        std::int64_t binCount) {
    core::SpanBinner binner(Cycles(), Cycles(slotCount * slotCycles), binCount);
    for (std::int64_t slot = 0; slot < slotCount; ++slot) {
        binner.add(SpanKind::Forward, {}, Cycles(slot * slotCycles), Cycles(slotCycles / 2));
        binner.add(SpanKind::Idle, core::IdleCause::Imbalance, Cycles(slot * slotCycles + slotCycles / 2),
                   Cycles(slotCycles / 2));
    }
    return binner.bins();
}

/// Largest minus smallest share of forward work, away from the ends.
template <class Shares>
double waveOf(const Shares& shares, std::int64_t binCount) {
    double least = 1;
    double most = 0;
    for (const auto& share : shares) {
        if (share.kind != SpanKind::Forward || share.index < 20 || share.index > binCount - 20)
            continue;
        least = std::min(least, share.share);
        most = std::max(most, share.share);
    }
    return most - least;
}

} // namespace

class BinSharesTest : public QObject {
    Q_OBJECT

private slots:
    void regularSlotsAreNoWaves() {
        constexpr std::int64_t binCount = 1000;
        for (const std::int64_t slotCount : {700, 1013, 2300, 9001}) {
            const auto bins = regularSlots(slotCount, 1000, binCount);
            const double width = double(slotCount) * 1000 / binCount;
            std::vector<BinShare> raw;
            for (const core::SpanBin& bin : bins)
                raw.push_back({bin.index, bin.kind, bin.cause, double(bin.cycles.value()) / width});
            const double smoothed = waveOf(binShares(bins, binCount, width), binCount);
            QVERIFY2(smoothed < 0.13, qPrintable(QString::number(smoothed)));
            QVERIFY(smoothed <= waveOf(raw, binCount) + 1e-9);
        }
    }

    void everyBinStaysWhole() {
        const auto bins = regularSlots(700, 1000, 1000);
        std::vector<double> sums(1000);
        for (const BinShare& share : binShares(bins, 1000, 700))
            sums[std::size_t(share.index)] += share.share;
        for (const double sum : sums)
            QVERIFY(std::abs(sum - 1) < 1e-6);
    }

    void whatReallyChangesStaysInPlace() {
        core::SpanBinner binner(Cycles(), Cycles(100000), 100);
        for (std::int64_t at = 0; at < 100000; at += 20)
            binner.add(at < 50000 ? SpanKind::Forward : SpanKind::Backward, {}, Cycles(at), Cycles(20));
        for (const BinShare& share : binShares(binner.bins(), 100, 1000))
            QVERIFY(share.kind == (share.index < 50 ? SpanKind::Forward : SpanKind::Backward));
    }

    void nothingIsPaintedWhereNothingIs() {
        core::SpanBinner binner(Cycles(), Cycles(100000), 100);
        for (std::int64_t at = 20000; at < 30000; at += 500)
            binner.add(SpanKind::Forward, {}, Cycles(at), Cycles(400));
        for (const BinShare& share : binShares(binner.bins(), 100, 1000)) {
            QVERIFY(share.index >= 20 && share.index < 30);
            QVERIFY(std::abs(share.share - 0.8) < 1e-9);
        }
        QVERIFY(binShares({}, 100, 1000).empty());
    }
};

REGISTER_WIDGET_TEST("bin_shares", BinSharesTest)
#include "bin_shares_test.moc"
