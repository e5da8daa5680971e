#pragma once

#include "core/base/result.h"
#include "core/config/training_options.h"
#include "core/project/project.h"

#include <span>
#include <string>
#include <string_view>

namespace app {

/// A text that a project is exported as, by the batch and by the window.
struct ProjectFormat {
    /// "python-2.1": unique.
    std::string_view name;
    /// "Python program, TensorFlow 2.1".
    std::string_view title;
    /// How its files end, without the dot.
    std::string_view suffix;
    /// What a file dialog calls such files: "Python program".
    std::string_view fileKind;
    /// What its files are called beside the project's name, "-schedule"; mostly nothing.
    std::string_view nameEnd;
    /// `file` names the project in diagnostics.
    core::Result<std::string> (*write)(const core::Project& project, core::RunMode mode,
                                       const std::string& file) = nullptr;
};

[[nodiscard]] std::span<const ProjectFormat> projectFormats();
/// Null for an unknown name.
[[nodiscard]] const ProjectFormat* findProjectFormat(std::string_view name);

} // namespace app
