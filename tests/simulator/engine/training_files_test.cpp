#include "core/base/file.h"
#include "core/interchange/keras/hdf5_weights.h"
#include "core/project/validate.h"
#include "simulator/data/files/npy_array.h"
#include "simulator/data/files/npz_archive.h"
#include "simulator/engine/replica/training_weights.h"
#include "tests/simulator/training_support.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QTest>
#include <algorithm>
#include <fstream>

using core::Json;
using core::KerasObject;
using tests::skippingProject;
using tests::Trained;

namespace {

const std::vector<std::size_t> inTwoStages{0, 0, 0, 0, 1, 1, 1, 1, 1, 1};

core::Project projectWithCallbacks(std::vector<KerasObject> callbacks = {}) {
    core::Project made = skippingProject(inTwoStages);
    made.training.epochs = 4;
    made.training.callbacks = std::move(callbacks);
    return made;
}

} // namespace

class TrainingFilesTest : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void savedWeightsAreTheWeightsOfTheNextRun_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("npz") << "w.npz";
        QTest::newRow("hdf5") << "w.h5";
    }
    void savedWeightsAreTheWeightsOfTheNextRun() {
        QFETCH(QString, file);
        const Trained first =
            trained(projectWithCallbacks({{"ModelCheckpoint", {{"filepath", file.toStdString()}}}}));
        QVERIFY(std::filesystem::exists(path() / file.toStdString()));
        core::Project next = projectWithCallbacks();
        next.training.weights = file.toStdString();
        std::map<std::string, std::vector<float>> loaded;
        const auto result =
            tests::train(next, 1, path(), core::RunMode::Train,
                         [&](simulator::TrainingReplica& replica) { loaded = tests::weightsOf(replica); });
        QVERIFY2(result.has_value(), result ? "" : core::toText(result.error().front()).c_str());
        QVERIFY(!loaded.empty());
        QVERIFY(loaded == first.weights);
        QVERIFY(result->series("loss").front() != first.series("loss").front());
    }

    void weightsOfAnotherModelAreRefused() {
        (void)trained(projectWithCallbacks({{"ModelCheckpoint", {{"filepath", "w.npz"}}}}));
        core::Project other = tests::denseProject({8, 4}, 1);
        other.training.dataset = core::DatasetSpec{"synthetic", Json::object()};
        other.training.weights = "w.npz";
        QCOMPARE(refusal(other), QString("weights/missing-layer dense0"));
        write("list.npz", simulator::zipBytes(std::vector<std::pair<std::string, std::string>>{
                              {"arr_0.npy", simulator::npyBytes({2}, std::vector<float>{1, 2})}}));
        other.training.weights = "list.npz";
        QCOMPARE(refusal(other), QString("weights/shape arr_0"));
        write("text.h5", "no weights");
        other.training.weights = "text.h5";
        QCOMPARE(refusal(other), QString("weights/unknown-format"));
        other.training.weights = "absent.h5";
        QCOMPARE(refusal(other), QString("file/missing"));
        write("torn.h5", std::string("\x89HDF\r\n\x1a\n", 8) + "torn");
        other.training.weights = "torn.h5";
        QCOMPARE(refusal(other), QString("hdf5/damaged /"));
    }

    void plainListsOfWeightsAreTakenInKerasOrder() {
        core::Project small = tests::denseProject({2}, 1);
        small.model = tests::denseModel({2}, 3);
        small.training.dataset = core::DatasetSpec{"synthetic", Json::object()};
        small.training.weights = "list.npz";
        write("list.npz",
              simulator::zipBytes(std::vector<std::pair<std::string, std::string>>{
                  {"arr_0.npy", simulator::npyBytes({3, 2}, std::vector<float>{1, 2, 3, 4, 5, 6})},
                  {"arr_1.npy", simulator::npyBytes({2}, std::vector<float>{7, 8})}}));
        std::map<std::string, std::vector<float>> loaded;
        const auto result =
            tests::train(small, 1, path(), core::RunMode::Train,
                         [&](simulator::TrainingReplica& replica) { loaded = tests::weightsOf(replica); });
        QVERIFY2(result.has_value(), result ? "" : core::toText(result.error().front()).c_str());
        QCOMPARE(loaded["dense0/kernel"], (std::vector<float>{1, 2, 3, 4, 5, 6}));
        QCOMPARE(loaded["dense0/bias"], (std::vector<float>{7, 8}));
    }

    void kerasThreeNamesItsLayersByClass() {
        core::Project small = tests::denseProject({2, 2}, 1);
        small.model = tests::denseModel({2, 2}, 2);
        small.training.dataset = core::DatasetSpec{"synthetic", Json::object()};
        small.training.weights = "model.weights.h5";
        const auto bytes = core::writeHdf5Weights(std::vector<core::StoredWeight>{
            {"layers/dense", "vars/0", {2, 2}, {1, 2, 3, 4}},
            {"layers/dense", "vars/1", {2}, {5, 6}},
            {"layers/dense_1", "vars/0", {2, 2}, {7, 8, 9, 10}},
            {"layers/dense_1", "vars/1", {2}, {11, 12}},
        });
        QVERIFY(bytes.has_value());
        write("model.weights.h5", *bytes);
        std::map<std::string, std::vector<float>> loaded;
        const auto result =
            tests::train(small, 1, path(), core::RunMode::Train,
                         [&](simulator::TrainingReplica& replica) { loaded = tests::weightsOf(replica); });
        QVERIFY2(result.has_value(), result ? "" : core::toText(result.error().front()).c_str());
        QCOMPARE(loaded["dense1/kernel"], (std::vector<float>{7, 8, 9, 10}));
        QCOMPARE(loaded["dense0/bias"], (std::vector<float>{5, 6}));
    }

    void anInterruptedRunGoesOnExactly() {
        const std::vector<KerasObject> callbacks{
            {"ReduceLROnPlateau", {{"monitor", "loss"}, {"patience", 1}, {"min_delta", 10.0}}},
            {"BackupAndRestore", {{"backup_dir", "backup"}}}};
        const Trained whole = trained(projectWithCallbacks(callbacks));
        QVERIFY(!std::filesystem::exists(path() / "backup" / "backup.npz"));
        stopInEpoch(projectWithCallbacks(callbacks), 3);
        QVERIFY(std::filesystem::exists(path() / "backup" / "backup.npz"));
        const Trained rest = trained(projectWithCallbacks(callbacks));
        QCOMPARE(rest.series("loss"), whole.series("loss"));
        QVERIFY(rest.weights == whole.weights);
        QVERIFY(rest.findings.front().message.find("went on after epoch 2") != std::string::npos);
    }

    void aBackupOfAnotherModelIsRefused() {
        const std::vector<KerasObject> callbacks{{"BackupAndRestore", {{"backup_dir", "backup"}}}};
        stopInEpoch(projectWithCallbacks(callbacks), 2);
        core::Project other = projectWithCallbacks(callbacks);
        other.training.optimizer = KerasObject{"Adagrad", Json::object()};
        QCOMPARE(refusal(other), QString("backup/other-model"));
    }

    void earlyStoppingStopsAndTakesTheBestWeightsBack() {
        const Trained first = trained(projectWithCallbacks());
        const Trained stopped = trained(projectWithCallbacks({{"EarlyStopping",
                                                               {{"monitor", "loss"},
                                                                {"mode", "max"},
                                                                {"min_delta", 100.0},
                                                                {"patience", 1},
                                                                {"restore_best_weights", true}}}}));
        // The first epoch is the best: the second does not gain 100.
        QCOMPARE(stopped.series("loss").size(), std::size_t(6));
        core::Project once = projectWithCallbacks();
        once.training.epochs = 1;
        QVERIFY(stopped.weights == trained(once).weights);
        QVERIFY(first.series("loss").size() == 12);
        QVERIFY(stopped.findings.front().message.starts_with("EarlyStopping"));
    }

    void aSmallerRateChangesWhatFollows() {
        const Trained plain = trained(projectWithCallbacks());
        const Trained reduced = trained(projectWithCallbacks(
            {{"ReduceLROnPlateau",
              {{"monitor", "loss"}, {"patience", 1}, {"min_delta", 100.0}, {"factor", 0.5}}}}));
        // Epochs 1 and 2 are alike; from the third the rate is half.
        for (std::size_t update = 0; update < 7; ++update)
            QCOMPARE(reduced.series("loss")[update], plain.series("loss")[update]);
        QVERIFY(reduced.series("loss").back() != plain.series("loss").back());
    }

    void ratesByEpochTakeThePlaceOfTheOptimizers() {
        const Trained plain = trained(projectWithCallbacks());
        const core::KerasObject byEpoch{"LearningRateScheduler", {{"schedule", {0.1, 0.1, 0.05}}}};
        core::Project scheduled = projectWithCallbacks({byEpoch});
        const auto rates = trained(scheduled).series("learning_rate");
        const std::size_t perEpoch = plain.series("loss").size() / 4;
        QCOMPARE(rates.size(), 4 * perEpoch);
        for (std::size_t update = 0; update < rates.size(); ++update)
            QVERIFY(std::abs(rates[update] - (update < 2 * perEpoch ? 0.1 : 0.05)) < 1e-9);
        scheduled.training.optimizer = KerasObject{
            "SGD",
            {{"learning_rate",
              {{"class_name", "ExponentialDecay"},
               {"config", {{"initial_learning_rate", 0.1}, {"decay_steps", 10}, {"decay_rate", 0.9}}}}}}};
        const auto refused = core::validate(scheduled, core::RunMode::Train);
        QVERIFY(!refused.has_value());
        QVERIFY(std::ranges::count(refused.error(), "value-error/learning-rate-schedule",
                                   &core::Diagnostic::code) == 1);
    }

    void theLogHasARowPerEpoch() {
        core::Project logged = projectWithCallbacks({{"CSVLogger", {{"filename", "log.csv"}}}});
        logged.training.stepsPerEpoch = 16;
        logged.training.validationSplit = 0.25;
        const Trained result = trained(logged);
        std::ifstream file(path() / "log.csv");
        std::string line;
        std::getline(file, line);
        QCOMPARE(line, std::string("epoch,loss,accuracy,val_loss,val_accuracy\r"));
        int rows = 0;
        while (std::getline(file, line))
            QVERIFY(line.starts_with(std::to_string(rows++) + ","));
        QCOMPARE(rows, 4);
    }

    void checkpointsAreNamedByEpochAndMetric() {
        (void)trained(
            projectWithCallbacks({{"ModelCheckpoint", {{"filepath", "m-{epoch:02d}-{loss:.3f}.npz"}}}}));
        int files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(path()))
            files += entry.path().filename().string().starts_with("m-0") ? 1 : 0;
        QCOMPARE(files, 4);
    }

    void nanEndsTheRunWhereAsked() {
        core::Project diverging = projectWithCallbacks({{"TerminateOnNaN", Json::object()}});
        diverging.training.optimizer = KerasObject{"SGD", {{"learning_rate", 1e38}}};
        QVERIFY(trained(diverging).series("loss").size() < 12);
    }

private:
    [[nodiscard]] std::filesystem::path path() const { return m_folder->path().toStdString(); }
    void write(const char* name, const std::string& bytes) const {
        QVERIFY(core::writeFileAtomically(path() / name, bytes, core::Overwrite::Replace).has_value());
    }
    [[nodiscard]] Trained trained(const core::Project& given) const {
        auto result = tests::train(given, 1, path());
        if (!result) {
            qWarning("%s", core::toText(result.error().front()).c_str());
            return {};
        }
        return *result;
    }
    [[nodiscard]] QString refusal(const core::Project& given) const {
        const auto result = tests::train(given, 1, path());
        if (result)
            return "trained";
        const core::Diagnostic& first = result.error().front();
        return QString::fromStdString(first.code +
                                      (first.location.place.empty() ? "" : " " + first.location.place));
    }
    /// Trains until an epoch (counted from 1) has begun.
    void stopInEpoch(const core::Project& given, int epoch) const {
        const auto executable = simulator::compile(tests::validated(given));
        QVERIFY(executable.has_value());
        auto run = simulator::TrainingRun::make(*executable, {1, path()});
        QVERIFY(run.has_value());
        std::stop_source stop;
        core::MemoryProfile profile;
        const std::string begun = "training, epoch " + std::to_string(epoch);
        const auto result = run->run(profile, {stop.get_token(), [&](double, std::string_view activity) {
                                                   if (activity.starts_with(begun))
                                                       stop.request_stop();
                                               }});
        QVERIFY(!result.has_value());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

REGISTER_TEST("training_files", TrainingFilesTest)
#include "training_files_test.moc"
