#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_rules.h"
#include "core/project/validation_rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace core {

namespace {

/// Files the finding of a rule that is shared with the simulator.
void ask(const RuleContext& context, const std::optional<Diagnostic>& broken) {
    if (broken)
        context.add(*broken);
}

PipelineShape shapeOf(const RuleContext& context) {
    return pipelineShape(context.project, context.figures);
}

void noStageIsEmpty(const RuleContext& context) {
    if (!context.hasUsableStages())
        return;
    const std::vector<std::size_t> empty = context.emptyStages();
    constexpr std::size_t shown = 20;
    if (!empty.empty())
        context.refuse(
            "runtime-error/empty-stage", "/pipeline/stages",
            fmt::format("the highest stage is {}, but no layer is on stage {}{}", context.figures.stages - 1,
                        fmt::join(std::span(empty).first(std::min(shown, empty.size())), ", "),
                        empty.size() > shown ? fmt::format(" and {} others", empty.size() - shown) : ""),
            "number the stages without gaps");
}

void microBatchBounds(const RuleContext& context) {
    ask(context, brokenMicroBatchBounds(shapeOf(context)));
}

void serialisationSumsGradients(const RuleContext& context) {
    const PipelineOptions& options = context.project.pipeline;
    if (options.batchSerializationIterations > 1 && options.reductionMethod != ReductionMethod::Sum)
        context.refuse("value-error/batch-serialization-reduction",
                       "/pipeline/gradient_accumulation_reduction_method",
                       fmt::format("batch serialisation supports only the reduction method sum, not {}",
                                   toString(options.reductionMethod)),
                       "use \"sum\", or batch_serialization_iterations 1");
}

void noContinuousUpdates(const RuleContext& context) {
    if (context.project.pipeline.continuousWeightUpdates)
        context.refuse("not-implemented/continuous-weight-updates", "/pipeline/continuous_weight_updates",
                       "continuous weight updates are not implemented", "leave the option out");
}

void serialisationIsSequential(const RuleContext& context) {
    const PipelineOptions& options = context.project.pipeline;
    if (options.batchSerializationIterations > 1 && !scheduleDefinition(options.schedule).isSerial)
        context.refuse(
            "not-implemented/batch-serialization-schedule", "/pipeline/schedule",
            fmt::format("batch serialisation needs the Sequential schedule, not {}", options.schedule),
            "set the schedule to Sequential, or batch_serialization_iterations to 1");
}

void atLeastTwoStages(const RuleContext& context) {
    ask(context, brokenStageCount(shapeOf(context)));
}

void mappingNamesEveryStage(const RuleContext& context) {
    PipelineShape shape = shapeOf(context);
    shape.deviceMapping = context.project.deviceMapping.ipus;
    ask(context, brokenMappingLength(shape));
}

void interleavedStagesHaveTheirOwnIpu(const RuleContext& context) {
    ask(context,
        brokenDeviceSharing(scheduleDefinition(context.project.pipeline.schedule), shapeOf(context)));
}

void serialisationUsesOneDevice(const RuleContext& context) {
    if (context.project.pipeline.batchSerializationIterations <= 1)
        return;
    const std::set<IpuId> distinct(context.figures.ipuOf.begin(), context.figures.ipuOf.end());
    if (distinct.size() > 1)
        context.refuse(
            "not-implemented/batch-serialization-devices", "/pipeline/device_mapping",
            fmt::format("batch serialisation needs all stages on one IPU, but they use {}", distinct.size()),
            "map every stage to the same IPU, or leave the mapping out");
}

void stageOptionsMatchTheStages(const RuleContext& context) {
    const PipelineOptions& options = context.project.pipeline;
    const auto check = [&](std::size_t given, std::string_view key) {
        if (given != 0 && given != context.figures.stages)
            context.refuse("value-error/stage-options-length", fmt::format("/pipeline/{}", key),
                           fmt::format("{} has {} entries for {} stages", key, given, context.figures.stages),
                           "give one entry per stage, {} where a stage has nothing to set");
    };
    check(options.forwardStagesPoplarOptions.size(), "forward_propagation_stages_poplar_options");
    check(options.backwardStagesPoplarOptions.size(), "backward_propagation_stages_poplar_options");
}

void outfeedOptionsAgree(const RuleContext& context) {
    const PipelineOptions& options = context.project.pipeline;
    const bool hasMask = options.outfeedMask.has_value();
    const std::string place = hasMask ? "/pipeline/outfeed_mask" : "/pipeline/outfeed_loss";
    if ((hasMask || options.outfeedLoss) && !context.figures.isTraining)
        context.refuse("value-error/outfeed-without-optimizer", place,
                       "outfeed_loss and outfeed_mask need an optimizer, so they are for training only",
                       "leave them out for evaluation and prediction");
    if (hasMask && options.outfeedLoss)
        context.refuse("value-error/outfeed-conflict", place, "outfeed_loss and outfeed_mask are both set",
                       "keep one of the two");
    if (options.accumulateOutfeed && context.project.training.outfeedMode == "LAST")
        context.refuse("value-error/accumulate-outfeed", "/training/outfeed_mode",
                       "accumulate_outfeed is set, but the outfeed queue keeps the last result only",
                       "set outfeed_mode to ALL, or leave accumulate_outfeed out");
    // What the last stage gives in training: the loss, then the outputs of the model.
    const std::size_t outputs = context.project.model.outputs.size() + 1;
    if (hasMask && !options.outfeedLoss && options.outfeedMask->size() != outputs)
        context.refuse(
            "value-error/outfeed-mask-length", place,
            fmt::format("outfeed_mask has {} entries for the {} outputs of the last stage (the loss and "
                        "{} of the model)",
                        options.outfeedMask->size(), outputs, outputs - 1),
            "give one true or false per output");
}

void stateShardingIsOffloaded(const RuleContext& context) {
    const PipelineOptions& options = context.project.pipeline;
    if (options.replicatedOptimizerStateSharding == OptionalSwitch(true) &&
        options.offloadWeightUpdateVariables == OptionalSwitch(false))
        context.refuse("value-error/optimizer-state-sharding",
                       "/pipeline/replicated_optimizer_state_sharding",
                       "the optimizer state can be sharded only when it is offloaded",
                       "set offload_weight_update_variables to true or leave it out");
}

void repeatCountIsThatOfKeras(const RuleContext& context) {
    const auto given = context.project.pipeline.repeatCount;
    const RunFigures& figures = context.figures;
    if (!figures.isTraining) {
        if (given && figures.isPipelined && figures.stepsPerExecution % *given != 0)
            context.refuse(
                "value-error/repeat-count", "/pipeline/repeat_count",
                fmt::format("repeat_count is {}, but the execution's {} steps are no multiple of it", *given,
                            figures.stepsPerExecution),
                "leave it out: the pipeline then takes all steps of an execution at once");
        return;
    }
    const std::int64_t updates =
        figures.microBatches > 0 ? figures.stepsPerExecution / figures.microBatches : 1;
    if (given && *given != updates)
        context.refuse("value-error/repeat-count", "/pipeline/repeat_count",
                       fmt::format("repeat_count is {}, but the execution holds {} pipeline executions",
                                   *given, updates),
                       "leave it out: it is steps_per_execution divided by the gradient accumulation steps");
}

void someStagesAreStages(const RuleContext& context) {
    const auto ask = [&](const std::optional<std::vector<std::int64_t>>& some, std::string_view key) {
        const auto stages = static_cast<std::int64_t>(context.figures.stages);
        if (some && !some->empty() && some->back() >= stages)
            context.refuse(fmt::format("value-error/{}",
                                       key == "recompute_stages" ? "recompute-stages" : "offload-stages"),
                           fmt::format("/pipeline/{}", key),
                           fmt::format("{} names stage {}, but the pipeline has stages 0 to {}", key,
                                       some->back(), stages - 1),
                           "name stages of the pipeline, or leave the option out for all of them");
    };
    ask(context.project.pipeline.recomputedStages, "recompute_stages");
    ask(context.project.pipeline.offloadedStages, "offload_stages");
}

constexpr ValidationRule pipelineRuleRows[]{
    {"no stage is empty", noStageIsEmpty},
    {"the number of micro-batches has bounds", microBatchBounds},
    {"batch serialisation sums gradients", serialisationSumsGradients},
    {"weights are updated once per accumulation", noContinuousUpdates},
    {"batch serialisation is Sequential", serialisationIsSequential},
    {"a pipeline has at least two stages", atLeastTwoStages},
    {"the device mapping names every stage", mappingNamesEveryStage},
    {"Interleaved stages have an IPU of their own", interleavedStagesHaveTheirOwnIpu},
    {"batch serialisation uses one device", serialisationUsesOneDevice},
    {"stage options match the stages", stageOptionsMatchTheStages},
    {"recomputed and offloaded stages are there", someStagesAreStages},
    {"outfeed options agree", outfeedOptionsAgree},
    {"sharded optimizer state is offloaded", stateShardingIsOffloaded},
    {"the repeat count is that of Keras", repeatCountIsThatOfKeras},
};

} // namespace

std::span<const ValidationRule> pipelineRules() {
    return pipelineRuleRows;
}

} // namespace core
