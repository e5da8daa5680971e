#include "core/interchange/importer_catalogue.h"

#include "core/base/file.h"
#include "core/interchange/archive/zip_archive.h"
#include "core/interchange/keras/keras_hdf5.h"
#include "core/interchange/keras/keras_json.h"
#include "core/interchange/project/project_file.h"
#include "core/interchange/python/python_program.h"
#include "core/model/graph/model_summary.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <array>
#include <hdf5.h>
#include <random>
#include <set>
#include <zlib.h>

namespace {

const std::string model = R"({"class_name": "Sequential", "config": {"name": "s", "layers": [
    {"class_name": "Dense", "config": {"name": "d", "batch_input_shape": [null, 8], "units": 4}}]}})";

void put(std::string& bytes, std::uint64_t value, int length) {
    for (int i = 0; i < length; ++i)
        bytes += static_cast<char>(i < 8 ? value >> (8 * i) : 0);
}

std::string deflated(const std::string& content) {
    std::string packed(compressBound(content.size()) + 64, '\0');
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

/// What the local and the central header share.
void putHeader(std::string& bytes, bool isDeflated, const std::string& packed, const std::string& content,
               const std::string& name) {
    put(bytes, 20, 2);
    put(bytes, 0, 2);
    put(bytes, isDeflated ? 8 : 0, 2);
    put(bytes, 0, 4);
    put(bytes, crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())),
        4);
    put(bytes, packed.size(), 4);
    put(bytes, content.size(), 4);
    put(bytes, name.size(), 2);
    put(bytes, 0, 2);
}

std::string zip(const std::string& name, const std::string& content, bool isDeflated) {
    const std::string packed = isDeflated ? deflated(content) : content;
    std::string bytes;
    put(bytes, 0x04034b50, 4);
    putHeader(bytes, isDeflated, packed, content, name);
    bytes += name + packed;
    const std::size_t directory = bytes.size();
    put(bytes, 0x02014b50, 4);
    put(bytes, 20, 2);
    putHeader(bytes, isDeflated, packed, content, name);
    put(bytes, 0, 14);
    bytes += name;
    const std::size_t end = bytes.size();
    put(bytes, 0x06054b50, 4);
    put(bytes, 0, 4);
    put(bytes, 1, 2);
    put(bytes, 1, 2);
    put(bytes, end - directory, 4);
    put(bytes, directory, 4);
    put(bytes, 0, 2);
    return bytes;
}

/// An HDF5 file in memory whose root has text attributes.
std::string hdf5(const std::vector<std::pair<const char*, std::string>>& attributes, bool isVariable) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 4096, 0);
    const hid_t file = H5Fcreate("in-memory.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    for (const auto& [name, text] : attributes) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, isVariable ? H5T_VARIABLE : text.size() + 1);
        const hid_t space = H5Screate(H5S_SCALAR);
        const hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        const char* pointer = text.c_str();
        H5Awrite(attribute, type, isVariable ? static_cast<const void*>(&pointer) : pointer);
        H5Aclose(attribute);
        H5Sclose(space);
        H5Tclose(type);
    }
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    std::string bytes(static_cast<std::size_t>(H5Fget_file_image(file, nullptr, 0)), '\0');
    H5Fget_file_image(file, bytes.data(), bytes.size());
    H5Fclose(file);
    H5Pclose(access);
    return bytes;
}
std::string hdf5(const char* name, const std::string& text, bool isVariable) {
    return hdf5({{name, text}}, isVariable);
}

/// An ONNX model of one Relu.
std::string onnxOfRelu() {
    const auto part = [](int number, const std::string& content) {
        return std::string(1, static_cast<char>(number << 3 | 2)) +
               std::string(1, static_cast<char>(content.size())) + content;
    };
    const std::string node = part(1, "x") + part(2, "y") + part(4, "Relu");
    const std::string graph = part(1, node) + part(11, part(1, "x")) + part(12, part(1, "y"));
    return "\x08\x08" + part(7, graph) + part(8, "\x10\x0d");
}

/// A few bytes replaced, left out, moved or put in.
std::string broken(std::string bytes, std::mt19937& random) {
    constexpr std::array<std::string_view, 10> pieces{"7", "-1", "null", "None", "\"x\"",
                                                      "(", ",",  "[]",   "{}",   "9223372036854775808"};
    for (auto left = 1 + random() % 3; left > 0 && !bytes.empty(); --left) {
        const std::size_t at = random() % bytes.size();
        switch (random() % 6) {
        case 0:
            bytes[at] = static_cast<char>(random());
            break;
        case 1:
            bytes.erase(at, 1 + random() % 12);
            break;
        case 2:
            bytes.insert(at, pieces[random() % pieces.size()]);
            break;
        case 3:
            bytes.replace(at, 8, bytes.substr(random() % bytes.size(), 8));
            break;
        case 4:
            bytes[at] = static_cast<char>('0' + random() % 10);
            break;
        default:
            bytes.resize(random() % 8 == 0 ? at : bytes.size());
        }
    }
    return bytes;
}

core::Project exampleProject(const char* name) {
    const auto path = tests::projectRoot() / "projects" / name;
    const auto text = core::readFile(path);
    return core::readProject(text.value_or(""), path.string()).value().project;
}

/// The first error that lacks its file or a cure; empty when there is none.
std::string lackOf(const core::Diagnostics& findings) {
    for (const core::Diagnostic& finding : findings) {
        const bool hasCure =
            !finding.hints.empty() && std::ranges::find(finding.hints, "") == finding.hints.end();
        const bool isWhole = hasCure && !finding.location.file.empty() && !finding.message.empty();
        if (finding.severity == core::Severity::Error && !isWhole)
            return core::toText(finding);
    }
    return "";
}

QString codeOf(const std::string& bytes) {
    const auto file = core::importProject(bytes, "file");
    return file ? QString() : QString::fromStdString(file.error().front().code);
}

} // namespace

class ImporterCatalogueTest : public QObject {
    Q_OBJECT

private slots:
    void everyFormatIsKnownByItsContent_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("importer");
        const auto row = [](const char* name, const std::string& bytes, const char* importer) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(importer);
        };
        row("text", model, "keras-json");
        row("text behind a byte order mark", "\xef\xbb\xbf\n " + model, "keras-json");
        row("deflated archive", zip("config.json", model, true), "keras-archive");
        row("stored archive", zip("config.json", model, false), "keras-archive");
        row("HDF5 with text of any length", hdf5("model_config", model, true), "keras-hdf5");
        row("HDF5 with text of one length", hdf5("model_config", model, false), "keras-hdf5");
    }
    void everyFormatIsKnownByItsContent() {
        QFETCH(QByteArray, bytes);
        const core::Importer* importer = core::findImporter(bytes.toStdString(), "file");
        QVERIFY(importer != nullptr);
        QTEST(QString::fromStdString(std::string(importer->id)), "importer");
        const auto file = core::importProject(bytes.toStdString(), "file");
        QVERIFY2(file.has_value(), file ? "" : core::toText(file.error().front()).c_str());
        QCOMPARE(file->project.model.layers.back().name, std::string("d"));
    }

    void everyImporterHasAllItsParts() {
        std::set<std::string_view> ids;
        std::set<std::string_view> endings;
        for (const core::Importer& importer : core::importerCatalogue()) {
            QVERIFY2(ids.insert(importer.id).second, importer.id.data());
            QVERIFY2(!importer.family.empty() && !importer.title.empty(), importer.id.data());
            QVERIFY2(importer.recognizes != nullptr && importer.read != nullptr, importer.id.data());
            QVERIFY2(!importer.endings.empty(), importer.id.data());
            for (const std::string_view ending : importer.endings) {
                QVERIFY2(ending.starts_with('.'), ending.data());
                QVERIFY2(endings.insert(ending).second, ending.data());
            }
            // What no format begins with is taken for none.
            QVERIFY2(!importer.recognizes("") && !importer.recognizes("layers: 3"), importer.id.data());
        }
        QCOMPARE(core::importableFiles(),
                 std::string("Keras (.keras, .h5, .hdf5, .pb, .json), ONNX (.onnx) or Python (.py)"));
    }

    void whatIsWrongIsSaid() {
        QCOMPARE(codeOf(""), QString("import/unknown-format"));
        QCOMPARE(codeOf("layers: 3"), QString("import/unknown-format"));
        const core::Diagnostic unknown = core::importProject("\x1blayers: 3", "m.yaml").error().front();
        QCOMPARE(unknown.location.place, std::string("byte 0"));
        QVERIFY2(unknown.message.ends_with("begins with \"\\x1blayers: 3\""), unknown.message.c_str());
        QCOMPARE(codeOf(hdf5("weights", "x", true)), QString("hdf5/no-model"));
        QCOMPARE(codeOf("\x89HDF\r\n\x1a\n and nothing more"), QString("hdf5/damaged"));
        QCOMPARE(codeOf(zip("metadata.json", "{}", true)), QString("zip/missing"));
        const std::string archive = zip("config.json", model, true);
        QCOMPARE(codeOf(archive.substr(0, archive.size() - 30)), QString("zip/damaged"));
        std::string wrong = archive;
        wrong[60] ^= 1;
        QCOMPARE(codeOf(wrong), QString("zip/damaged"));
    }

    /// A fragment without an import is no model by its content; by its name it is a program.
    void aProgramIsKnownByItsNameToo() {
        const std::string fragment = "def make():\n    return Sequential([])\n";
        const auto named = core::importProject(fragment, "make.py");
        QCOMPARE(named.error().front().code, std::string("python/no-model"));
        QCOMPARE(core::importProject(fragment, "make.txt").error().front().code,
                 std::string("import/unknown-format"));
        const auto binary = core::importProject(std::string("\0\1\2\377", 4), "make.py");
        QVERIFY(!binary.has_value());
    }

    /// Its own document is one text; a program goes on behind its first one.
    void aProgramThatStartsWithATextInQuotesIsNoJson() {
        const std::string program = "\"A small \\\"model\\\".\"\nimport tensorflow as tf\n"
                                    "m = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(8,))])\n";
        const auto read = core::importProject(program, "nameless");
        QVERIFY2(read.has_value(), read ? "" : core::toText(read.error().front()).c_str());
        const core::Importer* cutOff = core::findImporter("\"{\\\"class_name\\\": ", "nameless");
        QVERIFY(cutOff != nullptr && cutOff->id == "keras-json");
    }

    void everyRefusalNamesItsFileAndACure_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("importer");
        QTest::addColumn<int>("rounds");
        const auto row = [](const char* name, const std::string& bytes, const char* importer, int rounds) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(importer) << rounds;
        };
        const core::Project encoder = exampleProject("encoder/encoder.ipuproj");
        const core::Project chain = exampleProject("tutorial/4-pipelined-sequential.ipuproj");
        const auto program = [](const core::Project& project) {
            return core::writePythonProgram(project, core::PythonApi::TensorFlow24).value();
        };
        row("chain of layers", core::toText(core::writeKerasModel(chain.model)), "keras-json", 2000);
        row("graph of layers", core::toText(core::writeKerasModel(encoder.model)), "keras-json", 2000);
        row("archive", zip("config.json", model, true), "keras-archive", 3000);
        row("HDF5", hdf5("model_config", model, false), "keras-hdf5", 300);
        row("ONNX", onnxOfRelu(), "onnx", 5000);
        row("program of a chain", program(chain), "python", 1500);
        row("program of a graph", program(encoder), "python", 1500);
    }
    void everyRefusalNamesItsFileAndACure() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, importer);
        QFETCH(int, rounds);
        const auto importers = core::importerCatalogue();
        const auto reader = std::ranges::find(importers, importer.toStdString(), &core::Importer::id);
        QVERIFY(reader != importers.end());
        std::mt19937 random(11); // NOLINT: the same every time
        int refused = 0;
        for (int round = 0; round < rounds; ++round) {
            const std::string damaged = broken(bytes.toStdString(), random);
            const auto read = reader->read(damaged, "broken.file");
            refused += read ? 0 : 1;
            QVERIFY(read || core::hasErrors(read.error()));
            const std::string lack = lackOf(read ? read->warnings : read.error());
            QVERIFY2(lack.empty(), lack.c_str());
            if (!read)
                continue;
            core::InferenceOptions options;
            options.file = "broken.file";
            const auto summary = core::summarize(read->project.model, 4, options);
            const std::string lackOfModel = summary ? std::string() : lackOf(summary.error());
            QVERIFY2(lackOfModel.empty(), lackOfModel.c_str());
        }
        QVERIFY2(refused > rounds / 10, std::to_string(refused).c_str());
    }

    void everyRefusedProjectFileNamesItsPlaceAndACure() {
        const std::string whole =
            core::readFile(tests::projectRoot() / "projects/encoder/encoder.ipuproj").value();
        std::mt19937 random(12); // NOLINT: the same every time
        for (int round = 0; round < 2000; ++round) {
            const auto read = core::readProject(broken(whole, random), "broken.ipuproj");
            const std::string lack = read ? std::string() : lackOf(read.error());
            QVERIFY2(lack.empty(), lack.c_str());
        }
    }

    void aBombIsNotUnpacked() {
        const std::string bomb = zip("config.json", std::string(std::size_t{80} << 20, ' '), true);
        QVERIFY(bomb.size() < 200000);
        QCOMPARE(codeOf(bomb), QString("zip/size"));
    }

    void whatAnHdf5ModelWasCompiledWithIsTaken() {
        const std::string training =
            R"({"loss": "mse", "optimizer_config": {"class_name": "SGD", "config": {"learning_rate": 0.25}}})";
        const auto read = core::importProject(
            hdf5({{"model_config", model}, {"training_config", training}}, true), "file.h5");
        QVERIFY2(read.has_value(), read ? "" : read.error().front().message.c_str());
        QCOMPARE(read->project.training.optimizer->config.value("learning_rate", 0.0), 0.25);
        QCOMPARE(read->project.training.losses.at(0).className, std::string("MeanSquaredError"));
        // What cannot be read of it is no reason to refuse the model.
        const auto damaged =
            core::importProject(hdf5({{"model_config", model}, {"training_config", "{"}}, true), "file.h5");
        QVERIFY(damaged.has_value());
        QVERIFY(!damaged->project.training.optimizer.has_value());
    }

    void damagedHdf5FilesNeverCrash() {
        const std::string whole = hdf5("model_config", model, false);
        std::mt19937 random(9); // NOLINT: the same every time
        for (int round = 0; round < 300; ++round) {
            std::string damaged = whole.substr(0, random() % 8 == 0 ? random() % whole.size() : whole.size());
            for (int i = 0; i < 4 && !damaged.empty(); ++i)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            const auto read = core::importProject(damaged, "file.h5");
            QVERIFY(read.has_value() || !read.error().empty());
        }
    }

    void damagedArchivesNeverCrash() {
        const std::string archive = zip("config.json", model, true);
        std::mt19937 random(3); // NOLINT: the same every time
        for (int round = 0; round < 3000; ++round) {
            std::string damaged =
                archive.substr(0, random() % 8 == 0 ? random() % archive.size() : archive.size());
            for (int i = 0; i < 3 && !damaged.empty(); ++i)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            const auto opened = core::ZipArchive::open(damaged, "file");
            if (opened)
                static_cast<void>(opened->read("config.json", 1 << 20));
        }
    }
};

REGISTER_TEST("importer_catalogue", ImporterCatalogueTest)
#include "importer_catalogue_test.moc"
