#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace core {

/// How the value of a project's option is written.
enum class ProjectOptionType : std::uint8_t {
    Switch,
    OptionalSwitch, ///< null: as the system decides
    Integer,
    Number,
    Text,
    Choice,     ///< one of `choices`
    OpenChoice, ///< one of `choices`, or a path
    Integers,   ///< a list of whole numbers
    Json        ///< an object or a list of its own form
};

/// Everything there is to know about one option of a project beside `ipu_config` (see IpuConfigOption):
/// the keys of its sections `pipeline`, `training` and `system` that hold one value, and `replicas`. The
/// inspector, the verb `config` and the tests of the readers take them from here.
struct ProjectOption {
    /// Where it stands in a project file: "pipeline.schedule".
    std::string_view path;
    ProjectOptionType type = ProjectOptionType::Integer;
    /// The value where a file does not name it, as JSON; null where there is none.
    std::string_view defaultText;
    std::string_view documentation;
    /// What the simulation does with it.
    std::string_view effectText;
    /// Heading it stands under in forms: "Offloading".
    std::string_view section;
    /// Its name under that heading.
    std::string_view label;
    /// In the order of display.
    std::vector<std::string_view> choices = {};
    /// Limits of numbers.
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

/// In the order of forms: section after section.
[[nodiscard]] std::span<const ProjectOption> projectOptions();
/// Null when there is none of that path.
[[nodiscard]] const ProjectOption* findProjectOption(std::string_view path);
/// "Schedule", "Gradient accumulation", …: each once, in the order of forms.
[[nodiscard]] std::vector<std::string_view> projectOptionSections();

} // namespace core
