#pragma once

#include "core/project/options/project_option.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// In the order of forms: section after section.
[[nodiscard]] std::span<const ProjectOption> projectOptions();
/// Null when there is none of that path.
[[nodiscard]] const ProjectOption* findProjectOption(std::string_view path);
/// The row of a path; one that is not in the table is a fault of the program (std::logic_error).
[[nodiscard]] const ProjectOption& projectOption(std::string_view path);
/// "Schedule", "Gradient accumulation", …: each once, in the order of forms.
[[nodiscard]] std::vector<std::string_view> projectOptionSections();
/// Those of one parent ("pipeline", "training.infeed") in the order of a project file.
[[nodiscard]] const std::vector<const ProjectOption*>& projectOptionsInFileOrder(std::string_view parent);

/// The value where a file does not name it; null where there is none.
[[nodiscard]] Json defaultValue(const ProjectOption& option);
/// The same as one line of JSON.
[[nodiscard]] std::string defaultText(const ProjectOption& option);
/// The value in a project, its default where nothing is set.
[[nodiscard]] Json valueIn(const Project& project, const ProjectOption& option);
/// True when a project file has to name it.
[[nodiscard]] bool differsFromDefault(const Project& project, const ProjectOption& option);

} // namespace core
