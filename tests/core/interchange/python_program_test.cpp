#include "core/config/ipu_config/ipu_config_values.h"
#include "core/interchange/python/python_program.h"

#include "core/base/file.h"
#include "core/interchange/importer_catalogue.h"
#include "core/model/graph/infer_shapes.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

namespace {

using core::Json;
using core::PythonApi;

std::string firstMessage(const core::Diagnostics& diagnostics) {
    return diagnostics.empty() ? "" : core::toText(diagnostics.front());
}

/// Keys in any order.
nlohmann::json unordered(const core::Project& project) {
    return nlohmann::json::parse(core::toJson(project).dump());
}

core::Project readProgram(const std::string& text) {
    const auto file = core::readPythonProgram(text, "program.py");
    if (!file)
        qWarning("%s", firstMessage(file.error()).c_str());
    return file ? file->project : core::Project();
}

std::vector<std::filesystem::path> filesBelow(const std::filesystem::path& folder, const char* extension) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
        if (entry.path().extension() == extension && entry.path().filename() != "expected.json")
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

void listFiles(const std::filesystem::path& folder, const char* extension) {
    QTest::addColumn<QString>("path");
    for (const auto& path : filesBelow(folder, extension))
        QTest::newRow(path.stem().c_str()) << QString::fromStdString(path.string());
}

const char* const pipelined = R"(
import tensorflow as tf
from tensorflow.keras import Model
from tensorflow.keras.layers import Dense, Flatten, Input
from tensorflow.python import ipu

BATCH_SIZE = 2 ** 5
STEPS = 60

def make_ipu_config(num_ipus: int, selection_order=None):
    configuration = ipu.config.IPUConfig()
    configuration.auto_select_ipus = num_ipus
    if selection_order:
        configuration.selection_order = selection_order
    configuration.matmuls.clear_pass_type = True
    configuration.configure_ipu_system()
    return configuration

def create_dataset(batch_size: int, repeat=True):
    (x_train, y_train), _ = tf.keras.datasets.mnist.load_data()
    x_train = x_train / 255.0
    train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train))
    train_ds = train_ds.shuffle(10000).batch(batch_size, drop_remainder=True)
    train_ds = train_ds.map(lambda d, l: (tf.cast(d, tf.float32), tf.cast(l, tf.float32)))
    if repeat:
        return train_ds.repeat()
    else:
        return train_ds

def create_model():
    input_layer = Input(shape=(28, 28, 1), dtype=tf.float32, batch_size=BATCH_SIZE)
    with ipu.keras.PipelineStage(0):
        x = Flatten(name='flatten')(input_layer)
        x = Dense(256, activation='relu', name="dense256")(x)
    with ipu.keras.PipelineStage(1):
        x = Dense(10, name="logits")(x)
    return Model(inputs=input_layer, outputs=x, name="two_stages")

def train(strategy, model_factory, train_ds, steps_per_replica: int = 4):
    with strategy.scope():
        model = model_factory()
        model.compile(
            loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            optimizer=tf.keras.optimizers.SGD(learning_rate=0.01, momentum=0.9),
            steps_per_execution=STEPS)
        if steps_per_replica:
            model.set_pipelining_options(
                gradient_accumulation_steps_per_replica=steps_per_replica,
                pipeline_schedule=ipu.ops.pipelining_ops.PipelineSchedule.Interleaved)
        model.fit(train_ds, steps_per_epoch=STEPS, epochs=4)

make_ipu_config(num_ipus=2)
train(strategy=ipu.ipu_strategy.IPUStrategy(), model_factory=create_model, train_ds=create_dataset(BATCH_SIZE))
)";

std::string replaced(std::string text, const std::string& part, const std::string& by) {
    return text.replace(text.find(part), part.size(), by);
}

/// The program with a model of such samples.
std::string ofSamples(const std::string& extents) {
    return replaced(pipelined, "shape=(28, 28, 1)", "shape=" + extents);
}

std::string ofTwoInputs(const std::string& outputs) {
    const std::string input = "Input(shape=(28, 28, 1), dtype=tf.float32, batch_size=BATCH_SIZE)";
    const std::string two =
        replaced(replaced(pipelined, input, "[" + input + ", " + input + "]"), "(input_layer)",
                 "(tf.keras.layers.Concatenate(name='both')(input_layer))");
    return replaced(two, "Dense(10, name=\"logits\")(x)", outputs);
}

/// Functions for the stages of a pipeline, in the manner of TensorFlow 1.
const char* const stageFunctions = R"(
from tensorflow import keras
import tensorflow.compat.v1 as tf
from tensorflow.python import ipu

(x, y), _ = keras.datasets.mnist.load_data()
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True).repeat()
infeed_queue = ipu_infeed_queue.IPUInfeedQueue(dataset, feed_name="in", prefetch_depth=4)
outfeed_queue = ipu_outfeed_queue.IPUOutfeedQueue("out", outfeed_mode=ipu.ipu_outfeed_queue.IPUOutfeedMode.ALL)

def stage1(lr, images, labels):
    flat = keras.layers.Flatten()(images)
    partial = keras.layers.Dense(32, activation=tf.nn.relu)(flat)
    return lr, partial, labels

def stage2(lr, partial, labels):
    logits = keras.layers.Dense(10)(partial)
    errors = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.cast(labels, tf.int32), logits=logits)
    loss = tf.reduce_mean(errors)
    return lr, loss

def optimizer_function(lr, loss):
    optimizer = tf.train.MomentumOptimizer(lr, 0.9)
    return pipelining_ops.OptimizerFunctionOutput(optimizer, loss)
)";

const char* const trainedPipeline = R"(
def model(lr):
    with variable_scope.variable_scope("vs", use_resource=True):
        return pipelining_ops.pipeline(
            [stage1, stage2], 12, repeat_count=10, inputs=[lr],
            infeed_queue=infeed_queue, outfeed_queue=outfeed_queue, optimizer_function=optimizer_function,
            pipeline_schedule=pipelining_ops.PipelineSchedule.Interleaved, offload_activations=False,
            name="Pipeline")

with ops.device("cpu"):
    lr = tf.placeholder(np.float16, [])
with ops.device("/device:IPU:0"):
    compiled_model = ipu_compiler.compile(model, inputs=[lr])
outfeed_op = outfeed_queue.dequeue()
with tf.Session() as sess:
    sess.run(infeed_queue.initializer)
    result = sess.run(compiled_model, {lr: 0.05})
)";

} // namespace

/// Programs of the Python API, both ways.
class PythonProgramTest : public QObject {
    Q_OBJECT

private slots:
    void readsAProgramAsPeopleWriteIt() {
        const core::Project project = readProgram(pipelined);
        QCOMPARE(project.name, std::string("two_stages"));
        QCOMPARE(project.model.layers.size(), std::size_t{4});
        QCOMPARE(project.assignment.stages.size(), std::size_t{3});
        QCOMPARE(project.assignment.stages[2], core::StageId(1));
        QVERIFY(project.pipeline.schedule == "Interleaved");
        QCOMPARE(*project.pipeline.gradientAccumulationSteps, 4);
        QCOMPARE(project.training.batchSize, 32);
        QCOMPARE(project.training.stepsPerExecution, 60);
        QCOMPARE(project.training.epochs, 4);
        QCOMPARE(project.training.optimizer->className, std::string("SGD"));
        QCOMPARE(project.system.ipus, 2);
        QVERIFY(core::optionIsOn(project.ipuConfig, "matmuls.clear_pass_type"));
    }

    void readsSequentialModelsAndStagesByList() {
        const core::Project project = readProgram(R"(
  model = tf.keras.Sequential([
      tf.keras.layers.Dense(8),  # Pipeline stage 0.
      tf.keras.layers.Dense(16),
  ])
  model.add(tf.keras.layers.Dense(1, input_shape=(16,)))
  model.set_pipeline_stage_assignment([0, 0, 1])
)");
        QVERIFY(project.model.kind == core::ModelKind::Sequential);
        QCOMPARE(project.assignment.stageCount(), std::size_t{2});
        QCOMPARE(project.model.layers[1].name, std::string("dense"));
        QCOMPARE(project.model.layers[2].name, std::string("dense_1"));
    }

    void readsWhatPeopleWriteAroundLayers() {
        const core::Project project = readProgram(R"(
from tensorflow.keras import layers, optimizers
import tensorflow as tf
inputs = tf.keras.Input(shape=(8,))
x = inputs
for units in [16, 16]:
    y = layers.Dense(units, activation=tf.nn.relu, kernel_regularizer=tf.keras.regularizers.l2(1e-4))(x)
    x = layers.concatenate([x, y], axis=-1) if units > 8 else y
x = 1.0 - x * 2
x = tf.reshape(x, [-1, 20, 2])
out, h, c = layers.LSTM(4, return_state=True)(x[:, :10])
model = tf.keras.Model(inputs, layers.Dense(3)(h))
schedule = optimizers.schedules.ExponentialDecay(0.1, 100, 0.9)
model.compile(optimizers.SGD(schedule, momentum=0.9), "mse", ["mae"])
)");
        std::vector<std::string> classes;
        for (const core::Layer& layer : project.model.layers)
            classes.push_back(layer.className);
        QCOMPARE(classes, (std::vector<std::string>{"InputLayer", "Dense", "Concatenate", "Dense",
                                                    "Concatenate", "TFOpLambda", "TFOpLambda", "TFOpLambda",
                                                    "LSTM", "SlicingOpLambda", "Dense"}));
        QCOMPARE(project.model.invocation(project.model.outputs[0].invocation).inputs[0].output, 1U);
        const Json& rate = project.training.optimizer->config["learning_rate"];
        QCOMPARE(rate["config"]["decay_steps"].get<int>(), 100);
    }

    void readsAnExistingModelSplitByName() {
        const core::Project project = readProgram(R"(
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
  from tensorflow.keras.applications.resnet50 import ResNet50
  model = ResNet50(weights='imagenet')
  assignments = model.get_pipeline_stage_assignment()
  stage_id = 0
  for assignment in assignments:
    assignment.pipeline_stage = stage_id
    if assignment.layer.name.startswith("conv4_block2_add"):
      stage_id = 1
  model.set_pipeline_stage_assignment(assignments)
  model.print_pipeline_stage_assignment_summary()
)");
        QCOMPARE(project.assignment.stageCount(), std::size_t{2});
        QVERIFY(project.model.findLayer("conv4_block2_add").has_value());
    }

    void readsTheOlderClassesAndFunctions() {
        const auto file = core::readPythonProgram(R"(
cfg = ipu.utils.create_ipu_config(disable_graph_outlining=True)
cfg = ipu.utils.set_matmul_options(cfg, clear_pass_type=True)
cfg = ipu.utils.auto_select_ipus(cfg, 2)
ipu.utils.configure_ipu_system(cfg)
strategy = ipu.ipu_strategy.IPUStrategy()
with strategy.scope():
  model = ipu.keras.PipelineSequential(
      [tf.keras.layers.Flatten(input_shape=(28, 28)),
       tf.keras.layers.Dense(256, activation='relu'),
       tf.keras.layers.Dense(128, activation='relu'),
       tf.keras.layers.Dense(10)],
      gradient_accumulation_count=16,
      device_mapping=[0, 0, 1, 1])
  model.compile(loss=tf.keras.losses.SparseCategoricalCrossentropy(),
                optimizer=tf.keras.optimizers.RMSprop())
  model.fit(dataset, epochs=2, steps_per_epoch=128)
)",
                                                  "old.py");
        QVERIFY2(file.has_value(), file ? "" : firstMessage(file.error()).c_str());
        const core::Project& project = file->project;
        QCOMPARE(project.assignment.stages,
                 (std::vector{core::StageId(0), core::StageId(0), core::StageId(1), core::StageId(1)}));
        QCOMPARE(*project.pipeline.gradientAccumulationSteps, 16);
        QCOMPARE(project.system.ipus, 2);
        QVERIFY(!core::optionIsOn(project.ipuConfig, "optimizations.enable_graph_outlining"));
        std::string warnings;
        for (const core::Diagnostic& warning : file->warnings)
            warnings += core::toText(warning);
        QVERIFY2(warnings.find("set_pipeline_stage_assignment()") != std::string::npos, warnings.c_str());
        QVERIFY2(warnings.find("set the option auto_select_ipus") != std::string::npos, warnings.c_str());
    }

    void readsPipelinesOfStageFunctions() {
        const core::Project project = readProgram(std::string(stageFunctions) + trainedPipeline);
        QCOMPARE(project.name, std::string("Pipeline"));
        // The labels are no input of the model, and the loss is no layer.
        QCOMPARE(project.model.layers.size(), std::size_t{4});
        QCOMPARE(project.model.inputs.size(), std::size_t{1});
        QCOMPARE(project.model.layers[0].name, std::string("images"));
        QVERIFY(project.assignment.stages ==
                (std::vector<core::StageId>{core::StageId(0), core::StageId(0), core::StageId(1)}));
        QCOMPARE(*project.pipeline.gradientAccumulationSteps, 12);
        QCOMPARE(project.training.stepsPerExecution, 120);
        QVERIFY(project.pipeline.schedule == "Interleaved");
        QVERIFY(unordered(project)["pipeline"]["offload_activations"] == false);
        QCOMPARE(project.training.batchSize, 8);
        const nlohmann::json training = unordered(project)["training"];
        QCOMPARE(training["optimizer"]["class_name"].get<std::string>(), std::string("SGD"));
        QCOMPARE(training["optimizer"]["config"]["learning_rate"].get<double>(), 0.05);
        QCOMPARE(training["optimizer"]["config"]["momentum"].get<double>(), 0.9);
        QCOMPARE(training["loss"]["class_name"].get<std::string>(),
                 std::string("SparseCategoricalCrossentropy"));
        QVERIFY(training["loss"]["config"]["from_logits"].get<bool>());
        QCOMPARE(training["infeed"]["prefetch_depth"].get<int>(), 4);
        const auto input = core::inferShapes(project.model, {});
        QVERIFY(input.has_value());
    }

    /// A pipeline without an optimizer predicts: what its last stage returns are the model's outputs.
    void readsInferencePipelines() {
        const core::Project project = readProgram(R"(
infeed_queue = ipu_infeed_queue.IPUInfeedQueue(dataset)
outfeed_queue = ipu_outfeed_queue.IPUOutfeedQueue()
def stage1(image):
    partial = keras.layers.Dense(256, activation=tf.nn.relu)(image)
    return partial
def stage2(partial):
    logits = keras.layers.Dense(10)(partial)
    probabilities = tf.nn.softmax(logits)
    classes = tf.argmax(input=logits, axis=1)
    return probabilities, classes
def model(image):
    return pipelining_ops.pipeline(computational_stages=[stage1, stage2], gradient_accumulation_count=250,
        inputs=[image], outfeed_queue=outfeed_queue, device_mapping=[3, 1], name="Pipeline")
compiled_model = ipu_compiler.compile(model, inputs=[tf.placeholder(np.float32, [16, 784])])
)");
        QCOMPARE(project.model.outputs.size(), std::size_t{2});
        QCOMPARE(project.model.layers.size(), std::size_t{5});
        QCOMPARE(unordered(project)["pipeline"]["device_mapping"].dump(), std::string("[3,1]"));
        QVERIFY(project.training.losses.empty());
        QVERIFY(core::inferShapes(project.model, {}).has_value());
    }

    void readsPipelinesWithinAStrategy() {
        std::string stages = stageFunctions;
        for (const auto& [from, to] : std::map<std::string, std::string>{
                 {"tf.reduce_mean(errors)", "nn.compute_average_loss(errors)"},
                 {"tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.cast(labels, tf.int32), "
                  "logits=logits)",
                  "keras.losses.sparse_categorical_crossentropy(y_true=labels, y_pred=logits, "
                  "from_logits=True)"},
                 {"tf.train.MomentumOptimizer(lr, 0.9)", "GradientDescentOptimizer(lr)"}}) {
            QVERIFY(stages.find(from) != std::string::npos);
            stages.replace(stages.find(from), from.size(), to);
        }
        const auto file = core::readPythonProgram(stages + R"(
strategy = IPUHorovodStrategy()
with strategy.scope():
    def model(lr):
        return pipelining_ops.pipeline(computational_stages=[stage1, stage2], gradient_accumulation_count=8,
            inputs=[lr], infeed_queue=infeed_queue, outfeed_queue=outfeed_queue,
            optimizer_function=optimizer_function)
    def compiled_model(lr):
        with ipu_scope("/device:IPU:0"):
            return ipu_compiler.compile(model, inputs=[lr])
    with ops.device("cpu"):
        lr = array_ops.placeholder(np.float32, [])
    train_op = strategy.experimental_run_v2(compiled_model, args=[lr])
    _, per_worker_losses = outfeed_queue.dequeue()
    per_worker_loss = math_ops.reduce_mean(per_worker_losses)
)",
                                                  "program.py");
        QVERIFY2(file.has_value(), file ? "" : firstMessage(file.error()).c_str());
        // Nothing says what the learning rate is fed.
        QVERIFY(std::ranges::count(file->warnings, "python/fed", &core::Diagnostic::code) == 1);
        QVERIFY(file->project.training.losses.front().config["from_logits"] == true);
        QVERIFY(core::inferShapes(file->project.model, {}).has_value());
    }

    void convolutionsSideBySideBecomeOneLayer() {
        const std::string program = R"(
@ipu.nn_ops.multi_conv
@tf.function
def convs(x, y):
    x = keras.layers.DepthwiseConv2D(8, 2, depth_multiplier=2)(x)
    y = keras.layers.Conv2D(8, 3, activation="relu")(y)
    return keras.layers.ReLU()(x), y

left = keras.Input((16, 16, 4), batch_size=2)
right = keras.Input((8, 8, 4), batch_size=2)
a, b = convs(left, right)
model = keras.Model([left, right], [a, b])
)";
        const auto file = core::readPythonProgram(program, "program.py");
        QVERIFY2(file.has_value(), file ? "" : firstMessage(file.error()).c_str());
        QVERIFY(file->warnings.empty());
        const core::ModelGraph& model = file->project.model;
        std::vector<std::string> classes;
        for (const core::Layer& layer : model.layers)
            classes.push_back(layer.className);
        QCOMPARE(classes, (std::vector<std::string>{"InputLayer", "InputLayer", "ReLU", "MultiConv"}));
        const auto typed = core::inferShapes(model, {});
        QVERIFY2(typed.has_value(), typed ? "" : firstMessage(typed.error()).c_str());
        QCOMPARE(model.outputs.size(), std::size_t{2});
        QCOMPARE(model.outputs[1].output, 1);
    }

    void sayWhichDecoratorsAreLeftOut() {
        const char* const rest = "def block(x):\n    return keras.layers.Dense(4)(x)\n"
                                 "x = keras.Input((8,))\nmodel = keras.Model(x, block(x))\n";
        const auto warned = [&](const char* decorator) {
            const auto file = core::readPythonProgram(std::string(decorator) + rest, "program.py");
            return file ? std::ranges::count(file->warnings, "python/ignored", &core::Diagnostic::code) : -1;
        };
        QCOMPARE(warned("@tf.function(experimental_compile=True)\n"), 0);
        QCOMPARE(warned("@ipu.functional_ops.outlined_function\n"), 1);
        QCOMPARE(warned("@something.else\n"), 1);
        const auto dependent = core::readPythonProgram(
            "@ipu.nn_ops.multi_conv\ndef block(x):\n    x = keras.layers.Conv2D(4, 3)(x)\n"
            "    return keras.layers.Conv2D(4, 3)(x)\n"
            "x = keras.Input((8, 8, 3))\nmodel = keras.Model(x, block(x))\n",
            "program.py");
        QVERIFY(!dependent.has_value());
        QCOMPARE(dependent.error().front().location.place, std::string("4:12"));
    }

    void refusesPipelinesThatAreNotRead_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* from, const char* to, const char* code,
                            const char* says) { QTest::newRow(name) << from << to << code << says; };
        row("no functions", "[stage1, stage2]", "[1, 2]", "python/value", "functions");
        row("one stage", "[stage1, stage2]", "[stage1]", "value-error/pipeline-stages", "two stages");
        row("a stage without layers", "logits = keras.layers.Dense(10)(partial)", "logits = partial",
            "python/unsupported", "stage 1, stage2(), has no layer");
        row("a loss of two layers", "tf.reduce_mean(errors)",
            "tf.reduce_mean(errors) * tf.reduce_sum(partial)", "python/unsupported", "several predictions");
        row("a loss told more", "tf.cast(labels, tf.int32), logits=logits", "labels, logits=logits, axis=1",
            "python/unsupported", "axis");
        row("a placeholder as a size", "Dense(32,", "Dense(lr,", "python/value", "not written");
        row("a third argument of a queue", "feed_name=\"in\", prefetch_depth=4", "\"in\", 0",
            "python/unsupported", "further arguments");
        row("a loss that is none", "tf.reduce_mean(errors)", "labels", "python/unsupported", "this loss");
        row("too few arguments", "return lr, partial, labels", "return lr, partial", "python/name", "labels");
        row("too many arguments", "return lr, partial, labels", "return lr, partial, labels, flat",
            "python/value", "takes 3 arguments and gets 4");
        row("no optimizer", "return pipelining_ops.OptimizerFunctionOutput(optimizer, loss)",
            "return optimizer", "python/value", "OptimizerFunctionOutput");
        row("an unknown argument", "repeat_count=10", "repeats=10", "python/value", "repeats");
        row("no queue", "infeed_queue=infeed_queue", "infeed_queue=dataset", "python/value", "infeed_queue");
    }
    void refusesPipelinesThatAreNotRead() {
        QFETCH(const QString, from);
        QFETCH(const QString, to);
        QString program = QString(stageFunctions) + trainedPipeline;
        QVERIFY(program.contains(from));
        program.replace(from, to);
        const auto file = core::readPythonProgram(program.toStdString(), "program.py");
        QVERIFY(!file.has_value());
        QTEST(QString::fromStdString(file.error().front().code), "code");
        QFETCH(const QString, says);
        QVERIFY2(QString::fromStdString(firstMessage(file.error())).contains(says),
                 firstMessage(file.error()).c_str());
        QVERIFY(file.error().front().location.place.find(':') != std::string::npos);
    }

    void readsShardsAndOptimizersThatWrapOthers() {
        const core::Project project = readProgram(R"(
model = tf.keras.Sequential([], name="wide")
with ipu.scopes.ipu_shard(0):
  model.add(tf.keras.layers.Dense(8, input_shape=(4,)))
with ipu.scopes.ipu_shard(1):
  model.add(tf.keras.layers.Dense(8))
  model.add(tf.keras.layers.Dense(2))
model.compile(loss="mse", optimizer=ipu.keras.optimizers.CrossReplicaGradientAccumulationOptimizerV2(
    tf.keras.optimizers.SGD(0.5), 16, replicated_optimizer_state_sharding=True))
model.fit(dataset, epochs=2, steps_per_epoch=64)
)");
        QVERIFY(project.assignment.isSharded());
        QCOMPARE(project.assignment.stages,
                 (std::vector{core::StageId(0), core::StageId(1), core::StageId(1)}));
        QCOMPARE(*project.pipeline.gradientAccumulationSteps, 16);
        QCOMPARE(project.pipeline.replicatedOptimizerStateSharding, core::OptionalSwitch(true));
        QCOMPARE(project.training.optimizer->className, std::string("SGD"));
        QCOMPARE(project.training.optimizer->config["learning_rate"].get<double>(), 0.5);
    }

    /// Keras builds a model without an input shape from the samples.
    void takesTheInputShapeFromTheDataset() {
        const core::Project project = readProgram(R"(
def create_dataset():
  mnist = tf.keras.datasets.mnist
  (x_train, y_train), (_, _) = mnist.load_data()
  x_train = x_train / 255.0
  train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(10000).batch(32, drop_remainder=True)
  return train_ds.repeat().prefetch(16)

model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile(loss="mse", optimizer="sgd")
model.fit(create_dataset(), epochs=2, steps_per_epoch=100)
)");
        QCOMPARE(project.model.layers[1].config["batch_input_shape"].dump(), std::string("[null,28,28]"));
        QCOMPARE(project.training.batchSize, 32);
    }

    void refusesWhatItDoesNotKnowAtItsPlace_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* program, const char* place, const char* code) {
            QTest::newRow(program) << program << place << code;
        };
        row("import tensorflow as tf\nx = (1,\n", "3:1", "python/syntax");
        row("x = 3 $ 4\nkeras", "1:7", "python/syntax");
        row("y = x\n", "1:5", "python/name");
        row("import tensorflow as tf\nm = tf.keras.layers.Dens(3)\n", "2:5", "python/unsupported");
        row("while True:\n    pass\n", "1:1", "python/unsupported");
        row("def f():\n    return f()\nf()\n", "2:12", "python/endless");
        row("m = tf.keras.Sequential([tf.keras.layers.Dense(0)])\n", "1:26", "layer/attribute");
        row("import tensorflow as tf\n", "1:1", "python/no-model");
        row("try:\n    pass\n", "1:1", "python/syntax");
    }
    void refusesWhatItDoesNotKnowAtItsPlace() {
        QFETCH(QString, program);
        QFETCH(QString, place);
        QFETCH(QString, code);
        const auto file = core::readPythonProgram(program.toStdString(), "p.py");
        QVERIFY(!file.has_value());
        QCOMPARE(QString::fromStdString(file.error().front().code), code);
        QCOMPARE(QString::fromStdString(file.error().front().location.place), place);
    }

    void everyExampleComesBack_data() { listFiles(tests::projectRoot() / "projects", ".ipuproj"); }
    void everyExampleComesBack() {
        QFETCH(QString, path);
        const auto file = core::loadProject(path.toStdString());
        QVERIFY2(file.has_value(), file ? "" : firstMessage(file.error()).c_str());
        for (const PythonApi api : {PythonApi::TensorFlow24, PythonApi::TensorFlow21}) {
            const auto program = core::writePythonProgram(file->project, api);
            if (api == PythonApi::TensorFlow21 && !program) {
                QCOMPARE(program.error().front().code, std::string("python/api"));
                continue;
            }
            QVERIFY2(program.has_value(), program ? "" : firstMessage(program.error()).c_str());
            QVERIFY(program->find(api == PythonApi::TensorFlow21 ? "ipu.keras." : "IPUConfig") !=
                    std::string::npos);
            QCOMPARE(unordered(readProgram(*program)) == unordered(file->project), true);
        }
    }

    void layersAndLossesOfTheirOwnComeBack() {
        const core::Project project = readProgram(R"(
model = tf.keras.Sequential([
    tf.keras.layers.Input(shape=(6,), dtype=tf.int32),
    ipu.keras.layers.HostEmbedding(input_dim=40, output_dim=8, optimizer="SGDGA", learning_rate=0.5,
                                   accumulation_factor=4, partition_strategy="ENCODING", name="table"),
    ipu.keras.layers.OutlinedFunction(tf.keras.layers.Dense(8, name="inner"), function="block", name="first"),
])
model.compile(loss=tf.keras.losses.Tversky(alpha=0.3, beta=0.7, axis=[1, 2]),
              metrics=[tf.keras.metrics.CosineSimilarity(axis=1)])
)");
        QCOMPARE(project.training.losses.size(), std::size_t(1));
        QCOMPARE(project.training.losses[0].className, std::string("Tversky"));
        QCOMPARE(core::toText(project.training.losses[0].config["axis"], -1), std::string("[1,2]"));
        QCOMPARE(project.model.layers[1].className, std::string("HostEmbedding"));
        QCOMPARE(project.model.layers[2].config["layer"]["class_name"].get<std::string>(),
                 std::string("Dense"));
        // TensorFlow 2.4 has no such loss; what it has no layer for is a class of the program.
        const auto refused = core::writePythonProgram(project, PythonApi::TensorFlow24);
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().front().location.place, std::string("/training/loss"));
        core::Project written = project;
        written.training.losses.clear();
        const auto program = core::writePythonProgram(written, PythonApi::TensorFlow24);
        QVERIFY2(program.has_value(), program ? "" : firstMessage(program.error()).c_str());
        QVERIFY(program->find("class HostEmbedding(tf.keras.layers.Layer)") != std::string::npos);
        QVERIFY(program->find("ipu.embedding_ops.create_host_embedding(") != std::string::npos);
        QVERIFY(program->find("ipu.functional_ops.outlined_function(") != std::string::npos);
        QVERIFY(unordered(readProgram(*program)) == unordered(written));
    }

    void everySharedModelComesBack_data() {
        if (!tests::sharedData().empty())
            listFiles(tests::sharedData() / "keras", ".json");
        else
            QTest::addColumn<QString>("path");
    }
    void everySharedModelComesBack() {
        REQUIRE_SHARED_DATA();
        QFETCH(QString, path);
        const auto bytes = core::readFile(path.toStdString());
        const auto file = core::importProject(*bytes, path.toStdString());
        QVERIFY(file.has_value());
        const auto program = core::writePythonProgram(file->project, PythonApi::TensorFlow24);
        if (!program) { // only code that is not in the file stands in the way
            QCOMPARE(program.error().front().code, std::string("python/api"));
            const std::string message = firstMessage(program.error());
            QVERIFY2(message.find("is not in the project") != std::string::npos, message.c_str());
            return;
        }
        QCOMPARE(unordered(readProgram(*program)) == unordered(file->project), true);
    }

    void datasetsOfEveryKindAreWritten_data() {
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("program");
        const auto row = [](const char* name, const char* dataset, const QStringList& words,
                            const std::string& program = pipelined) {
            QTest::newRow(name) << dataset << words << QByteArray::fromStdString(program);
        };
        row("idx",
            R"({"kind": "idx", "images": "i.idx", "labels": "l.idx", "scale": 255, "shape": [28, 28]})",
            {"\"images\": \"i.idx\"", "np.fromfile(DATASET[\"images\"]", "[16:]", "(-1, 28, 28)",
             "/ DATASET[\"scale\"]", "np.fromfile(DATASET[\"labels\"]", "[8:]"});
        row("csv", R"({"kind": "csv", "file": "f.csv", "label_column": 2, "header": false, "scale": 2})",
            {"skiprows=0", "np.delete(rows, 2, axis=1)", "rows[:, 2]", "inputs / DATASET[\"scale\"]"});
        row("npy", R"({"kind": "npy", "inputs": ["a.npy", "b.npy"], "labels": ["y.npy", "z.npy"]})",
            {"inputs_0 = np.load(DATASET[\"inputs\"][0])", "labels_1 = np.load(DATASET[\"labels\"][1])",
             "((inputs_0, inputs_1), (labels_0, labels_1))"},
            ofTwoInputs("[Dense(10, name=\"logits\")(x), Dense(10, name=\"more\")(x)]"));
        row("npz", R"({"kind": "npz", "file": "f.npz", "inputs": ["left", "right"], "labels": "y"})",
            {"np.load(DATASET[\"file\"])", "arrays[DATASET[\"inputs\"][0]]", "arrays[DATASET[\"labels\"]]",
             "((inputs_0, inputs_1), labels)"},
            ofTwoInputs("Dense(10, name=\"logits\")(x)"));
        row("image_folder",
            R"({"kind": "image_folder", "folder": "pets", "class_names": ["cat", "dog"], "size": [32, 24],
                "channels": "grayscale", "scale": 255})",
            {"classes = DATASET[\"class_names\"]", "channels=1", "tf.image.resize(image, DATASET[\"size\"])",
             "list_files(os.path.join(DATASET[\"folder\"]", "return image / DATASET[\"scale\"]"},
            ofSamples("(32, 24, 1)"));
        row("cifar10", R"({"kind": "cifar10", "files": ["b1.bin", "b2.bin"], "scale": 255})",
            {"np.fromfile(DATASET[\"files\"][1]", "(-1, 3073)", "(-1, 3, 32, 32)", "rows[:, 0]"},
            ofSamples("(32, 32, 3)"));
        row("text",
            R"({"kind": "text", "file": "lines.txt", "vocabulary": "words.txt", "length": 12, "labels": "l.txt"})",
            {"TextFileInitializer", "DATASET[\"vocabulary\"]", "regex_replace", "tf.strings.split(line)",
             "tokens[:12]", "np.loadtxt(DATASET[\"labels\"]"},
            ofSamples("(12,)"));
        row("next token",
            R"({"kind": "text", "file": "lines.txt", "vocabulary": "words.txt", "length": 12, "next_token": true,
                "split": "character", "standardize": "none"})",
            {"unicode_split", "tokens[:13]", "(tokens[:-1], tokens[1:])"}, ofSamples("(12,)"));
        row("synthetic", R"({"kind": "synthetic", "samples": 64, "seed": 3, "classes": 5})",
            {"default_rng(DATASET[\"seed\"])", "[64, 28, 28, 1]",
             "rng.integers(0, 5, [64], dtype=\"int32\")"});
        row("weights",
            R"({"kind": "npy", "inputs": "x.npy", "labels": "y.npy", "sample_weights": "w.npy",
                "class_weights": [1, 2.5], "shuffle": true, "drop_remainder": true, "repeat": false})",
            {"np.load(DATASET[\"sample_weights\"])", "(sample[0], sample[1], weight)",
             "class_weight={0: 1, 1: 2.5}", "dataset.shuffle(10000)", "return dataset.prefetch(16)"});
    }
    void datasetsOfEveryKindAreWritten() {
        QFETCH(QString, dataset);
        QFETCH(QStringList, words);
        QFETCH(QByteArray, program);
        core::Json document = core::toJson(readProgram(program.toStdString()));
        document["training"]["dataset"] = Json::parse(dataset.toStdString());
        const auto project = core::readProjectDocument(document, "p");
        QVERIFY2(project.has_value(), project ? "" : firstMessage(project.error()).c_str());
        for (const PythonApi api : {PythonApi::TensorFlow24, PythonApi::TensorFlow21}) {
            const auto written = core::writePythonProgram(project->project, api);
            QVERIFY2(written.has_value(), written ? "" : firstMessage(written.error()).c_str());
            for (const QString& word : words)
                QVERIFY2(QString::fromStdString(*written).contains(word),
                         qPrintable(word + " is not in\n" + QString::fromStdString(*written)));
            QVERIFY(unordered(readProgram(*written)) == unordered(project->project));
            // The data are the program's, not its comment's.
            const core::Project bare = readProgram(written->substr(0, written->find(core::pythonRemainder)));
            QVERIFY(bare.training.dataset == project->project.training.dataset);
        }
    }

    void callbacksAndLossScalesComeBackWithoutTheComment() {
        core::Json document = core::toJson(readProgram(pipelined));
        document["training"]["optimizer"] = Json::parse(
            R"({"class_name": "LossScaleOptimizer", "config": {"initial_scale": 1024.0, "dynamic_growth_steps": 50,
                "inner_optimizer": {"class_name": "SGD", "config": {"learning_rate": 0.125}}}})");
        document["training"]["callbacks"] = Json::parse(
            R"([{"class_name": "EarlyStopping", "config": {"monitor": "loss", "patience": 3}},
                {"class_name": "RecordTraining", "config": {"tensor_statistics": 4, "confusion_matrix": true}}])");
        const auto project = core::readProjectDocument(document, "p");
        QVERIFY2(project.has_value(), project ? "" : firstMessage(project.error()).c_str());
        for (const PythonApi api : {PythonApi::TensorFlow24, PythonApi::TensorFlow21}) {
            const auto program = core::writePythonProgram(project->project, api);
            QVERIFY2(program.has_value(), program ? "" : firstMessage(program.error()).c_str());
            QVERIFY(unordered(readProgram(*program)) == unordered(project->project));
            const core::Project bare = readProgram(program->substr(0, program->find(core::pythonRemainder)));
            QVERIFY(bare.training.callbacks == project->project.training.callbacks);
            QVERIFY(unordered(bare).at("training").at("optimizer") ==
                    unordered(project->project).at("training").at("optimizer"));
        }
        // Neither edition had it with this argument.
        document["training"]["callbacks"] =
            Json::parse(R"([{"class_name": "EarlyStopping", "config": {"start_from_epoch": 3}}])");
        const auto newer = core::writePythonProgram(core::readProjectDocument(document, "p")->project,
                                                    PythonApi::TensorFlow24);
        QVERIFY(!newer.has_value());
        QCOMPARE(newer.error().front().code, std::string("python/api"));
        document["training"]["callbacks"] =
            Json::parse(R"([{"class_name": "BackupAndRestore", "config": {"backup_dir": "b"}}])");
        const core::Project backup = core::readProjectDocument(document, "p")->project;
        QVERIFY(core::writePythonProgram(backup, PythonApi::TensorFlow24).has_value());
        QVERIFY(!core::writePythonProgram(backup, PythonApi::TensorFlow21).has_value());
    }

    void readsCallbacksAsPeopleWriteThem() {
        const auto file = core::readPythonProgram(R"(
import tensorflow as tf
class Printer(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(epoch)
model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(8,))])
model.compile(loss="mse", optimizer=tf.keras.mixed_precision.experimental.LossScaleOptimizer(
    tf.keras.optimizers.SGD(0.5), 1024))
model.fit(dataset, epochs=2, callbacks=[tf.keras.callbacks.EarlyStopping("loss", patience=2, verbose=1),
                                        tf.keras.callbacks.ModelCheckpoint("best.npz", save_freq="epoch"),
                                        tf.keras.callbacks.TensorBoard("logs"), Printer()])
)",
                                                  "p.py");
        QVERIFY2(file.has_value(), file ? "" : firstMessage(file.error()).c_str());
        const core::TrainingOptions& training = file->project.training;
        QCOMPARE(training.callbacks.size(), std::size_t{2});
        QCOMPARE(training.callbacks[0].className, std::string("EarlyStopping"));
        QCOMPARE(training.callbacks[0].config["monitor"].get<std::string>(), std::string("loss"));
        QCOMPARE(training.callbacks[1].config["filepath"].get<std::string>(), std::string("best.npz"));
        QCOMPARE(training.optimizer->config["dynamic"].get<bool>(), false);
        QCOMPARE(training.optimizer->config["initial_scale"].get<double>(), 1024.0);
        // save_freq, TensorBoard and the program's own class.
        QCOMPARE(std::ranges::count(file->warnings, "python/callback", &core::Diagnostic::code), 3);
    }

    void changedProgramsLoseOnlyTheirComment() {
        core::Project project = readProgram(pipelined);
        project.canvas.positions["logits"] = {3, 4};
        const std::string program = core::writePythonProgram(project, PythonApi::TensorFlow24).value();
        QVERIFY(program.find(core::pythonRemainder) != std::string::npos);
        std::string changed = program;
        changed.replace(changed.find("# ipu-workbench: "), std::string::npos,
                        "# ipu-workbench: [{\"op\": \"remove\", \"path\": \"/nothing\"}]\n");
        const auto file = core::readPythonProgram(changed, "p.py");
        QVERIFY(file.has_value());
        QVERIFY(!file->warnings.empty());
        QCOMPARE(file->project.model.layers.size(), std::size_t{4});
    }

    void aThousandDamagedProgramsNeverCrash() {
        const std::string seed = pipelined;
        std::mt19937 random(5);
        constexpr std::string_view letters = "()[]{}:,.=+-*'\"#\n\t 0x_aZ\\%";
        for (int i = 0; i < 1000; ++i) {
            std::string text = seed;
            for (unsigned k = 0; k < 1 + random() % 3; ++k) {
                const std::size_t at = random() % text.size();
                if (random() % 3 == 0)
                    text.erase(at, 1 + random() % 20);
                else
                    text[at] = letters[random() % letters.size()];
            }
            const auto file = core::readPythonProgram(text, "p.py");
            QVERIFY(file.has_value() || !file.error().empty());
        }
    }

    void deepAndLongProgramsEnd() {
        for (const std::string& text : {std::string(100000, '('), std::string(100000, '['),
                                        "x = " + std::string(100000, '-') + "1\n", "x = a" + [] {
                                            std::string chain;
                                            for (int i = 0; i < 100000; ++i)
                                                chain += ".b";
                                            return chain;
                                        }() + "\n"}) {
            const auto file = core::readPythonProgram(text, "p.py");
            QVERIFY(!file.has_value());
            QCOMPARE(file.error().size(), std::size_t{1});
        }
        std::string nested;
        for (int i = 0; i < 300; ++i)
            nested += std::string(static_cast<std::size_t>(i), ' ') + "if True:\n";
        QVERIFY(!core::readPythonProgram(nested, "p.py").has_value());
    }
};

REGISTER_TEST("python_program", PythonProgramTest)
#include "python_program_test.moc"
