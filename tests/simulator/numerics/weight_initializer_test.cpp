#include "simulator/numerics/weight_initializer.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

using core::Json;
using simulator::initialWeights;

namespace {

std::vector<float> drawn(const char* className, const Json& config, const simulator::Extents& extents,
                         std::string_view name = "layer/kernel", std::uint64_t seed = 1) {
    return initialWeights({{"class_name", className}, {"config", config}}, extents, name, seed);
}

double deviation(const std::vector<float>& values) {
    double squares = 0;
    for (const float value : values)
        squares += static_cast<double>(value) * value;
    return std::sqrt(squares / static_cast<double>(values.size()));
}

} // namespace

class WeightInitializerTest : public QObject {
    Q_OBJECT

private slots:
    void scalesFollowKeras_data() {
        QTest::addColumn<QString>("className");
        QTest::addColumn<double>("expected");
        QTest::addColumn<double>("largest");
        // [3, 3, 20, 30]: fan-in 180, fan-out 270.
        QTest::newRow("glorot uniform") << "GlorotUniform" << std::sqrt(2.0 / 450) << std::sqrt(6.0 / 450);
        QTest::newRow("glorot normal") << "GlorotNormal" << std::sqrt(2.0 / 450) << 1.0;
        QTest::newRow("he uniform") << "HeUniform" << std::sqrt(2.0 / 180) << std::sqrt(6.0 / 180);
        QTest::newRow("he normal") << "HeNormal" << std::sqrt(2.0 / 180) << 1.0;
        QTest::newRow("lecun uniform") << "LecunUniform" << std::sqrt(1.0 / 180) << std::sqrt(3.0 / 180);
        QTest::newRow("lecun normal") << "LecunNormal" << std::sqrt(1.0 / 180) << 1.0;
        QTest::newRow("random normal") << "RandomNormal" << 0.05 << 1.0;
        QTest::newRow("random uniform") << "RandomUniform" << 0.05 / std::sqrt(3.0) << 0.05;
    }

    void scalesFollowKeras() {
        QFETCH(QString, className);
        QFETCH(double, expected);
        QFETCH(double, largest);
        const auto values = drawn(qPrintable(className), Json::object(), {3, 3, 20, 30});
        QVERIFY2(std::abs(deviation(values) / expected - 1) < 0.05,
                 qPrintable(QString::number(deviation(values))));
        const double mean =
            std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
        QVERIFY(std::abs(mean) < 0.06 * expected);
        QVERIFY(std::ranges::all_of(values, [&](float value) { return std::abs(value) <= largest; }));
    }

    void constantsAndIdentityAreExact() {
        QCOMPARE(drawn("Zeros", Json::object(), {3}), std::vector<float>(3, 0));
        QCOMPARE(drawn("Ones", Json::object(), {3}), std::vector<float>(3, 1));
        QCOMPARE(drawn("Constant", {{"value", 0.5}}, {2}), std::vector<float>(2, 0.5F));
        QCOMPARE(drawn("Identity", {{"gain", 2.0}}, {2, 2}), (std::vector<float>{2, 0, 0, 2}));
    }

    void orthogonalColumnsAreOrthonormal() {
        const auto q = drawn("Orthogonal", Json::object(), {12, 5});
        for (std::size_t a = 0; a < 5; ++a) {
            for (std::size_t b = 0; b < 5; ++b) {
                double product = 0;
                for (std::size_t row = 0; row < 12; ++row)
                    product += static_cast<double>(q[row * 5 + a]) * q[row * 5 + b];
                QVERIFY(std::abs(product - (a == b ? 1 : 0)) < 1e-5);
            }
        }
    }

    void numbersDependOnSeedAndNameOnly() {
        const auto first = drawn("HeNormal", Json::object(), {4, 4});
        QCOMPARE(drawn("HeNormal", Json::object(), {4, 4}), first);
        QVERIFY(drawn("HeNormal", Json::object(), {4, 4}, "other/kernel") != first);
        QVERIFY(drawn("HeNormal", Json::object(), {4, 4}, "layer/kernel", 2) != first);
        const Json seeded{{"seed", 9}};
        QCOMPARE(drawn("HeNormal", seeded, {4, 4}, "layer/kernel", 1),
                 drawn("HeNormal", seeded, {4, 4}, "layer/kernel", 2));
    }
};

REGISTER_TEST("weight_initializer", WeightInitializerTest)
#include "weight_initializer_test.moc"
