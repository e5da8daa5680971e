#include "simulator/calibration/calibration.h"
#include "simulator/calibration/calibration_project.h"
#include "simulator/compiler/compile.h"
#include "simulator/engine/clock/timeline.h"
#include "simulator/target/target_catalogue.h"
#include "simulator/target/target_figures.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

using namespace simulator;

namespace {

using core::Json;

/// Changes a description to a value.
using Change = std::function<void(Json&, double)>;

Change figure(std::string key) {
    return [key](Json& description, double value) { description["figures"][key] = value; };
}

Change wholeNumber(std::string key) {
    return [key](Json& description, double value) { description[key] = static_cast<std::int64_t>(value); };
}

void setReplicas(Json& description, double value) {
    const auto replicas = static_cast<std::int64_t>(value);
    description["replicas"] = replicas;
    description["ipus"] = replicas * description.value("ipus_per_replica", std::int64_t{1});
}

CalibrationCase caseNamed(std::string_view id) {
    return *std::ranges::find(publishedCases(), id, &CalibrationCase::id);
}

CalibrationCase application(const Json& description) {
    CalibrationCase item;
    item.kind = CalibrationKind::Application;
    item.target = description.value("target", "ipu2");
    item.metric = "throughput";
    item.description = description;
    return item;
}

} // namespace

/// What a prediction of a whole model does when its machine or its plan changes: the published rows are only
/// points on these curves.
class PredictionTest : public QObject {
    Q_OBJECT

private:
    CompilationCache m_cache;

    std::vector<double> curve(std::string_view id, const std::vector<double>& values, const Change& change) {
        std::vector<double> throughputs;
        for (const double value : values) {
            CalibrationCase item = caseNamed(id);
            // Few micro-batches are as good and faster.
            item.description["grad_accum"] =
                std::min<std::int64_t>(item.description.value("grad_accum", 1), 16);
            change(item.description, value);
            const auto throughput = predict(item, m_cache);
            throughputs.push_back(throughput ? *throughput : std::nan(""));
        }
        return throughputs;
    }

private slots:
    void aBetterMachineNeverSlowsAModelAndNeverHelpsMoreThanInProportion_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("key");
        QTest::addColumn<std::vector<double>>("values");
        const std::vector<std::pair<const char*, std::vector<double>>> figures{
            {"clock_hz", {1e9, 1.2e9, 1.33e9, 1.6e9, 1.85e9, 2e9}},
            {"tiles", {1216, 1400, 1440, 1472, 1480, 1600, 2048}},
            {"exchange_bytes_per_cycle", {2, 3, 4, 5, 8}},
            {"link_bytes_per_second", {4e9, 8e9, 16e9, 32e9}},
            {"gateway_bytes_per_second", {4e9, 12.5e9, 32e9}},
            {"host_bytes_per_second", {1e9, 4e9, 16e9, 32e9}},
            {"streaming_memory_bytes_per_second", {5e9, 20e9, 40e9}},
        };
        for (const char* id : {"cal-034", "cal-054"})
            for (const auto& [key, values] : figures)
                QTest::addRow("%s %s", id, key) << id << key << values;
    }
    void aBetterMachineNeverSlowsAModelAndNeverHelpsMoreThanInProportion() {
        QFETCH(const QString, id);
        QFETCH(const QString, key);
        QFETCH(const std::vector<double>, values);
        const auto throughputs = curve(id.toStdString(), values, figure(key.toStdString()));
        // Shares of the work that stop fitting a tile evenly fall all at once; nothing else may jump.
        const double steps = key == "tiles" ? 1.06 : 1.0001;
        for (std::size_t i = 1; i < values.size(); ++i) {
            const double gain = throughputs[i] / throughputs[i - 1];
            QVERIFY2(gain >= 0.99999 && gain <= values[i] / values[i - 1] * steps,
                     fmt::format("{} to {}: {}", values[i - 1], values[i], gain).c_str());
        }
    }

    void moreMemoryForTemporariesNeverSlowsAModel() {
        for (const char* id : {"cal-046", "cal-053"}) {
            const std::vector<double> shares{0.05, 0.1, 0.15, 0.2, 0.4, 0.6, 1};
            const auto throughputs = curve(id, shares, [](Json& description, double share) {
                description["available_memory_proportion"] = share;
            });
            QVERIFY(std::ranges::is_sorted(throughputs));
            QVERIFY(throughputs.front() < throughputs.back());
            QVERIFY(throughputs.back() < 1.5 * throughputs.front());
        }
    }

    void overheadsSlowAModelDown() {
        const auto slower = curve("cal-047", {0, 100, 400, 700, 1000}, figure("superstep_overhead_cycles"));
        QVERIFY(std::ranges::is_sorted(slower, std::ranges::greater()));
    }

    /// Ramps and updates are shared by more micro-batches, ever less so.
    void accumulationPaysWithDiminishingReturns() {
        for (const char* id : {"cal-046", "cal-054"}) {
            const std::vector<double> counts{8, 16, 32, 64, 128, 256};
            const auto throughputs = curve(id, counts, wholeNumber("grad_accum"));
            QVERIFY(std::ranges::is_sorted(throughputs));
            for (std::size_t i = 2; i < counts.size(); ++i)
                QVERIFY(throughputs[i] / throughputs[i - 1] <= throughputs[i - 1] / throughputs[i - 2]);
        }
    }

    /// Counts that a schedule cannot run exactly lie on the line between those it can.
    void accumulationsBetweenAreOnTheLine() {
        const auto throughputs = curve("cal-054", {8, 12, 16}, wholeNumber("grad_accum"));
        const double between = 12 / throughputs[1];
        QVERIFY(std::abs(between - (8 / throughputs[0] + 16 / throughputs[2]) / 2) < 1e-9 * between);
    }

    void largerMicroBatchesTakeLongerButLessPerSample() {
        for (const char* id : {"cal-046", "cal-053"}) {
            const std::vector<double> sizes{1, 2, 4, 6, 8, 12, 16};
            const auto throughputs = curve(id, sizes, wholeNumber("micro_batch"));
            QVERIFY(std::ranges::is_sorted(throughputs));
            for (std::size_t i = 1; i < sizes.size(); ++i)
                QVERIFY(sizes[i] / throughputs[i] > sizes[i - 1] / throughputs[i - 1]);
        }
    }

    void moreReplicasDoMoreButNotMoreThanTheirShare() {
        for (const char* id : {"cal-046", "cal-054"}) {
            const std::vector<double> replicas{1, 2, 4, 8, 16, 32, 64};
            const auto throughputs = curve(id, replicas, setReplicas);
            for (std::size_t i = 1; i < replicas.size(); ++i) {
                QVERIFY(throughputs[i] > throughputs[i - 1]);
                QVERIFY(throughputs[i] <= 2 * throughputs[i - 1]);
            }
        }
    }

    void smallChangesHaveSmallEffects() {
        for (const char* key : {"clock_hz", "exchange_bytes_per_cycle", "link_bytes_per_second",
                                "host_bytes_per_second", "tile_copy_cycles_per_byte", "layout_imbalance"}) {
            CalibrationCase item = caseNamed("cal-046");
            const double usual = *predict(item, m_cache);
            const double stated = figureOf(key);
            item.description["figures"] = {{key, 1.01 * stated}};
            const double ratio = *predict(item, m_cache) / usual;
            QVERIFY2(std::abs(ratio - 1) < 0.0101, fmt::format("{}: {}", key, ratio).c_str());
        }
    }

    /// Nothing else in the model of a transfer: without prefetching every micro-batch waits for the host.
    void aHostThatIsNotAskedAheadSetsThePace() {
        CalibrationCase item = caseNamed("cal-046");
        const double ahead = *predict(item, m_cache);
        item.description["host_data"] = true;
        const double waiting = *predict(item, m_cache);
        QVERIFY(waiting < ahead);
        const double bytes = 20 * 150528.0;
        const double longer = 16 * 20 / waiting - 16 * 20 / ahead;
        QVERIFY(std::abs(longer / (bytes / 2e9) - 1) < 0.01);
        item.description["input_bytes_per_sample"] = 4 * 150528;
        QVERIFY(*predict(item, m_cache) < waiting);
    }

    void modelsThatNoRowUsesArePredicted_data() {
        QTest::addColumn<QByteArray>("description");
        const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QByteArray(text); };
        row("mlp", R"({"template": "mlp", "micro_batch": 7, "grad_accum": 3})");
        row("odd transformer",
            R"({"template": "bert", "template_args": {"layers": 3, "hidden": 330, "heads": 5,
            "sequence": 77, "vocabulary": 1009}, "micro_batch": 3, "grad_accum": 12, "replicas": 2, "ipus": 4,
            "ipus_per_replica": 2, "stage_split": {"split": [1, 2]}, "target": "bow"})");
        row("shallow residual network", R"({"template": "resnet", "template_args": {"depth": 18, "image": 97},
            "micro_batch": 5, "grad_accum": 4, "precision": "float16"})");
        row("grouped", R"({"template": "resnext", "template_args": {"image": 64}, "micro_batch": 2})");
        row("depthwise", R"({"template": "mobilenet", "template_args": {"image": 96}, "micro_batch": 9,
            "precision": "float16", "partials": "float16"})");
        row("recurrent", R"({"template": "lstm", "micro_batch": 3, "grad_accum": 5})");
        row("segmentation", R"({"template": "unet", "template_args": {"image": 64}, "micro_batch": 1})");
        row("generator, inference", R"({"template": "gpt2", "template_args": {"layers": 2, "hidden": 96,
            "heads": 3, "sequence": 50, "vocabulary": 700}, "micro_batch": 4, "mode": "infer"})");
        row("first generation", R"({"template": "cnn", "micro_batch": 16, "target": "ipu1"})");
        row("patches", R"({"template": "vit", "template_args": {"layers": 2, "image": 96}, "micro_batch": 4,
            "grad_accum": 16, "replicas": 64, "ipus": 64, "precision": "float16"})");
    }
    void modelsThatNoRowUsesArePredicted() {
        QFETCH(const QByteArray, description);
        const auto throughput = predict(application(Json::parse(description.toStdString())), m_cache);
        QVERIFY2(throughput, throughput ? "" : throughput.error().front().message.c_str());
        QVERIFY(*throughput > 0 && std::isfinite(*throughput));
    }

    void everyIpuIsBusyOrIdleForTheWholeUpdate() {
        for (const char* id : {"cal-046", "cal-047", "cal-054"}) {
            const auto project = calibrationProject(caseNamed(id));
            QVERIFY(project);
            const auto executable =
                compile(*validatedForCalibration(withMicroBatches(*project, 16)), {}, &m_cache);
            QVERIFY(executable);
            const SimulatedUpdate update = simulate(*executable);
            for (const LaneSums& sums : update.sums)
                QCOMPARE(sums.busy + sums.idleTotal(), update.timing.total);
            for (const SlotKind& kind : update.pattern.kinds)
                QCOMPARE(total(kind.exchange.sent), total(kind.exchange.received));
        }
    }

private:
    static double figureOf(const char* key) {
        const IpuTarget& target = findTarget("bow")->target;
        return figureValue(target, *findFigure(key));
    }

    static core::Bytes total(const std::vector<core::Bytes>& bytes) {
        core::Bytes sum;
        for (const core::Bytes each : bytes)
            sum += each;
        return sum;
    }
};

REGISTER_TEST("prediction", PredictionTest)
#include "prediction_test.moc"
