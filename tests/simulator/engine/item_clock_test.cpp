#include "core/plan/schedule/schedule_facts.h"
#include "simulator/target/link_topology.h"
#include "tests/simulator/engine/pipeline_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <random>
#include <string>

using core::Cycles;
using core::IdleCause;
using core::Phase;
using simulator::CompiledPipeline;
using simulator::SimulatedUpdate;
using tests::PipelineSpec;

namespace {

constexpr std::array whatIfs{"GPipe", "1F1B", "Interleaved1F1B", "ZB-H1", "ZB-H2"};

/// Cycles of an IPU on one micro-batch, over all its stages.
struct IpuCycles {
    std::int64_t forward = 1200;
    std::int64_t inputGradient = 1600;
    std::int64_t weightGradient = 1000;

    [[nodiscard]] std::int64_t total() const { return forward + inputGradient + weightGradient; }
};

/// Equal stages on `ipus` IPUs, two on each where the schedule wants several; nothing but their work.
PipelineSpec equalStages(const std::string& name, std::size_t ipus, std::int64_t microBatches,
                         const IpuCycles& cycles = {}) {
    PipelineSpec spec{.kind = name, .microBatches = microBatches};
    const std::size_t chunks = name == "Interleaved1F1B" ? 2 : 1;
    const bool splits = name.starts_with("ZB");
    const auto share = static_cast<std::int64_t>(chunks);
    for (std::size_t stage = 0; stage < chunks * ipus; ++stage) {
        spec.stages.push_back({cycles.forward / share,
                               (cycles.inputGradient + (splits ? 0 : cycles.weightGradient)) / share, 0, 0,
                               splits ? cycles.weightGradient / share : 0});
        if (chunks > 1)
            spec.ipus.push_back(stage % ipus);
    }
    return spec;
}

double idleShare(const SimulatedUpdate& update) {
    double idle = 0;
    for (const simulator::LaneSums& sums : update.sums)
        idle += static_cast<double>(sums.idleTotal().value());
    return idle / static_cast<double>(update.timing.total.value()) / static_cast<double>(update.sums.size());
}

std::int64_t idleOfUpdate(const SimulatedUpdate& update, IdleCause cause) {
    std::int64_t sum = 0;
    for (const simulator::LaneSums& sums : update.sums)
        sum += sums.idle[static_cast<std::size_t>(cause)].value();
    return sum;
}

void compareTo(double actual, double expected, const std::string& of) {
    QVERIFY2(std::abs(actual - expected) < 1e-9,
             qPrintable(QStringLiteral("%1: %2, not %3").arg(of.c_str()).arg(actual).arg(expected)));
}

/// When an item ends, by phase, stage and micro-batch.
Cycles endOf(const CompiledPipeline& pipeline, const SimulatedUpdate& update, Phase phase, std::size_t stage,
             std::int32_t microBatch) {
    for (std::size_t at = 0; at < update.timing.items.size(); ++at) {
        const core::WorkItem& item = pipeline.schedule.items[at];
        if (item.phase == phase && item.stage.index() == stage && item.microBatch == microBatch)
            return update.timing.items[at].end;
    }
    return Cycles(-1);
}

} // namespace

/// The clock of schedules whose IPUs do not meet at the ends of slots.
class ItemClockTest : public QObject {
    Q_OBJECT

private slots:
    void theBubbleOfEqualStagesIsThatOfThePapers() {
        for (std::int64_t p = 2; p <= 6; ++p)
            for (std::int64_t groups = 2; groups <= 4; ++groups) {
                const std::int64_t m = groups * p;
                const auto bubble = [&](const std::string& name) {
                    return idleShare(simulator::simulate(
                        tests::pipelineOf(equalStages(name, static_cast<std::size_t>(p), m))));
                };
                const auto of = [m](double idle, double total = 1) {
                    return idle / (static_cast<double>(m) * total + idle);
                };
                const auto ramps = static_cast<double>(p - 1);
                compareTo(bubble("GPipe"), of(ramps), "GPipe");
                compareTo(bubble("1F1B"), of(ramps), "1F1B");
                compareTo(bubble("Interleaved1F1B"), of(ramps / 2), "Interleaved1F1B");
                const IpuCycles cycles;
                const auto left =
                    static_cast<double>(cycles.forward + cycles.inputGradient - cycles.weightGradient);
                compareTo(bubble("ZB-H1"), of(ramps * left, static_cast<double>(cycles.total())), "ZB-H1");
            }
    }

    void anIpuIdlesBetweenItsFirstAndItsLastWorkAsPublished() {
        const std::int64_t p = 4;
        const std::int64_t m = 12;
        for (const IpuCycles cycles : {IpuCycles{}, IpuCycles{1000, 1000, 1000}, IpuCycles{1000, 1200, 800}})
            for (const std::string name : whatIfs) {
                const CompiledPipeline pipeline = tests::pipelineOf(equalStages(name, p, m, cycles));
                const SimulatedUpdate update = simulator::simulate(pipeline);
                std::int64_t most = 0;
                for (const auto& lane : update.lanes) {
                    std::int64_t idle = 0;
                    for (std::size_t at = 1; at + 1 < lane.size(); ++at)
                        idle += lane[at].work ? 0 : lane[at].duration.value();
                    most = std::max(most, idle);
                }
                const core::ScheduleDefinition& definition = core::scheduleDefinition(name);
                compareTo(static_cast<double>(most),
                          definition.publishedBubble(pipeline.schedule.shape,
                                                     {static_cast<double>(cycles.forward),
                                                      static_cast<double>(cycles.inputGradient),
                                                      static_cast<double>(cycles.weightGradient)}),
                          name);
                QCOMPARE(idleOfUpdate(update, IdleCause::WarmUp) + idleOfUpdate(update, IdleCause::Drain),
                         static_cast<std::int64_t>(std::llround(
                             idleShare(update) * static_cast<double>(update.timing.total.value()) *
                             static_cast<double>(update.sums.size()))));
            }
    }

    void anItemWaitsForItsIpuAndItsOperandsAndForNothingElse() {
        // Stage 1 is three times as slow: stage 0 goes on meanwhile, and waits for gradients only.
        PipelineSpec spec{
            .kind = "GPipe", .microBatches = 4, .stages = {{1000, 1000, 0, 0}, {3000, 3000, 0, 0}}};
        const CompiledPipeline pipeline = tests::pipelineOf(spec);
        const SimulatedUpdate update = simulator::simulate(pipeline);
        QCOMPARE(endOf(pipeline, update, Phase::Forward, 0, 3), Cycles(4000));
        QCOMPARE(endOf(pipeline, update, Phase::Forward, 1, 3), Cycles(13'000));
        QCOMPARE(endOf(pipeline, update, Phase::Backward, 1, 0), Cycles(16'000));
        QCOMPARE(endOf(pipeline, update, Phase::Backward, 0, 0), Cycles(17'000));
        QCOMPARE(update.timing.total, Cycles(26'000));
    }

    void aSlowStageMakesTheOthersWaitWithoutBeingWarmUp() {
        PipelineSpec spec{.kind = "1F1B",
                          .microBatches = 12,
                          .stages = {{1000, 2000, 0, 0}, {2000, 4000, 0, 0}, {1000, 2000, 0, 0}}};
        const SimulatedUpdate update = simulator::simulate(tests::pipelineOf(spec));
        QVERIFY(idleOfUpdate(update, IdleCause::Imbalance) > 0);
        QVERIFY(idleOfUpdate(update, IdleCause::WarmUp) > 0);
        QVERIFY(idleOfUpdate(update, IdleCause::Drain) > 0);
    }

    void whatIsOnItsWayIsWaitedForAsTransfer() {
        const PipelineSpec quiet{
            .kind = "1F1B", .microBatches = 1, .stages = {{1000, 2000, 0, 0}, {1000, 2000, 0, 0}}};
        PipelineSpec crossing = quiet;
        crossing.crossingBytes = 1'000'000;
        const CompiledPipeline pipeline = tests::pipelineOf(crossing);
        const SimulatedUpdate update = simulator::simulate(pipeline);
        QCOMPARE(update.timing.copies.size(), std::size_t(2));
        const Cycles copy = update.timing.copies.front().end() - update.timing.copies.front().start;
        // There and back, with the syncs of both IPUs around each.
        QVERIFY(copy > simulator::globalSync(pipeline.system.target, 2) * 2);
        QCOMPARE(update.timing.total, simulator::simulate(tests::pipelineOf(quiet)).timing.total + copy * 2);
        // Stage 0 waits between its two passes; before the first work of stage 1 it is all warm-up.
        QCOMPARE(idleOfUpdate(update, IdleCause::Transfer), copy.value());
    }

    void aSenderWaitsForRoomWhereItsCopiesArrive() {
        PipelineSpec spec{.kind = "GPipe",
                          .microBatches = 6,
                          .stages = {{100'000, 100'000, 0, 0}, {300'000, 300'000, 0, 0}},
                          .crossingBytes = 1000};
        const auto lead = [&](std::int64_t depth) {
            spec.arrivalDepth = depth;
            const CompiledPipeline pipeline = tests::pipelineOf(spec);
            const SimulatedUpdate update = simulator::simulate(pipeline);
            // A copy ends after the micro-batch was read that leaves it its place.
            for (const simulator::CopyTiming& sent : update.timing.copies)
                if (sent.from.index() == 0 && sent.microBatch > depth)
                    if (sent.start < endOf(pipeline, update, Phase::Forward, 1,
                                           static_cast<std::int32_t>(sent.microBatch - 1 - depth)))
                        return std::int64_t(-1);
            return (endOf(pipeline, update, Phase::Forward, 1, 5) -
                    endOf(pipeline, update, Phase::Forward, 0, 5))
                .value();
        };
        const std::int64_t shallow = lead(0);
        const std::int64_t deep = lead(4);
        QVERIFY(shallow > 0);
        QVERIFY(deep > shallow);
    }

    void theThreeSchedulesOfTheProgrammingSystemStillMeetAtSlotEnds() {
        for (const std::string kind : {"Grouped", "Interleaved", "Sequential"}) {
            const SimulatedUpdate update = simulator::simulate(tests::pipelineOf(
                {.kind = kind, .microBatches = 8, .stages = std::vector<tests::StageCycles>(4)}));
            QVERIFY(update.timing.items.empty());
            QVERIFY(!update.timing.timeSlots.empty());
        }
    }

    /// Slots that repeat are left out, and nothing is another for it.
    void whatRepeatsIsTimedOnce() {
        std::mt19937 random(7);
        const auto from = [&](std::int64_t low, std::int64_t high) {
            return std::uniform_int_distribution<std::int64_t>(low, high)(random);
        };
        std::map<std::string, int> skipping;
        for (int trial = 0; trial < 600; ++trial) {
            const std::string name = whatIfs[static_cast<std::size_t>(trial) % whatIfs.size()];
            const auto ipus = static_cast<std::size_t>(from(2, 6));
            const std::int64_t microBatches = static_cast<std::int64_t>(ipus) * from(1, 40);
            PipelineSpec spec = equalStages(name, ipus, microBatches);
            const bool isUneven = from(0, 3) > 0;
            for (tests::StageCycles& stage : spec.stages) {
                stage.forward = isUneven ? from(100, 5000) : 1200;
                stage.backward = isUneven ? from(100, 9000) : 2600;
                if (stage.weightGradient > 0)
                    stage.weightGradient = from(100, 4000);
                stage.recompute =
                    trial % 4 == 0 && name != "Interleaved1F1B" && !name.starts_with("ZB") ? from(1, 900) : 0;
            }
            spec.crossingBytes = from(0, 2) == 0 ? 0 : from(1000, 2'000'000);
            spec.arrivalDepth = from(0, 5);
            spec.infeedBytes = from(0, 1) * 64;
            spec.outfeedBytes = from(0, 1) * 64;
            spec.training = trial % 7 != 0 || name.starts_with("ZB");
            const CompiledPipeline pipeline = tests::pipelineOf(spec);
            simulator::SlotPattern pattern = simulator::slotPattern(pipeline);
            // A value that goes past a stage waits there in the buffer of another one.
            for (auto& direction : pattern.programCopies)
                for (std::size_t stage = 0; stage < direction.size(); ++stage)
                    for (std::size_t to = 0; to < direction.size() && trial % 3 == 0; ++to) {
                        const bool isOn =
                            &direction == pattern.programCopies.data() ? to > stage + 1 : to + 1 < stage;
                        if (isOn && pipeline.ipus[to] != pipeline.ipus[stage] && from(0, 2) == 0)
                            direction[stage].push_back(
                                {core::StageId(to), core::Bytes(1), Cycles(from(10, 900)), from(2, 12)});
                    }
            const auto repeats = core::slotRepeats(pipeline.schedule);
            const auto fast = simulator::unhinderedItems(pipeline, pattern, repeats);
            const auto whole = simulator::unhinderedItems(pipeline, pattern, {});
            QCOMPARE(whole.skipped, std::size_t(0));
            const std::string what =
                fmt::format("trial {}: {} on {} IPUs, {} micro-batches", trial, name, ipus, microBatches);
            QVERIFY2(fast.end == whole.end, what.c_str());
            QVERIFY2(fast.pauses.betweenTakes == whole.pauses.betweenTakes, what.c_str());
            QVERIFY2(fast.pauses.betweenPuts == whole.pauses.betweenPuts, what.c_str());
            skipping[name] += fast.skipped > 0 ? 1 : 0;
            // The same where the host has everything ready.
            if (simulator::hostKeepsUp(pipeline, whole.pauses)) {
                const auto length = simulator::updateLength(pipeline, pattern);
                QVERIFY2(length.total == simulator::unhinderedLength(pipeline, pattern, fast), what.c_str());
                QVERIFY2(length.total == simulator::simulateUpdate(pipeline, pattern).total, what.c_str());
            }
        }
        for (const std::string name : whatIfs)
            QVERIFY2(skipping[name] > 20, fmt::format("{}: {}", name, skipping[name]).c_str());
    }

    void whatRepeatsIsInTheTable() {
        for (const std::string name : whatIfs) {
            const auto schedule = tests::pipelineOf(equalStages(name, 4, 64)).schedule;
            const auto repeats = core::slotRepeats(schedule);
            QVERIFY2(!repeats.empty(), name.c_str());
            std::size_t end = 0;
            for (const core::SlotRepeat& repeat : repeats) {
                QVERIFY(repeat.first >= end && repeat.end() <= schedule.timeSlots.size());
                end = repeat.end();
                for (std::size_t slot = repeat.first; slot + repeat.cycle < end; ++slot) {
                    const auto before = schedule.work(schedule.timeSlots[slot]);
                    const auto after = schedule.work(schedule.timeSlots[slot + repeat.cycle]);
                    QCOMPARE(before.size(), after.size());
                    for (std::size_t i = 0; i < before.size(); ++i) {
                        core::WorkItem moved = before[i];
                        moved.microBatch += static_cast<std::int32_t>(repeat.shift);
                        QVERIFY(moved == after[i]);
                    }
                }
            }
        }
    }

    void workAndIdleFillEveryLane() {
        for (const std::string name : whatIfs) {
            PipelineSpec spec = equalStages(name, 4, 8);
            for (std::size_t stage = 0; stage < spec.stages.size(); ++stage)
                spec.stages[stage].forward += static_cast<std::int64_t>(stage * stage * 211);
            spec.crossingBytes = 50'000;
            spec.infeedBytes = 4000;
            spec.outfeedBytes = 400;
            spec.allReduceCycles = 700;
            const SimulatedUpdate update = simulator::simulate(tests::pipelineOf(spec));
            for (const auto& lane : update.lanes) {
                Cycles now;
                for (const simulator::LaneSegment& segment : lane) {
                    QCOMPARE(segment.start, now);
                    QVERIFY(segment.duration > Cycles(0));
                    QVERIFY(segment.work || segment.blame.isValid());
                    now += segment.duration;
                }
                QCOMPARE(now, update.timing.total);
            }
            QVERIFY(idleOfUpdate(update, IdleCause::Host) > 0);
        }
    }
};

REGISTER_TEST("item_clock", ItemClockTest)
#include "item_clock_test.moc"
