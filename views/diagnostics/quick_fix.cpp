#include "views/diagnostics/quick_fix.h"

#include "core/config/proposed_loss.h"
#include "core/model/edit/graph_edit.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_rules.h"
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
    core::PipelineShape shape = core::pipelineShape(project, figures);
    const std::int64_t from = std::max<std::int64_t>(1, figures.microBatches);
    for (std::int64_t n = from; n <= from + 4096; ++n) {
        shape.microBatches = n;
        if (!core::brokenMicroBatchRule(core::scheduleDefinition(project.pipeline.schedule), shape) &&
            n != project.pipeline.gradientAccumulationSteps)
            return fixOf(core::withMicroBatches(project, n), fixText("Use %1 micro-batches").arg(n));
    }
    return std::nullopt;
}

std::optional<QuickFix> splitEvenly(const Project& project) {
    const std::size_t stages = std::max<std::size_t>(2, project.assignment.stageCount());
    return fixOf(core::splitEvenly(project, stages), fixText("Split evenly into %1 stages").arg(stages));
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
    FixRow{"value-error/steps-per-execution", alignSteps},
    FixRow{"runtime-error/steps-per-execution", alignSteps},
    FixRow{"unimplemented/recomputation-mode", recomputeAutomatically},
    FixRow{"value-error/no-loss", addLoss},
    FixRow{"warning/no-loss", addLoss},
    FixRow{"value-error/loss-count", addLoss},
    FixRow{"value-error/no-outputs", takeLastOutputs},
};

bool isFound(const Project& project, const std::string& code) {
    const core::Diagnostics findings = core::validateAll(project, core::RunMode::Train).findings;
    return std::any_of(findings.begin(), findings.end(),
                       [&](const core::Diagnostic& finding) { return finding.code == code; });
}

} // namespace

std::optional<QuickFix> quickFix(const Project& project, const core::Diagnostic& finding) {
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
