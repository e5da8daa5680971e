#include "tests/support/numerics/layer_probe.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

using core::Json;
using Floats = std::vector<float>;

tests::ProbeAnswer pooled(const char* className, Json outputSize, simulator::Extents extents, Floats values,
                          const char* dataFormat = "channels_last") {
    return tests::probe({.className = className,
                         .config = {{"output_size", std::move(outputSize)}, {"data_format", dataFormat}},
                         .inputs = {tests::valuesOf(std::move(extents), std::move(values))}});
}

void expect(const tests::ProbeAnswer& answer, const simulator::Extents& extents, const Floats& values) {
    QVERIFY2(answer.error.empty(), answer.error.c_str());
    QCOMPARE(answer.extents.at(0), extents);
    QCOMPARE(answer.outputs.at(0), values);
    QVERIFY2(answer.disagreement.empty(), answer.disagreement.c_str());
}

} // namespace

class PoolingLayersTest : public QObject {
    Q_OBJECT

private slots:
    /// Five steps in three windows: 0–1, 1–3 and 3–4.
    void adaptiveWindowsOverlapWhereTheyMust() {
        expect(pooled("AdaptiveAveragePooling1D", 3, {1, 5, 1}, {1, 2, 3, 4, 8}), {1, 3, 1}, {1.5F, 3, 6});
        expect(pooled("AdaptiveMaxPooling1D", 3, {1, 5, 1}, {5, 2, 3, 1, 8}), {1, 3, 1}, {5, 3, 8});
    }

    void adaptiveWindowsOfAFieldAreThoseOfItsAxes() {
        // Rows 0–1 and 1–2 of three, columns in halves.
        const Floats field{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
        expect(pooled("AdaptiveMaxPooling2D", {2, 2}, {1, 3, 4, 1}, field), {1, 2, 2, 1}, {6, 8, 10, 12});
        expect(pooled("AdaptiveAveragePooling2D", {2, 2}, {1, 3, 4, 1}, field), {1, 2, 2, 1},
               {3.5F, 5.5F, 7.5F, 9.5F});
        expect(pooled("AdaptiveAveragePooling2D", {2, 2}, {1, 1, 3, 4}, field, "channels_first"),
               {1, 1, 2, 2}, {3.5F, 5.5F, 7.5F, 9.5F});
    }

    void adaptiveWindowsSideBySideArePlainOnes() {
        expect(pooled("AdaptiveAveragePooling1D", 2, {1, 4, 1}, {1, 3, 5, 9}), {1, 2, 1}, {2, 7});
        expect(pooled("AdaptiveMaxPooling1D", 2, {1, 4, 1}, {1, 3, 5, 9}), {1, 2, 1}, {3, 9});
    }

    void moreWindowsThanElementsRepeatThem() {
        expect(pooled("AdaptiveAveragePooling1D", 3, {1, 2, 1}, {1, 2}), {1, 3, 1}, {1, 1.5F, 2});
    }

    /// Of six elements, those two apart share a group; the gradient goes to the largest.
    void maxoutKeepsTheLargestOfEachGroup_data() {
        QTest::addColumn<QString>("config");
        QTest::addColumn<std::vector<std::int64_t>>("input");
        QTest::addColumn<std::vector<std::int64_t>>("output");
        QTest::addRow("the last axis")
            << R"({"num_units": 2})" << std::vector<std::int64_t>{1, 6} << std::vector<std::int64_t>{1, 2};
        QTest::addRow("another axis")
            << R"({"num_units": 1, "axis": 1})" << std::vector<std::int64_t>{1, 3, 2}
            << std::vector<std::int64_t>{1, 1, 2};
    }
    void maxoutKeepsTheLargestOfEachGroup() {
        QFETCH(QString, config);
        QFETCH(std::vector<std::int64_t>, input);
        QFETCH(std::vector<std::int64_t>, output);
        const tests::ProbeAnswer answer =
            tests::probe({.className = "Maxout",
                          .config = core::parseJson(config.toStdString(), "test").value(),
                          .inputs = {tests::valuesOf(input, {1, 9, 3, 4, 5, 6})}});
        QVERIFY2(answer.error.empty(), answer.error.c_str());
        QCOMPARE(answer.extents.at(0), output);
        QCOMPARE(answer.outputs.at(0), (std::vector<float>{5, 9}));
        QVERIFY2(answer.disagreement.empty(), answer.disagreement.c_str());
    }
};

REGISTER_TEST("pooling_layers", PoolingLayersTest)
#include "pooling_layers_test.moc"
