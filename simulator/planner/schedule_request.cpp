#include "simulator/planner/schedule_request.h"

#include "core/plan/recomputation.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/project/validate.h"

#include <algorithm>
#include <array>

namespace simulator {

namespace {

constexpr std::string_view tableCode = "value-error/schedule-table";

/// What the file of a table holds is no table of work: a broken file, not a schedule that is refused.
bool isInTheTable(const core::Diagnostic& finding, const std::string& project) {
    return finding.code == tableCode && !finding.location.file.empty() && finding.location.file != project;
}

/// Findings that are the schedule's own "no"; everything else is trouble with the project.
bool isRefusal(const core::Diagnostic& finding) {
    constexpr std::array<std::string_view, 12> codes{
        "value-error/micro-batches",
        "value-error/interleaved-stages",
        tableCode,
        "value-error/pipeline-stages",
        "resource-exhausted/pipeline-stages",
        "value-error/device-mapping-length",
        "not-implemented/interleaved-repeated-device",
        "failed-precondition/micro-batch-multiple",
        "failed-precondition/micro-batch-minimum",
        "resource-exhausted/schedule-size",
        "unimplemented/recomputation-mode",
        "runtime-error/empty-stage",
    };
    return finding.code.starts_with("schedule/") || std::ranges::find(codes, finding.code) != codes.end();
}

/// Findings about what a schedule does not depend on: no model is compiled.
bool isAboutTheModel(const core::Diagnostic& finding) {
    constexpr std::array<std::string_view, 4> codes{"value-error/unknown-dimension",
                                                    "not-implemented/opaque-layer", "value-error/no-loss",
                                                    "value-error/loss-count"};
    return finding.code.starts_with("layer/") || std::ranges::find(codes, finding.code) != codes.end();
}

core::Diagnostics negative(core::Diagnostics findings, const ScheduleRequest& request) {
    for (core::Diagnostic& finding : findings) {
        // What is wrong inside another file names that one.
        if (isInTheTable(finding, request.file))
            continue;
        finding.trouble = core::Trouble::Negative;
        if (!finding.location.file.empty())
            continue;
        finding.location.file = request.file;
        if (request.file.empty())
            finding.location.place.clear(); // places name keys of a project
    }
    return findings;
}

} // namespace

core::Result<ScheduleRequest> scheduleRequest(const core::Project& project, core::RunMode mode,
                                              const std::string& file, core::Diagnostics& refusals) {
    auto outcome = core::validateAll(project, mode, {}, file);
    core::Diagnostics errors;
    for (core::Diagnostic& finding : outcome.findings) {
        if (finding.severity == core::Severity::Error && !isAboutTheModel(finding))
            (isRefusal(finding) && !isInTheTable(finding, file) ? refusals : errors)
                .push_back(std::move(finding));
    }
    if (!errors.empty())
        return core::failure(std::move(errors));
    const core::RunFigures figures = core::runFigures(project, mode, {});
    ScheduleRequest request;
    request.isPipelined = figures.isPipelined;
    request.schedule = figures.isPipelined ? project.pipeline.schedule : core::serialSchedule().name;
    request.mode = figures.isPipelined ? project.pipeline.recomputationMode : core::RecomputationMode::Auto;
    request.shape = core::pipelineShape(project, figures);
    request.updatesPerExecution = figures.stepsPerExecution / std::max<std::int64_t>(1, figures.microBatches);
    request.file = file;
    refusals = negative(std::move(refusals), request);
    return request;
}

core::Result<core::PipelineSchedule> scheduleFor(const ScheduleRequest& request) {
    if (auto mode = core::resolveRecomputation(request.schedule, request.mode); !mode)
        return core::failure(negative(mode.error(), request));
    auto schedule = request.isPipelined ? core::buildSchedule(request.schedule, request.shape)
                                        : core::buildUnpipelinedSchedule(request.shape);
    if (!schedule)
        return core::failure(negative(schedule.error(), request));
    return schedule;
}

core::Result<core::PipelineSchedule> projectSchedule(const core::Project& project, core::RunMode mode,
                                                     const std::string& file) {
    core::Diagnostics refusals;
    const auto request = scheduleRequest(project, mode, file, refusals);
    if (!request)
        return core::failure(request.error());
    if (!refusals.empty())
        return core::failure(std::move(refusals));
    return scheduleFor(*request);
}

} // namespace simulator
