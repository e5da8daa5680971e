#pragma once

#include <string_view>

namespace simulator {

/// Changes whenever the same executable would be simulated to other times or other numbers.
inline constexpr std::string_view engineVersion = "7";

} // namespace simulator
