#include "core/plan/schedule/schedule_table.h"

#include "tests/core/plan/schedule_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using tests::ipus;
using tests::shape;

namespace {

std::string table(const std::string& kind, const core::PipelineShape& of) {
    const auto schedule = core::buildSchedule(kind, of);
    return schedule ? core::toText(*schedule) : core::toText(schedule.error().front());
}

core::PipelineShape recomputing(core::PipelineShape of) {
    of.recompute = true;
    return of;
}

} // namespace

/// The slot tables of the programming system, worked out by hand from its documents.
class ScheduleTableTest : public QObject {
    Q_OBJECT

private slots:
    void groupedTrainsWithTheFewestMicroBatches() {
        QCOMPARE(table("Grouped", shape(2, 4)), std::string(R"(overlap 4; 8 slots, 7 with compute
0 up | F0 | - | 0 | -
1 up | F1 | F0 | 1 | 0
2 up | F2 | B0 F1 | 2 | 1
3 up | B0 F3 | B1 F2 | 3 | 2
4 down | B1 | B2 F3 | - | 3
5 down | B2 | B3 | - | -
6 down | B3 | - | - | -
7 down | - | - | - | -
)"));
    }

    void groupedRecomputesInTheSlotBeforeTheBackward() {
        QCOMPARE(table("Grouped", recomputing(shape(3, 6))),
                 std::string(R"(overlap 6; 12 slots, 11 with compute
0 up | F0 | - | - | 0 | -
1 up | F1 | F0 | - | 1 | -
2 up | F2 | F1 | F0 | 2 | 0
3 up | F3 | F2 R0 | B0 F1 | 3 | 1
4 up | F4 R0 | B0 F3 R1 | B1 F2 | 4 | 2
5 up | B0 F5 R1 | B1 F4 R2 | B2 F3 | 5 | 3
6 down | B1 R2 | B2 F5 R3 | B3 F4 | - | 4
7 down | B2 R3 | B3 R4 | B4 F5 | - | 5
8 down | B3 R4 | B4 R5 | B5 | - | -
9 down | B4 R5 | B5 | - | - | -
10 down | B5 | - | - | - | -
11 down | - | - | - | - | -
)"));
    }

    void interleavedRecomputes() {
        QCOMPARE(table("Interleaved", recomputing(shape(3, 3))),
                 std::string(R"(overlap 3; 12 slots, 10 with compute
0 up | F0 | - | - | 0 | -
1 up | - | F0 | - | - | -
2 up | F1 | - | F0 | 1 | 0
3 up | - | F1 R0 | B0 | - | -
4 up | F2 R0 | B0 | F1 | 2 | 1
5 up | B0 | F2 R1 | B1 | - | -
6 down | R1 | B1 | F2 | - | 2
7 down | B1 | R2 | B2 | - | -
8 down | R2 | B2 | - | - | -
9 down | B2 | - | - | - | -
10 down | - | - | - | - | -
11 down | - | - | - | - | -
)"));
    }

    void interleavedAlternatesForwardAndBackward() {
        QCOMPARE(table("Interleaved", shape(4, 4)), std::string(R"(overlap 4; 16 slots, 14 with compute
0 up | F0 | - | - | - | 0 | -
1 up | - | F0 | - | - | - | -
2 up | F1 | - | F0 | - | 1 | -
3 up | - | F1 | - | F0 | - | 0
4 up | F2 | - | F1 | B0 | 2 | -
5 up | - | F2 | B0 | F1 | - | 1
6 up | F3 | B0 | F2 | B1 | 3 | -
7 up | B0 | F3 | B1 | F2 | - | 2
8 down | - | B1 | F3 | B2 | - | -
9 down | B1 | - | B2 | F3 | - | 3
10 down | - | B2 | - | B3 | - | -
11 down | B2 | - | B3 | - | - | -
12 down | - | B3 | - | - | - | -
13 down | B3 | - | - | - | - | -
14 down | - | - | - | - | - | -
15 down | - | - | - | - | - | -
)"));
    }

    void inferenceStreamsForwardSlots() {
        const std::string expected = R"(overlap 3; 6 slots, 5 with compute
0 up | F0 | - | - | 0 | -
1 up | F1 | F0 | - | 1 | -
2 up | F2 | F1 | F0 | 2 | 0
3 down | - | F2 | F1 | - | 1
4 down | - | - | F2 | - | 2
5 down | - | - | - | - | -
)";
        QCOMPARE(table("Grouped", shape(3, 3, false)), expected);
        QCOMPARE(table("Interleaved", shape(3, 3, false)), expected);
    }

    void sequentialTrainsOneStageAtATimeAndMergesTheLastForward() {
        QCOMPARE(table("Sequential", shape(2, 2)), std::string(R"(overlap 1; 8 slots, 6 with compute
0 main | F0 | - | 0 | -
1 main | - | F0* | - | 0
2 main | - | B0 | - | -
3 main | B0 | - | - | -
4 main | F1 | - | 1 | -
5 main | - | F1* | - | 1
6 main | - | B1 | - | -
7 main | B1 | - | - | -
)"));
    }

    void sequentialInferenceHasNoMergedStage() {
        QCOMPARE(table("Sequential", shape(2, 1, false)), std::string(R"(overlap 1; 2 slots, 2 with compute
0 main | F0 | - | 0 | -
1 main | - | F0 | - | 0
)"));
    }

    void groupedRunsSeveralStagesOfAnIpuByDescendingPosition() {
        auto folded = shape(4, 8);
        folded.deviceMapping = ipus({0, 1, 1, 0});
        const std::string text = table("Grouped", folded);
        QVERIFY2(text.find("7 up | B0.0 B3.3 F4.3 F7.0 | B1.1 B2.2 F5.2 F6.1 | 7 | 4\n") != std::string::npos,
                 text.c_str());
    }

    void ioTilesShiftTheComputeByASlot() {
        auto overlapped = shape(2, 8);
        overlapped.ioTiles = true;
        QCOMPARE(table("Grouped", overlapped), std::string(R"(overlap 4; 14 slots, 11 with compute
0 up | - | - | 0 | -
1 up | F0 | - | 1 | -
2 up | F1 | F0 | 2 | -
3 up | F2 | B0 F1 | 3 | 0
4 up | B0 F3 | B1 F2 | 4 | 1
5 up | B1 F4 | B2 F3 | 5 | 2
6 main | B2 F5 | B3 F4 | 6 | 3
7 main | B3 F6 | B4 F5 | 7 | 4
8 down | B4 F7 | B5 F6 | - | 5
9 down | B5 | B6 F7 | - | 6
10 down | B6 | B7 | - | 7
11 down | B7 | - | - | -
12 down | - | - | - | -
13 down | - | - | - | -
)"));
    }

    void aModelWithoutStagesRunsForwardAndBackwardInOneSlot() {
        const auto schedule =
            core::buildUnpipelinedSchedule({.stages = 1, .microBatches = 2, .deviceMapping = {}});
        QVERIFY(schedule.has_value());
        QCOMPARE(core::toText(*schedule), std::string(R"(overlap 1; 2 slots, 2 with compute
0 main | F0 B0 | 0 | 0
1 main | F1 B1 | 1 | 1
)"));
    }
};

REGISTER_TEST("schedule_table", ScheduleTableTest)
#include "schedule_table_test.moc"
