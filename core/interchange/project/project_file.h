#pragma once

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/project/project.h"
#include "core/project/project_setting.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Version of the project file that this program writes; older ones are migrated when read.
inline constexpr std::int64_t projectFileVersion = 1;

/// A project and what was odd about its file (unknown attributes of known layers, unknown layers, …).
struct ProjectFile {
    Project project;
    Diagnostics warnings;
    /// Where settings were put in, for `withSettingPlaces`.
    std::vector<std::string> settingPointers;
};

/// Reads a project strictly: every section, all findings at once, each with a JSON pointer. Unknown keys are
/// refused with the nearest known one, but inside `model`, which is Keras' own format. Whether the parts
/// agree with one another is the matter of `validate()`. Errors: those of `parseJson`, "project/…", and those
/// of the sections.
[[nodiscard]] Result<ProjectFile> readProject(std::string_view text, const std::string& file);
[[nodiscard]] Result<ProjectFile> readProjectDocument(const Json& document, const std::string& file);
/// The same of a document whose model is read already: neither it nor the project has one.
[[nodiscard]] Result<ProjectFile> readProjectDocument(const Json& document, const std::string& file,
                                                      const ModelGraph& model);

/// Reads the project at `path` with settings put into it. Diagnostics about a value that a setting put in
/// name the setting as their place.
[[nodiscard]] Result<ProjectFile> loadProject(const std::filesystem::path& path,
                                              const std::vector<ProjectSetting>& settings = {});

/// The same from a text; `file` only names it.
[[nodiscard]] Result<ProjectFile> readProject(std::string_view text, const std::string& file,
                                              const std::vector<ProjectSetting>& settings);

/// The canonical form: fixed order of keys, values at their defaults left out. Reading it gives an equal
/// project.
[[nodiscard]] Json toJson(const Project& project);
[[nodiscard]] std::string writeProject(const Project& project);

[[nodiscard]] Result<void> saveProject(const Project& project, const std::filesystem::path& path,
                                       Overwrite overwrite);

} // namespace core
