#pragma once

#include "app/verbs/base/verb.h"

#include <span>
#include <string>

namespace app {

/// Every verb, in the order of the help.
[[nodiscard]] std::span<const VerbDefinition> verbTable();

/// Null when there is no such verb.
[[nodiscard]] const VerbDefinition* findVerb(std::string_view name);

} // namespace app
