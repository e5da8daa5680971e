#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <optional>

namespace core {

/// The number when `value` is whole (3 or 3.0) and fits 63 bits.
[[nodiscard]] std::optional<std::int64_t> wholeNumber(const Json& value);

} // namespace core
