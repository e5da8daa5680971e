#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

// The global step of a graph and what the program computes of it: tf.minimum(1.0, step / 100) * rate. Such a
// formula is kept and computed for each update of the training, as schedules of the program are.

[[nodiscard]] PythonValue globalStep();
/// Whether a value is the global step or computed of it.
[[nodiscard]] bool isStepFormula(const PythonValue& value);
/// An operator of which one side is such a formula; nothing for others.
[[nodiscard]] std::optional<PythonValue> stepOperation(const std::string& operation, const PythonValue& left,
                                                       const PythonValue& right);
/// A function of a library that is given one; nothing for others, and for schedules that take the step
/// itself.
[[nodiscard]] std::optional<PythonValue> stepFunction(const PythonApiCall& call);
/// A formula as the learning rate of an optimizer; other values as they are.
[[nodiscard]] PythonValue rateOfFormula(PythonProgramBuilder& builder, const PythonValue& value,
                                        PythonPlace place);

/// The rate of a schedule of Keras at a step; nothing where it is none of those whose formula is known.
[[nodiscard]] std::optional<double> rateOfSchedule(const Json& schedule, double step);

/// Whether an optimizer's learning rate is such a schedule.
[[nodiscard]] bool hasSchedule(const Json& optimizer);
/// At the program's end: rates that follow a global step which nothing counts up stay where they begin.
void settleGlobalStep(PythonProgramBuilder& builder);

/// tf.Variable(0, trainable=False) and tf.get_variable("global_step", …) in a program of TensorFlow 1.
[[nodiscard]] bool makesGlobalStep(const PythonApiCall& call);

/// tf.train.get_or_create_global_step() and its like.
[[nodiscard]] std::vector<PythonApiName> globalStepNames();

} // namespace core
