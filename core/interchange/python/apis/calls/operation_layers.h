#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// The functions of the IPU extensions on tensors (nn_ops, normalization_ops, slicing_ops, …): each is a
/// layer of the model. What they are called on are tensors of the model; called on samples they answer
/// samples. Source of arguments, their order and defaults: the Python API reference of the programming
/// system.
[[nodiscard]] std::vector<PythonApiName> operationNames();
/// Objects that become layers where they are called: rnn_ops' cells and host embeddings.
[[nodiscard]] std::vector<PythonApiName> operationObjectNames();

/// Calls a new layer of a class with this configuration on tensors, as its call takes them.
PythonValue callNewLayer(const PythonApiCall& call, const std::string& className, Json config,
                         PythonValues tensors);
/// Several tensors as one argument, the list that layers take which are no classes of Keras.
[[nodiscard]] PythonValues listedInputs(PythonValues tensors);
/// A number that the program says for each sample, alike for all of them, as a tensor: no times a tensor that
/// is there, whose batch is the axis `batchAxis`, and the number. Nothing for other values.
[[nodiscard]] std::optional<PythonValue> numberForEach(const PythonApiCall& call, const PythonTensor& beside,
                                                       const PythonValue& value, std::size_t batchAxis);
/// A tuple of the first `count` outputs of the layer that answered `first`.
[[nodiscard]] PythonValue outputTuple(const PythonTensor& first, std::int64_t count);

} // namespace core
