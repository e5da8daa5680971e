#include "core/interchange/python/writer/training_writer.h"

#include "core/catalogue/losses.h"
#include "core/catalogue/optimizers.h"
#include "core/config/loss_weight.h"
#include "core/interchange/python/writer/layers/library_classes.h"
#include "core/interchange/python/writer/option_text.h"
#include "core/project/options/option_sections.h"
#include "core/project/options/option_table.h"
#include "core/project/run_figures.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <numeric>

namespace core {

namespace {

// What TensorFlow 2.4 does not have yet, or does not take. Source: its reference of tf.keras.
constexpr std::string_view newerOptimizers = "AdamW LAMB";
constexpr std::string_view newerOptimizerKeys =
    "weight_decay use_ema ema_momentum ema_overwrite_frequency jit_compile loss_scale_factor "
    "gradient_accumulation_steps";
constexpr std::string_view newerLosses =
    "BinaryFocalCrossentropy CategoricalFocalCrossentropy Dice Tversky Circle";
constexpr std::string_view lossesWithoutAxis =
    "SparseCategoricalCrossentropy CategoricalCrossentropy BinaryCrossentropy";
constexpr std::string_view newerCallbackKeys = "start_from_epoch delete_checkpoint";
/// Callbacks that look at "val_loss" where they are told nothing else.
constexpr std::string_view monitoringCallbacks = "EarlyStopping ModelCheckpoint ReduceLROnPlateau";

bool isObject(const Json& value) {
    return value.is_object() && value.contains("class_name") && value["class_name"].is_string();
}

class TrainingWriter {
public:
    TrainingWriter(PythonText& text, const TrainingProgram& program)
        : m_text(text)
        , m_program(program)
        , m_project(program.project)
        , m_isOld(program.api == PythonApi::TensorFlow21)
        , m_training(trainingSection(program.project)) {}

    Diagnostics write() {
        if (!m_training.contains("optimizer") && !m_training.contains("loss")) {
            writeCompile();
            writePredict();
            return std::move(m_problems);
        }
        if (needsOwnLoop(m_project)) {
            writeLoop();
            return std::move(m_problems);
        }
        writeCompile();
        for (const std::string& table : m_program.hostTables) {
            m_text.line(fmt::format("with model.get_layer({}).table.register():", pythonLiteral(table)));
            m_text.indent();
        }
        writeFit();
        if (m_isOld && (m_project.training.validationDataset || m_project.training.validationSteps))
            writeValidation();
        for (std::size_t i = 0; i < m_program.hostTables.size(); ++i)
            m_text.dedent();
        return std::move(m_problems);
    }

private:
    void refuse(const char* place, std::string message, std::string hint) {
        m_problems.push_back(
            makeError(Trouble::Input, "python/api", {"", place}, std::move(message), {std::move(hint)}));
    }

    // ---- objects ----------------------------------------------------------------------------------------

    /// {"class_name", "config"} as the constructor of a module's class; other values as literals.
    std::string objectText(const Json& value, const std::string& module, const char* place) {
        if (!isObject(value)) {
            if (value.is_string())
                checkName(value.get<std::string>(), place);
            return pythonLiteral(value);
        }
        const auto className = value["class_name"].get<std::string>();
        checkName(className, place);
        std::vector<std::string> arguments;
        const Json config = value.value("config", Json::object());
        for (const auto& [key, entry] : config.items())
            if (isTaken(className, key, entry, place))
                arguments.push_back(key + "=" + argumentText(key, entry, module, place));
        return fmt::format("{}.{}({})",
                           className.ends_with("CosineDecay") || className == "CosineDecayRestarts"
                               ? "tf.keras.experimental"
                               : module,
                           className, fmt::join(arguments, ", "));
    }

    /// Of an optimizer or a loss: its class, or Keras' text for it.
    void checkName(const std::string& name, const char* place) {
        const LossDefinition* loss = findLoss(name);
        const KerasClass* optimizer = optimizerCatalogue().find(name);
        const bool isLoss = loss != nullptr && hasWord(newerLosses, loss->className);
        const bool isOptimizer = optimizer != nullptr && hasWord(newerOptimizers, optimizer->className);
        if (isLoss || isOptimizer)
            refuse(place, fmt::format("{} has no {}", nameOf(m_program.api), name),
                   isLoss ? "choose another loss, such as BinaryCrossentropy"
                          : "choose another optimizer, such as Adam");
    }

    std::string argumentText(const std::string& key, const Json& entry, const std::string& module,
                             const char* place) {
        const bool isSchedule = key == "learning_rate" && isObject(entry);
        return objectText(entry, isSchedule ? module + ".schedules" : module, place);
    }

    /// Whether the edition's class takes an argument; one that says nothing is left out.
    bool isTaken(const std::string& className, const std::string& key, const Json& value, const char* place) {
        const bool isNewer = hasWord(newerOptimizerKeys, key) || (m_isOld && key == "global_clipnorm") ||
                             (key == "axis" && hasWord(lossesWithoutAxis, className) &&
                              std::string_view(place) == "/training/loss");
        if (!isNewer)
            return true;
        if (!value.is_null() && value != false && value != -1)
            refuse(place,
                   fmt::format("{} of {} has no argument \"{}\"", className, nameOf(m_program.api), key),
                   "leave it at its default");
        return false;
    }

    std::string objectsText(const Json& value, const std::string& module, const char* place) {
        if (!value.is_array())
            return objectText(value, module, place);
        std::vector<std::string> list;
        for (const Json& entry : value)
            list.push_back(objectsText(entry, module, place)); // of metrics, by output
        return fmt::format("[{}]", fmt::join(list, ", "));
    }

    /// A class of the program makes something of its gradients before it takes them.
    std::string ownText(const Json& optimizer, const std::string& module, const char* place) {
        Json own = optimizer;
        const WrittenOptimizer& written = m_program.optimizer;
        if (isObject(own) && own.contains("config")) {
            Json& config = own["config"];
            config.erase("gradient_decay");
            for (const std::string& key : written.done)
                config.erase(key);
            if (written.older != nullptr)
                return olderOptimizerText(*written.older, written.ownClass, config);
            const Json whole = config;
            for (const auto& entry : whole.items()) // the class of the program says them
                if (isOlderRule(entry.key()))
                    config.erase(entry.key());
        }
        if (written.ownClass.empty())
            return objectText(own, module, place);
        if (!isObject(own))
            return written.ownClass + "()";
        const std::string text = objectText(own, module, place);
        return written.ownClass + text.substr(text.find('('));
    }

    /// TensorFlow 2.1 gives the scale itself to the optimizer that multiplies the loss by it.
    std::string optimizerText(const Json& optimizer) {
        constexpr const char* place = "/training/optimizer";
        const std::string module = "tf.keras.optimizers";
        const bool scalesLoss = isObject(optimizer) && optimizer["class_name"] == "LossScaleOptimizer";
        if (!scalesLoss)
            return ownText(optimizer, module, place);
        const Json& config = optimizer["config"];
        const std::string inner = ownText(config["inner_optimizer"], module, place);
        if (!m_isOld) {
            std::vector<std::string> arguments{inner};
            for (const auto& [key, entry] : config.items())
                if (key != "inner_optimizer")
                    arguments.push_back(key + "=" + pythonLiteral(entry));
            return fmt::format("tf.keras.mixed_precision.LossScaleOptimizer({})", fmt::join(arguments, ", "));
        }
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
        return fmt::format("tf.keras.mixed_precision.experimental.LossScaleOptimizer({}, {})", inner, scale);
    }

    // ---- compile ----------------------------------------------------------------------------------------

    void writeStatements(PythonSite site) {
        for (const ProjectOption* option : optionsOf(m_project, site, m_program.api)) {
            const std::string_view text = spellingOf(*option, m_program.api).text;
            if (text.starts_with("model."))
                m_text.line(fmt::format(fmt::runtime(text), pythonLiteral(option->field.value(m_project))));
        }
    }

    /// Functions of the program, and losses of Keras.
    std::string lossesText(const Json& losses) {
        std::vector<std::string> list;
        const auto text = [&](const Json& loss) {
            const std::string& own =
                list.size() < m_program.lossFunctions.size() ? m_program.lossFunctions[list.size()] : "";
            return own.empty() ? objectText(loss, "tf.keras.losses", "/training/loss") : own;
        };
        if (!losses.is_array())
            return text(losses);
        for (const Json& loss : losses)
            list.push_back(text(loss));
        return fmt::format("[{}]", fmt::join(list, ", "));
    }

    void writeCompile() {
        writeStatements(PythonSite::BeforeCompile);
        std::vector<std::string> arguments;
        if (m_training.contains("optimizer"))
            arguments.push_back("optimizer=" + optimizerText(m_training["optimizer"]));
        if (m_training.contains("loss"))
            arguments.push_back("loss=" + lossesText(m_training["loss"]));
        if (m_training.contains("loss_weights"))
            arguments.push_back("loss_weights=" + pythonLiteral(m_training["loss_weights"]));
        if (m_training.contains("metrics"))
            arguments.push_back("metrics=" +
                                objectsText(m_training["metrics"], "tf.keras.metrics", "/training/metrics"));
        std::ranges::move(optionArguments(m_project, PythonSite::Compile, m_program.api),
                          std::back_inserter(arguments));
        m_text.call("model.compile", arguments);
        writeStatements(PythonSite::AfterCompile);
    }

    // ---- fit --------------------------------------------------------------------------------------------

    /// Where the class of a callback is.
    std::string callbackClass(const std::string& className) {
        if (className == "RecordTraining")
            return className;
        if (className != "BackupAndRestore")
            return "tf.keras.callbacks." + className;
        if (m_isOld)
            refuse("/training/callbacks", "TensorFlow 2.1 has no BackupAndRestore",
                   "export for 2.4, or use ModelCheckpoint");
        return "tf.keras.callbacks.experimental." + className;
    }

    /// A function of the epoch; Keras takes no whole numbers from it.
    static std::string rateFunction(const Json& rates) {
        Json fractions = Json::array();
        for (const Json& rate : rates)
            fractions.push_back(rate.get<double>());
        return fmt::format("lambda epoch: {}[min(epoch, {})]", pythonLiteral(fractions), rates.size() - 1);
    }

    std::string callbackText(const Json& callback) {
        const bool isName = callback.is_string();
        const auto className = (isName ? callback : callback["class_name"]).get<std::string>();
        std::vector<std::string> arguments;
        const Json config = isName ? Json::object() : callback.value("config", Json::object());
        for (const auto& [name, value] : config.items()) {
            if (hasWord(newerCallbackKeys, name))
                refuse("/training/callbacks",
                       fmt::format("{} of {} has no argument \"{}\"", className, nameOf(m_program.api), name),
                       "leave it at its default");
            arguments.push_back(name + "=" +
                                (name == "schedule" ? rateFunction(value) : pythonLiteral(value)));
        }
        return fmt::format("{}({})", callbackClass(className), fmt::join(arguments, ", "));
    }

    /// {class: weight} of the dataset's list.
    [[nodiscard]] std::string classWeights() const {
        std::vector<std::string> entries;
        const Json& weights = m_project.training.dataset->parameters["class_weights"];
        for (std::size_t i = 0; i < weights.size(); ++i)
            entries.push_back(fmt::format("{}: {}", i, pythonLiteral(weights[i])));
        return fmt::format("{{{}}}", fmt::join(entries, ", "));
    }

    /// The project whose steps are counted as the edition counts them: a step of TensorFlow 2.1 is an update
    /// of the weights.
    Project withCountedSteps() {
        Project counted = m_project;
        const std::int64_t updates = counted.pipeline.gradientAccumulationSteps.value_or(1);
        // Made-up samples never end, and Keras asks how many steps an epoch then has: one execution.
        if (!counted.training.dataset && !counted.training.stepsPerEpoch)
            counted.training.stepsPerEpoch = std::lcm(counted.training.stepsPerExecution, updates) *
                                             runFigures(m_project, RunMode::Train, std::nullopt).replicas;
        if (!m_isOld || updates <= 1)
            return counted;
        const auto count = [&](std::int64_t& steps, const char* key) {
            if (steps % updates != 0)
                refuse(fmt::format("/training/{}", key).c_str(),
                       fmt::format(
                           "a step of TensorFlow 2.1 is an update of the weights, {} micro-batches; {} is "
                           "no multiple of it",
                           updates, steps),
                       "choose a multiple, or export for 2.4");
            steps = std::max<std::int64_t>(steps / updates, 1);
        };
        if (counted.training.stepsPerEpoch)
            count(*counted.training.stepsPerEpoch, "steps_per_epoch");
        if (counted.training.stepsPerExecution > 1)
            count(counted.training.stepsPerExecution, "steps_per_execution");
        return counted;
    }

    /// A project without a training only answers, micro-batch by micro-batch in both editions.
    void writePredict() {
        const TrainingOptions& training = m_project.training;
        const RunFigures figures = runFigures(m_project, RunMode::Predict, std::nullopt);
        if (figures.isPipelined && m_project.pipeline.repeatCount.value_or(1) > 1)
            refuse("/pipeline/repeat_count",
                   "predict() runs the pipeline once with all steps of an execution",
                   "leave repeat_count out");
        std::vector<std::string> arguments{"create_dataset()"};
        // Made-up samples never end.
        if (training.stepsPerEpoch || !training.dataset)
            arguments.push_back(fmt::format(
                "steps={}", training.stepsPerEpoch.value_or(training.stepsPerExecution * figures.replicas)));
        if (m_isOld)
            arguments.push_back(fmt::format("steps_per_run={}", training.stepsPerExecution));
        m_text.call("model.predict", arguments);
    }

    /// Executions of a function that feeds itself, as often as fit() would run it.
    void writeLoop() {
        const TrainingOptions& training = m_project.training;
        const RunFigures figures = runFigures(m_project, RunMode::Train, std::nullopt);
        const std::int64_t steps = figures.stepsPerExecution;
        const std::int64_t executions = std::max<std::int64_t>(
            figures.stepsPerReplica.value_or(steps) / std::max<std::int64_t>(steps, 1), 1);
        const KerasObject& loss = training.losses.front();
        const auto last = projectOption("training.outfeed_mode").field.value(m_project).get<std::string>();
        m_text.line("optimizer = " + optimizerText(m_training["optimizer"]));
        m_text.line("loss_function = " + objectText({{"class_name", loss.className}, {"config", loss.config}},
                                                    "tf.keras.losses", "/training/loss"));
        m_text.line(fmt::format("outfeed = ipu.ipu_outfeed_queue.IPUOutfeedQueue("
                                "outfeed_mode=ipu.ipu_outfeed_queue.IPUOutfeedMode.{})",
                                last));
        m_text.line("iterator = iter(create_dataset())");
        m_text.line();
        m_text.line("@tf.function(experimental_compile=True)");
        m_text.line("def train(iterator):");
        m_text.indent();
        m_text.line(fmt::format("for _ in tf.range({}):", steps));
        m_text.indent();
        m_text.line("features, labels = next(iterator)");
        m_text.line("with tf.GradientTape() as tape:");
        m_text.indent();
        m_text.line("loss = loss_function(labels, model(features, training=True))");
        m_text.dedent();
        m_text.line("gradients = tape.gradient(loss, model.trainable_variables)");
        m_text.line("optimizer.apply_gradients(zip(gradients, model.trainable_variables))");
        m_text.line("outfeed.enqueue(loss)");
        m_text.dedent();
        m_text.dedent();
        m_text.line();
        m_text.line(fmt::format("for epoch in range({}):", training.epochs));
        m_text.indent();
        m_text.line(fmt::format("for _ in range({}):", executions));
        m_text.indent();
        m_text.line("strategy.run(train, args=[iterator])");
        m_text.line("print(outfeed.dequeue())");
        m_text.dedent();
        m_text.dedent();
    }

    void writeFit() {
        const TrainingOptions& training = m_project.training;
        const Project counted = withCountedSteps();
        std::vector<std::string> arguments{"create_dataset()"};
        std::ranges::move(optionArguments(counted, PythonSite::Fit, m_program.api),
                          std::back_inserter(arguments));
        if (training.validationDataset && !m_isOld)
            arguments.emplace_back("validation_data=create_validation_dataset()");
        if (training.dataset && training.dataset->parameters.contains("class_weights"))
            arguments.push_back("class_weight=" + classWeights());
        std::vector<std::string> callbacks;
        for (const Json& callback : m_training.value("callbacks", Json::array()))
            callbacks.push_back(callbackText(callback));
        if (!callbacks.empty())
            arguments.push_back(fmt::format("callbacks=[{}]", fmt::join(callbacks, ", ")));
        if (m_isOld && counted.training.stepsPerExecution == 1)
            arguments.emplace_back("steps_per_run=1"); // otherwise it is all steps of an epoch
        std::ranges::move(optionArguments(counted, PythonSite::LastOfFit, m_program.api),
                          std::back_inserter(arguments));
        m_text.call("model.fit", arguments);
    }

    /// The models of TensorFlow 2.1 for IPUs validate nothing while they train: once behind it.
    void writeValidation() {
        const Json callbacks = m_training.value("callbacks", Json::array());
        for (const Json& callback : callbacks) {
            const Json monitor = isObject(callback) && callback.contains("config")
                                     ? callback["config"].value("monitor", Json("val_loss"))
                                     : Json("val_loss");
            const std::string name = isObject(callback)     ? callback["class_name"].get<std::string>()
                                     : callback.is_string() ? callback.get<std::string>()
                                                            : "";
            if (hasWord(monitoringCallbacks, name) && monitor.is_string() &&
                monitor.get<std::string>().starts_with("val_"))
                refuse("/training/callbacks",
                       fmt::format("fit() of {} has no validation_data, so that {} has no {}",
                                   nameOf(m_program.api), name, monitor.get<std::string>()),
                       "let it monitor \"loss\", or export for 2.4");
        }
        const TrainingOptions& training = m_project.training;
        m_text.line("# fit() of these models takes no validation_data: what it would tell stands behind it.");
        std::vector<std::string> arguments{training.validationDataset ? "create_validation_dataset()"
                                                                      : "create_dataset()"};
        if (training.validationSteps)
            arguments.push_back(fmt::format("steps={}", *training.validationSteps));
        arguments.emplace_back("steps_per_run=1");
        m_text.call("model.evaluate", arguments);
    }

    PythonText& m_text;
    const TrainingProgram& m_program;
    const Project& m_project;
    bool m_isOld;
    Json m_training;
    Diagnostics m_problems;
};

} // namespace

bool needsOwnLoop(const Project& project) {
    return project.training.optimizer && differsFromDefault(project, projectOption("training.outfeed_mode"));
}

std::optional<std::string> missingInOwnLoop(const Project& project, PythonApi api) {
    const TrainingOptions& training = project.training;
    const auto isRegularized = [](const Layer& layer) {
        return std::ranges::any_of(layer.config.items(), [](const auto& entry) {
            return entry.key().ends_with("_regularizer") && !entry.value().is_null();
        });
    };
    const bool isPlain = training.losses.size() == 1 && !training.losses.front().config.contains("model") &&
                         project.model.outputs.size() == 1 && project.model.inputs.size() == 1;
    if (api == PythonApi::TensorFlow21)
        return "export for 2.4";
    for (const char* depth : {"training.infeed.prefetch_depth", "training.outfeed.buffer_depth"})
        if (differsFromDefault(project, projectOption(depth)))
            return "leave the depths of the queues at their defaults";
    if (project.assignment.isPipelined() || project.pipeline.gradientAccumulationSteps.value_or(1) > 1)
        return "train without stages and accumulation";
    if (!isPlain || std::ranges::any_of(project.model.layers, isRegularized))
        return "train one output by one loss of Keras, without regularizers";
    if (hasLossWeights(training.losses))
        return "leave loss_weights out";
    if (!training.metrics.empty() || !training.callbacks.empty() || training.validationDataset ||
        training.validationSteps)
        return "leave out metrics, callbacks and validation";
    if (training.dataset &&
        (!training.stepsPerEpoch || training.dataset->parameters.contains("class_weights")))
        return "set training.steps_per_epoch, and leave out class weights";
    return std::nullopt;
}

Diagnostics writeTraining(PythonText& text, const TrainingProgram& program) {
    return TrainingWriter(text, program).write();
}

} // namespace core
