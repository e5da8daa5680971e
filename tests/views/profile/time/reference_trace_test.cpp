#include "views/profile/time/reference_trace.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using namespace views;

class ReferenceTraceTest : public QObject {
    Q_OBJECT

    static core::EventTrace traceOf(std::vector<core::EventSlice> slices) {
        return {{{"IPU 0/compute", std::move(slices)}}, {}};
    }

private slots:
    void slicesInsideOthersAreBelowThem() {
        const ReferenceTrace trace = makeReferenceTrace("a.json", traceOf({{"step", "", 0, 100},
                                                                           {"forward", "", 0, 40},
                                                                           {"matmul", "", 10, 20},
                                                                           {"backward", "", 40, 60},
                                                                           {"next", "", 100, 30}}));
        const std::vector<ReferenceRow>& rows = trace.lanes.front().rows;
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[0], (ReferenceRow{0, 4}));
        QCOMPARE(rows[1], (ReferenceRow{1, 3}));
        QCOMPARE(rows[2], (ReferenceRow{2}));
        QCOMPARE(trace.length, 130);
    }

    void whatIsNarrowerThanAPixelIsOneBar() {
        std::vector<core::EventSlice> slices;
        for (int i = 0; i < 100'000; ++i)
            slices.push_back({"tick", "", i * 10, 5});
        slices.push_back({"long", "", 1'000'000, 500'000});
        const ReferenceTrace trace = makeReferenceTrace("a.json", traceOf(std::move(slices)));
        const core::EventLane& lane = trace.trace.lanes.front();
        const ReferenceRow& row = trace.lanes.front().rows.front();
        // 1.5 ms in 150 pixels.
        const auto bars = barsOf(lane, row, {0, 1e-4}, 0, 150);
        QCOMPARE(bars.size(), std::size_t{101});
        std::size_t count = 0;
        for (const ReferenceBar& bar : bars)
            count += bar.count;
        QCOMPARE(count, std::size_t{100'001});
        QCOMPARE(bars.back().fromX, 100.0);
        QCOMPARE(bars.back().toX, 150.0);
        // Near enough, each is one.
        const auto near = barsOf(lane, row, {-5000 * 1.0, 1.0}, 0, 100);
        QCOMPARE(near.size(), std::size_t{11});
        QVERIFY(std::ranges::all_of(near, [](const ReferenceBar& bar) { return bar.count == 1; }));
        // A slice that began long before the view is still there.
        QCOMPARE(barsOf(lane, row, {-1'200'000.0, 1.0}, 0, 100).size(), std::size_t{1});
    }

    void theMouseFindsTheSlice() {
        const ReferenceTrace trace =
            makeReferenceTrace("a.json", traceOf({{"a", "", 0, 10}, {"b", "", 20, 0}, {"c", "", 40, 20}}));
        const core::EventLane& lane = trace.trace.lanes.front();
        const ReferenceRow& row = trace.lanes.front().rows.front();
        const ReferenceAxis axis{100, 1};
        QCOMPARE(sliceAt(lane, row, axis, 105).value_or(9), std::size_t{0});
        QCOMPARE(sliceAt(lane, row, axis, 121).value_or(9), std::size_t{1});
        QVERIFY(!sliceAt(lane, row, axis, 130));
        QCOMPARE(sliceAt(lane, row, axis, 159).value_or(9), std::size_t{2});
        QVERIFY(!sliceAt(lane, row, axis, 90));
    }
};

REGISTER_TEST("reference_trace", ReferenceTraceTest)
#include "reference_trace_test.moc"
