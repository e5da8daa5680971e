#include "core/config/keras_catalogue.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <cmath>

using core::Json;
using tests::Answer;
using tests::Workbench;

namespace {

QString example(const char* file) {
    return QString::fromStdString((tests::projectRoot() / "projects" / file).string());
}

/// A run of the example pipeline (or another project), with settings put in.
Answer answerOf(const Workbench& workbench, const QStringList& settings,
                const QString& project = QStringLiteral("p.ipuproj"), const QStringList& more = {}) {
    if (project == QStringLiteral("p.ipuproj") && !std::filesystem::exists(workbench.path("p.ipuproj")))
        workbench.writeProject("p.ipuproj");
    QStringList arguments{"run", project, "--json", "--database", "runs.sqlite"};
    for (const QString& setting : settings)
        arguments << "--set" << setting;
    return workbench.run(arguments + more);
}

/// Its figures; a run that fails fails the test.
Json runOf(const Workbench& workbench, const QStringList& settings,
           const QString& project = QStringLiteral("p.ipuproj"), const QStringList& more = {}) {
    const Answer answer = answerOf(workbench, settings, project, more);
    if (answer.code != 0)
        qWarning("%s\n%s", qPrintable(settings.join(' ')), answer.err.constData());
    return answer.code == 0 ? answer.json() : Json();
}

std::int64_t number(const Json& run, const char* pointer) {
    return run.at(Json::json_pointer(pointer)).get<std::int64_t>();
}

const QStringList noNumerics{"--no-numerics"};

/// A layer as {"class_name", "config"}.
QString layer(const char* className, const char* name, const QString& config = {}) {
    return QString(R"({"class_name": "%1", "config": {"name": "%2"%3%4}})")
        .arg(className, name, config.isEmpty() ? "" : ", ", config);
}

/// Settings that put a Sequential model without stages in the place of the example's. `input`: extents of a
/// sample.
QStringList modelOf(const QString& input, const char* type, const QStringList& layers) {
    const QString in =
        QString(
            R"({"class_name": "InputLayer", "config": {"name": "in", "batch_input_shape": [null, %1], "dtype": "%2"}})")
            .arg(input, type);
    const QString model =
        QString(R"(model={"class_name": "Sequential", "config": {"name": "m", "layers": [%1]}})")
            .arg((QStringList{in} + layers).join(", "));
    return {model, R"(pipeline={"gradient_accumulation_steps_per_replica": 2})", "system.ipus=1"};
}

/// The model is trained: every loss is a number. Its figures.
Json trainedRun(const Workbench& workbench, const QStringList& settings) {
    const Json run = runOf(workbench, settings);
    const bool hasLoss = run.is_object() && run.contains("metrics") && run["metrics"].contains("loss");
    if (!hasLoss)
        return Json();
    for (const Json& loss : run["metrics"]["loss"])
        if (!loss.is_number() || !std::isfinite(loss.get<double>()))
            return Json();
    return run;
}

} // namespace

/// Parts of the programming system, each as one scenario on the command line.
class ProgrammingSystemTest : public QObject {
    Q_OBJECT

private slots:
    void batchesAreSerialisedAndRepeatedAndTheOutfeedShaped() {
        const Workbench workbench;
        const QStringList onOneIpu{"training.dataset=null", "pipeline.schedule=Sequential",
                                   "pipeline.device_mapping=[0,0]"};
        const Json plain = runOf(workbench, onOneIpu, "p.ipuproj", noNumerics);
        const Json serialised =
            runOf(workbench, onOneIpu + QStringList{"pipeline.batch_serialization_iterations=2"}, "p.ipuproj",
                  noNumerics);
        QCOMPARE(number(serialised, "/effective_batch"), 2 * number(plain, "/effective_batch"));
        QVERIFY(
            answerOf(workbench, {"pipeline.batch_serialization_iterations=2"}).err.contains("Sequential"));
        const Json each = runOf(workbench, {}, "p.ipuproj", noNumerics);
        const Json once = runOf(workbench, {"pipeline.accumulate_outfeed=true"}, "p.ipuproj", noNumerics);
        QVERIFY(number(once, "/step_cycles") < number(each, "/step_cycles"));
        const Answer both =
            answerOf(workbench, {"pipeline.outfeed_loss=true", "pipeline.outfeed_mask=[true,false]"});
        QCOMPARE(both.code, 3);
        QVERIFY2(both.err.contains("outfeed_mask"), both.err.constData());
    }

    void feedsWaitForTheHost() {
        const Workbench workbench;
        const auto stall = [&](const QStringList& settings) {
            return runOf(workbench, settings, "p.ipuproj", noNumerics)["host_stall_fraction"].get<double>();
        };
        QVERIFY(stall({"ipu_config.optimizations.prefetch_data_streams=false"}) > stall({}));
        QCOMPARE(answerOf(workbench, {"training.infeed.prefetch_depth=256"}).code, 3);
        const Answer mode = answerOf(workbench, {R"(training.outfeed={"outfeed_mode": "LAST"})"});
        QCOMPARE(mode.code, 3);
        QVERIFY2(mode.err.contains("outfeed_mode"), mode.err.constData());
    }

    void theLastResultOfAnExecutionIsAllThatTheHostGets() {
        const Workbench workbench;
        const auto losses = [&](const QStringList& more) {
            return runOf(workbench, QStringList{"training.steps_per_execution=16"} + more)["metrics"]["loss"];
        };
        const Json all = losses({});
        const Json last = losses({"training.outfeed_mode=LAST"});
        // 8 micro-batches are an update, and two updates an execution: one of them is told, by its last
        // micro-batch.
        QCOMPARE(last.size() * 2, all.size());
        for (std::size_t i = 0; i < last.size(); ++i)
            QVERIFY(last[i] != all[2 * i + 1]);
        const Answer both =
            answerOf(workbench, {"training.outfeed_mode=LAST", "pipeline.accumulate_outfeed=true"});
        QCOMPARE(both.code, 3);
        QVERIFY2(both.err.contains("value-error/accumulate-outfeed"), both.err.constData());
    }

    void aDatasetIsMeasuredPerEpoch() {
        const Workbench workbench;
        const Json statistics =
            workbench
                .run({"benchmark-dataset", example("tutorial/4-pipelined-sequential.ipuproj"), "--epochs",
                      "3", "--elements", "200", "--json"})
                .json();
        const auto text = QString::fromStdString(statistics.dump());
        for (const char* key : {"elements_processed", "total_bytes_processed", "time_elapsed",
                                "elements_per_second", "bandwidth"})
            QVERIFY2(text.contains(key), key);
        QCOMPARE(text.count("\"bandwidth\""), 3);
    }

    void theKerasLayersOfTheIpuTrain() {
        const Workbench workbench;
        const QStringList sequences{layer("Embedding", "rows", R"("input_dim": 30, "output_dim": 8)"),
                                    layer("PopnnLSTM", "lstm", R"("units": 8, "return_sequences": true)"),
                                    layer("RecomputationCheckpoint", "checkpoint"),
                                    layer("LayerNormalization", "layer_norm"),
                                    layer("PopnnGRU", "gru", R"("units": 8)"),
                                    layer("Dropout", "drop", R"("rate": 0.2)"),
                                    layer("Dense", "out", R"("units": 4)")};
        QVERIFY(trainedRun(workbench, modelOf("6", "int32", sequences)).is_object());
        const QStringList images{layer("Conv2D", "conv", R"("filters": 8, "kernel_size": [3, 3])"),
                                 layer("GroupNormalization", "group_norm", R"("groups": 4)"),
                                 layer("InstanceNormalization", "instance_norm"), layer("Flatten", "flat"),
                                 layer("Dense", "out", R"("units": 4)")};
        QVERIFY(trainedRun(workbench, modelOf("8, 8, 3", "float32", images)).is_object());
    }

    void operationsAreComputedAndPriced() {
        const Workbench workbench;
        const auto dense = [](const char* name, const char* activation) {
            return layer("Dense", name, QString(R"("units": 8, "activation": "%1")").arg(activation));
        };
        const QStringList activations{dense("a", "gelu"), dense("b", "hard_sigmoid"), dense("c", "swish"),
                                      dense("d", "softmax"), layer("Dense", "out", R"("units": 4)")};
        QVERIFY(trainedRun(workbench, modelOf("8", "float32", activations)).is_object());
        // In pieces: the same numbers, more time.
        const auto pieces = [&](int factor) {
            const QStringList layers{
                layer(
                    "SerialDense", "serial",
                    QString(
                        R"("units": 64, "serialization_factor": %1, "serialization_dimension": "kernel_rows")")
                        .arg(factor)),
                layer("Dense", "out", R"("units": 4)")};
            return trainedRun(workbench, modelOf("8", "float32", layers));
        };
        const Json whole = pieces(1);
        const Json four = pieces(4);
        QVERIFY(whole.is_object() && four.is_object());
        QVERIFY(whole["metrics"] == four["metrics"]);
        QVERIFY(number(four, "/step_cycles") > number(whole, "/step_cycles"));
        const QStringList image{layer("NormaliseImage", "normal", R"("scale": 0.5)"),
                                layer("Flatten", "flat"), layer("Dense", "out", R"("units": 4)")};
        QVERIFY(trainedRun(workbench, modelOf("4, 4, 3", "float32", image)).is_object());
    }

    void recurrentOperationsTrain() {
        const Workbench workbench;
        const auto run = [&](const char* className, const QString& config) {
            const QStringList layers{layer(className, "cell", R"("units": 8, )" + config),
                                     layer("Dense", "out", R"("units": 4)")};
            return trainedRun(workbench, modelOf("5, 3", "float32", layers));
        };
        const Json after = run("GRU", R"("reset_after": true)");
        const Json before = run("GRU", R"("reset_after": false)");
        QVERIFY(after.is_object() && before.is_object());
        QVERIFY(after["metrics"] != before["metrics"]);
        QVERIFY(
            run("LSTM", R"("activation": "softsign", "recurrent_activation": "hard_sigmoid")").is_object());
        QVERIFY(run("PopnnGRU", R"("reset_after": true)")["metrics"] == after["metrics"]);
    }

    /// A loss that is written as a model of labels and predictions is the loss that it computes.
    void lossFunctionsAreTheLossesThatTheyCompute() {
        const Workbench workbench;
        const QStringList model =
            modelOf("8", "float32", {layer("Dense", "out", R"("units": 4, "activation": "sigmoid")")});
        const auto losses = [&](const QString& loss) {
            return trainedRun(workbench, model + QStringList{"training.loss=" + loss})["metrics"]["loss"];
        };
        const auto input = [](const char* name, const char* type) {
            return QString(R"({"class_name": "InputLayer", "name": "%1", "inbound_nodes": [], "config":
                {"name": "%1", "batch_input_shape": [null, 4], "dtype": "%2"}})")
                .arg(name, type);
        };
        const auto node = [](const char* className, const char* name, const QString& config,
                             const QString& calls) {
            return QString(
                       R"({"class_name": "%1", "name": "%2", "config": {"name": "%2"%3}, "inbound_nodes": [[%4]]})")
                .arg(className, name, config, calls);
        };
        const auto loss = [&](const char* className, const char* type, const QString& layers) {
            return QString(
                       R"({"class_name": "%1", "config": {"model": {"class_name": "Functional", "config": {
                "name": "loss", "layers": [%2, %3, %4], "input_layers": [["y", 0, 0], ["p", 0, 0]],
                "output_layers": [["value", 0, 0]]}}}})")
                .arg(className, input("y", type), input("p", "float32"), layers);
        };
        const QString both = R"(["y", 0, 0, {}], ["p", 0, 0, {}])";
        const QString squares = node("Subtract", "gap", "", both) + ", " +
                                node("Multiply", "value", "", R"(["gap", 0, 0, {}], ["gap", 0, 0, {}])");
        const Json squared = losses(loss("LossFunction", "float32", squares));
        QVERIFY(squared.is_array() && !squared.empty());
        const Json ofKeras = losses(R"("mean_squared_error")");
        for (std::size_t i = 0; i < squared.size(); ++i)
            QVERIFY(std::abs(squared[i].get<double>() - ofKeras[i].get<double>()) < 1e-6);
        // A loss of Keras within: class numbers, and half of what it gives.
        const auto valueOf = [&](const QString& name) {
            return node("LossValue", "value", QString(R"(, "loss": "%1")").arg(name), both);
        };
        const Json sparse =
            losses(loss("SparseLossFunction", "int32", valueOf("sparse_categorical_crossentropy")));
        QCOMPARE(sparse.dump(), losses(R"("sparse_categorical_crossentropy")").dump());
        // What it cannot be.
        const auto refusal = [&](const QString& text) {
            return answerOf(workbench, model + QStringList{"training.loss=" + text});
        };
        const Answer weighed = refusal(
            loss("LossFunction", "float32", node("Dense", "value", R"(, "units": 4)", R"(["p", 0, 0, {}])")));
        QCOMPARE(weighed.code, 3);
        QVERIFY2(weighed.err.contains("has weights") && weighed.err.contains("hint:"),
                 weighed.err.constData());
        QVERIFY(refusal(R"({"class_name": "LossFunction", "config": {"model": 3}})").err.contains("a model"));
        QVERIFY(refusal(R"("loss_function")").err.contains("\"model\""));
    }

    void recurrentLayersOfTheIpuTakeTheirTwoSeeds() {
        const Workbench workbench;
        const auto losses = [&](const QString& seeds) {
            const QStringList layers{layer("PopnnLSTM", "cell", R"("units": 8, "dropout": 0.5)" + seeds),
                                     layer("Dense", "out", R"("units": 4)")};
            return trainedRun(workbench, modelOf("5, 3", "float32", layers))["metrics"]["loss"];
        };
        const Json drawn = losses(R"(, "dropout_seed": [1, 2])");
        QCOMPARE(losses(R"(, "dropout_seed": [1, 2])").dump(), drawn.dump());
        QVERIFY(losses(R"(, "dropout_seed": [1, 3])") != drawn);
        QVERIFY(losses(R"(, "dropout_seed": [2, 2])") != drawn);
        QVERIFY(losses(R"(, "dropout_seed": [1, 2], "seed": 9)") != drawn);
    }

    void replicasExchangeTensors() {
        const Workbench workbench;
        const auto run = [&](const QStringList& between) {
            const QStringList layers = QStringList{layer("Dense", "in_front", R"("units": 8)")} + between +
                                       QStringList{layer("Dense", "out", R"("units": 4)")};
            return trainedRun(workbench,
                              modelOf("8", "float32", layers) + QStringList{"replicas=2", "system.ipus=2"});
        };
        const Json alone = run({});
        const Json summed = run({layer("CrossReplicaSum", "sum")});
        const Json grouped = run({layer("CrossReplicaSum", "sum", R"("replica_group_size": 1)")});
        QVERIFY(alone.is_object() && summed.is_object() && grouped.is_object());
        QVERIFY(summed["metrics"] != alone["metrics"]);
        QVERIFY(grouped["metrics"] == alone["metrics"]);
        QVERIFY(number(summed, "/step_cycles") > number(alone, "/step_cycles"));
        QVERIFY(run({layer("AssumeEqualAcrossReplicas", "equal")})["metrics"] == alone["metrics"]);
    }

    void rowsOfEmbeddingsComeFromTheHost() {
        const Workbench workbench;
        const auto run = [&](const QString& config, const QStringList& more = {}) {
            const QStringList layers{
                layer("HostEmbedding", "rows", R"("input_dim": 5000, "output_dim": 8, )" + config),
                layer("Flatten", "flat"), layer("Dense", "out", R"("units": 4)")};
            return trainedRun(workbench, modelOf("6", "int32", layers) + more);
        };
        const Json still = run(R"("optimizer": null)");
        const Json trained = run(R"("optimizer": "SGD", "learning_rate": 0.5)");
        const Json accumulated =
            run(R"("optimizer": "SGDGA", "learning_rate": 0.5, "accumulation_factor": 2)");
        QVERIFY(still.is_object() && trained.is_object() && accumulated.is_object());
        QVERIFY(still["metrics"] != trained["metrics"]);
        QVERIFY(number(trained, "/step_cycles") > number(still, "/step_cycles"));
        const char* weights = "/memory/0/by_category/weights";
        QVERIFY(number(trained, weights) < std::int64_t(5000 * 8 * 4));
        const QStringList buffers{"replicas=2", "system.ipus=2",
                                  "ipu_config.experimental.enable_remote_buffer_embedding=true"};
        const Json token = run(R"("partition_strategy": "TOKEN")", buffers);
        const Json encoding = run(R"("partition_strategy": "ENCODING")", buffers);
        QVERIFY(token.is_object() && encoding.is_object());
        QVERIFY(number(token, "/step_cycles") != number(encoding, "/step_cycles"));
    }

    void whatUsersWriteIsComputed() {
        const Workbench workbench;
        const QStringList written{
            layer("Dense", "a", R"("units": 8)"),
            layer("ElementwiseExpression", "formula", R"("expression": "tanh(x0) * x0 + 0.5")"),
            layer("Dense", "out", R"("units": 4)")};
        QVERIFY(trainedRun(workbench, modelOf("8", "float32", written)).is_object());
        const QStringList missing{
            layer("UserOperation", "user", R"("library_path": "nowhere.so", "op_name": "Square")"),
            layer("Dense", "out", R"("units": 4)")};
        const Answer refused = answerOf(workbench, modelOf("8", "float32", missing));
        QVERIFY(refused.code != 0);
        QVERIFY2(refused.err.contains("nowhere.so"), refused.err.constData());
        const auto blocks = [&](const char* function) {
            QStringList layers;
            for (const char* name : {"a", "b", "c"})
                layers << layer(
                    "OutlinedFunction", name,
                    QString(R"("function": "%1", "layer": {"class_name": "Dense", "config": {"units": 8}})")
                        .arg(function));
            layers << layer("Dense", "out", R"("units": 4)");
            return trainedRun(workbench, modelOf("8", "float32", layers));
        };
        const Json apart = blocks("");
        const Json shared = blocks("block");
        QVERIFY(apart.is_object() && shared.is_object());
        QVERIFY(apart["metrics"] == shared["metrics"]);
        const char* code = "/memory/0/by_category/vertex_state";
        QVERIFY(number(shared, code) < number(apart, code));
    }

    void everyOptimizerAndItsWrappersTrain() {
        const Workbench workbench;
        for (const core::KerasClass& row : core::optimizerCatalogue().classes) {
            // It is nothing without the optimizer that it wraps.
            if (row.className == "LossScaleOptimizer")
                continue;
            const Json run =
                runOf(workbench, {"training.optimizer=" +
                                  QString::fromUtf8(row.className.data(), qsizetype(row.className.size()))});
            QVERIFY2(run.is_object(), row.className.data());
            for (const Json& loss : run["metrics"]["loss"])
                QVERIFY2(loss.is_number() && std::isfinite(loss.get<double>()), row.className.data());
        }
        workbench.write("wrapped.py", R"(
model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(8,))])
model.compile(loss="mse", optimizer=ipu.optimizers.GradientAccumulationOptimizer(
    tf.compat.v1.train.GradientDescentOptimizer(0.1), num_mini_batches=4))
model.fit(dataset, epochs=1, steps_per_epoch=8)
)");
        QCOMPARE(workbench.run({"import", "wrapped.py", "-o", "wrapped.ipuproj"}).code, 0);
        const Json wrapped =
            runOf(workbench, {"training.steps_per_execution=4"}, "wrapped.ipuproj", noNumerics);
        QCOMPARE(number(wrapped, "/effective_batch"), std::int64_t(4 * 32));
        workbench.write("mapped.py", R"(
model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(8,))])
model.compile(loss="mse", optimizer=ipu.optimizers.MapGradientOptimizer(
    tf.compat.v1.train.GradientDescentOptimizer(0.1), f))
)");
        const Answer mapped = workbench.run({"import", "mapped.py", "-o", "mapped.ipuproj"});
        QCOMPARE(mapped.code, 3);
    }

    void loopsAreInTheProgramTree() {
        const Workbench workbench;
        QVERIFY(runOf(workbench, {}, "p.ipuproj", noNumerics).is_object());
        const Json loops = workbench
                               .run({"sql", "SELECT label, count FROM v_program_step WHERE kind = 'Repeat'",
                                     "--database", "runs.sqlite", "--json"})
                               .json();
        // Eight steps per execution, four micro-batches per update.
        QCOMPARE(QString::fromStdString(loops["rows"].dump()), QString(R"([["weight updates",2]])"));
    }

    void aModelIsTrainedEvaluatedPredictedAndWarmStarted() {
        const Workbench workbench;
        const Json trained =
            runOf(workbench,
                  {"training.epochs=6",
                   R"(training.callbacks=[{"class_name": "ModelCheckpoint", "config": {"filepath": "w.npz"}},
                            {"class_name": "CSVLogger", "config": {"filename": "log.csv"}}])"});
        QVERIFY(std::filesystem::exists(workbench.path("w.npz")));
        QVERIFY(std::filesystem::exists(workbench.path("log.csv")));
        const auto loss = trained["metrics"]["loss"].get<std::vector<double>>();
        const Json cold = runOf(workbench, {}, "p.ipuproj", {"--mode", "evaluate"});
        const Json warm =
            runOf(workbench, {R"(training.weights="w.npz")"}, "p.ipuproj", {"--mode", "evaluate"});
        QVERIFY(warm["metrics"]["loss"][0].get<double>() < cold["metrics"]["loss"][0].get<double>());
        QVERIFY(loss.back() < loss.front());
        const Json predicted = runOf(workbench, {}, "p.ipuproj", {"--mode", "predict"});
        QVERIFY(predicted["metrics"].empty());
    }

    void processesShareTheReplicas() {
        const Workbench workbench;
        const QString replicas = example("replicas/replicas.ipuproj");
        const QString processes = "ipu_config.experimental.multi_replica_distribution.process_count=%1";
        const QString anySize = "ipu_config.optimizations.minimum_remote_tensor_size=0";
        const Json one = runOf(workbench, {anySize}, replicas, noNumerics);
        const Json two = runOf(workbench, {anySize, processes.arg(2)}, replicas, noNumerics);
        QCOMPARE(number(two, "/effective_batch"), number(one, "/effective_batch"));
        QVERIFY(number(two, "/step_cycles") != number(one, "/step_cycles"));
        const Json apart = runOf(workbench, {anySize, "system.machines=4"}, replicas, noNumerics);
        QVERIFY(number(apart, "/step_cycles") > number(one, "/step_cycles"));
        QCOMPARE(answerOf(workbench, {processes.arg(3)}, replicas, noNumerics).code, 3);
    }

    void devicesAreAttachedAsTheConnectionSays() {
        const Workbench workbench;
        const QString type = "ipu_config.device_connection.type=%1";
        const QString version = "ipu_config.device_connection.version=ipu2";
        for (const char* attached : {"ALWAYS", "ON_DEMAND"})
            QCOMPARE(answerOf(workbench, {type.arg(attached)}).code, 0);
        for (const char* detached : {"PRE_COMPILE", "NEVER"}) {
            QVERIFY(answerOf(workbench, {type.arg(detached), version}).code != 0);
            QCOMPARE(workbench
                         .run({"compile", "p.ipuproj", "--set", type.arg(detached), "--set", version, "-o",
                               QString(detached) + ".ipuexe"})
                         .code,
                     0);
            QCOMPARE(answerOf(workbench, {type.arg(detached)}).code, 3);
        }
    }

    void runsStopWhereNumbersBreak() {
        const Workbench workbench;
        // Halves that overflow: saturated, or an exception where it is asked for.
        const QStringList wild{"training.precision=float16", "training.optimizer.config.learning_rate=1000"};
        QCOMPARE(answerOf(workbench, wild).code, 0);
        const Answer stopped =
            answerOf(workbench, wild + QStringList{"ipu_config.floating_point_behaviour.oflo=true"});
        QCOMPARE(stopped.code, 1);
        QVERIFY2(stopped.err.contains("micro-batch"), stopped.err.constData());
        const Json nearest = runOf(workbench, {"training.precision=float16"});
        const QString partials = R"(ipu_config.matmuls.poplar_options={"partialsType": "half"})";
        const QString wide = R"(model={"class_name": "Sequential", "config": {"name": "m", "layers": [
            {"class_name": "InputLayer", "config": {"name": "in", "batch_input_shape": [null, 64], "dtype": "float32"}},
            {"class_name": "Dense", "config": {"name": "a", "units": 64}},
            {"class_name": "Dense", "config": {"name": "b", "units": 4}}]}})";
        const QStringList wideHalves{wide, "training.precision=float16"};
        QVERIFY(runOf(workbench, wideHalves)["metrics"] !=
                runOf(workbench, wideHalves + QStringList{partials})["metrics"]);
        QVERIFY(runOf(workbench, {wide})["metrics"] == runOf(workbench, {wide, partials})["metrics"]);
        const Json stochastic =
            runOf(workbench, {"training.precision=float16", "ipu_config.floating_point_behaviour.esr=true"});
        QVERIFY(nearest["metrics"] != stochastic["metrics"]);
    }

    void optimizationsChangeTheirFigures() {
        const Workbench workbench;
        const QString encoder = example("encoder/encoder.ipuproj");
        const Json base = runOf(workbench, {}, encoder, noNumerics);
        const Json fused =
            runOf(workbench, {"ipu_config.optimizations.combine_matmuls=true"}, encoder, noNumerics);
        QVERIFY(number(fused, "/step_cycles") < number(base, "/step_cycles"));
        const Json apart =
            runOf(workbench, {"ipu_config.optimizations.enable_graph_outlining=false"}, encoder, noNumerics);
        const char* exchangeCode = "/memory/1/by_category/exchange_code";
        QVERIFY(number(apart, exchangeCode) > number(base, exchangeCode));
        const Json unmerged = runOf(workbench, {"ipu_config.optimizations.merge_remote_buffers=NO_MERGING"},
                                    encoder, noNumerics);
        QVERIFY(number(unmerged, exchangeCode) > number(base, exchangeCode));
    }

    void normalisationsIoTilesAndVersionsChangeTheirFigures() {
        const Workbench workbench;
        const QString resnet = example("resnet50/resnet50.ipuproj");
        const Json base = runOf(workbench, {}, resnet, noNumerics);
        const Json stable =
            runOf(workbench, {"ipu_config.norms.use_stable_statistics=true"}, resnet, noNumerics);
        QVERIFY(number(stable, "/stages/0/forward_cycles") > number(base, "/stages/0/forward_cycles"));
        QCOMPARE(number(runOf(workbench, {"system.target=ipu1"}, "p.ipuproj", noNumerics), "/target/tiles"),
                 std::int64_t(1216));
        const Json version = workbench.run({"config", "ipu_model.version", "--json"}).json()["options"][0];
        QVERIFY(!version["honoured"].get<bool>());
        QVERIFY(version["effect"].get<std::string>().starts_with("no effect on the simulated system: "));
        const QStringList overlapped{"pipeline.gradient_accumulation_steps_per_replica=8",
                                     "ipu_config.io_tiles.num_io_tiles=32",
                                     "ipu_config.io_tiles.place_ops_on_io_tiles=true"};
        const Answer roomy = answerOf(workbench, overlapped, "p.ipuproj", noNumerics);
        QCOMPARE(roomy.code, 0);
        QVERIFY2(!roomy.err.contains("I/O tiles"), roomy.err.constData());
        const Answer tight =
            answerOf(workbench, overlapped + QStringList{"ipu_config.io_tiles.available_memory_proportion=0"},
                     "p.ipuproj", noNumerics);
        QCOMPARE(tight.code, 0);
        QVERIFY2(tight.err.contains("I/O tiles"), tight.err.constData());
        QVERIFY(number(tight.json(), "/step_cycles") != number(roomy.json(), "/step_cycles"));
    }

    void seedsDecideAndReplicasAgree() {
        const Workbench workbench;
        const auto metrics = [&](const QString& seed, const QStringList& settings = {}) {
            return runOf(workbench, settings, "p.ipuproj", {"--seed", seed})["metrics"];
        };
        QVERIFY(metrics("1") == metrics("1"));
        QVERIFY(metrics("1") != metrics("2"));
        const Json real = runOf(workbench, {}, "p.ipuproj", noNumerics);
        const Json synthetic =
            runOf(workbench, {R"(training.synthetic_data=["infeed","outfeed"])"}, "p.ipuproj", noNumerics);
        QVERIFY(synthetic["host_stall_fraction"].get<double>() < real["host_stall_fraction"].get<double>());
    }
};

REGISTER_TEST("programming_system", ProgrammingSystemTest)
#include "programming_system_test.moc"
