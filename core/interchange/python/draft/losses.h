#pragma once

#include "core/interchange/python/draft/program_builder.h"

#include <string>

namespace core {

/// A loss of labels and predictions, both tensors of a stage. Null operands are refused.
[[nodiscard]] PythonValue makeLoss(PythonProgramBuilder& builder, const std::string& className, Json config,
                                   const PythonValue* target, const PythonValue* prediction,
                                   PythonPlace place, bool isElementwise = false);
/// Whether a function leaves a loss what it is, or makes one value of it: reduce_mean() and the like.
[[nodiscard]] bool reducesLoss(std::string_view function);
/// What such a function makes of it; of others, what only the host knows.
[[nodiscard]] PythonValue reduceLoss(const PythonLoss& loss, std::string_view function);

} // namespace core
