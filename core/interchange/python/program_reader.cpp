#include "core/config/dataset_catalogue.h"
#include "core/interchange/python/apis/api_library.h"
#include "core/interchange/python/apis/models/stage_units.h"
#include "core/interchange/python/draft/program_builder.h"
#include "core/interchange/python/language/interpreter.h"
#include "core/interchange/python/python_program.h"
#include "core/project/run_figures.h"
#include "core/project/validate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <map>

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
    if (const PythonValue* system = interpreter.bound(std::string(pythonSystemConstant));
        system != nullptr && system->is<PythonDictionary>())
        builder.facts.system = builder.json(*system, {});
    const PythonValue* flags = interpreter.bound(std::string(pythonFlagsConstant));
    if (flags == nullptr || !flags->isText())
        return;
    const auto text = flags->constant().get<std::string>();
    constexpr std::string_view key = "--synthetic_data_categories=";
    const std::size_t begin = text.find(key);
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

Result<FollowedProgram> follow(const PythonBlock& program, const std::string& file) {
    PythonMessages messages(file);
    PythonProgramBuilder builder(messages);
    PythonApiLibrary library(builder);
    // A listing that is indented as a whole is cut out of a strategy's scope.
    builder.scope.isStrategy = !program.empty() && program.front().place.column > 1;
    try { // a refusal deep in an expression ends the reading; it goes no further than here
        PythonInterpreter interpreter(messages, library);
        interpreter.run(program);
        library.settle(interpreter);
        builder.settleLoops();
        builder.settleFedNumbers();
        readConstants(interpreter, builder);
    } catch (const PythonRefusal& refusal) {
        return failure(refusal.diagnostic);
    }
    return FollowedProgram{std::move(builder.facts), messages.warnings()};
}

/// The models of a program that no other one calls, with names that differ: "net", "net-2".
struct NamedModel {
    std::int64_t index = 0;
    std::string name;
};
std::vector<NamedModel> modelsOf(const PythonDraft& draft) {
    std::vector<NamedModel> models;
    std::map<std::string, int> counts;
    for (std::size_t i = 0; i < draft.models.size(); ++i) {
        const PythonModel& model = draft.models[i];
        const bool isInner = model.asLayer >= 0 && model.use == 0;
        if (model.isSubclass || (isInner && draft.models.size() > 1))
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
std::int64_t chosenModel(const PythonDraft& draft, const std::string& file, const std::string& wanted,
                         Diagnostics& warnings, Diagnostics& error) {
    const std::vector<NamedModel> models = modelsOf(draft);
    const auto useOf = [&](const NamedModel& model) {
        return draft.models[static_cast<std::size_t>(model.index)].use;
    };
    const auto placeOf = [&](const NamedModel& model) {
        return draft.models[static_cast<std::size_t>(model.index)].place;
    };
    if (models.empty())
        return -1;
    if (!wanted.empty()) {
        const auto found = std::ranges::find(models, wanted, &NamedModel::name);
        if (found == models.end())
            error.push_back(pythonError(file, placeOf(models.back()), "import/no-such-model",
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
        error.push_back(pythonError(file, placeOf(used.back()), "import/several-models",
                                    fmt::format("the program makes {} models: {}", used.size(), listed(used)),
                                    std::move(cures)));
        return -1;
    }
    if (used.size() > 1)
        others.insert(others.end(), used.begin(), used.end() - 1);
    for (const NamedModel& other : others) {
        Diagnostic warning =
            pythonError(file, placeOf(other), "python/other-model",
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
    if (!options.empty())
        project["ipu_config"] = std::move(options);
}

/// The configuration that is applied where a model is used; null: none.
const PythonConfiguration* configurationOf(const PythonFacts& facts, std::int64_t index) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    if (model.configuration >= 0)
        return &facts.configurations[static_cast<std::size_t>(model.configuration)];
    if (facts.configurations.empty())
        return nullptr;
    const auto applied = std::find_if(facts.configurations.rbegin(), facts.configurations.rend(),
                                      [](const PythonConfiguration& entry) { return entry.isApplied; });
    return applied == facts.configurations.rend() ? &facts.configurations.back() : &*applied;
}

/// A device has 1, 2, 4, 8, … IPUs.
std::optional<Diagnostic> wrongDevice(const PythonFacts& facts, std::int64_t index, const std::string& file) {
    const PythonConfiguration* configuration = configurationOf(facts, index);
    if (configuration == nullptr)
        return std::nullopt;
    for (const std::int64_t count : wholeNumbers(configuration->options.value("auto_select_ipus", Json()))) {
        if (count > 0 && std::has_single_bit(static_cast<std::uint64_t>(count)))
            continue;
        const auto place = configuration->places.find("auto_select_ipus");
        return pythonError(file, place == configuration->places.end() ? PythonPlace() : place->second,
                           "value-error/ipu-count", fmt::format("there is no device with {} IPUs", count),
                           {"select 1, 2, 4, 8, 16, … IPUs"});
    }
    return std::nullopt;
}

/// A model of TensorFlow 2.1 that is not told how many steps run at a time runs those of an epoch, or else of
/// one update of the weights.
void settleOlderSteps(const PythonModel& model, const Json& pipeline, Json& training) {
    const Json count = pipeline.value("gradient_accumulation_steps_per_replica", Json());
    if (!model.isOlder || training.contains("steps_per_execution") || !count.is_number_integer() ||
        count.get<std::int64_t>() < 1)
        return;
    const Json steps = training.value("steps_per_epoch", Json());
    const bool fits = steps.is_number_integer() && steps.get<std::int64_t>() > 0 &&
                      steps.get<std::int64_t>() % count.get<std::int64_t>() == 0;
    training["steps_per_execution"] = fits ? steps : count;
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
    if (!stages.is_null())
        pipeline["stages"] = std::move(stages);
    if (Json shards = facts.draft.shardsByLayer(index); !shards.is_null())
        pipeline["sharding"] = std::move(shards);
    Json training = model.training;
    // A description of the dataset says itself how many samples it has.
    if (!facts.training.contains("dataset"))
        for (const auto& [key, value] : model.derived.items())
            if (!training.contains(key))
                training[key] = value;
    settleOlderSteps(model, pipeline, training);
    if (!pipeline.empty())
        project["pipeline"] = std::move(pipeline);
    for (const auto& [key, value] : facts.training.items())
        training[key] = value;
    // Keras takes a sum over what it is given when nothing says otherwise; floating types have no size here.
    if (!training.empty())
        project["training"] = std::move(training);
    if (const PythonConfiguration* configuration = configurationOf(facts, index))
        putConfiguration(*configuration, project);
    for (const auto& [key, value] : facts.system.items())
        project["system"][key] = value;
    return project;
}

/// What a project cannot hold of a model: functions of its own, and eager execution. A pipeline refuses them
/// itself, in its own words; in this order.
std::optional<Diagnostic> brokenByProgram(const PythonFacts& facts, std::int64_t index,
                                          const std::string& file) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    const bool isPipelined = !model.stages.is_null() || !facts.draft.stagesByLayer(index).is_null();
    const auto refusal = [&](PythonPlace place, const char* code, const std::string& what, const char* hint) {
        return pythonError(
            file, place, isPipelined ? code : "python/unsupported",
            isPipelined ? what + ", which a pipelined model must not" : what + ", which is not read", {hint});
    };
    if (!model.overridden.name.empty())
        return refusal(model.overridden.place, "runtime-error/overridden-function",
                       fmt::format("the model's class overrides {}()", model.overridden.name),
                       isPipelined
                           ? "remove the function: the stages of the pipeline take its place"
                           : "remove the function: give loss, metrics and clipnorm of the optimizer to "
                             "compile(), which trains with them");
    if (model.eager && isPipelined)
        return refusal(*model.eager, "runtime-error/eager", "the model asks for eager execution",
                       "remove run_eagerly=True: a pipeline is compiled");
    if (!model.optimizerOverridden.name.empty())
        return refusal(model.optimizerOverridden.place, "value-error/overridden-minimize",
                       fmt::format("the optimizer's class overrides {}()", model.optimizerOverridden.name),
                       "remove the function: the pipeline applies the gradients itself");
    return std::nullopt;
}

/// One of two setters means something: which one, the stages say.
void warnOfSetters(const PythonFacts& facts, std::int64_t index, const std::string& file,
                   Diagnostics& warnings) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    const bool isPipelined = !model.stages.is_null() || !facts.draft.stagesByLayer(index).is_null();
    const Json& unused = isPipelined ? model.accumulation : model.pipelining;
    if (unused.empty())
        return;
    const char* ignored = isPipelined ? "set_gradient_accumulation_options" : "set_pipelining_options";
    const char* used = isPipelined ? "set_pipelining_options" : "set_gradient_accumulation_options";
    Diagnostic warning =
        pythonError(file, model.pipelinePlace, "python/no-effect",
                    fmt::format("{}() has no effect on a model {} pipeline stages", ignored,
                                isPipelined ? "with" : "without"),
                    {fmt::format("write {}()", used),
                     isPipelined ? "remove the stages" : "assign the layers to pipeline stages"});
    warning.severity = Severity::Warning;
    warnings.push_back(std::move(warning));
}

/// Where in the program a finding about the document comes from.
void placeFindings(const PythonFacts& facts, std::int64_t index, Diagnostics& findings) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    for (Diagnostic& finding : findings) {
        const std::string pointer = finding.location.place;
        PythonPlace place = model.place;
        if (pointer.starts_with("/pipeline"))
            place = model.pipelinePlace;
        if (pointer.starts_with("/training"))
            place = model.trainingPlace;
        if (pointer.starts_with("/ipu_config")) {
            for (const PythonConfiguration& configuration : facts.configurations) {
                for (const auto& [option, at] : configuration.places) {
                    if (pointer.find(option) != std::string::npos)
                        place = at;
                }
            }
        }
        constexpr std::string_view layers = "/model/config/layers/";
        if (pointer.starts_with(layers) && model.isSequential) {
            const std::size_t at = static_cast<std::size_t>(std::atoi(pointer.c_str() + layers.size()));
            if (at < model.layers.size())
                place = facts.draft.layers[static_cast<std::size_t>(model.layers[at])].place;
        }
        finding.location.place = fmt::format("{}:{}", place.line, place.column);
    }
}

/// What the programming system would raise where the program runs, at the lines that say it.
Diagnostics refusedByRules(const PythonFacts& facts, std::int64_t index, const ProjectFile& read,
                           const std::string& file) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    if (model.use < 1)
        return {};
    constexpr std::array<std::string_view, 15> raised{"value-error/stage-step",
                                                      "value-error/stage-order",
                                                      "value-error/stage-unset",
                                                      "value-error/first-stage",
                                                      "value-error/stage-count",
                                                      "value-error/duplicate-device",
                                                      "value-error/device-mapping",
                                                      "value-error/device-mapping-length",
                                                      "value-error/interleaved-stages",
                                                      "value-error/shard-unset",
                                                      "value-error/micro-batches",
                                                      "runtime-error/empty-stage",
                                                      "runtime-error/steps-per-execution",
                                                      "unimplemented/shared-variable",
                                                      "value-error/too-few-ipus"};
    const PythonConfiguration* configuration = configurationOf(facts, index);
    const bool selects = configuration != nullptr && configuration->options.contains("auto_select_ipus");
    Diagnostics refused;
    const bool saysSteps = model.training.contains("steps_per_execution");
    Project asked = read.project;
    asked.training.stepsPerEpoch.reset(); // how long an epoch is may depend on where it runs
    for (Diagnostic& finding : validateAll(asked, RunMode::Train, {}, file).findings) {
        const std::string& code = finding.code;
        const bool isRaised = std::ranges::find(raised, code) != raised.end() &&
                              (selects || code != "value-error/too-few-ipus") &&
                              (saysSteps || code != "runtime-error/steps-per-execution");
        if (finding.severity == Severity::Error && isRaised)
            refused.push_back(std::move(finding));
    }
    placeFindings(facts, index, refused);
    return refused;
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
    return readPythonModel(text, file, "");
}

Result<ProjectFile> readPythonModel(std::string_view text, const std::string& file,
                                    const std::string& wanted) {
    const auto program = parsePython(text, file);
    if (!program)
        return failure(program.error());
    auto followed = follow(*program, file);
    if (!followed)
        return failure(std::move(followed.error()));
    const PythonFacts& facts = followed->facts;
    Diagnostics& warnings = followed->warnings;
    Diagnostics unclear;
    const std::int64_t index = chosenModel(facts.draft, file, wanted, warnings, unclear);
    if (!unclear.empty())
        return failure(std::move(unclear));
    if (index < 0) {
        const auto foreign = std::ranges::find(warnings, "python/foreign", &Diagnostic::code);
        std::vector<std::string> cures{
            "a tf.keras.Sequential or tf.keras.Model is wanted, made outside of any "
            "function or by a call of one"};
        if (foreign != warnings.end())
            cures.insert(cures.begin(), "put what makes it into this file: " + foreign->message);
        return failure(
            pythonError(file, {}, "python/no-model", "the program makes no model", std::move(cures)));
    }
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    if (auto broken = brokenByProgram(facts, index, file))
        return failure(std::move(*broken));
    if (auto wrong = wrongDevice(facts, index, file))
        return failure(std::move(*wrong));
    auto project = readProjectDocument(documentOf(facts, index), file);
    if (!project) {
        placeFindings(facts, index, project.error());
        return failure(std::move(project.error()));
    }
    placeFindings(facts, index, project->warnings);
    if (auto& steps = project->project.training.stepsPerEpoch; model.countsReplicaSteps && steps)
        *steps *= runFigures(project->project, RunMode::Train, std::nullopt).replicas;
    if (auto refused = refusedByRules(facts, index, *project, file); !refused.empty())
        return failure(std::move(refused));
    const auto warn = [&](const char* code, std::string place, std::string message,
                          std::vector<std::string> hints) {
        warnings.push_back(makeWarning(Trouble::Input, code, {file, std::move(place)}, std::move(message),
                                       std::move(hints)));
    };
    warnOfSetters(facts, index, file, warnings);
    if (model.eager)
        warn("python/ignored", fmt::format("{}:{}", model.eager->line, model.eager->column),
             "compile's \"run_eagerly\" is left out", {"remove it: the system compiles what it runs"});
    if (const Json patch = remainderOf(text, file); patch.is_array()) {
        if (auto whole = withRemainder(project->project, patch, file))
            project = std::move(*whole);
        else
            warn("python/remainder", "",
                 "the program was changed: what its last comment adds does not fit it any more and is left "
                 "out",
                 {"export the project anew, or set what is missing in the project"});
    } else if (!project->project.training.dataset && model.use == 3) {
        warn("python/dataset", "", "the program's data is not part of the project",
             {"set training.dataset to train it"});
    }
    project->warnings.insert(project->warnings.begin(), warnings.begin(), warnings.end());
    return project;
}

} // namespace core
