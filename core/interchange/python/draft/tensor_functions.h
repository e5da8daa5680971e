#pragma once

#include "core/interchange/python/draft/program_builder.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace core {

/// A function of TensorFlow called on tensors: Keras makes a layer of it. `function` is its name without the
/// library, such as "math.multiply".
PythonValue callOnTensors(PythonProgramBuilder& builder, const std::string& function,
                          PythonArguments& arguments);
/// The numbers of an array as a tensor of the model: no times a tensor that is there, and the numbers. An
/// array whose rows are alike, one for each sample, is a row for each.
[[nodiscard]] PythonTensor constantTensor(PythonProgramBuilder& builder, const PythonArray& array,
                                          const PythonTensor& beside, PythonPlace place);
/// x[…] of a tensor.
PythonValue sliceTensor(PythonProgramBuilder& builder, const PythonTensor& tensor, const PythonValue& index,
                        PythonPlace place);
/// An operator of which one side is a tensor; nothing for others.
std::optional<PythonValue> tensorOperation(PythonProgramBuilder& builder, const std::string& operation,
                                           const PythonValue& left, const PythonValue& right,
                                           PythonPlace place);
/// Makes one layer of the convolutions that a function called: the calls behind those that each layer had
/// before (`PythonProgramBuilder::callCounts()`). Tensors of them in `result` become its outputs.
void joinConvolutions(PythonProgramBuilder& builder, const std::vector<std::size_t>& before,
                      PythonValue& result, PythonPlace place);
/// Says that options of multi_conv, such as perConvReservedTiles, are none of the joined layer.
void warnOfJoinedOptions(PythonProgramBuilder& builder, PythonPlace place);
/// The layer of a tensor called once more, on other tensors, by a layer of its own.
[[nodiscard]] PythonTensor calledOn(PythonProgramBuilder& builder, const PythonTensor& tensor,
                                    std::vector<PythonTensor> operands);
/// What a tensor is the sum of, each as it stands in the sum: those of a mean or of a multiple of a sum are
/// means or multiples. Numbers that are added are left out. What `isOne` says is not taken apart. The tensor
/// alone where it is no sum.
[[nodiscard]] std::vector<PythonTensor> summandsOf(PythonProgramBuilder& builder, const PythonTensor& tensor,
                                                   const std::function<bool(const PythonTensor&)>& isOne);

} // namespace core
