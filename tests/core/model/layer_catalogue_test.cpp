#include "core/base/file.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/graph/model_summary.h"
#include "core/model/initializer_catalogue.h"
#include "core/model/layer_naming.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <filesystem>
#include <set>

namespace {

using core::Json;

Json parse(const QString& text) {
    return core::parseJson(text.toStdString(), "test").value();
}

std::vector<core::TensorSpec> specsOf(const Json& shapes) {
    std::vector<core::TensorSpec> specs;
    for (const Json& entry : shapes) {
        core::TensorSpec spec;
        for (const Json& extent : entry)
            spec.shape.dimensions.push_back(core::wholeNumber(extent));
        specs.push_back(spec);
    }
    return specs;
}

QString shapesText(const std::vector<core::TensorSpec>& specs) {
    QStringList texts;
    for (const core::TensorSpec& spec : specs)
        texts << QString::fromStdString(core::toText(spec.shape));
    return texts.join(" ");
}

qint64 parametersOf(const core::CallFacts& facts) {
    qint64 count = 0;
    for (const core::WeightSpec& spec : facts.weights)
        count += core::elements(spec.shape).value();
    return count;
}

core::RuleResult<core::CallFacts> describe(const QString& className, const QString& config,
                                           const QString& inputs, const QString& arguments = "{}") {
    const std::vector<core::TensorSpec> specs = specsOf(parse(inputs));
    return core::describeCall(className.toStdString(), parse(config), specs, parse(arguments), {});
}

} // namespace

class LayerCatalogueTest : public QObject {
    Q_OBJECT

private slots:
    void everyDefinitionIsWhole() {
        std::set<std::string> names;
        for (const core::LayerDefinition& definition : core::layerCatalogue()) {
            QVERIFY2(definition.rule != nullptr, definition.className.c_str());
            QVERIFY2(definition.documentation.ends_with('.'), definition.className.c_str());
            QVERIFY2(names.insert(definition.className).second, definition.className.c_str());
            for (const std::string& alias : definition.aliases)
                QVERIFY2(names.insert(alias).second, alias.c_str());
            std::set<std::string> attributes;
            for (const core::AttributeDefinition& attribute : definition.attributes) {
                const std::string where = definition.className + "." + attribute.name;
                QVERIFY2(attributes.insert(attribute.name).second, where.c_str());
                QVERIFY2(attribute.documentation.ends_with('.'), where.c_str());
                QVERIFY2(!core::acceptedValues(attribute).empty(), where.c_str());
                QVERIFY2(!core::objectionTo(attribute.defaultValue, attribute), where.c_str());
            }
        }
        QVERIFY(names.size() > 100);
    }

    void aNewLayerBreaksNoRule() {
        for (const core::LayerDefinition& definition : core::layerCatalogue()) {
            const Json config = core::newLayerConfig(definition, "layer");
            const core::Diagnostics findings = core::checkAttributes(definition, config, "", "");
            QVERIFY2(findings.empty(), findings.empty() ? "" : core::toText(findings.front()).c_str());
        }
    }

    void aRegularizerHasTheFactorsOfItsClassOnly() {
        const core::LayerDefinition* dense = core::findLayerDefinition("Dense");
        const core::AttributeDefinition* regularizer = dense->findAttribute("kernel_regularizer");
        const auto objection = [&](const Json& value) {
            return core::objectionTo(value, *regularizer).value_or("");
        };
        QCOMPARE(objection({{"class_name", "L2"}, {"config", {{"l2", 0.1}}}}), std::string());
        QCOMPARE(objection({{"class_name", "L1L2"}, {"config", {{"l1", 0.1}, {"l2", nullptr}}}}),
                 std::string());
        QCOMPARE(objection({{"class_name", "OrthogonalRegularizer"},
                            {"config", {{"factor", 0.1}, {"mode", "rows"}}}}),
                 std::string());
        QCOMPARE(objection({{"class_name", "Own>Sparse"}, {"config", {{"rate", 0.1}}}}), std::string());
        QVERIFY(objection({{"class_name", "L2"}, {"config", {{"L2", 0.1}}}}).find("has no \"L2\"") !=
                std::string::npos);
        QVERIFY(objection({{"class_name", "L1L2"}, {"config", {{"l1", "much"}}}}).find("must be a number") !=
                std::string::npos);
    }

    void everyActivationIsFoundByItsNames() {
        for (const core::ActivationDefinition& definition : core::activationCatalogue()) {
            const core::ActivationSpec spec = core::activationFromJson(std::string(definition.name));
            QVERIFY(spec.isKnown && spec.name == definition.name);
        }
        QCOMPARE(core::activationFromJson("silu").name, std::string("swish"));
        QCOMPARE(core::activationFromJson(nullptr).name, std::string("linear"));
        QCOMPARE(core::activationFromJson({{"class_name", "function"}, {"config", "relu"}}).name,
                 std::string("relu"));
        QCOMPARE(core::activationFromJson({{"class_name", "LeakyReLU"}, {"config", {{"alpha", 0.1}}}}).name,
                 std::string("leaky_relu"));
        QVERIFY(!core::activationFromJson("binary_tanh").isKnown);
    }

    void initializersAreReadInEveryForm() {
        QCOMPARE(core::initializerFromJson("uniform")["class_name"].get<std::string>(),
                 std::string("RandomUniform"));
        QCOMPARE(core::initializerFromJson("he_normal")["class_name"].get<std::string>(),
                 std::string("HeNormal"));
        QCOMPARE(core::initializerFromJson(nullptr, "zeros")["class_name"].get<std::string>(),
                 std::string("Zeros"));
        const Json full{{"module", "keras.initializers"},
                        {"class_name", "GlorotUniform"},
                        {"config", {{"seed", 1}}},
                        {"registered_name", nullptr}};
        QCOMPARE(core::initializerFromJson(full).dump(),
                 std::string(R"({"class_name":"GlorotUniform","config":{"seed":1}})"));
    }

    void layersGiveShapesWeightsAndArithmetic_data() {
        QTest::addColumn<QString>("className");
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("inputs");
        QTest::addColumn<QString>("outputs");
        QTest::addColumn<qint64>("parameters");
        QTest::addColumn<qint64>("flops");
        const auto row = [](const char* className, const char* config, const char* inputs,
                            const char* outputs, qint64 parameters, qint64 flops) {
            QTest::addRow("%s %s %s", className, qPrintable(QString(config).simplified()), inputs)
                << QString(className) << QString(config) << QString(inputs) << QString(outputs) << parameters
                << flops;
        };
        row("Dense", R"({"units": 256})", "[[1, 784]]", "(1, 256)", 200960, 401408);
        row("Dense", R"({"units": 5, "use_bias": false})", "[[2, 3, 4]]", "(2, 3, 5)", 20, 240);
        row("EinsumDense", R"({"equation": "abc,cd->abd", "output_shape": [null, 64], "bias_axes": "d"})",
            "[[1, 32, 128]]", "(1, 32, 64)", 8256, 524288);
        row("EinsumDense", R"({"equation": "...x,xy->...y", "output_shape": 64})", "[[1, 32, 128]]",
            "(1, 32, 64)", 8192, 524288);
        row("Flatten", "{}", "[[1, 3, 4, 5]]", "(1, 60)", 0, 0);
        row("Reshape", R"({"target_shape": [-1, 6]})", "[[1, 3, 4]]", "(1, 2, 6)", 0, 0);
        row("Permute", R"({"dims": [2, 1]})", "[[1, 3, 4]]", "(1, 4, 3)", 0, 0);
        row("RepeatVector", R"({"n": 7})", "[[1, 4]]", "(1, 7, 4)", 0, 0);
        row("Maxout", R"({"num_units": 3})", "[[2, 5, 12]]", "(2, 5, 3)", 0, 120);
        row("Maxout", R"({"num_units": 2, "axis": 1})", "[[2, 8, 3]]", "(2, 2, 3)", 0, 48);
        row("Conv2D", R"({"filters": 64, "kernel_size": 7, "strides": 2, "padding": "same"})",
            "[[1, 224, 224, 3]]", "(1, 112, 112, 64)", 9472, 236027904);
        row("Conv2D", R"({"filters": 8, "kernel_size": [3, 3], "data_format": "channels_first"})",
            "[[1, 3, 9, 9]]", "(1, 8, 7, 7)", 224, 21168);
        row("Conv2D", R"({"filters": 8, "kernel_size": 3, "groups": 4})", "[[1, 9, 9, 16]]", "(1, 7, 7, 8)",
            296, 28224);
        row("Conv2D", R"({"filters": 1, "kernel_size": 3, "dilation_rate": 2})", "[[1, 9, 9, 1]]",
            "(1, 5, 5, 1)", 10, 450);
        row("Conv1D", R"({"filters": 2, "kernel_size": 4, "padding": "causal"})", "[[1, 10, 3]]",
            "(1, 10, 2)", 26, 480);
        row("Conv3D", R"({"filters": 2, "kernel_size": 2})", "[[1, 4, 4, 4, 1]]", "(1, 3, 3, 3, 2)", 18, 864);
        row("Conv2DTranspose", R"({"filters": 4, "kernel_size": 3, "strides": 2, "padding": "same"})",
            "[[1, 5, 5, 8]]", "(1, 10, 10, 4)", 292, 14400);
        row("Conv2DTranspose", R"({"filters": 4, "kernel_size": 3, "strides": 2})", "[[1, 5, 5, 8]]",
            "(1, 11, 11, 4)", 292, 14400);
        row("Conv1DTranspose", R"({"filters": 1, "kernel_size": 3, "strides": 2, "output_padding": 1})",
            "[[1, 5, 1]]", "(1, 12, 1)", 4, 30);
        row("DepthwiseConv2D", R"({"kernel_size": 3, "depth_multiplier": 2})", "[[1, 5, 5, 4]]",
            "(1, 3, 3, 8)", 80, 1296);
        row("SeparableConv2D", R"({"filters": 6, "kernel_size": 3, "padding": "same"})", "[[1, 5, 5, 4]]",
            "(1, 5, 5, 6)", 66, 3000);
        row("MaxPooling2D", "{}", "[[1, 7, 7, 4]]", "(1, 3, 3, 4)", 0, 144);
        row("MaxPooling2D", R"({"pool_size": 3, "strides": 2, "padding": "same"})", "[[1, 7, 7, 4]]",
            "(1, 4, 4, 4)", 0, 576);
        row("AveragePooling1D", R"({"pool_size": 4, "strides": null})", "[[1, 8, 2]]", "(1, 2, 2)", 0, 16);
        row("GlobalAveragePooling2D", R"({"keepdims": true})", "[[1, 7, 7, 4]]", "(1, 1, 1, 4)", 0, 196);
        row("GlobalMaxPooling1D", "{}", "[[1, 7, 4]]", "(1, 4)", 0, 28);
        row("ZeroPadding2D", R"({"padding": [[1, 2], [0, 3]]})", "[[1, 3, 3, 2]]", "(1, 6, 6, 2)", 0, 0);
        row("ZeroPadding1D", R"({"padding": [1, 2]})", "[[1, 3, 2]]", "(1, 6, 2)", 0, 0);
        row("Cropping2D", R"({"cropping": 1})", "[[1, 5, 6, 2]]", "(1, 3, 4, 2)", 0, 0);
        row("UpSampling2D", R"({"size": [2, 3]})", "[[1, 5, 6, 2]]", "(1, 10, 18, 2)", 0, 0);
        row("BatchNormalization", "{}", "[[1, 7, 7, 8]]", "(1, 7, 7, 8)", 32, 1568);
        row("BatchNormalization", R"({"axis": [1], "scale": false})", "[[1, 3, 7, 8]]", "(1, 3, 7, 8)", 9,
            672);
        row("LayerNormalization", R"({"axis": [1, 2]})", "[[1, 3, 4]]", "(1, 3, 4)", 24, 96);
        row("GroupNormalization", R"({"groups": 2})", "[[1, 3, 3, 6]]", "(1, 3, 3, 6)", 12, 432);
        row("InstanceNormalization", R"({"center": false})", "[[1, 3, 3, 6]]", "(1, 3, 3, 6)", 6, 432);
        row("Embedding", R"({"input_dim": 100, "output_dim": 8})", "[[2, 5]]", "(2, 5, 8)", 800, 0);
        row("LSTM", R"({"units": 4})", "[[1, 5, 3]]", "(1, 4)", 128, 1120);
        row("LSTM", R"({"units": 4, "return_sequences": true, "return_state": true})", "[[1, 5, 3]]",
            "(1, 5, 4) (1, 4) (1, 4)", 128, 1120);
        row("GRU", R"({"units": 4})", "[[1, 5, 3]]", "(1, 4)", 108, 840);
        row("GRU", R"({"units": 4, "reset_after": false})", "[[1, 5, 3]]", "(1, 4)", 96, 840);
        row("GRU", R"({"units": 4, "implementation": 0})", "[[1, 5, 3]]", "(1, 4)", 96, 840);
        row("PopnnGRU", R"({"units": 4})", "[[1, 5, 3]]", "(1, 4)", 108, 840);
        row("SimpleRNN", R"({"units": 5})", "[[1, 4, 3]]", "(1, 5)", 45, 320);
        row("RNN",
            R"({"cell": {"class_name": "StackedRNNCells", "config": {"cells": [
                {"class_name": "LSTMCell", "config": {"units": 4}},
                {"class_name": "GRUCell", "config": {"units": 2, "reset_after": true}}]}}})",
            "[[1, 5, 3]]", "(1, 2)", 128 + 48, 1120 + 360);
        row("Bidirectional",
            R"({"layer": {"class_name": "LSTM", "config": {"units": 4, "return_sequences": true}}})",
            "[[1, 5, 3]]", "(1, 5, 8)", 256, 2240);
        row("Bidirectional",
            R"({"merge_mode": null, "layer": {"class_name": "GRU", "config": {"units": 4}}})", "[[1, 5, 3]]",
            "(1, 4) (1, 4)", 216, 1680);
        row("TimeDistributed", R"({"layer": {"class_name": "Dense", "config": {"units": 7}}})", "[[1, 5, 3]]",
            "(1, 5, 7)", 28, 210);
        row("SpectralNormalization", R"({"layer": {"class_name": "Dense", "config": {"units": 7}}})",
            "[[1, 3]]", "(1, 7)", 28 + 7, 42);
        row("AdaptiveAveragePooling2D", R"({"output_size": [2, 3]})", "[[1, 9, 9, 4]]", "(1, 2, 3, 4)", 0,
            324);
        row("TextVectorization", R"({"output_sequence_length": 20})", "[[1, 1]]", "(1, 20)", 0, 0);
        row("TextVectorization", R"({"max_tokens": 50, "output_mode": "multi_hot"})", "[[1]]", "(1, 50)", 0,
            0);
        row("StringLookup", R"({"vocabulary": ["a", "b"], "output_mode": "one_hot"})", "[[1, 1]]", "(1, 3)",
            0, 0);
        row("Hashing", R"({"num_bins": 9})", "[[1, 1]]", "(1, 1)", 0, 0);
        row("LayerScale", R"({"init_values": 1e-6, "projection_dim": 4})", "[[1, 2, 2, 4]]", "(1, 2, 2, 4)",
            4, 16);
        row("StochasticDepth", R"({"drop_path_rate": 0.1})", "[[1, 4]]", "(1, 4)", 0, 0);
        row("CustomScaleLayer", R"({"scale": 0.17})", "[[1, 4], [1, 4]]", "(1, 4)", 0, 8);
        row("RandAugment", R"({"value_range": [0, 255]})", "[[1, 8, 8, 3]]", "(1, 8, 8, 3)", 0, 0);
        row("Operation", R"({"function": "Einsum", "subscripts": "bij,bjk->bik"})", "[[1, 2, 3], [1, 3, 4]]",
            "(1, 2, 4)", 0, 48);
        row("Operation", R"({"function": "Split", "indices_or_sections": 2, "axis": -1})", "[[1, 6]]",
            "(1, 3) (1, 3)", 0, 0);
        row("Operation", R"({"function": "Reshape", "newshape": [-1, 3]})", "[[2, 6]]", "(4, 3)", 0, 0);
        row("Operation", R"({"function": "Mean", "axis": [1], "keepdims": true})", "[[2, 6]]", "(2, 1)", 0,
            12);
        row("ConvLSTM2D", R"({"filters": 2, "kernel_size": 3, "padding": "same"})", "[[1, 4, 5, 5, 3]]",
            "(1, 5, 5, 2)", 368, 72000);
        row("Add", "{}", "[[1, 4], [1, 4], [1, 4]]", "(1, 4)", 0, 8);
        row("Multiply", "{}", "[[1, 7, 7, 4], [1, 1, 1, 4]]", "(1, 7, 7, 4)", 0, 196);
        row("Concatenate", R"({"axis": 1})", "[[1, 4, 3], [1, 2, 3]]", "(1, 6, 3)", 0, 0);
        row("Dot", R"({"axes": [2, 1]})", "[[1, 4, 3], [1, 3, 5]]", "(1, 4, 5)", 0, 120);
        row("Dot", R"({"axes": 1})", "[[1, 4], [1, 4]]", "(1, 1)", 0, 8);
        row("Attention", "{}", "[[1, 4, 8], [1, 6, 8]]", "(1, 4, 8)", 0, 768);
        row("AdditiveAttention", "{}", "[[1, 4, 8], [1, 6, 8]]", "(1, 4, 8)", 8, 960);
        row("MultiHeadAttention", R"({"num_heads": 2, "key_dim": 3})", "[[1, 4, 6]]", "(1, 4, 6)", 168, 1536);
        row("PReLU", R"({"shared_axes": [1, 2]})", "[[1, 7, 7, 4]]", "(1, 7, 7, 4)", 4, 196);
        row("Softmax", "{}", "[[1, 10]]", "(1, 10)", 0, 30);
        row("Dropout", R"({"rate": 0.5})", "[[1, 10]]", "(1, 10)", 0, 0);
        row("Normalization", "{}", "[[1, 10, 3]]", "(1, 10, 3)", 7, 60);
        row("Resizing", R"({"height": 8, "width": 9})", "[[1, 20, 20, 3]]", "(1, 8, 9, 3)", 0, 0);
        row("Rescaling", R"({"scale": 0.5})", "[[1, 2, 2, 3]]", "(1, 2, 2, 3)", 0, 24);
        row("TFOpLambda", R"({"function": "math.reduce_mean"})", "[[1, 7, 7, 4]]", "()", 0, 196);
        row("RecomputationCheckpoint", "{}", "[[1, 4], [1, 5]]", "(1, 4) (1, 5)", 0, 0);
        row("ReversibleEmbedding", R"({"input_dim": 100, "output_dim": 8})", "[[2, 5]]", "(2, 5, 8)", 800, 0);
        row("PositionEmbedding", R"({"sequence_length": 16})", "[[2, 5, 8]]", "(2, 5, 8)", 128, 0);
    }
    void layersGiveShapesWeightsAndArithmetic() {
        QFETCH(QString, className);
        QFETCH(QString, config);
        QFETCH(QString, inputs);
        QFETCH(qint64, parameters);
        QFETCH(qint64, flops);
        const auto facts = describe(className, config, inputs);
        QVERIFY2(facts.has_value(), facts ? "" : facts.error().message.c_str());
        QTEST(shapesText(facts->outputs), "outputs");
        QCOMPARE(parametersOf(*facts), parameters);
        QCOMPARE(static_cast<qint64>(facts->flops.value()), flops);
    }

    void freeExtentsStayFree() {
        const auto facts =
            describe("Conv2D", R"({"filters": 8, "kernel_size": 3})", "[[null, null, null, 3]]");
        QCOMPARE(shapesText(facts->outputs), QString("(None, None, None, 8)"));
        QVERIFY(!facts->flops.isKnown());
        QCOMPARE(parametersOf(*facts), qint64{224});
    }

    void callArgumentsCount() {
        const auto scores =
            describe("MultiHeadAttention", R"({"num_heads": 2, "key_dim": 3})", "[[1, 4, 6], [1, 5, 8]]",
                     R"({"value": {"$input": 1}, "return_attention_scores": true})");
        QCOMPARE(shapesText(scores->outputs), QString("(1, 4, 6) (1, 2, 4, 5)"));
        const auto reversed = describe("ReversibleEmbedding", R"({"input_dim": 100, "output_dim": 8})",
                                       "[[2, 5, 8]]", R"({"reverse": true})");
        QCOMPARE(shapesText(reversed->outputs), QString("(2, 5, 100)"));
        const auto sliced = describe(
            "SlicingOpLambda", R"({"function": "__operators__.getitem"})", "[[1, 10, 4]]",
            R"({"slice_spec": [{"start": null, "stop": null, "step": null}, {"start": -3, "stop": null, "step": 2}, 0]})");
        QCOMPARE(shapesText(sliced->outputs), QString("(1, 2)"));
        const auto halves = describe("TFOpLambda", R"({"function": "nn.crelu"})", "[[2, 5, 4]]");
        QCOMPARE(shapesText(halves->outputs), QString("(2, 5, 8)"));
        const auto mean = describe("TFOpLambda", R"({"function": "math.reduce_mean"})", "[[1, 7, 7, 4]]",
                                   R"({"axis": [1, 2], "keepdims": true})");
        QCOMPARE(shapesText(mean->outputs), QString("(1, 1, 1, 4)"));
    }

    void refusesWithTheRule_data() {
        QTest::addColumn<QString>("className");
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("inputs");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* className, const char* config, const char* inputs,
                            const char* message) {
            QTest::addRow("%s %s %s", className, config, inputs)
                << QString(className) << QString(config) << QString(inputs) << QString(message);
        };
        row("Dense", R"({"units": 0})", "[[1, 4]]", "\"units\" is 0");
        row("Dense", R"({"units": -3})", "[[1, 4]]", "\"units\" is -3");
        row("Dense", R"({"units": 1000000000000})", "[[1, 4]]", "\"units\" is 1000000000000");
        row("Dense", R"({"units": 1e300})", "[[1, 4]]", "\"units\" is 1e+300");
        row("Dense", R"({"units": 2.5})", "[[1, 4]]", "must be a whole number");
        row("Dense", R"({"units": "many"})", "[[1, 4]]", "must be a whole number");
        row("Dense", R"({"units": null})", "[[1, 4]]", "must be a whole number");
        row("Dense", "{}", "[[1, 4]]", "\"units\" is missing");
        row("Dense", R"({"units": 2147483647})", "[[1, 2147483647]]", "too large");
        row("Dense", R"({"units": 4})", "[[1]]", "at least 2 axes");
        row("Dense", R"({"units": 4})", "[[1, null]]", "needs to know axis 1");
        row("Dense", R"({"units": 4})", "[[1, 3], [1, 3]]", "at most 1 input");
        row("Dense", R"({"units": 4})", "[]", "at least 1 input");
        row("Conv2D", R"({"filters": 1, "kernel_size": 0})", "[[1, 9, 9, 1]]", "\"kernel_size\" is 0");
        row("Conv2D", R"({"filters": 1, "kernel_size": 3, "strides": [1, -1]})", "[[1, 9, 9, 1]]",
            "\"strides\" is -1");
        row("Conv2D", R"({"filters": 1, "kernel_size": 3, "strides": 2, "dilation_rate": 2})",
            "[[1, 9, 9, 1]]", "exclude each other");
        row("Conv2D", R"({"filters": 1, "kernel_size": [3, 3, 3]})", "[[1, 9, 9, 1]]", "2 of them");
        row("Conv2D", R"({"filters": 1, "kernel_size": 3, "padding": "causal"})", "[[1, 9, 9, 1]]",
            "\"padding\" cannot be \"causal\"");
        row("Conv2D", R"({"filters": 1, "kernel_size": 12})", "[[1, 9, 9, 1]]", "does not fit");
        row("Conv2D", R"({"filters": 3, "kernel_size": 1, "groups": 2})", "[[1, 9, 9, 4]]", "groups");
        row("Conv2D", R"({"filters": 4, "kernel_size": 1, "groups": 2})", "[[1, 9, 9, 3]]", "groups");
        row("Conv2D", R"({"filters": 1, "kernel_size": 3})", "[[1, 9, 9]]", "4 axes");
        row("Conv2DTranspose", R"({"filters": 1, "kernel_size": 3, "strides": 2, "output_padding": 2})",
            "[[1, 9, 9, 1]]", "below the stride");
        row("Reshape", R"({"target_shape": [-1, -1]})", "[[1, 4]]", "more than one");
        row("Reshape", R"({"target_shape": [3]})", "[[1, 4]]", "cannot arrange");
        row("Reshape", R"({"target_shape": [2147483647, 2147483647, 2147483647]})", "[[1, 4]]", "too large");
        row("Permute", R"({"dims": [1, 1]})", "[[1, 4, 5]]", "no permutation");
        row("Cropping2D", R"({"cropping": 5})", "[[1, 9, 9, 1]]", "would leave");
        row("UpSampling2D", R"({"size": 2147483647})", "[[1, 9, 9, 1]]", "too large");
        row("Add", "{}", "[[1, 4], [1, 5]]", "do not agree");
        row("Concatenate", "{}", "[[1, 4, 2], [1, 5, 2]]", "cannot join");
        row("Concatenate", R"({"axis": 7})", "[[1, 4], [1, 4]]", "does not exist");
        row("Dropout", R"({"rate": 1.5})", "[[1, 4]]", "\"rate\" is 1.5");
        row("LSTM", R"({"units": 4})", "[[1, 4]]", "3 axes");
        row("Bidirectional", R"({"layer": 5})", "[[1, 4, 3]]", "must be a layer");
        row("Bidirectional", R"({"layer": {"class_name": "LSTM", "config": {"units": -1}}})", "[[1, 4, 3]]",
            "\"units\" is -1");
        row("GroupNormalization", R"({"groups": 4})", "[[1, 3, 3, 6]]", "do not divide");
        row("MultiHeadAttention", R"({"num_heads": 0, "key_dim": 3})", "[[1, 4, 6]]", "\"num_heads\" is 0");
        row("Embedding", R"({"input_dim": 2147483647, "output_dim": 2147483647})", "[[1, 4]]", "too large");
    }
    void refusesWithTheRule() {
        QFETCH(QString, className);
        QFETCH(QString, config);
        QFETCH(QString, inputs);
        QFETCH(QString, message);
        const auto facts = describe(className, config, inputs);
        QVERIFY(!facts.has_value());
        QVERIFY2(QString::fromStdString(facts.error().message).contains(message),
                 facts.error().message.c_str());
    }

    void functionsRefuseWhatTheyCannotCompute_data() {
        QTest::addColumn<QString>("function");
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("inputs");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* function, const char* arguments, const char* inputs,
                            const char* message) {
            QTest::addRow("%s %s %s", function, arguments, inputs)
                << QString(function) << QString(arguments) << QString(inputs) << QString(message);
        };
        row("stack", R"({"axis": 1})", "[[2, 3], [2, 4]]", "cannot stack (2, 3) and (2, 4)");
        row("concat", R"({"axis": 1})", "[[2, 3, 5], [2, 3, 6]]", "cannot join (2, 3, 5) and (2, 3, 6)");
        row("gather", R"({"axis": 0.5})", "[[8, 4], [2, 3]]", "axis that is no whole number");
        row("gather", R"({"batch_dims": "one"})", "[[8, 4], [8, 3]]", "batch_dims that is no whole number");
        row("gather", R"({"serialization_factor": 3})", "[[8, 4], [2, 3]]", "3 times, which does not divide");
    }
    void functionsRefuseWhatTheyCannotCompute() {
        QFETCH(QString, function);
        QFETCH(QString, arguments);
        QFETCH(QString, inputs);
        QFETCH(QString, message);
        const auto facts =
            describe("TFOpLambda", QString(R"({"function": "%1"})").arg(function), inputs, arguments);
        QVERIFY(!facts.has_value());
        QVERIFY2(QString::fromStdString(facts.error().message).contains(message),
                 facts.error().message.c_str());
    }

    void olderClassNamesAreFound() {
        for (const auto& [alias, name] : std::vector<std::pair<std::string, std::string>>{
                 {"Convolution2D", "Conv2D"},
                 {"MaxPool2D", "MaxPooling2D"},
                 {"GlobalAvgPool2D", "GlobalAveragePooling2D"},
                 {"CuDNNLSTM", "LSTM"},
                 {"BatchNormalizationV1", "BatchNormalization"},
                 {"Addons>InstanceNormalization", "InstanceNormalization"}}) {
            const core::LayerDefinition* definition = core::findLayerDefinition(alias);
            QVERIFY2(definition != nullptr, alias.c_str());
            QCOMPARE(definition->className, name);
        }
        QVERIFY(core::isModelClass("Model") && core::isModelClass("Functional") &&
                !core::isModelClass("Dense"));
    }

    void anUnknownClassThatExtendsAKnownOneHasItsShapes() {
        const auto facts = describe("BinaryDense", R"({"units": 3, "H": 1})", "[[1, 4]]");
        QCOMPARE(shapesText(facts->outputs), QString("(1, 3)"));
        QCOMPARE(parametersOf(*facts), qint64{15});
        QCOMPARE(core::findBaseDefinition("FixedDropout", {{"rate", 0.2}})->className,
                 std::string("Dropout"));
        QVERIFY(core::findBaseDefinition("FixedDropout", Json::object()) == nullptr);
        QVERIFY(core::findBaseDefinition("MyActivation", Json::object()) == nullptr);
    }

    void anUnknownClassPassesItsInputOn() {
        const auto facts = describe("Mystery", R"({"anything": [1]})", "[[1, 4, 7]]");
        QCOMPARE(shapesText(facts->outputs), QString("(1, 4, 7)"));
        QCOMPARE(parametersOf(*facts), qint64{0});
    }

    void groupNormalizationOfStandardKerasTakesNeighbours() {
        const core::LayerDefinition& definition = *core::findLayerDefinition("GroupNormalization");
        const Json ipu{{"groups", 4}, {"channels_axis", -1}};
        const Json standard{{"groups", 4}, {"axis", -1}};
        QVERIFY(core::LayerAttributes(definition, ipu).boolean("strided_channel_grouping"));
        QVERIFY(!core::LayerAttributes(definition, standard).boolean("strided_channel_grouping"));
        QCOMPARE(core::LayerAttributes(definition, standard).axes("channels_axis"),
                 std::vector<std::int64_t>{-1});
    }

    void newNamesAreKeras() {
        for (const auto& [className, name] :
             std::vector<std::pair<std::string, std::string>>{{"Dense", "dense"},
                                                              {"Conv1DTranspose", "conv1d_transpose"},
                                                              {"MaxPooling2D", "max_pooling2d"},
                                                              {"ReLU", "re_lu"},
                                                              {"PReLU", "p_re_lu"},
                                                              {"LeakyReLU", "leaky_re_lu"},
                                                              {"LSTMCell", "lstm_cell"},
                                                              {"SimpleRNN", "simple_rnn"},
                                                              {"TFOpLambda", "tf_op_lambda"},
                                                              {"ConvLSTM2D", "conv_lst_m2d"},
                                                              {"StackedRNNCells", "stacked_rnn_cells"},
                                                              {"RMSNormalization", "rms_normalization"}})
            QCOMPARE(core::snakeCase(className), name);
    }

    void shapesAndWeightsAgreeWithTheOracles() {
        REQUIRE_SHARED_DATA();
        std::size_t cases = 0;
        for (const auto& file :
             std::filesystem::directory_iterator(tests::sharedData() / "oracles" / "layer")) {
            const Json oracle = core::parseJson(*core::readFile(file.path()), "oracle").value();
            Json shapes = Json::array();
            for (const Json& input : oracle["inputs"])
                shapes.push_back(input["shape"]);
            const Json& layer = oracle["layer"];
            const std::vector<core::TensorSpec> inputs = specsOf(shapes);
            const auto facts = core::describeCall(layer["class_name"].get<std::string>(), layer["config"],
                                                  inputs, Json::object(), {});
            QVERIFY2(facts.has_value(), file.path().c_str());
            QCOMPARE(core::toJson(facts->outputs[0].shape).dump(),
                     oracle["expected"]["outputs"][0]["shape"].dump());
            QCOMPARE(facts->weights.size(), oracle["weights"].size());
            for (std::size_t i = 0; i < facts->weights.size(); ++i) {
                QCOMPARE(facts->weights[i].name, oracle["weights"][i]["name"].get<std::string>());
                QCOMPARE(core::toJson(facts->weights[i].shape).dump(), oracle["weights"][i]["shape"].dump());
                QCOMPARE(facts->weights[i].trainable, oracle["weights"][i].value("trainable", true));
            }
            ++cases;
        }
        QVERIFY(cases > 50);
    }
};

REGISTER_TEST("layer_catalogue", LayerCatalogueTest)
#include "layer_catalogue_test.moc"
