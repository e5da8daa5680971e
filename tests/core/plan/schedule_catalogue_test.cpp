#include "core/plan/schedule/schedule_catalogue.h"

#include "core/plan/schedule/schedule_check.h"
#include "tests/core/plan/schedule_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <map>
#include <random>
#include <tuple>

using core::Phase;
using core::WorkItem;
using tests::ipus;
using tests::shape;

namespace {

/// Slot of every piece of work.
std::map<std::tuple<Phase, std::size_t, std::int64_t>, std::int64_t>
slotsOf(const core::PipelineSchedule& schedule) {
    std::map<std::tuple<Phase, std::size_t, std::int64_t>, std::int64_t> places;
    for (std::size_t slot = 0; slot < schedule.timeSlots.size(); ++slot)
        for (const WorkItem& item : schedule.work(schedule.timeSlots[slot]))
            places[{item.phase, item.stage.index(), item.microBatch}] = static_cast<std::int64_t>(slot);
    return places;
}

void verifyClosedForms(const std::string& kind, std::int64_t stages, std::int64_t count, std::int64_t step) {
    auto of = shape(static_cast<std::size_t>(stages), count);
    of.recompute = true;
    const auto schedule = core::buildSchedule(kind, of);
    QVERIFY(schedule.has_value());
    const auto places = slotsOf(*schedule);
    for (std::int64_t m = 0; m < count; ++m)
        for (std::int64_t k = 0; k < stages; ++k) {
            const auto stage = static_cast<std::size_t>(k);
            QCOMPARE(places.at({Phase::Forward, stage, m}), step * m + k);
            QCOMPARE(places.at({Phase::Backward, stage, m}), step * m + 2 * stages - 1 - k);
            if (k + 1 < stages)
                QCOMPARE(places.at({Phase::Recompute, stage, m}), step * m + 2 * stages - 2 - k);
        }
    const auto recomputes = std::ranges::count(schedule->items, Phase::Recompute, &WorkItem::phase);
    QCOMPARE(recomputes, (stages - 1) * count);
    QCOMPARE(static_cast<std::int64_t>(schedule->timeSlots.size()), step * count + 2 * stages);
    QCOMPARE(schedule->slotsWithCompute(), step * count + 2 * stages - step);
    QCOMPARE(schedule->weightUpdateAfterSlot.value_or(-1), step * count + 2 * stages - 1);
    for (std::int64_t k = 0; k < stages; ++k)
        QCOMPARE(schedule->fifoDepths[static_cast<std::size_t>(k)], (step == 1 ? 2 : 1) * (stages - 1 - k));
}

std::string codeOf(const core::Result<core::PipelineSchedule>& schedule) {
    return schedule ? "accepted" : schedule.error().front().code;
}

} // namespace

class ScheduleCatalogueTest : public QObject {
    Q_OBJECT

private slots:
    void workStandsWhereTheClosedFormsSay() {
        for (std::int64_t stages = 2; stages <= 6; ++stages)
            for (std::int64_t groups = 1; groups <= 3; ++groups) {
                verifyClosedForms("Grouped", stages, groups * 2 * stages, 1);
                verifyClosedForms("Interleaved", stages, groups * stages, 2);
            }
    }

    void inferenceStandsWhereTheClosedFormsSay() {
        for (const std::string kind : {"Grouped", "Interleaved"}) {
            const auto schedule = core::buildSchedule(kind, shape(5, 15, false));
            QVERIFY(schedule.has_value());
            for (const auto& [work, slot] : slotsOf(*schedule))
                QCOMPARE(slot, std::get<2>(work) + static_cast<std::int64_t>(std::get<1>(work)));
            QCOMPARE(schedule->timeSlots.size(), std::size_t(20));
            QCOMPARE(schedule->slotsWithCompute(), std::int64_t(19));
            QVERIFY(!schedule->weightUpdateAfterSlot);
            QCOMPARE(schedule->fifoDepths, std::vector<std::int64_t>(5, 0));
        }
    }

    void everyScheduleIsCompleteAndTrueToItsDependencies() {
        std::mt19937 random(7);
        for (int round = 0; round < 200; ++round) {
            const auto& definition = core::scheduleCatalogue()[random() % 3];
            auto of = shape(2 + random() % 6, 1, random() % 2 == 0);
            of.recompute = of.training && !definition.isSerial && random() % 2 == 0;
            if (!of.training || definition.sharesIpusInTraining)
                for (std::size_t stage = 0; random() % 2 == 0 && stage < of.stages; ++stage)
                    of.deviceMapping.emplace_back(random() % 4);
            if (of.deviceMapping.size() != of.stages)
                of.deviceMapping.clear();
            of.ioTiles = random() % 2 == 0;
            of.microBatches = tests::smallestCount(definition, of) * (2 + random() % 3);
            const auto schedule = core::buildSchedule(definition.name, of);
            QVERIFY2(schedule.has_value(), codeOf(schedule).c_str());
            const core::Diagnostics findings = core::checkSchedule(*schedule);
            QVERIFY2(findings.empty(), findings.empty() ? "" : findings.front().message.c_str());
        }
    }

    void aFifoHoldsAMicroBatchUntilItsBackward() {
        for (const std::string kind : {"Grouped", "Interleaved"}) {
            const auto schedule = core::buildSchedule(kind, shape(4, 16));
            QVERIFY(schedule.has_value());
            const auto places = slotsOf(*schedule);
            for (std::size_t stage = 0; stage + 1 < 4; ++stage) {
                // The entry of micro-batch m is popped by the FIFO program that runs `depth` forward slots
                // later, and read by the backward in the slot after that.
                const std::int64_t step = kind == "Grouped" ? 1 : 2;
                const std::int64_t popped =
                    places.at({Phase::Forward, stage, 5}) + schedule->fifoDepths[stage] * step;
                QCOMPARE(places.at({Phase::Backward, stage, 5}), popped + 1);
            }
        }
    }

    void countsThatDoNotFitAreRefusedWithTheCure() {
        const auto grouped = core::buildSchedule("Grouped", shape(2, 6));
        QCOMPARE(codeOf(grouped), std::string("failed-precondition/micro-batch-multiple"));
        QVERIFY(grouped.error().front().message.find("multiple of 4") != std::string::npos);
        QCOMPARE(grouped.error().front().hints.front(), std::string("use 4 or 8"));
        QCOMPARE(codeOf(core::buildSchedule("Grouped", shape(2, 2))),
                 std::string("failed-precondition/micro-batch-multiple"));
        const std::string minimum = "failed-precondition/micro-batch-minimum";
        for (const auto& definition : core::scheduleCatalogue())
            QCOMPARE(codeOf(core::buildSchedule(definition.name, shape(2, 0))), minimum);
        QCOMPARE(codeOf(core::buildSchedule("Interleaved", shape(3, 4))),
                 std::string("failed-precondition/micro-batch-multiple"));
        QCOMPARE(codeOf(core::buildSchedule("Sequential", shape(3, 1))), std::string("accepted"));
        QCOMPARE(codeOf(core::buildSchedule("Grouped", shape(2, -4))),
                 std::string("value-error/micro-batches"));
        QCOMPARE(codeOf(core::buildSchedule("Grouped", shape(2, std::int64_t(1) << 31))),
                 std::string("value-error/micro-batches"));
        QCOMPARE(codeOf(core::buildSchedule("Grouped", shape(2, (std::int64_t(1) << 31) - 4))),
                 std::string("resource-exhausted/schedule-size"));
    }

    void ioTilesNeedTwoMicroBatchesMore() {
        auto of = shape(2, 4);
        of.ioTiles = true;
        QCOMPARE(codeOf(core::buildSchedule("Grouped", of)),
                 std::string("failed-precondition/micro-batch-minimum"));
        of.microBatches = 6;
        QCOMPARE(codeOf(core::buildSchedule("Grouped", of)),
                 std::string("failed-precondition/micro-batch-multiple"));
        of.microBatches = 8;
        QCOMPARE(codeOf(core::buildSchedule("Grouped", of)), std::string("accepted"));
        of.microBatches = 2;
        QCOMPARE(codeOf(core::buildSchedule("Interleaved", of)), std::string("accepted"));
    }

    void devicesThatDoNotFitAreRefused() {
        auto of = shape(3, 6);
        of.deviceMapping = ipus({0, 1});
        QCOMPARE(codeOf(core::buildSchedule("Grouped", of)),
                 std::string("value-error/device-mapping-length"));
        of.deviceMapping = ipus({0, 1, 0});
        QCOMPARE(codeOf(core::buildSchedule("Interleaved", of)),
                 std::string("not-implemented/interleaved-repeated-device"));
        QCOMPARE(codeOf(core::buildSchedule("Grouped", of)), std::string("accepted"));
        of.training = false;
        QVERIFY(core::buildSchedule("Interleaved", of).has_value());
        QCOMPARE(codeOf(core::buildSchedule("Grouped", shape(1, 2))),
                 std::string("value-error/pipeline-stages"));
    }

    void interleavedInferenceOnOneIpuCollapsesToOneStageAtATime() {
        auto of = shape(3, 1, false);
        of.deviceMapping = ipus({0, 0, 0});
        const auto schedule = core::buildSchedule("Interleaved", of);
        QVERIFY(schedule.has_value());
        QCOMPARE(schedule->startOffsets(), std::vector<std::int64_t>{0});
    }

    void recomputationModesResolveBySchedule() {
        using core::RecomputationMode;
        QVERIFY(core::resolveRecomputation("Grouped", RecomputationMode::Auto).value() ==
                RecomputationMode::RecomputeThenBackpropagate);
        QVERIFY(core::resolveRecomputation("Sequential", RecomputationMode::Auto).value() ==
                RecomputationMode::RecomputeAndBackpropagateInterleaved);
        const std::string unsupported = "unimplemented/recomputation-mode";
        const auto interleaved = core::resolveRecomputation(
            "Interleaved", RecomputationMode::RecomputeAndBackpropagateInterleaved);
        QCOMPARE(interleaved.error().front().code, unsupported);
        const auto sequential =
            core::resolveRecomputation("Sequential", RecomputationMode::RecomputeThenBackpropagate);
        QCOMPARE(sequential.error().front().code, unsupported);
    }

    void injectedFaultsAreFound() {
        const auto good = core::buildSchedule("Grouped", shape(3, 6)).value();
        auto missing = good;
        missing.timeSlots[0].itemCount = 0;
        QCOMPARE(core::checkSchedule(missing).front().code, std::string("schedule/missing-work"));
        auto twice = good;
        twice.items[1] = twice.items[0];
        QCOMPARE(core::checkSchedule(twice).front().code, std::string("schedule/repeated-work"));
        auto elsewhere = good;
        elsewhere.items[0].ipu = core::IpuId(2);
        QCOMPARE(core::checkSchedule(elsewhere).front().code, std::string("schedule/wrong-ipu"));
        auto early = good;
        std::swap(early.timeSlots[5], early.timeSlots[9]);
        QCOMPARE(core::checkSchedule(early).front().code, std::string("schedule/dependency"));
    }

    void benchmarkLargeGroupedSchedule() {
        QBENCHMARK {
            const auto schedule = core::buildSchedule("Grouped", shape(64, 256));
            QCOMPARE(schedule->timeSlots.size(), std::size_t(384));
        }
    }
};

REGISTER_TEST("schedule_catalogue", ScheduleCatalogueTest)
#include "schedule_catalogue_test.moc"
