#include "views/diagnostics/quick_fix.h"

#include "core/config/proposed_loss.h"
#include "core/model/edit/graph_edit.h"
#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/plan/assignment_entries.h"
#include "core/plan/stage_repair.h"
#include "core/project/choices/pipeline_choices.h"
#include "core/project/options/option_table.h"
#include "core/project/project_edit.h"
#include "core/project/run_figures.h"
#include "core/project/validate.h"
#include "views/common/text/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <string_view>

namespace views {

namespace {

using core::Project;

QString fixText(const char* text) {
    return QCoreApplication::translate("views::QuickFix", text);
}

std::optional<QuickFix> fixOf(core::Result<Project> project, const QString& text) {
    if (!project)
        return std::nullopt;
    return QuickFix{text, std::move(*project)};
}

/// The next number of micro-batches that the schedule takes.
std::optional<QuickFix> useLegalMicroBatches(const Project& project) {
    const core::RunFigures figures = core::runFigures(project, core::RunMode::Train, {});
    const auto legal = core::legalMicroBatches(project, figures.microBatches);
    if (!legal || legal == project.pipeline.gradientAccumulationSteps)
        return std::nullopt;
    return fixOf(core::withMicroBatchChoice(project, *legal), fixText("Use %1 micro-batches").arg(*legal));
}

std::optional<QuickFix> splitEvenly(const Project& project) {
    const std::size_t stages = std::max<std::size_t>(2, project.assignment.stageCount());
    return fixOf(core::withPipelineNeeds(project, core::splitEvenly(project, stages)),
                 fixText("Split evenly into %1 stages").arg(stages));
}

/// Names of some layers, and how many they are.
QString layerNames(const std::vector<core::AssignmentEntry>& entries, const std::vector<std::size_t>& moved) {
    const QString first = toQString(entries[moved.front()].path);
    if (moved.size() == 1)
        return first;
    const QString last = toQString(entries[moved.back()].path);
    return moved.size() == 2 ? fixText("%1 and %2").arg(first, last)
                             : fixText("%1 layers (%2 … %3)").arg(moved.size()).arg(first, last);
}

/// Keeps the split: what was moved takes along what it must.
std::optional<QuickFix> takeAlong(const Project& project, const std::set<InvocationKey>& kept) {
    const auto entries = core::flattened(core::assignmentEntries(project.model));
    std::vector<std::size_t> keptEntries;
    for (const core::AssignmentEntry& entry : entries)
        if (kept.contains({entry.path, entry.call}))
            keptEntries.push_back(entry.index);
    auto repair = core::repairStages(project.model, project.assignment, keptEntries);
    if (!repair)
        repair = core::repairStages(project.model, project.assignment);
    if (!repair || repair->assignment.stageCount() < 2)
        return std::nullopt;
    const QString text = repair->moved.empty()
                             ? fixText("Leave out the empty stage")
                             : fixText("Take %1 along").arg(layerNames(entries, repair->moved));
    Project next = project;
    // Where a stage is left out, its place in the mapping goes with it.
    if (repair->assignment.stageCount() != project.assignment.stageCount())
        next.deviceMapping = {};
    return fixOf(core::withStages(next, repair->assignment), text);
}

std::optional<QuickFix> addIpus(const Project& project) {
    const core::RunFigures figures = core::runFigures(project, core::RunMode::Train, {});
    core::SystemOptions system = project.system;
    system.ipus = figures.ipusPerReplica * std::max<std::int64_t>(1, project.replicas.value_or(1));
    return fixOf(core::withSystem(project, system), fixText("Use %1 IPUs").arg(system.ipus));
}

std::optional<QuickFix> dropMapping(const Project& project) {
    return fixOf(core::withDeviceMapping(project, {}), fixText("Put stage k on IPU k"));
}

std::optional<QuickFix> shareIpus(const Project& project) {
    auto together = core::withSharedWeightsTogether(project);
    if (!together)
        return std::nullopt;
    return QuickFix{fixText("Put stages that share weights on one IPU"), std::move(*together)};
}

std::optional<QuickFix> alignSteps(const Project& project) {
    const core::RunFigures figures = core::runFigures(project, core::RunMode::Train, {});
    const std::int64_t batches = std::max<std::int64_t>(1, figures.microBatches) * figures.replicas;
    core::TrainingOptions training = project.training;
    training.stepsPerExecution =
        core::roundUp(std::max<std::int64_t>(1, training.stepsPerExecution), batches);
    return fixOf(core::withTraining(project, training),
                 fixText("Use %1 steps per execution").arg(training.stepsPerExecution));
}

std::optional<QuickFix> recomputeAutomatically(const Project& project) {
    core::PipelineOptions options = project.pipeline;
    options.recomputationMode = core::RecomputationMode::Auto;
    return fixOf(core::withPipelineOptions(project, options), fixText("Use Auto"));
}

std::optional<QuickFix> addLoss(const Project& project) {
    core::TrainingOptions training = project.training;
    training.losses = core::proposedLosses(project.model);
    if (training.losses.empty())
        return std::nullopt;
    const QString text = training.losses.size() == 1
                             ? fixText("Use %1").arg(toQString(core::lossInWords(training.losses.front())))
                             : fixText("Use a loss for each output");
    return fixOf(core::withTraining(project, training), text);
}

std::optional<QuickFix> takeLastOutputs(const Project& project) {
    const std::vector<core::TensorRef> outputs = core::unreadTensors(project.model);
    if (outputs.empty())
        return std::nullopt;
    const QString text =
        outputs.size() == 1
            ? fixText("Take %1").arg(toQString(project.model.layer(outputs.front().invocation).name))
            : fixText("Take the last %1 layers").arg(outputs.size());
    return fixOf(
        core::editModel(project,
                        [&](const core::ModelGraph& graph) { return core::setOutputs(graph, outputs); }),
        text);
}

/// Layers that nobody knows give what they read, one after the other as their inputs become known.
std::optional<QuickFix> declareUnknownLayers(const Project& project) {
    Project next = project;
    std::size_t declared = 0;
    for (bool isNew = true; isNew;) {
        isNew = false;
        core::InferenceOptions options;
        options.opaqueLayers = next.opaqueLayers;
        const auto known = core::inferKnownShapes(next.model, options).drawnOutputs;
        for (const core::LayerInvocation& call : next.model.invocations) {
            const std::string& name = next.model.layers[call.layer.index()].name;
            const std::string& className = next.model.layers[call.layer.index()].className;
            if (call.inputs.empty() || next.opaqueLayers.contains(name) ||
                core::findLayerDefinition(className) != nullptr)
                continue;
            const core::TensorRef& read = call.inputs.front();
            if (read.invocation.index() >= known.size() ||
                read.output >= known[read.invocation.index()].size())
                continue;
            core::OpaqueLayer layer;
            layer.outputShape = known[read.invocation.index()][read.output].shape;
            next.opaqueLayers[name] = std::move(layer);
            ++declared;
            isNew = true;
        }
    }
    if (declared == 0)
        return std::nullopt;
    return QuickFix{declared == 1 ? fixText("Let it give what it reads")
                                  : fixText("Let all %1 give what they read").arg(declared),
                    std::move(next)};
}

std::optional<QuickFix> forgetUnusedDeclarations(const Project& project) {
    Project next = project;
    std::erase_if(next.opaqueLayers, [&](const auto& declared) {
        return !project.model.findLayer(declared.first.substr(0, declared.first.find('/')));
    });
    return QuickFix{fixText("Remove what is declared of it"), std::move(next)};
}

std::optional<QuickFix> takeProbabilities(const Project& project) {
    core::TrainingOptions training = project.training;
    for (core::KerasObject& loss : training.losses)
        loss.config.erase("from_logits");
    return fixOf(core::withTraining(project, training), fixText("Leave out from_logits"));
}

std::optional<QuickFix> computeWithTheDataset(const Project& project) {
    core::TrainingOptions training = project.training;
    training.syntheticData.infeed = false;
    return fixOf(core::withTraining(project, training), fixText("Compute with the dataset"));
}

/// A switch of the dataset's reader.
std::optional<QuickFix> switchDataset(const Project& project, const char* key, bool isOn, const char* text) {
    if (!project.training.dataset)
        return std::nullopt;
    core::TrainingOptions training = project.training;
    training.dataset->parameters[key] = isOn;
    return fixOf(core::withTraining(project, training), fixText(text));
}

std::optional<QuickFix> dropTheRest(const Project& project) {
    return switchDataset(project, "drop_remainder", true, "Leave out the last batch");
}

std::optional<QuickFix> repeatTheDataset(const Project& project) {
    return switchDataset(project, "repeat", true, "Let the dataset repeat");
}

std::optional<QuickFix> endTheDataset(const Project& project) {
    return switchDataset(project, "repeat", false, "Let the dataset end");
}

std::optional<QuickFix> useWholeSteps(const Project& project) {
    core::TrainingOptions training = project.training;
    const std::int64_t replicas =
        std::max<std::int64_t>(1, core::runFigures(project, core::RunMode::Train, {}).replicas);
    const std::int64_t steps = training.stepsPerEpoch.value_or(0) / replicas * replicas;
    if (steps < 1)
        return std::nullopt;
    training.stepsPerEpoch = steps;
    return fixOf(core::withTraining(project, training), fixText("Use %1 steps per epoch").arg(steps));
}

std::optional<QuickFix> useStepsOfTheEpoch(const Project& project) {
    core::TrainingOptions training = project.training;
    const core::RunFigures figures = core::runFigures(project, core::RunMode::Train, {});
    if (!figures.stepsPerReplica || *figures.stepsPerReplica < 1)
        return std::nullopt;
    training.stepsPerExecution = *figures.stepsPerReplica;
    return fixOf(core::withTraining(project, training),
                 fixText("Use %1 steps per execution").arg(training.stepsPerExecution));
}

std::optional<QuickFix> useSequential(const Project& project) {
    return fixOf(core::withSchedule(project, "Sequential"), fixText("Use the schedule Sequential"));
}

std::optional<QuickFix> useOneIpu(const Project& project) {
    core::DeviceMapping mapping;
    mapping.ipus.assign(project.assignment.stageCount(), core::IpuId(0));
    return fixOf(core::withDeviceMapping(project, std::move(mapping)), fixText("Put all stages on IPU 0"));
}

std::optional<QuickFix> useWholeReplicas(const Project& project) {
    const core::RunFigures figures = core::runFigures(project, core::RunMode::Train, {});
    core::SystemOptions system = project.system;
    const std::int64_t each = std::max<std::int64_t>(1, figures.ipusPerReplica);
    system.ipus = system.ipus / each * each;
    return fixOf(core::withSystem(project, system), fixText("Use %1 IPUs").arg(system.ipus));
}

/// Options that change nothing, or cannot be with others: the default is put back.
std::optional<QuickFix> leaveOut(const Project& project, const std::string& place) {
    constexpr std::string_view ipuConfig = "/ipu_config/";
    if (place.starts_with(ipuConfig)) {
        const std::string option = place.substr(ipuConfig.size());
        return fixOf(core::withIpuOption(project, option, nullptr),
                     fixText("Leave out %1").arg(toQString(option.substr(option.rfind('.') + 1))));
    }
    std::string path = place.empty() ? place : place.substr(1);
    std::ranges::replace(path, '/', '.');
    const core::ProjectOption* option = core::findProjectOption(path);
    if (option == nullptr || option->field.copy == nullptr || !core::differsFromDefault(project, *option))
        return std::nullopt;
    Project next = project;
    option->field.copy(Project{}, next);
    return QuickFix{fixText("Leave out %1").arg(toQString(option->key())), std::move(next)};
}

struct FixRow {
    std::string_view code;
    std::optional<QuickFix> (*fix)(const Project&);
};

constexpr std::array fixes{
    FixRow{"failed-precondition/micro-batch-multiple", useLegalMicroBatches},
    FixRow{"failed-precondition/micro-batch-minimum", useLegalMicroBatches},
    FixRow{"value-error/micro-batches", useLegalMicroBatches},
    FixRow{"value-error/gradient-accumulation-unset", useLegalMicroBatches},
    FixRow{"value-error/stage-order", splitEvenly},
    FixRow{"value-error/stage-step", splitEvenly},
    FixRow{"value-error/stage-count", splitEvenly},
    FixRow{"value-error/stage-unset", splitEvenly},
    FixRow{"value-error/first-stage", splitEvenly},
    FixRow{"value-error/pipeline-stages", splitEvenly},
    FixRow{"runtime-error/empty-stage", splitEvenly},
    FixRow{"value-error/too-few-ipus", addIpus},
    FixRow{"value-error/device-mapping-length", dropMapping},
    FixRow{"value-error/device-mapping", dropMapping},
    FixRow{"value-error/duplicate-device", dropMapping},
    FixRow{"not-implemented/interleaved-repeated-device", dropMapping},
    FixRow{"unimplemented/shared-variable", shareIpus},
    FixRow{"value-error/steps-per-execution", alignSteps},
    FixRow{"runtime-error/steps-per-execution", alignSteps},
    FixRow{"unimplemented/recomputation-mode", recomputeAutomatically},
    FixRow{"value-error/no-loss", addLoss},
    FixRow{"warning/no-loss", addLoss},
    FixRow{"value-error/loss-count", addLoss},
    FixRow{"value-error/no-outputs", takeLastOutputs},
    FixRow{"not-implemented/opaque-layer", declareUnknownLayers},
    FixRow{"warning/unused-opaque-layer", forgetUnusedDeclarations},
    FixRow{"warning/from-logits", takeProbabilities},
    FixRow{"note/synthetic-infeed", computeWithTheDataset},
    FixRow{"value-error/partial-batch", dropTheRest},
    FixRow{"value-error/too-little-data", repeatTheDataset},
    FixRow{"value-error/unknown-steps", endTheDataset},
    FixRow{"warning/left-over-steps", useWholeSteps},
    FixRow{"warning/steps-per-execution", useStepsOfTheEpoch},
    FixRow{"not-implemented/batch-serialization-schedule", useSequential},
    FixRow{"not-implemented/batch-serialization-devices", useOneIpu},
    FixRow{"internal-error/ipus-not-divisible", useWholeReplicas},
};

/// What is mended by leaving out the option at its place.
constexpr std::array<std::string_view, 23> leftOut{"warning/recompute-without-stages",
                                                   "warning/recompute-stages",
                                                   "warning/offload-stages",
                                                   "value-error/recompute-stages",
                                                   "value-error/offload-stages",
                                                   "warning/half-partials",
                                                   "not-implemented/continuous-weight-updates",
                                                   "value-error/stage-options-length",
                                                   "value-error/outfeed-without-optimizer",
                                                   "value-error/outfeed-conflict",
                                                   "value-error/outfeed-mask-length",
                                                   "value-error/accumulate-outfeed",
                                                   "value-error/optimizer-state-sharding",
                                                   "value-error/batch-serialization-reduction",
                                                   "value-error/repeat-count",
                                                   "warning/offload-in-inference",
                                                   "unimplemented/weight-sharding",
                                                   "failed-precondition/remote-memory",
                                                   "value-error/batch-norm-group",
                                                   "unimplemented/batch-norm-group",
                                                   "exception/selection-conflict",
                                                   "value-error/process-count",
                                                   "value-error/process-index"};

/// Findings about the order of stages, which a smaller change than another split may mend.
constexpr std::array<std::string_view, 4> orderFindings{"value-error/stage-order", "value-error/stage-step",
                                                        "value-error/first-stage",
                                                        "runtime-error/empty-stage"};

bool isFoundAt(const Project& project, const core::Diagnostic& wanted) {
    const core::Diagnostics findings = core::validateAll(project, core::RunMode::Train).findings;
    return std::ranges::any_of(findings, [&](const core::Diagnostic& finding) {
        return finding.code == wanted.code && finding.location.place == wanted.location.place;
    });
}

bool isFound(const Project& project, const std::string& code) {
    const core::Diagnostics findings = core::validateAll(project, core::RunMode::Train).findings;
    return std::any_of(findings.begin(), findings.end(),
                       [&](const core::Diagnostic& finding) { return finding.code == code; });
}

} // namespace

std::optional<QuickFix> quickFix(const Project& project, const core::Diagnostic& finding,
                                 const std::set<InvocationKey>& kept) {
    if (std::ranges::find(orderFindings, finding.code) != orderFindings.end()) {
        std::optional<QuickFix> fix = takeAlong(project, kept);
        if (fix && std::ranges::none_of(orderFindings, [&](std::string_view code) {
                return isFound(fix->project, std::string(code));
            }))
            return fix;
    }
    for (const FixRow& row : fixes) {
        if (row.code != finding.code)
            continue;
        std::optional<QuickFix> fix = row.fix(project);
        if (fix && !isFound(fix->project, finding.code))
            return fix;
    }
    if (std::ranges::find(leftOut, finding.code) == leftOut.end())
        return std::nullopt;
    std::optional<QuickFix> fix = leaveOut(project, finding.location.place);
    return fix && !isFoundAt(fix->project, finding) ? fix : std::nullopt;
}

} // namespace views
