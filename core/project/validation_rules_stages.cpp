#include "core/plan/assignment_entries.h"
#include "core/project/validation_rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

bool hasNestedModel(const std::vector<AssignmentEntry>& entries) {
    return std::ranges::any_of(entries, &AssignmentEntry::isNestedModel);
}

std::string nameOf(const AssignmentEntry& entry) {
    return entry.call == 0 ? entry.path : fmt::format("{} (call {})", entry.path, entry.call);
}

void countOfStages(const RuleContext& context) {
    if (!context.figures.isPipelined || context.flattened == nullptr || context.isAligned())
        return;
    context.refuse("value-error/stage-count", "/pipeline/stages",
                   fmt::format("{} stages are given for {} layer calls",
                               context.project.assignment.stages.size(),
                               context.flattened->assignable().size()),
                   "give one stage per layer call in post-order, calls of InputLayer left out");
}

void everyCallHasAStage(const RuleContext& context) {
    if (!context.isAligned() || context.hasUsableStages())
        return;
    for (const AssignmentEntry& entry : flattened(assignmentEntries(context.project.model))) {
        if (!context.stageOf(entry.index).isValid())
            context.refuse(
                "value-error/stage-unset", entry.path,
                fmt::format("the layer {} has no pipeline stage while others have one", nameOf(entry)),
                "give every layer call a stage, or none");
    }
}

/// Sequential without nested models: from stage 0, each layer on the stage of the one before it or the next.
void sequentialStagesAreContiguous(const RuleContext& context) {
    if (!context.isAligned() || context.project.model.kind != ModelKind::Sequential)
        return;
    const auto entries = assignmentEntries(context.project.model);
    if (hasNestedModel(entries))
        return;
    StageId last;
    for (const AssignmentEntry& entry : entries) {
        const StageId stage = context.stageOf(entry.index);
        if (!stage.isValid())
            continue;
        if (!last.isValid() && entry.index == 0 && stage.index() != 0)
            context.refuse("value-error/first-stage", entry.path,
                           fmt::format("the first layer {} is on stage {}, but must be on stage 0",
                                       entry.path, stage.index()),
                           "number the stages from 0");
        const bool isNext = !last.isValid() || stage == last || stage.index() == last.index() + 1;
        if (!isNext)
            context.refuse(
                "value-error/stage-step", entry.path,
                fmt::format("the layer {} is on stage {} after a layer on stage {}", entry.path,
                            stage.index(), last.index()),
                fmt::format("put it on stage {} or {}: the stages of a Sequential model follow its layers",
                            last.index(), last.index() + 1));
        last = stage;
    }
}

/// Everything else: no call may need what a later stage makes.
void stagesFollowTheData(const RuleContext& context) {
    const bool isSequential = context.project.model.kind == ModelKind::Sequential &&
                              !hasNestedModel(assignmentEntries(context.project.model));
    if (!context.isAligned() || isSequential)
        return;
    const FlattenedModel& model = *context.flattened;
    std::vector<StageId> stageOf(model.invocations.size());
    const std::vector<InvocationId>& assignable = model.assignable();
    for (std::size_t entry = 0; entry < assignable.size(); ++entry)
        stageOf[assignable[entry].index()] = context.stageOf(entry);
    for (std::size_t i = 0; i < model.invocations.size(); ++i) {
        for (const TensorRef& input : model.invocations[i].inputs) {
            const StageId from = stageOf[input.invocation.index()];
            if (!from.isValid() || !stageOf[i].isValid() || from <= stageOf[i])
                continue;
            const std::string& user = model.layers[model.invocations[i].layer.index()].path;
            const std::string& maker =
                model.layers[model.invocations[input.invocation.index()].layer.index()].path;
            context.refuse(
                "value-error/stage-order", user,
                fmt::format("the layer {} on stage {} needs the output of {} on the later stage {}", user,
                            stageOf[i].index(), maker, from.index()),
                fmt::format("put {} on stage {} or later, or {} on stage {} or earlier", user, from.index(),
                            maker, stageOf[i].index()));
        }
    }
}

void everyCallHasAShard(const RuleContext& context) {
    const StageAssignment& assignment = context.project.assignment;
    if (!assignment.isSharded() || context.flattened == nullptr)
        return;
    if (context.flattened->assignable().size() != assignment.stages.size()) {
        context.refuse("value-error/shard-count", "/pipeline/sharding",
                       fmt::format("{} shards are given for {} layer calls", assignment.stages.size(),
                                   context.flattened->assignable().size()),
                       "give one shard per layer call in post-order, calls of InputLayer left out");
        return;
    }
    for (const AssignmentEntry& entry : flattened(assignmentEntries(context.project.model)))
        if (!assignment.stages[entry.index].isValid())
            context.refuse("value-error/shard-unset", entry.path,
                           fmt::format("the layer {} has no shard while others have one", nameOf(entry)),
                           "give every layer call a shard, or none");
}

void shardsNameTheirIpus(const RuleContext& context) {
    if (context.project.assignment.isSharded() && !context.project.deviceMapping.ipus.empty())
        context.refuse("value-error/sharding", "/pipeline/device_mapping",
                       "device_mapping maps the stages of a pipeline, and this model has shards",
                       "leave device_mapping out: a shard is the number of its IPU");
}

void batchNormalizationMomentum(const RuleContext& context) {
    if (!context.figures.isPipelined || context.flattened == nullptr)
        return;
    std::vector<std::string> layers;
    for (const FlattenedLayer& flat : context.flattened->layers) {
        if (flat.layer->className != std::string_view("BatchNormalization"))
            continue;
        const auto found = flat.layer->config.find("momentum");
        const double momentum =
            found != flat.layer->config.end() && found->is_number() ? found->get<double>() : 0.99;
        if (momentum > 0 && momentum < 1)
            layers.push_back(flat.path);
    }
    if (layers.empty())
        return;
    const std::string others =
        layers.size() > 1 ? fmt::format(" and {} other layers", layers.size() - 1) : "";
    context.warn("warning/batch-normalization-momentum", layers.front(),
                 fmt::format("the moving statistics of {}{} are not updated properly in a pipelined model",
                             layers.front(), others),
                 "set the momentum to 0 or 1, or use a normalisation without moving statistics");
}

} // namespace

std::span<const ValidationRule> stageRules() {
    static constexpr ValidationRule rules[]{
        {"one stage per layer call", countOfStages},
        {"every layer call has a stage", everyCallHasAStage},
        {"the stages of a Sequential model are contiguous", sequentialStagesAreContiguous},
        {"stages follow the data", stagesFollowTheData},
        {"every layer call has a shard", everyCallHasAShard},
        {"shards name their IPUs", shardsNameTheirIpus},
        {"batch normalization in a pipeline", batchNormalizationMomentum},
    };
    return rules;
}

} // namespace core
