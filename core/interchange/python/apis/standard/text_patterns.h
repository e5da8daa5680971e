#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// The functions of Python's module re on texts that the program says: match, search, fullmatch, findall,
/// split, sub, compile and escape, with the functions of patterns and matches. What the grammar of ECMAScript
/// has no word for (looking behind, conditions, references to groups), long texts and large counts are data,
/// as all that is not read.
[[nodiscard]] std::vector<PythonApiName> textPatternFunctions();

} // namespace core
