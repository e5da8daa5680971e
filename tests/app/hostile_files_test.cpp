#include "core/base/fingerprint.h"
#include "core/base/write_door.h"
#include "core/interchange/keras/hdf5_weights.h"
#include "simulator/data/files/npy_array.h"
#include "simulator/data/files/npz_archive.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "tests/support/watched_program.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTimer>
#include <QtTest/QTest>
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <hdf5.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <zlib.h>

namespace fs = std::filesystem;
using namespace tests;

namespace {

/// A `.keras` file whose structure is `config`.
std::string kerasOf(const std::string& config) {
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(config.data()), config.size());
    return archiveOf("config.json", deflated(config), config.size(), static_cast<std::uint32_t>(sum));
}

std::string bigEndian(std::uint32_t value, int bytes) {
    std::string text = littleEndian(value, bytes);
    std::ranges::reverse(text);
    return text;
}

/// A gzip file whose members unpack to `members` times 64 MiB of zeros, a thousand times its size.
std::string gzipOf(int members) {
    const std::string zeros(64 << 20, '\0');
    z_stream stream{};
    constexpr int gzipFormat = 16;
    deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + gzipFormat, 9, Z_DEFAULT_STRATEGY);
    std::string member(deflateBound(&stream, zeros.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(zeros.data()));
    stream.avail_in = static_cast<uInt>(zeros.size());
    stream.next_out = reinterpret_cast<Bytef*>(member.data());
    stream.avail_out = static_cast<uInt>(member.size());
    deflate(&stream, Z_FINISH);
    member.resize(stream.total_out);
    deflateEnd(&stream);
    std::string whole;
    for (int i = 0; i < members; ++i)
        whole += member;
    return whole;
}

std::string pngChunk(const std::string& type, const std::string& content) {
    const std::string body = type + content;
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size());
    return bigEndian(static_cast<std::uint32_t>(content.size()), 4) + body +
           bigEndian(static_cast<std::uint32_t>(sum), 4);
}

/// A stream of zlib: its two bytes, the blocks, and no checksum that anybody gets to.
std::string zlibOf(const std::string& content) {
    return "\x78\xda" + deflated(content) + std::string(4, '\0');
}

/// A grey picture that announces its extents and holds `pixels` as they come, with `more` chunks before them.
std::string pngOf(std::uint32_t columns, std::uint32_t rows, const std::string& pixels,
                  const std::string& more = {}) {
    const std::string facts = bigEndian(columns, 4) + bigEndian(rows, 4) + "\x08" + std::string(4, '\0');
    return "\x89PNG\r\n\x1a\n" + pngChunk("IHDR", facts) + more + pngChunk("IDAT", zlibOf(pixels)) +
           pngChunk("IEND", "");
}

/// A grey JPEG picture of the largest extents, up to where its first scan would begin.
std::string jpegOf(std::uint32_t columns, std::uint32_t rows) {
    const std::string frame = "\xff\xc0" + bigEndian(11, 2) + "\x08" + bigEndian(rows, 2) +
                              bigEndian(columns, 2) + std::string("\x01\x01\x11\x00", 4);
    const std::string scan =
        std::string("\xff\xda", 2) + bigEndian(8, 2) + std::string("\x01\x01\x00\x00\x3f\x00", 6);
    return "\xff\xd8" + frame + scan + std::string(16, '\0') + "\xff\xd9";
}

std::string listOf(const std::string& element, std::size_t count) {
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i)
        text += element + ",";
    return text + "0]";
}

/// Weights of the example project's two layers, in a file whose dataset "b/bias:0" `make` makes.
void writeHdf5(const fs::path& path, const std::function<void(hid_t file)>& make) {
    const std::vector<core::StoredWeight> weights{{"a", "a/kernel:0", {8, 16}, std::vector<float>(128, 0.5F)},
                                                  {"a", "a/bias:0", {16}, std::vector<float>(16)},
                                                  {"b", "b/kernel:0", {16, 4}, std::vector<float>(64, 0.5F)},
                                                  {"b", "b/bias:0", {4}, std::vector<float>(4)}};
    const auto bytes = core::writeHdf5Weights(weights);
    QVERIFY(bytes);
    std::ofstream(path, std::ios::binary) << *bytes;
    if (!make)
        return;
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    QVERIFY(file >= 0);
    H5Ldelete(file, "b/b/bias:0", H5P_DEFAULT);
    make(file);
    H5Fclose(file);
}

void writeEndlessHdf5(const fs::path& path) {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(file, "model_config", type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char* text = R"({"class_name":"Sequential","config":{"name":"m","layers":[]}})";
    H5Awrite(attribute, type, &text);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    H5Fclose(file);
    std::stringstream content;
    content << std::ifstream(path, std::ios::binary).rdbuf();
    std::string bytes = content.str();
    constexpr std::size_t sizeOfFirstObject = 24;
    bytes.at(bytes.find("GCOL") + sizeOfFirstObject) = '\x7f';
    std::ofstream(path, std::ios::binary) << bytes;
}

void makeBias(hid_t file, hid_t creation, std::vector<hsize_t> extents) {
    const hid_t space = H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
    H5Dclose(H5Dcreate2(file, "b/b/bias:0", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(creation);
}

const QStringList runWith{"run", "p.ipuproj"};

QStringList runWithWeights(const char* file) {
    return runWith + QStringList{"--set", QString("training.weights=\"%1\"").arg(file)};
}

} // namespace

/// Files that are no files, that announce what they do not hold, or that lead elsewhere: refused with one
/// message, in little memory and time.
class HostileFilesTest : public QObject {
    Q_OBJECT
private slots:
    void refusesWhatIsNoRegularFile_data() {
        QTest::addColumn<QStringList>("arguments");
        for (const char* file : {"fifo", "/dev/zero"}) {
            const QString name = file;
            const QString path = name.startsWith('/') ? name : "./" + name;
            const auto row = [&](const char* verb, const QStringList& arguments) {
                QTest::addRow("%s as %s", file, verb) << arguments;
            };
            row("project", {"validate", path});
            row("model", {"import", path});
            row("measurements", {"calibrate", path});
            row("target", {"cost", "p.ipuproj", "--target", path});
            row("executable", runWith + QStringList{"--executable", path});
            row("dataset", {"benchmark-dataset", path});
            row("database", {"runs", "--database", path});
            row("weights", runWithWeights(file));
            row("images",
                runWith + QStringList{"--set", QString("training.dataset={\"kind\":\"idx\",\"images\":"
                                                       "\"%1\",\"labels\":\"%1\"}")
                                                   .arg(name)});
            row("schedule", {"validate", "p.ipuproj", "--set",
                             QString("pipeline.schedule={\"table\":\"%1\"}").arg(name)});
        }
    }

    void refusesWhatIsNoRegularFile() {
        QFETCH(const QStringList, arguments);
        const Kitchen kitchen;
        kitchen.workbench().writeProject("p.ipuproj");
        QCOMPARE(::mkfifo(kitchen.path("fifo").c_str(), 0600), 0);
        const Outcome outcome = kitchen.run({arguments});
        QVERIFY2(outcome.code == 4 || outcome.code == 3, describe(outcome).c_str());
        QVERIFY2(outcome.errors.find("not a regular file") != std::string::npos, describe(outcome).c_str());
        QVERIFY2(isModest(outcome, 0), describe(outcome).c_str());
    }

    void refusesAFileLargerThanItsKindBeforeItIsRead() {
        const Kitchen kitchen;
        kitchen.workbench().write("large.ipuproj", "{}");
        fs::resize_file(kitchen.path("large.ipuproj"), 513 * mebibyte);
        const Outcome outcome = kitchen.run({{"validate", "large.ipuproj"}});
        QVERIFY2(outcome.code == 4 && isModest(outcome, 0), describe(outcome).c_str());
        QVERIFY2(outcome.errors.find("file/too-large") != std::string::npos, describe(outcome).c_str());
    }

    void refusesWhatASystemMakesUp() {
        const char* endless = "/proc/self/pagemap";
        if (::access(endless, R_OK) != 0)
            QSKIP("there is no such file here");
        const Kitchen kitchen;
        kitchen.workbench().writeProject("p.ipuproj");
        for (const QStringList& arguments :
             {QStringList{"import", endless, "--summary"},
              QStringList{"run", "p.ipuproj", "--set", QString("training.weights=%1").arg(endless)}}) {
            const Outcome outcome = kitchen.run({arguments});
            QVERIFY2(outcome.code == 4 && isModest(outcome, 0), describe(outcome).c_str());
            QVERIFY2(outcome.errors.find("is not a regular file") != std::string::npos,
                     describe(outcome).c_str());
        }
    }

    void refusesALineThatDoesNotEnd() {
        const Kitchen kitchen;
        kitchen.workbench().write("zeros.csv", "");
        fs::resize_file(kitchen.path("zeros.csv"), 4096 * mebibyte);
        const Outcome outcome = kitchen.run({{"benchmark-dataset", "zeros.csv"}});
        QVERIFY2(outcome.code != 0 && isModest(outcome, 0), describe(outcome).c_str());
    }

    void hearsASignalWhileItWaits_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("interrupt") << SIGINT;
        QTest::newRow("terminate") << SIGTERM;
        QTest::newRow("hang up") << SIGHUP;
    }

    void hearsASignalWhileItWaits() {
        QFETCH(const int, signal);
        const Kitchen kitchen;
        kitchen.workbench().writeProject("p.ipuproj");
        QCOMPARE(::mkfifo(kitchen.path("fifo").c_str(), 0600), 0);
        // Nobody reads it.
        const Outcome outcome = kitchen.run({{"summary", "p.ipuproj", "-o", "fifo"}, signal});
        QVERIFY2(outcome.code == 130, describe(outcome).c_str());
        QVERIFY2(outcome.errors.find("[interrupted]") != std::string::npos, describe(outcome).c_str());
        QVERIFY2(outcome.seconds < 3, describe(outcome).c_str()); // a third of a second on an idle machine
    }

    void leavesNothingWhereAFileMayNotGrow() {
        const Kitchen kitchen;
        kitchen.workbench().writeProject("p.ipuproj");
        const Outcome outcome = kitchen.run({{"summary", "p.ipuproj", "--json", "-o", "x.json"}, 0, 512});
        QVERIFY2(outcome.code == 4, describe(outcome).c_str());
        for (const auto& entry : fs::directory_iterator(kitchen.path(".")))
            QVERIFY2(entry.path().filename().string().find("x.json") == std::string::npos,
                     entry.path().c_str());
    }

    void replacesNoLinkThatLeadsNowhere() {
        const Kitchen kitchen;
        kitchen.workbench().writeProject("p.ipuproj");
        fs::create_symlink("nowhere", kitchen.path("dangling"));
        fs::create_symlink("loop", kitchen.path("loop"));
        for (const char* name : {"dangling", "loop"}) {
            const Outcome outcome = kitchen.run({{"summary", "p.ipuproj", "-o", name}});
            QVERIFY2(outcome.code == 4, describe(outcome).c_str());
            QVERIFY(fs::is_symlink(kitchen.path(name)));
        }
        QVERIFY(!fs::exists(kitchen.path("nowhere")));
    }

    void readsWholeWeights() {
        const Kitchen kitchen;
        kitchen.workbench().writeProject("p.ipuproj");
        writeHdf5(kitchen.path("w.h5"), {});
        const Outcome outcome = kitchen.run({runWithWeights("w.h5")});
        QVERIFY2(outcome.code == 0, describe(outcome).c_str());
    }

    void readsNothingFromOtherFiles_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("external storage") << 0;
        QTest::newRow("an external link") << 1;
        QTest::newRow("a virtual dataset") << 2;
        QTest::newRow("storage in a FIFO") << 3;
    }

    void readsNothingFromOtherFiles() {
        QFETCH(const int, kind);
        const Kitchen kitchen;
        kitchen.workbench().writeProject("p.ipuproj");
        kitchen.workbench().write("secret", std::string(64, 'x'));
        QCOMPARE(::mkfifo(kitchen.path("fifo").c_str(), 0600), 0);
        writeHdf5(kitchen.path("other.h5"), {});
        writeHdf5(kitchen.path("w.h5"), [&](hid_t file) {
            if (kind == 1) {
                H5Lcreate_external("other.h5", "b/b/bias:0", file, "b/b/bias:0", H5P_DEFAULT, H5P_DEFAULT);
                return;
            }
            const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
            if (kind == 2) {
                const hsize_t extent = 4;
                const hid_t space = H5Screate_simple(1, &extent, nullptr);
                H5Pset_virtual(creation, space, "other.h5", "b/b/bias:0", space);
                H5Sclose(space);
            } else {
                H5Pset_external(creation, kitchen.path(kind == 0 ? "secret" : "fifo").c_str(), 0, 16);
            }
            makeBias(file, creation, {4});
        });
        const Outcome outcome = kitchen.run({runWithWeights("w.h5")});
        QVERIFY2(outcome.code == 3, describe(outcome).c_str());
        QVERIFY2(outcome.errors.find("hdf5/external") != std::string::npos, describe(outcome).c_str());
    }

    /// libhdf5 runs in a circle where an object of the global heap has this size.
    void theWindowGoesOnWhileItReadsAFile() {
        const WindowBench bench;
        const fs::path path = bench.folder.filePath("m.h5").toStdString();
        writeEndlessHdf5(path);
        bench.window->show();
        int ticks = 0;
        QTimer ticker;
        constexpr int often = 50;
        QObject::connect(&ticker, &QTimer::timeout, &ticker, [&] { ++ticks; });
        ticker.start(often);
        QSignalSpy failed(&bench.window->files(), &app::ProjectFiles::failed);
        QVERIFY(!bench.window->files().importModel(path));
        QCOMPARE(failed.size(), 1);
        QVERIFY2(ticks > 4, qPrintable(QString::number(ticks)));
        QVERIFY(!bench.window->document().isOpen());
        QVERIFY(QApplication::activeModalWidget() == nullptr);
    }

    void endsAFileThatIsReadForEver() {
        const Kitchen kitchen;
        writeEndlessHdf5(kitchen.path("m.h5"));
        const Outcome outcome = kitchen.run({{"import", "m.h5"}});
        QVERIFY2(outcome.code == 3, describe(outcome).c_str());
        QVERIFY2(outcome.errors.find("hdf5/limits") != std::string::npos, describe(outcome).c_str());
        QVERIFY2(outcome.errors.find("hint:") != std::string::npos, describe(outcome).c_str());
        const Outcome interrupted = kitchen.run({{"import", "m.h5"}, SIGINT});
        QVERIFY2(interrupted.code == 130, describe(interrupted).c_str());
    }

    void allocatesNothingForWhatAFileAnnounces_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("bytes");
        const auto row = [](const char* what, const char* name, const std::string& bytes) {
            QTest::newRow(what) << QByteArray(name) << QByteArray::fromStdString(bytes);
        };
        const std::string few = deflated(std::string(40, 'x'));
        row("npz of 8 GB", "w.npz", archiveOf("a/kernel.npy", few, 8'000'000'000, 0));
        const std::string many = simulator::npyBytes({16 << 20}, std::vector<float>(16 << 20));
        const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(many.data()), many.size());
        row("npz that is one", "w.npz",
            archiveOf("a/kernel.npy", deflated(many), many.size(), static_cast<std::uint32_t>(sum)));
        row("keras of blanks", "m.keras", kerasOf(std::string(60 << 20, ' ')));
        row("keras of digits", "m.keras", kerasOf(listOf("0", 1 << 20)));
        row("keras of lists", "m.keras", kerasOf(listOf("[]", 1 << 20)));
        row("list of digits", "p2.ipuproj", listOf("0", 10'000'000));
        row("list of lists", "p2.ipuproj", listOf("[]", 10'000'000));
        row("list of texts", "p2.ipuproj", listOf("\"\"", 10'000'000));
    }

    void allocatesNothingForWhatAFileAnnounces() {
        QFETCH(const QByteArray, name);
        QFETCH(const QByteArray, bytes);
        const Kitchen kitchen;
        kitchen.workbench().writeProject("p.ipuproj");
        kitchen.workbench().write(name.constData(), bytes.toStdString());
        const QStringList arguments = name.startsWith("w.")     ? runWithWeights(name.constData())
                                      : name.endsWith(".keras") ? QStringList{"import", name}
                                      : name.endsWith(".ipuproj")
                                          ? QStringList{"validate", name}
                                          : runWith + QStringList{"--executable", name};
        const Outcome outcome = kitchen.run({arguments});
        QVERIFY2(outcome.code == 3, describe(outcome).c_str());
        QVERIFY2(outcome.errors.find("hint:") != std::string::npos, describe(outcome).c_str());
        QVERIFY2(isModest(outcome, static_cast<std::uint64_t>(bytes.size())), describe(outcome).c_str());
    }

    void unpacksNoBomb_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const char* what, const char* name, const std::string& bytes, const char* code) {
            QTest::newRow(what) << QByteArray(name) << QByteArray::fromStdString(bytes) << QByteArray(code);
        };
        row("gzip of 1.25 GiB", "images.gz", gzipOf(20), "dataset/unpacked-size");
        row("PNG that announces 4 gigapixels", "p/a/x.png", pngOf(65000, 65000, std::string(65001, '\0')),
            "dataset/image-size");
        row("PNG of 100 megapixels", "p/a/x.png", pngOf(10000, 10000, std::string(100'010'000, '\0')),
            "dataset/image-size");
        const std::string text = std::string("Comment\0\0", 9) + zlibOf(std::string(256 << 20, ' '));
        row("PNG whose comment is 256 MiB", "p/a/x.png",
            pngOf(60000, 60000, std::string(60001, '\0'), pngChunk("zTXt", text)), "dataset/image-size");
        row("JPEG that announces 4 gigapixels", "p/a/x.jpg", jpegOf(65500, 65500), "dataset/image-size");
        const std::string state(512 << 20, ' ');
        // A backup is known by the comment of its archive.
        const auto backupOf = [&](std::uint64_t announced) {
            std::string archive = archiveOf("state.json", deflated(state), announced, 0);
            archive.resize(archive.size() - 2);
            return archive + littleEndian(core::productMark.size(), 2) + std::string(core::productMark);
        };
        row("backup of 512 MiB", "b/backup.npz", backupOf(state.size()), "");
        row("backup that announces 40 bytes", "b/backup.npz", backupOf(40), "");
    }

    void unpacksNoBomb() {
        QFETCH(const QByteArray, name);
        QFETCH(const QByteArray, bytes);
        QFETCH(const QByteArray, code);
        const Kitchen kitchen;
        kitchen.workbench().writeProject("p.ipuproj",
                                         {{"\"steps_per_epoch\": 8", R"("steps_per_epoch": 8, "callbacks": [
                {"class_name": "BackupAndRestore", "config": {"backup_dir": "b"}}])"}});
        fs::create_directories(kitchen.path(name.constData()).parent_path());
        kitchen.workbench().write(name.constData(), bytes.toStdString());
        const QStringList arguments = name.startsWith("p/")   ? QStringList{"benchmark-dataset", "p"}
                                      : name.startsWith("b/") ? QStringList{"run", "p.ipuproj"}
                                                              : QStringList{"benchmark-dataset", name};
        const Outcome outcome = kitchen.run({arguments});
        QVERIFY2(outcome.code == 3, describe(outcome).c_str());
        QVERIFY2(outcome.errors.find(code.toStdString()) != std::string::npos, describe(outcome).c_str());
        QVERIFY2(outcome.errors.find("hint:") != std::string::npos, describe(outcome).c_str());
        QVERIFY2(isModest(outcome, static_cast<std::uint64_t>(bytes.size())), describe(outcome).c_str());
    }

    void readsNoDatasetLargerThanItsFile_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("one stored chunk of 8 GB") << 0;
        QTest::newRow("32 MB of zeros, packed") << 1;
    }

    void readsNoDatasetLargerThanItsFile() {
        QFETCH(const int, kind);
        const Kitchen kitchen;
        kitchen.workbench().writeProject("p.ipuproj");
        writeHdf5(kitchen.path("w.h5"), [&](hid_t file) {
            const hsize_t extent = kind == 0 ? hsize_t{1} << 29U : hsize_t{8} << 20U;
            const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
            H5Pset_chunk(creation, 1, &extent);
            H5Pset_deflate(creation, 9);
            makeBias(file, creation, {extent});
            const hid_t dataset = H5Dopen2(file, "b/b/bias:0", H5P_DEFAULT);
            const hsize_t origin = 0;
            const std::string few = kind == 0 ? deflated(std::string(4096, 'x')) : std::string();
            if (kind == 0)
                H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &origin, few.size(), few.data());
            else
                H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                         std::vector<float>(extent).data());
            H5Dclose(dataset);
        });
        const Outcome outcome = kitchen.run({runWithWeights("w.h5")});
        QVERIFY2(outcome.code == 3, describe(outcome).c_str());
        QVERIFY2(isModest(outcome, fs::file_size(kitchen.path("w.h5"))), describe(outcome).c_str());
    }

    void refusesDeepExecutables_data() {
        QTest::addColumn<QByteArray>("level");
        QTest::newRow("lists") << QByteArray("\x81");
        QTest::newRow("objects") << QByteArray("\xa1\x61x");
        QTest::newRow("tags") << QByteArray("\xc1");
        QTest::newRow("texts of pieces") << QByteArray("\x7f");
        QTest::newRow("open lists") << QByteArray("\x9f");
    }

    void refusesDeepExecutables() {
        QFETCH(const QByteArray, level);
        const Kitchen kitchen;
        kitchen.workbench().writeProject("p.ipuproj");
        QCOMPARE(kitchen.run({{"compile", "p.ipuproj", "-o", "e.ipuexe"}}).code, 0);
        std::stringstream text;
        text << std::ifstream(kitchen.path("e.ipuexe"), std::ios::binary).rdbuf();
        const std::string whole = text.str();
        const std::size_t mark = core::fingerprint("").size();
        const std::size_t body = whole.find('\n') + 1 + mark;
        QVERIFY(whole.size() > body);
        QCOMPARE(core::fingerprint(whole.substr(body)), whole.substr(body - mark, mark));
        const std::string deep = level.repeated(400'000).toStdString() + '\x00';
        kitchen.workbench().write("d.ipuexe", whole.substr(0, body - mark) + core::fingerprint(deep) + deep);
        const Outcome outcome = kitchen.run({runWith + QStringList{"--executable", "d.ipuexe"}});
        QVERIFY2(outcome.code == 3, describe(outcome).c_str());
        QVERIFY2(isModest(outcome, deep.size()), describe(outcome).c_str());
        QCOMPARE(kitchen.run({runWith + QStringList{"--executable", "e.ipuexe"}}).code, 0);
    }
};

REGISTER_WIDGET_TEST("hostile_files", HostileFilesTest)
#include "hostile_files_test.moc"
