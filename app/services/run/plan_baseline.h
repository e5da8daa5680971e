#pragma once

#include "core/profile/records/run_records.h"

#include <filesystem>

namespace app {

/// The figures of a plan that others are held against: of a stored run, or of a file beside the project,
/// which is kept under version control.
struct PlanBaseline {
    double samplesPerSecond = 0;
    /// Share of the fullest IPU's memory.
    double peakFraction = 0;

    bool operator==(const PlanBaseline&) const = default;
};

[[nodiscard]] PlanBaseline baselineOf(const core::RunSummary& summary);
/// Peak over limit of the fullest IPU.
[[nodiscard]] double peakFraction(const core::RunSummary& summary);

/// Errors: those of `core::readFile` and `core::parseJson`, "baseline/format" for another document,
/// "project/…" with a JSON pointer for a key that is missing, unknown or of the wrong type.
[[nodiscard]] core::Result<PlanBaseline> loadBaseline(const std::filesystem::path& path);
/// Whether a baseline may be written there: nothing but a baseline is replaced. Errors: "file/exists".
[[nodiscard]] core::Result<void> mayReplace(const std::filesystem::path& path);
/// Replaces the file. Errors: those of `core::writeFileAtomically`.
[[nodiscard]] core::Result<void> saveBaseline(const PlanBaseline& baseline,
                                              const std::filesystem::path& path);

} // namespace app
