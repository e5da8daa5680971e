#pragma once

#include "app/verbs/command_reference.h"

#include <string>
#include <vector>

namespace app {

/// The manual page of the program, in the macros of man(7).
[[nodiscard]] std::string manualPage(const std::vector<VerbReference>& verbs);

} // namespace app
