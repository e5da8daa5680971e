#include "tests/support/test_registry.h"
#include "views/profile/time/time_axis.h"
#include "views/profile/time/timeline_viewport.h"
#include "views/timeline/painting/timeline_frame.h"
#include "views/timeline/painting/timeline_layout.h"
#include "views/timeline/painting/timeline_scene.h"

#include <QtTest/QTest>

using namespace views;
using core::Cycles;

namespace {

TimelineFrame frameOf(std::size_t ipus, std::int64_t replicas) {
    TimelineFrame frame;
    frame.step = Cycles(1000);
    frame.updates = 4;
    frame.provenance.replicas = replicas;
    frame.ipus.resize(ipus);
    return frame;
}

QString text(const TimelineLayout& layout) {
    static const char* kinds[] = {"replica", "ipu", "collapsed", "counter"};
    QString result;
    for (const auto* rows : {&layout.pinnedRows, &layout.rows}) {
        for (const TimelineRow& row : *rows)
            result += QStringLiteral("%1%2 %3 of %4 at %5, %6\n")
                          .arg(row.isPinned ? "pinned " : "", kinds[int(row.kind)])
                          .arg(row.ipu)
                          .arg(row.replica)
                          .arg(row.top)
                          .arg(row.height);
    }
    return result;
}

QString text(const std::vector<AxisTick>& ticks) {
    QStringList labels;
    for (const AxisTick& tick : ticks) {
        if (tick.isMajor)
            labels.append(QStringLiteral("%1=%2").arg(tick.at.value()).arg(tick.label));
    }
    return labels.join(QStringLiteral("; "));
}

} // namespace

class TimelineGeometryTest : public QObject {
    Q_OBJECT

private slots:
    void anIpuOfTwoStagesHasARowForEachAndItsCountersBelowTheLast() {
        TimelineFrame frame = frameOf(2, 1);
        frame.ipus[0].stages = {core::StageId(0), core::StageId(3)};
        frame.ipus[1].stages = {core::StageId(1), core::StageId(2)};
        TimelineState state;
        state.lanes = LaneGrouping::Stage;
        state.counters = {};
        state.rates = {core::Counter::LinkBytes};
        QStringList rows;
        const TimelineLayout layout = layOut(frame, state, 1000, 800, 1);
        for (const TimelineRow& row : layout.rows)
            rows.append(row.kind == RowKind::Counter
                            ? QStringLiteral("counter of %1").arg(row.ipu)
                            : QStringLiteral("stage %1 on %2").arg(row.stage->value()).arg(row.ipu));
        QCOMPARE(rows.join(", "),
                 QString("stage 0 on 0, stage 1 on 1, stage 2 on 1, counter of 1, stage 3 on "
                         "0, counter of 0"));
        // One below the other, without a gap.
        for (std::size_t i = 1; i < layout.rows.size(); ++i)
            QCOMPARE(layout.rows[i].top, layout.rows[i - 1].bottom());
        // What is pinned is pinned with all its stages.
        state.pinned = {0};
        const TimelineLayout pinned = layOut(frame, state, 1000, 800, 1);
        QCOMPARE(pinned.pinnedRows.size(), std::size_t(3));
        QVERIFY(pinned.pinnedRows.front().isPinned);
    }

    void viewportsStayInsideTheTimeline_data() {
        QTest::addColumn<qint64>("from");
        QTest::addColumn<qint64>("to");
        QTest::addColumn<qint64>("expectedFrom");
        QTest::addColumn<qint64>("expectedTo");
        QTest::newRow("inside") << 100LL << 900LL << 100LL << 900LL;
        QTest::newRow("left of it") << -500LL << 300LL << 0LL << 800LL;
        QTest::newRow("right of it") << 9500LL << 10500LL << 9000LL << 10000LL;
        QTest::newRow("longer") << -5LL << 20000LL << 0LL << 10000LL;
        QTest::newRow("too short") << 500LL << 510LL << 500LL << 564LL;
        QTest::newRow("backwards") << 900LL << 100LL << 900LL << 964LL;
    }
    void viewportsStayInsideTheTimeline() {
        QFETCH(qint64, from);
        QFETCH(qint64, to);
        QFETCH(qint64, expectedFrom);
        QFETCH(qint64, expectedTo);
        const TimelineViewport view = clamped(Cycles(from), Cycles(to), Cycles(10000));
        QCOMPARE(view.from.value(), expectedFrom);
        QCOMPARE(view.to.value(), expectedTo);
    }

    void zoomKeepsTheTimeUnderTheMouse() {
        const TimelineViewport view = clamped(Cycles(2000), Cycles(6000), Cycles(10000));
        const TimelineViewport near = zoomed(view, 2, Cycles(3000));
        QCOMPARE(near.from.value(), 2500);
        QCOMPARE(near.to.value(), 4500);
        QVERIFY(zoomed(near, 0.5, Cycles(3000)) == view);
        QVERIFY(zoomed(view, 1e9, Cycles(3000)).length() == TimelineViewport::shortest);
        QVERIFY(zoomed(view, 1e-9, Cycles(3000)).length() == Cycles(10000));
    }

    void revealingMovesOnlyWhenItMust() {
        const TimelineViewport view = clamped(Cycles(2000), Cycles(6000), Cycles(10000));
        QVERIFY(revealed(view, Cycles(3000), Cycles(3100)) == view);
        const TimelineViewport moved = revealed(view, Cycles(8000), Cycles(8200));
        QVERIFY(moved.length() == view.length() && moved.from <= Cycles(8000) && moved.to >= Cycles(8200));
        const TimelineViewport wider = revealed(view, Cycles(1000), Cycles(9000));
        QVERIFY(wider.from <= Cycles(1000) && wider.to >= Cycles(9000));
    }

    void rowsStandBelowOneAnother() {
        TimelineState state;
        state.collapsed = {1};
        const TimelineFrame frame = frameOf(3, 2);
        QCOMPARE(text(layOut(frame, state, 1000, 300, 1)), QString("replica 0 of 0 at 0, 22\n"
                                                                   "ipu 0 of 0 at 22, 90\n"
                                                                   "counter 0 of 0 at 112, 44\n"
                                                                   "collapsed 1 of 0 at 156, 17\n"
                                                                   "ipu 2 of 0 at 173, 90\n"
                                                                   "replica 0 of 1 at 263, 22\n"));
        state.pinned = {2};
        state.counters = {};
        state.showsReplicas = true;
        QCOMPARE(text(layOut(frame, state, 1000, 300, 1)), QString("pinned ipu 2 of 0 at 0, 90\n"
                                                                   "replica 0 of 0 at 0, 22\n"
                                                                   "ipu 0 of 0 at 22, 90\n"
                                                                   "collapsed 1 of 0 at 112, 17\n"
                                                                   "replica 0 of 1 at 129, 22\n"
                                                                   "collapsed 0 of 1 at 151, 17\n"
                                                                   "collapsed 1 of 1 at 168, 17\n"
                                                                   "collapsed 2 of 1 at 185, 17\n"));
    }

    void lanesGrowWithTheRoomAndWithTheFont() {
        const TimelineFrame frame = frameOf(2, 1);
        const TimelineState state;
        QCOMPARE(layOut(frame, state, 1000, 300, 1).computeHeight, 40.0);
        QCOMPARE(layOut(frame, state, 1000, 2000, 1).computeHeight, 112.0);
        QCOMPARE(layOut(frame, state, 1000, 300, 1.5).computeHeight, 60.0);
        QCOMPARE(naturalHeight(frame, state, 1), 58.0 + 46 + 90 + 44 + 90);
    }

    void pointsAreFound() {
        TimelineState state;
        state.counters = {};
        const TimelineFrame frame = frameOf(2, 1);
        const TimelineLayout layout = layOut(frame, state, 1000, 400, 1);
        using Part = TimelineHit::Part;
        QVERIFY(hitTest(layout, 0, 500, 10).part == Part::Overview);
        QVERIFY(hitTest(layout, 0, 500, 70).part == Part::Ruler);
        QVERIFY(hitTest(layout, 0, 10, 10).part == Part::Nothing);
        QVERIFY(hitTest(layout, 0, 10, 112).part == Part::Chevron);
        QVERIFY(hitTest(layout, 0, 180, 112).part == Part::Pin);
        QVERIFY(hitTest(layout, 0, 80, 160).part == Part::Header);
        QVERIFY(hitTest(layout, 0, 500, 120).lane == core::LaneKind::Compute);
        const double host = layout.lanesTop() + layout.laneBox(core::LaneKind::Host).top + 2;
        QVERIFY(hitTest(layout, 0, 500, host).lane == core::LaneKind::Host);
        QCOMPARE(hitTest(layout, layout.ipuHeight(), 500, 120).row->ipu, std::size_t{1});
        QVERIFY(hitTest(layout, 0, 500, 399).part == Part::Nothing || layout.contentHeight > 290);
    }

    void marksStandAtRoundTimes_data() {
        QTest::addColumn<qint64>("from");
        QTest::addColumn<qint64>("to");
        QTest::addColumn<int>("unit");
        QTest::addColumn<QString>("expected");
        QTest::newRow("milliseconds")
            << 0LL << 46550000LL << 0 << "0=0 ms; 13300000=10 ms; 26600000=20 ms; 39900000=30 ms";
        QTest::newRow("cycles") << 0LL << 1000LL << 1
                                << QString::fromUtf8("0=0; 200=200; 400=400; 600=600; 800=800; 1000=1 000");
        QTest::newRow("single cycles") << 10LL << 14LL << 1 << "10=10; 11=11; 12=12; 13=13; 14=14";
        QTest::newRow("percent") << 0LL << 46550000LL << 2
                                 << "0=0 %; 9310000=20 %; 18620000=40 %; 27930000=60 %; 37240000=80 %; "
                                    "46550000=100 %";
    }
    void marksStandAtRoundTimes() {
        QFETCH(qint64, from);
        QFETCH(qint64, to);
        QFETCH(int, unit);
        QFETCH(QString, expected);
        const TimeToPixel axis{Cycles(from), Cycles(to), 0, 500};
        const TimeScale scale{1.33e9, Cycles(46550000)};
        QString actual = text(timeTicks(axis, static_cast<TimeUnit>(unit), scale, 96));
        QCOMPARE(actual.replace(thinSpace, QLatin1Char(' ')), expected);
    }

    void pixelsAndTimesAreInverse() {
        const TimeToPixel axis{Cycles(1000), Cycles(5000), 205, 800};
        QCOMPARE(axis.x(Cycles(1000)), 205.0);
        QCOMPARE(axis.x(Cycles(5000)), 1005.0);
        for (const std::int64_t cycle : {1000, 1234, 4999, 7000, -300})
            QCOMPARE(axis.time(axis.x(Cycles(cycle))).value(), cycle);
    }

    void windowsAreAskedForInTimeOfOneUpdate() {
        const TimelineFrame frame = frameOf(2, 1);
        const auto request = [&](std::int64_t from, std::int64_t to) {
            return windowRequest(frame, {Cycles(from), Cycles(to), frame.length()}, 1000, 0.5);
        };
        const core::TimelineRequest inside = request(2400, 2600);
        QCOMPARE(inside.from.value(), 300);
        QCOMPARE(inside.to.value(), 700);
        QCOMPARE(inside.binCount, 2000);
        const core::TimelineRequest across = request(900, 1100);
        QCOMPARE(across.from.value(), 0);
        QCOMPARE(across.to.value(), 1000);
        QCOMPARE(across.binCount, 5000);
        const core::TimelineRequest all = request(0, 4000);
        QCOMPARE(all.to.value(), 1000);
        QCOMPARE(all.binCount, 250);
    }

    void theOverviewShowsAGroupOfUpdates() {
        TimelineFrame frame = frameOf(1, 1);
        frame.updates = 20;
        const auto range = [&](std::int64_t from) {
            const OverviewRange r =
                overviewRange(frame, clamped(Cycles(from), Cycles(from + 1000), frame.length()));
            return std::pair(r.first, r.count);
        };
        QCOMPARE(range(0), (std::pair<std::int64_t, std::int64_t>(0, 8)));
        QCOMPARE(range(9000), (std::pair<std::int64_t, std::int64_t>(8, 8)));
        QCOMPARE(range(19000), (std::pair<std::int64_t, std::int64_t>(16, 4)));
    }
};

REGISTER_WIDGET_TEST("timeline_geometry", TimelineGeometryTest)
#include "timeline_geometry_test.moc"
