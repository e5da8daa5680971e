#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>
#include <string>

namespace core {

/// What products and functions of linear algebra answer for arrays, by their last name: extents as far as
/// those of the operands are known. Nothing: the function is another one.
[[nodiscard]] std::optional<PythonValue> productOfSamples(const PythonApiCall& call, const std::string& name);

} // namespace core
