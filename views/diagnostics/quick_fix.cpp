#include "views/diagnostics/quick_fix.h"

#include "core/config/proposed_loss.h"
#include "core/model/edit/graph_edit.h"
#include "core/plan/assignment_entries.h"
#include "core/plan/stage_repair.h"
#include "core/project/choices/pipeline_choices.h"
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
};

/// Findings about the order of stages, which a smaller change than another split may mend.
constexpr std::array<std::string_view, 4> orderFindings{"value-error/stage-order", "value-error/stage-step",
                                                        "value-error/first-stage",
                                                        "runtime-error/empty-stage"};

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
    return std::nullopt;
}

} // namespace views
