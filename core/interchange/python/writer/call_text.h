#pragma once

#include "core/interchange/python/writer/text/python_text.h"
#include "core/model/model_graph.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace core {

/// The variable of a tensor.
using PythonVariables = std::function<std::string(const TensorRef&)>;

/// The arguments of a call of a layer: its tensors, as a list where they are several, then what is named.
[[nodiscard]] std::vector<std::string> callArguments(const LayerInvocation& call,
                                                     const PythonVariables& variables);
/// The same with `value` and `key` of an attention in the list, too: Keras of TensorFlow 2.1 tracks no
/// others.
[[nodiscard]] std::vector<std::string> listedArguments(const LayerInvocation& call,
                                                       const PythonVariables& variables);

/// A call of a layer that stands for a function of TensorFlow (TFOpLambda, SlicingOpLambda, and those of
/// Keras 3) as that function, an operator or brackets: "x + y", "tf.reshape(x, shape=[-1, 4])", "x[:, 0]".
/// Nothing where there is no such function.
[[nodiscard]] std::optional<std::string> functionCallText(const Layer& layer, const LayerInvocation& call,
                                                          const PythonVariables& variables);

/// The call of tf.keras.Input() that an InputLayer stands for.
[[nodiscard]] PythonCallText inputCallText(const Layer& layer);

} // namespace core
