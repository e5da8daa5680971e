#include "core/config/dataset_catalogue.h"
#include "core/interchange/python/apis/api_library.h"
#include "core/interchange/python/draft/program_builder.h"
#include "core/interchange/python/language/interpreter.h"
#include "core/interchange/python/python_program.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

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

/// What exported programs say in constants: their datasets, and which data are made up on the device.
void readConstants(const PythonInterpreter& interpreter, PythonProgramBuilder& builder) {
    for (const auto& [name, option] : {std::pair{pythonDatasetConstant, "dataset"},
                                       std::pair{pythonValidationConstant, "validation_dataset"}})
        if (Json dataset = datasetOf(builder, interpreter.bound(std::string(name))); !dataset.is_null())
            builder.facts.training[option] = std::move(dataset);
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
    try { // a refusal deep in an expression ends the reading; it goes no further than here
        PythonInterpreter interpreter(messages, library);
        interpreter.run(program);
        builder.settleFedNumbers();
        readConstants(interpreter, builder);
    } catch (const PythonRefusal& refusal) {
        return failure(refusal.diagnostic);
    }
    return FollowedProgram{std::move(builder.facts), messages.warnings()};
}

/// The model that a program is about: the one that was used most, the later one of equals.
std::int64_t chosenModel(const PythonDraft& draft) {
    std::int64_t chosen = -1;
    for (std::size_t i = 0; i < draft.models.size(); ++i) {
        const PythonModel& model = draft.models[i];
        if (model.isSubclass)
            continue;
        const bool isInner = model.asLayer >= 0 && model.use == 0;
        const auto rank = [&](const PythonModel& entry) { return entry.use; };
        if (isInner && draft.models.size() > 1)
            continue;
        if (chosen < 0 || rank(model) >= rank(draft.models[static_cast<std::size_t>(chosen)]))
            chosen = static_cast<std::int64_t>(i);
    }
    return chosen;
}

/// Options of a configuration: the number of IPUs is the system's.
void putConfiguration(const PythonConfiguration& configuration, Json& project) {
    Json options = configuration.options;
    const auto chosen = options.find("auto_select_ipus");
    if (chosen != options.end() && chosen->is_number_integer()) {
        project["system"]["ipus"] = *chosen;
        options.erase("auto_select_ipus");
    } else if (chosen != options.end() && chosen->is_array()) { // several devices: the system has them all
        std::int64_t ipus = 0;
        for (const Json& device : *chosen)
            ipus += device.is_number_integer() ? device.get<std::int64_t>() : 0;
        if (ipus > 0 && ipus <= largestSystem)
            project["system"]["ipus"] = ipus;
    }
    if (!options.empty())
        project["ipu_config"] = std::move(options);
}

Json documentOf(const PythonFacts& facts, std::int64_t index) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    Json project{{"format", "ipu-workbench-project"}, {"version", 1}, {"name", model.name}};
    project["model"] = facts.draft.kerasJson(index);
    Json pipeline = model.pipeline;
    Json stages = model.stages;
    if (stages.is_null())
        stages = facts.draft.stagesByLayer(index);
    if (!stages.is_null())
        pipeline["stages"] = std::move(stages);
    if (Json shards = facts.draft.shardsByLayer(index); !shards.is_null())
        pipeline["sharding"] = std::move(shards);
    if (!pipeline.empty())
        project["pipeline"] = std::move(pipeline);
    Json training = model.training;
    for (const auto& [key, value] : facts.training.items())
        training[key] = value;
    // Keras takes a sum over what it is given when nothing says otherwise; floating types have no size here.
    if (!training.empty())
        project["training"] = std::move(training);
    if (!facts.configurations.empty()) {
        const auto applied = std::find_if(facts.configurations.rbegin(), facts.configurations.rend(),
                                          [](const PythonConfiguration& entry) { return entry.isApplied; });
        putConfiguration(applied == facts.configurations.rend() ? facts.configurations.back() : *applied,
                         project);
    }
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
                       "remove the function: the stages of the pipeline take its place");
    if (model.eager && isPipelined)
        return refusal(*model.eager, "runtime-error/eager", "the model asks for eager execution",
                       "remove run_eagerly=True: a pipeline is compiled");
    if (!model.optimizerOverridden.name.empty())
        return refusal(model.optimizerOverridden.place, "value-error/overridden-minimize",
                       fmt::format("the optimizer's class overrides {}()", model.optimizerOverridden.name),
                       "remove the function: the pipeline applies the gradients itself");
    return std::nullopt;
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
    return bytes.find("keras") != std::string_view::npos || bytes.find("import ") != std::string_view::npos;
}

Result<ProjectFile> readPythonProgram(std::string_view text, const std::string& file) {
    const auto program = parsePython(text, file);
    if (!program)
        return failure(program.error());
    auto followed = follow(*program, file);
    if (!followed)
        return failure(std::move(followed.error()));
    const PythonFacts& facts = followed->facts;
    Diagnostics& warnings = followed->warnings;
    const std::int64_t index = chosenModel(facts.draft);
    if (index < 0)
        return failure(
            pythonError(file, {}, "python/no-model", "the program makes no model",
                        {"a tf.keras.Sequential or tf.keras.Model is wanted, made outside of any function "
                         "or by a call of one"}));
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    if (auto broken = brokenByProgram(facts, index, file))
        return failure(std::move(*broken));
    auto project = readProjectDocument(documentOf(facts, index), file);
    if (!project) {
        placeFindings(facts, index, project.error());
        return failure(std::move(project.error()));
    }
    placeFindings(facts, index, project->warnings);
    const auto warn = [&](const char* code, std::string place, std::string message,
                          std::vector<std::string> hints) {
        warnings.push_back(makeWarning(Trouble::Input, code, {file, std::move(place)}, std::move(message),
                                       std::move(hints)));
    };
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
