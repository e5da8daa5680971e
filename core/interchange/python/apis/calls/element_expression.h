#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>

namespace core {

/// custom_ops.codelet_expression_op(): a layer of the formula that its function computes of one element of
/// each tensor.
PythonValue callElementExpression(const PythonApiCall& call);
/// An operator of which one side is an element of such a formula; nothing for others.
[[nodiscard]] std::optional<PythonValue> elementOperation(const std::string& operation,
                                                          const PythonValue& left, const PythonValue& right);
/// A function of TensorFlow on such elements, by the last part of its name; nothing for others.
[[nodiscard]] std::optional<PythonValue> elementFunction(const std::string& function,
                                                         const PythonArguments& arguments);

} // namespace core
