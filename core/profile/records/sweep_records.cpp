#include "core/profile/records/sweep_records.h"

#include <array>

namespace core {

std::string_view toString(SweepPointState state) {
    static constexpr std::array<std::string_view, sweepPointStateCount> names{"fits", "does_not_fit",
                                                                              "refused", "failed"};
    return names[static_cast<std::size_t>(state)];
}

} // namespace core
