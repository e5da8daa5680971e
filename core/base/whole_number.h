#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace core {

/// Limits of whole numbers that a file may hold.
inline constexpr std::int64_t int32Limit = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int64_t anyLow = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t anyHigh = std::numeric_limits<std::int64_t>::max();

/// The number when `value` is whole (3 or 3.0) and fits 63 bits.
[[nodiscard]] std::optional<std::int64_t> wholeNumber(const Json& value);

} // namespace core
