#pragma once

#include "core/base/diagnostic.h"
#include "core/project/project.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// What a run of a project would do beyond its own folder, which nobody but a person can allow.
struct ProjectWants {
    /// Libraries that its layers name, as the files they mean, each once.
    std::vector<std::filesystem::path> libraries;
    /// Files outside of its folder that its callbacks write, each once.
    std::vector<std::filesystem::path> outside;

    [[nodiscard]] bool isEmpty() const { return libraries.empty() && outside.empty(); }
};
[[nodiscard]] ProjectWants projectWants(const core::Project& project, const std::filesystem::path& folder);

/// Files that a project names for reading (datasets, weights, schedule table, target) and that are there.
[[nodiscard]] std::vector<std::filesystem::path> dataFiles(const core::Project& project,
                                                           const std::filesystem::path& folder);

/// A note that names those of them that are not below the project's folder: data may lie anywhere, but a
/// person should know which files a project of somebody else reads. `file` names the project.
[[nodiscard]] std::optional<core::Diagnostic>
dataOutside(const core::Project& project, const std::filesystem::path& folder, const std::string& file);

} // namespace app
