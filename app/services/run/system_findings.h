#pragma once

#include "core/base/diagnostic.h"
#include "core/project/project.h"

#include <filesystem>
#include <string>

namespace app {

/// What is wrong with the system of a project that only the simulator knows: a target that does not exist, a
/// figure it does not have, more I/O tiles than it has tiles, a connection that compiles for another version
/// of the IPU. `file` names the project; paths of target files start at `folder`.
[[nodiscard]] core::Diagnostics systemFindings(const core::Project& project, const std::string& file,
                                               const std::filesystem::path& folder);

} // namespace app
