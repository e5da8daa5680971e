#include "tests/support/onnx_graphs.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>

using tests::Answer;
using tests::Workbench;

namespace {

/// Keys of an object in order, apart by spaces.
QString keysOf(const core::Json& object) {
    QStringList keys;
    for (const auto& [key, value] : object.items())
        keys << QString::fromStdString(key);
    return keys.join(' ');
}

QString text(const core::Json& value) {
    return QString::fromStdString(core::toText(value, -1));
}

} // namespace

/// The verbs about projects: validate, summary, import, schedule, config, devices, cost.
class ProjectVerbsTest : public QObject {
    Q_OBJECT

private slots:
    void validatesAGoodProject() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer answer = workbench.run({"validate", "p.ipuproj", "--json"});
        QCOMPARE(answer.code, 0);
        QCOMPARE(text(answer.json()),
                 R"({"schema":"ipu-workbench/validate","version":1,"valid":true,"diagnostics":[]})");
    }

    void refusesABadProjectWithAllFindings() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj", {{"[0, 1]", "[1, 0]"}, {"\"ipus\": 2", "\"ipus\": 1"}});
        const Answer answer = workbench.run({"validate", "p.ipuproj", "--json"});
        QCOMPARE(answer.code, 3);
        QCOMPARE(answer.json()["schema"].get<std::string>(), std::string("ipu-workbench/error"));
        QCOMPARE(answer.json()["valid"].get<bool>(), false);
        QCOMPARE(answer.codes(), "value-error/first-stage value-error/stage-step value-error/too-few-ipus");
        QVERIFY(answer.err.contains("p.ipuproj:a: error: the first layer a is on stage 1"));
        QCOMPARE(keysOf(answer.json()["diagnostics"][0]), "severity code file place message hint");
    }

    void namesTheSettingThatBreaksARule() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const auto placeOf = [&](const char* setting) {
            const Answer answer = workbench.run({"validate", "p.ipuproj", "--json", "--set", setting});
            return QString::number(answer.code) + " " +
                   QString::fromStdString(answer.json()["diagnostics"][0].value("place", ""));
        };
        QCOMPARE(placeOf("pipeline.schedule=Groupped"), "3 --set pipeline.schedule");
        QCOMPARE(placeOf("ipu_config.matmuls.clear_pass_type=3"),
                 "3 --set ipu_config.matmuls.clear_pass_type");
        QCOMPARE(placeOf("system.ipus=1"), "3 --set system.ipus");
        QCOMPARE(placeOf("system.target=ipu3"), "3 --set system.target");
        QCOMPARE(placeOf("name.x=1"), "3 --set name.x");
    }

    void summarisesAProject() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer answer = workbench.run({"summary", "p.ipuproj", "--json"});
        QCOMPARE(answer.code, 0);
        const core::Json json = answer.json();
        QCOMPARE(keysOf(json), "schema version name class_name layers layer_count total_parameters "
                               "trainable_parameters output_shapes stage_assignment");
        QCOMPARE(
            text(json["layers"][1]),
            R"({"index":1,"name":"a","class_name":"Dense","output_shape":[null,16],"parameters":144,)"
            R"("trainable_parameters":144,"flops_forward":256,"activation_bytes":256,"inbound":["in"],"stage":0})");
        QCOMPARE(text(json["stage_assignment"][1]), R"({"invocation":1,"layer":"b","call":0,"stage":1})");
        QVERIFY(workbench.run({"summary", "p.ipuproj"})
                    .out.contains("Layer (type)                  Pipeline Stage"));
    }

    void importsAKerasModel() {
        REQUIRE_SHARED_DATA();
        const Workbench workbench;
        const QString model =
            QString::fromStdString((tests::sharedData() / "keras/mnist_cnn_keras3.json").string());
        const Answer summary = workbench.run({"import", model, "--summary", "--json"});
        QCOMPARE(summary.json()["total_parameters"].get<int>(), 179926);
        QCOMPARE(workbench.run({"import", model, "-o", "m.ipuproj"}).code, 0);
        QCOMPARE(workbench.run({"validate", "m.ipuproj", "--quiet"}).code, 0);
        QVERIFY(
            workbench.run({"export", "m.ipuproj", "--format", "keras-json"}).json().contains("class_name"));
        QCOMPARE(workbench.run({"import", "m.ipuproj"}).code, 3);
    }

    void importsAnOnnxModelWithTheValuesOfItsWeights() {
        REQUIRE_SHARED_DATA();
        const Workbench workbench;
        const QString model = QString::fromStdString(
            (tests::sharedData() / "onnx/whole/mlp_784_256_128_64_32_10/model.onnx").string());
        const Answer made = workbench.run({"import", model, "-o", "m.ipuproj", "--json"});
        QCOMPARE(made.code, 0);
        QCOMPARE(made.json()["weights"].get<std::string>(), std::string("m.weights.npz"));
        QCOMPARE(workbench.run({"import", model, "-o", "m.ipuproj"}).code, 4);
        // What the project trains from is what the file holds, whichever way it is named.
        const auto losses = [&](const QString& weights) {
            const Answer run = workbench.run(
                {"run", "m.ipuproj", "--mode", "evaluate", "--json", "--set", "training.batch_size=4",
                 "--set", "training.steps_per_execution=1", "--set", "training.steps_per_epoch=2", "--set",
                 "training.loss=sparse_categorical_crossentropy", "--set",
                 R"(training.dataset={"kind": "synthetic", "samples": 8})", "--set",
                 "training.weights=" + weights});
            return run.code == 0 ? text(run.json()["metrics"]) : run.err;
        };
        QCOMPARE(losses("m.weights.npz"), losses(model));
        QVERIFY2(losses("m.weights.npz").contains("loss"), qPrintable(losses("m.weights.npz")));
    }

    /// Nodes without a layer of Keras train through `import` and `run`: their weights are in the file beside
    /// the project, and what training makes of them depends on these weights.
    void importsNodesOfOnnxThatKerasHasNoLayerFor() {
        const Workbench workbench;
        core::OnnxNode pad = tests::onnxNode("Pad", {"x", "pads"}, {"padded"});
        pad.attributes["mode"] = tests::textAttribute("reflect");
        core::OnnxNode transposed = tests::onnxNode("ConvTranspose", {"padded", "kernel"}, {"wide"});
        transposed.attributes["pads"] = tests::integersAttribute({1, 1});
        core::OnnxModel model =
            tests::onnxModel({pad, transposed, tests::onnxNode("Celu", {"wide"}, {"curved"}),
                              tests::onnxNode("ReduceLogSumExp", {"curved", "axes"}, {"y"})},
                             {"x", "axes"}, {"y"});
        model.graph.inputs[0].shape = core::Shape{std::nullopt, 2, 6};
        model.graph.inputs[1] = {"axes", core::OnnxType::Int64, core::Shape{1}};
        model.graph.outputs[0].shape = core::Shape{std::nullopt, 3, 1};
        model.graph.initializers = {
            tests::integerTensor("pads", {0, 0, 2, 0, 0, 1}),
            tests::floatTensor("kernel", {2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})};
        workbench.write("node.onnx", tests::onnxBytes(model));
        // An input that decides extents is named, with the cure.
        const Answer open = workbench.run({"import", "node.onnx", "-o", "open.ipuproj"});
        QCOMPARE(open.code, 0);
        QVERIFY2(open.err.contains("\"axes\" decides extents in ReduceLogSumExp"), qPrintable(open.err));
        const Answer refused = workbench.run({"validate", "open.ipuproj"});
        QVERIFY2(refused.code != 0, qPrintable(refused.out));
        const Answer made =
            workbench.run({"import", "node.onnx", "--value", "axes=2", "-o", "node.ipuproj", "--json"});
        QVERIFY2(made.code == 0, qPrintable(made.err));
        QCOMPARE(made.json()["weights"].get<std::string>(), std::string("node.weights.npz"));
        QCOMPARE(made.json()["trainable_parameters"].get<int>(), 12);
        const auto losses = [&](const QStringList& more) {
            const Answer run = workbench.run(
                QStringList{"run", "node.ipuproj", "--json", "--set", "training.batch_size=2", "--set",
                            "training.steps_per_epoch=2", "--set", "training.loss=mean_squared_error",
                            "--set", R"(training.dataset={"kind": "synthetic", "samples": 4})"} +
                more);
            return run.code == 0 ? text(run.json()["metrics"]) : run.err;
        };
        const QString trained = losses({});
        QVERIFY2(trained.contains("loss"), qPrintable(trained));
        QVERIFY(trained != losses({"--set", "training.optimizer={\"class_name\": \"SGD\", \"config\": "
                                            "{\"learning_rate\": 0.0}}"}));
        QVERIFY(trained != losses({"--set", "training.weights=null"}));
        // Changed on disk and read again it is the same.
        QCOMPARE(workbench.run({"validate", "node.ipuproj"}).code, 0);
        QCOMPARE(workbench.run({"import", "node.onnx", "--value", "axes=x", "-o", "z.ipuproj"}).code, 3);
        QCOMPARE(workbench.run({"import", "node.onnx", "--value", "nobody=1", "-o", "z.ipuproj"}).code, 3);
    }

    void printsTheScheduleOfStagesAndMicroBatches() {
        const core::Json json =
            Workbench().run({"schedule", "--stages", "2", "--micro-batches", "4", "--json"}).json();
        QCOMPARE(keysOf(json),
                 "schema version accepted schedule training stages micro_batches overlap start_offsets "
                 "slots_constructed slots_with_compute weight_updates_per_execution "
                 "weight_update_after_slot fifo_depth_per_stage slots");
        QCOMPARE(json["slots_constructed"].get<int>(), 8);
        QCOMPARE(json["slots_with_compute"].get<int>(), 7);
        QCOMPARE(text(json["fifo_depth_per_stage"]), "[2,0]");
        QCOMPARE(text(json["slots"][3]),
                 R"({"slot":3,"phase":"ramp_up","ipus":{"0":[["bwd",0,0],["fwd",0,3]],)"
                 R"("1":[["bwd",1,1],["fwd",1,2]]},"infeed_mb":3,"outfeed_mb":2})");
        QCOMPARE(text(json["slots"][7]), R"({"slot":7,"phase":"ramp_down","ipus":{}})");
    }

    void printsTheScheduleOfInference() {
        const core::Json json = Workbench()
                                    .run({"schedule", "--stages", "3", "--micro-batches", "3", "--inference",
                                          "--schedule", "Interleaved", "--json"})
                                    .json();
        QCOMPARE(text(json["fifo_depth_per_stage"]), "[0,0,0]");
        QVERIFY(json["weight_update_after_slot"].is_null());
        QCOMPARE(json["weight_updates_per_execution"].get<int>(), 0);
    }

    void marksAWhatIfAndHoldsItsBubbleBesideThePublishedOne() {
        const core::Json json =
            Workbench()
                .run({"schedule", "--stages", "4", "--micro-batches", "8", "--schedule", "ZB-H1", "--json"})
                .json();
        QCOMPARE(json["what_if"].get<bool>(), true);
        QCOMPARE(json["bubble"]["idle"].get<double>(), 3.0);
        QCOMPARE(json["bubble"]["published"].get<double>(), 3.0);
        QCOMPARE(text(json["slots"][4]["ipus"]["3"]), R"([["bwd",3,0]])");
        QVERIFY(text(json["slots"]).contains(R"(["wgrad",3,0])"));
    }

    /// A table printed, edited and run as a schedule of one's own.
    void takesATableOfOnesOwn() {
        const Workbench workbench;
        const Answer cells = workbench.run(
            {"schedule", "--stages", "2", "--micro-batches", "2", "--schedule", "1F1B", "--cells"});
        QCOMPARE(cells.out, "ipu,slot 0,slot 1,slot 2,slot 3,slot 4,slot 5\n"
                            "0,F0,F1,,B0,,B1\n"
                            "1,,F0,B0,F1,B1,\n");
        workbench.write("mine.csv", cells.out.toStdString());
        const Answer again = workbench.run(
            {"schedule", "--stages", "2", "--micro-batches", "2", "--table", "mine.csv", "--cells"});
        QCOMPARE(again.out, cells.out);
        workbench.writeProject("p.ipuproj");
        const QString table = R"(pipeline.schedule={"table": "mine.csv"})";
        const QString count = "pipeline.gradient_accumulation_steps_per_replica=2";
        const Answer run = workbench.run({"schedule", "p.ipuproj", "--json", "--set", table, "--set", count});
        QCOMPARE(run.code, 0);
        QCOMPARE(run.json()["schedule"].get<std::string>(), std::string("Table"));
        workbench.write("mine.csv", QByteArray(cells.out).replace("1,,F0,B0", "1,F0,B0,").toStdString());
        const Answer refused =
            workbench.run({"schedule", "p.ipuproj", "--json", "--set", table, "--set", count});
        QCOMPARE(refused.code, 1);
        QCOMPARE(refused.codes().split(' ').front(), "schedule/dependency");
        QVERIFY(refused.err.contains("in slot 0 depends on F0 of stage 0 in slot 0") ||
                text(refused.json()).contains("in slot 0 depends on F0 of stage 0 in slot 0"));
        // Whoever takes a project takes its table, and a bad cell is found where it stands.
        workbench.write("mine.csv", QByteArray(cells.out).replace("1,,F0", "1,,X0").toStdString());
        for (const QStringList& verb :
             {QStringList{"validate", "p.ipuproj"}, QStringList{"schedule", "p.ipuproj"},
              QStringList{"run", "p.ipuproj", "--no-numerics"}}) {
            const Answer bad = workbench.run(verb + QStringList{"--set", table, "--set", count});
            QVERIFY2(bad.err.contains("mine.csv:3:4: error: slot 1 of IPU 1: \"X0\" is no work"),
                     bad.err.constData());
            QCOMPARE(bad.code, 3);
        }
        workbench.write("mine.csv", cells.out.toStdString());
        for (const QStringList& verb :
             {QStringList{"run", "p.ipuproj", "--no-numerics"}, QStringList{"summary", "p.ipuproj"},
              QStringList{"devices", "p.ipuproj"}}) {
            const Answer taken = workbench.run(verb + QStringList{"--set", table, "--set", count});
            QVERIFY2(taken.code == 0, taken.err.constData());
        }
        workbench.write("bad.csv", "ipu,slot 0\n0,Q0\n");
        const Answer bad =
            workbench.run({"schedule", "--stages", "2", "--micro-batches", "2", "--table", "bad.csv"});
        QVERIFY2(bad.err.contains("bad.csv:2:3: error: slot 0 of IPU 0: \"Q0\""), bad.err.constData());
        QCOMPARE(bad.code, 3);
        const Answer missing = workbench.run(
            {"validate", "p.ipuproj", "--json", "--set", R"(pipeline.schedule={"table": "none.csv"})"});
        QCOMPARE(missing.codes(), "file/missing");
    }

    void refusesASchedule_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* arguments, const char* code) {
            QTest::newRow(arguments) << QString(arguments).split(' ') << QString(code);
        };
        row("--stages 2 --micro-batches 6", "failed-precondition/micro-batch-multiple");
        row("--stages 2 --micro-batches 0", "failed-precondition/micro-batch-minimum");
        row("--stages 2 --micro-batches -4", "value-error/micro-batches");
        row("--stages 1 --micro-batches 4", "value-error/pipeline-stages");
        row("--stages 2 --micro-batches 4 --device-mapping 0", "value-error/device-mapping-length");
        row("--stages 2 --micro-batches 2 --schedule Interleaved --device-mapping 1,1",
            "not-implemented/interleaved-repeated-device");
        row("--stages 2 --micro-batches 4 --schedule Sequential --recompute RecomputeThenBackpropagate",
            "unimplemented/recomputation-mode");
        row("--stages 2 --micro-batches 4 --io-tiles", "failed-precondition/micro-batch-minimum");
    }

    void refusesASchedule() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, code);
        const Answer answer = Workbench().run(QStringList{"schedule", "--json"} + arguments);
        QCOMPARE(answer.code, 1);
        QCOMPARE(answer.json()["schema"].get<std::string>(), std::string("ipu-workbench/schedule"));
        QCOMPARE(answer.json()["accepted"].get<bool>(), false);
        QCOMPARE(answer.codes(), code);
    }

    void refusesAStageCountThatIsNone() {
        const Answer answer = Workbench().run({"schedule", "--stages", "-1", "--micro-batches", "4"});
        QCOMPARE(answer.code, 2);
        QVERIFY(answer.out.isEmpty());
        QVERIFY2(answer.err.contains("--stages") && answer.err.contains("-1"), answer.err.constData());
    }

    void printsTheScheduleOfAProject() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const core::Json json = workbench.run({"schedule", "p.ipuproj", "--json"}).json();
        QCOMPARE(json["weight_updates_per_execution"].get<int>(), 2);
        QCOMPARE(workbench.run({"schedule", "p.ipuproj", "--inference", "--json"})
                     .json()["micro_batches"]
                     .get<int>(),
                 8);
        QCOMPARE(workbench.run({"schedule", "p.ipuproj", "--stages", "2"}).code, 2);
        QCOMPARE(workbench.run({"schedule", "p.ipuproj", "--set", "pipeline.stages=[1,0]"}).code, 3);
        QCOMPARE(
            workbench
                .run({"schedule", "p.ipuproj", "--set", "pipeline.gradient_accumulation_steps_per_replica=2"})
                .code,
            1);
    }

    void refusesAMisspeltSchedule() {
        QCOMPARE(Workbench()
                     .run({"schedule", "--stages", "2", "--micro-batches", "4", "--schedule", "GPipes"})
                     .code,
                 2);
    }

    void listsDevices() {
        const core::Json json = Workbench().run({"devices", "--ipus", "4", "--json"}).json();
        QCOMPARE(json["devices"].size(), std::size_t{7});
        QCOMPARE(text(json["devices"][4]), R"({"id":4,"type":"multi","ipus":[0,1]})");
        const Answer three = Workbench().run({"devices", "--ipus", "3"});
        QCOMPARE(three.code, 2);
        QVERIFY(three.err.contains("no system has 3 IPUs") && three.err.contains("write 2 or 4"));
    }

    void aProjectShowsWhereItsStagesAre() {
        const Workbench workbench;
        const QString encoder =
            QString::fromStdString((tests::projectRoot() / "projects/encoder/encoder.ipuproj").string());
        const auto placed = [&](const QStringList& settings) {
            QStringList arguments{"devices", encoder, "--json"};
            for (const QString& setting : settings)
                arguments << "--set" << setting;
            std::vector<std::int64_t> ipus;
            const core::Json devices = workbench.run(arguments).json();
            for (const core::Json& row : devices["placement"])
                ipus.push_back(row["ipu"].is_null() ? -1 : row["ipu"].get<std::int64_t>());
            return ipus;
        };
        using Ipus = std::vector<std::int64_t>;
        QVERIFY(placed({}) == Ipus({0, 1, 3, 2}));
        QVERIFY(placed({"ipu_config.selection_order=HOOF"}) == Ipus({0, 2, 3, 1}));
        QVERIFY(placed({"pipeline.device_mapping=[3,2,1,0]"}) == Ipus({3, 2, 1, 0}));
        // The second four of eight, then both.
        QVERIFY(placed({"system.ipus=8", "ipu_config.select_ipus=13"}) == Ipus({4, 5, 7, 6}));
        QVERIFY(placed({"system.ipus=8", "replicas=2"}) == Ipus({0, 1, 3, 2, 4, 5, 7, 6}));
        QVERIFY(placed({"ipu_config.device_connection.type=NEVER",
                        "ipu_config.device_connection.version=ipu2"}) == Ipus({-1, -1, -1, -1}));
        const QByteArray text = workbench.run({"devices", encoder}).out;
        QVERIFY2(text.contains("replica  stage  virtual IPU  IPU"), text.constData());
    }

    void tellsAboutOptions() {
        const Workbench workbench;
        QCOMPARE(workbench.run({"config", "--json"}).json()["options"].size(), std::size_t{50});
        const core::Json option = workbench.run({"config", "selection_order", "--json"}).json()["options"][0];
        QCOMPARE(keysOf(option),
                 "name type default documentation deprecated deprecation honoured effect choices");
        QCOMPARE(option["default"].get<std::string>(), std::string("AUTO"));
        QVERIFY(workbench.run({"config", "set_matmul_options"}).out.contains("matmuls.clear_pass_type"));
        QCOMPARE(workbench.run({"config", "matmuls.clear_pas_type"}).code, 2);
    }

    void pricesAnOperation() {
        const Workbench workbench;
        const Answer answer = workbench.run({"cost", "matmul", "m=64", "k=64", "n=64", "--json"});
        QCOMPARE(answer.code, 0);
        QCOMPARE(answer.json()["schema"].get<std::string>(), std::string("ipu-workbench/cost"));
        QCOMPARE(workbench.run({"cost", "matmull", "m=64"}).code, 2);
        QCOMPARE(workbench.run({"cost", "--list"}).code, 0);
    }

    void comparesMeasurementsWithPredictions() {
        const Workbench workbench;
        workbench.write("own.csv", "operation,arguments,measured\nrelu,elements=1048576,700\n");
        const core::Json own = workbench.run({"calibrate", "own.csv", "--json"}).json();
        QCOMPARE(keysOf(own), "schema version rows classes excluded unread_keys bars left_out");
        QCOMPARE(own["rows"].size(), std::size_t{1});
        workbench.write(
            "described.jsonl",
            R"({"id": "a", "kind": "micro", "metric": "compute_cycles", "value": 700, "target": "ipu2",)"
            R"( "operation": "relu", "args": {"elements": 1048576}, "tier": "main"})"
            "\n"
            R"({"id": "b", "kind": "app", "metric": "throughput", "value": 7, "exclude": "unknown"})");
        const Answer described = workbench.run({"calibrate", "described.jsonl", "--json"});
        QCOMPARE(described.code, 0);
        QCOMPARE(described.json()["rows"][0]["predicted"].get<double>(), 662.0);
        QCOMPARE(described.json()["excluded"][0]["reason"].get<std::string>(), std::string("unknown"));
        QVERIFY(workbench.run({"calibrate", "described.jsonl"}).out.contains("not predicted"));
    }
};

REGISTER_TEST("project_verbs", ProjectVerbsTest)
#include "project_verbs_test.moc"
