#include "core/profile/records/program_records.h"

#include <array>

namespace core {

std::string_view toString(StepKind kind) {
    static constexpr std::array<std::string_view, stepKindCount> names{
        "Sequence",   "Repeat",         "Switch",     "Call", "OnTileExecute",
        "DoExchange", "GlobalExchange", "StreamCopy", "Sync"};
    return names[static_cast<std::size_t>(kind)];
}

} // namespace core
