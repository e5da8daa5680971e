#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/profile/analysis/path/path_part.h"
#include "core/profile/records/run_records.h"

#include <filesystem>
#include <vector>

namespace app {

/// Compiles what a stored run was made from and simulates its step with each of `parts` taking `less` (in
/// (0, 1)) less time. What cannot be made faster is left out. Relative paths of the project start at
/// `folder`. Errors: those of reading, validating and compiling the stored project; Trouble::Interrupted.
[[nodiscard]] core::Result<core::FasterParts>
simulateFasterParts(const core::RunSummary& stored, const std::vector<core::PathPart>& parts,
                    const std::filesystem::path& folder, double less, const core::JobContext& job = {});

/// The same with a tenth less. A views::FasterPartsSource.
[[nodiscard]] core::Result<core::FasterParts> fasterParts(const core::RunSummary& stored,
                                                          const std::vector<core::PathPart>& parts,
                                                          const std::filesystem::path& folder,
                                                          const core::JobContext& job);

} // namespace app
