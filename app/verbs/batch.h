#pragma once

#include <string>
#include <vector>

namespace app {

/// Whether these arguments (the program's name left out) ask for a batch verb, help or the version rather
/// than for the window.
[[nodiscard]] bool isBatch(const std::vector<std::string>& arguments);

/// Runs a verb without a display and answers the exit code: data on stdout, everything else on stderr. No
/// exception leaves it.
[[nodiscard]] int runBatch(const std::vector<std::string>& arguments);

/// Reports a failure outside of a verb as the verbs do and answers its exit code.
[[nodiscard]] int reportFailure(const std::vector<std::string>& arguments, std::string code,
                                std::string place, std::string message, std::string hint);

} // namespace app
