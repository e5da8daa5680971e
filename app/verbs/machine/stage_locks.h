#pragma once

#include "core/plan/assignment_entries.h"
#include "core/project/project.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// The stage that each layer call stays on: those that the project locks, and those of `--lock LAYER=STAGE`.
/// Stages are 0 … `stages` − 1; nothing: as many as there come to be. Errors: "usage/lock".
[[nodiscard]] core::Result<std::vector<std::optional<std::size_t>>>
readLocks(const std::vector<std::string>& texts, const core::Project& project,
          const std::vector<core::AssignmentEntry>& calls, std::optional<std::size_t> stages);

} // namespace app
