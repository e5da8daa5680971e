#include "app/services/lessons/lesson.h"

#include "core/base/json.h"
#include "core/interchange/project/project_file.h"
#include "core/interchange/templates/template_project.h"
#include "core/project/run_figures.h"

#include <algorithm>
#include <initializer_list>

namespace app {

namespace {

/// Shares of the step that an IPU waits for these causes, averaged over the IPUs.
double waitingShare(const core::PlanEstimate& estimate, std::initializer_list<core::IdleCause> causes) {
    const auto step = static_cast<double>(estimate.step.value());
    if (estimate.ipus.empty() || step <= 0)
        return 0;
    double waiting = 0;
    for (const core::IpuEstimate& ipu : estimate.ipus) {
        for (const core::IdleCause cause : causes) {
            if (static_cast<std::size_t>(cause) < ipu.idle.size())
                waiting += static_cast<double>(ipu.idle[static_cast<std::size_t>(cause)].value());
        }
    }
    return waiting / step / static_cast<double>(estimate.ipus.size());
}

double stageRatio(const core::PlanEstimate& estimate) {
    if (estimate.stages.empty())
        return 1;
    const auto [fastest, slowest] = std::ranges::minmax_element(
        estimate.stages, {}, [](const core::StageEstimate& stage) { return stage.perMicroBatch(); });
    const auto least = static_cast<double>(std::max<std::int64_t>(fastest->perMicroBatch().value(), 1));
    return static_cast<double>(slowest->perMicroBatch().value()) / least;
}

double fullestIpu(const core::PlanEstimate& estimate) {
    double most = 0;
    for (const core::IpuEstimate& ipu : estimate.ipus) {
        if (ipu.limit.value() > 0)
            most = std::max(most,
                            static_cast<double>(ipu.peak.value()) / static_cast<double>(ipu.limit.value()));
    }
    return most;
}

double stashOf(const core::PlanEstimate& estimate) {
    double bytes = 0;
    for (const core::StageEstimate& stage : estimate.stages)
        bytes += static_cast<double>(stage.stash.value());
    return bytes;
}

} // namespace

core::Result<core::Project> lessonProject(const Lesson& lesson, const LessonProject& of) {
    core::Json arguments = core::Json::object();
    for (const std::string& argument : of.arguments) {
        const std::size_t equals = argument.find('=');
        arguments[argument.substr(0, equals)] = argument.substr(equals + 1);
    }
    auto made = core::newProject(of.templateName, arguments, lesson.id);
    if (!made || of.settings.empty())
        return made;
    std::vector<core::ProjectSetting> settings;
    for (const std::string& text : of.settings) {
        auto setting = core::parseSetting(text);
        if (!setting)
            return core::failure(std::move(setting.error()));
        settings.push_back(std::move(*setting));
    }
    auto file = core::readProject(core::writeProject(*made), lesson.id, settings);
    if (!file)
        return core::failure(std::move(file.error()));
    return std::move(file->project);
}

double lessonFigure(LessonFigure figure, const core::Project& project, const core::PlanEstimate& estimate) {
    const core::RunFigures run = core::runFigures(project, core::RunMode::Train, {});
    switch (figure) {
    case LessonFigure::StageRatio:
        return stageRatio(estimate);
    case LessonFigure::BubbleShare:
        return waitingShare(estimate, {core::IdleCause::WarmUp, core::IdleCause::Drain});
    case LessonFigure::HostShare:
        return waitingShare(estimate, {core::IdleCause::Host});
    case LessonFigure::FullestIpu:
        return fullestIpu(estimate);
    case LessonFigure::Throughput:
        return estimate.samplesPerSecond;
    case LessonFigure::Stash:
        return stashOf(estimate);
    case LessonFigure::Ipus:
        return static_cast<double>(run.ipusPerReplica * run.replicas);
    case LessonFigure::EffectiveBatch:
        break;
    }
    return static_cast<double>(project.training.batchSize * project.pipeline.batchSerializationIterations *
                               run.microBatches * run.replicas);
}

bool LessonResult::isPassed() const {
    return isSameModel && std::ranges::all_of(goals, &Goal::isMet);
}

LessonResult checkLesson(const Lesson& lesson, const core::Project& start, const core::Project& project,
                         const core::PlanEstimate& estimate) {
    LessonResult result;
    result.isSameModel = project.model == start.model;
    for (const LessonGoal& goal : lesson.goals) {
        const double value = lessonFigure(goal.figure, project, estimate);
        const bool isMet =
            goal.bound == LessonGoal::Bound::AtMost ? value <= goal.value : value >= goal.value;
        result.goals.push_back({goal, value, isMet});
    }
    return result;
}

} // namespace app
