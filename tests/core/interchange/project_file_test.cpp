#include "core/interchange/keras/keras_json.h"
#include "core/interchange/project/project_file.h"
#include "tests/core/project/project_fixture.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QTest>
#include <algorithm>
#include <random>

using core::Json;

namespace {

const std::string wholeText = R"({
  "format": "ipu-workbench-project", "version": 1, "name": "whole",
  "model": {"class_name": "Sequential", "config": {"name": "seq", "layers": [
    {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 8], "dtype": "float32", "name": "in"}},
    {"class_name": "Dense", "config": {"name": "a", "units": 4, "activation": "relu"}},
    {"class_name": "Dense", "config": {"name": "b", "units": 4}}]}},
  "pipeline": {"stages": {"a": 0, "b": 1}, "device_mapping": [1, 0], "pipeline_schedule": "Interleaved",
    "recomputation_mode": null, "gradient_accumulation_steps_per_replica": 8},
  "training": {"batch_size": 16, "steps_per_execution": 64, "optimizer": "adam", "loss": "mse",
    "metrics": ["accuracy", "mae"], "dataset": {"kind": "synthetic", "samples": 128}},
  "replicas": 2,
  "system": {"ipus": 4, "target": "bow", "remote_memory": false, "clock_hz": 1.5e9},
  "ipu_config": {"allow_recompute": true, "matmuls.poplar_options": {"availableMemoryProportion": "0.3"}},
  "opaque_layers": {"b": {"output_shape": [null, 4], "parameters": 20}},
  "canvas": {"positions": {"a": [120, 80.5]}, "frames": [{"name": "block"}],
    "notes": [{"text": "the stem", "layers": ["b", "a"], "colour": 2}]}
})";

/// The whole project with one part replaced.
std::string changed(const std::string& from, const std::string& to) {
    std::string text = wholeText;
    const auto at = text.find(from);
    return at == std::string::npos ? "" : text.replace(at, from.size(), to);
}

QString firstFinding(const std::string& text) {
    const auto read = core::readProject(text, "p");
    return read ? "" : QString::fromStdString(core::toText(read.error().front()));
}

} // namespace

class ProjectFileTest : public QObject {
    Q_OBJECT

private slots:
    void readsEverySection() {
        const auto read = core::readProject(wholeText, "p");
        QVERIFY2(read.has_value(), firstFinding(wholeText).toUtf8());
        const core::Project& project = read->project;
        QCOMPARE(project.assignment.stageCount(), std::size_t{2});
        QVERIFY(project.pipeline.schedule == "Interleaved");
        QCOMPARE(project.training.metrics.size(), std::size_t{2});
        QCOMPARE(project.replicas.value_or(0), std::int64_t{2});
        QCOMPARE(project.system.other["clock_hz"].get<double>(), 1.5e9);
        QCOMPARE(project.opaqueLayers.at("b").parameters, std::int64_t{20});
        QCOMPARE(project.canvas.positions.at("a").y, 80.5);
        QVERIFY((project.canvas.notes == std::vector<core::CanvasNote>{{"the stem", {"a", "b"}, 2}}));
    }

    void writesWhatItReads() {
        const auto first = core::readProject(wholeText, "p");
        const std::string text = core::writeProject(first->project);
        const auto second = core::readProject(text, "p");
        QVERIFY(second.has_value());
        QVERIFY(second->project == first->project);
        QCOMPARE(core::writeProject(second->project), text);
    }

    void aModelHasStagesOrShards() {
        const auto read = core::readProject(changed("\"stages\"", "\"sharding\""), "p");
        QVERIFY2(read.has_value(), firstFinding(changed("\"stages\"", "\"sharding\"")).toUtf8());
        QVERIFY(read->project.assignment.isSharded() && !read->project.assignment.isPipelined());
        const Json pipeline = core::toJson(read->project)["pipeline"];
        QVERIFY(pipeline.contains("sharding") && !pipeline.contains("stages"));
        QVERIFY(core::readProject(core::writeProject(read->project), "p")->project == read->project);
    }

    void writesAFixedOrderOfKeysWithoutDefaults() {
        const Json json = core::toJson(core::readProject(wholeText, "p")->project);
        std::vector<std::string> keys;
        for (const auto& [key, value] : json.items())
            keys.push_back(key);
        QCOMPARE(keys,
                 (std::vector<std::string>{"format", "version", "name", "model", "pipeline", "training",
                                           "replicas", "system", "ipu_config", "opaque_layers", "canvas"}));
        QVERIFY(!json["pipeline"].contains("recomputation_mode"));
        QVERIFY(!json["training"].contains("epochs"));
    }

    void declaredOpaqueLayersAreNotWarnedOf() {
        const auto warningsWith = [](const std::string& opaque) {
            const auto file = core::readProject(
                R"({"format": "ipu-workbench-project", "version": 1, "model": {"class_name": "Sequential",
                    "config": {"name": "m", "layers": [
                      {"class_name": "InputLayer", "config": {"name": "x", "batch_input_shape": [null, 4]}},
                      {"class_name": "Mystery", "config": {"name": "a"}},
                      {"class_name": "Mystery", "config": {"name": "b"}}]}}, "opaque_layers": )" +
                    opaque + "}",
                "p");
            return file ? std::ranges::count(file->warnings, "keras/unknown-layer", &core::Diagnostic::code)
                        : -1;
        };
        QCOMPARE(warningsWith("{}"), 1);
        QCOMPARE(warningsWith(R"({"a": {"output_shape": [null, 4]}})"), 1);
        QCOMPARE(warningsWith(R"({"a": {"output_shape": [null, 4]}, "b": {"output_shape": [null, 4]}})"), 0);
    }

    void readsTheModelsOfTheWorld() {
        REQUIRE_SHARED_DATA();
        for (const char* name : {"derived_resnet50_1000.json", "densenet121_nested_keras2.4.json",
                                 "captioning_two_inputs_keras2.3.1.json", "mnist_cnn_keras3.json"}) {
            core::Project project;
            core::Diagnostics warnings;
            const auto text = core::readFile(tests::sharedData() / "keras" / name);
            project.model = core::readKerasModelText(*text, name, warnings).value();
            project.name = name;
            const auto read = core::readProject(core::writeProject(project), name);
            QVERIFY2(read.has_value(), name);
            QVERIFY2(read->project == project, name);
        }
    }

    void refusesWhatIsWrong_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("finding");
        const auto row = [](const char* name, const std::string& text, const char* finding) {
            QVERIFY(!text.empty() || std::string_view(name) == "empty");
            QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(finding);
        };
        row("empty", "", "p:1:1: error:");
        row("truncated", wholeText.substr(0, 300), "[json/syntax]");
        row("binary", std::string("\x89PNG\r\n\x1a\n\0\0", 10), "[json/");
        row("a list", "[]", "p: error: expected an object");
        row("a Keras model", R"({"class_name": "Sequential", "config": {}})", "ipu-workbench import");
        row("another format", changed("ipu-workbench-project", "else"),
            "p:/format: error: the format is \"else\"");
        row("a later version", changed("\"version\": 1", "\"version\": 9"), "p:/version: error:");
        row("no version", changed("\"version\": 1,", ""), "the key \"version\" is missing");
        row("no model", changed("\"model\"", "\"modell\""), "the key \"model\" is missing");
        row("an unknown key", changed("\"replicas\"", "\"replica\""), "hint: did you mean \"replicas\"?");
        row("an unknown pipeline key", changed("\"device_mapping\"", "\"device_maping\""),
            "p:/pipeline/device_maping: error: unknown key");
        row("a wrong type", changed("\"replicas\": 2", "\"replicas\": \"two\""),
            "p:/replicas: error: \"replicas\" must be a whole number, not text");
        row("too many IPUs", changed("\"ipus\": 4", "\"ipus\": 1000000000000"), "p:/system/ipus: error:");
        row("no IPUs", changed("\"ipus\": 4", "\"ipus\": -4"), "p:/system/ipus: error:");
        row("a misspelt system key", changed("\"ipus\": 4", "\"ipu\": 4"), "hint: did you mean \"ipus\"?");
        row("stages and shards", changed("\"stages\"", "\"sharding\": [0, 1], \"stages\""),
            "p:/pipeline/sharding: error: a model has pipeline stages or shards, not both");
        row("a stage too many", changed("{\"a\": 0, \"b\": 1}", "[0, 1, 1]"), "[value-error/stage-count]");
        row("an impossible size", changed("\"units\": 4, \"activation\"", "\"units\": -4, \"activation\""),
            "p:/model/");
        row("a note without layers", changed(R"(, "layers": ["b", "a"])", ""), "p:/canvas/notes/0: error:");
        row("a colour that is none", changed(R"("colour": 2)", R"("colour": 9)"),
            "p:/canvas/notes/0/colour: error:");
        row("a bad position", changed("[120, 80.5]", "[120]"), "p:/canvas/positions/a: error:");
        row("a bad shape", changed("[null, 4]", "[null, -4]"), "p:/opaque_layers/b/output_shape: error:");
        row("a duplicate key", changed("\"replicas\": 2,", "\"replicas\": 2, \"replicas\": 2,"),
            "[json/duplicate-key]");
        row("depth", std::string(100000, '[') + std::string(100000, ']'), "nested deeper than");
        row("deep model",
            changed("\"units\": 4,", "\"units\": " + std::string(5000, '[') + std::string(5000, ']') + ","),
            "nested deeper than");
    }

    void refusesWhatIsWrong() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, finding);
        const QString found = firstFinding(text.toStdString());
        QVERIFY2(found.contains(QString::fromUtf8(finding)), found.toUtf8());
        QVERIFY2(found.contains("\nhint: "), found.toUtf8());
    }

    void collectsFindingsOfAllSections() {
        std::string text = changed("\"replicas\": 2", "\"replicas\": 0");
        text.replace(text.find("\"mse\""), 5, "\"msee\"");
        text.replace(text.find("\"target\""), 8, "\"targt\"");
        QCOMPARE(core::readProject(text, "p").error().size(), std::size_t{3});
    }

    void survivesAnyCutAndAnyChangedByte() {
        std::mt19937 random(5);
        for (int round = 0; round < 300; ++round) {
            std::string text = wholeText;
            text[random() % text.size()] = static_cast<char>(random() % 256);
            (void)core::readProject(text, "p");
            (void)core::readProject(text.substr(0, random() % text.size()), "p");
        }
    }

    void loadsAndSavesWithSettings() {
        const QTemporaryDir folder;
        const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "p.ipuproj";
        QVERIFY(core::saveProject(core::readProject(wholeText, "p")->project, path, core::Overwrite::Refuse));
        const auto setting = core::parseSetting("pipeline.schedule=Sequential").value();
        const auto loaded = core::loadProject(path, {setting});
        QVERIFY(loaded->project.pipeline.schedule == "Sequential");
        const auto bad = core::loadProject(path, {core::parseSetting("training.batch_size=many").value()});
        QCOMPARE(bad.error().front().location.place, std::string("--set training.batch_size"));
        QVERIFY(bad.error().front().trouble == core::Trouble::Input);
        QVERIFY(core::loadProject(path / "x").error().front().trouble == core::Trouble::World);
        QVERIFY(!core::saveProject(loaded->project, path, core::Overwrite::Refuse));
    }
};

REGISTER_TEST("project_file", ProjectFileTest)
#include "project_file_test.moc"
