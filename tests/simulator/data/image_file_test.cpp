#include "simulator/data/files/image_file.h"

#include "core/base/file.h"
#include "tests/simulator/data/picture_bytes.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QTest>
#include <cmath>

using simulator::Image;
using Pixels = std::vector<std::uint8_t>;

class ImageFileTest : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void pngPixelsAreThoseOfTheFile() {
        const Image colour = read(tests::pngBytes(2, 2, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), 3);
        QCOMPARE(colour.rows, std::int64_t{2});
        QCOMPARE(colour.columns, std::int64_t{2});
        QCOMPARE(colour.pixels, (Pixels{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
        QCOMPARE(read(tests::pngBytes(1, 3, 1, {0, 128, 255}), 1).pixels, (Pixels{0, 128, 255}));
        QCOMPARE(read(tests::pngBytes(1, 1, 4, {9, 8, 7, 6}), 4).pixels, (Pixels{9, 8, 7, 6}));
    }

    void channelsAreConvertedAsAskedFor() {
        const std::string colour = tests::pngBytes(1, 1, 3, {100, 50, 200});
        // 0.299 · 100 + 0.587 · 50 + 0.114 · 200 = 82.05
        QCOMPARE(read(colour, 1).pixels, (Pixels{82}));
        QCOMPARE(read(colour, 4).pixels, (Pixels{100, 50, 200, 255}));
        QCOMPARE(read(tests::pngBytes(1, 1, 1, {7}), 3).pixels, (Pixels{7, 7, 7}));
        QCOMPARE(read(tests::pngBytes(1, 1, 4, {9, 8, 7, 6}), 3).pixels, (Pixels{9, 8, 7}));
    }

    void pgmAndPpmAreReadAsBytesAndAsText() {
        QCOMPARE(read(std::string("P5 2 1 255\n\x10\xff", 13), 1).pixels, (Pixels{16, 255}));
        QCOMPARE(read("P6\n# made by hand\n1 1\n255\nabc", 3).pixels, (Pixels{'a', 'b', 'c'}));
        QCOMPARE(read("P2 3 1 15 0 15 5", 1).pixels, (Pixels{0, 255, 85}));
        QCOMPARE(read("P3 1 1 255 1 2 3\n", 3).pixels, (Pixels{1, 2, 3}));
        // Two bytes per value above 255: 0x0100 of 0xffff is 1 of 255.
        QCOMPARE(read(std::string("P5 1 1 65535\n\x01\x01", 15), 1).pixels, (Pixels{1}));
    }

    void aGreyJpegIsGreyAgain() {
        const Image image = read(tests::jpegBytes(16, 8, 128), 1);
        QCOMPARE(image.rows, std::int64_t{16});
        QCOMPARE(image.columns, std::int64_t{8});
        QCOMPARE(image.pixels, Pixels(16 * 8, 128));
        QCOMPARE(read(tests::jpegBytes(8, 8, 128), 3).pixels, Pixels(8 * 8 * 3, 128));
    }

    void whatIsNoPictureIsToldApart() {
        QCOMPARE(refusal("GIF89a"), QString("dataset/not-an-image"));
        QCOMPARE(refusal(""), QString("dataset/not-an-image"));
        const std::string png = tests::pngBytes(4, 4, 3, Pixels(48, 7));
        QCOMPARE(refusal(png.substr(0, png.size() / 2)), QString("dataset/damaged-image"));
        QCOMPARE(refusal(tests::jpegBytes(16, 16, 9).substr(0, 60)), QString("dataset/damaged-image"));
        QCOMPARE(refusal("P5 2 2 255\nabc"), QString("dataset/damaged-image"));
        QCOMPARE(refusal("P5 two 2 255\nabcd"), QString("dataset/damaged-image"));
        QCOMPARE(refusal("P5 100000 100000 255\nabc"), QString("dataset/image-size"));
        QCOMPARE(refusal("P2 1 1 9 12"), QString("dataset/damaged-image"));
    }

    void resizingIsBilinearBetweenCentres() {
        // Centres of the two columns are at 0.5 and 1.5; of four they lie at 0.25, 0.75, 1.25, 1.75.
        const Image row{1, 2, 1, {0, 100}};
        QCOMPARE(simulator::resizedImage(row, 1, 4), (std::vector<float>{0, 25, 75, 100}));
        QCOMPARE(simulator::resizedImage({1, 4, 1, {10, 20, 30, 40}}, 1, 2), (std::vector<float>{15, 35}));
        QCOMPARE(simulator::resizedImage({2, 2, 1, {0, 10, 20, 30}}, 1, 1), std::vector<float>{15});
        QCOMPARE(simulator::resizedImage(row, 1, 2), (std::vector<float>{0, 100}));
    }

private:
    [[nodiscard]] core::Result<Image> open(const std::string& bytes, std::int64_t channels) const {
        const std::filesystem::path path = std::filesystem::path(m_folder->path().toStdString()) / "picture";
        if (!core::writeFileAtomically(path, bytes, core::Overwrite::Replace))
            return Image{};
        return simulator::readImageFile(path, channels);
    }
    [[nodiscard]] Image read(const std::string& bytes, std::int64_t channels) const {
        const auto image = open(bytes, channels);
        if (!image)
            qWarning("%s", core::toText(image.error().front()).c_str());
        return image.value_or(Image{});
    }
    [[nodiscard]] QString refusal(const std::string& bytes) const {
        const auto image = open(bytes, 3);
        return image ? "read" : QString::fromStdString(image.error().front().code);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

REGISTER_TEST("image_file", ImageFileTest)
#include "image_file_test.moc"
