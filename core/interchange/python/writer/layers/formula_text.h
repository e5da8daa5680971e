#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// A formula of the layer ElementwiseExpression in Python.
struct PythonFormula {
    /// "tf.math.tanh(x0) * x1".
    std::string text;
    /// It calls functions of TensorFlow; else it consists of operators alone.
    bool callsFunctions = false;
};

/// Nothing where it calls a function that TensorFlow does not have.
[[nodiscard]] std::optional<PythonFormula> pythonFormula(std::string_view expression);

} // namespace core
