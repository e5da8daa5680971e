#include "simulator/cost/convolution_plan.h"
#include "simulator/target/target_catalogue.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>
#include <random>

using namespace simulator;

namespace {

ConvolutionProblem product(std::int64_t groups, std::int64_t m, std::int64_t k, std::int64_t n) {
    ConvolutionProblem problem;
    problem.groups = groups;
    problem.rows = m;
    problem.inner = k;
    problem.columns = n;
    problem.operandBytes = problem.outputBytes = problem.partialBytes = 2;
    return problem;
}

ConvolutionProblem image(std::int64_t batch, std::int64_t side, std::int64_t in, std::int64_t out,
                         std::int64_t kernel, std::int64_t groups = 1) {
    ConvolutionProblem problem = product(groups, batch * side * side, in, out);
    problem.form = ConvolutionProblem::Form::Window;
    problem.window.axes = 2;
    problem.window.kernel = {kernel, kernel, 1};
    problem.window.reach = problem.window.kernel;
    problem.window.rowsPerImage = side * side;
    problem.window.elementsPerImage = (side + kernel - 1) * (side + kernel - 1);
    return problem;
}

ConvolutionPlan planOn(const IpuTarget& target, const ConvolutionProblem& problem, double proportion = 0.6) {
    return planConvolution(
        problem, target, {target.tiles, proportion * static_cast<double>(target.memoryPerTileBytes), false});
}

ConvolutionPlan planOf(const ConvolutionProblem& problem, double proportion = 0.6) {
    return planOn(findTarget("ipu2")->target, problem, proportion);
}

bool near(double value, double wanted, double tolerance) {
    return std::abs(value / wanted - 1) <= tolerance;
}

/// A random problem: products and convolutions from tiny to large.
ConvolutionProblem randomProblem(std::mt19937& random) {
    const auto extent = [&](int bits) {
        const std::int64_t high = std::int64_t{1} << std::uniform_int_distribution<int>(0, bits)(random);
        return std::uniform_int_distribution<std::int64_t>(1, high)(random);
    };
    if (random() % 2 == 0)
        return product(extent(4), extent(14), extent(12), extent(12));
    return image(extent(4), extent(6), extent(9), extent(9), 2 * extent(2) - 1);
}

} // namespace

class ConvolutionPlanTest : public QObject {
    Q_OBJECT

private slots:
    /// Values of an independent prototype of the published cost model (proportion 0.25).
    void agreesWithIndependentPlans() {
        QVERIFY(near(planOf(product(1, 1024, 1024, 4096), 0.25).total(), 107e3, 0.05));
        QVERIFY(near(planOf(product(1, 1024, 1024, 1024), 0.25).total(), 40e3, 0.1));
        QVERIFY(near(planOf(product(128, 128, 64, 128), 0.25).total(), 9e3, 0.05));
    }

    /// A compiled BERT-Large has 35 kB per tile beside its weights: the widest product's operands and
    /// partials, and some live activations.
    void agreesWithTheMemoryOfACompiledModel() {
        const double bytes = std::max(planOf(product(1, 128, 1024, 4096)).temporaryBytes(),
                                      planOf(product(1, 128, 4096, 1024)).temporaryBytes());
        QVERIFY2(near(bytes, 35.06e3, 0.12), std::to_string(bytes).c_str());
    }

    void keepsTheBoundAndUsesNoMoreTilesThanThereAre() {
        std::mt19937 random(1);
        for (int i = 0; i < 60; ++i) {
            const ConvolutionProblem problem = randomProblem(random);
            const ConvolutionPlan plan = planOf(problem, 0.4);
            QVERIFY(plan.tiles() >= 1 && plan.tiles() <= 1472);
            QVERIFY(plan.temporaryBytes() <= 0.4 * 638976);
            QVERIFY(plan.total() > 0 && std::isfinite(plan.total()));
        }
    }

    void givesWayWhereNothingFits() {
        const ConvolutionPlan plan = planOf(product(1, 4096, 4096, 4096), 0.001);
        QVERIFY(plan.temporaryBytes() > 0.001 * 638976);
        QVERIFY(plan.serialColumns * plan.serialInner > 1);
        const ConvolutionPlan leanest = planOf(product(1, 4096, 4096, 4096), 0);
        QCOMPARE(leanest.temporaryBytes(), plan.temporaryBytes());
    }

    void moreMemoryNeverSlowsAPlan() {
        std::mt19937 random(2);
        for (int i = 0; i < 40; ++i) {
            const ConvolutionProblem problem = randomProblem(random);
            double last = std::numeric_limits<double>::infinity();
            for (const double proportion : {0.0, 0.005, 0.02, 0.1, 0.3, 0.6, 1.0, 4.0}) {
                const double total = planOf(problem, proportion).total();
                QVERIFY(total <= last);
                last = total;
            }
        }
    }

    void moreTilesNeverSlowAPlan() {
        std::mt19937 random(3);
        for (int i = 0; i < 40; ++i) {
            const ConvolutionProblem problem = randomProblem(random);
            IpuTarget target = findTarget("ipu2")->target;
            double last = std::numeric_limits<double>::infinity();
            for (const std::int64_t tiles : {1, 2, 5, 16, 100, 368, 1000, 1216, 1472, 1473, 4000}) {
                target.tiles = tiles;
                const double total = planOn(target, problem, 1e6).total();
                QVERIFY(total <= last);
                last = total;
            }
        }
    }

    void moreBandwidthNeverSlowsAPlan() {
        std::mt19937 random(4);
        for (int i = 0; i < 40; ++i) {
            const ConvolutionProblem problem = randomProblem(random);
            IpuTarget target = findTarget("ipu2")->target;
            double last = std::numeric_limits<double>::infinity();
            for (const double rate : {0.5, 1.0, 4.0, 5.0, 64.0}) {
                target.exchangeBytesPerCycle = rate;
                const double total = planOn(target, problem).total();
                QVERIFY(total <= last);
                last = total;
            }
        }
    }

    void largerProblemsAreNeverFaster() {
        std::mt19937 random(5);
        for (int i = 0; i < 60; ++i) {
            const ConvolutionProblem problem = randomProblem(random);
            const double total = planOf(problem, 100).total();
            ConvolutionProblem larger = problem;
            std::int64_t* const extents[] = {&larger.rows, &larger.inner, &larger.columns};
            std::int64_t& extent = *extents[random() % 3];
            extent += 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(extent));
            QVERIFY(planOf(larger, 100).total() >= total);
        }
    }

    void halfIsFasterThanFloatAndHalfPartialsFasterThanFloatPartials() {
        ConvolutionProblem problem = product(1, 1024, 1024, 1024);
        const double half = planOf(problem).total();
        problem.partialBytes = 4;
        const double floatPartials = planOf(problem).total();
        problem.operandBytes = problem.outputBytes = 4;
        QVERIFY(half < floatPartials);
        QVERIFY(floatPartials < planOf(problem).total());
    }

    void depthwiseTakesTheVectorMethods() {
        const ConvolutionPlan plan = planOf(image(3, 95, 1, 1, 3, 96));
        QCOMPARE(plan.method, ConvolutionMethod::Slic);
        ConvolutionProblem wide = image(3, 95, 16, 16, 3, 6);
        QCOMPARE(planOf(wide).method, ConvolutionMethod::Amp);
    }

    void smallGroupsShareAPass() {
        const ConvolutionProblem grouped = image(4, 32, 8, 8, 3, 64);
        QCOMPARE(planOf(grouped).groupsPerPass, 2);
    }

    void fewChannelsFillPassesWithKernelRows() {
        // 3 input channels of a 7x7 kernel: 4 rows at once, so far less than a third of the padded work.
        const double few = planOf(image(8, 112, 3, 64, 7)).total();
        const double full = planOf(image(8, 112, 16, 64, 7)).total();
        QVERIFY(few < 0.5 * full);
    }

    void plansWhateverShapeItGets() {
        constexpr std::int64_t huge = std::int64_t{1} << 60;
        for (const std::int64_t m : {std::int64_t{0}, std::int64_t{1}, huge})
            for (const std::int64_t k : {std::int64_t{0}, std::int64_t{1}, huge})
                for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, huge}) {
                    const ConvolutionPlan plan = planOf(product(1, m, k, n));
                    QVERIFY(std::isfinite(plan.total()) && plan.total() >= 0);
                    QCOMPARE(plan.total() > 0, m > 0 && k > 0 && n > 0);
                }
    }

    void windowsNeedTheirHaloButNoMoreThanTheImage() {
        FieldWindow window;
        window.axes = 2;
        window.kernel = window.reach = {3, 3, 1};
        window.rowsPerImage = 64;
        window.elementsPerImage = 100;
        QCOMPARE(window.operandElements(1), 9.0);
        QCOMPARE(window.operandElements(16), 36.0);
        QCOMPARE(window.operandElements(64), 100.0);
        QCOMPARE(window.operandElements(128), 200.0);
        window.stride = {2, 2, 1};
        QCOMPARE(window.operandElements(4), 25.0);
    }
};

REGISTER_TEST("convolution_plan", ConvolutionPlanTest)
#include "convolution_plan_test.moc"
