#include "core/base/file.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "simulator/data/files/npy_array.h"
#include "simulator/engine/run.h"
#include "tests/simulator/training_support.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QTest>
#include <cmath>

using tests::skippingProject;
using tests::Trained;

namespace {

// Calls in post-order: d0 bn drop d1 square flat d2 add join out.
const std::vector<std::size_t> cutInTwo{0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
const std::vector<std::size_t> cutInFour{0, 0, 1, 1, 2, 2, 2, 3, 3, 3};

/// Largest difference relative to the largest value.
double difference(const std::vector<float>& a, const std::vector<float>& b) {
    if (a.size() != b.size())
        return 1e9;
    double worst = 0;
    double largest = 1e-30;
    for (std::size_t i = 0; i < a.size(); ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(a[i]) - b[i]));
        largest = std::max(largest, std::abs(static_cast<double>(a[i])));
    }
    return worst / largest;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double worst = a.size() == b.size() ? 0 : 1e9;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        worst = std::max(worst, std::abs(a[i] - b[i]) / std::max(1e-30, std::abs(a[i])));
    return worst;
}

double difference(const Trained& a, const Trained& b) {
    double worst = difference(a.series("loss"), b.series("loss"));
    for (const auto& [name, values] : a.weights)
        worst = std::max(worst, difference(values, b.weights.at(name)));
    return worst;
}

/// Trains; a refusal fails the test with its text.
Trained trainedOn(const core::Project& project, unsigned threads = 1) {
    auto result = tests::train(project, threads);
    if (!result) {
        qWarning("%s", core::toText(result.error().front()).c_str());
        return {};
    }
    return *result;
}

core::Project unpipelined() {
    return skippingProject({});
}

std::uint32_t mixed(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}
std::uint32_t drawn(std::uint32_t seed, std::uint32_t index) {
    return mixed(seed * 0x9E3779B9U + index + 1);
}

} // namespace

class TrainingTest : public QObject {
    Q_OBJECT

private slots:
    void aPipelineTrainsLikeTheModelWithoutStages_data() {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<bool>("recompute");
        QTest::addColumn<int>("stages");
        QTest::addColumn<QString>("option");
        for (const std::string_view schedule : core::scheduleNames())
            for (const bool recompute : {false, true})
                for (const int stages : {2, 4})
                    for (const char* option : {"", "offload", "mean", "running mean"})
                        QTest::addRow("%s%s %d stages %s", std::string(schedule).c_str(),
                                      recompute ? " recompute" : "", stages, option)
                            << QString::fromStdString(std::string(schedule)) << recompute << stages
                            << QString(option);
    }
    void aPipelineTrainsLikeTheModelWithoutStages() {
        QFETCH(QString, schedule);
        QFETCH(bool, recompute);
        QFETCH(int, stages);
        QFETCH(QString, option);
        core::Project whole = unpipelined();
        if (option == "mean")
            whole.pipeline.reductionMethod = core::ReductionMethod::Mean;
        if (option == "running mean")
            whole.pipeline.reductionMethod = core::ReductionMethod::RunningMean;
        core::Project split = skippingProject(stages == 2 ? cutInTwo : cutInFour);
        split.pipeline.reductionMethod = whole.pipeline.reductionMethod;
        split.pipeline.schedule = schedule.toStdString();
        if (core::scheduleDefinition(split.pipeline.schedule).brokenRule != nullptr) {
            // Stages of which an IPU holds several.
            if (stages == 2)
                return;
            split.deviceMapping.ipus = {core::IpuId(0), core::IpuId(1), core::IpuId(0), core::IpuId(1)};
        }
        split.ipuConfig.values["allow_recompute"] = recompute;
        if (option == "offload") {
            split.pipeline.offloadActivations = true;
            split.pipeline.offloadWeights = true;
            split.pipeline.offloadGradientAccumulationBuffers = true;
            split.pipeline.offloadWeightUpdateVariables = true;
        }
        const Trained expected = trainedOn(whole);
        const Trained result = trainedOn(split);
        QCOMPARE(expected.series("loss").size(), std::size_t(3));
        QCOMPARE(result.series("accuracy").size(), std::size_t(3));
        // Additions happen in the same order, so nothing differs.
        QCOMPARE(difference(expected, result), 0.0);
    }

    void recomputationInsideTheBackwardPassChangesNothing() {
        core::Project split = skippingProject(cutInFour);
        split.ipuConfig.values["allow_recompute"] = true;
        split.pipeline.recomputationMode = core::RecomputationMode::RecomputeAndBackpropagateInterleaved;
        QCOMPARE(difference(trainedOn(unpipelined()), trainedOn(split)), 0.0);
    }

    void stagesMayShareIpus() {
        core::Project split = skippingProject(cutInFour);
        split.deviceMapping.ipus = {core::IpuId(0), core::IpuId(1), core::IpuId(0), core::IpuId(0)};
        split.system.ipus = 2;
        for (const std::string kind : {"Grouped", "Sequential"}) {
            split.pipeline.schedule = kind;
            QCOMPARE(difference(trainedOn(unpipelined()), trainedOn(split)), 0.0);
        }
    }

    void replicasTrainLikeOneWithTheirWholeBatch() {
        core::Project whole = tests::denseProject({24, 16, 8}, 1);
        whole.training.dataset = core::DatasetSpec{"synthetic", {{"samples", 64}}};
        whole.training.batchSize = 4;
        whole.training.stepsPerExecution = 16;
        whole.training.stepsPerEpoch = 32;
        whole.training.optimizer = core::KerasObject{"SGD", {{"learning_rate", 0.01}, {"momentum", 0.9}}};
        whole.replicas = 1;
        core::Project both = tests::denseProject({24, 16, 8}, 2);
        both.training = whole.training;
        both.training.stepsPerExecution = 8;
        both.pipeline.gradientAccumulationSteps = 8;
        both.system.ipus = 4;
        both.replicas = 2;
        const Trained expected = trainedOn(whole);
        const Trained result = trainedOn(both);
        QCOMPARE(result.series("loss").size(), expected.series("loss").size());
        QVERIFY2(difference(expected, result) < 1e-5, std::to_string(difference(expected, result)).c_str());
        QVERIFY(expected.series("loss").back() < expected.series("loss").front());
    }

    void aSerialisedBatchIsALargerBatch() {
        core::Project whole = unpipelined();
        core::Project split = skippingProject(cutInTwo);
        split.pipeline.schedule = "Sequential";
        split.pipeline.batchSerializationIterations = 4;
        split.pipeline.gradientAccumulationSteps = 2;
        split.training.stepsPerExecution = 2;
        split.training.stepsPerEpoch = 6;
        split.system.ipus = 1;
        const auto result = tests::train(split);
        QVERIFY2(result.has_value(), result ? "" : core::toText(result.error().front()).c_str());
        QCOMPARE(difference(trainedOn(whole), *result), 0.0);
    }

    void twoThreadsGiveTheBytesOfOne() {
        const core::Project project = skippingProject(cutInFour);
        QCOMPARE(difference(trainedOn(project, 1), trainedOn(project, 2)), 0.0);
    }

    void anotherSeedGivesAnotherRun() {
        core::Project project = skippingProject(cutInTwo);
        const Trained first = trainedOn(project);
        project.training.seed = 8;
        QVERIFY(difference(first, trainedOn(project)) > 1e-3);
    }

    void evaluationIsOneValueAndPredictionNone() {
        core::Project project = skippingProject(cutInTwo);
        project.training.stepsPerExecution = 4;
        const auto evaluated = tests::train(project, 1, {}, core::RunMode::Evaluate);
        QVERIFY2(evaluated.has_value(), evaluated ? "" : core::toText(evaluated.error().front()).c_str());
        QCOMPARE(evaluated->series("loss").size(), std::size_t(1));
        QCOMPARE(evaluated->series("accuracy").size(), std::size_t(1));
        const auto predicted = tests::train(project, 1, {}, core::RunMode::Predict);
        QVERIFY2(predicted.has_value(), predicted ? "" : core::toText(predicted.error().front()).c_str());
        QVERIFY(predicted->metrics.empty());
    }

    void aPipelineEvaluatesLikeTheModelWithoutStages() {
        for (const std::string kind : {"Grouped", "Interleaved", "Sequential"}) {
            core::Project whole = unpipelined();
            core::Project split = skippingProject(cutInFour);
            split.pipeline.schedule = kind;
            const auto expected = tests::train(whole, 1, {}, core::RunMode::Evaluate);
            const auto result = tests::train(split, 1, {}, core::RunMode::Evaluate);
            QVERIFY(expected && result);
            QCOMPARE(result->series("loss"), expected->series("loss"));
        }
    }

    void validationIsOneValuePerEpoch() {
        core::Project project = skippingProject(cutInTwo);
        project.training.epochs = 2;
        project.training.stepsPerEpoch = 16;
        project.training.validationSplit = 0.25;
        const Trained result = trainedOn(project);
        QCOMPARE(result.series("loss").size(), std::size_t(4));
        QCOMPARE(result.series("val_loss").size(), std::size_t(2));
        QCOMPARE(result.series("val_accuracy").size(), std::size_t(2));
        QVERIFY(result.series("val_loss")[0] != result.series("val_loss")[1]);
    }

    void onlyEveryNthEpochIsValidated() {
        core::Project project = skippingProject(cutInTwo);
        project.training.epochs = 5;
        project.training.stepsPerEpoch = 16;
        project.training.validationSplit = 0.25;
        const Trained each = trainedOn(project);
        project.training.validationFrequency = 2;
        const Trained second = trainedOn(project);
        QCOMPARE(second.series("loss"), each.series("loss"));
        const auto all = each.series("val_loss");
        QCOMPARE(all.size(), std::size_t(5));
        QVERIFY(second.series("val_loss") == (std::vector{all[1], all[3]}));
        project.training.validationFrequency = 6;
        QVERIFY(trainedOn(project).series("val_loss").empty());
    }

    void aValidationOfSoManyStepsMeasuresThem() {
        core::Project project = skippingProject(cutInTwo);
        project.training.stepsPerEpoch = 16;
        project.training.validationSplit = 0.25;
        const Trained whole = trainedOn(project);
        project.training.validationSteps = 1;
        const Trained one = trainedOn(project);
        QCOMPARE(one.series("loss"), whole.series("loss"));
        QVERIFY(one.series("val_loss") != whole.series("val_loss"));
        project.training.validationSteps = 1000; // there are not as many
        QCOMPARE(trainedOn(project).series("val_loss"), whole.series("val_loss"));
    }

    void learningRateSchedulesCount() {
        core::Project project = skippingProject(cutInTwo);
        const Trained constant = trainedOn(project);
        project.training.optimizer->config["learning_rate"] = {
            {"class_name", "ExponentialDecay"},
            {"config", {{"initial_learning_rate", 0.01}, {"decay_steps", 1}, {"decay_rate", 0.0001}}}};
        const Trained falling = trainedOn(project);
        // The first two losses come before the second update.
        QCOMPARE(falling.series("loss")[1], constant.series("loss")[1]);
        QVERIFY(falling.series("loss")[2] != constant.series("loss")[2]);
    }

    void theFirstNanIsNamedByLayerAndMicroBatch() {
        // Micro-batch 5 brings a number so large that the second layer's sums overflow.
        QTemporaryDir folder;
        std::vector<float> x(48 * 12, 0.5F);
        std::fill(x.begin() + 30 * 12, x.begin() + 31 * 12, 1e30F);
        (void)core::writeFileAtomically(std::filesystem::path(folder.path().toStdString()) / "x.npy",
                                        simulator::npyBytes({48, 12}, x), core::Overwrite::Replace);
        core::Project project = tests::denseProject({12, 12, 12}, 2);
        project.model = tests::denseModel({12, 12, 12}, 12);
        project.training.batchSize = 6;
        project.training.stepsPerExecution = 8;
        project.training.stepsPerEpoch = 8;
        project.training.epochs = 1;
        project.pipeline.gradientAccumulationSteps = 8;
        project.training.dataset = core::DatasetSpec{"npy", {{"inputs", "x.npy"}}};
        const auto grown = [](simulator::TrainingReplica& replica) {
            for (const simulator::LayerWeight& weight : replica.graph().weights)
                if (replica.graph().tensor(weight.tensor).name == "dense1/kernel")
                    replica.store().write(weight.tensor, std::vector<float>{1e9F});
        };
        const auto result =
            tests::train(project, 1, folder.path().toStdString(), core::RunMode::Train, grown);
        QVERIFY2(result.has_value(), result ? "" : core::toText(result.error().front()).c_str());
        QCOMPARE(result->findings.size(), std::size_t(1));
        const core::Diagnostic& finding = result->findings.front();
        QCOMPARE(finding.code, std::string("numerics/not-finite"));
        QCOMPARE(finding.location.place, std::string("dense1"));
        QVERIFY2(finding.message.find("update 0, micro-batch 5") != std::string::npos,
                 finding.message.c_str());
        QVERIFY2(finding.message.find("dense1/matmul") != std::string::npos, finding.message.c_str());

        project.ipuConfig.values["floating_point_behaviour.oflo"] = true;
        const auto stopped =
            tests::train(project, 1, folder.path().toStdString(), core::RunMode::Train, grown);
        QVERIFY(!stopped.has_value());
        QCOMPARE(stopped.error().front().code, std::string("runtime-error/floating-point-exception"));
    }

    void aGradientThatOverflowsIsNamedThoughItIsNeverStored() {
        // Inputs and gradients of the output are finite, their products are not.
        QTemporaryDir folder;
        const std::filesystem::path place = folder.path().toStdString();
        (void)core::writeFileAtomically(place / "x.npy",
                                        simulator::npyBytes({8, 64}, std::vector<float>(512, 1e25F)),
                                        core::Overwrite::Replace);
        (void)core::writeFileAtomically(place / "y.npy",
                                        simulator::npyBytes({8, 32}, std::vector<float>(256, -1e15F)),
                                        core::Overwrite::Replace);
        core::Project project = tests::denseProject({32}, 1);
        project.training.batchSize = 4;
        project.training.stepsPerExecution = 2;
        project.training.stepsPerEpoch = 2;
        project.training.epochs = 1;
        project.training.optimizer = core::KerasObject{"SGD", {{"learning_rate", 1e-30}}};
        project.pipeline.gradientAccumulationSteps.reset();
        project.training.dataset = core::DatasetSpec{"npy", {{"inputs", "x.npy"}, {"labels", "y.npy"}}};
        const auto still = [](simulator::TrainingReplica& replica) {
            QCOMPARE(replica.program().deferred.size(), std::size_t(1));
            for (const simulator::LayerWeight& weight : replica.graph().weights)
                replica.store().write(
                    weight.tensor,
                    std::vector<float>{replica.graph().tensor(weight.tensor).extents.size() == 1 ? 1e15F
                                                                                                 : 0});
        };
        const auto result = tests::train(project, 1, place, core::RunMode::Train, still);
        QVERIFY2(result.has_value(), result ? "" : core::toText(result.error().front()).c_str());
        QCOMPARE(result->findings.size(), std::size_t(1));
        const core::Diagnostic& finding = result->findings.front();
        QCOMPARE(finding.location.place, std::string("dense0"));
        QVERIFY2(finding.message.find("update 0, micro-batch 0: \"dense0/matmul/grad") != std::string::npos,
                 finding.message.c_str());
    }

    void whoRecordsGradientsGetsTheSameWeights() {
        core::Project project = tests::denseProject({64, 48}, 1);
        project.training.batchSize = 4;
        project.training.stepsPerExecution = 4;
        project.training.stepsPerEpoch = 4;
        project.pipeline.gradientAccumulationSteps.reset();
        project.training.dataset = core::DatasetSpec{"synthetic", {{"samples", 64}, {"seed", 3}}};
        const auto deferred = [](std::size_t count) {
            return [count](simulator::TrainingReplica& replica) {
                QCOMPARE(replica.program().deferred.size(), count);
            };
        };
        const auto alone = tests::train(project, 2, {}, core::RunMode::Train, deferred(2));
        project.training.callbacks = {{"RecordTraining", {{"tensor_statistics", 1}}}};
        const auto recorded = tests::train(project, 2, {}, core::RunMode::Train, deferred(0));
        QVERIFY(alone && recorded);
        QVERIFY(alone->weights == recorded->weights);
        QVERIFY(alone->series("loss") == recorded->series("loss"));
    }

    void aDivergingModelIsToldOnce() {
        core::Project project = skippingProject(cutInTwo);
        project.training.optimizer = core::KerasObject{"SGD", {{"learning_rate", 1e38}}};
        project.training.epochs = 3;
        QCOMPARE(trainedOn(project).findings.size(), std::size_t(1));
    }

    void theMlpOracleHoldsThroughAPipeline() {
        REQUIRE_SHARED_DATA();
        const auto text = core::readFile(tests::sharedData() / "oracles" / "training" /
                                         "mlp_784_256_128_64_32_10_sgd_momentum.json");
        QVERIFY(text.has_value());
        const core::Json oracle = core::Json::parse(*text);
        QTemporaryDir folder;
        writeOracleData(folder.path().toStdString());
        core::Project project = oracleProject(oracle);
        const auto result =
            tests::train(project, 1, folder.path().toStdString(), core::RunMode::Train,
                         [&](simulator::TrainingReplica& replica) { writeOracleWeights(oracle, replica); });
        QVERIFY2(result.has_value(), result ? "" : core::toText(result.error().front()).c_str());
        const auto expected = oracle["expected"]["loss_float64"].get<std::vector<double>>();
        QCOMPARE(result->series("loss").size(), std::size_t(50));
        QVERIFY(difference(expected, result->series("loss")) < 1e-3);
    }

    void aRunTellsItsMetricsToTheSinkAndTheSummary() {
        core::MemoryProfile profile;
        const auto summary = simulator::run(requestOf(skippingProject(cutInTwo)), profile);
        QVERIFY(summary.has_value());
        QCOMPARE(summary->metrics.size(), std::size_t(3));
        QCOMPARE(summary->metrics[0].name, std::string("loss"));
        QCOMPARE(summary->metrics[2].name, std::string("learning_rate"));
        QCOMPARE(profile.metrics().size(), std::size_t(9));
        QCOMPARE(profile.metrics()[6].update, std::int64_t(2));
        QCOMPARE(profile.metrics()[6].value, summary->metrics[0].values[2]);
        QVERIFY(profile.isComplete());
    }

    void aCancelledRunLeavesTheSinkUnfinished() {
        std::stop_source stop;
        core::JobContext job{stop.get_token(), [&](double, std::string_view activity) {
                                 if (activity.starts_with("training"))
                                     stop.request_stop();
                             }};
        core::MemoryProfile profile;
        const auto summary = simulator::run(requestOf(skippingProject(cutInTwo)), profile, job);
        QVERIFY(!summary.has_value());
        QCOMPARE(summary.error().front().trouble, core::Trouble::Interrupted);
        QVERIFY(!profile.isComplete());
    }

    void aWrongDatasetIsRefusedBeforeTheSinkHearsAnything() {
        core::Project project = skippingProject(cutInTwo);
        project.training.dataset =
            core::DatasetSpec{"idx", {{"images", "nothing-here"}, {"labels", "neither"}}};
        core::MemoryProfile profile;
        const auto summary = simulator::run(requestOf(project), profile);
        QVERIFY(!summary.has_value());
        QCOMPARE(summary.error().front().code, std::string("file/missing"));
        QVERIFY(profile.provenance().projectName.empty());
    }

private:
    static simulator::RunRequest requestOf(const core::Project& project) {
        return {.project = tests::validated(project),
                .level = simulator::ProfileLevel::Device,
                .numerics = true,
                .baseFolder = {},
                .projectText = "text",
                .projectHash = "hash",
                .started = "2024-01-01T00:00:00Z",
                .threads = 1};
    }

    static void writeOracleData(const std::filesystem::path& folder) {
        constexpr std::uint32_t samples = 1600;
        constexpr std::uint32_t width = 784;
        std::vector<float> x;
        std::vector<float> y;
        for (std::uint32_t s = 0; s < samples; ++s) {
            const std::uint32_t label = drawn(78, s) % 10;
            y.push_back(static_cast<float>(label));
            for (std::uint32_t p = 0; p < width; ++p)
                x.push_back(static_cast<float>(
                    ((drawn(77, label * width + p) & 255U) + 3.0 * (drawn(79, s * width + p) & 255U)) /
                    1020.0));
        }
        using core::Overwrite;
        (void)core::writeFileAtomically(folder / "x.npy", simulator::npyBytes({samples, width}, x),
                                        Overwrite::Replace);
        (void)core::writeFileAtomically(folder / "y.npy", simulator::npyBytes({samples}, y),
                                        Overwrite::Replace);
    }

    /// The oracle's batch of 32 as 4 micro-batches of 8 whose gradients are averaged.
    static core::Project oracleProject(const core::Json& oracle) {
        core::Project project;
        core::Diagnostics warnings;
        project.model = core::readKerasModel(oracle["model"], "", warnings).value();
        project.training.batchSize = 8;
        project.training.stepsPerExecution = 4;
        project.training.stepsPerEpoch = 200;
        project.training.optimizer = core::KerasObject{"SGD", {{"learning_rate", 0.01}, {"momentum", 0.9}}};
        project.training.losses = {
            core::KerasObject{"SparseCategoricalCrossentropy", {{"from_logits", true}}}};
        project.training.dataset = core::DatasetSpec{"npy", {{"inputs", "x.npy"}, {"labels", "y.npy"}}};
        project.pipeline.gradientAccumulationSteps = 4;
        project.pipeline.reductionMethod = core::ReductionMethod::Mean;
        project.replicas = 1;
        project.system.ipus = 2;
        for (std::size_t layer = 0; layer < oracle["model"]["config"]["layers"].size(); ++layer)
            project.assignment.stages.emplace_back(layer < 2 ? 0 : 1);
        return project;
    }

    static void writeOracleWeights(const core::Json& oracle, simulator::TrainingReplica& replica) {
        const auto& weights = replica.graph().weights;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const QByteArray bytes = QByteArray::fromBase64(
                QByteArray::fromStdString(oracle["initial_weights"][i]["data"].get<std::string>()));
            std::vector<float> values(static_cast<std::size_t>(bytes.size()) / sizeof(float));
            std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
            replica.store().write(weights[i].tensor, values);
        }
    }
};

REGISTER_TEST("training", TrainingTest)
#include "training_test.moc"
