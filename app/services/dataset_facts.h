#pragma once

#include "core/base/result.h"
#include "core/project/run_figures.h"

#include <filesystem>
#include <optional>

namespace app {

/// What can be known of the dataset of a run without running it. Nothing where there is no dataset. Errors:
/// those of opening its files.
[[nodiscard]] core::Result<std::optional<core::DatasetFacts>>
datasetFacts(const core::Project& project, core::RunMode mode, const std::filesystem::path& folder);

} // namespace app
