#pragma once

#include "core/profile/schema/profile_database.h"
#include "simulator/planner/search/ranked_advice.h"
#include "views/summary/summary_page.h"

#include <filesystem>
#include <string>
#include <vector>

namespace app {

/// Changes that would help a stored run.
struct RunAdvice {
    std::vector<simulator::Advice> advice;
    /// Why nothing could be tried; empty where changes were.
    std::string trouble;
};

/// Simulates changes of the project that a run was made from; takes seconds. Its relative paths start at
/// `folder`.
[[nodiscard]] RunAdvice runAdvice(const core::RunProvenance& from, const std::filesystem::path& folder);

/// The best of them in a sentence, for the page of the run.
[[nodiscard]] views::SummaryAdvice summaryAdvice(const core::ProfileDatabase& database, core::RunId run);

} // namespace app
