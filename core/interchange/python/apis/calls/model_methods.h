#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <string>

namespace core {

/// What functions of a model do: `compile`, `fit`, `set_pipelining_options`, …
PythonValue callModelMethod(const PythonApiCall& call, PythonModelName model);
/// Whether arguments that nothing defines are samples: of `fit` and the like.
[[nodiscard]] bool modelMethodTakesSamples(const std::string& name);

} // namespace core
