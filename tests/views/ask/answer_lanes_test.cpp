#include "views/ask/answer_lanes.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::SqlTable;
using core::SqlValue;
using views::answerLanes;

namespace {

SqlValue whole(std::int64_t value) {
    return value;
}
SqlValue words(const char* text) {
    return std::string(text);
}

} // namespace

/// What of an answer can be drawn beside the runs.
class AnswerLanesTest : public QObject {
    Q_OBJECT

private slots:
    void rowsAreDividedByIpuAndSortedByTime() {
        const SqlTable answer{{"ipu", "kind", "start_ns", "duration_ns"},
                              {{whole(1), words("backward"), whole(50), whole(10)},
                               {whole(0), words("forward"), whole(30), whole(5)},
                               {whole(1), words("forward"), whole(20), whole(10)},
                               {whole(1), words("forward"), SqlValue(), whole(10)}}};
        const auto lanes = answerLanes(answer, "Answer", 0);
        QVERIFY(lanes.has_value());
        QCOMPARE(lanes->trace.lanes.size(), std::size_t(2));
        QCOMPARE(lanes->trace.lanes[0].name, std::string("IPU 1"));
        QCOMPARE(lanes->trace.lanes[0].slices.size(), std::size_t(2));
        QCOMPARE(lanes->trace.lanes[0].slices[0].start, std::int64_t{20});
        QCOMPARE(lanes->trace.lanes[0].slices[0].category, std::string("forward"));
        QVERIFY(!lanes->lanes[0].isCounter());
        QCOMPARE(lanes->length, std::int64_t{60});
    }

    void cyclesAreTimeOfTheClock() {
        const SqlTable answer{{"start_cycles", "duration_cycles"}, {{whole(2000), whole(1000)}}};
        const auto lanes = answerLanes(answer, "Answer", 2e9);
        QCOMPARE(lanes->trace.lanes[0].name, std::string("Answer"));
        QCOMPARE(lanes->trace.lanes[0].slices[0].start, std::int64_t{1000});
        QCOMPARE(lanes->trace.lanes[0].slices[0].duration, std::int64_t{500});
        QVERIFY(!answerLanes(answer, "Answer", 0).has_value());
    }

    void aCounterHoldsUntilItsNextRow() {
        const SqlTable answer{{"at_ns", "value"},
                              {{whole(10), whole(-2)}, {whole(40), SqlValue(6.0)}, {whole(60), whole(2)}}};
        const auto lanes = answerLanes(answer, "live", 0);
        QVERIFY(lanes.has_value() && lanes->lanes[0].isCounter());
        QCOMPARE(lanes->trace.lanes[0].slices[0].duration, std::int64_t{30});
        QCOMPARE(lanes->trace.lanes[0].slices[2].duration, std::int64_t{0});
        QCOMPARE(lanes->lanes[0].share(0), 0.0);
        QCOMPARE(lanes->lanes[0].share(1), 1.0);
        QCOMPARE(lanes->lanes[0].share(2), 0.5);
    }

    void severalRunsHaveLanesOfTheirOwn() {
        const SqlTable answer{
            {"run", "lane", "start_ns", "duration_ns"},
            {{whole(1), words("a"), whole(0), whole(1)}, {whole(2), words("a"), whole(0), whole(1)}}};
        const auto lanes = answerLanes(answer, "Answer", 0);
        QCOMPARE(lanes->trace.lanes[1].name, std::string("run 2, a"));
    }

    void manyLanesAreCutAndSaySo() {
        SqlTable answer{{"lane", "start_ns", "duration_ns"}, {}};
        for (std::int64_t i = 0; i < 50'000; ++i)
            answer.rows.push_back({std::string("lane ") + std::to_string(i), whole(i), whole(1)});
        const auto lanes = answerLanes(answer, "Answer", 0);
        QCOMPARE(lanes->trace.lanes.size(), std::size_t(100));
        QCOMPARE(lanes->name, QString("Answer, the first lanes of more"));
    }

    void whatSaysNoTimesIsNotDrawn() {
        QVERIFY(!answerLanes({{"stage", "cycles"}, {{whole(0), whole(7)}}}, "Answer", 1e9).has_value());
        QVERIFY(!answerLanes({{"start_ns"}, {{whole(0)}}}, "Answer", 1e9).has_value());
        QVERIFY(
            !answerLanes({{"start_ns", "duration_ns"}, {{words("x"), whole(1)}}}, "Answer", 1e9).has_value());
        QVERIFY(
            !answerLanes({{"start_ns", "duration_ns"}, {{whole(0), whole(-1)}}}, "Answer", 1e9).has_value());
    }
};

REGISTER_TEST("answer_lanes", AnswerLanesTest)
#include "answer_lanes_test.moc"
