#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>

namespace core {

/// tf.Variable(value): a weight where it is trained and its value is drawn or a constant of known extents;
/// one number is a weight of a class of the program only. Other variables are what they hold, or data.
PythonValue variableOfValue(const PythonApiCall& call);

/// The initializer that draws as a function does, "tf.random.normal" with its arguments; null: none does.
[[nodiscard]] Json initializerOfDraw(const PythonApiCall& call);
/// What an initializer object answers for a shape: an array that is drawn by it.
[[nodiscard]] PythonValue callInitializer(const PythonApiCall& call, const PythonConfigured& initializer);
/// Drawn numbers times a number, or through it, are drawn as well; null: by nothing that is known.
[[nodiscard]] Json scaledInitializer(const std::string& operation, const PythonValue& left,
                                     const PythonValue& right);

} // namespace core
