#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace app {

/// An option or argument of a verb, as its parser knows it.
struct OptionReference {
    /// "-o", "--output"; the name alone for an argument.
    std::vector<std::string> names;
    /// What its value is called; empty for a flag.
    std::string value;
    std::string text;
    bool isArgument = false;
    bool isRequired = false;
    bool isRepeated = false;
};

/// A verb with everything it can be given.
struct VerbReference {
    std::string_view name;
    std::string_view summary;
    std::vector<std::string_view> examples;
    std::vector<OptionReference> options;
};

/// Every verb of the table, with the options of its own and those that all have; what the manual page and the
/// completions of shells are made of.
[[nodiscard]] std::vector<VerbReference> commandReference();

} // namespace app
