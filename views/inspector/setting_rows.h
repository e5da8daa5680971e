#pragma once

#include "core/base/result.h"
#include "core/project/project.h"
#include "views/inspector/form/property.h"

#include <string>
#include <vector>

namespace views {

/// The options of a project outside of its model, as forms. An option's id is its path in the project file.

[[nodiscard]] std::vector<PropertySection> pipelineSections(const core::Project& project);
[[nodiscard]] std::vector<PropertySection> trainingSections(const core::Project& project);
[[nodiscard]] std::vector<PropertySection> systemSections(const core::Project& project);

/// The project with one option changed; null puts the default back. Reads the value as strictly as the file:
/// refusals name the option and the next legal value.
[[nodiscard]] core::Result<core::Project> withSetting(const core::Project& project, const std::string& path,
                                                      const core::Json& value);

} // namespace views
