#include "core/base/file.h"
#include "core/interchange/importer_catalogue.h"
#include "core/model/graph/model_summary.h"
#include "core/project/validate.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace {

using core::Json;

std::string messagesOf(const core::Diagnostics& findings) {
    std::string text;
    for (const core::Diagnostic& finding : findings)
        text += core::toText(finding) + "\n";
    return text;
}

/// What a person sees of an imported project, by the keys in which the programs say what they expect.
nlohmann::json outcomeOf(const core::Project& project) {
    const nlohmann::json document = nlohmann::json::parse(core::toJson(project).dump());
    nlohmann::json seen;
    seen["classes"] = nlohmann::json::array();
    for (const core::Layer& layer : project.model.layers)
        seen["classes"].push_back(layer.className);
    seen["layer_count"] = project.model.layers.size();
    seen["activations"] = nlohmann::json::array();
    for (const core::Layer& layer : project.model.layers)
        if (const Json activation = layer.config.value("activation", Json()); activation.is_string())
            seen["activations"].push_back(activation.get<std::string>());
    seen["stages"] = project.assignment.stageCount();
    seen["stage_list"] = nlohmann::json::array();
    for (const core::StageId stage : project.assignment.stages)
        seen["stage_list"].push_back(stage.isValid() ? nlohmann::json(stage.index()) : nlohmann::json());
    seen["schedule"] = project.pipeline.schedule;
    seen["accumulation"] = project.pipeline.gradientAccumulationSteps
                               ? nlohmann::json(*project.pipeline.gradientAccumulationSteps)
                               : nlohmann::json();
    seen["ipus"] = project.system.ipus;
    seen["steps_per_execution"] = project.training.stepsPerExecution;
    seen["epochs"] = project.training.epochs;
    seen["batch"] = project.training.batchSize;
    seen["steps_per_epoch"] =
        project.training.stepsPerEpoch ? nlohmann::json(*project.training.stepsPerEpoch) : nlohmann::json();
    for (const core::Layer& layer : project.model.layers) {
        const Json shape = layer.config.value("batch_input_shape", layer.config.value("batch_shape", Json()));
        if (!seen.contains("input") && shape.is_array())
            seen["input"] = nlohmann::json::parse(shape.dump());
    }
    if (project.training.optimizer) {
        seen["optimizer"] = project.training.optimizer->className;
        seen["optimizer_config"] = nlohmann::json::parse(project.training.optimizer->config.dump());
    }
    if (!project.training.losses.empty()) {
        seen["loss"] = project.training.losses.front().className;
        seen["reduction"] =
            nlohmann::json::parse(project.training.losses.front().config.value("reduction", Json()).dump());
    }
    for (const auto& loss : project.training.losses) {
        const nlohmann::json config = nlohmann::json::parse(loss.config.dump());
        nlohmann::json computed = nlohmann::json::array();
        if (config.contains("model"))
            for (const auto& layer : config["model"]["config"]["layers"])
                if (layer["class_name"] != "InputLayer")
                    computed.push_back(
                        layer["config"].value("function", layer["class_name"].get<std::string>()));
        seen["losses"].push_back(config.contains("model") ? computed : nlohmann::json(loss.className));
    }
    seen["casts"] = nlohmann::json::array();
    for (const nlohmann::json& layer : document["model"]["config"]["layers"])
        if (layer["config"].value("function", "") == "cast")
            seen["casts"].push_back(layer["inbound_nodes"][0][0][3].value("dtype", ""));
    if (document.contains("training")) {
        const nlohmann::json& training = document["training"];
        seen["class_weights"] =
            training.value("dataset", nlohmann::json::object()).value("class_weights", nlohmann::json());
        seen["metrics"] = training.value("metrics", nlohmann::json());
        seen["loss_weights"] = training.value("loss_weights", nlohmann::json());
        for (const char* key : {"seed", "outfeed_mode", "infeed", "outfeed", "precision", "callbacks",
                                "validation_steps", "average_replica_gradients", "synthetic_data"})
            if (training.contains(key))
                seen[key] = training[key];
    }
    return seen;
}

/// The blocks of Python in a tutorial, one program.
std::string tutorialProgram(const std::string& text) {
    std::string program;
    std::size_t at = 0;
    constexpr std::string_view fence = "```python\n";
    while ((at = text.find(fence, at)) != std::string::npos) {
        at += fence.size();
        const std::size_t end = text.find("```", at);
        program += text.substr(at, end - at);
        at = end;
    }
    return program;
}

} // namespace

/// Programs in the style of the documents that people have, each with the outcome of its import.
class PythonProgramsTest : public QObject {
    Q_OBJECT

private slots:
    void everyProgramHasItsOutcome_data() {
        QTest::addColumn<QString>("path");
        const std::filesystem::path folder =
            tests::projectRoot() / "tests" / "core" / "interchange" / "python_programs";
        std::set<std::string> paths;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            paths.insert(entry.path().string());
        QVERIFY(paths.size() >= 40);
        for (const std::string& path : paths)
            QTest::newRow(std::filesystem::path(path).stem().c_str()) << QString::fromStdString(path);
    }
    void everyProgramHasItsOutcome() {
        QFETCH(const QString, path);
        const auto text = core::readFile(path.toStdString());
        QVERIFY(text.has_value());
        const nlohmann::json expected = nlohmann::json::parse(text->substr(2, text->find('\n') - 2));
        const auto file = core::importProject(*text, "program.py");
        if (expected.contains("error")) {
            QVERIFY(!file.has_value());
            const core::Diagnostic& error = file.error().front();
            QCOMPARE(error.code, expected["error"].get<std::string>());
            QVERIFY(error.location.place.find(':') != std::string::npos);
            if (expected.contains("says"))
                QVERIFY2(messagesOf(file.error()).find(expected["says"].get<std::string>()) !=
                             std::string::npos,
                         messagesOf(file.error()).c_str());
            if (expected.contains("line"))
                QCOMPARE(error.location.place.substr(0, error.location.place.find(':')),
                         std::to_string(expected["line"].get<int>()));
            QVERIFY(!error.hints.empty() && !error.hints.front().empty());
            return;
        }
        QVERIFY2(file.has_value(), file ? "" : messagesOf(file.error()).c_str());
        nlohmann::json seen = outcomeOf(file->project);
        if (expected.contains("warning"))
            QVERIFY2(std::ranges::count(file->warnings, expected["warning"].get<std::string>(),
                                        &core::Diagnostic::code) > 0,
                     messagesOf(file->warnings).c_str());
        if (expected.contains("no_warning"))
            QVERIFY2(std::ranges::count(file->warnings, expected["no_warning"].get<std::string>(),
                                        &core::Diagnostic::code) == 0,
                     messagesOf(file->warnings).c_str());
        if (expected.contains("says"))
            QVERIFY2(messagesOf(file->warnings).find(expected["says"].get<std::string>()) !=
                         std::string::npos,
                     messagesOf(file->warnings).c_str());
        if (expected.contains("shuffle")) // not of the tutorial, whose samples are not those that are shipped
            seen["shuffle"] =
                nlohmann::json::parse(core::toJson(file->project).dump())
                    .value(nlohmann::json::json_pointer("/training/dataset/shuffle"), nlohmann::json());
        if (expected.contains("effective_batch") || expected.contains("replicas")) {
            const auto sound = core::validate(file->project, core::RunMode::Train);
            QVERIFY2(sound.has_value(), sound ? "" : messagesOf(sound.error()).c_str());
            seen["effective_batch"] = sound->effectiveBatch();
            seen["replicas"] = sound->replicas();
        }
        if (expected.contains("parameters") || expected.contains("trainable")) {
            const auto summary = core::summarize(file->project.model, 1);
            QVERIFY2(summary.has_value(), summary ? "" : messagesOf(summary.error()).c_str());
            seen["parameters"] = summary->parameters;
            seen["trainable"] = summary->trainableParameters;
        }
        if (expected.contains("options")) {
            const nlohmann::json document = nlohmann::json::parse(core::toJson(file->project).dump());
            const nlohmann::json options = document.value("ipu_config", nlohmann::json::object());
            for (const auto& [name, value] : expected["options"].items())
                QCOMPARE(options.value(name, nlohmann::json()).dump(), value.dump());
        }
        if (expected.contains("config")) {
            const auto& config = file->project.model.layers[expected["config"][0].get<std::size_t>()].config;
            const Json value = config.value(expected["config"][1].get<std::string>(), Json());
            QCOMPARE(nlohmann::json::parse(value.dump()).dump(), expected["config"][2].dump());
        }
        for (const auto& [key, value] : expected.items()) {
            if (key != "warning" && key != "no_warning" && key != "says" && key != "options" &&
                key != "config")
                QVERIFY2(seen[key] == value,
                         fmt::format("{} is {}, not {}", key, seen[key].dump(), value.dump()).c_str());
        }
    }

    /// The five programs of the tutorial are the projects that come with this program.
    void theTutorialIsTheShippedProjects_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("project");
        const auto row = [](const char* model, const char* project) {
            QTest::newRow(project) << model << project;
        };
        row("singleIPU", "1-single-functional");
        row("singleIPU-2", "2-single-sequential");
        row("multipleIPUfunctional", "3-pipelined-functional");
        row("multipleIPUsequential", "4-pipelined-sequential");
        row("multipleIPUsequential-2", "5-interleaved");
    }
    void theTutorialIsTheShippedProjects() {
        REQUIRE_SHARED_DATA();
        const auto text =
            core::readFile(tests::sharedData().parent_path() / "seeds" / "004_59d61afe15936208.txt");
        if (!text)
            QSKIP("the tutorial is not on this machine");
        QFETCH(const QString, model);
        QFETCH(const QString, project);
        const std::string program = tutorialProgram(*text);
        const auto unnamed = core::importProject(program, "tutorial.py");
        QVERIFY(!unnamed.has_value());
        QCOMPARE(unnamed.error().front().code, std::string("import/several-models"));
        const auto imported =
            core::importProject(program, "tutorial.py", {model.toStdString(), {}, nullptr, {}});
        QVERIFY2(imported.has_value(), imported ? "" : messagesOf(imported.error()).c_str());
        const auto path =
            tests::projectRoot() / "projects" / "tutorial" / (project + ".ipuproj").toStdString();
        const auto shipped = core::readProject(core::readFile(path).value(), path.string());
        QVERIFY(shipped.has_value());
        nlohmann::json ours = outcomeOf(imported->project);
        nlohmann::json theirs = outcomeOf(shipped->project);
        // The shipped ones run a smaller dataset, so that they are quick.
        QCOMPARE(imported->project.training.stepsPerExecution, 500);
        for (const char* key : {"steps_per_execution", "steps_per_epoch"}) {
            ours.erase(key);
            theirs.erase(key);
        }
        if (project == "5-interleaved") {
            // The tutorial's train() sets the options anew, which replaces the schedule that it wants to
            // show.
            QCOMPARE(ours["schedule"].get<std::string>(), std::string("Grouped"));
            QVERIFY(std::ranges::count(imported->warnings, "python/replaced", &core::Diagnostic::code) == 1);
            ours["schedule"] = "Interleaved";
        }
        QCOMPARE(QString::fromStdString(ours.dump()), QString::fromStdString(theirs.dump()));
        QCOMPARE(imported->project.training.batchSize, 32);
        QCOMPARE(imported->project.training.epochs, shipped->project.training.epochs);
        QCOMPARE(imported->project.training.optimizer->className,
                 shipped->project.training.optimizer->className);
        QVERIFY(imported->project.assignment.stages == shipped->project.assignment.stages);
        const auto sound = core::validate(imported->project, core::RunMode::Train);
        QVERIFY2(sound.has_value(), sound ? "" : messagesOf(sound.error()).c_str());
        QCOMPARE(sound->effectiveBatch(), project.startsWith('1') || project.startsWith('2') ? 32 : 128);
    }

    void severalModelsAreListedAndOneIsTaken() {
        const std::string program = "import tensorflow as tf\n"
                                    "for width in [2, 3]:\n"
                                    "    net = tf.keras.Sequential([tf.keras.layers.Dense(width, "
                                    "input_shape=(4,))], name='net')\n"
                                    "    net.compile('sgd', 'mse')\n";
        const auto asked = core::importProject(program, "p.py");
        QVERIFY(!asked.has_value());
        QVERIFY(asked.error().front().message.find("net, net-2") != std::string::npos);
        const auto second = core::importProject(program, "p.py", {"net-2", {}, nullptr, {}});
        QVERIFY(second.has_value());
        QCOMPARE(second->project.model.layers.back().config["units"].get<int>(), 3);
        const auto none = core::importProject(program, "p.py", {"other", {}, nullptr, {}});
        QCOMPARE(none.error().front().code, std::string("import/no-such-model"));
    }
};

REGISTER_TEST("python_programs", PythonProgramsTest)
#include "python_programs_test.moc"
