#include "simulator/schedule/schedule_catalogue.h"

#include "simulator/schedule/schedule_check.h"
#include "simulator/schedule/slot_layout.h"
#include "tests/simulator/schedule/schedule_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <map>
#include <random>
#include <tuple>

using core::ScheduleKind;
using simulator::WorkItem;
using simulator::WorkKind;
using tests::ipus;
using tests::shape;

namespace {

/// Slot of every piece of work.
std::map<std::tuple<WorkKind, std::size_t, std::int64_t>, std::int64_t>
slotsOf(const simulator::PipelineSchedule& schedule) {
    std::map<std::tuple<WorkKind, std::size_t, std::int64_t>, std::int64_t> places;
    for (std::size_t slot = 0; slot < schedule.timeSlots.size(); ++slot)
        for (const WorkItem& item : schedule.work(schedule.timeSlots[slot]))
            places[{item.kind, item.stage.index(), item.microBatch}] = static_cast<std::int64_t>(slot);
    return places;
}

void verifyClosedForms(ScheduleKind kind, std::int64_t stages, std::int64_t count, std::int64_t step) {
    auto of = shape(static_cast<std::size_t>(stages), count);
    of.recompute = true;
    const auto schedule = simulator::buildSchedule(kind, of);
    QVERIFY(schedule.has_value());
    const auto places = slotsOf(*schedule);
    for (std::int64_t m = 0; m < count; ++m)
        for (std::int64_t k = 0; k < stages; ++k) {
            const auto stage = static_cast<std::size_t>(k);
            QCOMPARE(places.at({WorkKind::Forward, stage, m}), step * m + k);
            QCOMPARE(places.at({WorkKind::Backward, stage, m}), step * m + 2 * stages - 1 - k);
            if (k + 1 < stages)
                QCOMPARE(places.at({WorkKind::Recompute, stage, m}), step * m + 2 * stages - 2 - k);
        }
    const auto recomputes = std::ranges::count(schedule->items, WorkKind::Recompute, &WorkItem::kind);
    QCOMPARE(recomputes, (stages - 1) * count);
    QCOMPARE(static_cast<std::int64_t>(schedule->timeSlots.size()), step * count + 2 * stages);
    QCOMPARE(schedule->slotsWithCompute(), step * count + 2 * stages - step);
    QCOMPARE(schedule->weightUpdateAfterSlot.value_or(-1), step * count + 2 * stages - 1);
    QCOMPARE(schedule->fifoDepths, simulator::fifoDepths(of, kind == ScheduleKind::Grouped ? 2 : 1));
}

std::string codeOf(const core::Result<simulator::PipelineSchedule>& schedule) {
    return schedule ? "accepted" : schedule.error().front().code;
}

} // namespace

class ScheduleCatalogueTest : public QObject {
    Q_OBJECT

private slots:
    void workStandsWhereTheClosedFormsSay() {
        for (std::int64_t stages = 2; stages <= 6; ++stages)
            for (std::int64_t groups = 1; groups <= 3; ++groups) {
                verifyClosedForms(ScheduleKind::Grouped, stages, groups * 2 * stages, 1);
                verifyClosedForms(ScheduleKind::Interleaved, stages, groups * stages, 2);
            }
    }

    void inferenceStandsWhereTheClosedFormsSay() {
        for (const ScheduleKind kind : {ScheduleKind::Grouped, ScheduleKind::Interleaved}) {
            const auto schedule = simulator::buildSchedule(kind, shape(5, 15, false));
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
            const auto& definition = core::scheduleTraits(simulator::scheduleCatalogue()[random() % 3].kind);
            auto of = shape(2 + random() % 6, 1, random() % 2 == 0);
            of.recompute = of.training && definition.fifoFactor > 0 && random() % 2 == 0;
            if (!of.training || definition.sharesIpusInTraining)
                for (std::size_t stage = 0; random() % 2 == 0 && stage < of.stages; ++stage)
                    of.deviceMapping.emplace_back(random() % 4);
            if (of.deviceMapping.size() != of.stages)
                of.deviceMapping.clear();
            of.ioTiles = random() % 2 == 0;
            of.microBatches = tests::smallestCount(definition.kind, of) * (2 + random() % 3);
            const auto schedule = simulator::buildSchedule(definition.kind, of);
            QVERIFY2(schedule.has_value(), codeOf(schedule).c_str());
            const core::Diagnostics findings = simulator::checkSchedule(*schedule);
            QVERIFY2(findings.empty(), findings.empty() ? "" : findings.front().message.c_str());
        }
    }

    void aFifoHoldsAMicroBatchUntilItsBackward() {
        for (const ScheduleKind kind : {ScheduleKind::Grouped, ScheduleKind::Interleaved}) {
            const auto schedule = simulator::buildSchedule(kind, shape(4, 16));
            QVERIFY(schedule.has_value());
            const auto places = slotsOf(*schedule);
            for (std::size_t stage = 0; stage + 1 < 4; ++stage) {
                // The entry of micro-batch m is popped by the FIFO program that runs `depth` forward slots
                // later, and read by the backward in the slot after that.
                const std::int64_t step = kind == ScheduleKind::Grouped ? 1 : 2;
                const std::int64_t popped =
                    places.at({WorkKind::Forward, stage, 5}) + schedule->fifoDepths[stage] * step;
                QCOMPARE(places.at({WorkKind::Backward, stage, 5}), popped + 1);
            }
        }
    }

    void countsThatDoNotFitAreRefusedWithTheCure() {
        const auto grouped = simulator::buildSchedule(ScheduleKind::Grouped, shape(2, 6));
        QCOMPARE(codeOf(grouped), std::string("failed-precondition/micro-batch-multiple"));
        QVERIFY(grouped.error().front().message.find("multiple of 4") != std::string::npos);
        QCOMPARE(grouped.error().front().hints.front(), std::string("use 4 or 8"));
        QCOMPARE(codeOf(simulator::buildSchedule(ScheduleKind::Grouped, shape(2, 2))),
                 std::string("failed-precondition/micro-batch-multiple"));
        const std::string minimum = "failed-precondition/micro-batch-minimum";
        for (const auto& definition : simulator::scheduleCatalogue())
            QCOMPARE(codeOf(simulator::buildSchedule(definition.kind, shape(2, 0))), minimum);
        QCOMPARE(codeOf(simulator::buildSchedule(ScheduleKind::Interleaved, shape(3, 4))),
                 std::string("failed-precondition/micro-batch-multiple"));
        QCOMPARE(codeOf(simulator::buildSchedule(ScheduleKind::Sequential, shape(3, 1))),
                 std::string("accepted"));
        QCOMPARE(codeOf(simulator::buildSchedule(ScheduleKind::Grouped, shape(2, -4))),
                 std::string("value-error/micro-batches"));
        QCOMPARE(codeOf(simulator::buildSchedule(ScheduleKind::Grouped, shape(2, std::int64_t(1) << 31))),
                 std::string("value-error/micro-batches"));
        QCOMPARE(
            codeOf(simulator::buildSchedule(ScheduleKind::Grouped, shape(2, (std::int64_t(1) << 31) - 4))),
            std::string("resource-exhausted/schedule-size"));
    }

    void ioTilesNeedTwoMicroBatchesMore() {
        auto of = shape(2, 4);
        of.ioTiles = true;
        QCOMPARE(codeOf(simulator::buildSchedule(ScheduleKind::Grouped, of)),
                 std::string("failed-precondition/micro-batch-minimum"));
        of.microBatches = 6;
        QCOMPARE(codeOf(simulator::buildSchedule(ScheduleKind::Grouped, of)),
                 std::string("failed-precondition/micro-batch-multiple"));
        of.microBatches = 8;
        QCOMPARE(codeOf(simulator::buildSchedule(ScheduleKind::Grouped, of)), std::string("accepted"));
        of.microBatches = 2;
        QCOMPARE(codeOf(simulator::buildSchedule(ScheduleKind::Interleaved, of)), std::string("accepted"));
    }

    void devicesThatDoNotFitAreRefused() {
        auto of = shape(3, 6);
        of.deviceMapping = ipus({0, 1});
        QCOMPARE(codeOf(simulator::buildSchedule(ScheduleKind::Grouped, of)),
                 std::string("value-error/device-mapping-length"));
        of.deviceMapping = ipus({0, 1, 0});
        QCOMPARE(codeOf(simulator::buildSchedule(ScheduleKind::Interleaved, of)),
                 std::string("not-implemented/interleaved-repeated-device"));
        QCOMPARE(codeOf(simulator::buildSchedule(ScheduleKind::Grouped, of)), std::string("accepted"));
        of.training = false;
        QVERIFY(simulator::buildSchedule(ScheduleKind::Interleaved, of).has_value());
        QCOMPARE(codeOf(simulator::buildSchedule(ScheduleKind::Grouped, shape(1, 2))),
                 std::string("value-error/pipeline-stages"));
    }

    void interleavedInferenceOnOneIpuCollapsesToOneStageAtATime() {
        auto of = shape(3, 1, false);
        of.deviceMapping = ipus({0, 0, 0});
        const auto schedule = simulator::buildSchedule(ScheduleKind::Interleaved, of);
        QVERIFY(schedule.has_value());
        QCOMPARE(schedule->startOffsets, std::vector<std::int64_t>{0});
    }

    void recomputationModesResolveBySchedule() {
        using core::RecomputationMode;
        QVERIFY(core::resolveRecomputation(ScheduleKind::Grouped, RecomputationMode::Auto).value() ==
                RecomputationMode::RecomputeThenBackpropagate);
        QVERIFY(core::resolveRecomputation(ScheduleKind::Sequential, RecomputationMode::Auto).value() ==
                RecomputationMode::RecomputeAndBackpropagateInterleaved);
        const std::string unsupported = "unimplemented/recomputation-mode";
        const auto interleaved = core::resolveRecomputation(
            ScheduleKind::Interleaved, RecomputationMode::RecomputeAndBackpropagateInterleaved);
        QCOMPARE(interleaved.error().front().code, unsupported);
        const auto sequential = core::resolveRecomputation(ScheduleKind::Sequential,
                                                           RecomputationMode::RecomputeThenBackpropagate);
        QCOMPARE(sequential.error().front().code, unsupported);
    }

    void injectedFaultsAreFound() {
        const auto good = simulator::buildSchedule(ScheduleKind::Grouped, shape(3, 6)).value();
        auto missing = good;
        missing.timeSlots[0].itemCount = 0;
        QCOMPARE(simulator::checkSchedule(missing).front().code, std::string("schedule/missing-work"));
        auto twice = good;
        twice.items[1] = twice.items[0];
        QCOMPARE(simulator::checkSchedule(twice).front().code, std::string("schedule/repeated-work"));
        auto elsewhere = good;
        elsewhere.items[0].ipu = core::IpuId(2);
        QCOMPARE(simulator::checkSchedule(elsewhere).front().code, std::string("schedule/wrong-ipu"));
        auto early = good;
        std::swap(early.timeSlots[5], early.timeSlots[9]);
        QCOMPARE(simulator::checkSchedule(early).front().code, std::string("schedule/dependency"));
    }

    void benchmarkLargeGroupedSchedule() {
        QBENCHMARK {
            const auto schedule = simulator::buildSchedule(ScheduleKind::Grouped, shape(64, 256));
            QCOMPARE(schedule->timeSlots.size(), std::size_t(384));
        }
    }
};

REGISTER_TEST("schedule_catalogue", ScheduleCatalogueTest)
#include "schedule_catalogue_test.moc"
