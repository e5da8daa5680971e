#include "core/interchange/python/writer/training_writer.h"

#include "core/catalogue/losses.h"
#include "core/catalogue/optimizers.h"
#include "core/interchange/python/writer/layers/library_classes.h"
#include "core/interchange/python/writer/option_text.h"
#include "core/project/options/option_sections.h"
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
        writeCompile();
        for (const std::string& table : m_program.hostTables) {
            m_text.line(fmt::format("with model.get_layer({}).table.register():", pythonLiteral(table)));
            m_text.indent();
        }
        writeFit();
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

    /// Its gradients may be decayed before it takes them.
    std::string decayedText(const Json& optimizer, const std::string& module, const char* place) {
        constexpr const char* key = "gradient_decay";
        if (!isObject(optimizer) || !optimizer.contains("config") || !optimizer["config"].contains(key))
            return objectText(optimizer, module, place);
        Json wrapped = optimizer;
        const Json decay = optimizer["config"][key];
        wrapped["config"].erase(key);
        if (decay == 0)
            return objectText(wrapped, module, place);
        return fmt::format(
            "ipu.optimizers.MapGradientOptimizer({}, lambda gradient, variable: gradient + {} * variable)",
            objectText(wrapped, module, place), pythonLiteral(decay));
    }

    /// TensorFlow 2.1 gives the scale itself to the optimizer that multiplies the loss by it.
    std::string optimizerText(const Json& optimizer) {
        constexpr const char* place = "/training/optimizer";
        const std::string module = "tf.keras.optimizers";
        const bool scalesLoss = isObject(optimizer) && optimizer["class_name"] == "LossScaleOptimizer";
        if (!scalesLoss)
            return decayedText(optimizer, module, place);
        const Json& config = optimizer["config"];
        const std::string inner = decayedText(config["inner_optimizer"], module, place);
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

    void writeFit() {
        const TrainingOptions& training = m_project.training;
        const Project counted = withCountedSteps();
        std::vector<std::string> arguments{"create_dataset()"};
        std::ranges::move(optionArguments(counted, PythonSite::Fit, m_program.api),
                          std::back_inserter(arguments));
        if (training.validationDataset)
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

    PythonText& m_text;
    const TrainingProgram& m_program;
    const Project& m_project;
    bool m_isOld;
    Json m_training;
    Diagnostics m_problems;
};

} // namespace

Diagnostics writeTraining(PythonText& text, const TrainingProgram& program) {
    return TrainingWriter(text, program).write();
}

} // namespace core
