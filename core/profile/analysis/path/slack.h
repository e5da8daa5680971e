#pragma once

#include "core/profile/analysis/path/critical_path.h"

namespace core {

/// The slack of all work of the compute lanes, as `criticalPath` says.
[[nodiscard]] std::vector<SpanSlack> slacksOf(const CriticalPathInput& input);

} // namespace core
