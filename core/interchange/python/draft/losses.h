#pragma once

#include "core/interchange/python/draft/program_builder.h"

#include <string>

namespace core {

/// A loss of labels and predictions, both tensors of a stage. Null operands are refused.
[[nodiscard]] PythonValue makeLoss(PythonProgramBuilder& builder, const std::string& className, Json config,
                                   const PythonValue* target, const PythonValue* prediction,
                                   PythonPlace place);
/// What reduce_mean() and the like make of a loss; others are refused.
[[nodiscard]] PythonValue reduceLoss(const PythonProgramBuilder& builder, const PythonLoss& loss,
                                     const std::string& function, PythonPlace place);

} // namespace core
