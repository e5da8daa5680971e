#include "tests/app/verbs/features/shown_feature.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <map>

using core::Json;
using tests::Codes;
using tests::ShownFeature;

/// The commands of `features` about what the compiler makes of a model and about the tools around it, and the
/// figures that they are there for.
class CompilationFeaturesTest : public QObject {
    Q_OBJECT

private slots:
    void p33ComparesTheAlgorithms() {
        const ShownFeature shown("P33");
        QCOMPARE(shown.codes(), Codes({0, 0}));
        std::map<std::string, double> peaks;
        const Json compared = shown.json(1);
        for (const Json& row : compared["schedulers"])
            peaks[row["algorithm"].get<std::string>()] = row["peak_bytes"].get<double>();
        QCOMPARE(peaks.size(), std::size_t(5));
        QVERIFY(peaks.at("CLUSTERING") < 0.95 * peaks.at("POST_ORDER"));
        QCOMPARE(peaks.at("CHOOSE_BEST"),
                 std::min({peaks.at("POST_ORDER"), peaks.at("CLUSTERING"), peaks.at("SHORTEST_PATH")}));
    }

    void p34OptimisesTimeAndCode() {
        const ShownFeature shown("P34");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
        const char* code = "/memory/1/by_category/exchange_code";
        QVERIFY(shown.at(1, "/step_cycles") < 0.98 * shown.at(0, "/step_cycles"));
        QVERIFY(shown.at(2, code) > 1.1 * shown.at(0, code));
        QVERIFY(shown.at(3, "/step_cycles") <= shown.at(0, "/step_cycles"));
        QVERIFY(!shown.json(4)["options"][0]["honoured"].get<bool>());
        // Without tensors in remote buffers: more memory, less time; buffers of their own: more code.
        QVERIFY(shown.at(5, "/step_cycles") < shown.at(0, "/step_cycles"));
        QVERIFY(shown.at(5, "/memory/0/peak_bytes") > shown.at(0, "/memory/0/peak_bytes"));
        QVERIFY(shown.at(6, code) > 1.1 * shown.at(0, code));
        // Sums of gradients that wait for one another start fewer exchanges; so do lookups together.
        QVERIFY(shown.at(8, "/step_cycles") < 0.98 * shown.at(7, "/step_cycles"));
        QVERIFY(shown.at(11, "/step_cycles") < 0.98 * shown.at(10, "/step_cycles"));
    }

    void p35NormalisesAndKeepsTilesForTheHost() {
        const ShownFeature shown("P35");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 0, 3, 0}));
        QVERIFY(shown.at(1, "/stages/0/forward_cycles") > 1.05 * shown.at(0, "/stages/0/forward_cycles"));
        QVERIFY(shown.at(3, "/samples_per_second") > 1.05 * shown.at(2, "/samples_per_second"));
        QVERIFY(shown.at(3, "/host_stall_fraction") < shown.at(2, "/host_stall_fraction") / 2);
        QCOMPARE(shown.at(4, "/target/tiles"), 1216.0);
        QVERIFY(shown.answer(5).codes().contains("value-error/io-tiles"));
        QVERIFY(!shown.json(6)["options"][0]["honoured"].get<bool>());
    }

    void p36RecordsAsMuchAsIsAsked() {
        const ShownFeature shown("P36");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 0, 0}));
        const Json rows = shown.json(4)["rows"];
        // Nothing of runs 1 and 2, which keep summaries only; tiles have lanes of their own.
        QCOMPARE(rows.size(), std::size_t(2));
        QCOMPARE(rows[0][0].get<int>(), 3);
        QVERIFY(rows[1][1].get<int>() > rows[0][1].get<int>());
        QCOMPARE(shown.at(5, "/step_cycles"), shown.at(3, "/step_cycles"));
    }

    void p37LaunchesOperationsOneByOne() {
        const ShownFeature shown("P37");
        QCOMPARE(shown.codes(), Codes({0}));
        const Json executions = shown.json(0)["executions"];
        QCOMPARE(executions[0]["mode"].get<std::string>(), std::string("graph"));
        QCOMPARE(executions[1]["mode"].get<std::string>(), std::string("eager"));
        const double operations = executions[1]["launches_per_update"].get<double>();
        QVERIFY(operations > 10);
        // 80,000 cycles for each, where the graph has one launch in 60 updates.
        QCOMPARE(executions[1]["launch_cycles"].get<double>(), operations * 80'000);
        QVERIFY(executions[0]["samples_per_second"].get<double>() >
                10 * executions[1]["samples_per_second"].get<double>());
    }

    void p38SpeaksBothGenerations() {
        const ShownFeature shown("P38");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 0, 0, 2}));
        QVERIFY(shown.answer(0).out.contains("create_ipu_config"));
        QVERIFY(shown.answer(1).out.contains("ipu.config.IPUConfig()"));
        QVERIFY(shown.answer(1).out.contains("set_pipeline_stage_assignment"));
        QVERIFY(!shown.answer(0).out.contains("set_pipeline_stage_assignment"));
        QCOMPARE(shown.at(4, "/step_cycles"), shown.at(5, "/step_cycles"));
        QCOMPARE(shown.at(4, "/effective_batch"), shown.at(5, "/effective_batch"));
    }

    void p39MakesUpDataAndRepeatsItself() {
        const ShownFeature shown("P39");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 0}));
        QVERIFY(shown.at(1, "/host_stall_fraction") < shown.at(0, "/host_stall_fraction") / 4);
        QVERIFY(shown.losses(1) != shown.losses(0));
        QVERIFY(shown.losses(2) == shown.losses(3));
    }

    void p40TrainsTheTutorial() {
        const ShownFeature shown("P40");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 0}));
        const double batches[] = {32, 32, 128, 128, 128};
        const double ipus[] = {1, 1, 2, 2, 2};
        for (std::size_t program = 0; program < 5; ++program) {
            QCOMPARE(shown.at(program, "/effective_batch"), batches[program]);
            QCOMPARE(shown.at(program, "/ipus"), ipus[program]);
            QVERIFY(shown.losses(program).back() < shown.losses(program).front());
        }
        // Interleaved keeps half of what Grouped does, and trains the same.
        QCOMPARE(shown.at(3, "/stages/0/fifo_depth"), 2.0);
        QCOMPARE(shown.at(4, "/stages/0/fifo_depth"), 1.0);
        QVERIFY(shown.losses(3) == shown.losses(4));
    }
};

REGISTER_TEST("compilation_features", CompilationFeaturesTest)
#include "compilation_features_test.moc"
