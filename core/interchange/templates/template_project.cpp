#include "core/interchange/templates/template_project.h"

#include "core/config/ipu_config/ipu_config_values.h"
#include "core/interchange/templates/stage_split.h"
#include "core/interchange/templates/template_catalogue.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/project/options/option_table.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

/// What an option of a project can be.
std::vector<std::string> choicesOf(std::string_view path) {
    const std::vector<std::string_view>& choices = projectOption(path).range.choices;
    return {choices.begin(), choices.end()};
}

/// An option's own limits and, where a template takes it as it is, its default.
TemplateParameter count(std::string name, std::string_view path, Json byDefault, std::string documentation) {
    const OptionRange& range = projectOption(path).range;
    return parameter::integer(std::move(name), std::move(byDefault), static_cast<std::int64_t>(range.low),
                              static_cast<std::int64_t>(range.high), std::move(documentation));
}

/// How activations are recomputed: whether at all, or in which mode.
std::vector<std::string> recomputations() {
    std::vector<std::string> all{"off", "on", "false", "true"};
    for (std::string& mode : choicesOf("pipeline.recomputation_mode"))
        all.push_back(std::move(mode));
    return all;
}

using namespace parameter;

std::vector<TemplateParameter> stageParameters() {
    return {
        withAliases(list(TemplateParameterKind::Texts, "split", nullptr,
                         "Layers or blocks of each stage (3,7,7,7), or names at which a new stage starts "
                         "(block4a,conv5_block1)."),
                    {"layers_per_ipu", "split_before"}),
        list(TemplateParameterKind::Texts, "split_after", nullptr,
             "The last layer or block of every stage but the last, by name or counted from 0 (3,10,17)."),
        integer("stages", nullptr, 1, 1024, "Stages of as many layers or blocks each as can be."),
        withAliases(list(TemplateParameterKind::Integers, "attention_split", nullptr,
                         "Attention halves of layers on each IPU."),
                    {"attention_layers_per_ipu"}),
        withAliases(list(TemplateParameterKind::Integers, "ffn_split", nullptr,
                         "Feed-forward halves of layers on each IPU."),
                    {"ffn_layers_per_ipu"}),
        integer("embedding_ipu", nullptr, 0, 1023, "IPU of what comes before the split layers; default 0."),
        integer("head_ipu", nullptr, 0, 1023,
                "IPU of the heads; default: the last one, or that of shared embeddings."),
        choice("schedule", choicesOf("pipeline.schedule"), "Pipeline schedule."),
        withAliases(choice("recomputation", recomputations(), "Whether and how activations are recomputed."),
                    {"recompute"}),
    };
}

std::vector<TemplateParameter> runParameters() {
    return {
        choice("mode", {"train", "infer"}, "What the project is for; infer has no optimizer."),
        withAliases(integer("micro_batch", 1, 1, 1000000, "Samples of a micro-batch."), {"batch_size"}),
        withAliases(count("accumulation", "pipeline.gradient_accumulation_steps_per_replica", nullptr,
                          "Micro-batches of a weight update; default: the fewest the schedule allows."),
                    {"grad_accum", "gradient_accumulation"}),
        count("replicas", "replicas", 1, "Copies of the whole model."),
        text("target", defaultValue(projectOption("system.target")), "Name or file of the simulated chip."),
        choice("precision", choicesOf("training.precision"), "Element types."),
        choice("partials", {"float32", "float16"}, "Element type of partial sums."),
        list(TemplateParameterKind::Numbers, "available_memory_proportion", nullptr,
             "Share of a tile's memory that products may use for temporaries: one, or one per IPU."),
        text("optimizer", nullptr, "Keras class of the optimizer; default: the template's own."),
        number("learning_rate", nullptr, 0, 1e9, "Learning rate; default: the template's own."),
        withAliases(
            toggle("optimizer_state_offchip", false, "Whether optimizer state lives in remote memory."),
            {"offload_optimizer"}),
        toggle("replicated_tensor_sharding", false, "Whether replicas share optimizer state among them."),
        choice("dataset", {"auto", "synthetic", "none"},
               "Made-up data, or none (no numerics); auto: made-up for small models."),
    };
}

struct Draft {
    const TemplateArguments& arguments;
    const TemplateModel& model;
    const StageSplit& split;
};

std::string numberText(double value) {
    return fmt::format("{}", value);
}

/// `available_memory_proportion` and `partials` for all stages alike go to IpuConfig, one per IPU to the
/// stages.
Result<void> setPoplarOptions(const Draft& draft, Project& project) {
    const std::vector<double> shares = draft.arguments.numbers("available_memory_proportion");
    Json options = Json::object();
    if (draft.arguments.text("partials") == "float16")
        options["partialsType"] = "half";
    const bool isSame =
        std::all_of(shares.begin(), shares.end(), [&](double share) { return share == shares[0]; });
    if (!shares.empty() && isSame)
        options["availableMemoryProportion"] = numberText(shares[0]);
    if (!options.empty()) {
        setOption(project.ipuConfig, "convolutions.poplar_options", options);
        setOption(project.ipuConfig, "matmuls.poplar_options", options);
    }
    if (shares.empty() || isSame)
        return {};
    const std::size_t ipus = 1 + *std::max_element(draft.split.ipus.begin(), draft.split.ipus.end());
    if (shares.size() != ipus)
        return failure(makeError(Trouble::Usage, "template/value", {"", "available_memory_proportion"},
                                 fmt::format("{} shares for {} IPUs", shares.size(), ipus),
                                 {"give one share, or one per IPU"}));
    for (const std::size_t ipu : draft.split.ipus) {
        const std::vector<std::pair<std::string, std::string>> stage{
            {"availableMemoryProportion", numberText(shares[ipu])}};
        project.pipeline.forwardStagesPoplarOptions.push_back({stage, stage, {}});
        project.pipeline.backwardStagesPoplarOptions.push_back({stage, stage, {}});
    }
    return {};
}

void setPipeline(const Draft& draft, Project& project) {
    const TemplateArguments& arguments = draft.arguments;
    project.assignment = draft.split.assignment;
    project.deviceMapping = draft.split.mapping;
    PipelineOptions& pipeline = project.pipeline;
    const ScheduleDefinition& schedule = scheduleDefinition(arguments.text("schedule"));
    pipeline.schedule = schedule.name;
    const bool isPipelined = project.assignment.isPipelined();
    const std::size_t stages = draft.split.ipus.size();
    if (arguments.has("accumulation"))
        pipeline.gradientAccumulationSteps = arguments.integer("accumulation");
    else if (isPipelined)
        pipeline.gradientAccumulationSteps = fittingMicroBatches(schedule, {.stages = stages});
    const std::string recomputation = arguments.text("recomputation");
    if (recomputation != "off" && recomputation != "false")
        setOption(project.ipuConfig, "allow_recompute", true);
    pipeline.recomputationMode = recomputationModeFromName(recomputation).value_or(RecomputationMode::Auto);
    if (arguments.isOn("optimizer_state_offchip"))
        pipeline.offloadWeightUpdateVariables = true;
    if (arguments.isOn("replicated_tensor_sharding"))
        pipeline.replicatedOptimizerStateSharding = true;
}

void setTraining(const Draft& draft, Project& project) {
    const TemplateArguments& arguments = draft.arguments;
    TrainingOptions& training = project.training;
    training.batchSize = arguments.integer("micro_batch");
    training.stepsPerExecution = project.pipeline.gradientAccumulationSteps.value_or(1);
    training.stepsPerEpoch = training.stepsPerExecution * arguments.integer("replicas");
    training.precision = arguments.text("precision");
    const bool hasData = arguments.text("dataset") == "synthetic" ||
                         (arguments.text("dataset") == "auto" && draft.model.isSmall);
    if (hasData) {
        const std::int64_t samples =
            std::max<std::int64_t>(1024, *training.stepsPerEpoch * training.batchSize);
        training.dataset = DatasetSpec{"synthetic", {{"samples", samples}}};
        training.stepsPerEpoch.reset();
    }
    if (arguments.text("mode") == "infer")
        return;
    training.optimizer = draft.model.optimizer;
    if (arguments.has("optimizer"))
        training.optimizer = KerasObject{arguments.text("optimizer"), Json::object()};
    if (arguments.has("learning_rate"))
        training.optimizer->config["learning_rate"] = arguments.number("learning_rate");
    training.losses = draft.model.losses;
    training.metrics = draft.model.metrics;
}

/// Without the model. Where each layer is when it is drawn is the canvas' own business: no positions.
Result<Project> assemble(const Draft& draft) {
    Project project;
    project.name = draft.model.model.name;
    setPipeline(draft, project);
    setTraining(draft, project);
    project.replicas = draft.arguments.integer("replicas");
    project.system.ipus = *project.replicas * draft.split.ipusPerReplica();
    project.system.target = draft.arguments.text("target");
    if (Result<void> set = setPoplarOptions(draft, project); !set)
        return failure(set.error());
    return project;
}

Diagnostic unknownTemplate(std::string_view name) {
    std::vector<std::string> names;
    for (const ModelTemplate& known : templateCatalogue())
        names.push_back(known.name);
    const auto near = nearestName(name, names);
    return makeError(
        Trouble::Usage, "template/unknown-template", {"", std::string(name.substr(0, 80))},
        fmt::format("there is no template \"{}\"", name.substr(0, 80)),
        {near ? fmt::format("did you mean \"{}\"?", *near) : std::string("`new` alone lists them")});
}

/// A template, and what was given for it.
struct Request {
    const ModelTemplate& chosen;
    TemplateArguments arguments;
};

Result<Request> readRequest(std::string_view templateName, const Json& arguments) {
    const ModelTemplate* chosen = findTemplate(templateName);
    if (chosen == nullptr)
        return failure(unknownTemplate(templateName));
    std::vector<TemplateParameter> parameters = chosen->parameters;
    parameters.insert(parameters.end(), commonTemplateParameters().begin(), commonTemplateParameters().end());
    auto read = TemplateArguments::read(parameters, arguments);
    if (!read)
        return failure(std::move(read.error()));
    return Request{*chosen, std::move(*read)};
}

Result<Project> projectAround(const TemplateModel& model, const TemplateArguments& arguments) {
    const Result<StageSplit> split = splitStages(model, arguments);
    if (!split)
        return failure(split.error());
    return assemble({arguments, model, *split});
}

} // namespace

const std::vector<TemplateParameter>& commonTemplateParameters() {
    static const std::vector<TemplateParameter> parameters = [] {
        std::vector<TemplateParameter> all = stageParameters();
        for (TemplateParameter& parameter : runParameters())
            all.push_back(std::move(parameter));
        return all;
    }();
    return parameters;
}

bool shapesTheModel(std::string_view templateName, std::string_view parameter) {
    const ModelTemplate* chosen = findTemplate(templateName);
    return chosen != nullptr && findParameter(chosen->parameters, parameter) != nullptr;
}

Json defaultArgument(std::string_view templateName, std::string_view parameter) {
    const ModelTemplate* chosen = findTemplate(templateName);
    const TemplateParameter* found =
        chosen == nullptr ? nullptr : findParameter(chosen->parameters, parameter);
    if (found == nullptr)
        found = findParameter(commonTemplateParameters(), parameter);
    return found == nullptr ? Json() : found->defaultValue;
}

Result<TemplateModel> templateModel(std::string_view templateName, const Json& arguments) {
    const auto request = readRequest(templateName, arguments);
    if (!request)
        return failure(request.error());
    return request->chosen.build(request->arguments);
}

Result<Project> projectAround(const TemplateModel& model, std::string_view templateName,
                              const Json& arguments) {
    const auto request = readRequest(templateName, arguments);
    if (!request)
        return failure(request.error());
    return projectAround(model, request->arguments);
}

Result<Project> newProject(std::string_view templateName, const Json& arguments, const std::string& name) {
    const auto request = readRequest(templateName, arguments);
    if (!request)
        return failure(request.error());
    Result<TemplateModel> model = request->chosen.build(request->arguments);
    if (!model)
        return failure(std::move(model.error()));
    Result<Project> project = projectAround(*model, request->arguments);
    if (!project)
        return project;
    if (!name.empty())
        project->name = name;
    project->model = std::move(model->model);
    return project;
}

} // namespace core
