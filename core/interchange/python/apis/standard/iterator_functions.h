#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>
#include <vector>

namespace core {

/// The functions of itertools as rows.
[[nodiscard]] std::vector<PythonApiName> iteratorFunctions();
/// heapq, on lists.
[[nodiscard]] std::vector<PythonApiName> heapFunctions();

[[nodiscard]] bool isEndlessIterator(const PythonValue& value);
/// The next value of an iterator without end, itertools.count() or cycle(); nothing: the value is none.
[[nodiscard]] std::optional<PythonValue> nextOfEndless(const PythonApiCall& call, const PythonValue& value);

} // namespace core
