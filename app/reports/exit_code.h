#pragma once

#include "core/base/diagnostic.h"

namespace app {

/// What the program answers to its caller.
enum class ExitCode {
    Done = 0,
    Negative = 1,      ///< a correct answer that is a "no"
    Usage = 2,         ///< a command line that cannot be understood
    Input = 3,         ///< the content of a file or option breaks a rule
    World = 4,         ///< the file system, the disk or the database refused
    Internal = 70,     ///< a fault of the program
    Interrupted = 130, ///< stopped on request
};

/// The code of a failure: that of its gravest error.
[[nodiscard]] ExitCode exitCodeOf(const core::Diagnostics& diagnostics);

} // namespace app
