#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <string>

namespace core {

/// What functions of a model do: `compile`, `fit`, `set_pipelining_options`, …
/// What samples say of the model that gets them: their batch size, and the shape of its input.
void useSamples(const PythonApiCall& call, PythonModelName name, const PythonValue& samples);
PythonValue callModelMethod(const PythonApiCall& call, PythonModelName model);
/// add_loss() of a model or a layer: each term becomes a layer that adds its mean to the loss. Refused for
/// what is no tensor of the model.
PythonValue addLoss(const PythonApiCall& call);
/// Whether arguments that nothing defines are samples: of `fit` and the like.
[[nodiscard]] bool modelMethodTakesSamples(const std::string& name);

} // namespace core
