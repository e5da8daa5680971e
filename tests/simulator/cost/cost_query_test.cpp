#include "simulator/cost/query/cost_query.h"
#include "simulator/target/target_catalogue.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>
#include <set>

using namespace simulator;

namespace {

core::Result<CostAnswer> query(const std::string& operation, const std::vector<std::string>& texts,
                               const char* target = "ipu2") {
    const auto arguments = readCostArguments(texts);
    if (!arguments)
        return core::failure(arguments.error());
    return queryCost({operation, *arguments, findTarget(target)->target, 0});
}

CostAnswer answer(const std::string& operation, const std::vector<std::string>& texts,
                  const char* target = "ipu2") {
    const auto result = query(operation, texts, target);
    return result ? *result : CostAnswer{};
}

std::string codes(const core::Result<CostAnswer>& result) {
    std::string text;
    if (!result)
        for (const core::Diagnostic& finding : result.error())
            text += finding.code + " ";
    return text;
}

bool near(std::optional<double> value, double wanted, double tolerance) {
    return value && std::abs(*value / wanted - 1) <= tolerance;
}

} // namespace

class CostQueryTest : public QObject {
    Q_OBJECT

private slots:
    /// The vendor's optimised matrix-vector product: 10000 x 1000 float32 in 7 segments, its model's figures.
    void matvecAgreesWithTheVendorsModelAndMachine() {
        const std::vector<std::string> keys{"rows=10000", "columns=1000", "column_segments=7"};
        std::vector<std::string> modelKeys = keys;
        modelKeys.emplace_back("host_bytes_per_cycle=6");
        const CostAnswer model = answer("matvec_partials", modelKeys);
        QVERIFY(near(model.metric("total_cycles"), 6681766, 0.005));
        QVERIFY(near(model.metric("compute_cycles_incl_idle"), 3801.8, 0.005));
        QVERIFY(near(model.metric("compute_cycles"), 3717.6, 0.005));
        QVERIFY(near(model.metric("internal_exchange_cycles"), 8697.4, 0.01));
        QVERIFY(near(model.metric("host_exchange_cycles"), 6663550.8, 0.005));
        QVERIFY(near(model.metric("worst_tile_cycles"), 3996, 0.0001));
        const CostAnswer hardware = answer("matvec_partials", keys);
        QVERIFY(near(hardware.metric("internal_exchange_cycles"), 8743.1, 0.01));
        QVERIFY(near(hardware.metric("host_exchange_cycles"), 2641488.4, 0.005));
    }

    void programStepsAndHostCopiesAgreeWithProfiles() {
        QVERIFY(near(answer("program_step", {"vertex_cycles=3600", "measured=outer block"}).metric("cycles"),
                     3688, 0.001));
        QVERIFY(near(answer("program_step", {"vertex_cycles=3600"}).metric("cycles"), 3623, 0.001));
        QVERIFY(near(answer("host_stream_copy", {"bytes=4", "phase=data"}).metric("cycles"), 1500, 0.01));
        QVERIFY(near(answer("host_stream_copy", {"bytes=4", "phase=begin"}).metric("cycles"), 80000, 0.001));
    }

    void everyRunOfASubSequenceIsMeasuredByItself() {
        const double one = *answer("program_step", {"vertex_cycles=100"}).metric("cycles");
        const double outer =
            *answer("program_step", {"vertex_cycles=100", "measured=outer block"}).metric("cycles");
        QCOMPARE(*answer("program_step", {"vertex_cycles=100", "repeat=3", "measured=sub-sequence"})
                      .metric("cycles"),
                 3 * outer);
        QVERIFY(one < outer);
        const double whole = *answer("host_stream_copy", {"bytes=4"}).metric("cycles");
        double phases = 0;
        for (const char* phase : {"phase=begin", "phase=data", "phase=end"})
            phases += *answer("host_stream_copy", {"bytes=4", phase}).metric("cycles");
        QCOMPARE(phases, whole);
    }

    void shapesAndTheNamesOfOtherProgramsAreKnown() {
        const CostAnswer keys = answer("conv", {"height=224", "width=224", "in_channels=3", "out_channels=64",
                                                "kernel=7", "stride=2", "padding=3"});
        const CostAnswer shapes = answer("conv2d", {"input_shape=1x224x224x3", "weight_shape=7x7x3x64",
                                                    "strides=2", "padding=same", "dtype=float16"});
        QCOMPARE(shapes.cycles, keys.cycles);
        QVERIFY(keys.cycles.value() > 0);
        QCOMPARE(answer("conv", {"input_shape=1x56x56x64", "weight_shape=3x3x4x64", "padding=1"}).flops,
                 answer("conv", {"height=56", "width=56", "in_channels=64", "out_channels=64", "kernel=3",
                                 "groups=16", "padding=1"})
                     .flops);
        QCOMPARE(answer("gemm", {"left_shape=128x256", "right_shape=256x512"}).cycles,
                 answer("matmul", {"m=128", "k=256", "n=512"}).cycles);
        QCOMPARE(answer("matvec", {"m=100", "k=50", "note=mine"}).cycles,
                 answer("matvec_partials", {"rows=100", "columns=50"}).cycles);
        QCOMPARE(codes(query("conv2d", {"input_shape=224x224", "weight_shape=7x7x3x64"})).substr(0, 16),
                 std::string("cost/unknown-key"));
    }

    /// A 3x3 convolution of 4 channels on a 499x302 image, measured 200 times over on the first generation.
    void convolutionAgreesWithTheMachine() {
        const CostAnswer blur =
            answer("conv",
                   {"height=302", "width=499", "in_channels=4", "out_channels=4", "kernel=3", "padding=1",
                    "type=float16", "repeats=200", "use_128bit_conv_unit_load=true"},
                   "ipu1");
        QVERIFY(near(blur.metric("time_200_repeats"), 0.00060595, 0.15));
    }

    void plansNameTheirMethodAndTimesTheirUnit() {
        const core::Json json =
            toJson(answer("conv", {"height=56", "width=56", "in_channels=64", "out_channels=64"}));
        QCOMPARE(json["plan"]["method"].get<std::string>(), std::string("AMP"));
        QVERIFY(json["plan"]["swapOperands"].is_boolean());
        QVERIFY(json["details"].contains("time_1_repeats_s"));
    }

    void anExchangeIsItsWordsAndASync() {
        const CostAnswer exchange = answer("exchange", {"bytes=16384"});
        QCOMPARE(exchange.exchange.value(), 4096);
        QCOMPARE(exchange.cycles.value(), 4096 + 126);
        QCOMPARE(answer("exchange", {"bytes=16384", "shared_by_pair=true"}).exchange.value(), 2048);
    }

    /// 12 x 12 cells on 4 tiles: blocks of 6 x 6, their frames 28 cells.
    void aStencilIsItsCellsItsFrameAndASync() {
        const std::vector<std::string> keys{"rows=12", "columns=12", "tiles=4", "cell_bytes=16"};
        const CostAnswer one = answer("stencil", keys);
        QCOMPARE(one.compute.value(), std::int64_t(36 * (2 * 3 + 2 + 2 * (9 + 2))));
        const IpuTarget target = findTarget("ipu2")->target;
        QCOMPARE(one.exchange.value(), 28 * 16 / 4 + 8 * target.exchangeFragmentCycles);
        QCOMPARE(one.sync.value(), target.internalSyncCycles);
        std::vector<std::string> two = keys;
        two.emplace_back("ipus=2");
        QVERIFY(answer("stencil", two).compute < one.compute);
        QVERIFY(*answer("stencil", two).metric("inter_ipu_exchange_cycles") > 0);
    }

    void elementwiseComputeIsThePublishedFormula() {
        QCOMPARE(answer("relu", {"elements=1048576"}).compute.value(), 662);
        QCOMPARE(answer("add", {"elements=1048576"}).compute.value(), 707);
        QCOMPARE(answer("add", {"elements=1048576", "type=float32"}).compute.value(), 1265);
        QCOMPARE(answer("cast", {"elements=1048576"}).compute.value(), 612);
        QCOMPARE(answer("dropout", {"elements=1048576", "type=float32"}).compute.value(), 865);
    }

    void plannedProductsReportRatesAndSplits() {
        const CostAnswer product = answer("matmul", {"m=1024", "k=1024", "n=1024", "partials=float16"});
        QCOMPARE(product.flops.value(), 2147483648);
        QCOMPARE(product.cycles, product.compute + product.exchange + product.sync);
        QVERIFY(product.fractionOfPeak > 0.2 && product.fractionOfPeak < 0.6);
        const double perSecond = static_cast<double>(product.flops.value()) / (product.timeNs * 1e-9);
        QVERIFY(near(product.flopsPerSecond, perSecond, 1e-9));
        QVERIFY(!product.plan.empty());
        QVERIFY(product.temporaryPerTile.value() > 0);
    }

    void everyPassOfAConvolutionDoesTheSameWork() {
        std::vector<std::string> keys{"batch=4",          "height=28", "width=28", "in_channels=64",
                                      "out_channels=128", "kernel=3",  "padding=1"};
        std::set<std::int64_t> flops;
        for (const char* pass : {"forward", "input_gradient", "weight_gradient"}) {
            keys.push_back(std::string("pass=") + pass);
            flops.insert(answer("conv", keys).flops.value());
            keys.pop_back();
        }
        QCOMPARE(flops.size(), std::size_t(1));
        QCOMPARE(*flops.begin(), 2LL * 4 * 28 * 28 * 64 * 128 * 9);
    }

    /// Input gradients of strided convolutions skip the zeros between the elements of dOut.
    void stridedPassesDoTheSameWorkToo() {
        const std::vector<std::string> keys{"batch=4",  "height=28", "width=28",        "in_channels=256",
                                            "kernel=1", "stride=2",  "out_channels=512"};
        std::vector<std::string> backward = keys;
        backward.emplace_back("pass=input_gradient");
        QCOMPARE(answer("conv", backward).flops, answer("conv", keys).flops);
        QVERIFY(answer("conv", backward).cycles < 2 * answer("conv", keys).cycles);
    }

    void fewerTilesAreHonoured() {
        const CostAnswer some = answer("matmul", {"m=1024", "k=1024", "n=1024", "tiles=100"});
        QVERIFY(some.tilesUsed <= 100);
        QVERIFY(some.cycles > answer("matmul", {"m=1024", "k=1024", "n=1024"}).cycles);
    }

    void everyOperationIsPricedFromItsRequiredKeys() {
        std::set<std::string> names;
        for (const CostOperation& operation : costOperations()) {
            QVERIFY2(names.insert(operation.name).second, operation.name.c_str());
            std::vector<std::string> texts;
            for (const CostKey& key : operation.keys) {
                QVERIFY2(!key.meaning.empty(), operation.name.c_str());
                if (!key.defaultValue.empty())
                    continue;
                std::string value = "64";
                if (key.name == "permutation")
                    value = "1x0";
                if (key.name == "extents")
                    value = "64x32";
                texts.push_back(std::string(key.name) + "=" + value);
            }
            const auto result = query(operation.name, texts);
            QVERIFY2(result.has_value(), (operation.name + " " + codes(result)).c_str());
            const core::Json json = toJson(*result);
            QCOMPARE(json.begin().key(), std::string("schema"));
            QVERIFY2(json["cycles"].get<std::int64_t>() > 0, operation.name.c_str());
            for (const char* rate : {"flops_per_second", "fraction_of_peak"})
                QVERIFY2(std::isfinite(json[rate].get<double>()), operation.name.c_str());
        }
    }

    void refusesWhatItCannotRead() {
        QCOMPARE(codes(query("rellu", {})), std::string("cost/unknown-operation "));
        QVERIFY(core::toText(query("rellu", {}).error().front()).find("\"relu\"") != std::string::npos);
        QCOMPARE(codes(query("relu", {"elemnts=4"})), std::string("cost/unknown-key cost/missing-key "));
        QVERIFY(core::toText(query("relu", {"elemnts=4"}).error().front()).find("\"elements\"") !=
                std::string::npos);
        for (const char* wrong :
             {"elements=-1", "elements=1.5", "elements=many", "elements=", "elements=1e30"})
            QCOMPARE(codes(query("relu", {wrong})), std::string("cost/wrong-value "));
        QCOMPARE(codes(query("relu", {"elements=4", "type=half4"})), std::string("cost/wrong-value "));
        QCOMPARE(codes(query("relu", {"elements=4", "gradient=maybe"})), std::string("cost/wrong-value "));
        QCOMPARE(codes(query("relu", {"elements"})), std::string("cost/not-a-pair "));
        QCOMPARE(codes(query("relu", {"elements=4", "elements=5"})), std::string("cost/repeated-key "));
        QCOMPARE(codes(query("transpose", {"extents=2x3", "permutation=0x0"})),
                 std::string("cost/wrong-value "));
        QCOMPARE(query("relu", {}).error().front().trouble, core::Trouble::Usage);
    }
};

REGISTER_TEST("cost_query", CostQueryTest)
#include "cost_query_test.moc"
