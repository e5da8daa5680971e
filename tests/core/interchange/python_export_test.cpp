#include "core/catalogue/optimizers.h"
#include "core/config/keras_catalogue.h"
#include "core/interchange/importer_catalogue.h"
#include "core/interchange/python/python_program.h"
#include "core/interchange/templates/template_catalogue.h"
#include "core/interchange/templates/template_project.h"
#include "tests/core/interchange/python_names.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtCore/QProcess>
#include <QtCore/QStandardPaths>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>
#include <algorithm>
#include <fstream>

namespace {

using core::Json;
using core::PythonApi;

std::filesystem::path exportFolder() {
    return tests::projectRoot() / "tests/core/interchange/python_export";
}

struct Exported {
    std::string name;
    core::Project project;
};

/// Every project and template that ships, and one with every layer of the IPU extensions.
const std::vector<Exported>& exportedProjects() {
    static const std::vector<Exported> all = [] {
        std::vector<Exported> list;
        std::vector<std::filesystem::path> files{exportFolder() / "everything.ipuproj"};
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(tests::projectRoot() / "projects"))
            if (entry.path().extension() == ".ipuproj")
                files.push_back(entry.path());
        std::ranges::sort(files);
        for (const auto& file : files)
            if (auto project = core::loadProject(file.string()))
                list.push_back({file.stem().string(), std::move(project->project)});
        for (const core::ModelTemplate& entry : core::templateCatalogue())
            if (auto project = core::newProject(entry.name, Json::object()))
                list.push_back({entry.name, std::move(*project)});
        return list;
    }();
    return all;
}

core::Project projectOf(const char* document) {
    const auto project = core::readProjectDocument(Json::parse(document), "p");
    if (!project)
        qWarning("%s", core::toText(project.error().front()).c_str());
    return project ? project->project : core::Project();
}

/// A pipeline of two Dense layers, with sections put in.
core::Project smallProject(const char* sections, const char* layers = "") {
    return projectOf((std::string(R"({"format": "ipu-workbench-project", "version": 1, "name": "small",
        "model": {"class_name": "Sequential", "config": {"name": "small", "layers": [
            {"class_name": "InputLayer", "config": {"name": "in", "batch_input_shape": [null, 8], "dtype": "float32"}},)") +
                      layers + R"(
            {"class_name": "Dense", "config": {"name": "first", "units": 8, "activation": "relu"}},
            {"class_name": "Dense", "config": {"name": "last", "units": 4}}]}},
        "system": {"ipus": 8, "target": "ipu2"})" +
                      sections + "}")
                         .c_str());
}

std::string programOf(const core::Project& project, PythonApi api = PythonApi::TensorFlow24) {
    const auto program = core::writePythonProgram(project, api);
    if (!program)
        qWarning("%s", core::toText(program.error().front()).c_str());
    return program.value_or(std::string());
}

std::string withoutComment(const std::string& program) {
    return program.substr(0, program.find(core::pythonRemainder));
}

/// Programs of an edition under python3 with the modules of the tables in the place of the real ones. What
/// it says of those that fail; empty: all run.
QString runPython(const std::vector<std::string>& programs, const char* edition) {
    const QTemporaryDir folder;
    QStringList arguments{QString::fromStdString((exportFolder() / "stubs/run_programs.py").string())};
    for (std::size_t i = 0; i < programs.size(); ++i) {
        arguments << folder.filePath(QString("program_%1.py").arg(i));
        std::ofstream(arguments.back().toStdString()) << programs[i];
    }
    QProcess python;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PYTHONDONTWRITEBYTECODE", "1");
    environment.insert("STUB_TABLES", QString::fromStdString(exportFolder().string()));
    environment.insert("STUB_EDITION", edition);
    python.setProcessEnvironment(environment);
    python.start("python3", arguments);
    python.waitForFinished(60000);
    const QString error = QString::fromUtf8(python.readAllStandardError());
    const bool isDone = python.exitStatus() == QProcess::NormalExit && python.exitCode() == 0;
    return isDone ? QString() : error + "python3 failed";
}

void addEditions() {
    QTest::addColumn<int>("at");
    QTest::addColumn<QString>("edition");
    for (std::size_t i = 0; i < exportedProjects().size(); ++i)
        for (const char* edition : {"2.4", "2.1"})
            QTest::newRow((exportedProjects()[i].name + " " + edition).c_str()) << int(i) << edition;
}

PythonApi apiOf(const QString& edition) {
    return edition == "2.4" ? PythonApi::TensorFlow24 : PythonApi::TensorFlow21;
}

} // namespace

#define REQUIRE_PYTHON()                                                                                     \
    if (QStandardPaths::findExecutable("python3").isEmpty())                                                 \
        QSKIP("python3 is not on this machine");

/// What exported programs say: names and arguments that the editions have, and nothing else.
class PythonExportTest : public QObject {
    Q_OBJECT

private slots:
    /// A table that is looked up serialized and used a second time keeps its factor, there and back.
    void aSerializedLookupInASharedTableStaysSerialized() {
        const char* const tied = R"(
import tensorflow as tf
from tensorflow.python import ipu
class Tied(tf.keras.layers.Layer):
    def build(self, s):
        self.t = self.add_weight(name="t", shape=[64, 16])
    def call(self, ids):
        h = ipu.embedding_ops.embedding_lookup(self.t, ids, serialization_factor=4)
        return ipu.math_ops.serialized_matmul(tf.reshape(h, [-1, 16]), self.t, 4, "b_rows", transpose_b=True)
with ipu.ipu_strategy.IPUStrategy().scope():
    i = tf.keras.Input((10,), batch_size=8, dtype=tf.int32)
    model = tf.keras.Model(i, Tied()(i))
    model.predict(tf.zeros((64, 10), tf.int32), batch_size=8)
)";
        const auto factorOf = [](const core::Project& project) {
            for (const core::LayerInvocation& call : project.model.invocations)
                if (call.arguments.contains("serialization_factor"))
                    return call.arguments["serialization_factor"].get<int>();
            return 0;
        };
        const auto imported = core::importProject(tied, "p.py");
        QVERIFY2(imported.has_value(), imported ? "" : core::toText(imported.error().front()).c_str());
        QCOMPARE(factorOf(imported->project), 4);
        const std::string program = withoutComment(programOf(imported->project));
        QVERIFY2(program.find("ipu.embedding_ops.embedding_lookup(") != std::string::npos, program.c_str());
        const auto again = core::importProject(program, "p.py");
        QVERIFY2(again.has_value(), again ? "" : core::toText(again.error().front()).c_str());
        QCOMPARE(factorOf(again->project), 4);
    }

    void everyNameAndArgumentIsInTheReference_data() { addEditions(); }
    void everyNameAndArgumentIsInTheReference() {
        QFETCH(int, at);
        QFETCH(QString, edition);
        const core::Project& project = exportedProjects()[std::size_t(at)].project;
        const auto program = core::writePythonProgram(project, apiOf(edition));
        if (!program) {
            mustBeAClearRefusal(program.error(), edition);
            return;
        }
        for (const char* table : {"ipu_api.txt", "tensorflow_api.txt"}) {
            const tests::PythonNameTable names(exportFolder() / table, edition.toStdString());
            QVERIFY(names.size() > 100);
            const std::vector<std::string> unknown =
                names.unknownIn(withoutComment(*program), table[0] == 'i' ? "ipu" : "tf");
            QVERIFY2(unknown.empty(), unknown.empty() ? "" : unknown.front().c_str());
        }
    }

    /// The check above sees what it is for.
    void namesThatAreNotInTheReferenceAreFound() {
        const tests::PythonNameTable names(exportFolder() / "ipu_api.txt", "2.4");
        const auto isKnown = [&](const char* text) { return names.unknownIn(text, "ipu").empty(); };
        QVERIFY(isKnown("x = ipu.nn_ops.gelu(x, approximate=False)"));
        QVERIFY(isKnown("f(ipu.ops.pipelining_ops.PipelineSchedule.Grouped)"));
        QVERIFY(isKnown("y = \"ipu.nonsense()\"  # ipu.nonsense()"));
        QVERIFY(!isKnown("x = ipu.keras.layers.CTCLoss(x)"));
        QVERIFY(!isKnown("x = ipu.nn_ops.gelu(x, exact=True)"));
        QVERIFY(!isKnown("x = ipu.nn_ops.gelu()"));
        QVERIFY(!isKnown("x = ipu.nn_ops.gelu(1, 2, 3, 4)"));
        QVERIFY(!isKnown("x = ipu.config.SelectionOrder.RANDOM"));
        QVERIFY(!isKnown("config = ipu.utils.create_ipu_config()"));
        QVERIFY(tests::PythonNameTable(exportFolder() / "ipu_api.txt", "2.1")
                    .unknownIn("config = ipu.utils.create_ipu_config()", "ipu")
                    .empty());
    }

    /// Samples that are made up never end: fit() is told how long an epoch is.
    /// What makes something of gradients is a class of the optimizer, there and back.
    void gradientsAreChangedByAClassOfTheOptimizer_data() {
        QTest::addColumn<QString>("training");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const char* training, const char* text) {
            QTest::newRow(name) << training << text;
        };
        row("decay",
            R"({"steps_per_execution": 4, "optimizer": {"class_name": "SGD", "config": {"learning_rate": 0.5, "momentum": 0.9, "gradient_decay": 0.25}}, "loss": "mse"})",
            "gradient + 0.25 * variable");
        row("averages",
            R"({"steps_per_execution": 4, "optimizer": "adam", "loss": "mse", "average_replica_gradients": true})",
            "gradient / NUM_REPLICAS");
        row("averages that are clipped",
            R"({"steps_per_execution": 4, "optimizer": {"class_name": "SGD", "config": {"learning_rate": 0.5, "global_clipnorm": 0.125}}, "loss": "mse", "average_replica_gradients": true})",
            "gradient / NUM_REPLICAS");
        row("both, scaled",
            R"({"steps_per_execution": 4, "optimizer": {"class_name": "LossScaleOptimizer", "config": {"inner_optimizer": {"class_name": "SGD", "config": {"learning_rate": 0.5, "gradient_decay": 0.25}}, "dynamic": false, "initial_scale": 64}}, "loss": "mse", "average_replica_gradients": true})",
            "(gradient + 0.25 * variable) / NUM_REPLICAS");
    }
    void gradientsAreChangedByAClassOfTheOptimizer() {
        QFETCH(QString, training);
        QFETCH(QString, text);
        const core::Project project =
            smallProject((R"(, "training": )" + training +
                          R"(, "pipeline": {"stages": [0, 1], "gradient_accumulation_steps_per_replica": 4})")
                             .toStdString()
                             .c_str());
        for (const PythonApi api : {PythonApi::TensorFlow24, PythonApi::TensorFlow21}) {
            const std::string program = withoutComment(programOf(project, api));
            QVERIFY2(program.find(text.toStdString()) != std::string::npos, program.c_str());
            const auto back = core::importProject(program, "program.py");
            QVERIFY2(back.has_value(), back ? "" : core::toText(back.error().front()).c_str());
            const auto& ours = project.training;
            const auto& theirs = back->project.training;
            QVERIFY(ours.optimizer && theirs.optimizer);
            QCOMPARE(theirs.optimizer->className, ours.optimizer->className);
            QCOMPARE(theirs.optimizer->config.dump(), ours.optimizer->config.dump());
            QCOMPARE(theirs.averagesReplicas, ours.averagesReplicas);
        }
    }
    /// Rules of tf.compat.v1.train: its own optimizers where they can stand, else classes that compute alike.
    void rulesOfTensorFlow1AreWritten_data() {
        QTest::addColumn<QString>("training");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const char* optimizer, const char* more, const char* text) {
            QTest::newRow(name) << QString(R"({"steps_per_execution": 4, "optimizer": %1, "loss": "mse"%2})")
                                       .arg(optimizer, more)
                                << text;
        };
        constexpr const char* momentum =
            R"({"class_name": "SGD", "config": {"learning_rate": 0.5, "momentum": 0.9, "nesterov": true, "unscaled_momentum": true}})";
        row("momentum", momentum, "",
            "tf.compat.v1.train.MomentumOptimizer(learning_rate=0.5, momentum=0.9, use_nesterov=True)");
        row("momentum, averaged", momentum, R"(, "average_replica_gradients": true)",
            "class AveragedMomentumOptimizer(tf.compat.v1.train.MomentumOptimizer):");
        row("momentum, scaled",
            R"({"class_name": "LossScaleOptimizer", "config": {"inner_optimizer": {"class_name": "SGD", "config": {"learning_rate": 0.5, "momentum": 0.9, "unscaled_momentum": true}}, "dynamic": false, "initial_scale": 64}})",
            "", "class OlderSGD(tf.keras.optimizers.SGD):");
        row("momentum, by the epoch", momentum,
            R"(, "callbacks": [{"class_name": "LearningRateScheduler", "config": {"schedule": [0.5, 0.25]}}])",
            "return var.assign_sub(rate * (grad + share * trace))");
        row("momentum, clipped",
            R"({"class_name": "SGD", "config": {"learning_rate": 0.5, "momentum": 0.9, "unscaled_momentum": true, "clipnorm": 1.0}})",
            "", "class OlderSGD(tf.keras.optimizers.SGD):");
        row("momentum, clipped together",
            R"({"class_name": "SGD", "config": {"learning_rate": 0.5, "momentum": 0.9, "unscaled_momentum": true, "global_clipnorm": 1.0}})",
            "", "class ClippedMomentumOptimizer(tf.compat.v1.train.MomentumOptimizer):");
        row("squares",
            R"({"class_name": "RMSprop", "config": {"learning_rate": 0.5, "rho": 0.75, "epsilon": 1e-10, "epsilon_inside_sqrt": true, "initial_rms": 1.0}})",
            "",
            "tf.compat.v1.train.RMSPropOptimizer(learning_rate=0.5, decay=0.75, momentum=0.0, "
            "epsilon=1e-10)");
        row("squares of a falling rate",
            R"({"class_name": "RMSprop", "config": {"learning_rate": {"class_name": "ExponentialDecay", "config": {"initial_learning_rate": 0.5, "decay_steps": 4, "decay_rate": 0.5}}, "centered": true, "epsilon_inside_sqrt": true, "initial_rms": 1.0}})",
            "", "tf.sqrt(mean - tf.square(middle) + self.epsilon)");
        row("another beginning", R"({"class_name": "RMSprop", "config": {"initial_rms": 0.5}})", "",
            R"(self.add_slot(var, "rms", initializer=tf.keras.initializers.Constant(0.5)))");
    }
    void rulesOfTensorFlow1AreWritten() {
        QFETCH(QString, training);
        QFETCH(QString, text);
        const core::Project project =
            smallProject((R"(, "training": )" + training +
                          R"(, "pipeline": {"stages": [0, 1], "gradient_accumulation_steps_per_replica": 4})")
                             .toStdString()
                             .c_str());
        for (const char* edition : {"2.4", "2.1"}) {
            const std::string program = withoutComment(programOf(project, apiOf(edition)));
            QVERIFY2(program.find(text.toStdString()) != std::string::npos, program.c_str());
            const tests::PythonNameTable names(exportFolder() / "tensorflow_api.txt", edition);
            QCOMPARE(names.unknownIn(program, "tf"), std::vector<std::string>());
            const auto back = core::importProject(program, "program.py");
            QVERIFY2(back.has_value(), back ? "" : core::toText(back.error().front()).c_str());
            const auto& ours = project.training;
            const auto& theirs = back->project.training;
            QVERIFY(ours.optimizer && theirs.optimizer);
            QCOMPARE(theirs.optimizer->className, ours.optimizer->className);
            const core::Json first = core::resolvedConfig(*ours.optimizer, core::optimizerCatalogue());
            const core::Json second = core::resolvedConfig(*theirs.optimizer, core::optimizerCatalogue());
            QCOMPARE(second.dump(), first.dump());
            QCOMPARE(theirs.averagesReplicas, ours.averagesReplicas);
        }
    }

    /// A project without training only answers.
    void aProjectWithoutTrainingPredicts() {
        const core::Project project =
            smallProject(R"(, "training": {"steps_per_execution": 4, "steps_per_epoch": 8})");
        for (const PythonApi api : {PythonApi::TensorFlow24, PythonApi::TensorFlow21}) {
            const std::string program = withoutComment(programOf(project, api));
            QVERIFY2(program.find("model.predict(create_dataset(), steps=8") != std::string::npos,
                     program.c_str());
            QVERIFY(program.find("model.fit") == std::string::npos);
            const auto back = core::importProject(program, "program.py");
            QVERIFY2(back.has_value(), back ? "" : core::toText(back.error().front()).c_str());
            QVERIFY(!back->project.training.optimizer && back->project.training.losses.empty());
            QCOMPARE(back->project.training.stepsPerEpoch.value_or(0), 8);
            QCOMPARE(back->project.training.stepsPerExecution, 4);
        }
    }
    /// fit() keeps all results: what keeps the last is trained by a loop.
    void anOutfeedThatKeepsTheLastIsALoop() {
        const core::Project project = smallProject(
            R"(, "training": {"steps_per_execution": 4, "steps_per_epoch": 64, "epochs": 3, "outfeed_mode": "LAST",
               "optimizer": {"class_name": "SGD", "config": {"learning_rate": 0.5, "gradient_decay": 0.25}}, "loss": "mse"})");
        const std::string program = withoutComment(programOf(project));
        QVERIFY2(program.find("IPUOutfeedMode.LAST") != std::string::npos, program.c_str());
        const auto back = core::importProject(program, "program.py");
        QVERIFY2(back.has_value(), back ? "" : core::toText(back.error().front()).c_str());
        const Json ours = core::toJson(project)["training"];
        const Json theirs = core::toJson(back->project)["training"];
        for (const char* key : {"outfeed_mode", "optimizer", "loss", "steps_per_execution"})
            QCOMPARE(theirs.value(key, Json()).dump(), ours.value(key, Json()).dump());
        const std::int64_t steps = back->project.training.stepsPerEpoch.value_or(0);
        QCOMPARE(steps * back->project.training.epochs, 192);
        const auto refused = core::writePythonProgram(
            smallProject(
                R"(, "training": {"outfeed_mode": "LAST", "optimizer": "sgd", "loss": "mse", "metrics": ["mae"]})"),
            PythonApi::TensorFlow24);
        QVERIFY(!refused.has_value());
        QVERIFY(refused.error().front().hints.front().find("leave out metrics") != std::string::npos);
    }
    void theStrategyOfHorovodIsWritten() {
        const core::Project project = smallProject(
            R"(, "training": {"optimizer": "sgd", "loss": "mse", "distribution": "IPUHorovodStrategy"})");
        const std::string program = withoutComment(programOf(project));
        QVERIFY(program.find("ipu.horovod.ipu_horovod_strategy.IPUHorovodStrategy()") != std::string::npos);
        const auto back = core::importProject(program, "program.py");
        QVERIFY(back.has_value());
        QCOMPARE(back->project.training.distribution, std::string("IPUHorovodStrategy"));
    }

    void anEpochEndsWithoutADataset() {
        const core::Project project = smallProject(
            R"(, "training": {"steps_per_execution": 4, "optimizer": "sgd", "loss": "mse"}, "replicas": 2)");
        QVERIFY(programOf(project).find("steps_per_epoch=8") != std::string::npos);
        const auto back = core::importProject(programOf(project), "program.py");
        QVERIFY(back.has_value());
        QVERIFY(std::ranges::find(back->warnings, "python/endless-dataset", &core::Diagnostic::code) ==
                back->warnings.end());
        QVERIFY(!back->project.training.stepsPerEpoch.has_value());
    }

    /// Layers that are functions of the extensions take their tensors as the classes written for them do.
    void functionsThatWereImportedRunAsExported() {
        REQUIRE_PYTHON();
        std::vector<std::string> programs;
        for (const auto& entry : std::filesystem::directory_iterator(
                 tests::projectRoot() / "tests/core/interchange/python_programs")) {
            const std::string name = entry.path().filename().string();
            const auto text = core::readFile(entry.path().string());
            const auto file = core::importProject(text.value_or(""), "program.py");
            if (!name.starts_with("op_") || !file || text->find("TFOpLambda") != std::string::npos)
                continue;
            if (const auto program = core::writePythonProgram(file->project, PythonApi::TensorFlow24))
                programs.push_back("# " + name + "\n" + *program);
        }
        QVERIFY(programs.size() > 15);
        const QString failures = runPython(programs, "2.4");
        QVERIFY2(failures.isEmpty(), qPrintable(failures));
    }

    void pythonRunsEveryProgram_data() {
        QTest::addColumn<QString>("edition");
        QTest::newRow("2.4") << "2.4";
        QTest::newRow("2.1") << "2.1";
    }
    void pythonRunsEveryProgram() {
        REQUIRE_PYTHON();
        QFETCH(QString, edition);
        std::vector<std::string> programs;
        for (const Exported& each : exportedProjects())
            if (auto program = core::writePythonProgram(each.project, apiOf(edition)))
                programs.push_back("# " + each.name + "\n" + *program);
        QVERIFY(programs.size() > 20);
        const QString error = runPython(programs, qPrintable(edition));
        QVERIFY2(error.isEmpty(), qPrintable(error));
    }

    void pythonRefusesWhatIsWrong_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("error");
        const auto row = [](const char* from, const char* to, const char* error) {
            QTest::newRow(to) << from << to << error;
        };
        row("ipu.config.IPUConfig", "ipu.config.Config", "AttributeError");
        row("config.auto_select_ipus", "config.select_all_ipus", "AttributeError");
        row("tf.keras.layers.Dense(8", "tf.keras.layers.Dense(8, width=3", "TypeError");
        row("tf.keras.layers.Dense(8, ", "tf.keras.layers.Dense(", "TypeError");
        row("activation=\"relu\"", "activation=\"relux\"", "ValueError");
        row("name=\"first\"", "name=\"the first\"", "ValueError");
        row("create_dataset()", "create_datasets()", "NameError");
        row("model.set_pipelining_options(", "model.set_pipeline_options(", "AttributeError");
        row("return model", "return model)", "SyntaxError");
    }
    void pythonRefusesWhatIsWrong() {
        REQUIRE_PYTHON();
        QFETCH(QString, from);
        QFETCH(QString, to);
        QString program = QString::fromStdString(programOf(smallProject(
            R"(, "pipeline": {"stages": [0, 1], "gradient_accumulation_steps_per_replica": 4})")));
        QVERIFY(program.contains(from));
        program.replace(program.lastIndexOf(from), from.size(), to);
        const QString found = runPython({program.toStdString()}, "2.4");
        QFETCH(QString, error);
        QVERIFY2(found.contains(error), qPrintable(found));
    }

    void programsThatReadDataRun() {
        REQUIRE_PYTHON();
        std::vector<std::string> programs;
        for (
            const char* dataset :
            {R"({"kind": "idx", "images": "i.idx", "labels": "l.idx", "scale": 255, "shape": [8]})",
             R"({"kind": "csv", "file": "f.csv", "label_column": 2, "header": false, "scale": 2})",
             R"({"kind": "npy", "inputs": "x.npy", "labels": "y.npy", "sample_weights": "w.npy",
                  "class_weights": [1, 2.5], "shuffle": true, "drop_remainder": true, "repeat": false})",
             R"({"kind": "npz", "file": "f.npz"})",
             R"({"kind": "image_folder", "folder": "pets", "class_names": ["cat", "dog"], "size": [32, 24]})",
             R"({"kind": "cifar10", "files": ["b1.bin", "b2.bin"], "scale": 255})",
             R"({"kind": "text", "file": "lines.txt", "vocabulary": "words.txt", "length": 8, "labels": "l.txt"})",
             R"({"kind": "text", "file": "lines.txt", "vocabulary": "words.txt", "length": 8, "next_token": true,
                  "split": "character", "standardize": "none"})",
             R"({"kind": "synthetic", "samples": 64, "seed": 3, "classes": 5})"})
            programs.push_back(programOf(smallProject(
                (R"(, "training": {"callbacks": [{"class_name": "RecordTraining", "config": {}}], "dataset": )" +
                 std::string(dataset) + "}")
                    .c_str())));
        const QString error = runPython(programs, "2.4");
        QVERIFY2(error.isEmpty(), qPrintable(error));
    }

    void policyAndSeedStandBeforeTheModel() {
        for (const PythonApi api : {PythonApi::TensorFlow24, PythonApi::TensorFlow21}) {
            const std::string program =
                programOf(smallProject(R"(, "training": {"precision": "float16", "seed": 7})"), api);
            const std::size_t model = program.find("model = create_model()");
            QVERIFY(program.find("set_random_seed") == std::string::npos);
            QVERIFY(program.find("_policy(\"float16\")") < model);
            QVERIFY(program.find("tf.random.set_seed(7)") < model);
            QVERIFY(program.find("ipu.utils.reset_ipu_seed(7)") < model);
        }
    }

    /// Keras' files say float32 of every layer that was told nothing; only a policy of its own is written.
    void aLayersTypeIsWrittenWhereItIsItsOwn() {
        const auto project = [](const char* type) {
            const std::string layer =
                R"({"class_name": "Dense", "config": {"name": "own", "units": 8, "dtype": )" +
                std::string(type) + "}},";
            return smallProject(R"(, "training": {"precision": "float16"})", layer.c_str());
        };
        QVERIFY(programOf(project("\"float32\"")).find("dtype=\"float32\", name=") == std::string::npos);
        const core::Project own = project(R"({"class_name": "Policy", "config": {"name": "float32"}})");
        const std::string program = withoutComment(programOf(own));
        QVERIFY(program.find("dtype=\"float32\", name=\"own\"") != std::string::npos);
        const auto again = core::readPythonProgram(program, "p.py");
        QVERIFY(again.has_value());
        QCOMPARE(again->project.model.layers[1].config.value("dtype", Json()),
                 own.model.layers[1].config.value("dtype", Json()));
    }

    /// Its Sequential takes a list and no name, and its fit() no samples of validation.
    void theModelsOfTheOlderEditionAreToldWhatTheyTake() {
        const auto older = [](const core::Project& project) {
            return withoutComment(programOf(project, PythonApi::TensorFlow21));
        };
        const std::string plain = older(smallProject(""));
        QVERIFY(plain.find("model = ipu.keras.Sequential(layers)") != std::string::npos);
        const std::string sharded = older(smallProject(R"(, "pipeline": {"sharding": [0, 1]})"));
        QVERIFY(sharded.find("with ipu.scopes.ipu_shard(1):") != std::string::npos);
        QVERIFY(sharded.find("model = ipu.keras.Model(inputs=") != std::string::npos);
        QVERIFY(sharded.find("model.add") == std::string::npos);
        const std::string validated = older(smallProject(R"(, "training": {"optimizer": "SGD", "loss": "mse",
            "validation_dataset": {"kind": "synthetic", "samples": 64}})"));
        QVERIFY(validated.find("validation_data=") == std::string::npos);
        QVERIFY2(validated.find("model.evaluate(create_validation_dataset(), steps_per_run=1)") !=
                     std::string::npos,
                 validated.c_str());
        const auto again = core::readPythonProgram(validated, "p.py");
        QVERIFY(again.has_value());
        QVERIFY(again->project.training.validationDataset.has_value());
        refusedAt(smallProject(R"(, "training": {"optimizer": "SGD", "loss": "mse",
            "callbacks": ["EarlyStopping"], "validation_dataset": {"kind": "synthetic", "samples": 64}})"),
                  PythonApi::TensorFlow21, "/training/callbacks");
    }

    /// The program has no other word for replicas than the number of IPUs.
    void replicasFollowFromTheNumberOfIpus() {
        const core::Project project = smallProject(R"(, "replicas": 1, "pipeline": {"stages": [0, 1]})");
        QVERIFY(programOf(project).find("config.auto_select_ipus = 2") != std::string::npos);
        core::Project three = project;
        three.replicas = 3;
        QVERIFY(programOf(three, PythonApi::TensorFlow21).find("num_ipus=6") != std::string::npos);
        core::Project whole = project;
        whole.replicas.reset();
        QVERIFY(programOf(whole).find("config.auto_select_ipus = 8  # 4 replicas of 2 IPUs") !=
                std::string::npos);
    }

    void queuesAreToldByTheirSetters() {
        const core::Project project = smallProject(
            R"(, "training": {"infeed": {"prefetch_depth": 9}, "outfeed": {"buffer_depth": 5}})");
        const std::string program = programOf(project);
        QVERIFY(program.find("model.set_infeed_queue_options(prefetch_depth=9)") != std::string::npos);
        QVERIFY(program.find("model.set_outfeed_queue_options(buffer_depth=5)") != std::string::npos);
        const auto again = core::readPythonProgram(withoutComment(program), "p.py");
        QVERIFY(again.has_value());
        QCOMPARE(again->project.training.infeed.prefetchDepth, std::int64_t{9});
        QCOMPARE(again->project.training.outfeed.bufferDepth, std::int64_t{5});
        refusedAt(project, PythonApi::TensorFlow21, "/training/infeed/prefetch_depth");
    }

    /// What the program would not say is refused, with its place.
    void whatFitDoesNotTakeIsRefused() {
        for (const PythonApi api : {PythonApi::TensorFlow24, PythonApi::TensorFlow21}) {
            refusedAt(smallProject(R"(, "training": {"outfeed_mode": "LAST"})"), api,
                      "/training/outfeed_mode");
            refusedAt(smallProject(R"(, "training": {"distribution": "IPUHorovodStrategy"}, "ipu_config":
                {"experimental.multi_replica_distribution.process_count": 2})"),
                      api, "/training/distribution");
        }
    }

    /// Losses that are held as models are functions of the program, and come back as what they compute.
    void lossFunctionsComeBack_data() {
        QTest::addColumn<QString>("program");
        for (const char* program : {"data_loss_in_stage", "data_loss_by_hand_in_stage", "data_loss_in_tape",
                                    "data_loss_class", "data_loss_focal", "data_loss_with_noise",
                                    "data_loss_of_two_outputs", "26_weighted_own_losses"})
            QTest::newRow(program) << program;
    }
    void lossFunctionsComeBack() {
        QFETCH(QString, program);
        const auto path = tests::projectRoot() / "tests" / "core" / "interchange" / "python_programs" /
                          (program + ".py").toStdString();
        const auto original = core::importProject(core::readFile(path).value(), "p.py");
        QVERIFY(original.has_value());
        const auto computed = [](const core::Project& project) {
            std::vector<std::string> names;
            for (const auto& loss : project.training.losses) {
                names.push_back(loss.className);
                const nlohmann::json config = nlohmann::json::parse(loss.config.dump());
                for (const auto& layer :
                     config.value("/model/config/layers"_json_pointer, nlohmann::json::array()))
                    names.push_back(
                        layer["config"].value("function", layer["class_name"].get<std::string>()));
            }
            // Class numbers are put in a row first, which changes nothing here.
            std::erase(names, "reshape");
            return names;
        };
        const std::string text = withoutComment(programOf(original->project));
        QVERIFY(text.find("def loss(y_true, y_pred):") != std::string::npos);
        const auto again = core::readPythonProgram(text, "p.py");
        QVERIFY2(again.has_value(), again ? "" : core::toText(again.error().front()).c_str());
        QCOMPARE(computed(again->project), computed(original->project));
        REQUIRE_PYTHON();
        QCOMPARE(runPython({text}, "2.4"), QString());
    }

    /// A prediction of one number for each sample is compared with labels that are one number, not with a
    /// column of them.
    void aLossOfOneNumberEachComesBack() {
        const auto path = tests::projectRoot() / "tests" / "core" / "interchange" / "python_programs" /
                          "loss_of_one_number_each.py";
        const auto original = core::importProject(core::readFile(path).value(), "p.py");
        QVERIFY(original.has_value());
        const auto shapes = [](const core::Project& project) {
            const nlohmann::json config =
                nlohmann::json::parse(project.training.losses.front().config.dump());
            std::string text;
            for (const auto& layer : config["model"]["config"]["layers"])
                text += layer["config"].value("batch_input_shape", nlohmann::json()).dump();
            return QString::fromStdString(text);
        };
        for (const PythonApi api : {PythonApi::TensorFlow24, PythonApi::TensorFlow21}) {
            const auto again =
                core::readPythonProgram(withoutComment(programOf(original->project, api)), "p.py");
            QVERIFY2(again.has_value(), again ? "" : core::toText(again.error().front()).c_str());
            QCOMPARE(shapes(again->project), shapes(original->project));
        }
    }

    /// What predict() is told of its steps holds beside the description of its dataset.
    void stepsOfAPredictionComeBack() {
        const core::Project project = smallProject(
            R"(, "training": {"steps_per_execution": 5, "steps_per_epoch": 10,
                              "dataset": {"kind": "synthetic", "samples": 400}})");
        for (const PythonApi api : {PythonApi::TensorFlow24, PythonApi::TensorFlow21}) {
            const auto back = core::importProject(withoutComment(programOf(project, api)), "program.py");
            QVERIFY2(back.has_value(), back ? "" : core::toText(back.error().front()).c_str());
            QCOMPARE(back->project.training.stepsPerExecution, 5);
            QCOMPARE(back->project.training.stepsPerEpoch.value_or(0), 10);
        }
    }

    void severalOutputsGetSeveralLabels() {
        const core::Project project =
            projectOf(R"({"format": "ipu-workbench-project", "version": 1, "name": "two",
            "model": {"class_name": "Functional", "config": {"name": "two", "layers": [
                {"class_name": "InputLayer", "name": "x", "config": {"name": "x", "batch_input_shape": [null, 8]}, "inbound_nodes": []},
                {"class_name": "Dense", "name": "a", "config": {"name": "a", "units": 3}, "inbound_nodes": [[["x", 0, 0, {}]]]},
                {"class_name": "Dense", "name": "b", "config": {"name": "b", "units": 5}, "inbound_nodes": [[["x", 0, 0, {}]]]}],
                "input_layers": [["x", 0, 0]], "output_layers": [["a", 0, 0], ["b", 0, 0]]}},
            "training": {"loss": ["SparseCategoricalCrossentropy", "MeanSquaredError"],
                         "dataset": {"kind": "synthetic", "samples": 64}}, "system": {"ipus": 1, "target": "ipu2"}})");
        const std::string program = programOf(project);
        for (const char* line : {"labels_0 = rng.integers(0, 3, [64], dtype=\"int32\")",
                                 "labels_1 = rng.random([64, 5], dtype=\"float32\")",
                                 "from_tensor_slices((inputs, (labels_0, labels_1)))"})
            QVERIFY2(program.find(line) != std::string::npos, program.c_str());
    }

    void stageListsHoldNoInputLayer() {
        const std::string program =
            programOf(smallProject(R"(, "pipeline": {"stages": [0, 1]})"), PythonApi::TensorFlow21);
        QVERIFY2(program.find("    layers = [\n        [\n            tf.keras.layers.Dense(8") !=
                     std::string::npos,
                 program.c_str());
        QVERIFY2(program.find("        ],\n        [\n            tf.keras.layers.Dense(4") !=
                     std::string::npos,
                 program.c_str());
        QVERIFY(program.find("batch_input_shape=[None, 8]") != std::string::npos);
        QVERIFY(program.find("tf.keras.Input") == std::string::npos);
    }

    void modulesAreImportedWhereTheyAreUsed() {
        const std::string plain = programOf(smallProject(""));
        QVERIFY(plain.starts_with("import numpy as np\nimport tensorflow as tf\n"));
        QVERIFY(plain.find("import os") == std::string::npos);
        const std::string synthetic =
            programOf(smallProject(R"(, "training": {"synthetic_data": ["infeed", "seed"]})"));
        QVERIFY(synthetic.starts_with("import os\n\nimport numpy as np\n"));
        QVERIFY(synthetic.find("--synthetic_data_categories=infeed,seed\"") != std::string::npos);
        const auto again = core::readPythonProgram(withoutComment(synthetic), "p.py");
        QVERIFY(again.has_value());
        QVERIFY(again->project.training.syntheticData.infeed && again->project.training.syntheticData.seed);
        QVERIFY(!again->project.training.syntheticData.outfeed);
    }

    void enumerationsStandInTheModuleOfTheirEdition() {
        const core::Project project = smallProject(R"(, "ipu_config": {"selection_order": "SNAKE"})");
        QVERIFY(programOf(project).find("ipu.config.SelectionOrder.SNAKE") != std::string::npos);
        QVERIFY(programOf(project, PythonApi::TensorFlow21).find("ipu.utils.SelectionOrder.SNAKE") !=
                std::string::npos);
    }

    /// Where a function of 2.1 had another default than its option has today, the program says the value.
    void olderFunctionsAreToldWhatTheyTurnOnByThemselves() {
        const std::string program =
            programOf(smallProject(R"(, "ipu_config": {"floating_point_behaviour.esr": true,
                              "optimizations.enable_fast_math": true})"),
                      PythonApi::TensorFlow21);
        for (const char* text : {"inv=False", "nanoo=False", "esr=True",
                                 "merge_remote_buffers=ipu.utils.MergeRemoteBuffersBehaviour.IF_BENEFICIAL"})
            QVERIFY2(program.find(text) != std::string::npos, program.c_str());
    }

    void layersOfTheIpuStayLayersOfTheIpu() {
        const auto file = core::readPythonProgram(R"(
model = tf.keras.Sequential([
    tf.keras.layers.Dense(8, input_shape=(4,)),
    ipu.keras.layers.Dropout(0.5),
    tf.keras.layers.Dropout(0.25),
    ipu.keras.layers.LayerNormalization(),
])
)",
                                                  "p.py");
        QVERIFY(file.has_value());
        const std::string program = programOf(file->project);
        for (const char* text : {"ipu.keras.layers.Dropout(0.5", "tf.keras.layers.Dropout(0.25",
                                 "ipu.keras.layers.LayerNormalization("})
            QVERIFY2(program.find(text) != std::string::npos, program.c_str());
        const auto again = core::readPythonProgram(withoutComment(program), "p.py");
        QVERIFY(again.has_value());
        QVERIFY(program.starts_with(withoutComment(programOf(again->project))));
    }

    /// Functions on tensors are what people write, not Keras' layers for them, which 2.1 does not have.
    void functionsOnTensorsAreWrittenAsFunctions() {
        const auto file = core::readPythonProgram(R"(
inputs = tf.keras.Input(shape=(8, 6))
x = tf.keras.layers.Dense(6)(inputs)
y = 1.0 - x * 2 + inputs
z = tf.reshape(y, shape=[-1, 48])
w = tf.nn.relu(z[:, :10])
outputs, h, c = tf.keras.layers.LSTM(4, return_state=True)(tf.math.reduce_mean(x, axis=-1, keepdims=True))
model = tf.keras.Model(inputs, [tf.concat([w, h], axis=-1), c])
)",
                                                  "p.py");
        QVERIFY2(file.has_value(), file ? "" : core::toText(file.error().front()).c_str());
        for (const PythonApi api : {PythonApi::TensorFlow24, PythonApi::TensorFlow21}) {
            const std::string program = programOf(file->project, api);
            for (const char* text : {"tf.math.multiply(dense_out, y=2)", "1.0 - multiply_out", "tf.reshape(",
                                     "[:, :10]", "tf.nn.relu(", "tf.concat(["})
                QVERIFY2(program.find(text) != std::string::npos, program.c_str());
            QVERIFY(program.find("deserialize") == std::string::npos);
            const auto again = core::readPythonProgram(program, "p.py");
            QVERIFY(again.has_value());
            QCOMPARE(nlohmann::json::parse(core::toJson(again->project).dump()),
                     nlohmann::json::parse(core::toJson(file->project).dump()));
            REQUIRE_PYTHON();
            const QString error = runPython({program}, api == PythonApi::TensorFlow24 ? "2.4" : "2.1");
            QVERIFY2(error.isEmpty(), qPrintable(error));
        }
    }

    void codeThatIsNotInTheProjectIsRefused_data() {
        QTest::addColumn<QString>("layer");
        QTest::addColumn<QString>("says");
        QTest::newRow("a class of somebody's own")
            << R"({"class_name": "MyLayer", "config": {"name": "mine"}},)"
            << "what the layer MyLayer computes is not in the project";
        QTest::newRow("a node of an ONNX graph")
            << R"({"class_name": "OnnxNode", "config": {"name": "mine", "op_type": "Round", "domain": "", "opset": 13,
                   "attributes": {}, "operands": [0], "outputs": [0]}},)"
            << "no layer of Keras is the ONNX operator Round";
        QTest::newRow("a layer of later editions")
            << R"({"class_name": "RandomGrayscale", "config": {"name": "mine"}},)"
            << "has no layer RandomGrayscale";
    }
    void codeThatIsNotInTheProjectIsRefused() {
        QFETCH(QString, layer);
        QFETCH(QString, says);
        const core::Project project = smallProject("", qPrintable(layer));
        for (const PythonApi api : {PythonApi::TensorFlow24, PythonApi::TensorFlow21}) {
            refusedAt(project, api, "mine");
            const std::string message = core::writePythonProgram(project, api).error().front().message;
            QVERIFY2(QString::fromStdString(message).contains(says), message.c_str());
        }
    }

    void whatAnEditionCannotSayIsRefusedWithPlaceAndCure_data() {
        QTest::addColumn<QString>("sections");
        QTest::addColumn<QString>("place");
        QTest::addColumn<bool>("isInBoth");
        const auto row = [](const char* sections, const char* place, bool isInBoth) {
            QTest::newRow(place) << sections << place << isInBoth;
        };
        row(R"(, "pipeline": {"stages": [0, 1], "accumulate_outfeed": true})", "/pipeline/accumulate_outfeed",
            false);
        row(R"(, "pipeline": {"offload_activations": true})", "/pipeline/offload_activations", true);
        row(R"(, "training": {"asynchronous_callbacks": true})", "/training/asynchronous_callbacks", false);
        row(R"(, "training": {"validation_split": 0.25})", "/training/validation_split", true);
        row(R"(, "training": {"optimizer": {"class_name": "LAMB", "config": {}}})", "/training/optimizer",
            true);
        row(R"(, "training": {"loss": "Dice"})", "/training/loss", true);
        row(R"(, "pipeline": {"stages": [0, 1], "weight_update_poplar_options": {"slice_options": {"availableMemoryProportion": "0.1"}}})",
            "/pipeline/weight_update_poplar_options", true);
    }
    void whatAnEditionCannotSayIsRefusedWithPlaceAndCure() {
        QFETCH(QString, sections);
        QFETCH(QString, place);
        QFETCH(bool, isInBoth);
        const core::Project project = smallProject(qPrintable(sections));
        refusedAt(project, PythonApi::TensorFlow21, qPrintable(place));
        if (isInBoth)
            refusedAt(project, PythonApi::TensorFlow24, qPrintable(place));
        else
            QVERIFY(core::writePythonProgram(project, PythonApi::TensorFlow24).has_value());
    }

    /// codelet_expression_op() has no gradient: behind weights that are trained a formula is functions that
    /// have one.
    void aFormulaThatIsTrainedThroughIsArithmetic_data() {
        QTest::addColumn<bool>("isBehindWeights");
        QTest::addColumn<bool>("isOld");
        for (const bool isBehind : {false, true})
            for (const bool isOld : {false, true})
                QTest::addRow("%d %d", isBehind ? 1 : 0, isOld ? 1 : 0) << isBehind << isOld;
    }
    void aFormulaThatIsTrainedThroughIsArithmetic() {
        QFETCH(const bool, isBehindWeights);
        QFETCH(const bool, isOld);
        const PythonApi api = isOld ? PythonApi::TensorFlow21 : PythonApi::TensorFlow24;
        const std::string dense =
            isBehindWeights ? R"({"class_name": "Dense", "config": {"name": "zero", "units": 8}},)" : "";
        const std::string formula =
            R"({"class_name": "ElementwiseExpression", "config": {"expression": "x0 * 2 + x0 ^ 2", "name": "f"}},)";
        const core::Project project = smallProject(
            R"(, "training": {"optimizer": "SGD", "loss": "MeanSquaredError"})", (dense + formula).c_str());
        const std::string program = programOf(project, api);
        QCOMPARE(program.find("codelet_expression_op") == std::string::npos, isBehindWeights);
        QCOMPARE(program.find("return x0 * 2 + x0 ** 2") != std::string::npos ||
                     program.find("return x0 * 2 + x0**2") != std::string::npos,
                 isBehindWeights);
        const auto again = core::readPythonProgram(withoutComment(program), "p.py");
        QVERIFY2(again.has_value(), again ? "" : core::toText(again.error().front()).c_str());
        QCOMPARE(again->project.model.layers.size(), project.model.layers.size());
        for (std::size_t i = 0; i < project.model.layers.size(); ++i)
            QCOMPARE(again->project.model.layers[i].className, project.model.layers[i].className);
    }

    void oddNamesAndTextsAreWrittenSafely_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"class", "tf", "model", "layers", "two words", "a\"b\\c", "größe", "1st", "_hidden",
              "first\nline", "create_model", "ElementwiseExpression", "層", "x[0]", "ipu"})
            QTest::newRow(name) << name;
    }
    void oddNamesAndTextsAreWrittenSafely() {
        QFETCH(QString, name);
        const Json quoted = name.toStdString();
        const std::string layers =
            R"({"class_name": "ElementwiseExpression", "config": {"expression": "x0 * 2", "name": )" +
            quoted.dump() + "}},";
        core::Project project = smallProject("", layers.c_str());
        project.name = name.toStdString();
        project.training.weights = name.toStdString();
        // The same as a functional model, where names become variables.
        core::Project functional = project;
        functional.model.kind = core::ModelKind::Functional;
        std::vector<std::string> programs;
        for (const core::Project& each : {project, functional}) {
            const std::string program = programOf(each);
            QVERIFY(!program.empty());
            QCOMPARE(programOf(each), program); // same project, same bytes
            const auto again = core::readPythonProgram(program, "p.py");
            QVERIFY2(again.has_value(), again ? "" : core::toText(again.error().front()).c_str());
            QCOMPARE(nlohmann::json::parse(core::toJson(again->project).dump()),
                     nlohmann::json::parse(core::toJson(each).dump()));
            programs.push_back(program);
        }
        REQUIRE_PYTHON();
        const QString error = runPython(programs, "2.4");
        QVERIFY2(error.isEmpty(), qPrintable(error + QString::fromStdString(programs[0])));
    }

private:
    /// An edition may lack something: one message for each thing, with its place and what to do.
    static void mustBeAClearRefusal(const core::Diagnostics& errors, const QString& edition) {
        QCOMPARE(edition, QString("2.1"));
        for (const core::Diagnostic& error : errors) {
            QCOMPARE(error.code, std::string("python/api"));
            QVERIFY(!error.location.place.empty());
            QVERIFY(!error.hints.empty());
        }
        QCOMPARE(errors.size(), std::size_t{1});
    }

    static void refusedAt(const core::Project& project, PythonApi api, const char* place) {
        const auto program = core::writePythonProgram(project, api);
        QVERIFY(!program.has_value());
        QCOMPARE(program.error().front().code, std::string("python/api"));
        QCOMPARE(program.error().front().location.place, std::string(place));
        QVERIFY(!program.error().front().hints.empty());
    }
};

REGISTER_TEST("python_export", PythonExportTest)
#include "python_export_test.moc"
