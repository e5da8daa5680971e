#include "simulator/engine/clock/step_trials.h"

#include "simulator/engine/clock/timeline.h"
#include "tests/simulator/engine/pipeline_support.h"
#include "tests/simulator/engine/simulated_run.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::PathPart;
using core::SpanKind;
using simulator::StepTrials;
using tests::PipelineSpec;

namespace {

std::string noLayer(core::InvocationId /*of*/) {
    return {};
}

std::int64_t trialStepOf(const PipelineSpec& spec) {
    return simulator::simulate(tests::pipelineOf(spec)).timing.total.value();
}

std::int64_t stepWith(const PipelineSpec& spec, const PathPart& part, double less) {
    const simulator::CompiledPipeline pipeline = tests::pipelineOf(spec);
    StepTrials trials(pipeline, noLayer, less);
    return trials.stepWith(part).value().value();
}

/// Stage 1 takes longest; cycles are multiples of ten, so that a tenth of each is whole.
PipelineSpec unevenSpec(const char* schedule = "Grouped") {
    PipelineSpec spec;
    spec.kind = schedule;
    spec.microBatches = 12;
    spec.stages = {{1000, 2000, 0, 500}, {1800, 3600, 0, 700}, {900, 1700, 0, 300}};
    spec.crossingBytes = 40'000;
    spec.infeedBytes = 20'000;
    spec.outfeedBytes = 4000;
    spec.allReduceCycles = 5000;
    spec.arrivalDepth = 2;
    return spec;
}

} // namespace

class StepTrialsTest : public QObject {
    Q_OBJECT

private slots:
    void withNothingFasterItIsTheStep_data() {
        QTest::addColumn<QString>("schedule");
        for (const char* schedule : {"Grouped", "Interleaved", "Sequential", "1F1B"})
            QTest::newRow(schedule) << schedule;
    }
    void withNothingFasterItIsTheStep() {
        QFETCH(QString, schedule);
        if (core::findSchedule(schedule.toStdString()) == nullptr)
            QSKIP("no such schedule");
        const std::string name = schedule.toStdString();
        const PipelineSpec spec = unevenSpec(name.c_str());
        const simulator::CompiledPipeline pipeline = tests::pipelineOf(spec);
        StepTrials trials(pipeline, noLayer, 0.1);
        QCOMPARE(trials.step().value(), trialStepOf(spec));
        // Trials leave nothing behind.
        const PathPart stage{.what = PathPart::What::Stage, .stage = core::StageId(1)};
        const auto first = trials.stepWith(stage);
        QVERIFY(trials.stepWith({.what = PathPart::What::BetweenStages}).has_value());
        QCOMPARE(trials.stepWith(stage)->value(), first->value());
        QCOMPARE(trials.step().value(), trialStepOf(spec));
    }

    /// The same as a pipeline whose stage was made faster by hand.
    void aStageATenthFasterIsAPipelineOfWhichItIs() {
        for (const char* schedule : {"Grouped", "Interleaved", "Sequential"})
            for (std::size_t stage = 0; stage < 3; ++stage) {
                const PipelineSpec spec = unevenSpec(schedule);
                PipelineSpec faster = spec;
                tests::StageCycles& cycles = faster.stages[stage];
                cycles = {cycles.forward * 9 / 10, cycles.backward * 9 / 10, 0, cycles.update * 9 / 10};
                QCOMPARE(stepWith(spec, {.what = PathPart::What::Stage, .stage = core::StageId(stage)}, 0.1),
                         trialStepOf(faster));
            }
    }

    void aPhaseHalfAsLongIsAPipelineOfWhichItIs() {
        const PipelineSpec spec = unevenSpec();
        PipelineSpec faster = spec;
        for (tests::StageCycles& stage : faster.stages)
            stage.backward /= 2;
        QCOMPARE(stepWith(spec, {.kind = SpanKind::Backward}, 0.5), trialStepOf(faster));
        faster = spec;
        faster.allReduceCycles /= 2;
        QCOMPARE(stepWith(spec, {.kind = SpanKind::AllReduce}, 0.5), trialStepOf(faster));
    }

    /// A stage that others wait for shortens every slot, one that waits shortens none.
    void onlyWhatSetsTheSlotGainsEverySlot() {
        PipelineSpec spec = unevenSpec();
        spec.crossingBytes = spec.infeedBytes = spec.outfeedBytes = 0;
        spec.allReduceCycles = 0;
        const std::int64_t step = trialStepOf(spec);
        const std::int64_t slowest =
            stepWith(spec, {.what = PathPart::What::Stage, .stage = core::StageId(1)}, 0.1);
        const std::int64_t other =
            stepWith(spec, {.what = PathPart::What::Stage, .stage = core::StageId(2)}, 0.1);
        // Full slots of forward and backward alone: a tenth of 5400 cycles each.
        QVERIFY(step - slowest >= (spec.microBatches - 1) * 540);
        // It works longest only where ramps leave the others out.
        QVERIFY(5 * (step - other) < step - slowest);
    }

    void waitsAndWhatIsOfNoLayerCannotBeFaster() {
        const simulator::CompiledPipeline pipeline = tests::pipelineOf(unevenSpec());
        StepTrials trials(pipeline, noLayer, 0.1);
        QVERIFY(!trials.stepWith({.what = PathPart::What::Wait}));
        QVERIFY(!trials.stepWith({.what = PathPart::What::Rest}));
        QVERIFY(!trials.stepWith({.what = PathPart::What::Layer, .stage = core::StageId(0), .layer = "no"}));
        QVERIFY(!trials.stepWith({.what = PathPart::What::Stage, .stage = core::StageId(7)}));
    }

    /// Layers of a stage together save what the stage does, but for what is of no layer.
    void theLayersOfAModelHaveStepsOfTheirOwn() {
        core::Project project = tests::denseProject({64, 128, 32, 10}, 2);
        const tests::SimulatedRun run = tests::simulatedRun(project);
        StepTrials trials(
            run.executable,
            [&](core::InvocationId of) {
                return of.isValid() ? run.executable.project.graph().layerOf(of).path : std::string();
            },
            0.1);
        QCOMPARE(trials.step().value(), run.summary.step.value());
        std::size_t faster = 0;
        for (const core::OperationRecord& operation : run.profile.operations()) {
            if (operation.layer.empty() || !operation.stage.isValid())
                continue;
            const auto step = trials.stepWith(
                {.what = PathPart::What::Layer, .stage = operation.stage, .layer = operation.layer});
            QVERIFY2(step.has_value(), operation.layer.str().c_str());
            QVERIFY(*step <= trials.step());
            faster += *step < trials.step() ? 1 : 0;
        }
        QVERIFY(faster > 0);
    }
};

REGISTER_TEST("step_trials", StepTrialsTest)
#include "step_trials_test.moc"
