#include "core/profile/records/run_records.h"

#include <array>

namespace core {

std::string_view toString(RunMode mode) {
    static constexpr std::array<std::string_view, 3> names{"train", "evaluate", "predict"};
    return names[static_cast<std::size_t>(mode)];
}

} // namespace core
