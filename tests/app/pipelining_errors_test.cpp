#include "core/interchange/project/project_file.h"
#include "core/interchange/python/python_program.h"
#include "core/project/validate.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <set>

namespace {

/// A two-stage pipeline that breaks no rule.
const char* const soundProject = R"({
  "format": "ipu-workbench-project", "version": 1, "name": "example",
  "model": {"class_name": "Sequential", "config": {"name": "seq", "layers": [
    {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 8], "dtype": "float32", "name": "in"}},
    {"class_name": "Dense", "config": {"name": "a", "units": 16, "activation": "relu"}},
    {"class_name": "Dense", "config": {"name": "b", "units": 16}},
    {"class_name": "Dense", "config": {"name": "c", "units": 16}},
    {"class_name": "Dense", "config": {"name": "d", "units": 4}}]}},
  "pipeline": {"stages": [0, 0, 1, 1], "schedule": "Grouped", "gradient_accumulation_steps_per_replica": 4},
  "training": {"batch_size": 4, "steps_per_execution": 8, "steps_per_epoch": 8,
    "optimizer": {"class_name": "Adam", "config": {"learning_rate": 0.1}}, "loss": "mse",
    "dataset": {"kind": "synthetic", "samples": 64, "seed": 1}},
  "replicas": 1, "system": {"ipus": 2, "target": "ipu2"}
})";

/// A Functional model that calls its layer "a" twice: in -> a -> b -> a.
const char* const sharedLayerModel = R"({"class_name": "Functional", "config": {"name": "shared", "layers": [
    {"class_name": "InputLayer", "name": "in", "inbound_nodes": [], "config": {"name": "in", "batch_input_shape": [null, 8]}},
    {"class_name": "Dense", "name": "a", "config": {"name": "a", "units": 8},
      "inbound_nodes": [[["in", 0, 0, {}]], [["b", 0, 0, {}]]]},
    {"class_name": "Dense", "name": "b", "config": {"name": "b", "units": 8}, "inbound_nodes": [[["a", 0, 0, {}]]]}],
    "input_layers": [["in", 0, 0]], "output_layers": [["a", 1, 0]]}})";

/// One way to break a rule.
struct Broken {
    /// The row of the rules' own list, "Errors" of the programming system.
    int rule;
    const char* name;
    /// Merged into the sound project; null removes.
    std::string patch;
    core::RunMode mode;
    /// Codes of all errors, in their order.
    const char* codes;
    /// What the first of them must say, in its message or its hints.
    std::vector<const char*> words;
};

std::string pipeline(const std::string& keys) {
    return R"({"pipeline": {)" + keys + "}}";
}

std::string training(const std::string& keys) {
    return R"({"training": {)" + keys + "}}";
}

std::string accumulation(int steps) {
    return R"({"pipeline": {"gradient_accumulation_steps_per_replica": )" + std::to_string(steps) +
           R"(}, "training": {"steps_per_execution": )" + std::to_string(steps) + R"(, "steps_per_epoch": )" +
           std::to_string(steps) + "}}";
}

const std::vector<Broken>& brokenProjects() {
    using enum core::RunMode;
    static const std::vector<Broken> list{
        {1,
         "N is no multiple of the overlap",
         accumulation(6),
         Train,
         "failed-precondition/micro-batch-multiple",
         {"multiple of 4", "there are 6", "gradient accumulation count",
          "gradient_accumulation_steps_per_replica", "steps_per_execution"}},
        {1,
         "steps per execution are no multiple in inference",
         training(R"("steps_per_execution": 7, "steps_per_epoch": 7)"),
         Predict,
         "failed-precondition/micro-batch-multiple",
         {"multiple of 2", "there are 7"}},
        {2,
         "N below the overlap and two with I/O tiles",
         R"({"ipu_config": {"io_tiles.num_io_tiles": 32}})",
         Train,
         "failed-precondition/micro-batch-minimum",
         {"at least 6", "there are 4"}},
        {3,
         "N is zero",
         pipeline(R"("gradient_accumulation_steps_per_replica": 0)"),
         Train,
         "value-error/gradient-accumulation-steps-per-replica",
         {"is 0", "1 to 2147483647"}},
        {3,
         "N is negative",
         pipeline(R"("gradient_accumulation_steps_per_replica": -4)"),
         Train,
         "value-error/gradient-accumulation-steps-per-replica",
         {"is -4", "1 to 2147483647"}},
        {3,
         "N beyond 32 bits",
         pipeline(R"("gradient_accumulation_steps_per_replica": 2147483648)"),
         Train,
         "value-error/gradient-accumulation-steps-per-replica",
         {"2147483648", "1 to 2147483647"}},
        {4,
         "one stage",
         pipeline(R"("stages": [0, 0, 0, 0])"),
         Train,
         "value-error/pipeline-stages",
         {"at least two stages", "has 1"}},
        {5,
         "the mapping is no list",
         pipeline(R"("device_mapping": 1)"),
         Train,
         "type-error/device-mapping",
         {"list"}},
        {5,
         "the mapping has another length",
         pipeline(R"("device_mapping": [0, 1, 1])"),
         Train,
         "value-error/device-mapping-length",
         {"3 IPUs", "2 stages"}},
        {6,
         "Interleaved training on a repeated device",
         R"({"pipeline": {"schedule": "Interleaved", "device_mapping": [0, 0]}, "replicas": null})",
         Train,
         "not-implemented/interleaved-repeated-device",
         {"IPU 0", "Grouped or Sequential"}},
        {7,
         "no such schedule",
         pipeline(R"("schedule": "Interlaced")"),
         Train,
         "type-error/schedule",
         {"Interlaced", "Grouped, Interleaved, Sequential"}},
        {7,
         "no such recomputation mode",
         pipeline(R"("recomputation_mode": "Some")"),
         Train,
         "type-error/recomputation-mode",
         {"Some", "RecomputeThenBackpropagate"}},
        {8,
         "a mode that Sequential does not support",
         pipeline(R"("schedule": "Sequential", "recomputation_mode": "RecomputeThenBackpropagate")"),
         Train,
         "unimplemented/recomputation-mode",
         {"Sequential", "RecomputeThenBackpropagate"}},
        {8,
         "the same in inference with recomputation off",
         pipeline(
             R"("schedule": "Interleaved", "recomputation_mode": "RecomputeAndBackpropagateInterleaved")"),
         Evaluate,
         "unimplemented/recomputation-mode",
         {"Interleaved", "RecomputeAndBackpropagateInterleaved"}},
        {9,
         "batch serialisation in a Grouped pipeline",
         pipeline(R"("batch_serialization_iterations": 2)"),
         Train,
         "not-implemented/batch-serialization-schedule",
         {"Sequential", "Grouped"}},
        {9,
         "batch serialisation over several devices",
         pipeline(
             R"("batch_serialization_iterations": 2, "schedule": "Sequential", "device_mapping": [0, 1])"),
         Train,
         "not-implemented/batch-serialization-devices",
         {"one"}},
        {10,
         "batch serialisation with a mean",
         R"({"pipeline": {"batch_serialization_iterations": 2, "schedule": "Sequential",
             "gradient_accumulation_reduction_method": "mean"}})",
         Train,
         "value-error/batch-serialization-reduction",
         {"sum"}},
        {11,
         "no such reduction",
         pipeline(R"("gradient_accumulation_reduction_method": "median")"),
         Train,
         "value-error/reduction-method",
         {"median", "sum, mean, running_mean"}},
        {12,
         "a variable used on two IPUs",
         R"({"model": )" + std::string(sharedLayerModel) + R"(, "pipeline": {"stages": [0, 1, 1]}})",
         Train,
         "unimplemented/shared-variable",
         {"a", "device_mapping"}},
        {16,
         "an outfeed loss without an optimizer",
         pipeline(R"("outfeed_loss": true)"),
         Predict,
         "value-error/outfeed-without-optimizer",
         {"outfeed_loss"}},
        {16,
         "outfeed loss and mask together",
         pipeline(R"("outfeed_loss": true, "outfeed_mask": [true, false])"),
         Train,
         "value-error/outfeed-conflict",
         {"outfeed_loss", "outfeed_mask"}},
        {16,
         "a mask of another length",
         pipeline(R"("outfeed_mask": [true])"),
         Train,
         "value-error/outfeed-mask-length",
         {"1 entries", "2 outputs"}},
        {17,
         "state sharded but kept on chip",
         pipeline(R"("replicated_optimizer_state_sharding": true, "offload_weight_update_variables": false)"),
         Train,
         "value-error/optimizer-state-sharding",
         {"offload"}},
        {18,
         "activations offloaded without remote memory",
         R"({"pipeline": {"offload_activations": true}, "system": {"remote_memory": false}})",
         Evaluate,
         "failed-precondition/remote-memory",
         {"offload_activations"}},
        {18,
         "accumulators offloaded without remote memory",
         R"({"pipeline": {"offload_gradient_accumulation_buffers": true}, "system": {"remote_memory": false}})",
         Train,
         "failed-precondition/remote-memory",
         {"offload_gradient_accumulation_buffers"}},
        {18,
         "optimizer state offloaded without remote memory",
         R"({"pipeline": {"offload_weight_update_variables": true}, "system": {"remote_memory": false}})",
         Train,
         "failed-precondition/remote-memory",
         {"offload_weight_update_variables"}},
        {19,
         "weights sharded but kept on chip",
         pipeline(R"("replicated_weight_sharding": true, "offload_weights": false)"),
         Train,
         "unimplemented/weight-sharding",
         {"offload"}},
        {20,
         "stage options are no list",
         pipeline(R"("forward_propagation_stages_poplar_options": {})"),
         Train,
         "type-error/stage-options",
         {"list", "one entry per stage"}},
        {20,
         "stage options of another length",
         pipeline(R"("forward_propagation_stages_poplar_options": [{}, {}, {}])"),
         Train,
         "value-error/stage-options-length",
         {"3 entries", "2 stages"}},
        {21,
         "continuous weight updates",
         pipeline(R"("continuous_weight_updates": true)"),
         Train,
         "not-implemented/continuous-weight-updates",
         {}},
        {22,
         "a stage without a number",
         pipeline(R"("stages": [0, 0, -1, 1])"),
         Train,
         "value-error/stage-number",
         {"-1"}},
        {23,
         "too few IPUs",
         R"({"system": {"ipus": 1}})",
         Train,
         "value-error/too-few-ipus",
         {"1 IPU is attached", "multiple of 2"}},
        {24,
         "IPUs that do not divide",
         R"({"system": {"ipus": 3}, "replicas": null})",
         Train,
         "internal-error/ipus-not-divisible",
         {"3", "2"}},
        {25,
         "no device of that size",
         R"({"ipu_config": {"auto_select_ipus": 4}})",
         Train,
         "failed-precondition/no-device",
         {"4 IPUs", "devices"}},
        {26,
         "both ways to select",
         R"({"ipu_config": {"auto_select_ipus": 2, "select_ipus": 2}})",
         Train,
         "exception/selection-conflict",
         {"auto_select_ipus", "select_ipus"}},
        {26,
         "a device twice",
         R"({"system": {"ipus": 4}, "ipu_config": {"select_ipus": [4, 4]}})",
         Train,
         "value-error/duplicate-device",
         {"4"}},
        {27,
         "no accumulation in fit",
         pipeline(R"("gradient_accumulation_steps_per_replica": null)"),
         Train,
         "value-error/gradient-accumulation-unset",
         {"gradient_accumulation_steps_per_replica"}},
        {28,
         "the execution does not divide by the accumulation",
         training(R"("steps_per_execution": 6, "steps_per_epoch": 6)"),
         Train,
         "runtime-error/steps-per-execution",
         {"6", "4"}},
        {29,
         "the epoch does not divide by the execution",
         training(R"("steps_per_epoch": 12)"),
         Train,
         "value-error/steps-per-execution",
         {"8", "12"}},
        {30,
         "a partial batch",
         training(R"("steps_per_epoch": null, "dataset": {"samples": 65, "drop_remainder": false})"),
         Train,
         "value-error/partial-batch",
         {"65", "4"}},
        {30,
         "an endless dataset without steps",
         training(R"("steps_per_epoch": null, "dataset": {"repeat": true})"),
         Train,
         "value-error/unknown-steps",
         {"steps_per_epoch"}},
        {30,
         "too little data",
         training(R"("steps_per_epoch": 24, "dataset": {"repeat": false})"),
         Train,
         "value-error/too-little-data",
         {"24"}},
        {30,
         "an unknown dimension",
         R"({"model": {"config": {"layers": [
             {"class_name": "InputLayer", "config": {"batch_input_shape": [null, null, 8], "name": "in"}},
             {"class_name": "Dense", "config": {"name": "a", "units": 16}},
             {"class_name": "Dense", "config": {"name": "b", "units": 4}}]}}, "pipeline": {"stages": [0, 1]}})",
         Train,
         "value-error/unknown-dimension",
         {"in"}},
        {31, "no list of stages", pipeline(R"("stages": 2)"), Train, "value-error/stages-type", {"list"}},
        {31,
         "too short a list",
         pipeline(R"("stages": [0, 0, 1])"),
         Train,
         "value-error/stage-count",
         {"3", "4"}},
        {31,
         "a stage that is no number",
         pipeline(R"("stages": [0, 0, "1", 1])"),
         Train,
         "value-error/stage-type",
         {"c"}},
        {31,
         "the first layer is not on stage 0",
         pipeline(R"("stages": [1, 1, 1, 1])"),
         Train,
         "value-error/first-stage",
         {"a", "0"}},
        {31, "a stage back", pipeline(R"("stages": [0, 1, 0, 1])"), Train, "value-error/stage-step", {"c"}},
        {31,
         "a consumer before its producer",
         R"({"model": )" + std::string(sharedLayerModel) +
             R"(, "pipeline": {"stages": [0, 1, 0], "device_mapping": [0, 0]}})",
         Train,
         "value-error/stage-order",
         {"a", "1"}},
        {32,
         "an empty stage",
         pipeline(R"("stages": [0, 0, 2, 2], "gradient_accumulation_steps_per_replica": 8)"),
         Train,
         "value-error/stage-step value-error/too-few-ipus runtime-error/empty-stage",
         {}},
        {33,
         "a negative stage",
         pipeline(R"("stages": {"a": 0, "b": 0, "c": 1, "d": -2})"),
         Train,
         "value-error/stage-number",
         {"d", "-2"}},
        {34,
         "a layer without a stage",
         pipeline(R"("stages": [0, null, 1, 1])"),
         Train,
         "value-error/stage-unset",
         {"b"}},
        {36,
         "a key that has its own argument",
         pipeline(R"("gradient_accumulation_count": 4)"),
         Train,
         "value-error/forbidden-key",
         {"gradient_accumulation_steps_per_replica"}},
        {36,
         "a key that Keras sets",
         pipeline(R"("infeed_queue": 4)"),
         Train,
         "value-error/forbidden-key",
         {"infeed_queue"}},
        {36,
         "a key of the infeed that Keras sets",
         training(R"("infeed": {"element_spec": 1})"),
         Train,
         "value-error/forbidden-key",
         {"element_spec"}},
        {37,
         "prefetch depth too large",
         training(R"("infeed": {"prefetch_depth": 256})"),
         Train,
         "value-error/prefetch-depth",
         {"0 to 255"}},
        {37,
         "prefetch depth negative",
         training(R"("infeed": {"prefetch_depth": -1})"),
         Train,
         "value-error/prefetch-depth",
         {"0 to 255"}},
    };
    return list;
}

/// A condition that only a Python program can bring about, since a project holds layers and no functions.
struct BrokenProgram {
    int rule;
    const char* name;
    /// After the imports.
    std::string text;
    const char* code;
    /// Line of `text` where it is, from 1.
    int line;
    std::vector<const char*> words;
};

/// A pipelined Functional model of the class `Model`, compiled with `optimizer`.
std::string pipelinedProgram(const std::string& before, const std::string& model = "keras.Model",
                             const std::string& compile = "\"sgd\", loss=\"mse\"",
                             const std::string& second = "keras.layers.Dense(4)(y)") {
    return before + R"(with ipu.ipu_strategy.IPUStrategy().scope():
    x = keras.Input((8,), batch_size=4)
    with ipu.keras.PipelineStage(0):
        y = keras.layers.Dense(16)(x)
    with ipu.keras.PipelineStage(1):
        y = )" +
           second + "\n    model = " + model + "(x, y)\n    model.compile(" + compile + ")\n";
}

/// A pipeline of two functions; `second`: the second one's body.
std::string functionPipeline(const std::string& second, const std::string& queues) {
    return R"(infeed = ipu.ipu_infeed_queue.IPUInfeedQueue(dataset)
outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue()
def first(images):
    return keras.layers.Dense(16)(images)
def second(y):
    )" + second +
           R"(
ipu.pipelining_ops.pipeline([first, second], 4, infeed_queue=infeed)" +
           queues + ")\n";
}

const std::vector<BrokenProgram>& brokenPrograms() {
    static const std::string overridesStep =
        "class Mine(keras.Model):\n    def train_step(self, data):\n        return {}\n";
    static const std::string overridesCall =
        "class Mine(keras.Sequential):\n    def call(self, inputs):\n        return inputs\n"
        "model = Mine([keras.layers.Dense(4, input_shape=(8,)), keras.layers.Dense(4)])\n"
        "model.set_pipeline_stage_assignment([0, 1])\n";
    static const std::string overridesMinimize =
        "class Mine(keras.optimizers.SGD):\n    def minimize(self, loss, var_list):\n        pass\n";
    static const std::string subclass =
        "class Mine(keras.Model):\n    def call(self, inputs):\n        return inputs\nmodel = Mine()\n";
    static const std::vector<BrokenProgram> list{
        {13,
         "the infeed read by two stages",
         functionPipeline("return keras.layers.Dense(4)(infeed._dequeue())", ", outfeed_queue=outfeed"),
         "unimplemented/infeed-in-several-stages",
         6,
         {"stages 0 and 1", "hand it on"}},
        {15,
         "outputs and no outfeed queue",
         functionPipeline("return keras.layers.Dense(4)(y)", ""),
         "value-error/no-outfeed-queue",
         7,
         {"second()", "outfeed_queue"}},
        {16,
         "an accumulated outfeed that keeps the last result",
         "last = "
         "ipu.ipu_outfeed_queue.IPUOutfeedQueue(outfeed_mode=ipu.ipu_outfeed_queue.IPUOutfeedMode.LAST)\n" +
             functionPipeline("return keras.layers.Dense(4)(y)",
                              ", outfeed_queue=last, accumulate_outfeed=True"),
         "value-error/accumulate-outfeed",
         8,
         {"accumulate_outfeed", "ALL"}},
        {16,
         "an accumulated outfeed without a queue",
         functionPipeline("return None", ", accumulate_outfeed=True"),
         "value-error/accumulate-outfeed",
         7,
         {"accumulate_outfeed", "queue"}},
        {14,
         "a constant tensor in a stage",
         pipelinedProgram("c = tf.constant([1.0, 2.0])\n", "keras.Model", "\"sgd\", loss=\"mse\"",
                          "keras.layers.Add()([y, c])"),
         "value-error/captured-tensor",
         7,
         {"stage 1", "variable", "infeed"}},
        {14,
         "the same added by an operator",
         pipelinedProgram("c = tf.ones([16])\n", "keras.Model", "\"sgd\", loss=\"mse\"", "y + c"),
         "value-error/captured-tensor",
         7,
         {"stage 1"}},
        {35,
         "a step of training of one's own",
         pipelinedProgram(overridesStep, "Mine"),
         "runtime-error/overridden-function",
         2,
         {"train_step", "remove"}},
        {35,
         "a call of one's own",
         overridesCall,
         "runtime-error/overridden-function",
         2,
         {"call", "remove"}},
        {35,
         "eager execution",
         pipelinedProgram("", "keras.Model", "\"sgd\", loss=\"mse\", run_eagerly=True"),
         "runtime-error/eager",
         8,
         {"eager", "run_eagerly"}},
        {35,
         "minimize of one's own",
         pipelinedProgram(overridesMinimize, "keras.Model", "Mine(0.1), loss=\"mse\""),
         "value-error/overridden-minimize",
         2,
         {"minimize", "remove"}},
        {38,
         "stages asked of a model that is not built",
         subclass + "model.get_pipeline_stage_assignment()\n",
         "runtime-error/model-not-built",
         5,
         {"mine", "build"}},
        {38,
         "stages given to a model that is not built",
         subclass + "model.set_pipeline_stage_assignment([0, 1])\n",
         "runtime-error/model-not-built",
         5,
         {"mine", "build"}},
    };
    return list;
}

constexpr const char* imports = "import tensorflow as tf\nfrom tensorflow import keras\n"
                                "from tensorflow.python import ipu\n";
constexpr int importLines = 3;

core::Json patched(const std::string& patch) {
    core::Json project = core::Json::parse(soundProject);
    project.merge_patch(core::Json::parse(patch));
    // The model is one value: merging would mix its parts.
    const core::Json change = core::Json::parse(patch);
    if (change.contains("model") && change["model"].contains("class_name"))
        project["model"] = change["model"];
    return project;
}

/// Errors of reading, else those of validation.
core::Diagnostics errorsOf(const core::Json& document, core::RunMode mode) {
    const auto file = core::readProjectDocument(document, "p.ipuproj");
    core::Diagnostics findings;
    if (!file) {
        findings = file.error();
    } else {
        std::optional<core::DatasetFacts> facts;
        if (const auto* dataset = core::datasetOf(file->project.training, mode))
            facts = core::DatasetFacts{dataset->parameters.value("samples", std::int64_t{64})};
        findings = core::validateAll(file->project, mode, facts, "p.ipuproj").findings;
    }
    std::erase_if(findings, [](const auto& finding) { return finding.severity != core::Severity::Error; });
    return findings;
}

QString codesOf(const core::Diagnostics& findings) {
    QStringList codes;
    for (const core::Diagnostic& finding : findings)
        codes << QString::fromStdString(finding.code);
    return codes.join(' ');
}

} // namespace

/// Every condition under which the programming system refuses a pipeline, as a project that meets it.
class PipeliningErrorsTest : public QObject {
    Q_OBJECT

private slots:
    void theSoundProjectBreaksNoRule() {
        for (const auto mode : {core::RunMode::Train, core::RunMode::Evaluate, core::RunMode::Predict})
            QCOMPARE(codesOf(errorsOf(core::Json::parse(soundProject), mode)), "");
    }

    void walksAllConditions() {
        std::set<int> rules;
        for (const Broken& broken : brokenProjects())
            rules.insert(broken.rule);
        for (const BrokenProgram& broken : brokenPrograms())
            rules.insert(broken.rule);
        constexpr int conditions = 38;
        for (int rule = 1; rule <= conditions; ++rule)
            QVERIFY2(rules.contains(rule), qPrintable(QString::number(rule)));
    }

    void refuses_data() {
        QTest::addColumn<std::size_t>("index");
        for (std::size_t index = 0; index < brokenProjects().size(); ++index) {
            const Broken& broken = brokenProjects()[index];
            QTest::addRow("%d %s", broken.rule, broken.name) << index;
        }
    }

    void refuses() {
        QFETCH(const std::size_t, index);
        const Broken& broken = brokenProjects()[index];
        const core::Diagnostics errors = errorsOf(patched(broken.patch), broken.mode);
        QCOMPARE(codesOf(errors), broken.codes);
        std::string said = errors.front().location.place + " " + errors.front().message;
        for (const std::string& hint : errors.front().hints)
            said += " " + hint;
        for (const char* word : broken.words)
            QVERIFY2(said.find(word) != std::string::npos, (said + " does not say " + word).c_str());
        for (const core::Diagnostic& error : errors) {
            QVERIFY(!error.location.place.empty());
            QVERIFY(!error.hints.empty());
            QVERIFY(error.trouble == core::Trouble::Input);
        }
    }

    void theSoundProgramsBreakNoRule() {
        const auto file = core::readPythonProgram(imports + pipelinedProgram(""), "p.py");
        QVERIFY2(file.has_value(), file ? "" : core::toText(file.error().front()).c_str());
        QVERIFY(file->project.assignment.isPipelined());
        // What a program overrides matters to a pipeline alone in these words; nothing is left out silently.
        const auto plain = core::readPythonProgram(
            std::string(imports) +
                "class Mine(keras.Sequential):\n    def train_step(self, data):\n        return {}\n"
                "model = Mine([keras.layers.Dense(4, input_shape=(8,))])\n",
            "p.py");
        QVERIFY(!plain.has_value());
        QCOMPARE(plain.error().front().code, std::string("python/unsupported"));
        const auto eager = core::readPythonProgram(
            std::string(imports) + "model = keras.Sequential([keras.layers.Dense(4, input_shape=(8,))])\n"
                                   "model.compile(\"sgd\", loss=\"mse\", run_eagerly=True)\n",
            "p.py");
        QVERIFY(eager.has_value());
        QVERIFY(std::ranges::count(eager->warnings, "python/ignored", &core::Diagnostic::code) == 1);
    }

    void refusesPrograms_data() {
        QTest::addColumn<std::size_t>("index");
        for (std::size_t index = 0; index < brokenPrograms().size(); ++index)
            QTest::addRow("%d %s", brokenPrograms()[index].rule, brokenPrograms()[index].name) << index;
    }

    void refusesPrograms() {
        QFETCH(const std::size_t, index);
        const BrokenProgram& broken = brokenPrograms()[index];
        const auto file = core::readPythonProgram(imports + broken.text, "p.py");
        QVERIFY(!file.has_value());
        const core::Diagnostic& error = file.error().front();
        QVERIFY2(error.code == broken.code, core::toText(error).c_str());
        const std::string line = std::to_string(broken.line + importLines) + ":";
        QVERIFY2(error.location.place.starts_with(line), error.location.place.c_str());
        std::string said = error.message;
        for (const std::string& hint : error.hints)
            said += " " + hint;
        for (const char* word : broken.words)
            QVERIFY2(said.find(word) != std::string::npos, (said + " does not say " + word).c_str());
        QVERIFY(!error.hints.empty());
    }

    /// One project that breaks a rule of every moment: setters, replicas, data handler, fit, pipeline,
    /// compiler.
    void findsThemInTheOrderOfTheCalls() {
        const core::Json project = patched(R"({
            "pipeline": {"stages": [0, 1, 1, 0], "gradient_accumulation_steps_per_replica": 6,
                "continuous_weight_updates": true, "forward_propagation_stages_poplar_options": [{}],
                "replicated_optimizer_state_sharding": true, "offload_weight_update_variables": false,
                "recomputation_mode": "RecomputeAndBackpropagateInterleaved", "schedule": "Interleaved",
                "replicated_weight_sharding": true, "offload_weights": false, "device_mapping": [0, 0]},
            "training": {"steps_per_execution": 7, "steps_per_epoch": 24, "dataset": {"repeat": false, "samples": 40}},
            "system": {"ipus": 1}, "replicas": 2})");
        QCOMPARE(codesOf(errorsOf(project, core::RunMode::Train)),
                 "value-error/stage-step value-error/too-few-ipus value-error/too-little-data "
                 "value-error/steps-per-execution runtime-error/steps-per-execution "
                 "not-implemented/continuous-weight-updates not-implemented/interleaved-repeated-device "
                 "value-error/stage-options-length value-error/optimizer-state-sharding "
                 "unimplemented/recomputation-mode unimplemented/weight-sharding");
    }
};

REGISTER_TEST("pipelining_errors", PipeliningErrorsTest)
#include "pipelining_errors_test.moc"
