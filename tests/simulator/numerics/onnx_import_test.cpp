#include "core/base/file.h"
#include "core/interchange/onnx/onnx_file.h"
#include "core/interchange/onnx/onnx_importer.h"
#include "core/model/graph/infer_shapes.h"
#include "simulator/compiler/lowering/lower_model.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/tools/oracle/graph_run.h"

#include <QtTest/QTest>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace {

using core::OnnxTensor;
using core::TensorId;
using simulator::Extents;

struct OnnxCase {
    core::OnnxModel model;
    std::vector<OnnxTensor> inputs;
    std::vector<OnnxTensor> outputs;
};

std::vector<OnnxTensor> tensorsIn(const std::filesystem::path& folder, const char* kind) {
    std::vector<OnnxTensor> tensors;
    for (int i = 0;; ++i) {
        const auto path = folder / "test_data_set_0" / fmt::format("{}_{}.pb", kind, i);
        if (!std::filesystem::exists(path))
            return tensors;
        tensors.push_back(core::readOnnxTensor(core::readFile(path).value(), path.string()).value());
    }
}

OnnxCase readCase(const std::filesystem::path& folder) {
    const std::string file = (folder / "model.onnx").string();
    return {core::readOnnxModel(core::readFile(folder / "model.onnx").value(), file).value(),
            tensorsIn(folder, "input"), tensorsIn(folder, "output")};
}

oracles::Values valuesOf(const OnnxTensor& tensor, core::DataType type) {
    const std::vector<double> numbers = numbersOf(tensor);
    oracles::Values values;
    values.form = {tensor.extents, type};
    values.data.assign(numbers.begin(), numbers.end());
    return values;
}

/// The values of a layer's weights from the file; refuses one that it has none of.
std::vector<simulator::LoweredWeight> feedWeights(oracles::GraphRun& run, const core::TypedLayer& layer,
                                                  const std::vector<core::StoredWeight>& stored,
                                                  std::string& trouble) {
    std::vector<simulator::LoweredWeight> weights;
    for (const core::WeightSpec& spec : layer.weights) {
        const std::string name = layer.path + "/" + spec.name;
        const auto found = std::ranges::find(stored, name, &core::StoredWeight::name);
        oracles::Values values;
        for (const core::Dimension& extent : spec.shape.dimensions)
            values.form.extents.push_back(extent.value_or(0));
        values.form.type = spec.type;
        if (found == stored.end() || found->extents != values.form.extents)
            trouble = name + " has no value of its shape";
        else
            values.data = found->values;
        values.data.resize(static_cast<std::size_t>(simulator::elementCount(values.form.extents)));
        weights.push_back({spec.name, run.feed(name, values, simulator::TensorRole::Parameter)});
    }
    return weights;
}

/// Imports the case's model and computes it from the imported weights. Empty: the outputs are the case's;
/// "opaque": a node has no layer.
std::string importedTrouble(const OnnxCase& one) {
    core::Diagnostics warnings;
    const auto graph = core::modelFromOnnx(one.model, "model.onnx", warnings);
    if (!graph)
        return core::toText(graph.error().front());
    if (!warnings.empty())
        return "opaque";
    core::InferenceOptions options;
    options.batchSize = one.inputs.front().extents.empty() ? 1 : one.inputs.front().extents.front();
    const auto model = core::inferShapes(*graph, options);
    if (!model)
        return core::toText(model.error().front());
    const std::vector<core::StoredWeight> stored = core::weightsFromOnnx(one.model);
    oracles::GraphRun run;
    std::string trouble;
    simulator::LoweringContext context{run.build(), false, false, {}, {}, {}, {}, 0};
    simulator::ModelLowering lowering{
        *model,
        {},
        [&](const core::TypedLayer& layer) { return feedWeights(run, layer, stored, trouble); },
        [](const std::string&) { return std::nullopt; },
        std::nullopt};
    if (model->inputs.size() != 1)
        return "opaque";
    const auto type = model->spec(model->inputs[0]).type;
    lowering.values[model->inputs[0]] = run.feed("input", valuesOf(one.inputs[0], type));
    if (const auto lowered = simulator::lowerModel(context, lowering); !lowered)
        return core::toText(lowered.error().front());
    if (!trouble.empty())
        return trouble;
    std::vector<TensorId> results;
    for (const core::TensorRef& output : model->outputs)
        results.push_back(lowering.values.at(output));
    if (const auto done = run.run(results); !done)
        return core::toText(done.error().front());
    oracles::Verdict verdict;
    for (std::size_t i = 0; i < results.size() && i < one.outputs.size(); ++i) {
        if (run.build().extents(results[i]) != one.outputs[i].extents)
            return fmt::format("output {} has other extents", i);
        verdict.compare(fmt::format("output {}", i), run.read(results[i]),
                        valuesOf(one.outputs[i], core::DataType::Float32).data, {1e-3, 1e-5});
    }
    return verdict.message;
}

/// All inputs but the first become initializers, as exporters write weights.
void bindWeights(OnnxCase& one) {
    for (std::size_t i = 1; i < one.inputs.size() && i < one.model.graph.inputs.size(); ++i) {
        OnnxTensor tensor = one.inputs[i];
        tensor.name = one.model.graph.inputs[i].name;
        one.model.graph.initializers.push_back(std::move(tensor));
    }
    one.inputs.resize(1);
}

} // namespace

/// Models imported from ONNX compute what their file computes.
class OnnxImportTest : public QObject {
    Q_OBJECT

private slots:
    void wholeModelsComputeFromTheirImportedWeights_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"mlp_784_256_128_64_32_10", "resnet18_narrow", "transformer_encoder_tiny", "lstm_classifier"})
            QTest::newRow(name) << name;
    }
    void wholeModelsComputeFromTheirImportedWeights() {
        REQUIRE_SHARED_DATA();
        QFETCH(QString, name);
        const OnnxCase one = readCase(tests::sharedData() / "onnx/whole" / name.toStdString());
        const std::string trouble = importedTrouble(one);
        QVERIFY2(trouble.empty(), trouble.c_str());
    }

    void everyNodeThatBecomesALayerComputesTheSame() {
        REQUIRE_SHARED_DATA();
        const char* elsewhere = std::getenv("ONNX_NODE_CASES");
        const std::filesystem::path folder =
            elsewhere != nullptr ? std::filesystem::path(elsewhere) : tests::sharedData() / "onnx/node";
        std::size_t same = 0;
        QStringList different;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            OnnxCase one = readCase(entry.path());
            // A dropout that is on draws from a generator of its own.
            if (one.inputs.empty() ||
                entry.path().filename().string().find("training_dropout") != std::string::npos)
                continue;
            bindWeights(one);
            const std::string trouble = importedTrouble(one);
            same += trouble.empty() ? 1 : 0;
            if (!trouble.empty() && trouble != "opaque")
                different << QString::fromStdString(entry.path().filename().string() + ": " + trouble);
        }
        QVERIFY2(different.isEmpty(), qPrintable(different.join("\n")));
        QVERIFY2(same > 60, qPrintable(QString::number(same)));
    }
};

REGISTER_TEST("onnx_import", OnnxImportTest)
#include "onnx_import_test.moc"
