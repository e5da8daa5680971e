#pragma once

namespace core {

/// Whether a person reads stderr.
[[nodiscard]] bool isErrorTerminal();
/// Whether a window could be shown.
[[nodiscard]] bool hasDisplay();

} // namespace core
