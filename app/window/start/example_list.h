#pragma once

#include <QString>
#include <filesystem>
#include <vector>

namespace app {

/// A project that comes with the program.
struct Example {
    std::filesystem::path path;
    /// "tutorial/4-pipelined-sequential": path below the folder of examples, without ending.
    QString name;
    /// What it shows: its line in the README of the folder.
    QString text;
};

/// Where the examples are: beside an installed program, else up from a program in its build folder; empty
/// when there are none.
[[nodiscard]] std::filesystem::path exampleFolder();

/// Every example in a folder, tutorial first, else by name.
[[nodiscard]] std::vector<Example> examplesIn(const std::filesystem::path& folder);

} // namespace app
