#include "core/interchange/python/writer/program_writer.h"

#include "core/config/ipu_config/ipu_config_table.h"
#include "core/config/pipeline_options_json.h"
#include "core/config/training_options_json.h"
#include "core/interchange/python/writer/dataset_writer.h"
#include "core/interchange/python/writer/model_writer.h"
#include "core/interchange/python/writer/python_text.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/stage_assignment_json.h"
#include "core/project/run_figures.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace core {

namespace {

Diagnostic refusal(std::string place, std::string message, std::string hint) {
    return {Severity::Error,        Trouble::Input,     "python/api",
            {"", std::move(place)}, std::move(message), {std::move(hint)}};
}

/// {"class_name", "config"} as the constructor of a module's class; other values as literals.
std::string objectText(const Json& value, const std::string& module) {
    if (!value.is_object() || !value.contains("class_name"))
        return pythonLiteral(value);
    std::vector<std::string> arguments;
    for (const auto& [key, entry] : value["config"].items()) {
        const bool isSchedule = key == "learning_rate" && entry.is_object() && entry.contains("class_name");
        arguments.push_back(key + "=" + objectText(entry, isSchedule ? module + ".schedules" : module));
    }
    const auto className = value["class_name"].get<std::string>();
    return fmt::format("{}.{}({})", className == "LossScaleOptimizer" ? "tf.keras.mixed_precision" : module,
                       className, fmt::join(arguments, ", "));
}

std::string objectsText(const Json& value, const std::string& module) {
    if (!value.is_array())
        return objectText(value, module);
    std::vector<std::string> list;
    for (const Json& entry : value)
        list.push_back(objectText(entry, module));
    return fmt::format("[{}]", fmt::join(list, ", "));
}

/// One option of set_pipelining_options as a keyword argument.
std::string pipelineArgument(const std::string& key, const Json& value) {
    const std::string module = "ipu.ops.pipelining_ops.";
    if (key == "schedule")
        return fmt::format("pipeline_schedule={}PipelineSchedule.{}", module, value.get<std::string>());
    if (key == "recomputation_mode")
        return fmt::format("recomputation_mode={}RecomputationMode.{}", module, value.get<std::string>());
    if (key.ends_with("_dtype") && value.is_string())
        return fmt::format("{}=tf.{}", key, value.get<std::string>());
    const auto options = [&](const Json& entry) {
        if (!entry.is_object())
            return pythonLiteral(entry);
        std::vector<std::string> arguments;
        for (const auto& [name, given] : entry.items())
            arguments.push_back(name + "=" + pythonLiteral(given));
        return fmt::format("{}PipelineStageOptions({})", module, fmt::join(arguments, ", "));
    };
    if (key.ends_with("_stages_poplar_options") && value.is_array()) {
        std::vector<std::string> list;
        std::transform(value.begin(), value.end(), std::back_inserter(list), options);
        return fmt::format("{}=[{}]", key, fmt::join(list, ", "));
    }
    if (key == "weight_update_poplar_options")
        return key + "=" + options(value);
    return key + "=" + pythonLiteral(value);
}

class ProgramWriter {
public:
    ProgramWriter(const Project& project, PythonApi api)
        : m_project(project)
        , m_isOld(api == PythonApi::TensorFlow21) {
        writePipelineOptions(project.pipeline, m_pipeline);
        if (!project.deviceMapping.ipus.empty())
            m_pipeline["device_mapping"] = toJson(project.deviceMapping);
        m_training = toJson(project.training);
    }

    Result<std::string> write() {
        if (const ScheduleDefinition& schedule = scheduleDefinition(m_project.pipeline.schedule);
            schedule.isWhatIf && m_project.assignment.isPipelined())
            return failure(
                {Severity::Error,
                 Trouble::Input,
                 "python/schedule",
                 {"", "/pipeline/schedule"},
                 fmt::format("the programming system has no schedule {}, so no program can ask for it",
                             schedule.name),
                 {"choose Grouped, Interleaved or Sequential before exporting"}});
        m_text.line("import tensorflow as tf");
        m_text.line("from tensorflow.python import ipu");
        m_text.line("import numpy as np");
        m_text.line("import os");
        m_text.line();
        writeConfiguration();
        writeDatasets();
        writeRecorder();
        auto model = writeModelFunctions();
        if (!model)
            return failure(model.error());
        m_text.line();
        m_text.line("strategy = ipu.ipu_strategy.IPUStrategy()");
        m_text.line("with strategy.scope():");
        m_text.indent();
        m_text.line("model = create_model()");
        if (!m_isOld)
            writeOptions();
        writeCompile();
        writeFit();
        m_text.dedent();
        if (!m_problem.empty())
            return failure(m_problem);
        return m_text.take();
    }

private:
    // ---- the system -------------------------------------------------------------------------------------

    void writeConfiguration() {
        if (m_isOld) {
            writeOldConfiguration();
            return;
        }
        m_text.line("# The IPU system.");
        m_text.line("config = ipu.config.IPUConfig()");
        if (!m_project.ipuConfig.values.contains("auto_select_ipus") &&
            !m_project.ipuConfig.values.contains("select_ipus"))
            m_text.line(fmt::format("config.auto_select_ipus = {}", m_project.system.ipus));
        for (const auto& [name, value] : m_project.ipuConfig.values)
            m_text.line(fmt::format("config.{} = {}", name, optionText(name, value)));
        m_text.line("config.configure_ipu_system()");
    }

    static std::string optionText(const std::string& name, const Json& value) {
        const IpuConfigOption* option = findIpuConfigOption(name);
        if (option == nullptr || option->type != OptionType::Choice || !value.is_string())
            return pythonLiteral(value);
        const std::string_view type = option->pythonType;
        const bool isConfig = type == "SchedulingAlgorithm" || type == "MergeRemoteBuffersBehaviour" ||
                              type == "SelectionOrder" || type == "StochasticRoundingBehaviour";
        if (type.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") !=
                std::string_view::npos ||
            type == "str")
            return pythonLiteral(value);
        return fmt::format("ipu.{}.{}.{}", isConfig ? "config" : "utils", type, value.get<std::string>());
    }

    /// The functions of the older API, each option put into the one that had it.
    void writeOldConfiguration() {
        m_text.line("# The IPU system.");
        std::map<std::string, Json, std::less<>> options = m_project.ipuConfig.values;
        if (!options.contains("auto_select_ipus") && !options.contains("select_ipus"))
            options["auto_select_ipus"] = m_project.system.ipus;
        for (const OlderConfigFunction& function : olderConfigFunctions()) {
            std::vector<std::string> arguments;
            for (const auto& [argument, option] : function.arguments) {
                const auto found = option.empty() ? options.end() : options.find(option);
                if (found == options.end())
                    continue;
                Json value = found->second;
                if (argument == "disable_graph_outlining" && value.is_boolean())
                    value = !value.get<bool>();
                arguments.push_back(fmt::format("{}={}", argument, optionText(found->first, value)));
                options.erase(found);
            }
            const std::string head = fmt::format("config = ipu.utils.{}", function.name);
            if (function.name == "create_ipu_config") {
                m_text.call(head, arguments);
            } else if (!arguments.empty()) {
                arguments.insert(arguments.begin(), "config");
                m_text.call(head, arguments);
            }
        }
        m_text.line("ipu.utils.configure_ipu_system(config)");
        for (const auto& [name, value] : options)
            m_problem.push_back(refusal("/ipu_config/" + name,
                                        fmt::format("TensorFlow 2.1 has no function that sets {}", name),
                                        "export for 2.4, or leave the option out"));
    }

    // ---- data -------------------------------------------------------------------------------------------

    void writeDatasets() {
        const TrainingOptions& training = m_project.training;
        m_text.line();
        m_text.line(fmt::format("BATCH_SIZE = {}", training.batchSize));
        const DatasetSpec* dataset = training.dataset ? &*training.dataset : nullptr;
        const bool repeats = dataset == nullptr || isRepeated(*dataset, training);
        writeDatasetProgram(m_text, {"create_dataset", dataset, &m_project.model, repeats});
        if (training.validationDataset)
            writeDatasetProgram(
                m_text, {"create_validation_dataset", &*training.validationDataset, &m_project.model, false});
    }

    // ---- the model --------------------------------------------------------------------------------------

    Result<void> writeModelFunctions() {
        ModelProgram request;
        request.model = &m_project.model;
        request.stages = m_project.assignment;
        request.isOld = m_isOld;
        if (m_isOld) {
            for (const auto& [key, value] : m_pipeline.items())
                request.arguments.push_back(oldArgument(key, value));
        }
        return writeModelProgram(m_text, request);
    }

    std::string oldArgument(const std::string& key, const Json& value) const {
        if (key == "gradient_accumulation_steps_per_replica")
            return "gradient_accumulation_count=" + pythonLiteral(value);
        return pipelineArgument(key, value);
    }

    void writeOptions() {
        if (m_pipeline.empty())
            return;
        std::vector<std::string> arguments;
        for (const auto& [key, value] : m_pipeline.items())
            arguments.push_back(pipelineArgument(key, value));
        const bool isPlain = !m_project.assignment.isPipelined();
        m_text.call(isPlain ? "model.set_gradient_accumulation_options" : "model.set_pipelining_options",
                    arguments);
    }

    // ---- training ---------------------------------------------------------------------------------------

    void writeCompile() {
        if (m_project.training.precision != "float32")
            m_text.line(fmt::format("tf.keras.mixed_precision.{}({})",
                                    m_isOld ? "experimental.set_policy" : "set_global_policy",
                                    pythonLiteral(m_project.training.precision)));
        if (m_project.training.seed != 0)
            m_text.line(fmt::format("tf.random.set_seed({})", m_project.training.seed));
        if (m_project.training.asynchronousCallbacks && !m_isOld)
            m_text.line("model.set_asynchronous_callbacks(True)");
        std::vector<std::string> arguments;
        if (m_training.contains("optimizer"))
            arguments.push_back("optimizer=" + optimizerText(m_training["optimizer"]));
        if (m_training.contains("loss"))
            arguments.push_back("loss=" + objectsText(m_training["loss"], "tf.keras.losses"));
        if (m_training.contains("metrics"))
            arguments.push_back("metrics=" + objectsText(m_training["metrics"], "tf.keras.metrics"));
        if (m_training.contains("steps_per_execution") && !m_isOld)
            arguments.push_back(fmt::format("steps_per_execution={}", m_project.training.stepsPerExecution));
        m_text.call("model.compile", arguments);
        if (m_training.contains("weights"))
            m_text.line(fmt::format("model.load_weights({})", pythonLiteral(m_training["weights"])));
    }

    /// TensorFlow 2.1 gives the scale itself to the optimizer that multiplies the loss by it.
    [[nodiscard]] std::string optimizerText(const Json& optimizer) const {
        const std::string module = "tf.keras.optimizers";
        const bool scalesLoss =
            optimizer.is_object() && optimizer.value("class_name", "") == "LossScaleOptimizer";
        if (!m_isOld || !scalesLoss)
            return objectText(optimizer, module);
        const Json& config = optimizer["config"];
        std::string scale =
            config.contains("initial_scale") ? pythonLiteral(config["initial_scale"]) : "32768";
        if (config.value("dynamic", true)) {
            std::vector<std::string> arguments;
            if (config.contains("initial_scale"))
                arguments.push_back("initial_loss_scale=" + scale);
            if (config.contains("dynamic_growth_steps"))
                arguments.push_back("increment_period=" + pythonLiteral(config["dynamic_growth_steps"]));
            scale = fmt::format("tf.train.experimental.DynamicLossScale({})", fmt::join(arguments, ", "));
        }
        return fmt::format("tf.keras.mixed_precision.experimental.LossScaleOptimizer({}, {})",
                           objectText(config["inner_optimizer"], module), scale);
    }

    /// The callback of this program has no class in Keras: one that does what it can without data.
    void writeRecorder() {
        if (std::ranges::none_of(m_project.training.callbacks, [](const KerasObject& callback) {
                return callback.className == "RecordTraining";
            }))
            return;
        for (const char* line :
             {"", "", "class RecordTraining(tf.keras.callbacks.Callback):",
              "    # Norms and histograms of the weights; the rest is recorded by the workbench.",
              "    def __init__(self, tensor_statistics=0, histogram_bins=32,",
              "                 confusion_matrix=False, sample_predictions=0):", "        super().__init__()",
              "        self.every = tensor_statistics", "        self.bins = histogram_bins",
              "        self.records = []", "", "    def on_train_batch_end(self, batch, logs=None):",
              "        if self.every > 0 and batch % self.every == 0:",
              "            for weight in self.model.trainable_weights:",
              "                values = weight.numpy()",
              "                self.records.append((batch, weight.name, np.linalg.norm(values),",
              "                                     np.histogram(values, self.bins)))"})
            m_text.line(line);
    }

    /// Where the class of a callback is.
    std::string callbackClass(const std::string& className) {
        if (className == "RecordTraining")
            return className;
        if (className != "BackupAndRestore")
            return "tf.keras.callbacks." + className;
        if (m_isOld)
            m_problem.push_back(refusal("/training/callbacks", "TensorFlow 2.1 has no BackupAndRestore",
                                        "export for 2.4, or use ModelCheckpoint"));
        return "tf.keras.callbacks.experimental." + className;
    }

    std::string callbackText(const Json& callback) {
        const auto className = callback["class_name"].get<std::string>();
        std::vector<std::string> arguments;
        const Json config = callback.value("config", Json::object());
        for (const auto& [name, value] : config.items()) {
            if (name == "start_from_epoch" || name == "delete_checkpoint")
                m_problem.push_back(refusal("/training/callbacks",
                                            fmt::format("{} of TensorFlow {} has no argument \"{}\"",
                                                        className, m_isOld ? "2.1" : "2.4", name),
                                            "leave it at its default"));
            arguments.push_back(name + "=" + pythonLiteral(value));
        }
        return fmt::format("{}({})", callbackClass(className), fmt::join(arguments, ", "));
    }

    /// {class: weight} of the dataset's list.
    std::string classWeights() const {
        std::vector<std::string> entries;
        const Json& weights = m_project.training.dataset->parameters["class_weights"];
        for (std::size_t i = 0; i < weights.size(); ++i)
            entries.push_back(fmt::format("{}: {}", i, pythonLiteral(weights[i])));
        return fmt::format("{{{}}}", fmt::join(entries, ", "));
    }

    void writeFit() {
        std::vector<std::string> arguments{"create_dataset()"};
        for (const char* key : {"epochs", "steps_per_epoch", "validation_split"}) {
            if (m_training.contains(key))
                arguments.push_back(fmt::format("{}={}", key, pythonLiteral(m_training[key])));
        }
        const TrainingOptions& training = m_project.training;
        if (training.validationDataset)
            arguments.emplace_back("validation_data=create_validation_dataset()");
        if (training.dataset && training.dataset->parameters.contains("class_weights"))
            arguments.push_back("class_weight=" + classWeights());
        std::vector<std::string> callbacks;
        for (const Json& callback : m_training.value("callbacks", Json::array()))
            callbacks.push_back(callbackText(callback));
        if (!callbacks.empty())
            arguments.push_back(fmt::format("callbacks=[{}]", fmt::join(callbacks, ", ")));
        if (m_isOld && m_training.contains("steps_per_execution"))
            arguments.push_back(fmt::format("steps_per_run={}", m_project.training.stepsPerExecution));
        m_text.call("model.fit", arguments);
    }

    const Project& m_project;
    bool m_isOld;
    Json m_pipeline = Json::object();
    Json m_training;
    PythonText m_text;
    Diagnostics m_problem;
};

} // namespace

Result<std::string> writeProgramText(const Project& project, PythonApi api) {
    return ProgramWriter(project, api).write();
}

} // namespace core
