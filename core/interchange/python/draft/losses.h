#pragma once

#include "core/interchange/python/draft/program_builder.h"

#include <string>

namespace core {

/// Whether a value beside what a model answers is numbers that the program says, and no samples.
[[nodiscard]] bool isConstantBeside(const PythonProgramBuilder& builder, std::int64_t model,
                                    const PythonValue& value);
/// Whether a value is what a model answers, or computed of that; null is none.
[[nodiscard]] bool isAnswer(const PythonValue* value);
/// A loss of labels and predictions, both tensors of a stage. Numbers of the program as labels are a constant
/// there. Null operands are refused.
[[nodiscard]] PythonValue makeLoss(PythonProgramBuilder& builder, const std::string& className, Json config,
                                   const PythonValue* target, const PythonValue* prediction,
                                   PythonPlace place, bool isElementwise = false);
/// A tensor that the model adds to its loss itself, in the stage that computes it.
void addLossOf(PythonProgramBuilder& builder, const PythonTensor& term, PythonPlace place);
/// Whether a loss is one value, not one for each sample.
[[nodiscard]] bool isOneValue(const PythonLoss& loss);
/// Whether a function leaves a loss what it is, or makes one value of it: reduce_mean() and the like.
[[nodiscard]] bool reducesLoss(std::string_view function);
/// What such a function makes of it; of others, what only the host knows.
[[nodiscard]] PythonValue reduceLoss(const PythonLoss& loss, std::string_view function);

} // namespace core
