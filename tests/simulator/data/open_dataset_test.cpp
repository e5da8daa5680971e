#include "simulator/data/readers/open_dataset.h"

#include "core/base/file.h"
#include "core/config/dataset_catalogue.h"
#include "simulator/data/files/npy_array.h"
#include "simulator/data/files/npz_archive.h"
#include "tests/simulator/data/picture_bytes.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QByteArray>
#include <QTemporaryDir>
#include <QtTest/QTest>
#include <cmath>
#include <fstream>
#include <numeric>
#include <set>
#include <zlib.h>

using core::Json;
using simulator::OpenedDataset;

namespace {

std::vector<float> inputOf(const OpenedDataset& source, std::int64_t sample) {
    std::vector<float> values(static_cast<std::size_t>((*source)->inputs()[0].elements()));
    return (*source)->readInput(0, sample, values) ? values : std::vector<float>();
}
std::vector<float> targetOf(const OpenedDataset& source, std::int64_t sample) {
    std::vector<float> values(static_cast<std::size_t>((*source)->targets()[0].elements()));
    return (*source)->readTarget(0, sample, values) ? values : std::vector<float>();
}

QString outcome(const OpenedDataset& source) {
    if (source)
        return "opened";
    const core::Diagnostic& first = source.error().front();
    return QString::fromStdString(first.code +
                                  (first.location.place.empty() ? "" : " " + first.location.place));
}

std::string packed(const std::string& bytes) {
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
    std::string out(bytes.size() + 1024, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

std::string number(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text.push_back(static_cast<char>(value >> (8 * i) & 0xffU));
    return text;
}

/// A raw deflate stream.
std::string deflated(const std::string& bytes) {
    // A gzip file is one between a header of ten bytes and a sum and a length.
    const std::string gzip = packed(bytes);
    return gzip.substr(10, gzip.size() - 18);
}

/// A ZIP archive of one member as `content` stands for: packed by method 8, deflate.
std::string deflatedArchiveOf(const std::string& name, const std::string& content,
                              const std::string& stream) {
    const auto checksum =
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
    const std::string facts = number(20, 2) + number(0, 2) + number(8, 2) + number(0, 4) +
                              number(checksum, 4) + number(stream.size(), 4) + number(content.size(), 4) +
                              number(name.size(), 2) + number(0, 2);
    const std::string local = "PK\x03\x04" + facts + name + stream;
    const std::string central =
        std::string("PK\x01\x02") + number(20, 2) + facts + number(0, 2) + number(0, 8) + number(0, 4) + name;
    return local + central + "PK\x05\x06" + number(0, 4) + number(1, 2) + number(1, 2) +
           number(central.size(), 4) + number(local.size(), 4) + number(0, 2);
}

/// A ZIP archive of one stored member.
std::string archiveOf(const std::string& name, const std::string& content) {
    const std::uint32_t checksum = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
    const std::string facts = number(20, 2) + number(0, 8) + number(checksum, 4) + number(content.size(), 4) +
                              number(content.size(), 4) + number(name.size(), 2) + number(0, 2);
    const std::string local = "PK\x03\x04" + facts + name + content;
    const std::string central =
        std::string("PK\x01\x02") + number(20, 2) + facts + number(0, 2) + number(0, 8) + number(0, 4) + name;
    return local + central + "PK\x05\x06" + number(0, 4) + number(1, 2) + number(1, 2) +
           number(central.size(), 4) + number(local.size(), 4) + number(0, 2);
}

const std::string idxImages("\0\0\x08\x03\0\0\0\2\0\0\0\2\0\0\0\3\1\2\3\4\5\6\7\x8\x9\xa\xb\xff", 28);
const std::string idxLabels("\0\0\x08\x01\0\0\0\2\5\7", 10);

} // namespace

class OpenDatasetTest : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void idxImagesAreScaledAndReshaped() {
        write("images", idxImages);
        write("labels", idxLabels);
        const auto source =
            open("idx", {{"images", "images"}, {"labels", "labels"}, {"scale", 255.0}, {"shape", {2, 3, 1}}});
        QCOMPARE(outcome(source), QString("opened"));
        QCOMPARE((*source)->samples(), std::int64_t(2));
        QCOMPARE((*source)->inputs()[0].extents, (simulator::Extents{2, 3, 1}));
        QCOMPARE((*source)->targets()[0].extents, simulator::Extents{});
        QCOMPARE(inputOf(source, 1)[5], 1.0F);
        QCOMPARE(inputOf(source, 0)[1], static_cast<float>(2 / 255.0));
        QCOMPARE(targetOf(source, 1), std::vector<float>{7});
    }

    void gzippedIdxIsTheSame() {
        write("images", idxImages);
        write("images.gz", packed(idxImages));
        const auto plain = open("idx", {{"images", "images"}});
        const auto gzipped = open("idx", {{"images", "images.gz"}});
        QCOMPARE(outcome(gzipped), QString("opened"));
        QVERIFY((*gzipped)->targets().empty());
        for (const std::int64_t sample : {1, 0})
            QCOMPARE(inputOf(gzipped, sample), inputOf(plain, sample));
    }

    void wrongIdxFilesAreToldApart() {
        write("images", idxImages);
        write("labels", idxLabels);
        write("text", "PNG or so");
        write("short", idxImages.substr(0, 20));
        write("header", idxImages.substr(0, 9));
        write("one", std::string("\0\0\x08\x01\0\0\0\1\5", 9));
        write("torn.gz", packed(idxImages).substr(0, 20));
        const auto of = [&](const char* images, const char* labels) {
            return outcome(open("idx", {{"images", images}, {"labels", labels}}));
        };
        QCOMPARE(of("absent", "labels"), QString("file/missing"));
        QCOMPARE(of(".", "labels"), QString("file/is-a-folder"));
        QCOMPARE(of("text", "labels"), QString("dataset/not-idx byte 0"));
        QCOMPARE(of("short", "labels"), QString("dataset/cut-off"));
        QCOMPARE(of("header", "labels"), QString("dataset/cut-off byte 9"));
        QCOMPARE(of("torn.gz", "labels"), QString("dataset/damaged-gzip"));
        QCOMPARE(of("images", "one"), QString("dataset/sample-counts"));
        std::string axes("\0\0\x08\xff", 4);
        for (int i = 0; i < 255; ++i)
            axes += std::string("\0\0\0\1", 4);
        write("axes", axes + '\5');
        write("nothing", std::string("\0\0\x08\x02\0\0\0\2\0\0\0\0", 12));
        QCOMPARE(of("axes", "labels"), QString("dataset/shape"));
        QCOMPARE(of("nothing", "labels"), QString("dataset/shape"));
        QCOMPARE(outcome(open("idx", {{"images", "images"}, {"shape", {5}}})), QString("dataset/shape"));
    }

    void theDigitsAreTheOnesExpected() {
        REQUIRE_SHARED_DATA();
        const std::filesystem::path folder = tests::sharedData() / "mnist";
        const auto source = simulator::openDataset(
            {{"idx", {{"images", "train-2k-images-idx3-ubyte"}, {"labels", "train-2k-labels-idx1-ubyte"}}},
             folder,
             {},
             {}});
        QCOMPARE(outcome(source), QString("opened"));
        const Json expected = Json::parse(*core::readFile(folder / "expected.json"));
        const std::string text = expected.dump();
        const std::vector<float> image = inputOf(source, 0);
        const double sum = std::accumulate(image.begin(), image.end(), 0.0);
        QVERIFY2(text.find(std::to_string(static_cast<int>(sum))) != std::string::npos,
                 std::to_string(sum).c_str());
        QCOMPARE((*source)->samples(), std::int64_t(2000));
    }

    void csvColumnsAreInputsAndTarget() {
        write("last.csv", "a,b,label\r\n1,2.5,0\r\n-3,4e1,1\r\n\r\n");
        const auto last = open("csv", {{"file", "last.csv"}});
        QCOMPARE(outcome(last), QString("opened"));
        QCOMPARE((*last)->samples(), std::int64_t(2));
        QCOMPARE(inputOf(last, 1), (std::vector<float>{-3, 40}));
        QCOMPARE(targetOf(last, 1), std::vector<float>{1});
        write("first.csv", "7,1,2,3,4\n8,5,6,7,8");
        const auto first =
            open("csv", {{"file", "first.csv"}, {"label_column", 0}, {"shape", {2, 2}}, {"scale", 2.0}});
        QCOMPARE(outcome(first), QString("opened"));
        QCOMPARE(inputOf(first, 1), (std::vector<float>{2.5, 3, 3.5, 4}));
        QCOMPARE(targetOf(first, 0), std::vector<float>{7});
        QCOMPARE((*first)->inputs()[0].extents, (simulator::Extents{2, 2}));
    }

    void wrongCsvFilesAreToldApart() {
        write("text.csv", "1,2\n3,four\n");
        write("ragged.csv", "1,2\n3,4,5\n");
        write("semicolons.csv", "1;2\n3;4\n");
        write("empty.csv", "\n\n");
        write("one.csv", "1\n2\n");
        write("hole.csv", "1,2\n3,\n");
        const auto of = [&](const char* file) { return outcome(open("csv", {{"file", file}})); };
        QCOMPARE(of("text.csv"), QString("dataset/number 2:2"));
        QCOMPARE(of("hole.csv"), QString("dataset/number 2:2"));
        for (const char* cell : {"nan", "-nan", "inf", "-Infinity", "1e300"}) {
            write("strange.csv", std::string("1,2\n3,") + cell + "\n");
            QCOMPARE(of("strange.csv"), QString("dataset/number 2:2"));
        }
        QCOMPARE(of("ragged.csv"), QString("dataset/columns 2:1"));
        QCOMPARE(of("semicolons.csv"), QString("dataset/number 2:1"));
        QCOMPARE(of("empty.csv"), QString("dataset/empty"));
        QCOMPARE(of("one.csv"), QString("dataset/label-column"));
        QCOMPARE(outcome(open("csv", {{"file", "ragged.csv"}, {"header", true}})), QString("opened"));
        QCOMPARE(outcome(open("csv", {{"file", "text.csv"}, {"label_column", 9}})),
                 QString("dataset/number 2:2"));
    }

    void npyArraysAreReadWhateverTheirType() {
        write("x.npy", simulator::npyBytes({3, 2}, std::vector<float>{1, 2, 3, 4, 5, 6}));
        write("y.npy",
              npy("<i8", "(3,)", std::string("\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0", 24)));
        const auto source = open("npy", {{"inputs", "x.npy"}, {"labels", "y.npy"}});
        QCOMPARE(outcome(source), QString("opened"));
        QCOMPARE(inputOf(source, 2), (std::vector<float>{5, 6}));
        QCOMPARE(targetOf(source, 1), std::vector<float>{2});
        write("big.npy", npy(">f8", "(1, 1)", std::string("\x3f\xe0\0\0\0\0\0\0", 8)));
        QCOMPARE(inputOf(open("npy", {{"inputs", "big.npy"}}), 0), std::vector<float>{0.5});
        write("half.npy", npy("<f2", "(1, 2)", std::string("\0\x3c\0\xc0", 4)));
        QCOMPARE(inputOf(open("npy", {{"inputs", "half.npy"}}), 0), (std::vector<float>{1, -2}));
    }

    void wrongNpyFilesAreToldApart() {
        write("text.npy", "not an array at all");
        write("strings.npy", npy("<U3", "(1,)", std::string(12, '\0')));
        write("fortran.npy", npy("<f4", "(1, 1)", std::string(4, '\0'), "True"));
        write("scalar.npy", npy("<f4", "()", std::string(4, '\0')));
        write("short.npy", npy("<f4", "(9, 9)", std::string(4, '\0')));
        write("huge.npy", npy("<f4", "(9223372036854775807, 9)", std::string(4, '\0')));
        const auto of = [&](const char* file) { return outcome(open("npy", {{"inputs", file}})); };
        QCOMPARE(of("text.npy"), QString("dataset/not-npy byte 0"));
        QCOMPARE(of("strings.npy"), QString("dataset/array-type header"));
        QCOMPARE(of("fortran.npy"), QString("dataset/fortran-order header"));
        QCOMPARE(of("scalar.npy"), QString("dataset/shape"));
        QCOMPARE(of("short.npy"), QString("dataset/cut-off"));
        QCOMPARE(of("huge.npy"), QString("dataset/cut-off"));
        write("negative.npy", npy("<f4", "(-1, 1)", std::string(4, '\0')));
        write("nothing.npy", npy("<f4", "(5, 0)", std::string(4, '\0')));
        QCOMPARE(of("negative.npy"), QString("dataset/not-npy header"));
        QCOMPARE(of("nothing.npy"), QString("dataset/shape"));
    }

    void npzMembersAreFoundByName() {
        write("d.npz", archiveOf("x_train.npy", simulator::npyBytes({1, 2}, std::vector<float>{3, 4})));
        const auto source = open("npz", {{"file", "d.npz"}});
        QCOMPARE(outcome(source), QString("opened"));
        QCOMPARE(inputOf(source, 0), (std::vector<float>{3, 4}));
        QVERIFY((*source)->targets().empty());
        QCOMPARE(outcome(open("npz", {{"file", "d.npz"}, {"labels", "y"}})),
                 QString("dataset/missing-array"));
        QCOMPARE(outcome(open("npz", {{"file", "d.npz"}, {"inputs", "x"}})),
                 QString("dataset/missing-array"));
        write("torn.npz", "PK");
        QCOMPARE(outcome(open("npz", {{"file", "torn.npz"}})), QString("zip/damaged byte 2"));
    }

    void anEmptyNameNamesNoFile() {
        QCOMPARE(outcome(open("idx", {{"images", ""}})), QString("dataset/missing-key /training/dataset"));
        QCOMPARE(outcome(open("npy", {{"inputs", core::Json::array()}})),
                 QString("dataset/missing-key /training/dataset"));
    }

    void anArrayThatIsNamedTwiceIsReadOnce() {
        write("d.npz", archiveOf("x.npy", simulator::npyBytes({1, 2}, std::vector<float>{3, 4})));
        const auto source =
            open("npz", {{"file", "d.npz"}, {"inputs", core::Json{"x", "x"}}, {"labels", "x"}});
        QCOMPARE(outcome(source), QString("opened"));
        QCOMPARE((*source)->inputs().size(), std::size_t{2});
        QCOMPARE((*source)->targets().size(), std::size_t{1});
        QCOMPARE(inputOf(source, 0), (std::vector<float>{3, 4}));
    }

    void packedNpzMembersAreUnpackedPieceByPiece() {
        std::vector<float> values(4000);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(i * i % 977);
        const std::string array = simulator::npyBytes({1000, 4}, values);
        const std::string stream = deflated(array);
        QVERIFY(stream.size() < array.size());
        write("packed.npz", deflatedArchiveOf("x_train.npy", array, stream));
        for (const std::uint64_t limit : {std::uint64_t{64}, std::uint64_t{1} << 20U}) {
            const auto source =
                simulator::openDataset({{"npz", {{"file", "packed.npz"}}}, path(), {}, {}, limit});
            QCOMPARE(outcome(source), QString("opened"));
            for (const std::int64_t sample : {999, 0, 512}) {
                const auto first = values.begin() + 4 * sample;
                QCOMPARE(inputOf(source, sample), std::vector<float>(first, first + 4));
            }
        }
        const auto damaged = [&](const std::string& bytes) {
            write("damaged.npz", bytes);
            return outcome(open("npz", {{"file", "damaged.npz"}}));
        };
        QCOMPARE(damaged(deflatedArchiveOf("x_train.npy", array, stream.substr(0, stream.size() / 2))),
                 QString("zip/damaged x_train.npy"));
        std::string other = array;
        other.back() = static_cast<char>(other.back() + 1);
        QCOMPARE(damaged(deflatedArchiveOf("x_train.npy", other, stream)),
                 QString("zip/damaged x_train.npy"));
    }

    void anNpzArrayLargerThanMemoryIsReadWhereItStands() {
        // 6 GiB of zeros that take no space on the disk, with the last sample written: the ZIP64 records that
        // NumPy writes for such arrays.
        constexpr std::uint64_t samples = std::uint64_t{6} << 28U;
        const std::string name = "x_train.npy";
        const std::string header = npy("<f4", "(" + std::to_string(samples) + ", 1)", "");
        const std::uint64_t size = header.size() + samples * 4;
        const std::string wideSizes = number(1, 2) + number(16, 2) + number(size, 8) + number(size, 8);
        const std::string facts = number(45, 2) + number(0, 2) + number(0, 2) + number(0, 4) + number(0, 4) +
                                  number(0xffffffff, 4) + number(0xffffffff, 4) + number(name.size(), 2) +
                                  number(wideSizes.size(), 2);
        const std::string local = "PK\x03\x04" + facts + name + wideSizes + header;
        const std::uint64_t begin = local.size() - header.size();
        const std::uint64_t directory = begin + size;
        const std::string central = std::string("PK\x01\x02") + number(45, 2) + facts + number(0, 2) +
                                    number(0, 8) + number(0, 4) + name + wideSizes;
        const std::string wideEnd = std::string("PK\x06\x06") + number(44, 8) + number(45, 2) +
                                    number(45, 2) + number(0, 8) + number(1, 8) + number(1, 8) +
                                    number(central.size(), 8) + number(directory, 8);
        const std::string locator =
            std::string("PK\x06\x07") + number(0, 4) + number(directory + central.size(), 8) + number(1, 4);
        const std::string end = std::string("PK\x05\x06") + number(0, 4) + number(0xffff, 2) +
                                number(0xffff, 2) + number(0xffffffff, 4) + number(0xffffffff, 4) +
                                number(0, 2);
        write("large.npz", local);
        std::filesystem::resize_file(path() / "large.npz", directory - 4);
        {
            std::ofstream file(path() / "large.npz", std::ios::binary | std::ios::app);
            const float last = 42;
            file.write(reinterpret_cast<const char*>(&last), sizeof last);
            file << central << wideEnd << locator << end;
        }
        const auto source = open("npz", {{"file", "large.npz"}});
        QCOMPARE(outcome(source), QString("opened"));
        QCOMPARE((*source)->samples(), static_cast<std::int64_t>(samples));
        QCOMPARE(inputOf(source, static_cast<std::int64_t>(samples) - 1), std::vector<float>{42});
        QCOMPARE(inputOf(source, std::int64_t{1} << 30U), std::vector<float>{0});
    }

    void severalArraysServeModelsOfSeveralInputsAndOutputs() {
        write("a.npy", simulator::npyBytes({2, 2}, std::vector<float>{2, 4, 6, 8}));
        write("b.npy", simulator::npyBytes({2, 1}, std::vector<float>{10, 20}));
        write("y.npy", simulator::npyBytes({2}, std::vector<float>{1, 0}));
        const auto source =
            open("npy", {{"inputs", {"a.npy", "b.npy"}}, {"labels", {"y.npy", "a.npy"}}, {"scale", 2.0}});
        QCOMPARE(outcome(source), QString("opened"));
        QCOMPARE((*source)->inputs().size(), std::size_t{2});
        std::vector<float> one(1);
        QVERIFY((*source)->readInput(1, 1, one).has_value());
        QCOMPARE(one, std::vector<float>{10});
        std::vector<float> two(2);
        QVERIFY((*source)->readTarget(1, 1, two).has_value());
        QCOMPARE(two, (std::vector<float>{6, 8}));
        QCOMPARE(outcome(open("npy", {{"inputs", {"a.npy", "b.npy"}}, {"shape", {2}}})),
                 QString("dataset/shape"));
        write("short.npy", simulator::npyBytes({1}, std::vector<float>{1}));
        QCOMPARE(outcome(open("npy", {{"inputs", {"a.npy", "short.npy"}}})),
                 QString("dataset/sample-counts"));
        write("two.npz", simulator::zipBytes(std::vector<std::pair<std::string, std::string>>{
                             {"left.npy", simulator::npyBytes({1}, std::vector<float>{3})},
                             {"right.npy", simulator::npyBytes({1}, std::vector<float>{4})}}));
        const auto archive = open("npz", {{"file", "two.npz"}, {"inputs", {"right", "left"}}});
        QCOMPARE(outcome(archive), QString("opened"));
        QVERIFY((*archive)->readInput(1, 0, one).has_value());
        QCOMPARE(one, std::vector<float>{3});
    }

    void largeFilesAreReadASampleAtATime() {
        std::string lines = "a,b,label\r\n";
        for (int i = 0; i < 200; ++i)
            lines += std::to_string(i) + "," + std::to_string(2 * i) + "," + std::to_string(i % 3) + "\r\n";
        write("rows.csv", lines);
        write("rows.csv.gz", packed(lines));
        write("images.gz", packed(idxImages));
        for (const char* file : {"rows.csv", "rows.csv.gz"}) {
            simulator::DatasetRequest request{{"csv", {{"file", file}}}, path(), {}, {}, 64};
            const auto streamed = simulator::openDataset(request);
            const auto kept = open("csv", {{"file", file}});
            QCOMPARE(outcome(streamed), QString("opened"));
            QCOMPARE((*streamed)->samples(), std::int64_t{200});
            for (const std::int64_t sample : {199, 0, 77}) {
                QCOMPARE(inputOf(streamed, sample), inputOf(kept, sample));
                QCOMPARE(targetOf(streamed, sample), targetOf(kept, sample));
            }
        }
        const auto unpacked = simulator::openDataset({{"idx", {{"images", "images.gz"}}}, path(), {}, {}, 8});
        QCOMPARE(outcome(unpacked), QString("opened"));
        QCOMPARE(inputOf(unpacked, 1), inputOf(open("idx", {{"images", "images.gz"}}), 1));
        write("torn.gz", packed(lines).substr(0, 200));
        QCOMPARE(outcome(simulator::openDataset({{"csv", {{"file", "torn.gz"}}}, path(), {}, {}, 8})),
                 QString("dataset/damaged-gzip"));
    }

    void picturesAreOfTheClassOfTheirFolder() {
        for (const char* name : {"cats", "dogs"})
            std::filesystem::create_directories(path() / "pets" / name);
        write("pets/cats/1.png", tests::pngBytes(1, 2, 3, {0, 51, 102, 153, 204, 255}));
        write("pets/cats/2.ppm", "P6 2 1 255\nABCDEF");
        write("pets/cats/notes.txt", "no picture");
        write("pets/cats/.hidden.png", "no picture");
        write("pets/dogs/1.pgm", "P5 2 1 255\nab");
        const auto source = open("image_folder", {{"folder", "pets"}, {"scale", 255.0}});
        QCOMPARE(outcome(source), QString("opened"));
        QCOMPARE((*source)->samples(), std::int64_t{3});
        QCOMPARE((*source)->inputs()[0].extents, (simulator::Extents{1, 2, 3}));
        // The one dog is between the cats.
        QCOMPARE(targetOf(source, 0), std::vector<float>{0});
        QCOMPARE(targetOf(source, 1), std::vector<float>{1});
        QCOMPARE(targetOf(source, 2), std::vector<float>{0});
        QCOMPARE(inputOf(source, 0)[1], static_cast<float>(51 / 255.0));
        QCOMPARE(inputOf(source, 1)[3], static_cast<float>('b' / 255.0));
        const auto grey = open("image_folder", {{"folder", "pets"},
                                                {"class_names", {"dogs", "cats"}},
                                                {"channels", "grayscale"},
                                                {"size", {2, 4}}});
        QCOMPARE((*grey)->inputs()[0].extents, (simulator::Extents{2, 4, 1}));
        QCOMPARE(targetOf(grey, 0), std::vector<float>{1});
        QCOMPARE(inputOf(grey, 1), (std::vector<float>{97, 97.25, 97.75, 98, 97, 97.25, 97.75, 98}));
    }

    void wrongPictureFoldersAreToldApart() {
        std::filesystem::create_directories(path() / "empty");
        std::filesystem::create_directories(path() / "mixed" / "one");
        write("mixed/one/a.pgm", "P5 1 1 255\na");
        write("mixed/one/b.pgm", "P5 2 1 255\nab");
        const auto of = [&](const Json& parameters) { return outcome(open("image_folder", parameters)); };
        QCOMPARE(of({{"folder", "absent"}}), QString("file/missing"));
        QCOMPARE(of({{"folder", "empty"}}), QString("dataset/no-classes"));
        QCOMPARE(of({{"folder", "."}, {"class_names", {"empty"}}}), QString("dataset/empty"));
        QCOMPARE(of({{"folder", "mixed"}, {"class_names", {"two"}}}), QString("dataset/missing-class"));
        QCOMPARE(of({{"folder", "mixed"}, {"size", {1, 2, 3}}}), QString("dataset/shape"));
        const auto mixed = open("image_folder", {{"folder", "mixed"}});
        std::vector<float> values(3);
        QVERIFY((*mixed)->readInput(0, 0, values).has_value());
        QCOMPARE(QString::fromStdString((*mixed)->readInput(0, 1, values).error().front().code),
                 QString("dataset/image-size"));
    }

    void cifarPlanesBecomeChannels() {
        std::string batch;
        for (int sample = 0; sample < 2; ++sample) {
            batch += static_cast<char>(3 + sample);
            for (int channel = 0; channel < 3; ++channel)
                for (int pixel = 0; pixel < 1024; ++pixel)
                    batch += static_cast<char>((channel * 50 + pixel + sample) % 256);
        }
        write("data_batch_1.bin", batch);
        write("data_batch_2.bin", batch.substr(3073));
        const auto source =
            open("cifar10", {{"files", {"data_batch_1.bin", "data_batch_2.bin"}}, {"scale", 255.0}});
        QCOMPARE(outcome(source), QString("opened"));
        QCOMPARE((*source)->samples(), std::int64_t{3});
        QCOMPARE((*source)->inputs()[0].extents, (simulator::Extents{32, 32, 3}));
        QCOMPARE(targetOf(source, 1), std::vector<float>{4});
        QCOMPARE(inputOf(source, 2), inputOf(source, 1));
        QCOMPARE(inputOf(source, 1)[7 * 3 + 2], static_cast<float>((100 + 7 + 1) / 255.0));
        write("short.bin", batch.substr(0, 5000));
        QCOMPARE(outcome(open("cifar10", {{"files", "short.bin"}})), QString("dataset/cut-off byte 3073"));
    }

    void textBecomesNumbersOfTheVocabulary() {
        write("lines.txt", "The cat, sat!\r\n\nA dog sat on the cat\n");
        write("words.txt", "the\ncat\nsat\n");
        write("labels.txt", "1\n0\n2\n");
        const Json parameters{{"file", "lines.txt"}, {"vocabulary", "words.txt"}, {"length", 5}};
        Json labelled = parameters;
        labelled["labels"] = "labels.txt";
        const auto source = open("text", labelled);
        QCOMPARE(outcome(source), QString("opened"));
        QCOMPARE((*source)->samples(), std::int64_t{3});
        QCOMPARE(inputOf(source, 0), (std::vector<float>{2, 3, 4, 0, 0}));
        QCOMPARE(inputOf(source, 1), std::vector<float>(5, 0));
        QCOMPARE(inputOf(source, 2), (std::vector<float>{1, 1, 4, 1, 2}));
        QCOMPARE(targetOf(source, 2), std::vector<float>{2});
        Json plain = parameters;
        plain["standardize"] = "none";
        QCOMPARE(inputOf(open("text", plain), 0), (std::vector<float>{1, 1, 1, 0, 0}));
        Json next = parameters;
        next["next_token"] = true;
        QCOMPARE(targetOf(open("text", next), 2), (std::vector<float>{1, 4, 1, 2, 3}));
        write("letters.txt", "a\n\xC3\xA9\n");
        write("accents.txt", "a\xC3\xA9z\n");
        QCOMPARE(inputOf(open("text", {{"file", "accents.txt"},
                                       {"vocabulary", "letters.txt"},
                                       {"length", 4},
                                       {"split", "character"}}),
                         0),
                 (std::vector<float>{2, 3, 1, 0}));
    }

    void wrongTextFilesAreToldApart() {
        write("lines.txt", "one\ntwo\n");
        write("words.txt", "one\ntwo\n");
        write("twice.txt", "one\none\n");
        write("hole.txt", "one\n\ntwo\n");
        write("short.txt", "1\n");
        write("names.txt", "1\nyes\n");
        const auto of = [&](const char* vocabulary, const char* labels, bool shifts) {
            return outcome(open("text", {{"file", "lines.txt"},
                                         {"vocabulary", vocabulary},
                                         {"length", 2},
                                         {"labels", labels},
                                         {"next_token", shifts}}));
        };
        QCOMPARE(of("twice.txt", "short.txt", false), QString("dataset/vocabulary 2:1"));
        QCOMPARE(of("hole.txt", "short.txt", false), QString("dataset/vocabulary 2:1"));
        QCOMPARE(of("words.txt", "short.txt", false), QString("dataset/sample-counts"));
        QCOMPARE(of("words.txt", "names.txt", false), QString("dataset/number 2:1"));
        QCOMPARE(of("words.txt", "short.txt", true), QString("dataset/two-targets"));
        QCOMPARE(of("absent.txt", "short.txt", true), QString("file/missing"));
    }

    void everyKindOfTheCatalogueHasAReader() {
        for (const core::DatasetKind& kind : core::datasetKinds())
            QVERIFY(outcome(open(kind.name.data(), Json::object())) != "dataset/unknown-kind");
        QCOMPARE(outcome(open("parquet", Json::object())),
                 QString("dataset/unknown-kind /training/dataset/kind"));
    }

    void syntheticSamplesFollowTheModelAndTheSeed() {
        using Kind = simulator::WantedField::Kind;
        simulator::DatasetRequest request{{"synthetic", {{"samples", 50}, {"seed", 4}}},
                                          {},
                                          {{{3, 2}, Kind::Numbers, 0}, {{4}, Kind::Classes, 9}},
                                          {{{}, Kind::Classes, 6}, {{2, 5}, Kind::OneHot, 5}}};
        const auto source = simulator::openDataset(request);
        QCOMPARE((*source)->samples(), std::int64_t(50));
        QCOMPARE(inputOf(source, 7), inputOf(openDataset(request), 7));
        request.spec.parameters["seed"] = 5;
        QVERIFY(inputOf(source, 7) != inputOf(openDataset(request), 7));
        std::set<float> classes;
        for (std::int64_t sample = 0; sample < 50; ++sample) {
            std::vector<float> ids(4);
            QVERIFY((*source)->readInput(1, sample, ids).has_value());
            for (const float id : ids)
                QVERIFY(id >= 0 && id < 9 && id == std::floor(id));
            classes.insert(targetOf(source, sample)[0]);
            std::vector<float> rows(10);
            QVERIFY((*source)->readTarget(1, sample, rows).has_value());
            QCOMPARE(std::accumulate(rows.begin(), rows.end(), 0.0F), 2.0F);
        }
        QCOMPARE(classes.size(), std::size_t(6));
    }

private:
    void write(const char* name, const std::string& bytes) const {
        QVERIFY(core::writeFileAtomically(path() / name, bytes, core::Overwrite::Replace).has_value());
    }
    [[nodiscard]] std::filesystem::path path() const { return m_folder->path().toStdString(); }
    [[nodiscard]] OpenedDataset open(const char* kind, const Json& parameters) const {
        return simulator::openDataset({{kind, parameters}, path(), {}, {}});
    }
    static std::string npy(const std::string& type, const std::string& shape, const std::string& data,
                           const std::string& fortran = "False") {
        std::string header =
            "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
        return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header + data;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

REGISTER_TEST("open_dataset", OpenDatasetTest)
#include "open_dataset_test.moc"
