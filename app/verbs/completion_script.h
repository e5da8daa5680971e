#pragma once

#include "app/verbs/command_reference.h"

#include <cstdint>
#include <string>
#include <vector>

namespace app {

enum class Shell : std::uint8_t { Bash, Zsh, Fish };

/// The script that lets a shell complete verbs, their options and, where those take one, files.
[[nodiscard]] std::string completionScript(Shell shell, const std::vector<VerbReference>& verbs);

} // namespace app
