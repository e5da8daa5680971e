#include "core/profile/records/memory_category.h"

#include <array>

namespace core {

std::string_view toString(MemoryCategory category) {
    static constexpr std::array<std::string_view, memoryCategoryCount> names{
        "vertex_code", "vertex_state",    "exchange_code",   "control_code", "constants",
        "stack",       "weights",         "optimizer_state", "accumulators", "stash",
        "host_io",     "message_buffers", "activations",     "temporary"};
    return names[static_cast<std::size_t>(category)];
}

bool isAlwaysLive(MemoryCategory category) {
    return category != MemoryCategory::Activations && category != MemoryCategory::Temporary &&
           category != MemoryCategory::Stash;
}

} // namespace core
