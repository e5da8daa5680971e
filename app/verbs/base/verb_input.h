#pragma once

#include "core/base/file.h"
#include "core/base/file_limit.h"

#include <filesystem>
#include <string>

namespace app {

/// Names the standard input where a verb takes a file.
inline constexpr const char* standardInput = "-";

/// The content of a file that the command line names, or of the standard input. Errors: those of
/// `core::readFile` and `core::readStandardInput`.
[[nodiscard]] inline core::Result<std::string> readInput(const std::filesystem::path& path,
                                                         std::uintmax_t limit) {
    return path == standardInput ? core::readStandardInput(limit) : core::readFile(path, limit);
}

/// What diagnostics call it: "stdin" for the standard input.
[[nodiscard]] inline std::string inputName(const std::filesystem::path& path) {
    return path == standardInput ? std::string("stdin") : path.string();
}

} // namespace app
