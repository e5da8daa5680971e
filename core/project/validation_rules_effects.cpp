#include "core/config/ipu_config/ipu_config_values.h"
#include "core/config/ipu_config/poplar_option_table.h"
#include "core/project/validation_rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

/// Stages are what is recomputed: without any, every activation is kept as if the option were off.
void recomputationHasStages(const RuleContext& context) {
    if (context.figures.isTraining && !context.figures.isPipelined &&
        optionIsOn(context.project.ipuConfig, "allow_recompute"))
        context.warn(
            "warning/recompute-without-stages", "/ipu_config/allow_recompute",
            "allow_recompute changes nothing: only the stages of a pipeline are recomputed, and this "
            "model has none, so all its activations are kept",
            "divide the model into stages (device_mapping [0, 0] puts them on one IPU), or leave the "
            "option out");
}

/// A choice of stages says which of them do something that is on.
void someStagesDoWhatIsOn(const RuleContext& context) {
    const PipelineOptions& options = context.project.pipeline;
    if (!context.figures.isTraining)
        return;
    if (options.recomputedStages && !optionIsOn(context.project.ipuConfig, "allow_recompute"))
        context.warn("warning/recompute-stages", "/pipeline/recompute_stages",
                     "recompute_stages changes nothing: ipu_config.allow_recompute is off",
                     "turn allow_recompute on, or leave the stages out");
    if (options.offloadedStages && !options.offloadActivations.value_or(false))
        context.warn("warning/offload-stages", "/pipeline/offload_stages",
                     "offload_stages changes nothing: pipeline.offload_activations is off",
                     "turn offload_activations on, or leave the stages out");
}

bool computesInHalf(const TypedGraph& graph) {
    return std::ranges::any_of(graph.invocations, [](const TypedInvocation& call) {
        return std::ranges::any_of(call.outputs,
                                   [](const TensorSpec& output) { return output.type == DataType::Float16; });
    });
}

/// Sums of float32 products are float32 whatever partialsType says.
void halfPartialsHaveHalfProducts(const RuleContext& context) {
    if (context.graph == nullptr || computesInHalf(*context.graph))
        return;
    const auto check = [&](PoplarOperation operation, const PoplarFlags& flags, const std::string& place) {
        if (planHints(operation, flags).partialsType == DataType::Float16)
            context.warn(
                "warning/half-partials", place,
                "partialsType half is ignored: the model computes in float32, whose sums are float32",
                "set training.precision to float16, or leave the option out");
    };
    const auto flagsOf = [](const Json& object) {
        PoplarFlags flags;
        for (const auto& [key, value] : object.items())
            flags.emplace_back(key, value.is_string() ? value.get<std::string>() : std::string());
        return flags;
    };
    const IpuConfig& config = context.project.ipuConfig;
    check(PoplarOperation::Convolution, flagsOf(optionFlags(config, "convolutions.poplar_options")),
          "/ipu_config/convolutions.poplar_options");
    check(PoplarOperation::MatMul, flagsOf(optionFlags(config, "matmuls.poplar_options")),
          "/ipu_config/matmuls.poplar_options");
    const auto checkStage = [&](const PoplarOptions& stage, const std::string& place) {
        check(PoplarOperation::Convolution, stage.convolution, place + "/convolution_options");
        check(PoplarOperation::MatMul, stage.matmul, place + "/matmul_options");
    };
    const PipelineOptions& options = context.project.pipeline;
    const auto checkStages = [&](const std::vector<PoplarOptions>& stages, std::string_view key) {
        for (std::size_t stage = 0; stage < stages.size(); ++stage)
            checkStage(stages[stage], fmt::format("/pipeline/{}/{}", key, stage));
    };
    checkStages(options.forwardStagesPoplarOptions, "forward_propagation_stages_poplar_options");
    checkStages(options.backwardStagesPoplarOptions, "backward_propagation_stages_poplar_options");
    if (options.weightUpdatePoplarOptions)
        checkStage(*options.weightUpdatePoplarOptions, "/pipeline/weight_update_poplar_options");
}

/// "softmax" or "sigmoid" when the layer ends in it. A recurrent layer uses its activation inside.
std::string finalActivation(const TypedLayer& layer) {
    if (layer.className == "Softmax")
        return "softmax";
    if (!layer.config.is_object() || !layer.config.contains("activation") ||
        layer.config.contains("recurrent_activation") || layer.className == "SimpleRNN")
        return {};
    return activationFromJson(layer.config.at("activation")).name;
}

/// The warning that Keras' own losses give.
void logitsAreNoProbabilities(const RuleContext& context) {
    const std::vector<KerasObject>& losses = context.project.training.losses;
    if (context.graph == nullptr || losses.empty())
        return;
    const TypedGraph& graph = *context.graph;
    for (std::size_t output = 0; output < graph.outputs.size(); ++output) {
        const KerasObject& loss = losses[std::min(output, losses.size() - 1)];
        const auto option = loss.config.find("from_logits");
        if (option == loss.config.end() || *option != Json(true))
            continue;
        const TypedLayer& layer = graph.layerOf(graph.outputs[output].invocation);
        const std::string_view wrong = loss.className == "BinaryCrossentropy" ? "sigmoid" : "softmax";
        if (finalActivation(layer) == wrong)
            context.warn("warning/from-logits", layer.path,
                         fmt::format("{} received from_logits=True, but the output of {} was produced by a "
                                     "{} activation and thus does not represent logits",
                                     loss.className, layer.path, wrong),
                         fmt::format("leave out from_logits, or the {} of {}", wrong, layer.path));
    }
}

void penaltiesAreComputed(const RuleContext& context) {
    if (context.figures.isTraining)
        for (const Diagnostic& finding : context.trainingWarnings)
            context.add(finding);
}

void syntheticInfeedsMakeUpTheSamples(const RuleContext& context) {
    const TrainingOptions& training = context.project.training;
    if (!training.syntheticData.infeed || !training.dataset || training.dataset->kind == "synthetic")
        return;
    Diagnostic note =
        makeNote(Trouble::Input, "note/synthetic-infeed", {context.file, "/training/synthetic_data"},
                 "the infeed is synthetic: samples are made up on the device, and none of the dataset is "
                 "computed with",
                 {"leave infeed out of synthetic_data to compute with the dataset"});
    context.add(std::move(note));
}

void joinsReadSeveralTensors(const RuleContext& context) {
    for (const Diagnostic& finding : context.layerWarnings)
        context.add(finding);
}

constexpr ValidationRule effectRuleRows[]{
    {"recomputation has stages", recomputationHasStages},
    {"chosen stages do what is on", someStagesDoWhatIsOn},
    {"half partials have half products", halfPartialsHaveHalfProducts},
    {"logits are no probabilities", logitsAreNoProbabilities},
    {"penalties are computed", penaltiesAreComputed},
    {"joins read several tensors", joinsReadSeveralTensors},
    {"synthetic infeeds make up the samples", syntheticInfeedsMakeUpTheSamples},
};

} // namespace

std::span<const ValidationRule> effectRules() {
    return effectRuleRows;
}

} // namespace core
