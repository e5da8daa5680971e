#pragma once

#include <string>
#include <vector>

namespace core {

/// What a person says about a file that several projects can be made of.
struct ImportChoice {
    /// One of several models by its name; empty: the only one, or the one that is used most.
    std::string model;
    /// The command line of a program, without the program's own name.
    std::vector<std::string> commandLine;
};

} // namespace core
