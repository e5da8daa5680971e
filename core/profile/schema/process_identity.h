#pragma once

#include <string>
#include <string_view>

namespace core {

/// A text that names the running process: its number, when it started and since when the machine is up, so
/// that a later process with the same number is not taken for it.
[[nodiscard]] std::string currentProcess();

/// Whether the process that `currentProcess` named is still there. False for a text of another machine or
/// another boot.
[[nodiscard]] bool isAlive(std::string_view process);

} // namespace core
