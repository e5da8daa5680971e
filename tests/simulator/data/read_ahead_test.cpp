#include "simulator/data/samples/read_ahead.h"

#include "core/base/file.h"
#include "simulator/data/files/byte_source.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <atomic>
#include <set>

namespace {

/// Sample n has the inputs (n, n + 0.5) and (−n); sample 3 cannot be read. Tells which threads read.
class CountedSource final : public simulator::SampleSource {
public:
    [[nodiscard]] std::int64_t samples() const override { return 8; }
    [[nodiscard]] const std::vector<simulator::SampleField>& inputs() const override { return m_inputs; }
    [[nodiscard]] const std::vector<simulator::SampleField>& targets() const override { return m_targets; }
    [[nodiscard]] core::Result<void> readInput(std::size_t field, std::int64_t sample,
                                               std::span<float> values) const override {
        {
            const std::scoped_lock lock(m_mutex);
            m_readers.insert(std::this_thread::get_id());
        }
        ++m_reads;
        if (sample == 3)
            return core::failure(
                simulator::datasetTrouble("dataset/damaged", "picture 3", "", "is damaged", "fetch it"));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] =
                (field == 0 ? 1.0F : -1.0F) * static_cast<float>(sample) + 0.5F * static_cast<float>(i);
        return {};
    }
    [[nodiscard]] core::Result<void> readTarget(std::size_t, std::int64_t sample,
                                                std::span<float> values) const override {
        values[0] = static_cast<float>(10 * sample);
        return {};
    }

    [[nodiscard]] int reads() const { return m_reads; }
    [[nodiscard]] std::set<std::thread::id> readers() const {
        const std::scoped_lock lock(m_mutex);
        return m_readers;
    }

private:
    std::vector<simulator::SampleField> m_inputs{{"pictures", {2}}, {"more", {1}}};
    std::vector<simulator::SampleField> m_targets{{"labels", {}}};
    mutable std::mutex m_mutex;
    mutable std::set<std::thread::id> m_readers;
    mutable std::atomic<int> m_reads = 0;
};

std::vector<float> inputOf(const simulator::SampleSource& source, std::size_t field, std::int64_t sample) {
    std::vector<float> values(static_cast<std::size_t>(source.inputs()[field].elements()));
    return source.readInput(field, sample, values) ? values : std::vector<float>();
}

} // namespace

class ReadAheadTest : public QObject {
    Q_OBJECT

private slots:
    void givesWhatTheSourceGives() {
        const auto source = std::make_shared<CountedSource>();
        simulator::ReadAheadSource ahead(source);
        QCOMPARE(ahead.samples(), std::int64_t{8});
        for (const std::vector<std::int64_t>& batch :
             {std::vector<std::int64_t>{0, 1, 2}, {4, 4, 5}, {7, 0}, {}}) {
            ahead.expect(batch);
            for (const std::int64_t sample : batch)
                for (const std::size_t field : {0U, 1U})
                    QCOMPARE(inputOf(ahead, field, sample), inputOf(*source, field, sample));
        }
        std::vector<float> target(1);
        QVERIFY(ahead.readTarget(0, 6, target).has_value());
        QCOMPARE(target[0], 60.0F);
    }

    void whatIsExpectedIsReadOnItsThreadAndTheRestAtOnce() {
        const auto source = std::make_shared<CountedSource>();
        simulator::ReadAheadSource ahead(source);
        ahead.expect({5});
        QVERIFY(!inputOf(ahead, 0, 5).empty() && !inputOf(ahead, 1, 5).empty());
        QCOMPARE(source->reads(), 2);
        QVERIFY(!source->readers().contains(std::this_thread::get_id()));
        QVERIFY(!inputOf(ahead, 0, 6).empty());
        QVERIFY(source->readers().contains(std::this_thread::get_id()));
    }

    void errorsAreMetWhereTheSampleIsRead() {
        simulator::ReadAheadSource ahead(std::make_shared<CountedSource>());
        ahead.expect({2, 3, 4});
        std::vector<float> values(2);
        QVERIFY(ahead.readInput(0, 2, values).has_value());
        const auto refused = ahead.readInput(0, 3, values);
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().front().code, std::string("dataset/damaged"));
        QVERIFY(ahead.readInput(0, 4, values).has_value());
    }

    void whatIsNotReadDoesNotHoldUpTheEnd() {
        const auto source = std::make_shared<CountedSource>();
        for (int i = 0; i < 50; ++i) {
            simulator::ReadAheadSource ahead(source);
            ahead.expect({0, 1, 2, 4, 5, 6, 7});
            if (i % 2 == 0)
                ahead.expect({1});
        }
        QVERIFY(source->reads() <= 50 * 16);
    }
};

REGISTER_TEST("read_ahead", ReadAheadTest)
#include "read_ahead_test.moc"
