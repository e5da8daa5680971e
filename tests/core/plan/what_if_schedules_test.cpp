#include "core/plan/schedule/schedule_check.h"
#include "core/plan/schedule/schedule_facts.h"
#include "tests/core/plan/schedule_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>

using core::Phase;
using core::StageTimes;
using tests::shape;

namespace {

/// A shape that the schedule takes: stages on IPUs of their own, or `chunks` stages on each of `ipus`.
core::PipelineShape fitting(std::size_t ipus, std::size_t chunks, std::int64_t microBatches) {
    auto of = shape(ipus * chunks, microBatches);
    for (std::size_t stage = 0; chunks > 1 && stage < of.stages; ++stage)
        of.deviceMapping.emplace_back(stage % ipus);
    return of;
}

double bubbleOf(const std::string& name, const core::PipelineShape& of, const StageTimes& times) {
    return core::idealTimes(core::buildSchedule(name, of).value(), times).bubble;
}

void compareTo(double actual, double expected) {
    QVERIFY2(std::abs(actual - expected) < 1e-9, qPrintable(QString("%1, not %2").arg(actual).arg(expected)));
}

/// Pairs of stages and micro-batches, at least `least(p)` of them.
template <class Visit>
void forShapes(std::int64_t (*least)(std::int64_t), Visit visit) {
    for (std::int64_t p = 2; p <= 8; ++p)
        for (std::int64_t m = least(p); m <= least(p) + 9; ++m)
            visit(p, m);
}

const std::vector<StageTimes> someTimes{{1, 1, 1}, {1, 2, 1}, {1, 1.25, 0.875}, {2, 3, 1.5}, {1, 1, 0.5}};

/// What an IPU keeps at most: micro-batches between their forward pass and the end of all their work there.
std::int64_t mostKept(const core::PipelineSchedule& schedule, std::size_t stage) {
    std::int64_t kept = 0;
    std::int64_t most = 0;
    const Phase end = schedule.splitsBackward() ? Phase::WeightGradient : Phase::Backward;
    for (const core::WorkItem& item : schedule.items)
        if (item.stage.index() == stage) {
            kept += item.phase == Phase::Forward ? 1 : 0;
            most = std::max(most, kept);
            kept -= item.phase == end ? 1 : 0;
        }
    return most;
}

} // namespace

/// Bubbles of the schedules of the literature, from their tables and from the papers. Here p is the number of
/// IPUs, m that of micro-batches, and communication is free.
class WhatIfSchedulesTest : public QObject {
    Q_OBJECT

private slots:
    void gpipeAndOneForwardOneBackwardIdleForAllPassesOfTheOtherStages() {
        for (const std::string name : {"GPipe", "1F1B"})
            for (const StageTimes& t : someTimes)
                forShapes([](std::int64_t) { return std::int64_t(1); },
                          [&](std::int64_t p, std::int64_t m) {
                              const auto of = shape(static_cast<std::size_t>(p), m);
                              const auto table = core::buildSchedule(name, of).value();
                              const double passes = t.forward + t.inputGradient + t.weightGradient;
                              const double makespan = static_cast<double>(m + p - 1) * passes;
                              compareTo(core::idealTimes(table, t).makespan, makespan);
                              // GPipe: (p − 1)/(m + p − 1) of the time; 1F1B: (p − 1)/m of the ideal.
                              compareTo(core::idealTimes(table, t).bubble / makespan,
                                        static_cast<double>(p - 1) / static_cast<double>(m + p - 1));
                              compareTo(core::idealTimes(table, t).bubble / (static_cast<double>(m) * passes),
                                        static_cast<double>(p - 1) / static_cast<double>(m));
                          });
    }

    void interleavingDividesTheBubbleByTheStagesOfAnIpu() {
        for (const StageTimes& t : someTimes)
            for (const std::int64_t v : {2, 3, 4})
                for (std::int64_t p = 2; p <= 6; ++p)
                    for (std::int64_t m = p; m <= 4 * p; m += p) {
                        const auto of = fitting(static_cast<std::size_t>(p), static_cast<std::size_t>(v), m);
                        const double ideal = static_cast<double>(m) * t.total();
                        const auto times =
                            core::idealTimes(core::buildSchedule("Interleaved1F1B", of).value(), t);
                        compareTo(times.bubble / ideal,
                                  static_cast<double>(p - 1) / static_cast<double>(v * m));
                        compareTo(times.makespan, ideal + times.bubble);
                    }
    }

    void zbH1IdlesForForwardAndInputGradientLessTheWeightGradient() {
        for (const StageTimes& t : someTimes)
            forShapes([](std::int64_t p) { return p; },
                      [&](std::int64_t p, std::int64_t m) {
                          compareTo(bubbleOf("ZB-H1", shape(static_cast<std::size_t>(p), m), t),
                                    static_cast<double>(p - 1) *
                                        (t.forward + t.inputGradient - t.weightGradient));
                      });
    }

    void zbH2HasNoBubbleWhereAllPassesTakeTheSame() {
        for (const StageTimes& t : someTimes)
            forShapes([](std::int64_t p) { return 2 * p - 1; },
                      [&](std::int64_t p, std::int64_t m) {
                          const double bubble = bubbleOf("ZB-H2", shape(static_cast<std::size_t>(p), m), t);
                          compareTo(bubble, static_cast<double>(p - 1) *
                                                (t.forward + t.inputGradient - 2 * t.weightGradient));
                          if (t.forward == t.inputGradient && t.forward == t.weightGradient)
                              compareTo(bubble, 0);
                      });
    }

    void everyPublishedFormulaIsThatOfItsTable() {
        int formulas = 0;
        for (const core::ScheduleDefinition& definition : core::scheduleCatalogue()) {
            if (definition.publishedBubble == nullptr)
                continue;
            ++formulas;
            const auto of = fitting(4, definition.brokenRule != nullptr ? 2 : 1, 16);
            for (const StageTimes& t : someTimes)
                compareTo(bubbleOf(std::string(definition.name), of, t), definition.publishedBubble(of, t));
        }
        QCOMPARE(formulas, 5);
    }

    void activationsAreKeptAsLongAsThePapersSay() {
        constexpr std::int64_t p = 5;
        constexpr std::int64_t m = 20;
        const auto of = shape(p, m);
        for (std::int64_t k = 0; k < p; ++k) {
            const auto stage = static_cast<std::size_t>(k);
            QCOMPARE(mostKept(core::buildSchedule("GPipe", of).value(), stage), m);
            QCOMPARE(mostKept(core::buildSchedule("1F1B", of).value(), stage), p - k);
            // As 1F1B's first stage, on all stages; twice that for H2.
            QVERIFY(mostKept(core::buildSchedule("ZB-H1", of).value(), stage) <= p);
            QVERIFY(mostKept(core::buildSchedule("ZB-H2", of).value(), stage) <= 2 * p - 1);
        }
    }

    void fifosAreAsDeepAsTheItemsMakeThem() {
        QCOMPARE(core::buildSchedule("GPipe", shape(3, 8))->fifoDepths, (std::vector<std::int64_t>{7, 7, 7}));
        QCOMPARE(core::buildSchedule("1F1B", shape(4, 8))->fifoDepths,
                 (std::vector<std::int64_t>{3, 2, 1, 0}));
        const auto h1 = core::buildSchedule("ZB-H1", shape(4, 8)).value();
        QCOMPARE(h1.fifoDepths, (std::vector<std::int64_t>{3, 2, 1, 0}));
        // Weight gradients of stage k wait for k more backward passes.
        QCOMPARE(core::weightGradientDepths(h1), (std::vector<std::int64_t>{0, 1, 2, 3}));
        QCOMPARE(core::weightGradientDepths(core::buildSchedule("Grouped", shape(2, 4)).value()),
                 (std::vector<std::int64_t>{0, 0}));
    }

    void everyWhatIfIsCompleteWithAndWithoutRecomputationAndInInference() {
        for (const core::ScheduleDefinition& definition : core::scheduleCatalogue()) {
            if (!definition.isWhatIf || definition.takesTable)
                continue;
            for (std::size_t ipus = 2; ipus <= 5; ++ipus)
                for (std::int64_t groups = 1; groups <= 3; ++groups)
                    for (const bool recompute : {false, true})
                        for (const bool training : {false, true}) {
                            auto of = fitting(ipus, definition.brokenRule != nullptr ? 2 : 1,
                                              groups * static_cast<std::int64_t>(ipus));
                            of.training = training;
                            of.recompute = recompute && training;
                            const auto schedule = core::buildSchedule(definition, of);
                            QVERIFY2(schedule.has_value(),
                                     schedule ? "" : schedule.error().front().message.c_str());
                            QCOMPARE(schedule->items.size(),
                                     of.stages * static_cast<std::size_t>(of.microBatches) *
                                             (!training                    ? 1
                                              : schedule->splitsBackward() ? 3
                                                                           : 2) +
                                         (of.recompute
                                              ? (of.stages - 1) * static_cast<std::size_t>(of.microBatches)
                                              : 0));
                        }
        }
    }

    void stagesThatDoNotFitAreRefusedWithTheCure() {
        const auto lonely = core::buildSchedule("Interleaved1F1B", shape(4, 8));
        QCOMPARE(lonely.error().front().code, std::string("value-error/interleaved-stages"));
        QCOMPARE(lonely.error().front().hints.front(), std::string("set device_mapping to [0, 1, 0, 1]"));
        auto folded = shape(4, 8);
        folded.deviceMapping = tests::ipus({0, 1, 1, 0});
        const auto wrong = core::buildSchedule("Interleaved1F1B", folded).error().front();
        QCOMPARE(wrong.message,
                 std::string("Interleaved 1F1B puts stage k on IPU k mod 2; stage 2 is on IPU 1, not 0"));
        auto odd = fitting(3, 2, 8);
        const auto count = core::buildSchedule("Interleaved1F1B", odd).error().front();
        QCOMPARE(count.code, std::string("failed-precondition/micro-batch-multiple"));
        QCOMPARE(count.hints.front(), std::string("use 6 or 9"));
    }
};

REGISTER_TEST("what_if_schedules", WhatIfSchedulesTest)
#include "what_if_schedules_test.moc"
