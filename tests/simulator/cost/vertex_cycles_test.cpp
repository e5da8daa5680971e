#include "simulator/cost/vertex/access_vertex.h"
#include "simulator/cost/vertex/convolution_vertex.h"
#include "simulator/cost/vertex/elementwise_vertex.h"
#include "simulator/cost/vertex/random_vertex.h"
#include "simulator/cost/vertex/reduction_vertex.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <array>
#include <cmath>

using namespace simulator;
using core::DataType;

namespace {

/// One pass of 16 → 16 channels over `rows` field elements with half partials.
double onePass(std::int64_t rows) {
    return conv1x1Cycles({}, {rows, 1, 1, 1, 1, true});
}

constexpr std::int64_t workers = 6;

} // namespace

/// Worked values of the published formulas and cycles measured on machines.
class VertexCyclesTest : public QObject {
    Q_OBJECT

private slots:
    void matrixVertexAgreesWithMeasuredCycles() {
        // Every tile of a Bow the same vertex; the timer itself adds 7 cycles.
        constexpr std::array<std::pair<std::int64_t, double>, 11> measured{{{16, 402},
                                                                            {48, 524},
                                                                            {64, 584},
                                                                            {80, 653.35},
                                                                            {112, 776},
                                                                            {128, 845.34},
                                                                            {256, 1352},
                                                                            {512, 2381.35},
                                                                            {1024, 4424},
                                                                            {2032, 8456},
                                                                            {2048, 8525.34}}};
        for (const auto& [rows, cycles] : measured)
            QVERIFY2(std::abs((onePass(rows) + 7) / cycles - 1) < 0.02, std::to_string(rows).c_str());
    }

    void matrixVertexGivesThePublishedTable() {
        QCOMPARE(onePass(64), 577.0);
        QCOMPARE(onePass(128), 841.0);
        QCOMPARE(onePass(256), 1345.0);
        QCOMPARE(onePass(512), 2377.0);
        QCOMPARE(onePass(1024), 4417.0);
        QCOMPARE(onePass(2032), 8449.0);
    }

    void matrixVertexReachesThePublishedEfficiencies() {
        const auto efficiency = [](std::int64_t rows, std::int64_t in, std::int64_t out) {
            const double multiplyAdds = static_cast<double>(rows * in * out) * 256;
            return multiplyAdds / 64 / conv1x1Cycles({}, {rows, 1, in, out, 1, true});
        };
        QVERIFY(std::abs(efficiency(64, 8, 4) - 0.54) < 0.01);
        QVERIFY(std::abs(efficiency(256, 16, 4) - 0.82) < 0.01);
    }

    void widerLoadsHalveTheCoefficientLoad() {
        MatrixUnit unit;
        QCOMPARE(unit.coefficientLoad(), 64);
        unit.coefficientLoadBytes = 16;
        QCOMPARE(unit.coefficientLoad(), 32);
    }

    void monotonePassNeverFalls() {
        for (const int bytes : {2, 4}) {
            MatrixUnit unit;
            unit.operandBytes = bytes;
            std::int64_t last = 0;
            for (std::int64_t n = 0; n < 200; ++n) {
                const std::int64_t cycles = conv1x1PassCycles(unit, n, true, true);
                QVERIFY(cycles >= last);
                last = cycles;
            }
        }
    }

    void elementwiseGivesThePublishedExamples() {
        // 1,048,576 elements over 1472 tiles: 713 on the fullest.
        constexpr std::int64_t n = 713;
        const auto unary = [](UnaryFunction f) { return unaryCost(f).cycles(n, DataType::Float16, workers); };
        QCOMPARE(binaryCost(BinaryFunction::Add).cycles(n, DataType::Float16, workers), 707.0);
        QCOMPARE(binaryCost(BinaryFunction::Add).cycles(n, DataType::Float32, workers), 1265.0);
        QCOMPARE(unary(UnaryFunction::Relu), 662.0);
        QCOMPARE(unary(UnaryFunction::Exponential) - 6 * (33 - 17), 842.0);
        QCOMPARE(unary(UnaryFunction::Exponential), 938.0);
        QCOMPARE(unary(UnaryFunction::Tanh), 842.0);
        QCOMPARE(unary(UnaryFunction::Sigmoid), 1202.0);
        QCOMPARE(unary(UnaryFunction::GeluErf), 11546.0);
    }

    void scalarOperandsAreCheaper() {
        for (const auto f : {BinaryFunction::Add, BinaryFunction::Multiply, BinaryFunction::Divide})
            QVERIFY(binaryCost(f, true).cycles(10000, DataType::Float16, workers) <
                    binaryCost(f).cycles(10000, DataType::Float16, workers));
    }

    void castAndFillGiveThePublishedExamples() {
        QCOMPARE(castCycles(DataType::Float16, DataType::Float32, 713, workers), 612.0);
        QCOMPARE(fillCycles(DataType::Float16, 713, workers), 330.0);
    }

    void reductionGivesThePublishedExamples() {
        const TileReduction work{64, 16, 4, workers};
        QCOMPARE(singleInputReduceCycles(work), 621);
        QCOMPARE(genericReduceCycles(work), 1218);
        QCOMPARE(reduceStages(15), 1);
        QCOMPARE(reduceStages(16), 2);
        QCOMPARE(reduceStages(124), 2);
        QCOMPARE(reduceStages(125), 3);
    }

    void accessGivesThePublishedExamples() {
        // 4 rows in range, 16 half elements as 8 vectors of 2.
        QCOMPARE(multiSliceCycles({4, 0, 16, 2, workers}), 1020.0);
        // Max pool 3x3, 64 output vectors, one row.
        QCOMPARE(poolingCycles({64, 9, 1, false, workers}), 1962.0);
        QCOMPARE(tileCopyCycles(8192), 1024.0 + 288);
    }

    void randomNumbersGiveThePublishedExamples() {
        QCOMPARE(dropoutCycles(DataType::Float32, 713), 865.0);
        QCOMPARE(randomCycles(RandomDistribution::Normal, DataType::Float16, 713), 876.0);
        QCOMPARE(randomCycles(RandomDistribution::Bernoulli, DataType::Float16, 713), 184.0);
    }

    void nothingCostsNothing() {
        QCOMPARE(unaryCost(UnaryFunction::Relu).cycles(0, DataType::Float16, workers), 0.0);
        QCOMPARE(castCycles(DataType::Float16, DataType::Float32, 0, workers), 0.0);
        QCOMPARE(fillCycles(DataType::Float16, 0, workers), 0.0);
        QCOMPARE(dropoutCycles(DataType::Float16, 0), 0.0);
    }

    void elementwiseNeverFallsWithSize() {
        for (int f = 0; f <= static_cast<int>(UnaryFunction::ScaleShift); ++f)
            for (const DataType type : {DataType::Float32, DataType::Float16, DataType::Bool}) {
                double last = 0;
                for (std::int64_t n = 0; n < 300; n += 7) {
                    const double cycles = unaryCost(static_cast<UnaryFunction>(f)).cycles(n, type, workers);
                    QVERIFY(cycles >= last);
                    last = cycles;
                }
            }
    }
};

REGISTER_TEST("vertex_cycles", VertexCyclesTest)
#include "vertex_cycles_test.moc"
