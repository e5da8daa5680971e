#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Something that works, and how to see it.
struct Feature {
    /// As the verb `features` names it: "P8" of the programming system, "36" and "N1" of the workbench.
    std::string_view id;
    std::string_view title;
    /// What a person does in the window to see it; empty where the commands say all.
    std::string_view how;
    /// Lines of `ipu-workbench` that one pastes into a shell at the root of the sources; at least one. A line
    /// without a verb opens the window with that project. A line may need what the lines before it wrote; it
    /// may be one that the program refuses, where refusing is what it shows.
    std::vector<std::string> commands;
    /// What of the title does not hold; empty where all of it does.
    std::string_view except = {};
};

/// Only what really works, in the order of the ids. A test runs every command, and for the rows of the
/// programming system checks the figure that each is there for.
[[nodiscard]] std::span<const Feature> featureTable();

/// Whether a command opens the window with a project.
[[nodiscard]] bool opensTheWindow(std::string_view command);

} // namespace app
