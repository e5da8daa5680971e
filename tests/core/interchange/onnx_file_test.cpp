#include "core/base/file.h"
#include "core/interchange/archive/wire_reader.h"
#include "core/interchange/importer_catalogue.h"
#include "core/interchange/onnx/onnx_file.h"
#include "core/interchange/onnx/onnx_importer.h"
#include "core/model/graph/model_summary.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <filesystem>
#include <random>

namespace {

/// A field of a message: number and wire type, then what it holds.
std::string field(int number, int type, const std::string& content) {
    return std::string(1, static_cast<char>(number << 3 | type)) + content;
}
std::string bytesField(int number, const std::string& content) {
    std::string length;
    std::size_t rest = content.size();
    for (; rest >= 128; rest /= 128)
        length += static_cast<char>(rest % 128 + 128);
    return field(number, 2, length + static_cast<char>(rest) + content);
}
std::string number(int value) {
    return std::string(1, static_cast<char>(value));
}

std::string reluModel() {
    const std::string node = bytesField(1, "x") + bytesField(2, "y") + bytesField(4, "Relu");
    const std::string input = bytesField(1, "x");
    const std::string output = bytesField(1, "y");
    const std::string graph = bytesField(1, node) + bytesField(11, input) + bytesField(12, output);
    const std::string opset = field(2, 0, number(13));
    return field(1, 0, number(8)) + bytesField(7, graph) + bytesField(8, opset);
}

std::string codeOfModel(const std::string& bytes) {
    const auto model = core::readOnnxModel(bytes, "model.onnx");
    return model ? "" : model.error().front().code;
}

} // namespace

/// ONNX files as values.
class OnnxFileTest : public QObject {
    Q_OBJECT

private slots:
    void readsAModel() {
        const auto model = core::readOnnxModel(reluModel(), "model.onnx");
        QVERIFY(model.has_value());
        QCOMPARE(model->opset, 13);
        QCOMPARE(model->graph.nodes.size(), std::size_t{1});
        QCOMPARE(model->graph.nodes[0].operation, std::string("Relu"));
        QCOMPARE(model->graph.fedInputs().size(), std::size_t{1});
        QVERIFY(core::isOnnx(reluModel()));
        QVERIFY(!core::isOnnx("{\"class_name\": \"Sequential\"}"));
        QVERIFY(!core::isOnnx("import tensorflow as tf\n"));
    }

    void readsElementsInEveryForm() {
        // float_data one by one, int32_data packed, raw_data.
        const auto floats = core::readOnnxTensor(field(1, 0, number(2)) + field(2, 0, number(1)) +
                                                     field(4, 5, std::string("\0\0\x80\x3f", 4)) +
                                                     field(4, 5, std::string("\0\0\0\x40", 4)),
                                                 "t.pb");
        QVERIFY(floats.has_value());
        QCOMPARE(core::numbersOf(*floats), (std::vector<double>{1, 2}));
        const auto bytes = core::readOnnxTensor(field(1, 0, number(3)) + field(2, 0, number(2)) +
                                                    bytesField(5, std::string("\x05\x06\x07")),
                                                "t.pb");
        QVERIFY(bytes.has_value());
        QCOMPARE(core::numbersOf(*bytes), (std::vector<double>{5, 6, 7}));
        const auto raw = core::readOnnxTensor(
            field(1, 0, number(1)) + field(2, 0, number(5)) + bytesField(9, std::string("\xfe\xff")), "t.pb");
        QVERIFY(raw.has_value());
        QCOMPARE(core::numbersOf(*raw), (std::vector<double>{-2}));
    }

    void refusesWhatIsDamaged() {
        const std::string whole = reluModel();
        QCOMPARE(codeOfModel(whole.substr(0, whole.size() - 3)), std::string("onnx/damaged"));
        QCOMPARE(codeOfModel(field(1, 0, number(8))), std::string("onnx/structure"));
        const std::string loose = bytesField(7, bytesField(1, bytesField(1, "z") + bytesField(4, "Relu")));
        QCOMPARE(codeOfModel(loose), std::string("onnx/structure"));
        const auto tensor = core::readOnnxTensor(
            field(1, 0, number(3)) + field(2, 0, number(1)) + bytesField(9, "1234"), "t.pb");
        QVERIFY(!tensor.has_value());
        QCOMPARE(tensor.error().front().code, std::string("onnx/structure"));
    }

    void emptyPartsAreRefusedBeforeTheyFillTheMemory() {
        std::string nodes;
        std::string tensors;
        for (int i = 0; i < 500'000; ++i) {
            nodes += bytesField(1, bytesField(4, "A"));
            tensors += bytesField(5, "");
        }
        QCOMPARE(codeOfModel(bytesField(7, bytesField(1, ""))), std::string("onnx/structure"));
        QCOMPARE(codeOfModel(bytesField(7, nodes)), std::string("onnx/too-many-parts"));
        QCOMPARE(codeOfModel(bytesField(7, tensors)), std::string("onnx/too-many-parts"));
    }

    void wholeModelsBecomeLayers_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<qint64>("parameters");
        QTest::addColumn<QString>("output");
        QTest::newRow("dense") << "mlp_784_256_128_64_32_10" << qint64{244522} << "(None, 10)";
        QTest::newRow("residual") << "resnet18_narrow" << qint64{176762} << "(None, 10)";
        QTest::newRow("recurrent") << "lstm_classifier" << qint64{964} << "(2, 4)";
    }
    void wholeModelsBecomeLayers() {
        REQUIRE_SHARED_DATA();
        QFETCH(QString, name);
        QFETCH(qint64, parameters);
        QFETCH(QString, output);
        const auto path = tests::sharedData() / "onnx/whole" / name.toStdString() / "model.onnx";
        const auto file = core::importProject(core::readFile(path).value(), path.string());
        QVERIFY2(file.has_value(), file ? "" : core::toText(file.error().front()).c_str());
        QVERIFY(file->warnings.empty());
        const auto summary = core::summarize(file->project.model, 1);
        QVERIFY2(summary.has_value(), summary ? "" : core::toText(summary.error().front()).c_str());
        QCOMPARE(summary->parameters, parameters);
        QCOMPARE(QString::fromStdString(core::toText(summary->outputShapes.at(0))), output);
    }

    void everySharedGraphIsImported() {
        REQUIRE_SHARED_DATA();
        std::size_t count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(tests::sharedData() / "onnx/node")) {
            const auto path = entry.path() / "model.onnx";
            const auto file = core::importProject(core::readFile(path).value(), path.string());
            QVERIFY2(file.has_value(), file ? "" : core::toText(file.error().front()).c_str());
            ++count;
        }
        QVERIFY(count > 100);
    }

    void aThousandDamagedFilesNeverCrash() {
        std::vector<std::string> seeds{reluModel()};
        if (!tests::sharedData().empty()) {
            const auto bytes =
                core::readFile(tests::sharedData() / "onnx/whole/transformer_encoder_tiny/model.onnx");
            QVERIFY(bytes.has_value());
            seeds.push_back(*bytes);
        }
        std::mt19937 random(7);
        for (int i = 0; i < 1000; ++i) {
            // The large file only now and then: it takes a hundred times as long to read.
            std::string bytes = i % 8 == 0 ? seeds.back() : seeds.front();
            for (unsigned k = 0; k < 1 + random() % 4; ++k)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            if (i % 3 == 0)
                bytes.resize(random() % bytes.size());
            const auto model = core::readOnnxModel(bytes, "model.onnx");
            QVERIFY(model.has_value() || model.error().size() == 1);
            core::Diagnostics warnings;
            if (model)
                static_cast<void>(core::modelFromOnnx(*model, "model.onnx", warnings));
        }
    }
};

REGISTER_TEST("onnx_file", OnnxFileTest)
#include "onnx_file_test.moc"
