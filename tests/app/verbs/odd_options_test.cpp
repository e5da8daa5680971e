#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>

using core::Json;
using tests::Answer;
using tests::Workbench;

namespace {

QString bundled(const char* file) {
    return QString::fromStdString((tests::projectRoot() / "projects" / file).string());
}

/// A run of a bundled project without numerics, with settings put in.
Answer oddRun(const Workbench& workbench, const char* project, const QStringList& settings) {
    QStringList arguments{"run", bundled(project), "--no-numerics", "--json", "--database", "runs.sqlite"};
    for (const QString& setting : settings)
        arguments << "--set" << setting;
    return workbench.run(arguments);
}

constexpr const char* pipelined = "tutorial/4-pipelined-sequential.ipuproj";
constexpr const char* unpipelined = "tutorial/2-single-sequential.ipuproj";

} // namespace

/// Options that are legal in themselves and do nothing, or nothing good, in this project.
class OddOptionsTest : public QObject {
    Q_OBJECT

private slots:
    void ioTilesStayBelowTheTilesOfTheTarget() {
        const Workbench workbench;
        const QString option = "ipu_config.io_tiles.num_io_tiles=";
        for (const char* target : {"ipu1", "ipu2"}) {
            const QString system = QStringLiteral("system.target=") + target;
            const int tiles = target == std::string_view("ipu1") ? 1216 : 1472;
            const Answer refused = oddRun(workbench, pipelined, {system, option + QString::number(tiles)});
            QCOMPARE(refused.code, 3);
            const Json found = refused.json()["diagnostics"];
            QCOMPARE(found.size(), std::size_t(1));
            QCOMPARE(found[0]["place"].get<std::string>(),
                     std::string("--set ipu_config.io_tiles.num_io_tiles"));
            QVERIFY2(found[0]["hint"].get<std::string>().find(std::to_string(tiles)) != std::string::npos,
                     refused.out.constData());
            const Answer one = oddRun(workbench, pipelined, {system, option + QString::number(tiles - 1)});
            QVERIFY2(!one.err.contains("value-error/io-tiles"), one.err.constData());
        }
    }

    void serialisedBatchesAreSequentialWhereNothingElseIsSaid() {
        const Workbench workbench;
        const QStringList onOneIpu{R"(pipeline={"stages": [0, 0, 1, 1, 1, 1], "device_mapping": [0, 0],)"
                                   R"("gradient_accumulation_steps_per_replica": 4,)"
                                   R"("batch_serialization_iterations": 2})",
                                   "training.dataset=null", "training.steps_per_execution=8",
                                   "training.steps_per_epoch=8"};
        const Answer silent = oddRun(workbench, pipelined, onOneIpu);
        QVERIFY2(silent.code == 0, silent.err.constData());
        const Answer sequential =
            oddRun(workbench, pipelined, onOneIpu + QStringList{"pipeline.schedule=Sequential"});
        QCOMPARE(silent.json()["step_cycles"], sequential.json()["step_cycles"]);
        const Answer grouped =
            oddRun(workbench, pipelined, onOneIpu + QStringList{"pipeline.schedule=Grouped"});
        QCOMPARE(grouped.code, 3);
        QVERIFY(grouped.codes().contains("not-implemented/batch-serialization-schedule"));
    }

    void recomputationOfAModelWithoutStagesSaysThatThereIsNone() {
        const Workbench workbench;
        const QString option = "ipu_config.allow_recompute=true";
        const Answer single = oddRun(workbench, unpipelined, {option});
        QCOMPARE(single.code, 0);
        QVERIFY2(single.err.contains("[warning/recompute-without-stages]"), single.err.constData());
        QCOMPARE(single.json()["stages"][0]["recompute_cycles"].get<int>(), 0);
        const Answer stages = oddRun(workbench, pipelined, {option});
        QVERIFY2(!stages.err.contains("recompute-without-stages"), stages.err.constData());
        QVERIFY(stages.json()["stages"][0]["recompute_cycles"].get<int>() > 0);
    }

    void halfPartialsOfAFloat32ModelAreSaidToBeIgnored() {
        const Workbench workbench;
        const QString half = R"(ipu_config.matmuls.poplar_options={"partialsType": "half"})";
        const QString ofStage =
            R"(pipeline.backward_propagation_stages_poplar_options=[{}, {"matmul_options": {"partialsType": "half"}}])";
        const Answer plain = oddRun(workbench, pipelined, {});
        const Answer ignored = oddRun(workbench, pipelined, {half, ofStage});
        QCOMPARE(ignored.json()["step_cycles"], plain.json()["step_cycles"]);
        QCOMPARE(ignored.err.count("[warning/half-partials]"), 2);
        QVERIFY2(ignored.err.contains("backward_propagation_stages_poplar_options"), ignored.err.constData());
        const QString precision = "training.precision=float16";
        const Answer taken = oddRun(workbench, pipelined, {half, precision});
        QVERIFY2(!taken.err.contains("half-partials"), taken.err.constData());
        QVERIFY(taken.json()["step_cycles"] <
                oddRun(workbench, pipelined, {precision}).json()["step_cycles"]);
    }

    void aRunNamesOnceWhatHasNoEffect() {
        const Workbench workbench;
        const Answer answer =
            oddRun(workbench, pipelined,
                   {"ipu_config.matmuls.clear_pass_type=true", "ipu_config.ipu_model.tiles_per_ipu=4",
                    R"(ipu_config.gcl_poplar_options={"useSynclessCollectives": "true"})",
                    "ipu_config.serialization_output_folder="});
        QCOMPARE(answer.err.count("[ipu-config/no-effect]"), 1);
        const QByteArray line = answer.err.mid(answer.err.indexOf("without effect")).split('\n').first();
        for (const char* name : {"matmuls.clear_pass_type", "ipu_model.tiles_per_ipu", "gcl_poplar_options"})
            QVERIFY2(line.count(name) == 1, line.constData());
        // At its default it is not set.
        QVERIFY2(!line.contains("serialization_output_folder"), line.constData());
        const Answer plain = oddRun(workbench, pipelined, {});
        QVERIFY(!plain.err.contains("no-effect"));
        Json with = answer.json();
        Json without = plain.json();
        with.erase("run");
        without.erase("run");
        QVERIFY2(with == without, "the note changes what a run prints");
    }

    void probabilitiesBeforeALossOfLogitsAreWarnedOf() {
        const Workbench workbench;
        const auto warned = [&](const char* activation, const char* loss, const char* logits) {
            const QString model =
                QString(
                    R"(model={"class_name": "Sequential", "config": {"name": "m", "layers": [)"
                    R"({"class_name": "InputLayer", "config": {"name": "in", "batch_input_shape": [null, 8]}},)"
                    R"({"class_name": "Dense", "config": {"name": "a", "units": 8, "activation": "softmax"}},)"
                    R"({"class_name": "Dense", "config": {"name": "out", "units": 4, "activation": "%1"}}]}})")
                    .arg(activation);
            const QString of = QString(R"(training.loss={"class_name": "%1", "config": {"from_logits": %2}})")
                                   .arg(loss, logits);
            const Answer answer = oddRun(workbench, unpipelined, {model, of, "training.dataset=null"});
            return answer.code == 0 ? answer.err.count("[warning/from-logits]") : -1;
        };
        QCOMPARE(warned("softmax", "SparseCategoricalCrossentropy", "true"), 1);
        QCOMPARE(warned("softmax", "CategoricalCrossentropy", "true"), 1);
        QCOMPARE(warned("sigmoid", "BinaryCrossentropy", "true"), 1);
        QCOMPARE(warned("softmax", "SparseCategoricalCrossentropy", "false"), 0);
        QCOMPARE(warned("linear", "SparseCategoricalCrossentropy", "true"), 0);
        QCOMPARE(warned("linear", "BinaryCrossentropy", "true"), 0);
    }

    void choicesMayBeWrittenInCapitals() {
        const Workbench workbench;
        const auto cyclesWith = [&](const char* padding) {
            const QString model =
                QString(
                    R"(model={"class_name": "Sequential", "config": {"name": "m", "layers": [)"
                    R"({"class_name": "InputLayer", "config": {"name": "in", "batch_input_shape": [null, 12, 12, 3]}},)"
                    R"({"class_name": "Conv2D", "config": {"name": "a", "filters": 4, "kernel_size": 3, "padding": "%1"}},)"
                    R"({"class_name": "Flatten", "config": {"name": "f"}},)"
                    R"({"class_name": "Dense", "config": {"name": "out", "units": 4}}]}})")
                    .arg(padding);
            const Answer answer = oddRun(workbench, unpipelined, {model, "training.dataset=null"});
            return answer.code == 0 ? answer.json()["step_cycles"].get<qint64>() : -1;
        };
        QVERIFY(cyclesWith("same") > 0);
        QCOMPARE(cyclesWith("SAME"), cyclesWith("same"));
        QCOMPARE(cyclesWith("VALID"), cyclesWith("valid"));
        QVERIFY(cyclesWith("VALID") != cyclesWith("same"));
    }

    void penaltiesThatAreNotComputedAreWarnedOf() {
        const Workbench workbench;
        const auto warned = [&](const char* regularizer) {
            const QString model =
                QString(
                    R"(model={"class_name": "Sequential", "config": {"name": "m", "layers": [)"
                    R"({"class_name": "InputLayer", "config": {"name": "in", "batch_input_shape": [null, 8]}},)"
                    R"({"class_name": "Dense", "config": {"name": "a", "units": 8, "kernel_regularizer": %1}},)"
                    R"({"class_name": "Dense", "config": {"name": "out", "units": 4}}]}})")
                    .arg(regularizer);
            const Answer answer = oddRun(workbench, unpipelined, {model, "training.dataset=null"});
            return answer.code == 0 ? answer.err.count("[warning/penalty]") : -1;
        };
        QCOMPARE(warned(R"("l9")"), 1);
        QCOMPARE(warned(R"({"class_name": "Custom>L3", "config": {"l3": 0.1}})"), 1);
        QCOMPARE(warned(R"("l1_l2")"), 0);
        QCOMPARE(warned(R"({"class_name": "L2", "config": {"l2": 0.1}})"), 0);
        QCOMPARE(warned("null"), 0);
    }

    void aSyntheticInfeedTakesNothingOfTheDataset() {
        const Workbench workbench;
        const auto lossOf = [&](const char* synthetic, const char* seed) {
            const Answer answer =
                workbench.run({"run", bundled(pipelined), "--json", "--database", "runs.sqlite", "--set",
                               "training.epochs=1", "--seed", seed, "--set",
                               QStringLiteral("training.synthetic_data=") + synthetic});
            const bool isSaid = answer.err.contains("[note/synthetic-infeed]");
            return std::pair(answer.json()["metrics"]["loss"], isSaid);
        };
        const auto real = lossOf("[]", "1");
        const auto madeUp = lossOf(R"(["infeed"])", "1");
        QVERIFY(!real.second && madeUp.second);
        QVERIFY(real.first != madeUp.first);
        QVERIFY(lossOf(R"(["infeed"])", "1").first == madeUp.first);
        // Nothing is fed from outside, but the numbers are those of the dataset.
        QVERIFY(lossOf(R"(["outfeed"])", "1").first == real.first);
    }

    void aCheckWithoutThresholdsSaysWhatItNeeds() {
        const Workbench workbench;
        const Answer plain = workbench.run({"check", bundled(unpipelined)});
        QCOMPARE(plain.code, 0);
        QVERIFY2(plain.err.contains("--max-peak-fraction"), plain.err.constData());
        const Answer asked = workbench.run({"check", bundled(unpipelined), "--max-peak-fraction", "0.9"});
        QVERIFY2(!asked.err.contains("[check/no-threshold]"), asked.err.constData());
    }

    void whatIsOutOfRangeOrUnknownIsSaidInWords() {
        const Workbench workbench;
        const auto found = [&](const QString& setting) {
            return oddRun(workbench, pipelined, {setting}).json()["diagnostics"][0];
        };
        for (const char* huge : {"training.batch_size=1e99", "training.steps_per_epoch=1e99",
                                 "ipu_config.io_tiles.num_io_tiles=1e99"}) {
            const Json finding = found(huge);
            const QString message = QString::fromStdString(finding["message"].get<std::string>());
            QVERIFY2(message.contains("1e+99") && !message.contains("not a number"), qPrintable(message));
        }
        QVERIFY(found("training.batch_size=0.5")["message"].get<std::string>().ends_with(
            "not a number with a fraction"));
        const Json key = found("system.hostspeed=1");
        QCOMPARE(key["code"].get<std::string>(), std::string("project/unknown-key"));
        const std::string hints = key["hint"].get<std::string>();
        for (const char* known : {"ipus", "target", "remote_memory", "machines"})
            QVERIFY2(hints.find(known) != std::string::npos, hints.c_str());
        workbench.write("notes.txt", "hello\n");
        const Answer notes = workbench.run({"run", "notes.txt"});
        QCOMPARE(notes.code, 3);
        QVERIFY2(notes.err.contains("this is not JSON from 'h' on"), notes.err.constData());
        const Answer dataset = workbench.run({"benchmark-dataset", "notes.txt"});
        QVERIFY2(dataset.err.contains("not a dataset of a known kind"), dataset.err.constData());
    }
};

REGISTER_TEST("odd_options", OddOptionsTest)
#include "odd_options_test.moc"
