#include "views/profile/time/time_cursor.h"

#include "core/profile/queries/program_queries.h"

#include <algorithm>

namespace views {

void placeInProgram(TimeCursor& cursor, const core::LaneWindow& compute, core::Cycles time) {
    const auto next = std::ranges::upper_bound(compute.spans, time, {}, &core::SpanRecord::start);
    if (next == compute.spans.begin())
        return;
    const core::SpanRecord& span = *std::prev(next);
    const auto phase = core::programPhaseOf(span.kind);
    if (!phase || time >= span.start + span.duration)
        return;
    cursor.stage = span.stage;
    cursor.phase = *phase;
    cursor.inside = span.offset + (time - span.start);
}

std::vector<core::Cycles> timesOfPlace(const TimeCursor& cursor, const core::LaneWindow& compute) {
    std::vector<core::Cycles> times;
    if (!cursor.isInProgram())
        return times;
    for (const core::SpanRecord& span : compute.spans)
        if (span.stage == cursor.stage && core::programPhaseOf(span.kind) == cursor.phase &&
            span.offset <= cursor.inside && cursor.inside < span.offset + span.duration)
            times.push_back(span.start + (cursor.inside - span.offset));
    return times;
}

ProgramPlaces::ProgramPlaces(const std::vector<core::ProgramStepRecord>& steps,
                             const std::vector<core::OperationRecord>& operations) {
    std::map<core::OperationId, const core::OperationRecord*> byId;
    for (const core::OperationRecord& operation : operations)
        byId[operation.id] = &operation;
    for (const core::ProgramStepRecord& step : steps) {
        const auto operation = byId.find(step.operation);
        if (!step.stage.isValid() || !step.phase || operation == byId.end())
            continue;
        m_programs[{step.stage, *step.phase}].push_back(
            {step.start, step.operation, operation->second->name, operation->second->layer});
    }
    for (auto& [program, items] : m_programs)
        std::ranges::stable_sort(items, {}, &Item::start);
}

const ProgramPlaces::Item* ProgramPlaces::at(const TimeCursor& cursor) const {
    const auto program = m_programs.find({cursor.stage, cursor.phase});
    if (!cursor.isInProgram() || program == m_programs.end())
        return nullptr;
    const auto next = std::ranges::upper_bound(program->second, cursor.inside, {}, &Item::start);
    return next == program->second.begin() ? nullptr : &*std::prev(next);
}

std::optional<TimeCursor> ProgramPlaces::find(core::StageId stage, core::Phase phase,
                                              std::string_view operation) const {
    const auto program = m_programs.find({stage, phase});
    if (program == m_programs.end())
        return std::nullopt;
    const auto item = std::ranges::find(program->second, operation, &Item::name);
    if (item == program->second.end())
        return std::nullopt;
    TimeCursor cursor;
    cursor.stage = stage;
    cursor.phase = phase;
    cursor.inside = item->start;
    return cursor;
}

core::Result<ProgramPlaces> loadProgramPlaces(const core::ProfileDatabase& database, core::RunId run) {
    const auto steps = core::loadProgram(database, run);
    if (!steps)
        return core::failure(steps.error());
    const auto operations = core::loadOperations(database, run);
    if (!operations)
        return core::failure(operations.error());
    return ProgramPlaces(*steps, *operations);
}

} // namespace views
