#include "tests/app/verbs/features/shown_feature.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::Json;
using tests::Codes;
using tests::ShownFeature;

namespace {

/// Stages of the entries of a summary's assignment.
std::vector<int> stagesOf(const Json& summary) {
    std::vector<int> stages;
    for (const Json& entry : summary["stage_assignment"])
        stages.push_back(entry["stage"].get<int>());
    return stages;
}

const char* const stash0 = "/stages/0/stash_bytes";
const char* const recompute0 = "/stages/0/recompute_cycles";

} // namespace

/// The commands of `features` about pipelines, and the figures that they are there for.
class PipelineFeaturesTest : public QObject {
    Q_OBJECT

private slots:
    void p5TakesAStagePerLayerAndRefusesTheRest() {
        const ShownFeature shown("P5");
        QCOMPARE(shown.codes(), Codes({0, 3, 3, 3, 3}));
        QCOMPARE(stagesOf(shown.json(0)), std::vector<int>({0, 0, 0, 1, 1, 1}));
        const char* const codes[] = {"", "value-error/stage-count", "value-error/stage-step",
                                     "value-error/stage-unset", "value-error/stage-step"};
        for (std::size_t command = 1; command < 5; ++command)
            QVERIFY2(shown.answer(command).codes().contains(codes[command]), codes[command]);
    }

    void p6SplitsResNetBehindOneLayer() {
        const ShownFeature shown("P6");
        QCOMPARE(shown.codes(), Codes({0}));
        const Json summary = shown.json(0);
        bool isBehind = false;
        for (const Json& entry : summary["stage_assignment"]) {
            QCOMPARE(entry["stage"].get<int>(), isBehind ? 1 : 0);
            isBehind = isBehind || entry["layer"] == "conv4_block2_add";
        }
        QVERIFY(isBehind);
    }

    void p7EndsInTheAssignmentTable() {
        const ShownFeature shown("P7", ShownFeature::Form::Text);
        QCOMPARE(shown.codes(), Codes({0, 0}));
        QVERIFY(shown.answer(0).out.contains(
            "dense32 (Dense) (0)                dense64                             1"));
        QVERIFY(shown.answer(0).out.endsWith(QByteArray(89, '=') + "\n"));
        QVERIFY(shown.answer(1).out.contains("dense128 (Dense)              1"));
        QVERIFY(shown.answer(1).out.endsWith(QByteArray(60, '=') + "\n"));
    }

    void p8LaysOutEverySlot() {
        const ShownFeature shown("P8");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 1}));
        const auto fifos = [&](std::size_t command) {
            return shown.json(command)["fifo_depth_per_stage"].get<std::vector<int>>();
        };
        QCOMPARE(shown.at(0, "/slots_constructed"), 8.0);
        QCOMPARE(shown.at(0, "/slots_with_compute"), 7.0);
        QCOMPARE(fifos(0), std::vector<int>({2, 0}));
        QCOMPARE(fifos(1), std::vector<int>({3, 2, 1, 0}));
        QCOMPARE(fifos(2), std::vector<int>({0, 0}));
        QCOMPARE(fifos(3), std::vector<int>({0, 0, 0}));
        int recomputed = 0;
        const Json interleaved = shown.json(1);
        for (const Json& slot : interleaved["slots"])
            for (const auto& [ipu, items] : slot["ipus"].items())
                for (const Json& item : items)
                    recomputed += item[0] == "recompute" ? 1 : 0;
        // (S − 1) · N, none on the last stage.
        QCOMPARE(recomputed, 3 * 8);
        QVERIFY(!shown.json(4)["accepted"].get<bool>());
    }

    void p9RecomputesInsteadOfKeeping() {
        const ShownFeature shown("P9");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 3}));
        QCOMPARE(shown.at(0, recompute0), 0.0);
        QVERIFY(shown.at(1, recompute0) > 0);
        QCOMPARE(shown.at(1, recompute0), shown.at(1, "/stages/0/forward_cycles"));
        QCOMPARE(shown.at(1, "/stages/3/recompute_cycles"), 0.0);
        QVERIFY(shown.at(1, stash0) < shown.at(0, stash0) / 100);
        QVERIFY(shown.at(1, "/memory/0/peak_bytes") < shown.at(0, "/memory/0/peak_bytes"));
        QVERIFY(shown.at(1, "/step_cycles") > shown.at(0, "/step_cycles"));
        // Inside the backward program: no item of its own.
        QCOMPARE(shown.at(2, recompute0), 0.0);
        QVERIFY(shown.at(2, "/stages/0/backward_cycles") > shown.at(1, "/stages/0/backward_cycles"));
        QVERIFY(shown.answer(3).codes().contains("unimplemented/recomputation-mode"));
    }

    void p10MovesMemoryOffTheChip() {
        const ShownFeature shown("P10");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 3}));
        const auto bytes = [&](std::size_t run, const char* category) {
            return shown.json(run)["memory"][0]["by_category"][category].get<double>();
        };
        // Adam keeps two values per weight.
        QCOMPARE(bytes(0, "optimizer_state"), 2 * bytes(0, "weights"));
        QCOMPARE(bytes(1, "optimizer_state"), 0.0);
        QVERIFY(bytes(0, "stash") > 0);
        QCOMPARE(bytes(1, "stash"), 0.0);
        QVERIFY(bytes(1, "accumulators") > 0);
        QCOMPARE(bytes(2, "accumulators"), 0.0);
        QVERIFY(shown.at(2, "/step_cycles") > shown.at(1, "/step_cycles"));
        QVERIFY(shown.at(1, "/step_cycles") > shown.at(0, "/step_cycles"));
        QVERIFY(shown.answer(3).codes().contains("failed-precondition/remote-memory"));
    }

    void p11PutsStagesWhereTheMappingSays() {
        const ShownFeature shown("P11");
        QCOMPARE(shown.codes(), Codes({0, 0, 3, 0, 0, 0}));
        QCOMPARE(shown.at(0, "/stages/0/ipu"), 1.0);
        QCOMPARE(shown.at(0, "/stages/1/ipu"), 0.0);
        QCOMPARE(shown.at(1, "/ipus"), 1.0);
        QVERIFY(shown.answer(2).codes().contains("not-implemented/interleaved-repeated-device"));
        int hops = 0;
        const Json transfers = shown.json(5);
        for (const Json& row : transfers["rows"])
            hops += row[0].get<std::string>().starts_with("a/") ? 1 : 0;
        // From stage 0 to its neighbour, and on to stage 2.
        QCOMPARE(hops, 2);
    }

    void p12ShapesTheBatchAndTheOutfeed() {
        const ShownFeature shown("P12");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 3, 3}));
        QVERIFY(shown.at(1, "/step_cycles") < shown.at(0, "/step_cycles"));
        QCOMPARE(shown.at(2, "/effective_batch"), 2 * shown.at(0, "/effective_batch"));
        QCOMPARE(shown.at(2, "/ipus"), 1.0);
        QVERIFY(shown.answer(3).codes().contains("value-error/outfeed-conflict"));
        QVERIFY(shown.answer(4).codes().contains("value-error/repeat-count"));
    }

    void p13PlansAStageByItsOwnOptions() {
        const ShownFeature shown("P13");
        QCOMPARE(shown.codes(), Codes({0, 0, 0}));
        QVERIFY(shown.at(1, "/stages/0/forward_cycles") > 2 * shown.at(0, "/stages/0/forward_cycles"));
        QCOMPARE(shown.at(1, "/stages/0/backward_cycles"), shown.at(0, "/stages/0/backward_cycles"));
        QCOMPARE(shown.at(1, "/stages/1/forward_cycles"), shown.at(0, "/stages/1/forward_cycles"));
        QVERIFY(shown.at(1, "/memory/0/peak_bytes") < shown.at(0, "/memory/0/peak_bytes"));
    }
};

REGISTER_TEST("pipeline_features", PipelineFeaturesTest)
#include "pipeline_features_test.moc"
