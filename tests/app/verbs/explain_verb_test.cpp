#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <cmath>

using tests::Answer;
using tests::Workbench;

namespace {

/// The figure that a name of `explain` stands for in the JSON of `show`; null where it has none.
core::Json figureIn(const core::Json& shown, const std::string& name) {
    const core::Json* at = &shown;
    std::size_t begin = 0;
    while (begin <= name.size()) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        const std::string key = name.substr(begin, end - begin);
        if (at->is_array())
            at = &at->at(std::stoul(key));
        else if (at->contains(key))
            at = &at->at(key);
        else
            return {};
        begin = end + 1;
    }
    if (at->is_array())
        return at->back();
    return at->is_boolean() ? core::Json(at->get<bool>() ? 1 : 0) : *at;
}

} // namespace

/// Every input is computed from its own, or is something that nothing computes.
void checkInputs(const core::Json& inputs, const std::string& path) {
    for (const core::Json& input : inputs) {
        const std::string name = path + " > " + input["name"].get<std::string>();
        const std::string source = input["source"];
        QVERIFY2(!input["meaning"].get<std::string>().empty(), name.c_str());
        QCOMPARE(source == "formula", input.contains("inputs"));
        if (source == "formula") {
            QVERIFY2(!input["formula"].get<std::string>().empty(), name.c_str());
            QVERIFY2(path.find("> " + input["name"].get<std::string>() + " >") == std::string::npos,
                     name.c_str());
            checkInputs(input["inputs"], name);
        } else {
            QVERIFY2(source == "counted" || source == "setting" || source == "target" || source == "measured",
                     name.c_str());
        }
    }
}

double sumOf(const core::Json& inputs) {
    double sum = 0;
    for (const core::Json& input : inputs)
        sum += input["value"].get<double>();
    return sum;
}

/// The verb `explain`.
class ExplainVerbTest : public QObject {
    Q_OBJECT

private slots:
    /// With ramps, replicas, several steps an execution and losses.
    void initTestCase() {
        m_workbench.writeProject("p.ipuproj");
        const Answer answer = m_workbench.run({"run", "p.ipuproj", "--set", "training.steps_per_execution=4",
                                               "--set", "replicas=2", "--set", "system.ipus=4"});
        QVERIFY2(answer.code == 0, answer.err);
        m_shown = m_workbench.run({"show", "last", "--json"}).json();
    }

    void everyFigureIsThatOfShowAndItsFormulaGivesIt() {
        const core::Json listed = m_workbench.run({"explain", "last", "--json"}).json();
        int computed = 0;
        for (const core::Json& row : listed["metrics"]) {
            const auto name = row["metric"].get<std::string>();
            const core::Json json =
                m_workbench.run({"explain", "last", QString::fromStdString(name), "--json"}).json();
            if (!name.starts_with("idle."))
                QVERIFY2(std::abs(json["value"].get<double>() - figureIn(m_shown, name).get<double>()) < 1,
                         name.c_str());
            QVERIFY2(!json["formula"].get<std::string>().empty(), name.c_str());
            QVERIFY2(!json["meaning"].get<std::string>().empty(), name.c_str());
            for (const core::Json& input : json["inputs"])
                QVERIFY2(!input["meaning"].get<std::string>().empty(), name.c_str());
            if (json["computed"].is_null())
                continue;
            ++computed;
            const double value = json["value"].get<double>();
            QVERIFY2(std::abs(json["computed"].get<double>() - value) <= 1e-9 * std::abs(value) + 1e-9,
                     name.c_str());
        }
        QVERIFY2(computed >= 9, qPrintable(QString::number(computed)));
    }

    void everyFigureOfShowIsExplained() {
        for (const char* name :
             {"fits", "ipus", "replicas", "effective_batch", "executions", "step_cycles", "step_ns",
              "samples_per_second", "idle_fraction", "host_stall_fraction", "metrics.loss"})
            QVERIFY2(m_workbench.run({"explain", "last", name}).code == 0, name);
        for (const auto& [key, value] : m_shown["stages"][1].items()) {
            if (key != "stage" && key != "ipu")
                QVERIFY2(
                    m_workbench.run({"explain", "last", "stages.1." + QString::fromStdString(key)}).code == 0,
                    key.c_str());
        }
        for (const auto& [key, value] : m_shown["memory"][0].items()) {
            if (!value.is_object() && key != "ipu")
                QVERIFY2(
                    m_workbench.run({"explain", "last", "memory.0." + QString::fromStdString(key)}).code == 0,
                    key.c_str());
        }
        for (const auto& [key, value] : m_shown["memory"][0]["by_category"].items())
            QVERIFY2(
                m_workbench.run({"explain", "last", "memory.0.by_category." + QString::fromStdString(key)})
                        .code == 0,
                key.c_str());
    }

    void everyFigureOfEveryKindOfRunHasFormulaInputsAndBound_data() {
        QTest::addColumn<QStringList>("run");
        const QString tutorial = "tutorial/";
        QTest::newRow("pipelined") << QStringList{tutorial + "4-pipelined-sequential.ipuproj"};
        QTest::newRow("interleaved") << QStringList{tutorial + "5-interleaved.ipuproj"};
        QTest::newRow("one stage") << QStringList{tutorial + "2-single-sequential.ipuproj"};
        QTest::newRow("sequential") << QStringList{tutorial + "4-pipelined-sequential.ipuproj", "--set",
                                                   "pipeline.schedule=Sequential"};
        QTest::newRow("recomputed") << QStringList{tutorial + "4-pipelined-sequential.ipuproj", "--set",
                                                   "ipu_config.allow_recompute=true"};
        QTest::newRow("predict") << QStringList{tutorial + "4-pipelined-sequential.ipuproj", "--mode",
                                                "predict"};
        QTest::newRow("evaluate") << QStringList{tutorial + "4-pipelined-sequential.ipuproj", "--mode",
                                                 "evaluate"};
        QTest::newRow("replicated") << QStringList{"replicas/replicas.ipuproj"};
    }

    void everyFigureOfEveryKindOfRunHasFormulaInputsAndBound() {
        QFETCH(QStringList, run);
        run.front() =
            QString::fromStdString((tests::projectRoot() / "projects" / run.front().toStdString()).string());
        const Workbench workbench;
        const Answer answer =
            workbench.run(QStringList{"run"} + run + QStringList{"--database", "r.sqlite", "--no-numerics"});
        QVERIFY2(answer.code == 0, answer.err);
        const core::Json listed =
            workbench.run({"explain", "last", "--json", "--database", "r.sqlite"}).json()["metrics"];
        QVERIFY(listed.size() > 40);
        for (const core::Json& row : listed) {
            const std::string name = row["metric"].get<std::string>();
            QVERIFY2(!row["formula"].get<std::string>().empty(), name.c_str());
            QVERIFY2(!row["inputs"].empty() || row["value"] == 0, name.c_str());
            QVERIFY2(!row["bound_meaning"].get<std::string>().empty(), name.c_str());
            // Without a figure a sentence says why.
            QVERIFY2(!row["bound"].is_null() || row["bound_meaning"].get<std::string>().starts_with("None"),
                     name.c_str());
            const core::Json json = workbench
                                        .run({"explain", "last", QString::fromStdString(name), "--json",
                                              "--database", "r.sqlite"})
                                        .json();
            checkInputs(json["inputs"], name);
            if (!row["inputs"].empty() && row["formula"].get<std::string>().starts_with("the sum"))
                QVERIFY2(std::abs(sumOf(row["inputs"]) - row["value"].get<double>()) < 1e-6, name.c_str());
        }
    }

    /// Down to the operations of the layers: throughput, step, work of an IPU, its programs.
    void inputsAreExplainedAsFarAsTheyGo() {
        const core::Json json = m_workbench.run({"explain", "last", "samples_per_second", "--json"}).json();
        const core::Json& step = json["inputs"][2];
        QCOMPARE(step["name"].get<std::string>(), std::string("step_cycles"));
        const core::Json& busy = step["inputs"][0];
        QCOMPARE(busy["name"].get<std::string>(), std::string("busy_cycles"));
        QCOMPARE(sumOf(busy["inputs"]), busy["value"].get<double>());
        const core::Json& ipu = busy["inputs"][0];
        QCOMPARE(sumOf(ipu["inputs"]), ipu["value"].get<double>());
        const core::Json& idle = step["inputs"][1];
        QCOMPARE(sumOf(idle["inputs"]), idle["value"].get<double>());
        const core::Json& launch = json["inputs"][3]["inputs"];
        QCOMPARE((launch[0]["value"].get<double>() + launch[1]["value"].get<double>()) /
                     launch[2]["value"].get<double>(),
                 json["inputs"][3]["value"].get<double>());
        // One that nothing lists is a figure too.
        const core::Json inner = m_workbench.run({"explain", "last", "busy_cycles", "--json"}).json();
        QCOMPARE(inner["value"], busy["value"]);
        QCOMPARE(inner["inputs"], busy["inputs"]);
        // People read what an input is made of below it, once.
        const Answer text = m_workbench.run({"explain", "last", "host_stall_fraction"});
        QVERIFY2(text.out.contains("\n  launch_cycles"), text.out);
        QVERIFY2(text.out.contains("\n    host_before_cycles"), text.out);
        QCOMPARE(text.out.count("host_before_cycles  "), 1);
        QVERIFY2(text.out.contains("as above"), text.out);
        QVERIFY2(text.out.contains("a setting of the project"), text.out);
    }

    void theFullestTileIsTheSumOfItsCategories() {
        for (const char* ipu : {"0", "1"}) {
            const core::Json tile =
                m_workbench.run({"explain", "last", QString("memory.%1.worst_tile_bytes").arg(ipu), "--json"})
                    .json();
            QVERIFY(tile["inputs"].size() > 5);
            QCOMPARE(sumOf(tile["inputs"]), tile["value"].get<double>());
        }
    }

    void aSumHasItsPartsAsInputs() {
        const core::Json cycles =
            m_workbench.run({"explain", "last", "stages.0.forward_cycles", "--json"}).json();
        double sum = 0;
        for (const core::Json& input : cycles["inputs"])
            sum += input["value"].get<double>();
        QCOMPARE(sum, cycles["value"].get<double>());
        QVERIFY(cycles["inputs"][0]["name"] != "the rest");
        const core::Json weights =
            m_workbench.run({"explain", "last", "memory.0.by_category.weights", "--json"}).json();
        QCOMPARE(sumOf(weights["inputs"]), weights["value"].get<double>());
    }

    void intervalsAndLearningRatesAreExplained() {
        const core::Json low =
            m_workbench.run({"explain", "last", "intervals.samples_per_second.0", "--json"}).json();
        QVERIFY2(std::abs(low["value"].get<double>() -
                          m_shown["intervals"]["samples_per_second"][0].get<double>()) < 1e-6,
                 core::toText(low).c_str());
        QCOMPARE(low["bound"].get<double>(), m_shown["samples_per_second"].get<double>());
        const core::Json step = m_workbench.run({"explain", "last", "step_ns", "--json"}).json();
        QCOMPARE(step["value"].get<double>(), m_shown["step_ns"].get<double>());
        for (const char* key : {"value", "computed", "bound"})
            QVERIFY2(step[key].get<double>() == std::floor(step[key].get<double>()), key);
    }

    void theThroughputSaysItsLaunches() {
        const Answer text = m_workbench.run({"explain", "last", "samples_per_second"});
        QVERIFY2(text.out.contains("launch_cycles"), text.out);
        const core::Json json = m_workbench.run({"explain", "last", "samples_per_second", "--json"}).json();
        QVERIFY(json["bound"].get<double>() > json["value"].get<double>());
        // An update of four steps is an execution here: the rendezvous of 60 µs and the last results.
        const core::Json& launch = json["inputs"][3];
        QCOMPARE(launch["name"].get<std::string>(), std::string("launch_cycles"));
        const double rendezvous = 60e-6 * m_shown["target"]["clock_hz"].get<double>();
        QVERIFY(launch["value"].get<double>() >= rendezvous &&
                launch["value"].get<double>() < 1.1 * rendezvous);
    }

    void anUnknownFigureIsRefusedWithTheNearest() {
        const Answer answer = m_workbench.run({"explain", "last", "samples_per_secund"});
        QCOMPARE(answer.code, 2);
        QVERIFY2(answer.err.contains("samples_per_second"), answer.err);
    }

private:
    Workbench m_workbench;
    core::Json m_shown;
};

REGISTER_TEST("explain_verb", ExplainVerbTest)
#include "explain_verb_test.moc"
