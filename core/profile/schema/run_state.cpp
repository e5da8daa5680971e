#include "core/profile/schema/run_state.h"

#include <array>

namespace core {

std::string_view toString(RunState state) {
    static constexpr std::array<std::string_view, runStateCount> names{"recording", "complete", "failed",
                                                                       "cancelled", "interrupted"};
    return names[static_cast<std::size_t>(state)];
}

} // namespace core
