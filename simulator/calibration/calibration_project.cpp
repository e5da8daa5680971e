#include "simulator/calibration/calibration_project.h"

#include "core/config/ipu_config/ipu_config_values.h"
#include "core/interchange/keras/keras_json.h"
#include "core/interchange/templates/template_project.h"
#include "core/project/validate.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace simulator {

namespace {

using core::Json;

/// Keys of a case that its template takes as they stand.
constexpr std::array<const char*, 15> sharedKeys{"mode",
                                                 "micro_batch",
                                                 "grad_accum",
                                                 "replicas",
                                                 "schedule",
                                                 "recompute",
                                                 "precision",
                                                 "partials",
                                                 "available_memory_proportion",
                                                 "optimizer_state_offchip",
                                                 "replicated_tensor_sharding",
                                                 "recompute_checkpoints",
                                                 "target",
                                                 "attention_dropout",
                                                 "split_after"};

/// Keys of a template's arguments that describe the case to people.
bool isNote(std::string_view key) {
    constexpr std::array<std::string_view, 3> notes{"ops", "vertices", "edges"};
    return key.ends_with("_note") || std::ranges::find(notes, key) != notes.end();
}

std::string joined(const std::vector<double>& numbers) {
    return fmt::format("{}", fmt::join(numbers, ","));
}

std::vector<double> rotated(const Json& list) {
    auto values = list.get<std::vector<double>>();
    std::ranges::rotate(values, values.begin() + 1);
    return values;
}

/// Lists per IPU that start with the IPU of embeddings and heads: the data flows from its embeddings to the
/// other IPUs and comes back to it last. IPUs are numbered in the order of the layers' flow instead, which
/// makes it the last one.
void rotateToFlow(const Json& split, Json& arguments) {
    const auto lists = {"attention_layers_per_ipu", "ffn_layers_per_ipu"};
    for (const char* key : lists)
        arguments[key] = joined(rotated(split.at(key)));
    const std::size_t last = split.at(*lists.begin()).size() - 1;
    arguments["embedding_ipu"] = last;
    arguments["head_ipu"] = last;
    if (const auto shares = arguments.find("available_memory_proportion");
        shares != arguments.end() && shares->is_array() && shares->size() == last + 1)
        *shares = rotated(*shares);
}

/// Whether the data comes back to the IPU it started on.
bool comesBack(const Json& split) {
    return split.contains("attention_layers_per_ipu") && split.value("embedding_ipu", -1) == 0 &&
           split.value("head_ipu", -1) == 0;
}

/// "encoder_block_boundaries": [2, 6, 11] starts stages at those blocks; all other keys are the template's.
void addSplit(const Json& split, Json& arguments) {
    if (comesBack(split))
        return rotateToFlow(split, arguments);
    for (const auto& [key, value] : split.items()) {
        if (key == "decoder_with_last")
            continue;
        if (key != "encoder_block_boundaries") {
            const bool isNumbers = value.is_array() && !value.empty() && value.front().is_number();
            arguments[key] = isNumbers ? Json(joined(value.get<std::vector<double>>())) : value;
            continue;
        }
        Json names = Json::array();
        for (const Json& block : value)
            names.push_back(fmt::format("encoder{}", block.get<std::int64_t>()));
        arguments["split"] = std::move(names);
    }
}

/// Dropout of the attention scores as a switch: the usual rate.
void addDropout(Json& arguments) {
    constexpr double usualRate = 0.1;
    const auto found = arguments.find("attention_dropout");
    if (found != arguments.end() && found->is_boolean())
        *found = found->get<bool>() ? usualRate : 0.0;
}

/// The optimizer as the measurement names it; plain momentum where the catalogue has no layer-wise rate.
core::KerasObject optimizerOf(const std::string& text) {
    if (text.starts_with("LAMB"))
        return {"LAMB", Json::object()};
    if (text.starts_with("SGD momentum") || text == "LARS")
        return {"SGD", {{"momentum", 0.9}}};
    return {text, Json::object()};
}

Json templateArguments(const Json& description) {
    Json arguments = Json::object();
    if (const auto own = description.find("template_args"); own != description.end())
        for (const auto& [key, value] : own->items())
            if (!isNote(key))
                arguments[key] = value;
    for (const char* key : sharedKeys)
        if (const auto found = description.find(key); found != description.end() && !found->is_null())
            arguments[key] = *found;
    if (const auto split = description.find("stage_split"); split != description.end() && split->is_object())
        addSplit(*split, arguments);
    addDropout(arguments);
    // Inference was measured with the head for questions.
    if (arguments.value("mode", "") == "infer" && textOf(description, "template") == "bert" &&
        !arguments.contains("task"))
        arguments["task"] = "squad";
    return arguments;
}

/// Options of products, as templates set them.
void setPoplarOptions(const Json& description, core::Project& project) {
    Json options = Json::object();
    if (textOf(description, "partials") == "float16")
        options["partialsType"] = "half";
    if (const auto share = description.find("available_memory_proportion");
        share != description.end() && share->is_number())
        options["availableMemoryProportion"] = fmt::format("{}", share->get<double>());
    if (options.empty())
        return;
    core::setOption(project.ipuConfig, "convolutions.poplar_options", options);
    core::setOption(project.ipuConfig, "matmuls.poplar_options", options);
}

/// A case that brings its model along, as Keras writes it: on one IPU, with the losses of regression where it
/// is trained.
core::Result<core::Project> modelProject(const CalibrationCase& item) {
    const Json& description = item.description;
    core::Diagnostics warnings;
    auto model = core::readKerasModel(description.at("model"), item.id, warnings, "/model");
    if (!model)
        return core::failure(model.error());
    core::Project project;
    project.name = item.id;
    project.model = std::move(*model);
    project.training.batchSize = static_cast<std::int64_t>(core::numberOr(description, "micro_batch", 1));
    if (const std::string precision = textOf(description, "precision"); !precision.empty())
        project.training.precision = precision;
    if (textOf(description, "mode") != "infer") {
        project.training.optimizer = core::KerasObject{"SGD", Json::object()};
        project.training.losses.assign(project.model.outputs.size(), {"MeanSquaredError", Json::object()});
    }
    project.replicas = static_cast<std::int64_t>(core::numberOr(description, "replicas", 1));
    project.system.ipus = *project.replicas;
    project.system.target = item.target;
    setPoplarOptions(description, project);
    return project;
}

core::Result<core::Project> templateProject(const CalibrationCase& item) {
    const std::string name = textOf(item.description, "template");
    if (name.empty())
        return core::failure(noPrediction("the case names no model: give it a template, or a model"));
    return core::newProject(name, templateArguments(item.description), item.id);
}

} // namespace

Json figuresOf(const CalibrationCase& item) {
    Json figures = item.description.value("figures", Json::object());
    if (const auto clock = item.description.find("clock_hz");
        clock != item.description.end() && !figures.contains("clock_hz"))
        figures["clock_hz"] = *clock;
    if (const auto tiles = item.description.find("tiles");
        tiles != item.description.end() && tiles->is_number_integer() && !figures.contains("tiles"))
        figures["tiles"] = *tiles;
    return figures;
}

core::Result<core::Project> calibrationProject(const CalibrationCase& item) {
    const auto model = item.description.find("model");
    auto project =
        model != item.description.end() && model->is_object() ? modelProject(item) : templateProject(item);
    if (!project)
        return core::failure(project.error());
    if (const std::string optimizer = textOf(item.description, "optimizer");
        !optimizer.empty() && project->training.optimizer)
        project->training.optimizer = optimizerOf(optimizer);
    // Checkpoints inside a stage are the interleaved mode's.
    if (item.description.contains("recompute_checkpoints"))
        project->pipeline.recomputationMode = core::RecomputationMode::RecomputeAndBackpropagateInterleaved;
    project->system.other.update(figuresOf(item));
    // Who lets a pipeline end where it began lays it on a ring of IPUs; only HOOF joins the last to the
    // first.
    if (const auto split = item.description.find("stage_split");
        split != item.description.end() && split->is_object() && comesBack(*split))
        core::setOption(project->ipuConfig, "selection_order", "HOOF");
    // The measured programs compute GELU by its tanh form.
    core::setOption(project->ipuConfig, "optimizations.enable_fast_math", true);
    // The published applications reduce their gradients in large pieces, not one by one.
    core::setOption(project->ipuConfig, "optimizations.maximum_cross_replica_sum_buffer_size", 1 << 30);
    // Measured without input pipelines: what the host feeds is fetched ahead.
    project->training.dataset.reset();
    return project;
}

core::Result<core::ValidatedProject> validatedForCalibration(const core::Project& project) {
    const bool trains = project.training.optimizer.has_value();
    return core::validate(project, trains ? core::RunMode::Train : core::RunMode::Predict);
}

core::Project withMicroBatches(core::Project project, std::int64_t microBatches) {
    project.pipeline.gradientAccumulationSteps = microBatches;
    project.training.stepsPerExecution = microBatches;
    project.training.stepsPerEpoch = microBatches * project.replicas.value_or(1);
    return project;
}

} // namespace simulator
