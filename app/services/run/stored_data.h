#pragma once

#include "core/interchange/python/import_choice.h"
#include "core/project/project.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace app {

/// The bytes of an archive of arrays; empty: there are none.
[[nodiscard]] std::string dataArchive(const std::vector<core::DataArray>& arrays);

/// The datasets of a project that are in that archive.
[[nodiscard]] std::vector<core::DatasetSpec*> storedDatasets(core::Project& project);
/// Names the archive in which the arrays of a project are stored.
void nameDataArchive(core::Project& project, const std::string& name);

/// The folder projects that comes with this program, installed or in the tree that it was built from, where
/// it is as asked for; empty: it is not there.
[[nodiscard]] std::filesystem::path
projectsFolder(const std::function<bool(const std::filesystem::path&)>& isIt);
/// The folder of the MNIST digits that come with this program; empty: it is not there.
[[nodiscard]] std::string digitsFolder();

} // namespace app
