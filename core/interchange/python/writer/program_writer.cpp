#include "core/interchange/python/writer/program_writer.h"

#include "core/config/dataset_catalogue.h"
#include "core/config/ipu_config/ipu_config_values.h"
#include "core/interchange/python/writer/configuration_writer.h"
#include "core/interchange/python/writer/dataset_writer.h"
#include "core/interchange/python/writer/loss_writer.h"
#include "core/interchange/python/writer/model_writer.h"
#include "core/interchange/python/writer/optimizer_writer.h"
#include "core/interchange/python/writer/option_text.h"
#include "core/interchange/python/writer/text/python_text.h"
#include "core/interchange/python/writer/training_writer.h"
#include "core/model/graph/differentiated_layers.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/project/options/option_sections.h"
#include "core/project/options/option_table.h"
#include "core/project/run_figures.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace core {

namespace {

/// The callback of this program has no class in Keras: one that does what it can without data.
constexpr std::string_view recorder = R"(

class RecordTraining(tf.keras.callbacks.Callback):
    # Norms and histograms of the weights; the rest is recorded by the workbench.
    def __init__(self, tensor_statistics=0, histogram_bins=32,
                 confusion_matrix=False, sample_predictions=0):
        super().__init__()
        self.every = tensor_statistics
        self.bins = histogram_bins
        self.records = []

    def on_train_batch_end(self, batch, logs=None):
        if self.every > 0 and batch % self.every == 0:
            for weight in self.model.trainable_weights:
                values = weight.numpy()
                self.records.append((batch, weight.name, np.linalg.norm(values),
                                     np.histogram(values, self.bins)))
)";

/// Whether a program names a module: "np" of "np.load".
bool usesModule(std::string_view program, std::string_view module) {
    const std::string name = std::string(module) + ".";
    for (std::size_t at = program.find(name); at != std::string_view::npos; at = program.find(name, at + 1)) {
        const char before = at == 0 ? ' ' : program[at - 1];
        const bool isPart = (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') ||
                            (before >= '0' && before <= '9') || before == '_' || before == '.';
        if (!isPart)
            return true;
    }
    return false;
}

/// Whether a gradient is taken of a layer that is a formula: fit() trains what it can.
bool differentiatesExpressions(const Project& project) {
    const std::set<std::string> names = differentiatedLayers(project.model, project.opaqueLayers);
    const auto isExpression = [&](const Layer& layer) {
        return layer.className == "ElementwiseExpression" && names.contains(layer.name);
    };
    return std::ranges::any_of(project.model.layers, isExpression) ||
           std::ranges::any_of(project.training.losses,
                               [](const KerasObject& loss) { return loss.config.contains("model"); });
}

class ProgramWriter {
public:
    ProgramWriter(const Project& project, PythonApi api)
        : m_project(project)
        , m_api(api)
        , m_isOld(api == PythonApi::TensorFlow21)
        , m_layers(api, m_names, differentiatesExpressions(project)) {}

    Result<std::string> write() {
        if (const ScheduleDefinition& schedule = scheduleDefinition(m_project.pipeline.schedule);
            (schedule.isWhatIf || schedule.takesTable) && m_project.assignment.isPipelined())
            return failure(makeError(
                Trouble::Input, "python/schedule", {"", "/pipeline/schedule"},
                fmt::format("the programming system has no schedule {}, so no program can ask for it",
                            schedule.name),
                {"choose Grouped, Interleaved or Sequential before exporting"}));
        checkDistribution();
        checkQueues();
        checkSplit();
        const std::string model = modelText();
        PythonText losses;
        m_lossFunctions = writeLossFunctions(losses, m_project, m_layers, m_names);
        PythonText optimizers;
        m_optimizer = writeOptimizerClass(optimizers, m_project, m_api, m_names);
        take(m_layers.problems());
        writeEnvironment();
        take(writeConfiguration(m_text, m_project, m_api));
        writePrecision();
        writeConstants();
        m_layers.writeClasses(m_text);
        writeDatasets();
        if (std::ranges::any_of(m_project.training.callbacks, [](const KerasObject& callback) {
                return callback.className == "RecordTraining";
            }))
            m_text.append(recorder);
        m_text.append(losses.take());
        m_text.append(optimizers.take());
        m_text.append(model);
        writeStrategy();
        if (!m_problems.empty())
            return failure(m_problems);
        const std::string head = imports();
        return head + m_text.take();
    }

private:
    void take(Diagnostics problems) { std::ranges::move(problems, std::back_inserter(m_problems)); }

    void refuse(std::string place, std::string message, std::string hint) {
        m_problems.push_back(makeError(Trouble::Input, "python/api", {"", std::move(place)},
                                       std::move(message), {std::move(hint)}));
    }

    /// Modules of Python, then those of others, as far as they are used.
    [[nodiscard]] std::string imports() const {
        PythonText head;
        if (usesModule(m_text.text(), "os")) {
            head.line("import os");
            head.line();
        }
        if (usesModule(m_text.text(), "np"))
            head.line("import numpy as np");
        head.line("import tensorflow as tf");
        head.line("from tensorflow.python import ipu");
        head.line();
        return head.take();
    }

    // ---- before the model -------------------------------------------------------------------------------

    /// What a run neither takes from nor gives to the host is said in the environment.
    void writeEnvironment() {
        const Json synthetic = projectOption("training.synthetic_data").field.value(m_project);
        if (!synthetic.is_array() || synthetic.empty())
            return;
        m_text.line("# Read when the IPUs are configured.");
        m_text.line(fmt::format("{} = \"--use_synthetic_data --synthetic_data_categories={}\"",
                                pythonFlagsConstant,
                                fmt::join(synthetic.get<std::vector<std::string>>(), ",")));
        m_text.line(fmt::format("os.environ[\"{0}\"] = {0}", pythonFlagsConstant));
        m_text.line();
    }

    /// Keras splits arrays, not datasets.
    void checkSplit() {
        if (m_project.training.validationSplit > 0)
            refuse("/training/validation_split", "fit() takes a share of arrays, not of a tf.data.Dataset",
                   "give the samples of validation as training.validation_dataset");
    }

    [[nodiscard]] bool hasProcesses() const {
        return optionInteger(m_project.ipuConfig, "experimental.multi_replica_distribution.process_count") >
               1;
    }

    /// fit() knows one strategy for several processes.
    void checkDistribution() {
        if (hasProcesses() && differsFromDefault(m_project, projectOption("training.distribution")))
            refuse("/training/distribution",
                   fmt::format("fit() does not train with {}", m_project.training.distribution),
                   fmt::format("choose {}", TrainingOptions().distribution));
    }

    void checkQueues() {
        const bool keepsLast = differsFromDefault(m_project, projectOption("training.outfeed_mode"));
        if (const auto cure = missingInOwnLoop(m_project, m_api); keepsLast && cure)
            refuse("/training/outfeed_mode",
                   "fit() makes its outfeed queue itself, and it returns all results",
                   "set outfeed_mode to ALL, or " + *cure);
        if (!m_isOld)
            return;
        const auto check = [&](const char* path) {
            if (differsFromDefault(m_project, projectOption(path))) {
                std::string place = std::string("/") + path;
                std::ranges::replace(place, '.', '/');
                refuse(place, "the models of TensorFlow 2.1 make their queues themselves and take no depth",
                       "export for 2.4, or leave the depth at its default");
            }
        };
        check("training.infeed.prefetch_depth");
        check("training.outfeed.buffer_depth");
        if (m_project.training.asynchronousCallbacks)
            refuse("/training/asynchronous_callbacks", "TensorFlow 2.1 has no asynchronous callbacks",
                   "export for 2.4, or turn them off");
    }

    /// Layers take the policy, and their weights the seed, when they are made.
    void writePrecision() {
        const std::vector<const ProjectOption*> options =
            optionsOf(m_project, PythonSite::BeforeCompile, m_api);
        for (const ProjectOption* option : options) {
            const std::string_view text = spellingOf(*option, m_api).text;
            const std::string value = pythonLiteral(option->field.value(m_project));
            if (text.starts_with("model."))
                continue;
            m_text.line();
            if (option->key() == "seed") {
                m_text.line("# Weights and samples follow the first, dropout on the IPUs the second.");
                m_text.line(fmt::format(fmt::runtime(text), value));
                m_text.line(fmt::format("ipu.utils.reset_ipu_seed({})", value));
            } else {
                m_text.line("# Before the first layer: each takes the policy when it is made.");
                m_text.line(fmt::format(fmt::runtime(text), value));
            }
        }
    }

    void writeConstants() {
        m_text.line();
        m_text.line(fmt::format("BATCH_SIZE = {}", m_project.training.batchSize));
        if (m_layers.uses("CrossReplicaMean") || averagesGradients(m_project))
            m_text.line(fmt::format("NUM_REPLICAS = {}",
                                    runFigures(m_project, RunMode::Train, std::nullopt).replicas));
        const TrainingOptions& training = m_project.training;
        if (training.dataset)
            writeDictionary(pythonDatasetConstant, toJson(*training.dataset));
        else
            m_text.line(fmt::format("{} = None  # made-up samples stand for those of your own",
                                    pythonDatasetConstant));
        if (training.validationDataset)
            writeDictionary(pythonValidationConstant, toJson(*training.validationDataset));
        writeSystem();
    }

    /// The machine is not the program's to choose; what is simulated has to be said all the same.
    void writeSystem() {
        Json system = systemSection(m_project);
        system.erase("ipus"); // the configuration says how many
        if (!differsFromDefault(m_project, projectOption("system.target")))
            system.erase("target");
        if (system.empty())
            return;
        m_text.line("# The machine that a simulation of this program assumes; TensorFlow does not read it.");
        writeDictionary(pythonSystemConstant, system);
    }

    void writeDictionary(std::string_view name, const Json& values) {
        std::vector<std::string> entries;
        for (const auto& [key, value] : values.items())
            entries.push_back(fmt::format("{}: {}", pythonLiteral(key), pythonLiteral(value)));
        m_text.list(fmt::format("{} = ", name), "{", entries, "}");
    }

    void writeDatasets() {
        const TrainingOptions& training = m_project.training;
        const auto write = [&](const char* name, std::string_view constant, const DatasetSpec* dataset,
                               bool isRepeated) {
            DatasetProgram program{name, std::string(constant), dataset, &m_project.model, isRepeated};
            program.losses = training.losses;
            program.opaqueLayers = m_project.opaqueLayers;
            writeDatasetProgram(m_text, program);
        };
        const DatasetSpec* dataset = training.dataset ? &*training.dataset : nullptr;
        write("create_dataset", pythonDatasetConstant, dataset,
              dataset == nullptr || isRepeated(*dataset, training));
        if (training.validationDataset)
            write("create_validation_dataset", pythonValidationConstant, &*training.validationDataset, false);
    }

    // ---- the model --------------------------------------------------------------------------------------

    /// The functions that make it; the classes that it uses are known only then.
    std::string modelText() {
        ModelProgram request;
        request.model = &m_project.model;
        request.stages = m_project.assignment;
        request.opaqueLayers = m_project.opaqueLayers;
        request.isOld = m_isOld;
        m_pipelineArguments = pipelineArguments(m_project, m_api, m_problems);
        if (m_isOld)
            request.arguments = m_pipelineArguments;
        PythonText text;
        take(writeModelProgram(text, request, m_layers, m_names));
        return text.take();
    }

    /// Samples of one weight update, where they are more than those of a batch.
    void writeEffectiveBatch() {
        const RunFigures figures = runFigures(m_project, RunMode::Train, std::nullopt);
        const std::int64_t serialized = m_project.pipeline.batchSerializationIterations;
        if (figures.microBatches == 1 && figures.replicas == 1 && serialized == 1)
            return;
        m_text.line(fmt::format(
            "# Samples of a weight update: {} of a batch * {}{} micro-batch{} * {} replica{} = {}.",
            m_project.training.batchSize,
            serialized == 1 ? "" : fmt::format("{} batches one after the other * ", serialized),
            figures.microBatches, figures.microBatches == 1 ? "" : "es", figures.replicas,
            figures.replicas == 1 ? "" : "s",
            m_project.training.batchSize * serialized * figures.microBatches * figures.replicas));
    }

    void writeStrategy() {
        m_text.line();
        m_text.line();
        const bool isOfHorovod = m_project.training.distribution == "IPUHorovodStrategy";
        m_text.line(fmt::format("strategy = ipu.{}()",
                                hasProcesses() ? "horovod.ipu_multi_replica_strategy.IPUMultiReplicaStrategy"
                                : isOfHorovod  ? "horovod.ipu_horovod_strategy.IPUHorovodStrategy"
                                               : "ipu_strategy.IPUStrategy"));
        m_text.line("with strategy.scope():");
        m_text.indent();
        if (m_isOld)
            writeEffectiveBatch();
        m_text.line("model = create_model()");
        if (!m_isOld) {
            writeEffectiveBatch();
            if (!m_pipelineArguments.empty() && !needsOwnLoop(m_project)) {
                m_text.call(m_project.assignment.isPipelined() ? "model.set_pipelining_options"
                                                               : "model.set_gradient_accumulation_options",
                            m_pipelineArguments);
            }
            writeQueue("infeed", "prefetch_depth");
            writeQueue("outfeed", "buffer_depth");
        }
        take(writeTraining(m_text, {m_project, m_api, m_layers.hostTables(), m_lossFunctions, m_optimizer}));
        m_text.dedent();
    }

    void writeQueue(const char* queue, const char* depth) {
        const ProjectOption& option = projectOption(fmt::format("training.{}.{}", queue, depth));
        if (differsFromDefault(m_project, option))
            m_text.line(fmt::format("model.set_{}_queue_options({}={})", queue, depth,
                                    pythonLiteral(option.field.value(m_project))));
    }

    const Project& m_project;
    PythonApi m_api;
    bool m_isOld;
    std::set<std::string> m_names{"create_model",   "create_dataset", "create_validation_dataset",
                                  "RecordTraining", "BATCH_SIZE",     "NUM_REPLICAS",
                                  "config",         "strategy"};
    LayerWriter m_layers;
    std::vector<std::string> m_pipelineArguments;
    std::vector<std::string> m_lossFunctions;
    WrittenOptimizer m_optimizer;
    PythonText m_text;
    Diagnostics m_problems;
};

} // namespace

Result<std::string> writeProgramText(const Project& project, PythonApi api) {
    return ProgramWriter(project, api).write();
}

} // namespace core
