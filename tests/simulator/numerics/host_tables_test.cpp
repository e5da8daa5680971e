#include "tests/support/numerics/layer_probe.h"
#include "tests/support/test_registry.h"
#include "tests/tools/oracle/graph_run.h"

#include <QtTest/QTest>

using namespace simulator;

namespace {

const std::vector<float> start{1, 2, 3, 4, 5, 6};

/// A table of three rows of two numbers, on the host.
struct HostRun {
    oracles::GraphRun graph;
    core::TensorId table = graph.feed("table", tests::valuesOf({3, 2}, start), TensorRole::State);

    core::TensorId indices(std::vector<float> values) {
        const auto count = static_cast<std::int64_t>(values.size());
        return graph.feed("indices", tests::valuesOf({count}, std::move(values), core::DataType::Int32));
    }
};

} // namespace

/// Lookups and updates of tables that are not on the device.
class HostTablesTest : public QObject {
    Q_OBJECT

private slots:
    void rowsOutsideAreMovedInsideOrZero() {
        for (const bool clips : {true, false}) {
            HostRun run;
            HostLookup lookup;
            lookup.clipIndices = clips;
            const core::TensorId rows = run.graph.build().addAs(lookup, {run.table, run.indices({1, -4, 9})},
                                                                "lookup", {{3, 2}, core::DataType::Float32});
            QVERIFY(run.graph.run({rows}).has_value());
            QCOMPARE(run.graph.read(rows),
                     clips ? (std::vector<float>{3, 4, 1, 2, 5, 6}) : (std::vector<float>{3, 4, 0, 0, 0, 0}));
        }
    }

    void gradientsOfEqualIndicesAddUp() {
        HostRun run;
        HostUpdate update;
        update.learningRate = 0.5;
        const core::TensorId gradient =
            run.graph.feed("gradient", tests::valuesOf({3, 2}, {2, 4, 6, 8, 10, 12}));
        run.graph.build().addInPlace(update, {run.table, run.indices({2, 0, 2}), gradient}, {run.table},
                                     "update");
        QVERIFY(run.graph.run({}).has_value());
        QCOMPARE(run.graph.read(run.table), (std::vector<float>{1 - 3, 2 - 4, 3, 4, 5 - 1 - 5, 6 - 2 - 6}));
    }

    void accumulatedGradientsAreAppliedTogether() {
        HostRun run;
        HostUpdate update;
        update.learningRate = 0.5;
        update.accumulation = 2;
        const core::TensorId sums =
            run.graph.feed("sums", tests::valuesOf({3, 2}, std::vector<float>(6, 0)), TensorRole::State);
        const core::TensorId count = run.graph.feed("count", tests::valuesOf({}, {0}), TensorRole::State);
        const core::TensorId gradient = run.graph.feed("gradient", tests::valuesOf({1, 2}, {2, 4}));
        run.graph.build().addInPlace(update, {run.table, sums, count, run.indices({1}), gradient},
                                     {run.table, sums, count}, "update");
        QVERIFY(run.graph.run({}).has_value());
        QCOMPARE(run.graph.read(run.table), start);
        QCOMPARE(run.graph.read(sums), (std::vector<float>{0, 0, 2, 4, 0, 0}));
        run.graph.rerun();
        QCOMPARE(run.graph.read(run.table), (std::vector<float>{1, 2, 3 - 2, 4 - 4, 5, 6}));
        QCOMPARE(run.graph.read(sums), std::vector<float>(6, 0));
        QCOMPARE(run.graph.read(count), std::vector<float>{0});
    }
};

REGISTER_TEST("host_tables", HostTablesTest)
#include "host_tables_test.moc"
