#pragma once

#include "tests/tools/oracle/oracle_case.h"

#include <string_view>
#include <vector>

namespace oracles {

/// What a checking program was asked.
struct CheckArguments {
    std::vector<std::filesystem::path> folders;
    bool asJson = false;
};
/// Nothing where no folder is given; says so on stderr.
[[nodiscard]] std::optional<CheckArguments> readArguments(int argc, char** argv, std::string_view program);

/// Prints every case's verdict and the counts; answers the exit code (4 where the folders cannot be read).
[[nodiscard]] int report(const core::Result<std::vector<Outcome>>& outcomes, bool asJson,
                         std::string_view schema);

} // namespace oracles
