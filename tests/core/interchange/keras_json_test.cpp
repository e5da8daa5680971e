#include "core/interchange/keras/keras_json.h"
#include "core/model/graph/graph_structure.h"
#include "core/model/graph/model_summary.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <random>

namespace {

using core::Json;

const char* const dense = R"({"class_name": "Dense", "config": {"name": "d", "units": 4}, "name": "d",
    "inbound_nodes": [[["x", 0, 0, {}]]]})";
const char* const input =
    R"({"class_name": "InputLayer", "config": {"name": "x", "batch_input_shape": [null, 8],
    "dtype": "float32"}, "name": "x", "inbound_nodes": []})";

QString functional(const QStringList& layers, const QString& output,
                   const QString& inputs = R"([["x", 0, 0]])") {
    return QString(R"({"class_name": "Functional", "config": {"name": "m", "layers": [%1], "input_layers": %2,
        "output_layers": [%3]}, "keras_version": "2.4.0", "backend": "tensorflow"})")
        .arg(layers.join(", "), inputs, output);
}

core::Result<core::ModelGraph> read(const QString& text, core::Diagnostics* warnings = nullptr) {
    core::Diagnostics ignored;
    return core::readKerasModelText(text.toStdString(), "model.json",
                                    warnings != nullptr ? *warnings : ignored);
}

QString outputText(const core::ModelGraph& graph) {
    const auto typed = core::inferShapes(graph);
    if (!typed)
        return QString::fromStdString(typed.error().front().message);
    QStringList texts;
    for (const core::TensorRef& output : typed->outputs)
        texts << QString::fromStdString(core::toText(typed->spec(output).shape));
    return texts.join(" ");
}

bool survivesARoundTrip(const core::ModelGraph& graph) {
    core::Diagnostics warnings;
    const auto again = core::readKerasModel(core::writeKerasModel(graph), "again", warnings);
    return again.has_value() && *again == graph;
}

} // namespace

class KerasJsonTest : public QObject {
    Q_OBJECT

private slots:
    void readsEveryFormOfADocument_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("output");
        const QString sequential = R"({"class_name": "Sequential", "config": {"name": "s", "layers": [
            {"class_name": "Dense", "config": {"name": "d", "batch_input_shape": [null, 8], "units": 4}}]}})";
        QTest::newRow("a Sequential without InputLayer") << sequential << "(None, 4)";
        QTest::newRow("a list of layers of the first editions")
            << R"({"class_name": "Sequential", "config": [{"class_name": "Dense", "config":
                {"name": "d", "batch_input_shape": [null, 8], "output_dim": 4}}]})"
            << "(None, 4)";
        QTest::newRow("a string that holds the document")
            << QString::fromStdString(Json(sequential.toStdString()).dump()) << "(None, 4)";
        QTest::newRow("the config alone") << R"({"name": "s", "layers": [{"class_name": "Dense", "config":
                {"name": "d", "batch_input_shape": [null, 8], "units": 4}}]})"
                                          << "(None, 4)";
        QTest::newRow("a TensorFlow.js topology")
            << QString(R"({"modelTopology": {"model_config": %1}})").arg(sequential) << "(None, 4)";
        QTest::newRow("a Functional") << functional({input, dense}, R"(["d", 0, 0])") << "(None, 4)";
        QTest::newRow("ends by name")
            << functional({input, dense}, R"(["d", 0, 0])", R"({"x": ["x", 0, 0]})") << "(None, 4)";
        QTest::newRow("layers in any order") << functional({dense, input}, R"(["d", 0, 0])") << "(None, 4)";
        QTest::newRow("a class of its own that is saved like a Functional")
            << functional({input, dense}, R"(["d", 0, 0])").replace("\"Functional\"", "\"MyModel\"")
            << "(None, 4)";
        QTest::newRow("a Keras 3 Sequential with the shape beside the layers")
            << R"({"module": "keras", "class_name": "Sequential", "config": {"name": "s", "build_input_shape":
                [null, 8], "layers": [{"module": "keras.layers", "class_name": "Dense", "config": {"name": "d",
                "units": 4, "dtype": {"module": "keras", "class_name": "DTypePolicy", "config":
                {"name": "float32"}, "registered_name": null}}, "registered_name": null}]}})"
            << "(None, 4)";
        QTest::newRow("a Keras 3 Functional with positional arguments")
            << R"({"module": "keras", "class_name": "Functional", "config": {"name": "m", "layers": [
                {"class_name": "InputLayer", "config": {"name": "x", "batch_shape": [null, 5, 8]}, "name": "x",
                 "inbound_nodes": []},
                {"class_name": "MultiHeadAttention", "config": {"name": "a", "num_heads": 2, "key_dim": 4},
                 "name": "a", "inbound_nodes": [{"args": [
                 {"class_name": "__keras_tensor__", "config": {"keras_history": ["x", 0, 0]}},
                 {"class_name": "__keras_tensor__", "config": {"keras_history": ["x", 0, 0]}}],
                 "kwargs": {"use_causal_mask": true}}]}],
                "input_layers": ["x", 0, 0], "output_layers": ["a", 0, 0]}})"
            << "(None, 5, 8)";
        QTest::newRow("tensors among the arguments")
            << functional(
                   {R"({"class_name": "InputLayer", "config": {"name": "x", "batch_input_shape": [null, 5, 8]},
                   "name": "x", "inbound_nodes": []})",
                    R"({"class_name": "LSTM", "config": {"name": "l", "units": 3, "return_state": true},
                   "name": "l", "inbound_nodes": [[["x", 0, 0, {}]]]})",
                    R"({"class_name": "LSTM", "config": {"name": "k", "units": 3}, "name": "k",
                   "inbound_nodes": [[["x", 0, 0, {"initial_state": [["l", 0, 1], ["l", 0, 2]]}]]]})"},
                   R"(["k", 0, 0])")
            << "(None, 3)";
        QTest::newRow("a function of a tensor, a constant and no list around it")
            << functional(
                   {input,
                    R"({"class_name": "TFOpLambda", "config": {"name": "f", "function": "math.multiply"},
                   "name": "f", "inbound_nodes": [["x", 0, 0, {"y": 2.0, "name": null}]]})"},
                   R"(["f", 0, 0])")
            << "(None, 8)";
        QTest::newRow("a constant in front of the tensor")
            << functional(
                   {input,
                    R"({"class_name": "TFOpLambda", "config": {"name": "f", "function": "math.subtract"},
                   "name": "f", "inbound_nodes": [["_CONSTANT_VALUE", -1, 1.0, {"y": ["x", 0, 0]}]]})"},
                   R"(["f", 0, 0])")
            << "(None, 8)";
        QTest::newRow("a first layer that is an embedding")
            << R"({"class_name": "Sequential", "config": {"name": "s", "layers": [{"class_name": "Embedding",
                "config": {"name": "e", "input_dim": 10, "output_dim": 4}}]}})"
            << "(None, None, 4)";
    }
    void readsEveryFormOfADocument() {
        QFETCH(QString, text);
        core::Diagnostics warnings;
        const auto graph = read(text, &warnings);
        QVERIFY2(graph.has_value(), graph ? "" : core::toText(graph.error().front()).c_str());
        QVERIFY2(warnings.empty(), warnings.empty() ? "" : core::toText(warnings.front()).c_str());
        QTEST(outputText(*graph), "output");
        QVERIFY(survivesARoundTrip(*graph));
    }

    void callsOfANestedModelCountFromItsMaking() {
        const QString inner = R"({"class_name": "Functional", "config": {"name": "inner", "layers": [
            {"class_name": "InputLayer", "config": {"name": "i", "batch_input_shape": [null, 99]}, "name": "i",
             "inbound_nodes": []},
            {"class_name": "Dense", "config": {"name": "p", "units": 3, "batch_input_shape": [null, 77]},
             "name": "p", "inbound_nodes": [[["i", 0, 0, {}]]]}],
            "input_layers": [["i", 0, 0]], "output_layers": [["p", 0, 0]]}, "name": "inner",
            "inbound_nodes": [[["x", 0, 0, {}]], [["d", 0, 0, {}]]]})";
        const QString wide = QString(dense).replace("\"units\": 4", "\"units\": 8");
        const QString sum = R"({"class_name": "Add", "config": {"name": "s"}, "name": "s",
            "inbound_nodes": [[["inner", 1, 0, {}], ["inner", 2, 0, {}]]]})";
        const auto graph = read(functional({input, wide, inner, sum}, R"(["s", 0, 0])"));
        QVERIFY2(graph.has_value(), graph ? "" : core::toText(graph.error().front()).c_str());
        // The shapes that the inner layers remember are stale: the wiring decides.
        QCOMPARE(outputText(*graph), QString("(None, 3)"));
        QCOMPARE(graph->invocations.back().inputs[1].invocation.index(), std::size_t{3});
        QVERIFY(survivesARoundTrip(*graph));
        const Json written = core::writeKerasModel(*graph);
        QCOMPARE(written["config"]["layers"][3]["inbound_nodes"].dump(),
                 std::string(R"([[["inner",1,0,{}],["inner",2,0,{}]]])"));

        QString zeroBased = sum;
        zeroBased.replace("\"inner\", 1", "\"inner\", 0").replace("\"inner\", 2", "\"inner\", 1");
        const auto other = read(functional({input, wide, inner, zeroBased}, R"(["s", 0, 0])"));
        QCOMPARE(outputText(*other), QString("(None, 3)"));
        QCOMPARE(other->invocations.back().inputs[1].invocation.index(), std::size_t{3});
    }

    void aNestedModelFirstInASequentialGivesTheShape() {
        const QString text = R"({"class_name": "Sequential", "config": {"name": "s", "layers": [
            {"class_name": "Sequential", "config": {"name": "t", "layers": [{"class_name": "Dense", "config":
             {"name": "d", "batch_input_shape": [null, 8], "units": 4}}]}},
            {"class_name": "Softmax", "config": {"name": "p"}}]}})";
        const auto graph = read(text);
        QCOMPARE(outputText(*graph), QString("(None, 4)"));
        QVERIFY(graph->layers.front().isImplicit);
        QCOMPARE(core::summarize(*graph, 1)->layerCount, std::size_t{2});
        QVERIFY(survivesARoundTrip(*graph));
    }

    void frozenLayersAndModelsAreReadAndWritten() {
        QString frozen = functional({input, dense}, R"(["d", 0, 0])");
        frozen.replace("\"units\": 4", "\"units\": 4, \"trainable\": false");
        QCOMPARE(core::summarize(*read(frozen), 1)->trainableParameters, std::int64_t{0});
        QString model = functional({input, dense}, R"(["d", 0, 0])");
        model.replace("\"name\": \"m\"", "\"name\": \"m\", \"trainable\": false");
        const auto graph = read(model);
        QCOMPARE(core::summarize(*graph, 1)->trainableParameters, std::int64_t{0});
        QCOMPARE(core::summarize(*graph, 1)->parameters, std::int64_t{36});
        QVERIFY(survivesARoundTrip(*graph));
    }

    void whatIsUnknownIsKeptAndNamedOnce() {
        const auto custom = [](const char* name, const char* from) {
            return QString(
                       R"({"class_name": "Mystery", "config": {"name": "%1", "depth": {"a": [1]}}, "name": "%1",
                "inbound_nodes": [[["%2", 0, 0, {}]]], "note": 7})")
                .arg(name, from);
        };
        const QString odd = QString(dense).replace("\"units\": 4", "\"units\": 4, \"flavour\": \"mint\"");
        core::Diagnostics warnings;
        const auto graph =
            read(functional({input, odd, custom("a", "d"), custom("b", "a")}, R"(["b", 0, 0])"), &warnings);
        QVERIFY(graph.has_value());
        QCOMPARE(warnings.size(), std::size_t{2});
        QCOMPARE(warnings[0].code, std::string("keras/unknown-attribute"));
        QVERIFY(warnings[0].message.find("flavour") != std::string::npos);
        QCOMPARE(warnings[0].location.place, std::string("/config/layers/1/config/flavour"));
        QCOMPARE(warnings[1].code, std::string("keras/unknown-layer"));
        QVERIFY(warnings[1].message.find("Mystery") != std::string::npos);
        QVERIFY(warnings[1].message.find("2 times") != std::string::npos);
        QVERIFY(warnings[1].severity == core::Severity::Warning);
        const Json written = core::writeKerasModel(*graph);
        QCOMPARE(written["config"]["layers"][2]["note"].get<int>(), 7);
        QCOMPARE(written["config"]["layers"][1]["config"]["flavour"].get<std::string>(), std::string("mint"));
        QVERIFY(survivesARoundTrip(*graph));
    }

    void refusesWithACodeAndAPlace_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("place");
        const auto row = [](const char* name, const QString& text, const char* code, const char* place) {
            QTest::newRow(name) << text << QString(code) << QString(place);
        };
        row("a number", "5", "keras/structure", "");
        row("no class", R"({"config": {}})", "keras/structure", "");
        row("no layers", R"({"class_name": "Functional", "config": {"name": "m"}})", "keras/structure",
            "/config");
        row("layers that are no list", R"({"class_name": "Sequential", "config": {"layers": 3}})",
            "keras/structure", "/config");
        row("a layer that is no object", R"({"class_name": "Sequential", "config": {"layers": [3]}})",
            "keras/structure", "/config/layers/0");
        row("a layer without config",
            R"({"class_name": "Sequential", "config": {"layers": [{"class_name": "Dense"}]}})",
            "keras/structure", "/config/layers/0/config");
        row("a missing layer",
            functional({input, QString(dense).replace("\"x\"", "\"xx\"")}, R"(["d", 0, 0])"),
            "keras/unknown-reference", "/config/layers/1/inbound_nodes/0");
        row("a missing output", functional({input, dense}, R"(["e", 0, 0])"), "keras/unknown-reference",
            "/config/output_layers/0");
        row("a wrong node",
            functional({input, QString(dense).replace("\"x\", 0", "\"x\", 3")}, R"(["d", 0, 0])"),
            "keras/node-index", "/config/layers/1/inbound_nodes/0");
        row("a huge node",
            functional({input, QString(dense).replace("\"x\", 0", "\"x\", 9223372036854775807")},
                       R"(["d", 0, 0])"),
            "keras/node-index", "/config/layers/1/inbound_nodes/0");
        row("a negative output",
            functional({input, QString(dense).replace("\"x\", 0, 0", "\"x\", 0, -1")}, R"(["d", 0, 0])"),
            "keras/node-index", "/config/layers/1/inbound_nodes/0");
        row("two layers of one name", functional({input, dense, dense}, R"(["d", 0, 0])"),
            "keras/duplicate-name", "/config/layers/2");
        row("a cycle", functional({input, QString(dense).replace("\"x\"", "\"d\"")}, R"(["d", 0, 0])"),
            "keras/cycle", "/config/layers/1");
        row("calls that are none",
            functional({input, QString(dense).replace(R"([["x", 0, 0, {}]])", "7")}, R"(["d", 0, 0])"),
            "keras/structure", "/config/layers/1/inbound_nodes/0");
        row("a wrong attribute",
            functional({input, QString(dense).replace("\"units\": 4", "\"units\": \"x\"")}, R"(["d", 0, 0])"),
            "layer/attribute", "/config/layers/1/config/units");
        row("an absurd attribute",
            functional({input, QString(dense).replace("\"units\": 4", "\"units\": 1000000000000")},
                       R"(["d", 0, 0])"),
            "layer/attribute", "/config/layers/1/config/units");
        row("a wrong attribute inside a wrapper",
            R"({"class_name": "Sequential", "config": {"layers": [{"class_name": "Bidirectional", "config": {"name": "b",
                "layer": {"class_name": "LSTM", "config": {"units": 0}}}}]}})",
            "layer/attribute", "/config/layers/0/config/layer/config/units");
    }
    void refusesWithACodeAndAPlace() {
        QFETCH(QString, text);
        const auto graph = read(text);
        QVERIFY(!graph.has_value());
        QTEST(QString::fromStdString(graph.error().front().code), "code");
        QTEST(QString::fromStdString(graph.error().front().location.place), "place");
    }

    void modelsInModelsWithoutEndAreRefused() {
        QString text = functional({input, dense}, R"(["d", 0, 0])");
        for (int level = 0; level < 40; ++level) {
            QString inner = text;
            inner.chop(1);
            inner += R"(, "name": "inner", "inbound_nodes": [[["x", 0, 0, {}]]]})";
            text = functional({input, inner}, R"(["inner", 1, 0])");
        }
        const auto graph = read(text);
        QVERIFY(!graph.has_value());
        QCOMPARE(graph.error().front().code, std::string("keras/depth"));
    }

    void aThousandDamagedFilesNeverCrash() {
        // Every value of a sound file is replaced in turn by something hostile; what is still read must be
        // sound.
        const std::string sound =
            functional(
                {input, dense,
                 R"({"class_name": "Bidirectional", "config": {"name": "b", "merge_mode": "sum", "layer":
                            {"class_name": "LSTM", "config": {"units": 3, "return_state": true}}}, "name": "b",
                            "inbound_nodes": [[["d", 0, 0, {"mask": ["x", 0, 0]}]]]})"},
                R"(["b", 0, 0])")
                .toStdString();
        const Json document = core::parseJson(sound, "sound").value();
        const Json flat = document.flatten();
        const std::vector<Json> hostile{nullptr,
                                        true,
                                        -1,
                                        1e300,
                                        "",
                                        "x",
                                        Json::array(),
                                        Json::object(),
                                        18446744073709551615ULL,
                                        Json::array({Json::array({"d", 0, 0})})};
        std::mt19937 random(7); // NOLINT: the same every time
        for (int round = 0; round < 1000; ++round) {
            Json damaged = document;
            const std::size_t faults = 1 + random() % 3;
            for (std::size_t i = 0; i < faults; ++i) {
                std::string pointer =
                    std::next(flat.begin(), static_cast<std::ptrdiff_t>(random() % flat.size())).key();
                for (std::size_t up = random() % 4; up > 0 && pointer.rfind('/') != 0; --up)
                    pointer.resize(pointer.rfind('/'));
                try {
                    damaged[Json::json_pointer(pointer)] = hostile[random() % hostile.size()];
                } catch (const Json::exception&) {
                    // An earlier fault took the place away.
                }
            }
            core::Diagnostics warnings;
            const auto graph = core::readKerasModel(damaged, "damaged", warnings);
            if (!graph) {
                QVERIFY(!graph.error().empty());
                continue;
            }
            QVERIFY(core::checkStructure(*graph).empty());
            static_cast<void>(core::summarize(*graph, 4));
            QVERIFY2(survivesARoundTrip(*graph), damaged.dump().c_str());
        }
    }
};

REGISTER_TEST("keras_json", KerasJsonTest)
#include "keras_json_test.moc"
