#pragma once

#include "core/interchange/python/draft/program_builder.h"

#include <optional>
#include <string>

namespace core {

/// A function of TensorFlow called on tensors: Keras makes a layer of it. `function` is its name without the
/// library, such as "math.multiply".
PythonValue callOnTensors(PythonProgramBuilder& builder, const std::string& function,
                          PythonArguments& arguments);
/// x[…] of a tensor.
PythonValue sliceTensor(PythonProgramBuilder& builder, const PythonTensor& tensor, const PythonValue& index,
                        PythonPlace place);
/// An operator of which one side is a tensor; nothing for others.
std::optional<PythonValue> tensorOperation(PythonProgramBuilder& builder, const std::string& operation,
                                           const PythonValue& left, const PythonValue& right,
                                           PythonPlace place);
/// Makes one layer of the convolutions that a function called: those from `firstLayer` on. Tensors of them
/// in `result` become its outputs.
void joinConvolutions(PythonProgramBuilder& builder, std::size_t firstLayer, PythonValue& result,
                      PythonPlace place);

} // namespace core
