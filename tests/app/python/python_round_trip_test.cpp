#include "core/interchange/python/python_program.h"
#include "core/interchange/templates/template_catalogue.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <algorithm>
#include <fstream>
#include <sstream>

using core::Json;
using tests::Answer;
using tests::Workbench;

namespace {

/// A run of a project; one that does not fit says by how much.
struct Figures {
    Json run;
    QByteArray error;
};
Figures figuresOf(const Workbench& workbench, const QString& project, const QStringList& options) {
    const Answer answer =
        workbench.run(QStringList{"run", project, "--json", "--database", "runs.sqlite"} + options);
    Figures figures;
    if (answer.code == 0)
        figures.run = answer.json();
    else // what is missing, without the names of files
        figures.error = answer.err.mid(answer.err.indexOf("error:")).split('\n').front();
    return figures;
}

/// What a run is about, without its number and its findings.
Json figuresWithin(const Json& run) {
    Json kept = Json::object();
    for (const char* key :
         {"ipus", "replicas", "effective_batch", "executions", "step_cycles", "stages", "memory", "metrics"})
        if (run.contains(key))
            kept[key] = run[key];
    return kept;
}

/// A copy of a folder of data beside the workbench's folder of projects, so that paths stay what they are.
void copyData(const Workbench& workbench) {
    std::filesystem::create_directories(workbench.path("projects"));
    std::filesystem::copy(tests::projectRoot() / "projects/data", workbench.path("data"),
                          std::filesystem::copy_options::recursive);
}

/// Runs a project and what its program of each edition is read as without the comment: all have the same
/// figures.
void comesBack(const Workbench& workbench, const QString& project, const QStringList& options,
               const QStringList& editions = {"2.4", "2.1"}) {
    const Figures before = figuresOf(workbench, project, options);
    QVERIFY(!before.error.isEmpty() || before.run["step_cycles"].get<std::int64_t>() > 0);
    for (const QString& edition : editions) {
        const Answer exported = workbench.run(
            {"export", project, "--format", "python", "--api", edition, "-o", "projects/p.py", "--force"});
        if (exported.code != 0) { // only the older edition lacks something
            QCOMPARE(edition, QString("2.1"));
            QVERIFY2(exported.err.contains("[python/api]") && exported.err.contains("hint: export for 2.4"),
                     exported.err.constData());
            continue;
        }
        std::stringstream program;
        program << std::ifstream(workbench.path("projects/p.py")).rdbuf();
        const std::string text = program.str();
        workbench.write("projects/p.py", text.substr(0, text.find(core::pythonRemainder)));
        const Answer imported =
            workbench.run({"import", "projects/p.py", "-o", "projects/again.ipuproj", "--force"});
        QVERIFY2(imported.code == 0, imported.err.constData());
        const Figures after = figuresOf(workbench, "projects/again.ipuproj", options);
        QCOMPARE(after.error, before.error);
        QCOMPARE(QString::fromStdString(core::toText(figuresWithin(after.run))),
                 QString::fromStdString(core::toText(figuresWithin(before.run))));
    }
}

/// Puts a value at "section.option"; options of ipu_config have dots of their own.
void put(Json& project, const std::string& path, const std::string& value) {
    Json parsed = Json::parse(value, nullptr, false);
    if (parsed.is_discarded())
        parsed = value;
    Json* at = &project;
    std::string rest = path;
    while (rest.find('.') != std::string::npos && !path.starts_with("ipu_config.")) {
        at = &(*at)[rest.substr(0, rest.find('.'))];
        rest.erase(0, rest.find('.') + 1);
    }
    if (path.starts_with("ipu_config.")) {
        at = &project["ipu_config"];
        rest = path.substr(path.find('.') + 1);
    }
    (*at)[rest] = parsed;
}

void listProjects() {
    QTest::addColumn<QString>("file");
    for (const char* file :
         {"tutorial/1-single-functional", "tutorial/2-single-sequential", "tutorial/3-pipelined-functional",
          "tutorial/4-pipelined-sequential", "tutorial/5-interleaved", "accumulation/accumulation",
          "sharding/sharding", "replicas/replicas", "resnet50/resnet50", "encoder/encoder",
          "too-large/too-large"})
        QTest::newRow(file) << file;
}

} // namespace

/// An exported program says everything that a run depends on: without the comment at its end it is read as a
/// project with the same figures.
class PythonRoundTripTest : public QObject {
    Q_OBJECT

private slots:
    void everyBundledProjectComesBackWithoutTheComment_data() { listProjects(); }
    void everyBundledProjectComesBackWithoutTheComment() {
        QFETCH(QString, file);
        const Workbench workbench;
        copyData(workbench);
        const auto source = tests::projectRoot() / "projects" / (file.toStdString() + ".ipuproj");
        std::filesystem::copy_file(source, workbench.path("projects/p.ipuproj"));
        const bool hasData = file != "resnet50/resnet50" && file != "too-large/too-large";
        QStringList options{"--set", "training.epochs=1"};
        options << (hasData ? QStringList{} : QStringList{"--no-numerics"});
        if (file.startsWith("tutorial") || file.startsWith("sharding") || file.startsWith("accumulation"))
            options << "--set"
                    << "training.steps_per_epoch=20"
                    << "--set"
                    << "training.steps_per_execution=20";
        comesBack(workbench, "projects/p.ipuproj", options);
    }

    void everyTemplateComesBackWithoutTheComment_data() {
        QTest::addColumn<QString>("name");
        for (const core::ModelTemplate& entry : core::templateCatalogue())
            QTest::newRow(entry.name.c_str()) << QString::fromStdString(entry.name);
    }
    void everyTemplateComesBackWithoutTheComment() {
        QFETCH(QString, name);
        const Workbench workbench;
        std::filesystem::create_directories(workbench.path("projects"));
        const Answer made = workbench.run({"new", name, "-o", "projects/p.ipuproj"});
        QVERIFY2(made.code == 0, made.err.constData());
        comesBack(workbench, "projects/p.ipuproj", {"--no-numerics", "--set", "training.epochs=1"});
    }

    /// Options that the program has words for, and a system with more IPUs than the replicas need.
    void optionsComeBackWithoutTheComment_data() {
        QTest::addColumn<QStringList>("settings");
        const auto row = [](const char* name, const QStringList& settings) {
            QTest::newRow(name) << settings;
        };
        row("replicas", {"replicas=1", "system.ipus=8"});
        row("as many replicas as fit", {"system.ipus=8", "training.steps_per_execution=16"});
        row("float16", {"training.precision=float16", "training.seed=5"});
        row("queues", {"training.infeed.prefetch_depth=1", "training.outfeed.buffer_depth=1"});
        row("made-up data", {R"(training.synthetic_data=["infeed", "outfeed"])"});
        row("another machine", {"system.target=bow", "system.clock_hz=1000000000", "system.machines=2"});
        row("processes",
            {"system.ipus=8", "ipu_config.experimental.multi_replica_distribution.process_count=2",
             "ipu_config.experimental.multi_replica_distribution.process_index=0"});
        row("offloading",
            {"pipeline.offload_weight_update_variables=true", "ipu_config.allow_recompute=true"});
        row("devices", {"system.ipus=4", "ipu_config.auto_select_ipus=[2, 2]"});
    }
    void optionsComeBackWithoutTheComment() {
        QFETCH(QStringList, settings);
        const Workbench workbench;
        std::filesystem::create_directories(workbench.path("projects"));
        workbench.writeProject("projects/first.ipuproj");
        std::stringstream text;
        text << std::ifstream(workbench.path("projects/first.ipuproj")).rdbuf();
        Json project = Json::parse(text.str());
        for (const QString& setting : settings)
            put(project, setting.section('=', 0, 0).toStdString(), setting.section('=', 1).toStdString());
        workbench.write("projects/p.ipuproj", core::toText(project));
        comesBack(workbench, "projects/p.ipuproj", {}, {"2.4"});
    }
};

REGISTER_TEST("python_round_trip", PythonRoundTripTest)
#include "python_round_trip_test.moc"
