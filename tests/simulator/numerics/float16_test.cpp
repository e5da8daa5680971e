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
