#include "core/interchange/python/program_rules.h"

#include "core/interchange/python/apis/calls/gradients.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_shape.h"
#include "core/interchange/python/syntax/messages.h"
#include "core/model/graph/differentiated_layers.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/graph/model_summary.h"
#include "core/model/initializer_catalogue.h"
#include "core/project/options/option_table.h"
#include "core/project/run_figures.h"
#include "core/project/validate.h"
#include "core/project/validation_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <set>

namespace core {

namespace {

/// Whether a program gives a model samples, but no loss to train with.
bool predictsOnly(const PythonModel& model, const Project& project) {
    return model.use > 1 && project.training.losses.empty() && !project.training.optimizer;
}

/// Whether the programming system raises a finding of a rule wherever the model is used. Others depend on how
/// it is used, or on the machine and its data.
bool isRaisedAnywhere(std::string_view code) {
    constexpr std::array<std::string_view, 20> raised{"value-error/stage-step",
                                                      "value-error/constant-initializer",
                                                      "type-error/constant-initializer",
                                                      "value-error/io-tiles",
                                                      "exception/replica-group",
                                                      "value-error/connection-version",
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
    return std::ranges::find(raised, code) != raised.end();
}

/// Whether a layer refuses what it is told or given; that the program does not say its shapes is no such
/// finding.
bool isOfLayer(const PythonFacts& facts, const Diagnostic& finding) {
    if (finding.code != "layer/attribute" && finding.code != "layer/shape")
        return false;
    const std::string name = finding.location.place.substr(finding.location.place.rfind('/') + 1);
    const auto named = std::ranges::find(facts.draft.layers, name, &PythonLayer::name);
    return named != facts.draft.layers.end() && named->className != "InputLayer";
}

/// Whether it is raised where the model is trained.
bool isRaisedByTraining(std::string_view code) {
    constexpr std::array<std::string_view, 21> raised{"value-error/pipeline-stages",
                                                      "unimplemented/batch-norm-group",
                                                      "unimplemented/weight-sharding",
                                                      "value-error/accumulate-outfeed",
                                                      "value-error/batch-norm-group",
                                                      "value-error/batch-serialization-reduction",
                                                      "value-error/fused-activation",
                                                      "value-error/loss-count",
                                                      "value-error/optimizer-state-sharding",
                                                      "value-error/outfeed-conflict",
                                                      "value-error/outfeed-mask-length",
                                                      "value-error/stage-options-length",
                                                      "failed-precondition/micro-batch-minimum",
                                                      "failed-precondition/micro-batch-multiple",
                                                      "failed-precondition/remote-memory",
                                                      "not-implemented/batch-serialization-devices",
                                                      "not-implemented/batch-serialization-schedule",
                                                      "not-implemented/continuous-weight-updates",
                                                      "not-implemented/interleaved-repeated-device",
                                                      "unimplemented/recomputation-mode",
                                                      "value-error/gradient-accumulation-unset"};
    return std::ranges::find(raised, code) != raised.end();
}

void renameOption(std::string* text, const std::string& option, const std::string& name) {
    for (std::size_t at = text == nullptr ? std::string::npos : text->find(option); at != std::string::npos;
         at = text->find(option, at + name.size()))
        text->replace(at, option.size(), name);
}

/// One of two setters means something: which one, the stages say.
void warnOfSetters(const PythonFacts& facts, std::int64_t index, Diagnostics& warnings) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    const bool isPipelined = !model.stages.is_null() || !facts.draft.stagesByLayer(index).is_null();
    const Json& unused = isPipelined ? model.accumulation : model.pipelining;
    if (unused.empty())
        return;
    const char* ignored = isPipelined ? "set_gradient_accumulation_options" : "set_pipelining_options";
    const char* used = isPipelined ? "set_pipelining_options" : "set_gradient_accumulation_options";
    Diagnostic warning =
        pythonError(facts.files, model.pipelinePlace, "python/no-effect",
                    fmt::format("{}() has no effect on a model {} pipeline stages", ignored,
                                isPipelined ? "with" : "without"),
                    {fmt::format("write {}()", used),
                     isPipelined ? "remove the stages" : "assign the layers to pipeline stages"});
    warning.severity = Severity::Warning;
    warnings.push_back(std::move(warning));
}

/// Models of Keras are documented to run whole weight updates of all replicas in an execution. The system
/// itself asks for less.
void warnOfExecution(const PythonFacts& facts, std::int64_t index, const Project& project,
                     Diagnostics& warnings) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    const std::int64_t accumulation = project.pipeline.gradientAccumulationSteps.value_or(1);
    if (!model.isTrained() || model.countsReplicaSteps || accumulation <= 1 ||
        !model.training.contains("steps_per_execution"))
        return;
    const auto sound = validate(project, RunMode::Train);
    const std::int64_t whole = sound ? accumulation * sound->replicas() : 1;
    const std::int64_t steps = project.training.stepsPerExecution;
    if (whole == accumulation || steps % whole == 0)
        return;
    const std::int64_t next = (steps / whole + 1) * whole;
    const auto epoch = runFigures(project, RunMode::Train, std::nullopt).stepsPerReplica;
    const auto fitting =
        epoch && *epoch > 0 ? fittingExecution(*epoch, whole, steps) : std::optional<std::int64_t>();
    Diagnostic warning = pythonError(
        facts.files, model.trainingPlace, "python/steps-per-execution",
        fmt::format("steps_per_execution {} is no multiple of {}, {} steps of gradient accumulation times {} "
                    "replicas, as fit() is documented to need",
                    steps, whole, accumulation, sound->replicas()),
        {fitting ? fmt::format("use {}, which divides the {} steps of an epoch, too", *fitting, *epoch)
         : steps > whole ? fmt::format("use {} or {}", next - whole, next)
                         : fmt::format("use {}", whole)});
    warning.severity = Severity::Warning;
    warnings.push_back(std::move(warning));
}

/// A run trains where nobody says otherwise.
void warnOfPrediction(const PythonFacts& facts, std::int64_t index, const Project& project,
                      Diagnostics& warnings) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    const bool evaluatesOnly = model.isEvaluated && !model.isTrained();
    const bool isOnlyAsked = model.isPredicted && !model.isTrained();
    if (!predictsOnly(model, project) && !evaluatesOnly && !isOnlyAsked)
        return;
    Diagnostic warning = pythonError(
        facts.files, model.trainingPlace.line > 0 ? model.trainingPlace : model.place, "python/predicts-only",
        "the program trains nothing with this model",
        {fmt::format("run and check the project with --mode {}", evaluatesOnly ? "evaluate" : "predict")});
    warning.severity = Severity::Warning;
    warnings.push_back(std::move(warning));
}

/// Layers that the gradients of a training run through, those of its losses as well.
std::set<std::string> differentiatedIn(const Project& project) {
    std::set<std::string> names = differentiatedLayers(project.model, project.opaqueLayers);
    for (const auto& loss : project.training.losses)
        if (loss.config.contains("model"))
            for (const Json& layer : loss.config["model"]["config"]["layers"])
                names.insert(layer["config"].value("name", std::string()));
    return names;
}

} // namespace

const PythonConfiguration* configurationOf(const PythonFacts& facts, std::int64_t index) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    if (model.configuration >= 0)
        return &facts.configurations[static_cast<std::size_t>(model.configuration)];
    if (facts.configurations.empty())
        return nullptr;
    const std::int64_t last = facts.lastApplied();
    return last < 0 ? &facts.configurations.back() : &facts.configurations[static_cast<std::size_t>(last)];
}

std::optional<Diagnostic> wrongDevice(const PythonFacts& facts, std::int64_t index) {
    const PythonConfiguration* configuration = configurationOf(facts, index);
    if (configuration == nullptr)
        return std::nullopt;
    const Json selected = configuration->options.value("auto_select_ipus", Json());
    const std::int64_t devices = selected.is_array() ? static_cast<std::int64_t>(selected.size()) : 1;
    if (!selected.is_null() && facts.device.first >= devices)
        return pythonError(
            facts.files, facts.device.second, "value-error/device",
            fmt::format("there is no device /device:IPU:{}: auto_select_ipus makes {}", facts.device.first,
                        devices == 1 ? "one, number 0"
                                     : fmt::format("{}, numbers 0 to {}", devices, devices - 1)),
            {"select so many devices: auto_select_ipus = [1, 2, …]", "name a device that there is"});
    for (const Json& given : selected.is_array() ? selected : Json::array({selected})) {
        if (!given.is_number_integer())
            continue;
        const auto count = given.get<std::int64_t>();
        if (count > 0 && std::has_single_bit(static_cast<std::uint64_t>(count)))
            continue;
        const auto place = configuration->places.find("auto_select_ipus");
        return pythonError(facts.files, place == configuration->places.end() ? PythonPlace() : place->second,
                           "value-error/ipu-count", fmt::format("there is no device with {} IPUs", count),
                           {"select 1, 2, 4, 8, 16, … IPUs"});
    }
    return std::nullopt;
}

std::optional<Diagnostic> wrongGroup(const PythonFacts& facts, std::int64_t index, const Project& project) {
    const std::int64_t replicas = runFigures(project, RunMode::Train, std::nullopt).replicas;
    const std::set<std::int64_t> own = [&] {
        const auto layers = facts.draft.layersOf(facts.draft.models[static_cast<std::size_t>(index)]);
        return std::set<std::int64_t>(layers.begin(), layers.end());
    }();
    for (std::size_t i = 0; i < facts.draft.layers.size(); ++i) {
        const PythonLayer& layer = facts.draft.layers[i];
        if (layer.calls.empty() || own.contains(static_cast<std::int64_t>(i)))
            continue; // of the model, the rules of the project ask
        if (auto broken = brokenReplicaGroup(layer.className, layer.config, replicas))
            return pythonError(facts.files, layer.place, "exception/replica-group",
                               std::move(broken->message), {std::move(broken->hint)});
    }
    return std::nullopt;
}

std::optional<Diagnostic> brokenByProgram(const PythonFacts& facts, std::int64_t index) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    const bool isPipelined = !model.stages.is_null() || !facts.draft.stagesByLayer(index).is_null();
    const auto refusal = [&](PythonPlace place, const char* code, const std::string& what, const char* hint) {
        return pythonError(
            facts.files, place, isPipelined ? code : "python/unsupported",
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
    if (const Json place = model.pipelining.value(pythonUnknownArgument, Json());
        isPipelined && place.is_array())
        return pythonError(facts.files, {place[0].get<int>(), place[1].get<int>(), place[2].get<int>()},
                           "type-error/argument",
                           "set_pipelining_options() hands \"schedule\" on to pipeline(), which has no such "
                           "argument",
                           {"write pipeline_schedule="});
    return std::nullopt;
}

namespace {

/// Options of a pipeline as what takes them in the program names them.
void inWordsOfPipeline(const PythonModel& model, Diagnostic& finding) {
    const bool isOlder = !model.pipelineCall.empty();
    for (std::string& hint : finding.hints)
        if (constexpr std::string_view option = "set pipeline."; hint.starts_with(option))
            hint = fmt::format("give {} {}", isOlder ? model.pipelineCall : "set_pipelining_options()",
                               hint.substr(option.size()));
    if (!isOlder)
        return;
    for (const ProjectOption& option : projectOptions()) {
        if (option.parent() != "pipeline" || option.olderKeyword() == option.key())
            continue;
        const std::string key(option.key());
        const std::string keyword(option.olderKeyword());
        if (keyword.find(key) != std::string::npos)
            continue;
        renameOption(&finding.message, key, keyword);
        for (std::string& hint : finding.hints)
            renameOption(&hint, key, keyword);
    }
}

} // namespace

void placeFindings(const PythonFacts& facts, std::int64_t index, Diagnostics& findings) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    for (Diagnostic& finding : findings) {
        const std::string pointer = finding.location.place;
        PythonPlace place = model.place;
        if (pointer.starts_with("/pipeline"))
            place = model.pipelinePlace;
        inWordsOfPipeline(model, finding);
        if (!model.executionSteps.empty())
            for (std::string* text : {&finding.message, finding.hints.empty() ? nullptr : &finding.hints[0]})
                renameOption(text, "steps_per_execution", model.executionSteps);
        if (model.stagesPlace &&
            (pointer.starts_with("/pipeline/stages") || finding.code.starts_with("value-error/stage-")))
            place = *model.stagesPlace;
        if (pointer.starts_with("/training") || finding.code == "value-error/gradient-accumulation-unset")
            place = model.trainingPlace;
        if (finding.code == "value-error/stage-missing" && !model.stagesPlace)
            for (const PythonLayer& layer :
                 facts.draft.layers) // those that are called outside of every stage
                if (finding.message.find(" " + layer.name + " ") != std::string::npos)
                    place = layer.place;
        if (pointer.starts_with("/ipu_config")) {
            for (const PythonConfiguration& configuration : facts.configurations) {
                for (const auto& [option, at] : configuration.places) {
                    if (pointer.find(option) != std::string::npos)
                        place = at;
                }
            }
        }
        const auto named =
            std::ranges::find(facts.draft.layers, pointer.substr(pointer.rfind('/') + 1), &PythonLayer::name);
        const bool isOfStages = finding.code.find("stage") != std::string::npos ||
                                finding.code == "unimplemented/shared-variable";
        if (!pointer.starts_with('/') && !isOfStages && named != facts.draft.layers.end())
            place = named->place;
        constexpr std::string_view layers = "/model/config/layers/";
        if (pointer.starts_with(layers) && model.isSequential) {
            const std::size_t at = static_cast<std::size_t>(std::atoi(pointer.c_str() + layers.size()));
            if (at < model.layers.size())
                place = facts.draft.layers[static_cast<std::size_t>(model.layers[at])].place;
        }
        finding.location = pythonLocation(facts.files, place);
    }
}

Diagnostics refusedByRules(const PythonFacts& facts, std::int64_t index, const ProjectFile& read) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    if (model.use < 1)
        return {};
    const PythonConfiguration* configuration = configurationOf(facts, index);
    const bool selects = configuration != nullptr && (configuration->options.contains("auto_select_ipus") ||
                                                      configuration->options.contains("select_ipus"));
    Diagnostics refused;
    const bool isPipelined = read.project.assignment.isPipelined();
    const bool accumulates = !model.accumulation.empty();
    const bool saysSteps =
        model.training.contains("steps_per_execution") || (model.isTrained() && (isPipelined || accumulates));
    Project asked = read.project;
    asked.training.stepsPerEpoch.reset(); // how long an epoch is may depend on where it runs
    const bool isOnlyPredicted = !model.isTrained() && model.isPredicted && !model.isEvaluated;
    const RunMode mode = isOnlyPredicted || predictsOnly(model, asked) ? RunMode::Predict : RunMode::Train;
    for (Diagnostic& finding : validateAll(asked, mode, {}, facts.files.front()).findings) {
        const std::string& code = finding.code;
        const bool isRaised =
            (isRaisedAnywhere(code) || isOfLayer(facts, finding) ||
             (model.isTrained() && isRaisedByTraining(code)) ||
             (isPipelined && saysSteps && code.starts_with("failed-precondition/micro-batch"))) &&
            (selects || code != "value-error/too-few-ipus") &&
            (saysSteps || code != "runtime-error/steps-per-execution");
        if (code == "warning/initializer") { // Keras knows it as little as a run does
            finding.severity = Severity::Error;
            finding.code = "value-error/initializer";
            finding.message.resize(std::min(finding.message.find(": a run"), finding.message.size()));
            refused.push_back(std::move(finding));
        } else if (finding.severity == Severity::Error && isRaised) {
            refused.push_back(std::move(finding));
        }
    }
    // How many IPUs are needed follows from a mapping.
    const auto isOfMapping = [](const Diagnostic& finding) {
        return finding.code.starts_with("value-error/device-mapping");
    };
    if (std::ranges::any_of(refused, isOfMapping))
        std::erase_if(refused,
                      [](const Diagnostic& finding) { return finding.code == "value-error/too-few-ipus"; });
    // How long an epoch is matters to what it is divided into, and to what fits it.
    const bool areSteps = std::ranges::any_of(refused, [](const Diagnostic& finding) {
        return finding.code == "runtime-error/steps-per-execution";
    });
    if (model.isTrained() && (refused.empty() || areSteps))
        for (Diagnostic& finding : validateAll(read.project, mode, {}, facts.files.front()).findings) {
            const auto same = std::ranges::find(refused, finding.code, &Diagnostic::code);
            if (same != refused.end() && finding.code == "runtime-error/steps-per-execution")
                same->hints = finding.hints;
            else if (refused.empty() && finding.code == "value-error/steps-per-execution")
                refused.push_back(std::move(finding));
        }
    placeFindings(facts, index, refused);
    return refused;
}

namespace {

/// Extents of an input of a project without those of a batch, null where one is open; null: it says none.
Json inputExtents(const Layer& layer) {
    return withoutBatch(declaredInputShape(layer.config));
}

/// Whether samples of these extents may be given to such an input: Keras adds or takes a last axis of 1.
bool fitsInput(Json given, Json wanted) {
    if (!given.is_array() || !wanted.is_array())
        return true;
    for (auto [more, less] : {std::pair(&given, &wanted), std::pair(&wanted, &given)})
        if (more->size() == less->size() + 1 && more->back() == 1)
            more->erase(more->size() - 1);
    return given.size() == wanted.size() &&
           std::ranges::equal(given, wanted, [](const Json& a, const Json& b) {
               return a.is_null() || b.is_null() || a == b;
           });
}

/// (12, 6)
std::string extentsText(const Json& extents) {
    std::string text;
    for (const Json& extent : extents)
        text += (text.empty() ? "" : ", ") + (extent.is_null() ? std::string("None") : extent.dump());
    return fmt::format("({}{})", text, extents.size() == 1 ? "," : "");
}

} // namespace

std::optional<Diagnostic> wrongSamples(const PythonFacts& facts, std::int64_t index, const Project& project) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    if (!model.fed || (!model.isTrained() && !model.isEvaluated && !model.isPredicted))
        return std::nullopt;
    const PythonFed& fed = *model.fed;
    const auto refusal = [&](const char* code, std::string message, std::string cure) {
        return pythonError(facts.files, fed.place, code, std::move(message), {std::move(cure)});
    };
    const auto& inputs = project.model.inputs;
    for (const TensorRef& input : inputs)
        if (const Layer& layer = project.model.layer(input.invocation);
            layer.className == "InputLayer" && inputExtents(layer).is_null() && model.isTrained())
            return refusal("python/unknown-shape",
                           "which extents the samples have is known only when the program runs, and no layer "
                           "of the model says it",
                           "give the first layer input_shape=(…), without the batch axis");
    if (fed.samples > 0 && fed.labelled > 0 && fed.samples != fed.labelled)
        return refusal("value-error/sample-count",
                       fmt::format("there are {} samples and labels of {}", fed.samples, fed.labelled),
                       "give as many labels as samples");
    if (!fed.inputShapes.empty() && fed.inputShapes.size() != inputs.size() && !inputs.empty())
        return refusal("value-error/input-count",
                       fmt::format("the model has {} input{} and is given {} array{}", inputs.size(),
                                   inputs.size() == 1 ? "" : "s", fed.inputShapes.size(),
                                   fed.inputShapes.size() == 1 ? "" : "s"),
                       "give one array for each input, in their order or by their names");
    for (std::size_t i = 0; i < fed.inputShapes.size() && i < inputs.size(); ++i) {
        const Json wanted = inputExtents(project.model.layer(inputs[i].invocation));
        if (!fitsInput(fed.inputShapes[i], wanted))
            return refusal("value-error/input-shape",
                           fmt::format("input \"{}\" takes samples of {} and is given {}",
                                       project.model.layer(inputs[i].invocation).name, extentsText(wanted),
                                       extentsText(fed.inputShapes[i])),
                           "give the input the extents of the samples, or reshape those");
    }
    for (const TensorRef& input : inputs) {
        const Json shape = declaredInputShape(project.model.layer(input.invocation).config);
        const Json fixed = shape.is_null() ? Json() : shape.front();
        const std::int64_t batch = model.training.value("batch_size", std::int64_t{0});
        if (fixed.is_number_integer() && batch > 0 && fixed != batch && model.isTrained())
            return refusal(
                "value-error/batch-size",
                fmt::format("the model's input has batches of {}, and they are {} here", fixed.dump(), batch),
                fmt::format("use batches of {}, or leave batch_size of the input out", fixed.dump()));
    }
    const auto isByClass = [](const auto& loss) { return loss.className == "CategoricalCrossentropy"; };
    if (fed.labelShapes.empty() || std::ranges::none_of(project.training.losses, isByClass))
        return std::nullopt; // before the shapes of the whole model are worked out
    const auto summary = summarize(project.model, 1);
    for (std::size_t i = 0; summary && i < fed.labelShapes.size() && i < project.training.losses.size() &&
                            i < summary->outputShapes.size();
         ++i) {
        const Shape& output = summary->outputShapes[i];
        const Dimension classes = output.rank() > 1 ? output.dimensions.back() : Dimension{};
        const Json& labels = fed.labelShapes[i];
        if (isByClass(project.training.losses[i]) && classes && *classes > 1 && labels.is_array() &&
            labels.size() + 2 == output.rank())
            return refusal(
                "value-error/label-shape",
                fmt::format("CategoricalCrossentropy compares {} numbers of each sample, one for each "
                            "class, and the labels are one number",
                            *classes),
                "use SparseCategoricalCrossentropy, or tf.keras.utils.to_categorical() of the labels");
    }
    return std::nullopt;
}

namespace {

/// A pipeline that is asked for fewer steps than it executes at once runs as many micro-batches as steps: its
/// schedule has to fit those.
std::optional<Diagnostic> wrongShortRound(const PythonFacts& facts, const PythonModel::Asking& asking,
                                          Project project, std::int64_t steps) {
    if (!project.assignment.isPipelined())
        return std::nullopt;
    project.training.stepsPerExecution = std::min(project.training.stepsPerExecution, steps);
    project.training.stepsPerEpoch = steps;
    const RunMode mode = asking.function == "evaluate" ? RunMode::Evaluate : RunMode::Predict;
    for (const Diagnostic& finding : validateAll(project, mode, {}, facts.files.front()).findings)
        if (finding.severity == Severity::Error &&
            finding.code.starts_with("failed-precondition/micro-batch"))
            return pythonError(facts.files, asking.place, finding.code,
                               fmt::format("{}() of {} steps: {}", asking.function, steps, finding.message),
                               {fmt::format("give {}() steps that are a multiple of the stages, {}",
                                            asking.function, project.assignment.stageCount())});
    return std::nullopt;
}

} // namespace

Diagnostics refusedBySystem(const PythonFacts& facts, std::int64_t index, const ProjectFile& read,
                            const ImportChoice& choice) {
    Diagnostics refused = choice.systemFindings ? choice.systemFindings(read.project) : Diagnostics();
    std::erase_if(refused, [](const Diagnostic& finding) {
        return finding.severity != Severity::Error || !finding.location.place.starts_with("/ipu_config");
    });
    placeFindings(facts, index, refused);
    return refused;
}

std::optional<Diagnostic> wrongReplicas(const PythonFacts& facts, std::int64_t index,
                                        const Project& project) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    const std::int64_t workers = std::max<std::int64_t>(facts.workers, 1);
    const RunFigures figures = runFigures(project, RunMode::Train, std::nullopt);
    const std::int64_t wanted = model.wantedReplicas;
    if (wanted < 2 || wanted * workers <= figures.replicas)
        return std::nullopt;
    const std::int64_t each = project.system.ipus / workers;
    return pythonError(facts.files, model.place, "value-error/too-few-ipus",
                       fmt::format("num_replicas={} of IPURunConfig needs {} IPUs, and {} {} selected",
                                   wanted, wanted * figures.ipusPerReplica, each, each == 1 ? "is" : "are"),
                       {fmt::format("set auto_select_ipus to {}", wanted * figures.ipusPerReplica),
                        fmt::format("give IPURunConfig num_replicas={}",
                                    std::max<std::int64_t>(figures.replicas / workers, 1))});
}

std::optional<Json> dividedOptimizer(const PythonModel& model, std::int64_t replicas) {
    const Json divisor = model.training.value(pythonOptimizerDivides, Json());
    Json optimizer = model.training.value("optimizer", Json());
    const bool isAnother = divisor.is_number_integer() && divisor != replicas;
    return isAnother && multiplyGradients(optimizer, 1 / divisor.get<double>()) ? std::optional(optimizer)
                                                                                : std::nullopt;
}

std::optional<Diagnostic> wrongDivisor(const PythonFacts& facts, std::int64_t index, const Project& project) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    const Json divisor = model.training.value(pythonOptimizerDivides, Json());
    const std::int64_t replicas = runFigures(project, RunMode::Train, std::nullopt).replicas;
    if (divisor.is_null() || divisor == replicas || dividedOptimizer(model, replicas))
        return std::nullopt;
    return pythonError(
        facts.files, model.trainingPlace, "python/unsupported",
        fmt::format("these gradients are divided by {}, and the IPUs make {} replica{}: a project "
                    "averages over replicas and multiplies no gradients",
                    divisor.dump(), replicas, replicas == 1 ? "" : "s"),
        {"divide them by the number of replicas", "multiply the learning rate instead"});
}

std::optional<Diagnostic> wrongRounds(const PythonFacts& facts, std::int64_t index, const Project& project) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    const std::int64_t execution = project.training.stepsPerExecution;
    if (model.askings.empty() || execution < 2 || !model.training.contains("steps_per_execution"))
        return std::nullopt;
    const auto sound = validate(project, RunMode::Train);
    const std::int64_t replicas = sound ? sound->replicas() : project.replicas.value_or(1);
    for (const PythonModel::Asking& asking : model.askings) {
        const std::int64_t steps = asking.steps / std::max<std::int64_t>(replicas, 1);
        if (steps > 0 && steps < execution)
            if (auto wrong = wrongShortRound(facts, asking, project, steps))
                return wrong;
        if (steps <= execution || steps % execution == 0)
            continue;
        const std::string ofReplicas = replicas > 1 ? fmt::format(" of each of {} replicas", replicas) : "";
        const std::int64_t fewer = steps / execution * execution * replicas;
        return pythonError(
            facts.files, asking.place, "value-error/steps-per-execution",
            fmt::format("the {} steps{} of {}() are not divisible by steps_per_execution {}", steps,
                        ofReplicas, asking.function, execution),
            {fmt::format("write {}(…, steps={}), or let it have so many batches", asking.function, fewer),
             "give compile() a steps_per_execution that divides them"});
    }
    return std::nullopt;
}

std::optional<Diagnostic> missingGradient(const PythonFacts& facts, std::int64_t index,
                                          const Project& project) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    if (!model.isTrained() || std::ranges::none_of(facts.draft.layers, [](const PythonLayer& layer) {
            return layer.hasNoGradient;
        }))
        return std::nullopt;
    const std::set<std::string> names = differentiatedIn(project);
    const auto broken = std::ranges::find_if(facts.draft.layers, [&](const PythonLayer& layer) {
        return layer.hasNoGradient && names.contains(layer.name);
    });
    if (broken == facts.draft.layers.end())
        return std::nullopt;
    return pythonError(
        facts.files, broken->place, "python/no-gradient",
        "TensorFlow takes no gradient through codelet_expression_op(), and weights before it "
        "are trained",
        {"compute the formula with functions of tf.math", "keep it for programs that only predict"});
}

namespace {

/// A run of a project is one of several: the program makes others behind its training.
void noteOtherRuns(const PythonFacts& facts, std::int64_t index, Diagnostics& warnings) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    if (!model.isTrained() || (!model.isEvaluated && !model.isPredicted))
        return;
    const char* const does = !model.isPredicted   ? "evaluates"
                             : !model.isEvaluated ? "predicts"
                                                  : "evaluates and predicts";
    Diagnostic note = pythonError(
        facts.files, model.place, "python/other-runs",
        fmt::format("the program trains this model and {}: a run of the project does one of it, and has the "
                    "samples of the training alone",
                    does),
        {fmt::format(
            "run the project with --mode {} as well; --set training.dataset.file=FILE gives it other "
            "samples",
            !model.isPredicted   ? "evaluate"
            : !model.isEvaluated ? "predict"
                                 : "evaluate and with --mode predict")});
    note.severity = Severity::Note;
    warnings.push_back(std::move(note));
}

/// Ids that a listing of 16 IPUs does not have make a larger system.
void warnOfDevices(const PythonFacts& facts, std::int64_t index, const Project& project,
                   Diagnostics& warnings) {
    constexpr std::int64_t last = 30; // 16 IPUs by themselves, 8 pairs, 4 fours, 2 eights, and all of them
    const PythonConfiguration* configuration = configurationOf(facts, index);
    const Json ids = configuration == nullptr ? Json() : configuration->options.value("select_ipus", Json());
    for (const Json& id : ids.is_array() ? ids : Json::array({ids}))
        if (id.is_number_integer() && id.get<std::int64_t>() > last) {
            const auto place = configuration->places.find("select_ipus");
            Diagnostic warning = pythonError(
                facts.files, place == configuration->places.end() ? PythonPlace() : place->second,
                "python/device-id",
                fmt::format("a machine with 16 IPUs has the devices 0 to {}, and none with the id {}: the "
                            "project has a machine with {} IPUs",
                            last, id.dump(), project.system.ipus),
                {"select one of the devices that are there", "set auto_select_ipus to a number of IPUs"});
            warning.severity = Severity::Warning;
            warnings.push_back(std::move(warning));
            return;
        }
}

bool hasWeights(const PythonLayer& layer) {
    const LayerDefinition* definition = findLayerDefinition(layer.className);
    return definition != nullptr && std::ranges::any_of(definition->attributes, [](const auto& attribute) {
               return attribute.name.ends_with("initializer");
           });
}

/// A layer of the program has all its weights, whatever of it leads to an output; a project has the layers
/// that do.
void warnOfUnusedParts(const PythonFacts& facts, std::int64_t index, Diagnostics& warnings) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    const std::vector<std::int64_t> listed = facts.draft.layersOf(model);
    const std::set<std::int64_t> used(listed.begin(), listed.end());
    std::set<std::int64_t> groups;
    std::set<std::int64_t> joined; // convolutions that are one layer of the project
    for (const std::int64_t layer : used) {
        const PythonLayer& part = facts.draft.layers[static_cast<std::size_t>(layer)];
        for (const PythonCall& call : part.calls)
            if (call.group > 0)
                (part.className == "MultiConv" ? joined : groups).insert(call.group);
    }
    for (const std::int64_t group : joined)
        groups.erase(group);
    std::string names;
    std::optional<PythonPlace> place;
    for (std::size_t i = 0; i < facts.draft.layers.size(); ++i) {
        const PythonLayer& layer = facts.draft.layers[i];
        const bool isPart = std::ranges::any_of(
            layer.calls, [&](const PythonCall& call) { return groups.contains(call.group); });
        if (!isPart || used.contains(static_cast<std::int64_t>(i)) || !hasWeights(layer))
            continue;
        names += (names.empty() ? "" : ", ") + quotedName(layer.name);
        place = place.value_or(layer.place);
    }
    if (!place)
        return;
    Diagnostic warning = pythonError(
        facts.files, *place, "python/ignored",
        fmt::format("what these layers compute leads to no output of the model: they and their weights are "
                    "left out: {}",
                    names),
        {"add what they compute to an output of the model where their weights should count"});
    warning.severity = Severity::Warning;
    warnings.push_back(std::move(warning));
}

} // namespace

namespace {

void warnOfFirstWeights(const PythonFacts& facts, std::int64_t index, Diagnostics& warnings) {
    for (const std::int64_t used :
         facts.draft.ownLayers(facts.draft.models[static_cast<std::size_t>(index)])) {
        const PythonLayer& layer = facts.draft.layers[static_cast<std::size_t>(used)];
        for (const auto& [key, value] : layer.config.items()) {
            const auto number =
                key.ends_with("_initializer") ? initializerOverflow(value) : std::optional<double>();
            if (!number)
                continue;
            Diagnostic warning = pythonError(
                facts.files, layer.place, "python/initial-values",
                fmt::format("the {} of \"{}\" gives {}, which float32 does not hold: the weights begin as no "
                            "numbers, here as on the IPU",
                            key, layer.name, *number),
                {"take a number below 3.4e38"});
            warning.severity = Severity::Warning;
            warnings.push_back(std::move(warning));
        }
    }
}

} // namespace

void warnOfUse(const PythonFacts& facts, std::int64_t index, const Project& project, Diagnostics& warnings) {
    warnOfFirstWeights(facts, index, warnings);
    warnOfDevices(facts, index, project, warnings);
    warnOfSetters(facts, index, warnings);
    warnOfPrediction(facts, index, project, warnings);
    warnOfExecution(facts, index, project, warnings);
    noteOtherRuns(facts, index, warnings);
    warnOfUnusedParts(facts, index, warnings);
}

} // namespace core
