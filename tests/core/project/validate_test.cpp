#include "core/project/validate.h"

#include "core/model/edit/graph_edit.h"
#include "tests/core/project/project_fixture.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <functional>

using core::Project;
using core::RunMode;

namespace {

using Change = std::function<void(Project&)>;

struct Asked {
    RunMode mode = RunMode::Train;
    std::optional<core::DatasetFacts> facts = {};
};

/// Codes of all findings, in order, apart by spaces.
QString codesOf(const Project& project, const Asked& asked = {}) {
    QStringList codes;
    for (const auto& finding : core::validateAll(project, asked.mode, asked.facts, "p").findings)
        codes << QString::fromStdString(finding.code);
    return codes.join(' ');
}

QString codesAfter(const Change& change, const Asked& asked = {},
                   Project project = tests::pipelinedProject()) {
    change(project);
    return codesOf(project, asked);
}

core::DatasetSpec data(core::Json parameters = core::Json::object()) {
    return {"synthetic", std::move(parameters)};
}

} // namespace

class ValidateTest : public QObject {
    Q_OBJECT

private slots:
    void acceptsProjectsThatBreakNoRule() {
        QCOMPARE(codesOf(tests::pipelinedProject()), "");
        QCOMPARE(codesOf(tests::branchedProject()), "");
        QCOMPARE(codesOf(tests::pipelinedProject(), {RunMode::Evaluate}), "");
        QCOMPARE(codesOf(tests::pipelinedProject(), {RunMode::Predict}), "");
    }

    /// Accumulation is a matter of training.
    void aPipelineThatOnlyPredictsAccumulatesNothing() {
        const auto predicts = [](Project& project) {
            project.training.losses.clear();
            project.training.optimizer.reset();
            project.pipeline.gradientAccumulationSteps.reset();
            project.training.dataset = data();
        };
        QCOMPARE(codesAfter(predicts), "warning/no-loss");
        QCOMPARE(codesAfter(predicts, {RunMode::Predict}), "");
    }

    void countsWhatARunNeeds() {
        Project project = tests::pipelinedProject();
        project.system.ipus = 4;
        const auto validated = core::validate(project, RunMode::Train);
        QVERIFY(validated.has_value());
        QCOMPARE(validated->stageCount(), std::size_t{2});
        QCOMPARE(validated->replicas(), std::int64_t{2});
        QCOMPARE(validated->ipusPerReplica(), std::int64_t{2});
        QCOMPARE(validated->microBatches(), std::int64_t{4});
        QCOMPARE(validated->updatesPerExecution(), std::int64_t{2});
        QCOMPARE(validated->effectiveBatch(), std::int64_t{2 * 4 * 2});
        QCOMPARE(validated->graph().invocations.size(), std::size_t{5});
        QVERIFY(validated->stageOf(core::InvocationId(2)) == core::StageId(0));
        QVERIFY(validated->stageOf(core::InvocationId(3)) == core::StageId(1));
        QCOMPARE(core::validate(project, RunMode::Predict)->microBatches(), std::int64_t{8});
    }

    void roundsThreeStagesUpToFourIpus() {
        Project project = tests::pipelinedProject();
        project.assignment = tests::stages({0, 1, 2, 2});
        project.pipeline.gradientAccumulationSteps = 6;
        project.training.stepsPerExecution = 6;
        project.system.ipus = 8;
        const auto validated = core::validate(project, RunMode::Train);
        QVERIFY(validated.has_value());
        QCOMPARE(validated->ipusPerReplica(), std::int64_t{4});
        QCOMPARE(validated->replicas(), std::int64_t{2});
    }

    void countsTheStepsOfADataset() {
        Project project = tests::pipelinedProject();
        project.training.dataset = data();
        const auto validated = core::validate(project, RunMode::Train, core::DatasetFacts{64});
        QVERIFY(validated.has_value());
        QCOMPARE(validated->executionsPerEpoch(), std::int64_t{4});
    }

    void runsAnUnpipelinedModelOnOneIpu() {
        Project project = tests::pipelinedProject();
        project.assignment = {};
        project.pipeline.gradientAccumulationSteps.reset();
        project.training.stepsPerExecution = 3;
        const auto validated = core::validate(project, RunMode::Train);
        QVERIFY(validated.has_value());
        QCOMPARE(validated->stageCount(), std::size_t{1});
        QCOMPARE(validated->replicas(), std::int64_t{2});
        QCOMPARE(validated->microBatches(), std::int64_t{1});
        QCOMPARE(validated->updatesPerExecution(), std::int64_t{3});
    }

    void refusesStages() {
        const auto with = [](std::initializer_list<std::size_t> numbers) {
            return codesAfter([&](Project& project) { project.assignment = tests::stages(numbers); });
        };
        QCOMPARE(with({1, 1, 1, 1}).section(' ', 0, 0), "value-error/first-stage");
        QCOMPARE(with({0, 0, 2, 2}),
                 "value-error/stage-step value-error/too-few-ipus runtime-error/empty-stage");
        QCOMPARE(with({0, 1, 0, 1}), "value-error/stage-step");
        QCOMPARE(with({0, 0, 1}).section(' ', 0, 0), "value-error/stage-count");
        QCOMPARE(with({0, 0, 0, 0}), "value-error/pipeline-stages");
        QCOMPARE(codesAfter([](Project& project) { project.assignment.stages[1] = core::StageId(); }),
                 "value-error/stage-unset");
    }

    void asksFunctionalModelsOnlyForTheOrderOfTheirData() {
        Project project = tests::branchedProject();
        project.assignment = tests::stages({0, 1, 1, 1});
        QCOMPARE(codesOf(project), "");
        project.assignment = tests::stages({1, 0, 1, 1});
        QCOMPARE(codesOf(project), "");
        project.assignment = tests::stages({1, 0, 0, 1});
        const auto findings = core::validateAll(project, RunMode::Train).findings;
        QCOMPARE(findings.size(), std::size_t{1});
        QCOMPARE(findings[0].code, std::string("value-error/stage-order"));
        QCOMPARE(findings[0].location.place, std::string("add"));
        QVERIFY(findings[0].message.find("output of a on the later stage 1") != std::string::npos);
    }

    void warnsOfMovingStatisticsInAPipeline() {
        Project project = tests::pipelinedProject();
        project.model = core::sequentialModel("m", {8},
                                              {{"Dense", "a", tests::dense()},
                                               {"BatchNormalization", "norm", {}},
                                               {"Dense", "c", tests::dense()},
                                               {"Dense", "d", tests::dense()}});
        QCOMPARE(codesOf(project), "warning/batch-normalization-momentum");
        project.model.layers[2].config["momentum"] = 1.0;
        QCOMPARE(codesOf(project), "");
    }

    void refusesDevices() {
        const auto after = [](const Change& change) { return codesAfter(change); };
        QCOMPARE(after([](Project& p) { p.system.ipus = 1; }), "value-error/too-few-ipus");
        QCOMPARE(after([](Project& p) { p.replicas = 2; }), "value-error/too-few-ipus");
        QCOMPARE(after([](Project& p) { p.system.ipus = 3; }), "internal-error/ipus-not-divisible");
        QCOMPARE(after([](Project& p) { p.ipuConfig.values["auto_select_ipus"] = 3; }).section(' ', 0, 0),
                 "failed-precondition/no-device");
        QCOMPARE(after([](Project& p) {
                     p.ipuConfig.values["auto_select_ipus"] = 2;
                     p.ipuConfig.values["select_ipus"] = 2;
                 }),
                 "exception/selection-conflict");
        QCOMPARE(after([](Project& p) {
                     p.ipuConfig.values["select_ipus"] = core::Json{2, 2};
                 }),
                 "value-error/duplicate-device");
        QCOMPARE(after([](Project& p) { p.ipuConfig.values["select_ipus"] = 9; }),
                 "failed-precondition/no-device");
        QCOMPARE(after([](Project& p) { p.ipuConfig.values["device_connection.type"] = "NEVER"; }),
                 "value-error/connection-version");
    }

    void takesTheDeviceThatIsSelected() {
        Project project = tests::pipelinedProject();
        project.system.ipus = 16;
        project.ipuConfig.values["select_ipus"] = 24; // a group of four
        QCOMPARE(core::validate(project, RunMode::Train)->replicas(), std::int64_t{2});
        project.ipuConfig.values = {{"auto_select_ipus", core::Json(8)}};
        QCOMPARE(core::validate(project, RunMode::Train)->replicas(), std::int64_t{4});
    }

    void refusesSteps() {
        const auto after = [](const Change& change, std::int64_t samples = 64) {
            return codesAfter(
                [&](Project& project) {
                    project.training.dataset = data();
                    change(project);
                },
                {RunMode::Train, core::DatasetFacts{samples}});
        };
        QCOMPARE(after([](Project&) {}), "");
        QCOMPARE(after(
                     [](Project& p) {
                         p.training.dataset = data({{"drop_remainder", false}});
                     },
                     65),
                 "value-error/partial-batch");
        QCOMPARE(after([](Project& p) {
                     p.training.dataset = data({{"repeat", true}});
                 }),
                 "value-error/unknown-steps");
        QCOMPARE(after([](Project& p) {
                     p.training.dataset = data({{"repeat", false}});
                     p.training.stepsPerEpoch = 64;
                 }),
                 "value-error/too-little-data");
        QCOMPARE(after([](Project& p) { p.training.stepsPerExecution = 12; }),
                 "value-error/steps-per-execution");
        QCOMPARE(after([](Project& p) { p.training.batchSize = 128; }), "value-error/no-steps");
        QCOMPARE(after([](Project& p) { p.training.stepsPerExecution = 64; }), "warning/steps-per-execution");
        QCOMPARE(after([](Project& p) { p.system.ipus = 4; }, 66), "warning/left-over-steps");
    }

    void refusesGradientAccumulation() {
        QCOMPARE(codesAfter([](Project& p) { p.pipeline.gradientAccumulationSteps.reset(); }),
                 "value-error/gradient-accumulation-unset");
        QCOMPARE(
            codesAfter([](Project& p) { p.pipeline.gradientAccumulationSteps.reset(); }, {RunMode::Evaluate}),
            "");
        QCOMPARE(codesAfter([](Project& p) { p.training.stepsPerExecution = 6; }),
                 "runtime-error/steps-per-execution");
        QCOMPARE(codesAfter([](Project& p) {
                     p.pipeline.gradientAccumulationSteps = 6;
                     p.training.stepsPerExecution = 6;
                 }),
                 "failed-precondition/micro-batch-multiple");
        QCOMPARE(codesAfter([](Project& p) { p.training.stepsPerExecution = 7; }, {RunMode::Predict}),
                 "failed-precondition/micro-batch-multiple");
        QCOMPARE(codesAfter([](Project& p) { p.ipuConfig.values["io_tiles.num_io_tiles"] = 32; }),
                 "failed-precondition/micro-batch-minimum");
    }

    void refusesPipelineOptions() {
        const auto after = [](const Change& change, RunMode mode = RunMode::Train) {
            return codesAfter(change, {mode});
        };
        QCOMPARE(after([](Project& p) { p.deviceMapping = tests::mapping({0}); }),
                 "value-error/device-mapping-length");
        QCOMPARE(after([](Project& p) {
                     p.pipeline.schedule = "Interleaved";
                     p.deviceMapping = tests::mapping({0, 0});
                 }).section(' ', 0, 0),
                 "not-implemented/interleaved-repeated-device");
        QCOMPARE(after([](Project& p) { p.pipeline.batchSerializationIterations = 2; }),
                 "not-implemented/batch-serialization-schedule");
        QCOMPARE(after([](Project& p) {
                     p.pipeline.batchSerializationIterations = 2;
                     p.pipeline.schedule = "Sequential";
                     p.pipeline.reductionMethod = core::ReductionMethod::Mean;
                     p.deviceMapping = tests::mapping({0, 1});
                 }),
                 "value-error/batch-serialization-reduction not-implemented/batch-serialization-devices");
        QCOMPARE(after([](Project& p) { p.pipeline.continuousWeightUpdates = true; }),
                 "not-implemented/continuous-weight-updates");
        QCOMPARE(after([](Project& p) { p.pipeline.forwardStagesPoplarOptions.resize(3); }),
                 "value-error/stage-options-length");
        QCOMPARE(after([](Project& p) { p.pipeline.outfeedLoss = true; }, RunMode::Predict),
                 "value-error/outfeed-without-optimizer");
        QCOMPARE(after([](Project& p) {
                     p.pipeline.outfeedLoss = true;
                     p.pipeline.outfeedMask = std::vector<bool>{true};
                 }),
                 "value-error/outfeed-conflict");
        QCOMPARE(after([](Project& p) { p.pipeline.repeatCount = 3; }), "value-error/repeat-count");
        QCOMPARE(after([](Project& p) {
                     p.pipeline.schedule = "Sequential";
                     p.pipeline.recomputationMode = core::RecomputationMode::RecomputeThenBackpropagate;
                 }),
                 "unimplemented/recomputation-mode");
    }

    void refusesOffloadingWithoutRemoteMemory() {
        const auto after = [](const Change& change, RunMode mode = RunMode::Train) {
            return codesAfter(
                [&](Project& project) {
                    project.system.remoteMemory = false;
                    change(project);
                },
                {mode});
        };
        const QString refused = "failed-precondition/remote-memory";
        QCOMPARE(after([](Project& p) { p.pipeline.offloadActivations = true; }, RunMode::Evaluate), refused);
        QCOMPARE(after([](Project& p) { p.pipeline.offloadGradientAccumulationBuffers = true; }), refused);
        QCOMPARE(after([](Project& p) { p.pipeline.offloadWeights = true; }), refused);
        QCOMPARE(after([](Project& p) { p.pipeline.replicatedWeightSharding = true; }), refused);
        QCOMPARE(after([](Project& p) { p.pipeline.offloadWeightUpdateVariables = true; }), "");
        QCOMPARE(after([](Project& p) {
                     p.pipeline.offloadWeightUpdateVariables = true;
                     p.training.optimizer = core::KerasObject{"Adam", core::Json::object()};
                 }),
                 refused);
        QCOMPARE(after([](Project& p) {
                     p.pipeline.offloadActivations = true;
                     p.pipeline.schedule = "Sequential";
                 }),
                 "");
        QCOMPARE(codesAfter([](Project& p) {
                     p.pipeline.offloadActivations = true;
                     p.ipuConfig.values["device_connection.type"] = "ON_DEMAND";
                 }),
                 refused);
        QCOMPARE(codesAfter([](Project& p) {
                     p.pipeline.replicatedWeightSharding = true;
                     p.pipeline.offloadWeights = false;
                 }),
                 "unimplemented/weight-sharding");
        QCOMPARE(codesAfter([](Project& p) {
                     p.pipeline.replicatedOptimizerStateSharding = true;
                     p.pipeline.offloadWeightUpdateVariables = false;
                 }),
                 "value-error/optimizer-state-sharding");
    }

    void letsStagesShareWeightsOnlyOnOneIpu() {
        Project project = tests::sharedLayerProject();
        QCOMPARE(codesOf(project), "unimplemented/shared-variable");
        project.deviceMapping = tests::mapping({1, 1});
        QCOMPARE(codesOf(project), "");
    }

    void refusesLayersItDoesNotKnow() {
        Project project = tests::pipelinedProject();
        project.model.layers[2].className = "Mystery";
        QVERIFY(codesOf(project).contains("not-implemented/opaque-layer"));
        project.opaqueLayers["b"] = {core::Shape{std::nullopt, 4}, 10, 100};
        QCOMPARE(codesOf(project), "");
        project.opaqueLayers["gone"] = {};
        QCOMPARE(codesOf(project), "warning/unused-opaque-layer");
    }

    void saysOfAJoinThatItReadsOneTensor() {
        Project project = tests::pipelinedProject();
        const std::vector<core::TensorRef> last = project.model.outputs;
        project.model = core::addLayer(project.model, {"Add", "sum", core::Json::object()}, last).value();
        project.assignment.stages.push_back(project.assignment.stages.back());
        QCOMPARE(codesOf(project), "warning/nothing-to-join");
        project.model = core::addLayer(core::removeLayers(project.model, {*project.model.findLayer("sum")},
                                                          core::Reconnect::Yes)
                                           .value(),
                                       {"Add", "sum", core::Json::object()}, {last.front(), last.front()})
                            .value();
        QCOMPARE(codesOf(project), "");
    }

    void needsALossToTrainOnData() {
        QCOMPARE(codesAfter([](Project& p) { p.training.losses.clear(); }), "warning/no-loss");
        QCOMPARE(codesAfter([](Project& p) { p.training.losses.clear(); }, {RunMode::Predict}), "");
        QCOMPARE(codesAfter(
                     [](Project& p) {
                         p.training.losses.clear();
                         p.training.optimizer = core::KerasObject{"Adam", core::Json::object()};
                         p.training.dataset = data();
                     },
                     {RunMode::Train, core::DatasetFacts{64}}),
                 "value-error/no-loss");
        QCOMPARE(codesAfter(
                     [](Project& p) { // it only predicts
                         p.training.losses.clear();
                         p.training.optimizer.reset();
                         p.training.dataset = data();
                     },
                     {RunMode::Train, core::DatasetFacts{64}}),
                 "warning/no-loss");
    }

    void collectsAllFindingsInTheOrderOfTheProgrammingSystem() {
        QCOMPARE(codesAfter([](Project& p) {
                     p.assignment = tests::stages({1, 1, 0, 0});
                     p.system.ipus = 1;
                     p.training.stepsPerExecution = 6;
                     p.pipeline.continuousWeightUpdates = true;
                     p.pipeline.replicatedWeightSharding = true;
                     p.pipeline.offloadWeights = false;
                     p.pipeline.gradientAccumulationSteps = 5;
                 }),
                 "value-error/first-stage value-error/stage-step value-error/too-few-ipus "
                 "runtime-error/steps-per-execution not-implemented/continuous-weight-updates "
                 "unimplemented/weight-sharding failed-precondition/micro-batch-multiple");
    }

    void replicaGroupsDivideTheReplicas() {
        const auto codes = [](const char* className, const char* attribute, int size) {
            return codesAfter([&](Project& p) {
                const core::Json config = core::Json::object({{attribute, size}});
                p.model = core::sequentialModel("m", {8},
                                                {{"Dense", "a", tests::dense()}, {className, "c", config}});
                p.assignment = tests::stages({0, 1});
                p.system.ipus = 8;
                p.training.batchSize = 4; // AllToAll splits the batch
            });
        };
        QCOMPARE(codes("CrossReplicaSum", "replica_group_size", 3), "exception/replica-group");
        QCOMPARE(codes("CrossReplicaMean", "replica_group_size", 8), "exception/replica-group");
        QCOMPARE(codes("ReduceScatter", "replication_factor", 3), "exception/replica-group");
        QCOMPARE(codes("AllGather", "replication_factor", 3), "exception/replica-group");
        QCOMPARE(codes("AllGather", "replication_factor", 8), "exception/replica-group");
        QCOMPARE(codes("AllToAll", "number_of_replicas", 2), "exception/replica-group");
        QCOMPARE(codes("CrossReplicaSum", "replica_group_size", 0), "");
        QCOMPARE(codes("CrossReplicaSum", "replica_group_size", 2), "");
        QCOMPARE(codes("ReduceScatter", "replication_factor", 2), "");
        QCOMPARE(codes("AllGather", "replication_factor", 2), "");
        QCOMPARE(codes("AllGather", "replication_factor", 4), "");
        QCOMPARE(codes("AllToAll", "number_of_replicas", 4), "");
    }

    void fusedCellsKnowFiveActivations() {
        const auto codes = [](const char* className, const char* attribute, const char* activation) {
            return codesAfter([&](Project& p) {
                const core::Json config = core::Json::object({{"units", 4}, {attribute, activation}});
                p.model = core::sequentialModel("m", {5, 8},
                                                {{className, "r", config}, {"Dense", "d", tests::dense()}});
                p.assignment = tests::stages({0, 1});
            });
        };
        QCOMPARE(codes("PopnnLSTM", "activation", "elu"), "value-error/fused-activation");
        QCOMPARE(codes("PopnnGRU", "recurrent_activation", "softsign"), "value-error/fused-activation");
        QCOMPARE(codes("PopnnGRU", "recurrent_activation", "relu"), "value-error/fused-activation");
        QCOMPARE(codes("PopnnGRU", "activation", "relu"), "");
        QCOMPARE(codes("PopnnLSTM", "recurrent_activation", "hard_sigmoid"), "");
        QCOMPARE(codes("LSTM", "activation", "softsign"), "");
    }

    void survivesAbsurdNumbers() {
        const QString codes = codesAfter([](Project& p) {
            p.assignment = tests::stages({0, 1, 40000, 65535});
            p.pipeline.schedule = "Interleaved";
            p.training.batchSize = 2147483647;
            p.pipeline.gradientAccumulationSteps = 2147483647;
            p.training.stepsPerExecution = 2147483647;
        });
        QVERIFY(codes.contains("runtime-error/empty-stage"));
        QVERIFY(codes.contains("resource-exhausted/effective-batch"));
        QCOMPARE(codesAfter([](Project& p) { p.training.epochs = 1'000'000; }), "");
        QCOMPARE(codesAfter([](Project& p) { p.training.epochs = 2'147'483'647; }),
                 "resource-exhausted/executions");
    }
};

REGISTER_TEST("validate", ValidateTest)
#include "validate_test.moc"
