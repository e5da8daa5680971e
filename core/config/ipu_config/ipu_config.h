#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// The option tree of the Python API's IPUConfig, as the full names that were set ("matmuls.clear_pass_type")
/// and their values. What exists, with type, default, meaning and effect, stands in the option table
/// (`ipu_config_table.h`).
struct IpuConfig {
    std::map<std::string, Json, std::less<>> values;

    bool operator==(const IpuConfig&) const = default;
};

// Values of options, defaults filled in. `name` must be in the option table and have the type asked for.

[[nodiscard]] const Json& optionValue(const IpuConfig& config, std::string_view name);
[[nodiscard]] bool optionIsOn(const IpuConfig& config, std::string_view name);
[[nodiscard]] std::int64_t optionInteger(const IpuConfig& config, std::string_view name);
[[nodiscard]] double optionNumber(const IpuConfig& config, std::string_view name);
/// Also of choices: the bare name, "SNAKE".
[[nodiscard]] std::string optionText(const IpuConfig& config, std::string_view name);
/// The text of one Poplar option (`poplarOption(config, "matmuls.poplar_options", "partialsType")`), or
/// nothing where it is not set.
[[nodiscard]] std::optional<std::string> poplarOption(const IpuConfig& config, std::string_view name,
                                                      std::string_view key);
/// A floating-point behaviour ("esr"), `floating_point_behaviour.set_all` counted.
[[nodiscard]] bool floatingPointBehaviourIsOn(const IpuConfig& config, std::string_view behaviour);

} // namespace core
