#include "core/base/file.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <nlohmann/json.hpp>

using core::Json;
using tests::Answer;
using tests::Workbench;

namespace {

/// The blocks of Python in the tutorial's text, one program.
std::string programIn(const std::string& text) {
    std::string program;
    constexpr std::string_view fence = "```python\n";
    for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
        at += fence.size();
        const std::size_t end = text.find("```", at);
        program += text.substr(at, end - at);
        at = end;
    }
    return program;
}

/// What a project says beside its name, its data and how long it trains: the shipped ones train on 2,000
/// digits, in 60 steps instead of 500. Inputs are named as Keras counts them in each program.
Json contentOf(const std::filesystem::path& path) {
    const Json project = Json::parse(core::readFile(path).value());
    Json content = Json::object();
    for (const char* key : {"pipeline", "training", "system", "ipu_config", "replicas"})
        if (project.contains(key))
            content[key] = project[key];
    for (const char* key : {"dataset", "steps_per_execution", "steps_per_epoch"})
        content["training"].erase(key);
    content["training"]["batch_size"] = content["training"].value("batch_size", 32);
    if (content.contains("pipeline"))
        content["pipeline"]["schedule"] = content["pipeline"].value("schedule", "Grouped");
    content["model"] = {project["model"]["class_name"], project["model"]["config"]["name"]};
    for (const Json& layer : project["model"]["config"]["layers"]) {
        Json config = layer["config"];
        config.erase("batch_input_shape");
        if (layer["class_name"] != "InputLayer")
            content["layers"].push_back({layer["class_name"], std::move(config)});
    }
    for (auto& [key, section] : content.items()) // the order of keys says nothing
        section = Json::parse(nlohmann::json::parse(section.dump()).dump());
    return content;
}

Json ranWith(const Workbench& workbench, const QString& project, const QStringList& settings) {
    const Answer ran =
        workbench.run(QStringList{"run", project, "--json", "--quiet", "--database", "r.sqlite", "--set",
                                  "training.steps_per_execution=60", "--set", "training.steps_per_epoch=60"} +
                      settings);
    if (ran.code != 0)
        QTest::qFail(ran.err, __FILE__, __LINE__);
    Json figures = Json::object();
    const Json run = ran.json();
    for (const char* key : {"ipus", "replicas", "effective_batch", "executions", "step_cycles", "stages",
                            "memory", "metrics", "samples_per_second"})
        figures[key] = run[key];
    return figures;
}

} // namespace

/// The five programs of the tutorial, imported from its text, are the projects that come with this program.
class TutorialTest : public QObject {
    Q_OBJECT

private slots:
    void theTextIsTheShippedProject_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("project");
        QTest::newRow("1") << "singleIPU"
                           << "1-single-functional";
        QTest::newRow("2") << "singleIPU-2"
                           << "2-single-sequential";
        QTest::newRow("3") << "multipleIPUfunctional"
                           << "3-pipelined-functional";
        QTest::newRow("4") << "multipleIPUsequential"
                           << "4-pipelined-sequential";
        QTest::newRow("5") << "multipleIPUsequential-2"
                           << "5-interleaved";
    }
    void theTextIsTheShippedProject() {
        REQUIRE_SHARED_DATA();
        const auto text =
            core::readFile(tests::sharedData().parent_path() / "seeds" / "004_59d61afe15936208.txt");
        if (!text)
            QSKIP("the tutorial is not on this machine");
        QFETCH(const QString, model);
        QFETCH(const QString, project);
        const Workbench workbench;
        workbench.write("tutorial.py", programIn(*text));
        const Answer imported =
            workbench.run({"import", "tutorial.py", "--model", model, "-o", "imported.ipuproj"});
        QVERIFY2(imported.code == 0, imported.err);
        const std::filesystem::path shipped =
            tests::projectRoot() / "projects" / "tutorial" / (project + ".ipuproj").toStdString();
        Json ours = contentOf(workbench.path("imported.ipuproj"));
        Json theirs = contentOf(shipped);
        QStringList settings;
        if (model == "multipleIPUsequential-2") {
            // Its own train() sets the options anew, which replaces the schedule that the text is about.
            QVERIFY2(imported.err.contains("[python/replaced]"), imported.err);
            QCOMPARE(theirs["pipeline"]["schedule"].get<std::string>(), std::string("Interleaved"));
            QCOMPARE(ours["pipeline"]["schedule"].get<std::string>(), std::string("Grouped"));
            theirs["pipeline"].erase("schedule");
            ours["pipeline"].erase("schedule");
            settings = QStringList{"--set", "pipeline.schedule=Interleaved"};
        }
        QCOMPARE(QString::fromStdString(ours.dump(1)), QString::fromStdString(theirs.dump(1)));
        QCOMPARE(
            QString::fromStdString(ranWith(workbench, "imported.ipuproj", settings).dump(1)),
            QString::fromStdString(ranWith(workbench, QString::fromStdString(shipped.string()), {}).dump(1)));
    }
};

REGISTER_TEST("tutorial", TutorialTest)
#include "tutorial_test.moc"
