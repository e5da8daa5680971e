#include "core/profile/records/program_phase.h"

#include <array>

namespace core {

std::string_view toString(ProgramPhase phase) {
    static constexpr std::array<std::string_view, programPhaseCount> names{
        "forward", "backward", "recompute", "weight_update", "weight_gradient"};
    return names[static_cast<std::size_t>(phase)];
}

} // namespace core
