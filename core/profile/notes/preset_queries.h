#pragma once

#include <span>
#include <string_view>

namespace core {

/// A question that everybody asks of runs, and how SQL asks it.
struct PresetQuery {
    std::string_view question;
    std::string_view sql;
};

/// What questions about one run are about as they stand: the newest.
inline constexpr std::string_view newestRun = "(SELECT max(run) FROM v_run)";

/// The ten questions of the README of `core/profile`, in its order. But for the first, which compares runs,
/// they are about `newestRun`, in whose place the number of another may be put.
[[nodiscard]] std::span<const PresetQuery> presetQueries();

} // namespace core
