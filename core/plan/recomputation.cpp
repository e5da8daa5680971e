#include "core/plan/recomputation.h"

#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_cells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

namespace {

/// The schedules of the programming system that support a mode.
std::string supporters(bool ScheduleDefinition::*mode) {
    std::vector<std::string_view> names;
    for (const ScheduleDefinition& definition : scheduleCatalogue())
        if (definition.*mode && !definition.isWhatIf)
            names.push_back(definition.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

Diagnostic unsupportedRecomputation(std::string_view schedule, RecomputationMode mode) {
    return makeError(
        Trouble::Input, "unimplemented/recomputation-mode", {"", "/pipeline/recomputation_mode"},
        fmt::format("the {} schedule does not support the recomputation mode {}", schedule, toString(mode)),
        {fmt::format("leave the mode at Auto, or use a schedule that supports it "
                     "(RecomputeThenBackpropagate: {}; RecomputeAndBackpropagateInterleaved: {})",
                     supporters(&ScheduleDefinition::recomputesThenBackpropagates),
                     supporters(&ScheduleDefinition::recomputesInsideBackward)),
         "the mode is checked even where allow_recompute is off and in inference"});
}

} // namespace

Result<RecomputationMode> resolveRecomputation(std::string_view schedule, RecomputationMode mode,
                                               std::string_view table) {
    using enum RecomputationMode;
    const ScheduleDefinition& definition = scheduleDefinition(schedule);
    if (mode == Auto && definition.takesTable)
        return haveRecomputation(table) ? RecomputeThenBackpropagate : RecomputeAndBackpropagateInterleaved;
    if (mode == Auto)
        return definition.recomputesThenBackpropagates ? RecomputeThenBackpropagate
                                                       : RecomputeAndBackpropagateInterleaved;
    if (mode == RecomputeThenBackpropagate ? definition.recomputesThenBackpropagates
                                           : definition.recomputesInsideBackward)
        return mode;
    return failure(unsupportedRecomputation(schedule, mode));
}

} // namespace core
