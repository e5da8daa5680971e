#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/graph/model_builder.h"
#include "tests/simulator/training_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <map>

namespace {

using core::Json;
using core::TensorRef;

using Shapes = std::vector<std::vector<core::Dimension>>;

/// What a layer is called with where the usual shapes and its defaults do not fit.
struct Setting {
    Json config = Json::object();
    Shapes inputs;
    Json arguments = Json::object();
    core::DataType type = core::DataType::Float32;
};

const std::map<std::string, Setting, std::less<>>& settings() {
    const Shapes image{{8, 8, 3}};
    static const std::map<std::string, Setting, std::less<>> table{
        {"TFOpLambda", {{{"function", "nn.relu"}}, {{8}}}},
        {"Operation", {{{"function", "Relu"}}, {{8}}}},
        {"EinsumDense", {{{"equation", "ab,bc->ac"}, {"output_shape", 6}}, {{8}}}},
        {"Discretization", {{{"bin_boundaries", {-1.0, 0.5}}}, {{8}}}},
        {"RandomCrop", {{{"height", 4}, {"width", 5}}, image}},
        {"RandomHeight", {Json::object(), image}},
        {"RandomWidth", {Json::object(), image}},
        {"RandomSaturation", {Json::object(), image}},
        {"RandomColorDegeneration", {Json::object(), image}},
        {"RandomGrayscale", {Json::object(), image}},
        {"RandomInvert", {Json::object(), image}},
        {"RandomPosterization", {Json::object(), image}},
        {"Solarization", {Json::object(), image}},
        {"Equalization", {Json::object(), image}},
        {"Maxout", {{{"num_units", 2}}, {{8}}}},
        {"NormaliseImage", {Json::object(), image}},
        {"LayerScale", {{{"projection_dim", 8}}, {{8}}}},
        {"NceLoss", {Json::object(), {{8}, {1}}}},
        {"SampledSoftmaxLoss", {Json::object(), {{8}, {1}}}},
        {"SequenceSlice",
         {{{"dst_rows", 4}, {"num_elems", {1, 1}}, {"src_offsets", {1, 0}}, {"dst_offsets", {0, 3}}}, {{8}}}},
        {"SequenceSlicePack", {{{"dst_rows", 4}, {"num_elems", {1, 1}}, {"dst_offsets", {0, 3}}}, {{8}}}},
        {"SequenceSliceUnpack",
         {{{"total_elements", 2}, {"num_elems", {1, 1}}, {"src_offsets", {1, 0}}}, {{8}}}},
    };
    return table;
}

/// Why a layer of the catalogue is not trained: by what `train` says of it.
const std::map<std::string, const char*, std::less<>>& refused() {
    static const std::map<std::string, const char*, std::less<>> table{
        {"RandomHeight", "a run needs every extent"},
        {"RandomWidth", "a run needs every extent"},
        {"TextVectorization", "a run needs every extent"},
        {"UserOperation", "wants to load the library"},
        {"HostTransfer", "on the host and dense on the device"}, // which the test adds up
        {"RandomHue", "cannot be computed"},
        {"RandomSharpness", "cannot be computed"},
        {"RandomColorJitter", "cannot be computed"},
        {"RandomGaussianBlur", "cannot be computed"},
        {"RandomErasing", "cannot be computed"},
        {"RandomElasticTransform", "cannot be computed"},
        {"RandomPerspective", "cannot be computed"},
        {"RandAugment", "cannot be computed"},
        {"AugMix", "cannot be computed"},
        {"MixUp", "cannot be computed"},
        {"CutMix", "cannot be computed"},
        {"Hashing", "cannot be computed"},
        {"HashedCrossing", "cannot be computed"},
        {"StringLookup", "cannot be computed"},
        {"IntegerLookup", "cannot be computed"},
        {"TensorFlowOpLayer", "cannot be computed"},
        {"Lambda", "cannot be computed"},
        {"TFSMLayer", "cannot be computed"},
        {"TorchModuleWrapper", "cannot be computed"},
        {"JaxLayer", "cannot be computed"},
        {"FlaxLayer", "cannot be computed"},
        {"DenseFeatures", "cannot be computed"},
        {"SequenceFeatures", "cannot be computed"},
    };
    return table;
}

/// Shapes of inputs, the batch axis left out, that one layer or another takes.
std::vector<Shapes> usualShapes(std::size_t inputs) {
    const Shapes single{{8}, {6, 4}, {8, 8, 4}, {4, 4, 4, 4}, {3, 8, 8, 4}, {2, 4, 4, 4, 2}, {1}};
    std::vector<Shapes> all;
    for (const auto& shape : single)
        all.emplace_back(inputs, shape);
    return all;
}

core::Result<core::ModelGraph> modelAround(const core::LayerDefinition& definition, const Setting& setting,
                                           const Shapes& shapes) {
    core::ModelBuilder builder("one_layer");
    std::vector<TensorRef> inputs;
    const core::DataType type = definition.takesIndices ? core::DataType::Int32 : setting.type;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        inputs.push_back(builder.input(fmt::format("input_{}", i), shapes[i], type));
    Json config = core::newLayerConfig(definition, "probed");
    config.update(setting.config);
    const TensorRef output = builder.call(definition.className, "probed", config, inputs, setting.arguments);
    // The prediction is a dense layer's, moved by the mean of what the layer gives.
    const Json toFloat{{"function", "cast"}};
    const TensorRef real = builder.call("TFOpLambda", "as_float", toFloat, {output}, {{"dtype", "float32"}});
    const TensorRef mean = builder.call("TFOpLambda", "mean", {{"function", "math.reduce_mean"}}, {real});
    TensorRef features = inputs.front();
    if (type != core::DataType::Float32)
        features = builder.call("TFOpLambda", "input_as_float", toFloat, {features}, {{"dtype", "float32"}});
    if (shapes.front().size() > 1)
        features = builder.call("Flatten", "flat", Json::object(), {features});
    const TensorRef dense = builder.call("Dense", "dense", {{"units", 3}}, {features});
    const TensorRef sum = builder.call("TFOpLambda", "sum", {{"function", "__operators__.add"}},
                                       {dense, mean}, {{"y", {{"$input", 1}}}});
    return std::move(builder).build({sum});
}

core::Project projectOf(core::ModelGraph model) {
    core::Project project;
    project.name = "one layer";
    project.model = std::move(model);
    project.training.batchSize = 2;
    project.training.stepsPerExecution = 1;
    project.training.stepsPerEpoch = 1;
    project.training.optimizer = core::KerasObject{"SGD", {{"learning_rate", 0.01}}};
    project.training.losses = {core::KerasObject{"MeanSquaredError", Json::object()}};
    project.training.dataset = core::DatasetSpec{"synthetic", {{"samples", 4}, {"seed", 3}}};
    project.replicas = 1;
    project.system.ipus = 1;
    return project;
}

/// Empty where the layer is compiled and trained for one step, else why not.
std::string trouble(const core::LayerDefinition& definition) {
    const auto own = settings().find(definition.className);
    const Setting setting = own == settings().end() ? Setting() : own->second;
    const std::vector<Shapes> candidates =
        setting.inputs.empty() ? usualShapes(std::max<std::size_t>(1, definition.minimumInputs))
                               : std::vector<Shapes>{setting.inputs};
    std::string why = "takes none of the shapes";
    for (const Shapes& shapes : candidates) {
        const auto model = modelAround(definition, setting, shapes);
        if (!model)
            return core::toText(model.error().front());
        core::InferenceOptions options;
        options.batchSize = 2;
        options.requiresKnownShapes = true;
        if (const auto typed = core::inferShapes(*model, options); !typed) {
            why = core::toText(typed.error().front());
            continue;
        }
        const auto trained = tests::train(projectOf(*model));
        return trained ? std::string() : core::toText(trained.error().front());
    }
    return why;
}

} // namespace

/// Every layer of the catalogue: compiled, priced and trained for one step, or refused for a known reason.
class CatalogueLayersTest : public QObject {
    Q_OBJECT

private slots:
    void everyLayerIsTrainedOrRefusedForAReason_data() {
        QTest::addColumn<QString>("className");
        for (const core::LayerDefinition& definition : core::layerCatalogue()) {
            const QString name = QString::fromStdString(definition.className);
            if (definition.className != "InputLayer")
                QTest::newRow(qPrintable(name)) << name;
        }
    }
    void everyLayerIsTrainedOrRefusedForAReason() {
        QFETCH(QString, className);
        const core::LayerDefinition* definition = core::findLayerDefinition(className.toStdString());
        QVERIFY(definition != nullptr);
        const std::string why = trouble(*definition);
        const auto known = refused().find(definition->className);
        const bool isExpected =
            known == refused().end() ? why.empty() : why.find(known->second) != std::string::npos;
        QVERIFY2(isExpected, why.empty() ? "it is trained" : why.c_str());
    }
};

REGISTER_TEST("catalogue_layers", CatalogueLayersTest)
#include "catalogue_layers_test.moc"
