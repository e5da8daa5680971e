#include "core/base/file.h"
#include "tests/app/verbs/features/shown_feature.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>

using tests::Codes;
using tests::ShownFeature;

namespace {

/// The numbers of a table of predictions, without its heading and the samples' numbers.
std::vector<double> predicted(const ShownFeature& shown, const char* file) {
    std::vector<double> numbers;
    const QByteArray text =
        QByteArray::fromStdString(core::readFile(shown.workbench().path(file)).value_or(""));
    for (const QByteArray& line : text.split('\n').mid(1))
        for (const QByteArray& cell : line.split(',').mid(1))
            numbers.push_back(cell.toDouble());
    return numbers;
}

bool learns(const std::vector<double>& losses) {
    const bool isFinite = std::ranges::all_of(losses, [](double loss) { return std::isfinite(loss); });
    return isFinite && losses.back() < losses.front();
}

} // namespace

/// The commands of `features` about layers and operations, and the figures that they are there for.
class OperationFeaturesTest : public QObject {
    Q_OBJECT

private slots:
    void p20TrainsTheLayersOfTheIpu() {
        const ShownFeature shown("P20");
        QCOMPARE(shown.codes(), Codes({0, 0, 0}));
        QVERIFY(learns(shown.losses(1)));
        QVERIFY(learns(shown.losses(2)));
        QVERIFY(shown.losses(2).back() < 0.1);
    }

    void p21ComputesItsOperations() {
        const ShownFeature shown("P21");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
        // In pieces: the same numbers in more time and less memory.
        QVERIFY(shown.losses(1) == shown.losses(2));
        QVERIFY(shown.at(2, "/step_cycles") > shown.at(1, "/step_cycles"));
        QVERIFY(shown.at(2, "/memory/0/peak_bytes") < shown.at(1, "/memory/0/peak_bytes"));
        // Four bins per batch of 16 samples hold its 16 · 8 numbers, between 0 and 1.
        const std::vector<double> bins = predicted(shown, "p21.csv");
        QCOMPARE(bins.size(), std::size_t(4 * 64));
        for (std::size_t batch = 0; batch < 64; ++batch)
            QCOMPARE(bins[4 * batch] + bins[4 * batch + 1] + bins[4 * batch + 2] + bins[4 * batch + 3],
                     128.0);
        QVERIFY(learns(shown.losses(4)));
        QVERIFY(shown.at(5, "/cycles") > 0 && shown.at(5, "/fraction_of_peak") < 1);
        const auto isLoss = [](double value) { return std::isfinite(value) && value >= 0; };
        for (const char* table : {"ctc.csv", "nce.csv"}) {
            const std::vector<double> losses = predicted(shown, table);
            QCOMPARE(losses.size(), std::size_t(1024));
            QVERIFY(std::ranges::all_of(losses, isLoss));
            QVERIFY(std::ranges::count_if(losses, [](double value) { return value > 1; }) > 256);
        }
        // Sequences keep their extents; what is behind their lengths is zero.
        const std::vector<double> slices = predicted(shown, "slices.csv");
        QCOMPARE(slices.size(), std::size_t(1024 * 48));
        QVERIFY(std::ranges::count(slices, 0.0) > 0 && std::ranges::count(slices, 0.0) < 1024 * 48);
        // Images of numbers from 0 to 1: (x / 2 - 1) · 1, and a fourth channel of zeros.
        const std::vector<double> images = predicted(shown, "images.csv");
        QCOMPARE(images.size(), std::size_t(1024 * 256));
        for (std::size_t i = 0; i < images.size(); i += 4) {
            QVERIFY(images[i] >= -1 && images[i] <= -0.5);
            QCOMPARE(images[i + 3], 0.0);
        }
        QVERIFY(learns(shown.losses(10)));
    }

    void p22RunsRecurrentCells() {
        const ShownFeature shown("P22");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 3, 0, 0}));
        QVERIFY(learns(shown.losses(5)));
        QVERIFY(learns(shown.losses(6)));
        QVERIFY(shown.losses(1) != shown.losses(2));
        // A second bias for the three gates of 8 units where the reset comes after the product.
        const char* weights = "/memory/0/by_category/weights";
        QCOMPARE(shown.at(1, weights) - shown.at(2, weights), 3.0 * 8 * 4);
        QVERIFY(std::isfinite(shown.losses(3).back()));
        QVERIFY(shown.answer(4).codes().contains("value-error/fused-activation"));
    }

    void p23ExchangesOverReplicas() {
        const ShownFeature shown("P23");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0}));
        QVERIFY(shown.losses(2) != shown.losses(1));
        QVERIFY(shown.at(2, "/step_cycles") > shown.at(1, "/step_cycles"));
        // Groups of one sum nothing.
        QVERIFY(shown.losses(3) == shown.losses(1));
        QVERIFY(shown.answer(4).codes().contains("exception/replica-group"));
        QCOMPARE(shown.at(5, "/details/sent_bytes_per_ipu"), 0.75e6);
        // The mean of four is another number than their sum, in the same time.
        QVERIFY(shown.losses(6) != shown.losses(2) && shown.losses(6) != shown.losses(1));
        QCOMPARE(shown.at(6, "/step_cycles"), shown.at(2, "/step_cycles"));
        // What replicas hand one another are other samples' numbers; a promise computes nothing.
        QVERIFY(shown.losses(7) != shown.losses(1));
        QVERIFY(shown.at(7, "/step_cycles") > shown.at(1, "/step_cycles"));
        QVERIFY(shown.losses(8) == shown.losses(1));
        // Groups of two: half of the tensor instead of three quarters of it.
        QCOMPARE(shown.at(9, "/details/sent_bytes_per_ipu"), 0.5e6);
        QCOMPARE(shown.at(10, "/details/sent_bytes_per_ipu"), 0.75e6);
        QVERIFY(shown.at(11, "/cycles") > 0);
    }

    void p24LooksUpRowsOfTheHost() {
        const ShownFeature shown("P24");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 0, 0}));
        // The table stays with the host.
        QVERIFY(shown.at(1, "/memory/0/by_category/weights") < 5000 * 8 * 4);
        QVERIFY(shown.losses(1) != shown.losses(2));
        QVERIFY(shown.at(2, "/step_cycles") > shown.at(1, "/step_cycles"));
        // Either partition gives the same rows, in another time.
        QVERIFY(shown.losses(3) == shown.losses(4));
        QVERIFY(shown.at(3, "/step_cycles") != shown.at(4, "/step_cycles"));
        QCOMPARE(shown.at(5, "/effective_batch"), 2 * shown.at(2, "/effective_batch"));
    }

    void p25ComputesWhatUsersWrite() {
        const ShownFeature shown("P25");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 3}));
        const std::vector<double> three = predicted(shown, "p25.csv");
        QCOMPARE(three.size(), std::size_t(1024 * 8));
        QVERIFY(std::ranges::all_of(three, [](double value) { return value == 3; }));
        // Shared code: the same numbers in less memory.
        QVERIFY(shown.losses(2) == shown.losses(3));
        QVERIFY(shown.at(3, "/memory/0/by_category/vertex_state") <
                shown.at(2, "/memory/0/by_category/vertex_state"));
        QVERIFY(shown.answer(4).err.contains("--allow-user-code"));
    }
};

REGISTER_TEST("operation_features", OperationFeaturesTest)
#include "operation_features_test.moc"
