#pragma once

#include "core/interchange/sweep/sweep.h"
#include "core/profile/records/sweep_records.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// What the points of a sweep vary: the project as its file has it, or a template.
struct SweepSubject {
    core::Sweep sweep;
    /// The project file's content; null where the points come from a template.
    core::Json document;
    /// Names the project in findings; its relative paths start at `folder`.
    std::string file;
    std::filesystem::path folder;

    /// What the sweep's conditions may name of this point beside its figures.
    [[nodiscard]] core::Json valueAt(const std::vector<core::ProjectSetting>& settings,
                                     const std::string& path) const;
    /// Whether a simulated point meets every condition.
    [[nodiscard]] bool isWanted(const std::vector<core::ProjectSetting>& settings,
                                const core::SweepPointRecord& record) const;
};

/// The subject of a sweep file with this content. `file` names it in findings; the project it names is
/// relative to the folder of `file`. Errors: those of reading it and its project; "sweep/name" for a
/// condition over a path that no point sets and the project does not have.
[[nodiscard]] core::Result<SweepSubject> sweepSubject(std::string_view content,
                                                      const std::filesystem::path& file);

/// Whether a setting is a parameter of the sweep's template, and which.
[[nodiscard]] bool isOfTemplate(const core::ProjectSetting& setting);
[[nodiscard]] std::string templateParameter(const core::ProjectSetting& setting);

} // namespace app
