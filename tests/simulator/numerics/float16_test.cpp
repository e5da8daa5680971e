#include "tests/support/test_registry.h"
#include "tests/tools/oracle/graph_run.h"

#include <QtTest/QTest>
#include <cmath>
#include <numeric>

using namespace simulator;

namespace {

/// A graph of float16 tensors, run with a rounding of one's choice.
class HalfRun {
public:
    explicit HalfRun(HalfRounding half = {})
        : m_half(half) {
        m_build.setScope({"half", {}, Phase::Forward});
    }

    core::TensorId feed(const char* name, Extents extents, std::vector<float> values,
                        core::DataType type = core::DataType::Float16) {
        TensorForm form;
        form.extents = std::move(extents);
        form.type = type;
        const core::TensorId id = m_build.tensor(name, form, TensorRole::Input);
        m_fed.emplace_back(id, std::move(values));
        return id;
    }
    GraphBuilder& build() { return m_build; }

    std::vector<float> values(core::TensorId id, std::uint64_t draw = 0) {
        TensorStore store(m_graph);
        for (const auto& [fed, numbers] : m_fed)
            store.write(fed, numbers);
        SequenceRequest request{&m_graph, {}, store.addresses(), {id}, true, m_half};
        for (const Operation& operation : m_graph.operations)
            request.operations.push_back(operation.id);
        const auto sequence = OperationSequence::make(std::move(request));
        ThreadPool pool(1);
        pool.reserveScratch(sequence->threadScratch());
        StepState state;
        state.seed = 11;
        state.draw = draw;
        sequence->run(state, pool);
        return readElements(m_graph.tensor(id), sequence->address(id));
    }

private:
    HalfRounding m_half;
    TrainingGraph m_graph;
    GraphBuilder m_build{m_graph};
    std::vector<std::pair<core::TensorId, std::vector<float>>> m_fed;
};

constexpr HalfRounding stochastic{true, false};

/// x as float16, stored from float32.
std::vector<float> stored(std::vector<float> x, HalfRounding half = {}, std::uint64_t draw = 0) {
    HalfRun run(half);
    const auto count = static_cast<std::int64_t>(x.size());
    const core::TensorId id = run.feed("x", {count}, std::move(x), core::DataType::Float32);
    return run.values(run.build().cast(id, core::DataType::Float16), draw);
}

/// float16's nearest value to x, ties to even, in the way of the arithmetic books: in units of its last
/// place.
float nearestHalf(float x) {
    if (x == 0 || !std::isfinite(x))
        return x;
    const int place = std::max(std::ilogb(x), -14) - 10;
    const float rounded = std::ldexp(std::nearbyint(std::ldexp(x, -place)), place);
    return std::abs(rounded) > 65504 ? std::copysign(std::numeric_limits<float>::infinity(), x) : rounded;
}

/// A sum of products as half partials leave it: groups of up to 16 in float32, the sum of groups in float16.
class HalfSum {
public:
    void add(float a, float b) {
        m_group += a * b;
        if (++m_count == 16)
            endGroup();
    }
    /// The next products belong to another group.
    void endGroup() {
        if (m_count > 0)
            m_sum = nearestHalf(m_sum + m_group);
        m_group = 0;
        m_count = 0;
    }
    float value() {
        endGroup();
        return m_sum;
    }

private:
    float m_sum = 0;
    float m_group = 0;
    int m_count = 0;
};

/// Halves whose sums of products need more than eleven bits.
std::vector<float> halves(std::int64_t count, int seed) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(static_cast<float>((i * 7919 + seed * 104729) % 2003 - 1001) / 256);
    return values;
}

/// Positions [samples, length] and channels of a convolution over one axis: stride 2, dilation 1, padding 1.
struct LineConvolution {
    std::int64_t samples = 2;
    std::int64_t length = 21;
    std::int64_t in = 20;
    std::int64_t out = 3;
    std::int64_t taps = 3;
    std::int64_t stride = 2;
    std::int64_t padding = 1;

    [[nodiscard]] std::int64_t outputs() const { return (length + 2 * padding - taps) / stride + 1; }
    [[nodiscard]] Convolution attributes(ConvolutionPass pass) const {
        Convolution convolution;
        convolution.window = {{taps}, {stride}, {1}, {padding}, {padding}};
        convolution.pass = pass;
        convolution.halfPartials = true;
        return convolution;
    }
    /// Position of the input that a tap of an output reads; negative: padding.
    [[nodiscard]] std::int64_t read(std::int64_t output, std::int64_t tap) const {
        const std::int64_t at = output * stride + tap - padding;
        return at < length ? at : -1;
    }
};

} // namespace

class Float16Test : public QObject {
    Q_OBJECT

private slots:
    void storingRoundsToNearestEven() {
        // Between 2048 and 4096 the spacing is 2, the smallest number is 2^-24.
        QCOMPARE(stored({2049, 2051, 2050, std::ldexp(1.0F, -25), std::ldexp(1.1F, -25)}),
                 (std::vector<float>{2048, 2052, 2050, 0, std::ldexp(1.0F, -24)}));
    }

    void tooLargeNumbersAreInfiniteOrSaturate() {
        const float infinity = std::numeric_limits<float>::infinity();
        QCOMPARE(stored({65504, 65519, 65520, -1e9F}),
                 (std::vector<float>{65504, 65504, infinity, -infinity}));
        QCOMPARE(stored({65504, 70000, -1e9F}, {false, true}), (std::vector<float>{65504, 65504, -65504}));
        QVERIFY(std::isnan(stored({std::nanf("")}, {false, true}).front()));
    }

    void productsOfHalvesAddUpInFloat() {
        // 2048 + 1 + 1 … stays 2048 where sums are float16.
        HalfRun run;
        std::vector<float> left(65, 1);
        left.front() = 2048;
        const core::TensorId a = run.feed("a", {1, 65}, left);
        const core::TensorId b = run.feed("b", {65, 1}, std::vector<float>(65, 1));
        QCOMPARE(run.values(run.build().add(MatMul{}, {a, b}, "product")).front(), 2112.0F);
    }

    void halfPartialsAreStoredBetweenGroups() {
        // A group of 2048, then two groups of 1: each is lost in float16.
        std::vector<float> left(48, 0);
        left[3] = 2048;
        left[20] = left[40] = 1;
        for (const bool isHalf : {false, true}) {
            HalfRun run;
            const core::TensorId a = run.feed("a", {1, 48}, left);
            const core::TensorId b = run.feed("b", {48, 1}, std::vector<float>(48, 1));
            MatMul product;
            product.halfPartials = isHalf;
            QCOMPARE(run.values(run.build().add(product, {a, b}, "product")).front(),
                     isHalf ? 2048.0F : 2050.0F);
        }
    }

    void halfPartialsOfProductsFollowTheModel_data() {
        QTest::addColumn<std::int64_t>("rows");
        QTest::addColumn<std::int64_t>("inner");
        QTest::addColumn<std::int64_t>("columns");
        QTest::addColumn<bool>("transposeLeft");
        QTest::addColumn<bool>("transposeRight");
        QTest::newRow("one group") << std::int64_t(3) << std::int64_t(16) << std::int64_t(5) << false
                                   << false;
        QTest::newRow("an odd rest") << std::int64_t(7) << std::int64_t(43) << std::int64_t(9) << false
                                     << false;
        QTest::newRow("long") << std::int64_t(2) << std::int64_t(1500) << std::int64_t(70) << false << true;
        QTest::newRow("many rows") << std::int64_t(90) << std::int64_t(700) << std::int64_t(33) << true
                                   << false;
        QTest::newRow("nothing") << std::int64_t(2) << std::int64_t(0) << std::int64_t(2) << false << false;
    }
    void halfPartialsOfProductsFollowTheModel() {
        QFETCH(std::int64_t, rows);
        QFETCH(std::int64_t, inner);
        QFETCH(std::int64_t, columns);
        QFETCH(bool, transposeLeft);
        QFETCH(bool, transposeRight);
        const std::vector<float> left = halves(rows * inner, 1);
        const std::vector<float> right = halves(inner * columns, 2);
        HalfRun run;
        const core::TensorId a =
            run.feed("a", transposeLeft ? Extents{inner, rows} : Extents{rows, inner}, left);
        const core::TensorId b =
            run.feed("b", transposeRight ? Extents{columns, inner} : Extents{inner, columns}, right);
        MatMul product{transposeLeft, transposeRight};
        product.halfPartials = true;
        const std::vector<float> found = run.values(run.build().add(product, {a, b}, "product"));
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j) {
                HalfSum sum;
                for (std::int64_t k = 0; k < inner; ++k)
                    sum.add(
                        left[static_cast<std::size_t>(transposeLeft ? k * rows + i : i * inner + k)],
                        right[static_cast<std::size_t>(transposeRight ? j * inner + k : k * columns + j)]);
                QCOMPARE(found[static_cast<std::size_t>(i * columns + j)], sum.value());
            }
    }

    void halfPartialsOfConvolutionsFollowTheModel() {
        const LineConvolution line;
        const std::vector<float> x = halves(line.samples * line.length * line.in, 3);
        const std::vector<float> w = halves(line.taps * line.in * line.out, 4);
        const std::vector<float> dy = halves(line.samples * line.outputs() * line.out, 5);
        const auto at = [](const std::vector<float>& values, std::int64_t index) {
            return values[static_cast<std::size_t>(index)];
        };
        const Extents xExtents{line.samples, line.length, line.in};
        const Extents wExtents{line.taps, line.in, line.out};
        const Extents yExtents{line.samples, line.outputs(), line.out};
        HalfRun forward;
        const std::vector<float> y = forward.values(
            forward.build().addAs(line.attributes(ConvolutionPass::Forward),
                                  {forward.feed("x", xExtents, x), forward.feed("w", wExtents, w)}, "y",
                                  {yExtents, core::DataType::Float16}));
        for (std::int64_t n = 0; n < line.samples; ++n)
            for (std::int64_t o = 0; o < line.outputs(); ++o)
                for (std::int64_t c = 0; c < line.out; ++c) {
                    HalfSum sum;
                    for (std::int64_t tap = 0; tap < line.taps; ++tap) {
                        const std::int64_t from = line.read(o, tap);
                        for (std::int64_t i = 0; i < line.in; ++i)
                            sum.add(from < 0 ? 0 : at(x, (n * line.length + from) * line.in + i),
                                    at(w, (tap * line.in + i) * line.out + c));
                        sum.endGroup();
                    }
                    QCOMPARE(at(y, (n * line.outputs() + o) * line.out + c), sum.value());
                }
        HalfRun backward;
        const std::vector<float> dw = backward.values(
            backward.build().addAs(line.attributes(ConvolutionPass::WeightGradient),
                                   {backward.feed("x", xExtents, x), backward.feed("dy", yExtents, dy)}, "dw",
                                   {wExtents, core::DataType::Float16}));
        for (std::int64_t tap = 0; tap < line.taps; ++tap)
            for (std::int64_t i = 0; i < line.in; ++i)
                for (std::int64_t c = 0; c < line.out; ++c) {
                    HalfSum sum;
                    for (std::int64_t n = 0; n < line.samples; ++n) {
                        for (std::int64_t o = 0; o < line.outputs(); ++o) {
                            const std::int64_t from = line.read(o, tap);
                            sum.add(from < 0 ? 0 : at(x, (n * line.length + from) * line.in + i),
                                    at(dy, (n * line.outputs() + o) * line.out + c));
                        }
                        sum.endGroup();
                    }
                    QCOMPARE(at(dw, (tap * line.in + i) * line.out + c), sum.value());
                }
        HalfRun input;
        const std::vector<float> dx =
            input.values(input.build().addAs(line.attributes(ConvolutionPass::InputGradient),
                                             {input.feed("dy", yExtents, dy), input.feed("w", wExtents, w)},
                                             "dx", {xExtents, core::DataType::Float16}));
        for (std::int64_t n = 0; n < line.samples; ++n)
            for (std::int64_t p = 0; p < line.length; ++p)
                for (std::int64_t i = 0; i < line.in; ++i) {
                    // Taps in falling order: rising positions of dy.
                    HalfSum sum;
                    for (std::int64_t tap = line.taps; tap-- > 0;) {
                        const std::int64_t steps = p + line.padding - tap;
                        if (steps % line.stride != 0)
                            continue;
                        const std::int64_t o = steps / line.stride;
                        const bool isThere = steps >= 0 && o < line.outputs();
                        for (std::int64_t c = 0; c < line.out; ++c)
                            sum.add(isThere ? at(dy, (n * line.outputs() + o) * line.out + c) : 0,
                                    at(w, (tap * line.in + i) * line.out + c));
                        sum.endGroup();
                    }
                    QCOMPARE(at(dx, (n * line.length + p) * line.in + i), sum.value());
                }
    }

    void halfPartialsOfRecurrentLayersFollowTheModel() {
        // One step of a cell without activation, from nothing: the product of the input.
        const std::vector<float> x = halves(2 * 40, 6);
        const std::vector<float> w = halves(40 * 3, 7);
        HalfRun run;
        Recurrent cell;
        cell.cell = RecurrentCell::Simple;
        cell.activation = UnaryFunction::Identity;
        cell.useBias = false;
        cell.keepReserve = false;
        cell.halfPartials = true;
        const core::TensorId y = run.build().add(cell,
                                                 {run.feed("x", {2, 1, 40}, x), run.feed("w", {40, 3}, w),
                                                  run.feed("u", {3, 3}, std::vector<float>(9, 1)),
                                                  run.feed("h", {2, 3}, std::vector<float>(6, 0))},
                                                 "cell");
        const std::vector<float> found = run.values(y);
        for (std::size_t n = 0; n < 2; ++n)
            for (std::size_t c = 0; c < 3; ++c) {
                HalfSum sum;
                for (std::size_t k = 0; k < 40; ++k)
                    sum.add(x[n * 40 + k], w[k * 3 + c]);
                QCOMPARE(found[n * 3 + c], sum.value());
            }
    }

    void tooLargePartialsOverflowOrSaturate() {
        for (const bool saturates : {false, true}) {
            HalfRun run({false, saturates});
            MatMul product;
            product.halfPartials = true;
            std::vector<float> right(32, 0);
            right[0] = 300;
            right[16] = -300;
            const core::TensorId a = run.feed("a", {1, 32}, std::vector<float>(32, 300));
            const float found =
                run.values(run.build().add(product, {a, run.feed("b", {32, 1}, right)}, "product")).front();
            // 90000, then −90000.
            if (saturates)
                QCOMPARE(found, nearestHalf(65504.0F - 90000.0F));
            else
                QVERIFY(std::isinf(found));
        }
    }

    void everyOperationRoundsItsResult() {
        HalfRun run;
        const core::TensorId x = run.feed("x", {1}, {2048});
        const core::TensorId one = run.feed("one", {1}, {1});
        const core::TensorId more = run.build().binary(BinaryFunction::Add, x, one);
        QCOMPARE(run.values(run.build().binary(BinaryFunction::Add, more, one)).front(), 2048.0F);
    }

    void stochasticRoundingIsRightOnAverage_data() {
        QTest::addColumn<float>("value");
        QTest::newRow("a quarter up") << 2048.5F;
        QTest::newRow("half up") << 2049.0F;
        QTest::newRow("negative") << -2048.5F;
        QTest::newRow("below the smallest") << std::ldexp(0.3F, -24);
        QTest::newRow("exact") << 1.5F;
    }
    void stochasticRoundingIsRightOnAverage() {
        QFETCH(float, value);
        constexpr std::size_t count = 20000;
        const std::vector<float> rounded = stored(std::vector<float>(count, value), stochastic);
        const double mean = std::accumulate(rounded.begin(), rounded.end(), 0.0) / count;
        const double spacing = std::max(std::ldexp(1.0, std::ilogb(value) - 10), std::ldexp(1.0, -24));
        QVERIFY2(std::abs(mean - static_cast<double>(value)) < 0.02 * spacing,
                 qPrintable(QString("%1 for %2").arg(mean).arg(value)));
    }

    void stochasticRoundingRepeatsForTheSameMicroBatch() {
        const std::vector<float> x(100, 2049);
        QCOMPARE(stored(x, stochastic, 3), stored(x, stochastic, 3));
        QVERIFY(stored(x, stochastic, 3) != stored(x, stochastic, 4));
    }
};

REGISTER_TEST("float16", Float16Test)
#include "float16_test.moc"
