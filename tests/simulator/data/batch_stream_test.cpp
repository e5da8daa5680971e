#include "simulator/data/samples/batch_stream.h"

#include "simulator/data/readers/open_dataset.h"
#include "simulator/data/samples/dataset_split.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <set>

using simulator::BatchStream;

namespace {

BatchStream stream(const simulator::BatchOptions& options) {
    return {*simulator::openDataset({{"synthetic", {{"samples", 10}}}, {}, {}, {}}), options};
}

} // namespace

class BatchStreamTest : public QObject {
    Q_OBJECT

private slots:
    void batchesComeInOrderAndStartAgain() {
        BatchStream batches = stream({.batchSize = 4});
        QCOMPARE(batches.batches(), std::int64_t(2));
        QCOMPARE(batches.samplesOf(0), (std::vector<std::int64_t>{0, 1, 2, 3}));
        QCOMPARE(batches.samplesOf(1), (std::vector<std::int64_t>{4, 5, 6, 7}));
        QCOMPARE(batches.samplesOf(2), batches.samplesOf(0));
    }

    void shufflingDependsOnSeedAndPassAlone() {
        const simulator::BatchOptions options{.batchSize = 5, .shuffles = true, .seed = 3};
        BatchStream batches = stream(options);
        const auto first = batches.samplesOf(0);
        const auto second = batches.samplesOf(1);
        std::set<std::int64_t> all(first.begin(), first.end());
        all.insert(second.begin(), second.end());
        QCOMPARE(all.size(), std::size_t(10));
        QVERIFY(batches.samplesOf(2) != first);
        QCOMPARE(batches.samplesOf(0), first);
        QCOMPARE(stream(options).samplesOf(1), second);
        QVERIFY(stream({.batchSize = 5, .shuffles = true, .seed = 4}).samplesOf(0) != first);
        // The same on every machine and with every library.
        QCOMPARE(first, (std::vector<std::int64_t>{9, 2, 4, 8, 6}));
    }

    void aValidationSplitLeavesItsSamplesOut() {
        core::TrainingOptions training;
        training.validationSplit = 0.25;
        const auto own = simulator::runSamples(10, training, core::RunMode::Train);
        const auto rest = simulator::validationSamples(10, training);
        QCOMPARE(own.count, std::int64_t(7));
        QCOMPARE(rest.first, std::int64_t(7));
        QCOMPARE(rest.count, std::int64_t(3));
        QCOMPARE(simulator::runSamples(10, training, core::RunMode::Evaluate).count, std::int64_t(10));
        BatchStream batches = stream({.batchSize = 3, .first = rest.first, .count = rest.count});
        QCOMPARE(batches.samplesOf(5), (std::vector<std::int64_t>{7, 8, 9}));
    }
};

REGISTER_TEST("batch_stream", BatchStreamTest)
#include "batch_stream_test.moc"
