#pragma once

#include "core/base/result.h"
#include "core/project/project.h"
#include "views/plan/target/target_knob.h"

#include <filesystem>
#include <string>
#include <vector>

namespace app {

/// The figures of a project's target, with their bounds and sources; nothing where the target cannot be read.
/// A views::TargetFigureSource.
[[nodiscard]] std::vector<views::TargetFigureValue> targetFigureValues(const core::Project& project,
                                                                       const std::filesystem::path& folder);

/// The target of a project, with the figures that the project sets, as the text of a target file. `name`: of
/// the target; a built-in target's name gets an ending of its own. Errors: what is wrong with the project's
/// target.
[[nodiscard]] core::Result<std::string> targetFileText(const core::Project& project,
                                                       const std::filesystem::path& folder, std::string name);

/// The project with the target of a file, by its path as the project writes it, and no figure of its own.
[[nodiscard]] core::Project withTargetFile(core::Project project, const std::filesystem::path& file,
                                           const std::filesystem::path& folder);

} // namespace app
