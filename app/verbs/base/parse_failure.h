#pragma once

#include "core/base/diagnostic.h"

namespace CLI {
class App;
class ParseError;
} // namespace CLI

namespace app {

/// What is wrong with a verb's command line, in our form: the option as the place, the cure as the hint.
[[nodiscard]] core::Diagnostic parseFailure(const CLI::App& command, const CLI::ParseError& error);

} // namespace app
