#pragma once

#include "core/project/project.h"

#include <filesystem>
#include <string>

namespace app {

/// The project as it has to be written into the folder `to` to read the same files as before in the folder
/// `from`: relative paths of datasets, of the weights, of a schedule table and of a target file begin
/// anew. What a project writes
/// (files of callbacks) stays beside it. Libraries of layers are named in the model, which stays as it is.
[[nodiscard]] core::Project movedProject(core::Project project, const std::filesystem::path& from,
                                         const std::filesystem::path& to);

/// The same for an output file as `-o FILE` names it; nothing changes for stdout, whose folder nobody knows.
[[nodiscard]] core::Project projectForOutput(core::Project project, const std::filesystem::path& from,
                                             const std::string& file);

/// A file as a project in `folder` names it: from there where it is beside or below, as the two may move
/// together, else the whole path; that, too, where the project has no folder.
[[nodiscard]] std::string pathFromFolder(const std::filesystem::path& file,
                                         const std::filesystem::path& folder);

} // namespace app
