#include "core/interchange/python/writer/program_writer.h"

#include "core/config/ipu_config/ipu_config_table.h"
#include "core/interchange/python/writer/dataset_writer.h"
#include "core/interchange/python/writer/model_writer.h"
#include "core/interchange/python/writer/python_text.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/project/options/option_sections.h"
#include "core/project/options/option_table.h"
#include "core/project/run_figures.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>

namespace core {

namespace {

Diagnostic refusal(std::string place, std::string message, std::string hint) {
    return makeError(Trouble::Input, "python/api", {"", std::move(place)}, std::move(message),
                     {std::move(hint)});
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

std::string stageOptionsText(const Json& entry) {
    if (!entry.is_object())
        return pythonLiteral(entry);
    std::vector<std::string> arguments;
    for (const auto& [name, given] : entry.items())
        arguments.push_back(name + "=" + pythonLiteral(given));
    return fmt::format("ipu.ops.pipelining_ops.PipelineStageOptions({})", fmt::join(arguments, ", "));
}

/// The value of an option as its row says that Python writes it.
std::string valueText(const PythonSpelling& python, const Json& value) {
    switch (python.form) {
    case PythonForm::Literal:
        break;
    case PythonForm::Member:
        return fmt::format("{}.{}", python.text, value.get<std::string>());
    case PythonForm::DataType:
        return fmt::format("tf.{}", value.get<std::string>());
    case PythonForm::StageOptions:
        return stageOptionsText(value);
    case PythonForm::StageOptionsList: {
        std::vector<std::string> list;
        std::ranges::transform(value, std::back_inserter(list), stageOptionsText);
        return fmt::format("[{}]", fmt::join(list, ", "));
    }
    }
    return pythonLiteral(value);
}

const PythonSpelling& spellingOf(const ProjectOption& option, bool isOld) {
    return isOld && option.olderPython ? *option.olderPython : option.python;
}

/// The options of the sections that one statement says and that differ from their defaults, in its order.
std::vector<const ProjectOption*> optionsOf(const Project& project, PythonSite site, bool isOld) {
    std::vector<const ProjectOption*> found;
    for (const std::string_view parent : {"pipeline", "training", "training.infeed", "training.outfeed"})
        for (const ProjectOption* option : projectOptionsInFileOrder(parent))
            if (spellingOf(*option, isOld).site == site && differsFromDefault(project, *option))
                found.push_back(option);
    std::ranges::stable_sort(found, {},
                             [&](const ProjectOption* option) { return spellingOf(*option, isOld).place; });
    return found;
}

class ProgramWriter {
public:
    ProgramWriter(const Project& project, PythonApi api)
        : m_project(project)
        , m_isOld(api == PythonApi::TensorFlow21) {
        m_training = trainingSection(project);
    }

    Result<std::string> write() {
        if (const ScheduleDefinition& schedule = scheduleDefinition(m_project.pipeline.schedule);
            schedule.isWhatIf && m_project.assignment.isPipelined())
            return failure(makeError(
                Trouble::Input, "python/schedule", {"", "/pipeline/schedule"},
                fmt::format("the programming system has no schedule {}, so no program can ask for it",
                            schedule.name),
                {"choose Grouped, Interleaved or Sequential before exporting"}));
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
        if (m_isOld)
            request.arguments = argumentsOf(PythonSite::Options);
        return writeModelProgram(m_text, request);
    }

    /// Keyword arguments of one call.
    [[nodiscard]] std::vector<std::string> argumentsOf(PythonSite site) const {
        std::vector<std::string> arguments;
        for (const ProjectOption* option : optionsOf(m_project, site, m_isOld)) {
            const PythonSpelling& python = spellingOf(*option, m_isOld);
            arguments.push_back(fmt::format("{}={}", python.keyword.empty() ? option->key() : python.keyword,
                                            valueText(python, option->field.value(m_project))));
        }
        return arguments;
    }

    /// Statements of their own, one for each option.
    void writeStatements(PythonSite site) {
        for (const ProjectOption* option : optionsOf(m_project, site, m_isOld))
            m_text.line(fmt::format(fmt::runtime(spellingOf(*option, m_isOld).text),
                                    pythonLiteral(option->field.value(m_project))));
    }

    void writeOptions() {
        const std::vector<std::string> arguments = argumentsOf(PythonSite::Options);
        if (arguments.empty())
            return;
        const bool isPlain = !m_project.assignment.isPipelined();
        m_text.call(isPlain ? "model.set_gradient_accumulation_options" : "model.set_pipelining_options",
                    arguments);
    }

    // ---- training ---------------------------------------------------------------------------------------

    void writeCompile() {
        writeStatements(PythonSite::BeforeCompile);
        std::vector<std::string> arguments;
        if (m_training.contains("optimizer"))
            arguments.push_back("optimizer=" + optimizerText(m_training["optimizer"]));
        if (m_training.contains("loss"))
            arguments.push_back("loss=" + objectsText(m_training["loss"], "tf.keras.losses"));
        if (m_training.contains("metrics"))
            arguments.push_back("metrics=" + objectsText(m_training["metrics"], "tf.keras.metrics"));
        std::ranges::move(argumentsOf(PythonSite::Compile), std::back_inserter(arguments));
        m_text.call("model.compile", arguments);
        writeStatements(PythonSite::AfterCompile);
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
        std::ranges::move(argumentsOf(PythonSite::Fit), std::back_inserter(arguments));
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
        std::ranges::move(argumentsOf(PythonSite::LastOfFit), std::back_inserter(arguments));
        m_text.call("model.fit", arguments);
    }

    const Project& m_project;
    bool m_isOld;
    Json m_training;
    PythonText m_text;
    Diagnostics m_problem;
};

} // namespace

Result<std::string> writeProgramText(const Project& project, PythonApi api) {
    return ProgramWriter(project, api).write();
}

} // namespace core
