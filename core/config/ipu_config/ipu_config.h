#pragma once

#include "core/base/json.h"

#include <map>
#include <string>

namespace core {

/// The option tree of the Python API's IPUConfig, as the full names that were set ("matmuls.clear_pass_type")
/// and their values. What exists, with type, default, meaning and effect, is in the option table
/// (`ipu_config_table.h`); `ipu_config_values.h` gives the values, defaults filled in.
struct IpuConfig {
    std::map<std::string, Json, std::less<>> values;

    bool operator==(const IpuConfig&) const = default;
};

} // namespace core
