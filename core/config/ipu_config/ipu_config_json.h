#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/config/ipu_config/ipu_config.h"

#include <string>

namespace core {

/// Reads `ipu_config` of a project: full option names and their values. Enumerations may carry their Python
/// class ("SelectionOrder.SNAKE"). Files "value-error/unknown-option" with the nearest name (or what replaces
/// a function of the older API), "type-error/option-type" and "value-error/option-value".
[[nodiscard]] IpuConfig readIpuConfig(const Json& object, const std::string& file, const std::string& pointer,
                                      Diagnostics& findings);

/// The options that were set, by name.
[[nodiscard]] Json toJson(const IpuConfig& config);

} // namespace core
