#pragma once

#include "app/reports/report.h"
#include "core/plan/prediction_interval.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// One threshold and how it was met.
struct Check {
    std::string name;
    double limit = 0;
    double value = 0;
    bool isPassed = false;
    /// Why there is nothing to compare; empty where there is.
    std::string reason = {};
    /// Of a predicted figure: where it lies once it is measured, over the predicted one.
    std::optional<core::PredictionInterval> interval = {};

    /// The limit is another prediction, off by much of what this one is off by.
    bool isLimitPredicted = false;

    /// Every figure of the interval is on the same side of the limit; nothing without an interval, and beside
    /// a limit that is predicted.
    [[nodiscard]] std::optional<bool> isCertain() const;
};

/// The table of the checks; negative where one failed.
[[nodiscard]] Report checkReport(const std::vector<Check>& checks);

// The same for programs of continuous integration; `project` is the file that was checked.

/// A JUnit report: a test suite with a test case for each check.
[[nodiscard]] std::string junitText(const std::vector<Check>& checks, std::string_view project);

/// A line for each check that failed, which GitHub shows at the file
/// (docs.github.com/actions, "Workflow commands": ::error file=…,title=…::…).
[[nodiscard]] std::vector<std::string> githubAnnotations(const std::vector<Check>& checks,
                                                         std::string_view project);

/// A Code Quality report of GitLab (docs.gitlab.com/ci/testing/code_quality): an entry for each check that
/// failed.
[[nodiscard]] std::string codeQualityText(const std::vector<Check>& checks, std::string_view project);

} // namespace app
