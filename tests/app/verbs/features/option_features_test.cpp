#include "tests/app/verbs/features/shown_feature.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>

using core::Json;
using tests::Codes;
using tests::ShownFeature;

/// The commands of `features` about options, devices and feeds, and the figures that they are there for.
class OptionFeaturesTest : public QObject {
    Q_OBJECT

private slots:
    void p14ReplicatesOverTheIpusAtHand() {
        const ShownFeature shown("P14");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 3}));
        // Eight IPUs, two of them per replica.
        QCOMPARE(shown.at(0, "/replicas"), 4.0);
        QCOMPARE(shown.at(0, "/effective_batch"), 4 * shown.at(1, "/effective_batch"));
        QVERIFY(shown.at(0, "/step_cycles") > shown.at(1, "/step_cycles"));
        // 2 · 3/4 of the bytes, over two ways round of two links.
        QCOMPARE(shown.at(2, "/details/sent_bytes_per_ipu"), 1.5e6);
        const double seconds = 1.5e6 / (4 * 16e9 * 0.85) + 6e-6;
        QVERIFY(std::abs(shown.at(2, "/exchange_cycles") / 1.33e9 / seconds - 1) < 0.01);
        QVERIFY(shown.answer(3).codes().contains("value-error/too-few-ipus"));
    }

    void p15CallsBackPerExecutionOrPerStep() {
        const ShownFeature shown("P15");
        QCOMPARE(shown.codes(), Codes({0, 0, 0}));
        const Json rows = shown.json(2)["rows"];
        // Four executions, of 60 steps each.
        QCOMPARE(rows, Json::parse(R"([[1, "on_train_batch_begin", 4], [1, "on_train_batch_end", 4],
                                       [2, "on_train_batch_begin", 240], [2, "on_train_batch_end", 240]])"));
    }

    void p16KnowsEveryOptionAndWhatItChanges() {
        const ShownFeature shown("P16");
        QCOMPARE(shown.codes(), Codes({0, 0, 3, 0}));
        const Json options = shown.json(0)["options"];
        QCOMPARE(options.size(), std::size_t(50));
        int idle = 0;
        for (const Json& option : options) {
            for (const char* key : {"type", "default", "documentation", "effect"})
                QVERIFY2(option.contains(key), option.dump().c_str());
            idle += option["honoured"].get<bool>() ? 0 : 1;
        }
        // The row says so in words.
        QCOMPARE(idle, 14);
        QVERIFY(shown.answer(2).err.contains("did you mean \"matmuls.clear_pass_type\"?"));
        QVERIFY(
            shown.answer(3).err.contains("without effect on the simulated system: matmuls.clear_pass_type"));
    }

    void p17HasDevicesAndPaysForHops() {
        const ShownFeature shown("P17");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 0, 3}));
        QCOMPARE(shown.json(0)["devices"].size(), std::size_t(31));
        std::vector<int> ipus;
        const Json devices = shown.json(1);
        for (const Json& row : devices["placement"])
            ipus.push_back(row["ipu"].get<int>());
        QCOMPARE(ipus, std::vector<int>({0, 2, 3, 1}));
        // One border of two hops: more than a signal's way, in every slot that copies.
        QVERIFY(shown.at(3, "/step_cycles") > 1.002 * shown.at(2, "/step_cycles"));
        QVERIFY(shown.answer(5).codes().contains("failed-precondition/no-device"));
    }

    void p18WaitsForASlowHost() {
        const ShownFeature shown("P18");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 3, 0}));
        const char* stall = "/host_stall_fraction";
        QVERIFY(shown.at(1, stall) > 2 * shown.at(0, stall));
        QVERIFY(shown.at(3, "/samples_per_second") > 1.1 * shown.at(2, "/samples_per_second"));
        QVERIFY(shown.answer(4).codes().contains("value-error/prefetch-depth"));
        // One loss for each execution.
        const Json last = shown.json(5);
        QCOMPARE(last["metrics"]["loss"].size(), last["executions"].get<std::size_t>());
    }

    void p19MeasuresEveryEpoch() {
        const ShownFeature shown("P19");
        QCOMPARE(shown.codes(), Codes({0}));
        const Json epochs = shown.json(0)["epochs"];
        QCOMPARE(epochs.size(), std::size_t(2));
        for (const Json& epoch : epochs) {
            QCOMPARE(epoch["elements_processed"].get<int>(), 500);
            // A micro-batch: 32 pictures and their labels.
            QCOMPARE(epoch["total_bytes_processed"].get<int>(), 500 * 32 * (28 * 28 + 1) * 4);
            const double rate = 500 / epoch["time_elapsed"].get<double>();
            QVERIFY(std::abs(epoch["elements_per_second"].get<double>() / rate - 1) < 1e-6);
        }
    }
};

REGISTER_TEST("option_features", OptionFeaturesTest)
#include "option_features_test.moc"
