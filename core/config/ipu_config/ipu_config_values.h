#pragma once

#include "core/config/ipu_config/ipu_config.h"
#include "core/config/ipu_config/ipu_config_name.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace core {

// Values of options, defaults filled in. A name that the option table does not know with the type asked for
// does not compile.

[[nodiscard]] bool optionIsOn(const IpuConfig& config, SwitchOptionName name);
[[nodiscard]] std::int64_t optionInteger(const IpuConfig& config, IntegerOptionName name);
[[nodiscard]] double optionNumber(const IpuConfig& config, NumberOptionName name);
/// Also of choices: the bare name, "SNAKE".
[[nodiscard]] std::string optionText(const IpuConfig& config, TextOptionName name);
/// A whole number or a list of them.
[[nodiscard]] const Json& optionIntegers(const IpuConfig& config, IntegersOptionName name);
/// An object of the names and texts of Poplar options.
[[nodiscard]] const Json& optionFlags(const IpuConfig& config, PoplarOptionName name);
/// The text of one Poplar option (`poplarOption(config, "matmuls.poplar_options", "partialsType")`), or
/// nothing where it is not set.
[[nodiscard]] std::optional<std::string> poplarOption(const IpuConfig& config, PoplarOptionName name,
                                                      std::string_view key);
/// A floating-point behaviour ("esr"), `floating_point_behaviour.set_all` counted.
[[nodiscard]] bool floatingPointBehaviourIsOn(const IpuConfig& config, FloatingPointBehaviour behaviour);

/// Sets an option from within the program; `value` has its type.
void setOption(IpuConfig& config, AnyOptionName name, Json value);

} // namespace core
