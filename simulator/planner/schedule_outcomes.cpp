#include "simulator/planner/schedule_outcomes.h"

#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_cells.h"
#include "core/project/project_edit.h"
#include "core/project/validate.h"
#include "simulator/compiler/compile.h"
#include "simulator/engine/clock/timeline.h"
#include "simulator/planner/estimate.h"

namespace simulator {

namespace {

/// Pieces of one program that follow one another are one stretch. While it waits for remote memory, or for
/// rows of the host's tables, nothing works.
std::vector<core::WorkStretch> stretchesOf(const std::vector<LaneSegment>& lane) {
    std::vector<core::WorkStretch> stretches;
    for (const LaneSegment& segment : lane) {
        const std::optional<Phase> phase = segment.work;
        if (!phase || segment.duration.value() == 0)
            continue;
        const bool isMore = !stretches.empty() && stretches.back().phase == *phase &&
                            stretches.back().stage == segment.stage &&
                            stretches.back().microBatch == segment.microBatch &&
                            stretches.back().end() == segment.start;
        if (isMore)
            stretches.back().duration += segment.duration;
        else
            stretches.push_back({*phase, segment.stage, segment.microBatch, segment.start, segment.duration});
    }
    return stretches;
}

core::ScheduleOutcome outcomeOf(const core::Project& project, const core::ScheduleDefinition& definition,
                                const std::string& file, CompilationCache& cache, const core::JobContext& job,
                                const std::filesystem::path& folder) {
    core::ScheduleOutcome outcome{std::string(definition.name),
                                  definition.name == project.pipeline.schedule,
                                  definition.isWhatIf,
                                  {},
                                  {}};
    const auto validated = core::validate(core::withSchedule(project, std::string(definition.name)),
                                          core::RunMode::Train, {}, file);
    if (!validated) {
        outcome.plan = refusedEstimate(validated.error());
        return outcome;
    }
    const auto pipeline = compile(*validated, job, &cache, folder);
    if (!pipeline) {
        outcome.plan = refusedEstimate(pipeline.error());
        return outcome;
    }
    const SimulatedUpdate update = simulate(*pipeline);
    outcome.plan = estimateOf(*pipeline, update);
    outcome.plan.intervals = pipeline->system.target.intervals.ofProgram(core::programFamily(project.model));
    for (const std::vector<LaneSegment>& lane : update.lanes)
        outcome.work.push_back(stretchesOf(lane));
    return outcome;
}

/// The schedule that the project's table is laid out by; null where it has none.
const core::ScheduleDefinition* tableOf(const core::Project& project) {
    const core::ScheduleTable& table = project.pipeline.scheduleTable;
    return table.file.empty() ? nullptr : &core::scheduleOfCells(table.text);
}

} // namespace

core::Result<std::vector<core::ScheduleOutcome>>
scheduleOutcomes(const core::Project& project, const std::string& file, CompilationCache& cache,
                 const core::JobContext& job, const std::filesystem::path& folder) {
    if (!project.assignment.isPipelined())
        return core::failure(core::makeError(
            core::Trouble::Negative, "schedule/no-pipeline", {file, "/assignment"},
            "a model without stages has no schedule to choose", {"give its layers to two stages or more"}));
    std::vector<core::ScheduleOutcome> outcomes;
    for (const core::ScheduleDefinition& definition : core::scheduleCatalogue()) {
        if (job.isCancelled())
            break;
        if (definition.takesTable && &definition != tableOf(project))
            continue;
        outcomes.push_back(outcomeOf(project, definition, file, cache, job, folder));
    }
    return outcomes;
}

} // namespace simulator
