#include "simulator/engine/clock/timeline.h"

#include "core/plan/recomputation.h"
#include "tests/simulator/engine/pipeline_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <random>

using core::Cycles;
using core::IdleCause;
using simulator::CompiledPipeline;
using simulator::SimulatedUpdate;
using tests::PipelineSpec;

namespace {

std::vector<tests::StageCycles> equalStages(std::size_t count, std::int64_t recompute = 0) {
    return std::vector<tests::StageCycles>(count, {1000, 2000, recompute, 0});
}

PipelineSpec randomSpec(std::mt19937& engine) {
    const auto random = [&]() { return static_cast<std::int64_t>(engine()); };
    PipelineSpec spec;
    spec.kind = std::array{"Grouped", "Interleaved", "Sequential"}[static_cast<std::size_t>(random() % 3)];
    spec.training = random() % 3 != 0;
    const bool recomputes = spec.training && spec.kind != "Sequential" && random() % 2 == 0;
    const auto stages = static_cast<std::size_t>(2 + random() % 4);
    for (std::size_t stage = 0; stage < stages; ++stage)
        spec.stages.push_back({1 + random() % 5000, 1 + random() % 9000,
                               recomputes && stage + 1 < stages ? 1 + random() % 4000 : 0, random() % 3000});
    if (random() % 3 == 0 && !(spec.training && spec.kind == "Interleaved"))
        for (std::size_t stage = 0; stage < stages; ++stage)
            spec.ipus.push_back(static_cast<std::size_t>(random() % 3));
    core::PipelineShape shape;
    shape.stages = stages;
    shape.training = spec.training;
    for (const std::size_t ipu : spec.ipus)
        shape.deviceMapping.emplace_back(ipu);
    const std::int64_t overlap = core::scheduleDefinition(spec.kind).multipleOf(shape);
    spec.microBatches = overlap * (2 + random() % 3);
    spec.crossingBytes = random() % 2 == 0 ? 0 : random() % 1'000'000;
    spec.infeedBytes = random() % 2 == 0 ? 0 : random() % 2'000'000;
    spec.outfeedBytes = random() % 2 == 0 ? 0 : random() % 1000;
    spec.allReduceCycles = spec.training && random() % 2 == 0 ? random() % 9000 : 0;
    spec.prefetchDepth = random() % 4;
    spec.overlapsHostIo = spec.kind == "Grouped" && random() % 2 == 0;
    return spec;
}

std::int64_t idleOf(const SimulatedUpdate& update, IdleCause cause) {
    std::int64_t sum = 0;
    for (const simulator::LaneSums& sums : update.sums)
        sum += sums.idle[static_cast<std::size_t>(cause)].value();
    return sum;
}

std::int64_t stepOf(const PipelineSpec& spec) {
    return simulator::simulate(tests::pipelineOf(spec)).timing.total.value();
}

} // namespace

class UpdateTimingTest : public QObject {
    Q_OBJECT

private slots:
    void groupedStepsOfEqualStagesFollowTheClosedForm() {
        // S slots with nothing but forward work, S with nothing but backward work, full ones between.
        for (std::size_t stages = 2; stages <= 5; ++stages) {
            const auto count = static_cast<std::int64_t>(4 * stages);
            const auto s = static_cast<std::int64_t>(stages);
            const std::int64_t expected = s * 1000 + (count - 1) * 3000 + s * 2000;
            QCOMPARE(stepOf({.microBatches = count, .stages = equalStages(stages)}), expected);
        }
    }

    void interleavedAlternatesTheSlowerOfForwardAndBackward() {
        // S=2, N=4: slots F | F | F·B | F·B … : only the first two and the last slots have no backward
        // beside.
        const SimulatedUpdate update = simulator::simulate(
            tests::pipelineOf({.kind = "Interleaved", .microBatches = 4, .stages = equalStages(2)}));
        std::vector<std::int64_t> lengths;
        for (const simulator::SlotTiming& slot : update.timing.timeSlots)
            lengths.push_back((slot.end - slot.start).value());
        QCOMPARE(lengths, (std::vector<std::int64_t>{1000, 1000, 2000, 2000, 2000, 2000, 2000, 2000, 2000,
                                                     2000, 0, 0}));
    }

    void sequentialIsThePlainSum() {
        const PipelineSpec spec{.kind = "Sequential", .microBatches = 3, .stages = equalStages(4)};
        QCOMPARE(stepOf(spec), std::int64_t(3 * 4 * 3000));
        const SimulatedUpdate update = simulator::simulate(tests::pipelineOf(spec));
        QCOMPARE(idleOf(update, IdleCause::Serial), std::int64_t(3 * 3 * 4 * 3000));
    }

    void idleTimeOfEqualStagesIsAllWarmUpAndDrain() {
        for (const std::string kind : {"Grouped", "Interleaved"}) {
            const SimulatedUpdate update = simulator::simulate(
                tests::pipelineOf({.kind = kind,
                                   .microBatches = 16,
                                   .stages = std::vector<tests::StageCycles>(4, {1500, 1500, 0, 0})}));
            std::int64_t all = 0;
            for (const simulator::LaneSums& sums : update.sums)
                all += sums.idleTotal().value();
            QCOMPARE(idleOf(update, IdleCause::WarmUp) + idleOf(update, IdleCause::Drain), all);
            // Busy: 16 micro-batches of 3000 cycles on each IPU.
            QCOMPARE(all, 4 * (update.timing.total.value() - 16 * 3000));
        }
    }

    void aSlowerStageMakesTheOthersWaitAndIsBlamed() {
        auto stages = equalStages(3);
        stages[1] = {3000, 6000, 0, 0};
        const SimulatedUpdate update =
            simulator::simulate(tests::pipelineOf({.microBatches = 12, .stages = stages}));
        QVERIFY(idleOf(update, IdleCause::Imbalance) > 0);
        for (const auto& lane : update.lanes)
            for (const simulator::LaneSegment& segment : lane)
                if (!segment.work && segment.cause == IdleCause::Imbalance)
                    QCOMPARE(segment.blame, core::StageId(1));
    }

    void exchangeAndSyncFollowEverySlotAndAreTransferTime() {
        const PipelineSpec quiet{.microBatches = 4, .stages = equalStages(2)};
        PipelineSpec crossing = quiet;
        crossing.crossingBytes = 1'000'000;
        const CompiledPipeline pipeline = tests::pipelineOf(crossing);
        const SimulatedUpdate update = simulator::simulate(pipeline);
        // Two IPUs of a pair: four links of 16 GB/s at 0.85, one hop of 15 ns; 600 cycles of sync twice.
        const auto& target = pipeline.system.target;
        const std::int64_t copy =
            target
                .cyclesIn(1e6 / (4 * target.linkBytesPerSecond * target.linkEfficiency) +
                          target.syncSecondsPerHop)
                .value();
        QCOMPARE(update.timing.total.value(), stepOf(quiet) + 8 * (copy + 2 * target.globalSyncCycles));
    }

    void recomputationStandsBesideTheStagePrograms() {
        const std::int64_t without = stepOf({.microBatches = 8, .stages = equalStages(2)});
        auto stages = equalStages(2);
        stages[0].recompute = 1000;
        // Stage 0 recomputes in all 8 slots before its backward passes; in 6 of them it is the slower one.
        QVERIFY(stepOf({.microBatches = 8, .stages = stages}) > without);
    }

    void hostTimeIsExposedUnlessPrefetchedAndOverlapped() {
        PipelineSpec spec{
            .microBatches = 8, .stages = equalStages(2), .infeedBytes = 4000, .prefetchDepth = 0};
        const std::int64_t synchronous = stepOf(spec);
        spec.prefetchDepth = 8;
        const std::int64_t prefetched = stepOf(spec);
        QVERIFY(prefetched < synchronous);
        spec.stages = std::vector<tests::StageCycles>(2, {100'000, 200'000, 0, 0});
        spec.infeedBytes = 400'000;
        const SimulatedUpdate exposed = simulator::simulate(tests::pipelineOf(spec));
        spec.overlapsHostIo = true;
        const SimulatedUpdate hidden = simulator::simulate(tests::pipelineOf(spec));
        QVERIFY(idleOf(exposed, IdleCause::Host) > idleOf(hidden, IdleCause::Host));
    }

    void aHostThatIsTooSlowSetsThePace() {
        PipelineSpec spec{.microBatches = 8, .stages = equalStages(2), .infeedBytes = 100'000'000};
        const SimulatedUpdate update = simulator::simulate(tests::pipelineOf(spec));
        const auto& target = tests::pipelineOf(spec).system.target;
        const double perBatch = 1e8 / target.hostBytesPerSecond * target.clockHz;
        QVERIFY(static_cast<double>(update.timing.total.value()) >= 8 * perBatch);
        QVERIFY(ratio(update.timing.exposedHost, update.timing.total) > 0.9);
    }

    void workAndIdleFillTheUpdateExactlyOnEveryIpu() {
        std::mt19937 random(17);
        for (int round = 0; round < 300; ++round) {
            const CompiledPipeline pipeline = tests::pipelineOf(randomSpec(random));
            const SimulatedUpdate update = simulator::simulate(pipeline);
            for (const auto& lane : update.lanes) {
                Cycles now;
                for (const simulator::LaneSegment& segment : lane) {
                    QCOMPARE(segment.start, now);
                    QVERIFY(segment.duration.value() > 0);
                    QVERIFY(segment.work || segment.blame.isValid());
                    now += segment.duration;
                }
                QCOMPARE(now, update.timing.total);
            }
        }
    }

    void everyIpuWorksWhatItsStagesTake() {
        std::mt19937 random(19);
        for (int round = 0; round < 100; ++round) {
            const PipelineSpec spec = randomSpec(random);
            const CompiledPipeline pipeline = tests::pipelineOf(spec);
            const SimulatedUpdate update = simulator::simulate(pipeline);
            std::vector<std::int64_t> expected(pipeline.ipuCount(), 0);
            for (std::size_t stage = 0; stage < spec.stages.size(); ++stage) {
                const simulator::StagePrograms& programs = pipeline.stages[stage];
                const Cycles perMicroBatch =
                    programs.forward.total() + programs.backward.total() + programs.recompute.total();
                expected[pipeline.ipus[stage].index()] +=
                    (perMicroBatch * spec.microBatches + programs.weightUpdate.total()).value();
            }
            for (std::size_t ipu = 0; ipu < expected.size(); ++ipu)
                QCOMPARE(update.sums[ipu].busy.value(), expected[ipu]);
        }
    }

    void bytesSentAreBytesReceived() {
        std::mt19937 random(23);
        for (int round = 0; round < 50; ++round) {
            const simulator::SlotPattern pattern =
                simulator::slotPattern(tests::pipelineOf(randomSpec(random)));
            for (const simulator::SlotKind& kind : pattern.kinds) {
                core::Bytes difference;
                for (std::size_t ipu = 0; ipu < kind.exchange.sent.size(); ++ipu)
                    difference += kind.exchange.sent[ipu] - kind.exchange.received[ipu];
                QCOMPARE(difference.value(), std::int64_t(0));
            }
        }
    }

    void moreBandwidthNeverSlowsAProgram() {
        std::mt19937 random(29);
        for (int round = 0; round < 100; ++round) {
            CompiledPipeline pipeline = tests::pipelineOf(randomSpec(random));
            const Cycles before = simulator::simulate(pipeline).timing.total;
            auto& target = pipeline.system.target;
            const std::array figures{&target.linkBytesPerSecond, &target.hostBytesPerSecond,
                                     &target.hostSynchronousBytesPerSecond, &target.exchangeBytesPerCycle};
            *figures[random() % figures.size()] *= 1 + static_cast<double>(random() % 100) / 10;
            QVERIFY(simulator::simulate(pipeline).timing.total <= before);
        }
    }

    void aFasterClockNeverSlowsAProgram() {
        std::mt19937 random(37);
        for (int round = 0; round < 100; ++round) {
            CompiledPipeline pipeline = tests::pipelineOf(randomSpec(random));
            auto& target = pipeline.system.target;
            const auto seconds = [&] {
                const SimulatedUpdate update = simulator::simulate(pipeline);
                // Every transfer is rounded up to a cycle.
                const auto rounding = static_cast<std::int64_t>(4 * update.timing.timeSlots.size());
                return std::pair(static_cast<double>(update.timing.total.value() - rounding) / target.clockHz,
                                 static_cast<double>(update.timing.total.value()) / target.clockHz);
            };
            const double before = seconds().second;
            target.clockHz *= 1 + static_cast<double>(random() % 100) / 50;
            QVERIFY(seconds().first <= before);
        }
    }

    void theSameProgramTakesTheSameTime() {
        std::mt19937 random(31);
        const PipelineSpec spec = randomSpec(random);
        QCOMPARE(stepOf(spec), stepOf(spec));
    }

    void benchmarkLargePipeline() {
        const CompiledPipeline pipeline =
            tests::pipelineOf({.microBatches = 256, .stages = equalStages(64), .crossingBytes = 1000});
        QBENCHMARK {
            QVERIFY(simulator::simulateUpdate(pipeline, simulator::slotPattern(pipeline)).total.value() > 0);
        }
    }
};

REGISTER_TEST("update_timing", UpdateTimingTest)
#include "update_timing_test.moc"
