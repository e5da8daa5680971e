#pragma once

#include <string_view>

namespace simulator {

/// Changes whenever the price of any operation changes, so that stored runs tell by what they were priced.
inline constexpr std::string_view costModelVersion = "3";

} // namespace simulator
