#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// One `--set PATH=VALUE`: a value put at a dotted path of the project file.
struct ProjectSetting {
    /// "pipeline.schedule", "ipu_config.matmuls.clear_pass_type", "model.config.layers.0.config.units".
    std::string path;
    /// Null puts the default back.
    Json value;

    /// "--set pipeline.schedule": how diagnostics name it.
    [[nodiscard]] std::string place() const { return "--set " + path; }
    bool operator==(const ProjectSetting&) const = default;
};

/// Splits at the first "=". The value is JSON where it reads as JSON, else text. Error "usage/set" (a usage
/// error) without "=" or without a path.
[[nodiscard]] Result<ProjectSetting> parseSetting(std::string_view text);

/// `project` with the settings put in, one after the other, and the JSON pointers they went to. Below
/// `ipu_config` the longest option name wins and what remains is a key of its Poplar options; elsewhere the
/// longest key that exists wins. Objects on the way are made; an optimizer or loss given by name becomes an
/// object when something inside it is set. Errors "project/set-path" for a path through a value that holds
/// nothing or past the end of a list.
struct SettingsApplied {
    Json project;
    /// One per setting.
    std::vector<std::string> pointers;
};
[[nodiscard]] Result<SettingsApplied> withSettings(Json project, const std::vector<ProjectSetting>& settings);

/// Diagnostics about a value that a setting put in name the setting as their place.
[[nodiscard]] Diagnostics withSettingPlaces(Diagnostics findings, const std::vector<ProjectSetting>& settings,
                                            const std::vector<std::string>& pointers);

} // namespace core
