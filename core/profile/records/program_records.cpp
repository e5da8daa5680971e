#include "core/profile/records/program_records.h"

#include <array>

namespace core {

std::string_view toString(ProgramPhase phase) {
    static constexpr std::array<std::string_view, programPhaseCount> names{
        "forward", "backward", "recompute", "weight_update", "weight_gradient"};
    return names[static_cast<std::size_t>(phase)];
}

std::string_view toString(StepKind kind) {
    static constexpr std::array<std::string_view, stepKindCount> names{
        "Sequence",   "Repeat",         "Switch",     "Call", "OnTileExecute",
        "DoExchange", "GlobalExchange", "StreamCopy", "Sync"};
    return names[static_cast<std::size_t>(kind)];
}

} // namespace core
