// Programs from projects.
#include "core/config/ipu_config_table.h"
#include "core/config/pipeline_options_json.h"
#include "core/config/training_options_json.h"
#include "core/interchange/python/python_model_writer.h"
#include "core/interchange/python/python_program.h"
#include "core/interchange/python/python_text.h"
#include "core/plan/stage_assignment_json.h"

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
        m_text.line("import tensorflow as tf");
        m_text.line("from tensorflow.python import ipu");
        const auto kind = m_project.training.dataset ? m_project.training.dataset->kind : "";
        m_text.line("import numpy as np");
        m_text.line();
        writeConfiguration();
        writeDataset(kind);
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

    void writeDataset(const std::string& kind) {
        const Json parameters =
            m_project.training.dataset ? m_project.training.dataset->parameters : Json::object();
        const auto text = [&](const char* key) {
            return pythonLiteral(parameters.contains(key) ? parameters[key] : Json());
        };
        m_text.line();
        m_text.line(fmt::format("BATCH_SIZE = {}", m_project.training.batchSize));
        m_text.line();
        m_text.line();
        m_text.line("def create_dataset():");
        m_text.indent();
        if (kind == "idx") {
            m_text.line(fmt::format("images = np.fromfile({}, dtype=\">u1\")[16:]", text("images")));
            m_text.line(fmt::format("labels = np.fromfile({}, dtype=\">u1\")[8:]", text("labels")));
            m_text.line(fmt::format("images = images.reshape((len(labels),) + tuple({})).astype(\"float32\")",
                                    pythonLiteral(idxShape(parameters))));
            if (parameters.contains("scale"))
                m_text.line(fmt::format("images = images / {}", text("scale")));
            m_text.line("dataset = tf.data.Dataset.from_tensor_slices((images, labels.astype(\"int32\")))");
        } else if (kind == "csv") {
            m_text.line(fmt::format("rows = np.loadtxt({}, delimiter=\",\", skiprows=1, dtype=\"float32\")",
                                    text("file")));
            m_text.line("dataset = tf.data.Dataset.from_tensor_slices((rows[:, :-1], rows[:, -1]))");
        } else if (kind == "npz" || kind == "npy") {
            m_text.line(fmt::format("arrays = np.load({})", text("file")));
            m_text.line("dataset = tf.data.Dataset.from_tensor_slices((arrays[\"x\"], arrays[\"y\"]))");
        } else {
            writeSyntheticData();
        }
        m_text.line("dataset = dataset.shuffle(10000).batch(BATCH_SIZE, drop_remainder=True)");
        m_text.line("return dataset.repeat().prefetch(16)");
        m_text.dedent();
    }

    static Json idxShape(const Json& parameters) {
        return parameters.contains("shape") ? parameters["shape"] : Json::array({28, 28});
    }

    /// Random numbers in the shapes of the model.
    void writeSyntheticData() {
        m_text.line("# Made-up samples: replace them by your own.");
        m_text.line("rng = np.random.default_rng(0)");
        std::vector<std::string> features;
        for (const TensorRef& input : m_project.model.inputs) {
            const Json& config = m_project.model.layer(input.invocation).config;
            Json shape;
            for (const char* key : {"batch_input_shape", "batch_shape"})
                shape = config.contains(key) ? config[key] : shape;
            Json extents = Json::array({1024});
            for (std::size_t i = 1; shape.is_array() && i < shape.size(); ++i)
                extents.push_back(shape[i].is_null() ? Json(32) : shape[i]);
            features.push_back(fmt::format("rng.random({}, dtype=\"float32\")", pythonLiteral(extents)));
        }
        m_text.line(fmt::format("features = ({},)", fmt::join(features, ", ")));
        m_text.line("labels = rng.integers(0, 10, 1024)");
        m_text.line("dataset = tf.data.Dataset.from_tensor_slices((features, labels))");
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
            m_text.line(fmt::format("tf.keras.mixed_precision.set_global_policy({})",
                                    pythonLiteral(m_project.training.precision)));
        if (m_project.training.seed != 0)
            m_text.line(fmt::format("tf.random.set_seed({})", m_project.training.seed));
        if (m_project.training.asynchronousCallbacks && !m_isOld)
            m_text.line("model.set_asynchronous_callbacks(True)");
        std::vector<std::string> arguments;
        if (m_training.contains("optimizer"))
            arguments.push_back("optimizer=" + objectText(m_training["optimizer"], "tf.keras.optimizers"));
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

    void writeFit() {
        std::vector<std::string> arguments{"create_dataset()"};
        for (const char* key : {"epochs", "steps_per_epoch", "validation_split"}) {
            if (m_training.contains(key))
                arguments.push_back(fmt::format("{}={}", key, pythonLiteral(m_training[key])));
        }
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

Result<std::string> writePythonProgram(const Project& project, PythonApi api) {
    auto text = ProgramWriter(project, api).write();
    if (!text)
        return text;
    // What reading the program does not give again goes into a comment.
    const auto again = readPythonProgram(*text, "program");
    if (!again)
        return failure(again.error());
    const Json patch = Json::diff(toJson(again->project), toJson(project));
    if (!patch.empty())
        *text += fmt::format("\n{}{}\n", pythonRemainder, toText(patch, -1));
    return text;
}

} // namespace core
