#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace core {

/// How far a stored run came. Only a complete run has results.
enum class RunState : std::uint8_t {
    Recording,   ///< a living process works on it
    Complete,    ///< finished, with all its rows
    Failed,      ///< stopped by a diagnostic
    Cancelled,   ///< stopped on request
    Interrupted, ///< its process died
};
inline constexpr std::size_t runStateCount = 5;

/// "recording", "complete", "failed", "cancelled", "interrupted".
[[nodiscard]] std::string_view toString(RunState state);

} // namespace core
