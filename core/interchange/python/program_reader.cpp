#include "core/catalogue/optimizers.h"
#include "core/config/dataset_catalogue.h"
#include "core/interchange/python/apis/api_library.h"
#include "core/interchange/python/apis/data/fed_samples.h"
#include "core/interchange/python/apis/models/epoch_rates.h"
#include "core/interchange/python/apis/models/model_training.h"
#include "core/interchange/python/apis/models/stage_units.h"
#include "core/interchange/python/apis/older/step_formulas.h"
#include "core/interchange/python/apis/rates/set_rates.h"
#include "core/interchange/python/apis/weights/program_weights.h"
#include "core/interchange/python/draft/own_schedules.h"
#include "core/interchange/python/draft/program_builder.h"
#include "core/interchange/python/host_transfers.h"
#include "core/interchange/python/language/interpreter.h"
#include "core/interchange/python/program_rules.h"
#include "core/interchange/python/project_data.h"
#include "core/interchange/python/python_program.h"
#include "core/interchange/python/syntax/modules.h"
#include "core/project/run_figures.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace core {

namespace {

/// A program that was followed to its end.
struct FollowedProgram {
    PythonFacts facts;
    Diagnostics warnings;
};

/// A dataset that a constant of the program describes as project files do; null where it is none.
Json datasetOf(const PythonProgramBuilder& builder, const PythonValue* value) {
    const auto* dictionary = value == nullptr ? nullptr : value->as<PythonDictionary>();
    if (dictionary == nullptr)
        return nullptr;
    const auto isKind = [](const auto& entry) {
        return entry.first.constant() == "kind" &&
               std::ranges::any_of(datasetKinds(), [&](const DatasetKind& kind) {
                   return entry.second.constant() == std::string(kind.name);
               });
    };
    return std::ranges::any_of(*dictionary->entries, isKind) ? builder.json(*value, {}) : Json();
}

/// What exported programs say in constants: their datasets, the simulated machine, and which data are made up
/// on the device.
void readConstants(const PythonInterpreter& interpreter, PythonProgramBuilder& builder) {
    for (const auto& [name, option] : {std::pair{pythonDatasetConstant, "dataset"},
                                       std::pair{pythonValidationConstant, "validation_dataset"}})
        if (Json dataset = datasetOf(builder, interpreter.bound(std::string(name))); !dataset.is_null())
            builder.facts.training[option] = std::move(dataset);
    const PythonValue* dataset = interpreter.bound(std::string(pythonDatasetConstant));
    builder.facts.saysNoData = dataset != nullptr && dataset->isNone();
    if (const PythonValue* system = interpreter.bound(std::string(pythonSystemConstant));
        system != nullptr && system->is<PythonDictionary>())
        builder.facts.system = builder.json(*system, {});
    const PythonValue* flags = interpreter.bound(std::string(pythonFlagsConstant));
    for (const auto& [name, value] : *builder.environment.as<PythonDictionary>()->entries)
        if (flags == nullptr && name.constant() == pythonFlagsConstant)
            flags = &value;
    if (flags == nullptr || !flags->isText())
        return;
    const auto text = flags->constant().get<std::string>();
    constexpr std::string_view key = "--synthetic_data_categories=";
    const std::size_t begin = text.find(key);
    if (begin == std::string::npos && text.find("--use_synthetic_data") != std::string::npos)
        builder.facts.training["synthetic_data"] = true;
    if (begin == std::string::npos)
        return;
    std::string categories = text.substr(begin + key.size());
    categories.resize(std::min(categories.find(' '), categories.size()));
    Json list = Json::array();
    for (std::size_t at = 0; at <= categories.size();) {
        const std::size_t end = std::min(categories.find(',', at), categories.size());
        list.push_back(categories.substr(at, end - at));
        at = end + 1;
    }
    builder.facts.training["synthetic_data"] = std::move(list);
}

Json documentOf(const PythonFacts& facts, std::int64_t index);
void settleReplicas(const PythonFacts& facts, std::int64_t index, Project& project, Diagnostics& warnings);

/// How often the training of a model updates the weights at most, as its project has it: replicas share the
/// steps, and gradients are accumulated over some of them. Nothing: a run alone knows.
std::optional<std::int64_t> updatesOf(const PythonFacts& facts, std::int64_t index) {
    if (facts.draft.models[static_cast<std::size_t>(index)].isSubclass)
        return std::nullopt;
    Json document = documentOf(facts, index);
    document["training"].erase("optimizer"); // its rates are what is asked for
    auto file = readProjectDocument(document, facts.files.front());
    if (!file)
        return std::nullopt; // the import says why
    Diagnostics said;        // once more by the import
    settleReplicas(facts, index, file->project, said);
    const RunFigures figures = runFigures(file->project, RunMode::Train, std::nullopt);
    std::int64_t steps = 0;
    if (!figures.stepsPerReplica ||
        __builtin_mul_overflow(*figures.stepsPerReplica, file->project.training.epochs, &steps) || steps < 1)
        return std::nullopt;
    const std::int64_t accumulated = std::max<std::int64_t>(figures.microBatches, 1);
    return steps / accumulated + (steps % accumulated == 0 ? 0 : 1);
}

/// What following a program told that has to be known from its beginning.
struct FollowedBefore {
    std::set<std::string> wholeWeights;
    std::set<std::string> differingLoops;
    bool assignsNumbers = false;
};

Result<FollowedProgram> followOnce(const PythonBlock& program, PythonModules& modules,
                                   const ImportChoice& choice, const FollowedBefore& before) {
    PythonMessages messages(modules.program());
    PythonProgramBuilder builder(messages);
    builder.modules = &modules;
    builder.commandLine = choice.commandLine;
    builder.isModelChosen = !choice.model.empty();
    builder.wholeWeights = before.wholeWeights;
    builder.differingLoops = before.differingLoops;
    builder.assignsNumbers = before.assignsNumbers;
    PythonApiLibrary library(builder);
    // A listing that is indented as a whole is cut out of a strategy's scope.
    builder.scope.isStrategy = !program.empty() && program.front().place.column > 1;
    try { // a refusal deep in an expression ends the reading; it goes no further than here
        PythonInterpreter interpreter(messages, library, modules);
        try {
            interpreter.run(program);
        } catch (const PythonRefusal& refusal) {
            if (refusal.diagnostic.code != pythonProgramEnd)
                throw;
        }
        builder.facts.files = messages.files();
        try {
            library.settle(interpreter);
            builder.settleJoined();
            builder.settleLoops();
            builder.settleFedNumbers();
            settlePlaceholders(builder);
            builder.settleOutfeeds();
            settleGlobalStep(builder);
            settleStepRates(builder);
            settleSchedules(interpreter, builder,
                            [&](std::int64_t model) { return updatesOf(builder.facts, model); });
            settleSetRates(builder);
            builder.settlePrecision();
            builder.settleWorkers();
            readConstants(interpreter, builder);
            settleClassWeights(builder);
        } catch (const PythonTooLarge&) {
            refuseTooLarge(messages, {});
        }
        if (!choice.commandLine.empty() && !builder.asksForCommandLine)
            builder.warn({}, "python/arguments", "the program does not ask for arguments: they are left out",
                         {"leave --arguments out"});
        builder.facts.files = messages.files(); // settling may have imported more
    } catch (const PythonRefusal& refusal) {
        Diagnostic cause = refusal.diagnostic;
        // sys.argv[1], which a run without arguments does not have either.
        if (builder.asksForCommandLine && choice.commandLine.empty() &&
            std::ranges::find(refusal.errors, "IndexError") != refusal.errors.end())
            cause.hints.insert(cause.hints.begin(),
                               "the program asks for its command line: import with --arguments \"…\"");
        return failure(std::move(cause));
    }
    return FollowedProgram{std::move(builder.facts), messages.warnings()};
}

/// What a weight is, a program says by its uses: where a second one tells otherwise, it is followed anew.
Result<FollowedProgram> follow(const PythonBlock& program, PythonModules& modules,
                               const ImportChoice& choice) {
    FollowedBefore before;
    for (;;) {
        auto followed = followOnce(program, modules, choice, before);
        if (followed)
            return followed;
        const Diagnostic& told = followed.error().front();
        if (told.code == pythonAssignedNumber && !before.assignsNumbers) {
            before.assignsNumbers = true;
            continue;
        }
        std::set<std::string>* const known = told.code == pythonSecondUse   ? &before.wholeWeights
                                             : told.code == pythonEachRound ? &before.differingLoops
                                                                            : nullptr;
        if (known == nullptr || !known->insert(told.message).second)
            return followed;
    }
}

/// The models of a program, with names that differ: "net", "net-2". Those that others call are among them
/// where a person asks for them by name.
struct NamedModel {
    std::int64_t index = 0;
    std::string name;
};
std::vector<NamedModel> modelsOf(const PythonDraft& draft, bool withInner) {
    std::vector<NamedModel> models;
    std::map<std::string, int> counts;
    for (std::size_t i = 0; i < draft.models.size(); ++i) {
        const PythonModel& model = draft.models[i];
        const bool isInner = model.asLayer >= 0 && model.use == 0;
        if (model.isSubclass || (model.isPart && model.use == 0) ||
            (isInner && !withInner && draft.models.size() > 1))
            continue;
        const int count = ++counts[model.name];
        models.push_back({static_cast<std::int64_t>(i),
                          count == 1 ? model.name : fmt::format("{}-{}", model.name, count)});
    }
    return models;
}

std::string listed(const std::vector<NamedModel>& models) {
    std::string text;
    for (const NamedModel& model : models)
        text += (text.empty() ? "" : ", ") + model.name;
    return text;
}

/// The model that is wanted, or the one that was used most. Several that were used alike: `error` asks which.
/// −1: none, with an error or without models.
std::int64_t chosenModel(const PythonFacts& facts, const std::string& wanted, Diagnostics& warnings,
                         Diagnostics& error) {
    const PythonDraft& draft = facts.draft;
    std::vector<NamedModel> models = modelsOf(draft, false);
    const auto useOf = [&](const NamedModel& model) {
        return draft.models[static_cast<std::size_t>(model.index)].use;
    };
    const auto placeOf = [&](const NamedModel& model) {
        return draft.models[static_cast<std::size_t>(model.index)].place;
    };
    if (models.empty())
        return -1;
    if (!wanted.empty()) {
        if (std::ranges::find(models, wanted, &NamedModel::name) == models.end())
            models = modelsOf(draft, true);
        const auto found = std::ranges::find(models, wanted, &NamedModel::name);
        if (found == models.end())
            error.push_back(pythonError(facts.files, placeOf(models.back()), "import/no-such-model",
                                        fmt::format("the program makes no model \"{}\"", wanted),
                                        {fmt::format("it makes: {}", listed(models))}));
        return found == models.end() ? -1 : found->index;
    }
    const int most = useOf(*std::ranges::max_element(models, {}, useOf));
    std::vector<NamedModel> used;
    std::vector<NamedModel> others;
    for (const NamedModel& model : models)
        (useOf(model) == most ? used : others).push_back(model);
    // Models that are only made belong to the last one, as parts that are looked at.
    if (used.size() > 1 && most > 0) {
        std::vector<std::string> cures;
        for (const NamedModel& model : used)
            cures.push_back(fmt::format("`ipu-workbench import` with --model {} takes the one of line {}",
                                        model.name, placeOf(model).line));
        error.push_back(pythonError(facts.files, placeOf(used.back()), "import/several-models",
                                    fmt::format("the program makes {} models: {}", used.size(), listed(used)),
                                    std::move(cures)));
        return -1;
    }
    if (used.size() > 1)
        others.insert(others.end(), used.begin(), used.end() - 1);
    const auto layersOf = [&](const NamedModel& model) {
        auto layers = draft.ownLayers(draft.models[static_cast<std::size_t>(model.index)]);
        std::ranges::sort(layers);
        return layers;
    };
    const std::vector<std::int64_t> imported = layersOf(used.back());
    for (const NamedModel& other : others) {
        const std::vector<std::int64_t> layers = layersOf(other);
        const bool isWithin = !layers.empty() && std::ranges::includes(imported, layers);
        if (isWithin && useOf(other) == 0)
            continue;
        Diagnostic warning =
            pythonError(facts.files, placeOf(other), "python/other-model",
                        fmt::format("the model {} is not the one that is imported", quotedName(other.name)),
                        {fmt::format("`ipu-workbench import` with --model {} takes it", other.name)});
        warning.severity = Severity::Warning;
        warnings.push_back(std::move(warning));
    }
    return used.back().index;
}

/// Whole numbers of an option that takes one or several.
std::vector<std::int64_t> wholeNumbers(const Json& value) {
    std::vector<std::int64_t> numbers;
    for (const Json& one : value.is_array() ? value : Json::array({value}))
        if (one.is_number_integer())
            numbers.push_back(one.get<std::int64_t>());
    return numbers;
}

/// Options of a configuration: the number of IPUs is the system's. Devices by their number are those of a
/// system with 16 IPUs, as the documentation of select_ipus lists them, or of a larger one.
void putConfiguration(const PythonConfiguration& configuration, Json& project) {
    Json options = configuration.options;
    constexpr std::uint64_t listed = 16;
    constexpr std::int64_t most = 1 << 16;
    const auto chosen = options.find("auto_select_ipus");
    if (chosen != options.end() && chosen->is_number_integer()) {
        project["system"]["ipus"] = *chosen;
        options.erase("auto_select_ipus");
    } else if (chosen != options.end()) {
        std::int64_t sum = 0;
        for (const std::int64_t one : wholeNumbers(*chosen))
            sum += std::clamp<std::int64_t>(one, 0, most);
        project["system"]["ipus"] = std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(sum, 1)));
    } else if (options.contains("select_ipus") && !options["select_ipus"].is_null()) {
        std::int64_t last = 0;
        for (const std::int64_t one : wholeNumbers(options["select_ipus"]))
            last = std::clamp<std::int64_t>(one, last, most);
        // n IPUs are 2n - 1 devices: groups of 1, 2, 4, … IPUs.
        project["system"]["ipus"] =
            std::max(listed, std::bit_ceil((static_cast<std::uint64_t>(last) + 2) / 2));
    }
    // A program selects the IPUs of one of its processes.
    if (const auto processes = options.find(pythonProcessCount);
        processes != options.end() && processes->is_number_integer() && project.contains("system") &&
        project["system"].contains("ipus"))
        project["system"]["ipus"] = std::clamp<std::int64_t>(project["system"]["ipus"], 1, most) *
                                    std::clamp<std::int64_t>(*processes, 1, most);
    if (!options.empty())
        project["ipu_config"] = std::move(options);
}

/// A step of a model of TensorFlow 2.1 is an update of the weights: so many micro-batches as it accumulates.
/// One that is not told how many steps run at a time runs those of an epoch.
void settleOlderSteps(const PythonModel& model, const Json& pipeline, Json& training) {
    const Json count = pipeline.value("gradient_accumulation_steps_per_replica", Json(1));
    constexpr std::int64_t most = std::int64_t{1} << 31; // what is beyond it, validation refuses
    const auto isCount = [](const Json& value) {
        return value.is_number_integer() && value.get<std::int64_t>() > 0 && value.get<std::int64_t>() < most;
    };
    if (!model.isOlder || !isCount(count))
        return;
    for (const char* key : {"steps_per_epoch", "steps_per_execution"})
        if (const Json told = model.training.value(key, Json()); isCount(told))
            training[key] = told.get<std::int64_t>() * count.get<std::int64_t>();
    if (!training.contains("steps_per_execution"))
        training["steps_per_execution"] = training.value("steps_per_epoch", count);
}

/// What a program makes of the gradients of each micro-batch: a project does it once for an update.
void settleDecay(const PythonFacts& facts, const PythonModel& model, Project& project,
                 Diagnostics& warnings) {
    const std::int64_t microBatches = runFigures(project, RunMode::Train, std::nullopt).microBatches *
                                      project.pipeline.batchSerializationIterations;
    std::optional<KerasObject>& optimizer = project.training.optimizer;
    if (!model.training.contains(pythonOptimizerDecaysEach) || microBatches < 2 || !optimizer)
        return;
    Json whole{{"class_name", optimizer->className}, {"config", optimizer->config}};
    Json& config = scaledOptimizer(whole)["config"];
    const bool isClipped = clipsGradients(config);
    if (config.contains("gradient_decay") && project.pipeline.reductionMethod == ReductionMethod::Sum)
        config["gradient_decay"] = config["gradient_decay"].get<double>() * static_cast<double>(microBatches);
    optimizer->config = whole["config"];
    if (isClipped)
        warnings.push_back(
            makeWarning(Trouble::Input, "python/ignored", pythonLocation(facts.files, model.trainingPlace),
                        fmt::format("the program clips the gradients of each of the {} micro-batches of an "
                                    "update; the project clips what they add up to",
                                    microBatches),
                        {fmt::format("multiply the bound by {} to let through as much", microBatches)}));
}

/// What depends on how many replicas the IPUs of the project make.
void settleReplicas(const PythonFacts& facts, std::int64_t index, Project& project, Diagnostics& warnings) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    const std::int64_t replicas = runFigures(project, RunMode::Train, std::nullopt).replicas;
    TrainingOptions& training = project.training;
    if (model.countsReplicaSteps && training.stepsPerEpoch)
        *training.stepsPerEpoch *= replicas;
    if (model.isOlder && !model.training.contains("steps_per_execution") &&
        !model.derived.contains("steps_per_execution") && training.stepsPerEpoch)
        training.stepsPerExecution = std::max<std::int64_t>(*training.stepsPerEpoch / replicas, 1);
    if (const auto divided = dividedOptimizer(model, replicas)) {
        training.optimizer->config = (*divided)["config"];
    } else if (model.training.contains(pythonOptimizerDivides)) { // by how many, `wrongDivisor()` asks
        training.averagesReplicas = replicas > 1;
    }
    settleDecay(facts, model, project, warnings);
    // Strategies over workers add up the gradients of the workers, and leave their replicas to the optimizer.
    const std::int64_t workers = std::max<std::int64_t>(facts.workers, 1);
    if (const std::int64_t alone = replicas / workers; model.trainsAlone && alone > 1)
        warnings.push_back(
            makeWarning(Trouble::Input, "python/replicas", pythonLocation(facts.files, model.trainingPlace),
                        fmt::format("the optimizer leaves each of the {} replicas{} alone; in the project "
                                    "their gradients are added up",
                                    alone, workers > 1 ? " of a worker" : ""),
                        {"wrap the optimizer in ipu.optimizers.CrossReplicaOptimizer"}));
    if (model.wantedReplicas > 1 && model.wantedReplicas * workers < replicas)
        warnings.push_back(makeWarning(
            Trouble::Input, "python/ignored", pythonLocation(facts.files, model.place),
            fmt::format("num_replicas={} is left out: the IPUs make {} replicas", model.wantedReplicas,
                        replicas),
            {fmt::format("set auto_select_ipus to {} times the IPUs of a replica", model.wantedReplicas)}));
}

Json documentOf(const PythonFacts& facts, std::int64_t index) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    Json project{{"format", "ipu-workbench-project"}, {"version", 1}, {"name", model.name}};
    project["model"] = facts.draft.kerasJson(index);
    Json pipeline = model.pipeline;
    Json stages = model.stages;
    if (stages.is_null())
        stages = facts.draft.stagesByLayer(index);
    else if (!facts.draft.groups.empty() && stages.is_array())
        if (const auto units = stageUnits(facts.draft, index, ""))
            stages = stagesOfCalls(*units, std::move(stages));
    pipeline.update(stages.is_null() ? model.accumulation : model.pipelining);
    pipeline.erase(pythonUnknownArgument);
    if (!stages.is_null())
        pipeline["stages"] = std::move(stages);
    if (Json shards = facts.draft.shardsByLayer(index); !shards.is_null())
        pipeline["sharding"] = std::move(shards);
    Json training = model.training;
    training.erase(pythonOptimizerDivides);
    training.erase(pythonOptimizerDecaysEach);
    // A description of the dataset says itself how many samples it has.
    const bool isDescribed = facts.training.contains("dataset");
    for (const auto& [key, value] : model.derived.items()) {
        const bool isTold = key == "steps_per_execution" || (key == "steps_per_epoch" && model.isToldSteps);
        if ((!isDescribed || isTold) && !training.contains(key))
            training[key] = value;
    }
    for (const PythonTensor& input : model.inputs) // Input(…, batch_size=N) says it, too
        if (!training.contains("batch_size")) {
            const Json& config = facts.draft.layers[static_cast<std::size_t>(input.layer)].config;
            const Json shape = config.value("batch_input_shape", Json());
            if (shape.is_array() && !shape.empty() && shape[0].is_number_integer())
                training["batch_size"] = shape[0];
        }
    settleOlderSteps(model, pipeline, training);
    if (!pipeline.empty())
        project["pipeline"] = std::move(pipeline);
    for (const auto& [key, value] : facts.training.items())
        training[key] = value;
    // Keras takes a sum over what it is given when nothing says otherwise; floating types have no size here.
    if (!training.empty())
        project["training"] = std::move(training);
    const PythonConfiguration* said = configurationOf(facts, index);
    PythonConfiguration configuration = said == nullptr ? PythonConfiguration() : *said;
    if (facts.workers > 1 && !configuration.options.contains(pythonProcessCount))
        configuration.options[pythonProcessCount] = facts.workers;
    if (facts.workers > 1 && !configuration.options.contains("select_ipus"))
        configuration.options.emplace("auto_select_ipus", 1); // each has one where it is told nothing
    // The device that is named, of those that are selected.
    if (const Json selected = configuration.options.value("auto_select_ipus", Json());
        selected.is_array() && facts.device.first > 0 &&
        facts.device.first < static_cast<std::int64_t>(selected.size()))
        configuration.options["auto_select_ipus"] = selected[static_cast<std::size_t>(facts.device.first)];
    if (!configuration.options.empty())
        putConfiguration(configuration, project);
    for (const auto& [key, value] : facts.system.items())
        project["system"][key] = value;
    for (const std::int64_t layer : facts.draft.ownLayers(model)) {
        const std::string& name = facts.draft.layers[static_cast<std::size_t>(layer)].name;
        const auto declared = facts.opaqueLayers.find(name);
        if (declared == facts.opaqueLayers.end())
            continue;
        Json shape = Json::array();
        for (const Dimension& extent : declared->second.outputShape.dimensions)
            shape.push_back(extent ? Json(*extent) : Json());
        project["opaque_layers"][name] = {{"output_shape", std::move(shape)},
                                          {"flops", declared->second.flops}};
    }
    return project;
}

/// The rest of a project that its own comment holds; null when there is none.
Json remainderOf(std::string_view text, const std::string& file) {
    const std::size_t begin = text.rfind(pythonRemainder);
    if (begin == std::string_view::npos || (begin > 0 && text[begin - 1] != '\n'))
        return nullptr;
    const std::string_view line = text.substr(begin + pythonRemainder.size());
    const auto patch = parseJson(line.substr(0, line.find('\n')), file);
    return patch && patch->is_array() ? *patch : Json();
}

/// The project with its remainder, where that still fits.
std::optional<ProjectFile> withRemainder(const Project& project, const Json& patch, const std::string& file) {
    Json document;
    try { // the library's only way to say that a patch does not fit
        document = toJson(project).patch(patch);
    } catch (const Json::exception&) {
        return std::nullopt;
    }
    auto whole = readProjectDocument(document, file);
    return whole ? std::optional(std::move(*whole)) : std::nullopt;
}

/// What fit() is told, and no dataset of the project has. Class weights of a fit() without samples are said
/// where they are settled.
void warnOfMissingData(const PythonFacts& facts, const PythonModel& model, const TrainingOptions& training,
                       Diagnostics& warnings) {
    if (model.fed && !model.classWeights.is_null() && !training.dataset)
        warnings.push_back(
            makeWarning(Trouble::Input, "python/ignored", pythonLocation(facts.files, model.trainingPlace),
                        std::string(classWeightsLeftOut), {cureOfClassWeights(model.classWeights)}));
    if (model.validation && !training.validationDataset)
        warnings.push_back(makeWarning(Trouble::Input, "python/dataset",
                                       pythonLocation(facts.files, *model.validation),
                                       "fit's \"validation_data\" is not part of the project",
                                       {"set training.validation_dataset to validate after each epoch"}));
}

} // namespace

bool isPythonProgram(std::string_view bytes) {
    if (bytes.find('\0') != std::string_view::npos || bytes.starts_with("{") || bytes.starts_with("["))
        return false;
    // Documents that show programs between fences, or quote names, are none themselves.
    const auto hasLine = [&](std::string_view begin) {
        return bytes.starts_with(begin) || bytes.find("\n" + std::string(begin)) != std::string_view::npos;
    };
    const bool imports = hasLine("import ") || hasLine("from ");
    if (hasLine("```") || (!imports && bytes.find('`') != std::string_view::npos))
        return false;
    return imports || bytes.find("keras.") != std::string_view::npos ||
           bytes.find("import ") != std::string_view::npos;
}

Result<ProjectFile> readPythonProgram(std::string_view text, const std::string& file) {
    return readPythonProgram(text, file, {});
}

Result<ProjectFile> readPythonProgram(std::string_view text, const std::string& file,
                                      const ImportChoice& wanted) {
    const auto program = parsePython(text, file);
    if (!program)
        return failure(program.error());
    PythonModules modules(file);
    auto followed = follow(*program, modules, wanted);
    if (!followed)
        return failure(std::move(followed.error()));
    addHostTransfers(followed->facts.draft);
    const PythonFacts& facts = followed->facts;
    Diagnostics& warnings = followed->warnings;
    Diagnostics unclear;
    const std::int64_t index = chosenModel(facts, wanted.model, warnings, unclear);
    if (!unclear.empty())
        return failure(std::move(unclear));
    if (index < 0) {
        const auto foreign = std::ranges::find(warnings, "python/foreign", &Diagnostic::code);
        std::vector<std::string> cures{
            "a tf.keras.Sequential or tf.keras.Model is wanted, made outside of any "
            "function or by a call of one",
            "operations without a model belong in a function that strategy.run(function, args) or "
            "ipu_compiler.compile(function, inputs) runs"};
        if (!facts.openCommands.empty())
            cures.insert(cures.begin(),
                         fmt::format("none of its commands was chosen: --arguments \"COMMAND\" chooses {}",
                                     quotedName(facts.openCommands)));
        if (foreign != warnings.end())
            cures.insert(cures.begin(), "put what makes it into this file: " + foreign->message);
        return failure(
            pythonError(file, {}, "python/no-model", "the program makes no model", std::move(cures)));
    }
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    if (auto broken = brokenByProgram(facts, index))
        return failure(std::move(*broken));
    if (auto wrong = wrongDevice(facts, index))
        return failure(std::move(*wrong));
    auto project = readProjectDocument(documentOf(facts, index), file);
    if (!project) {
        placeFindings(facts, index, project.error());
        return failure(std::move(project.error()));
    }
    placeFindings(facts, index, project->warnings);
    settleReplicas(facts, index, project->project, warnings);
    if (auto refused = refusedByRules(facts, index, *project); !refused.empty())
        return failure(std::move(refused));
    if (auto refused = refusedBySystem(facts, index, *project, wanted); !refused.empty())
        return failure(std::move(refused));
    if (auto wrong = wrongReplicas(facts, index, project->project))
        return failure(std::move(*wrong));
    if (auto wrong = wrongGroup(facts, index, project->project))
        return failure(std::move(*wrong));
    if (auto wrong = wrongSamples(facts, index, project->project))
        return failure(std::move(*wrong));
    if (auto wrong = wrongDivisor(facts, index, project->project))
        return failure(std::move(*wrong));
    if (auto wrong = wrongRounds(facts, index, project->project))
        return failure(std::move(*wrong));
    if (auto missing = missingGradient(facts, index, project->project))
        return failure(std::move(*missing));
    const auto warn = [&](const char* code, Location place, std::string message,
                          std::vector<std::string> hints) {
        warnings.push_back(
            makeWarning(Trouble::Input, code, std::move(place), std::move(message), std::move(hints)));
    };
    if (const std::int64_t each = project->project.pipeline.gradientAccumulationSteps.value_or(1);
        model.isOlder && each > 1 && model.isTrained() && project->project.training.stepsPerEpoch)
        warn("python/older-steps", pythonLocation(facts.files, model.trainingPlace),
             fmt::format("a step of a model of TensorFlow 2.1 is an update of the weights by {} batches: {} "
                         "steps are {} of the project",
                         each, *project->project.training.stepsPerEpoch / each,
                         *project->project.training.stepsPerEpoch),
             {"nothing is to be done: the project trains as the program does"});
    if (!facts.configurations.empty() && facts.lastApplied() < 0 && model.isTrained()) {
        const PythonConfiguration& configuration = facts.configurations.back();
        if (!configuration.places.empty())
            warn("python/not-configured", pythonLocation(facts.files, configuration.places.begin()->second),
                 "the program never configures the system with these options: it would train on one IPU, the "
                 "project has them",
                 {"call configure_ipu_system() before the strategy is made"});
    }
    warnOfUse(facts, index, project->project, warnings);
    std::set<std::tuple<int, int, std::string>> said; // a loop tells a model the same again and again
    for (const PythonModel::Replaced& told : model.replaced)
        if (said.emplace(told.place.line, told.place.column, told.message).second)
            warn("python/replaced", pythonLocation(facts.files, told.place), told.message, {told.cure});
    if (model.eager)
        warn("python/ignored", pythonLocation(facts.files, *model.eager),
             "compile's \"run_eagerly\" is left out", {"remove it: the system compiles what it runs"});
    for (const std::int64_t used : facts.draft.layersOf(model))
        if (const PythonLayer& layer = facts.draft.layers[static_cast<std::size_t>(used)];
            layer.className != hostTransferClass && std::ranges::any_of(layer.calls, &PythonCall::isOnHost))
            warn("python/host", pythonLocation(facts.files, layer.place),
                 fmt::format("\"{}\" is computed on the host, in the middle of the device's program: what it "
                             "takes goes there, what it answers comes back, and the device waits for both; "
                             "the time that the host computes is not counted",
                             layer.name),
                 {"compute it within the model, or before or behind it, to have the device wait less"});
    if (const Json patch = remainderOf(text, file); patch.is_array()) {
        if (auto whole = withRemainder(project->project, patch, file))
            project = std::move(*whole);
        else
            warn("python/remainder", {file, ""},
                 "the program was changed: what its last comment adds does not fit it any more and is left "
                 "out",
                 {"export the project anew, or set what is missing in the project"});
    } else if (!project->project.training.dataset &&
               (model.isTrained() || model.isEvaluated || model.isPredicted ||
                (model.use > 1 && !facts.fedToLoops.empty()))) { // a loop that answers
        const char* const purpose = model.isTrained() ? "train" : model.isEvaluated ? "evaluate" : "run";
        const auto before = warnings.size();
        if (!facts.saysNoData)
            takeData(facts, index, *project, wanted, warnings);
        if (!project->project.training.dataset && warnings.size() == before)
            warn("python/dataset", {file, ""}, "the program's data is not part of the project",
                 {fmt::format("set training.dataset to {} it", purpose)});
    }
    warnOfMissingData(facts, model, project->project.training, warnings);
    project->warnings.insert(project->warnings.begin(), warnings.begin(), warnings.end());
    return project;
}

} // namespace core
