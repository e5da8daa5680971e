#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// What a function of NumPy or TensorFlow answers for samples, by its last name: an array whose extents are
/// known as far as its arguments say. Nothing: no function of that name says more than "samples".
[[nodiscard]] std::optional<PythonValue> callArrayFunction(const PythonApiCall& call,
                                                           const std::string& name);
/// Whether a function of that name draws random numbers.
[[nodiscard]] bool drawsArray(std::string_view name);
/// The names under `prefix` ("np.") that make arrays.
[[nodiscard]] std::vector<PythonApiName> arrayNames(const std::string& prefix);
/// The samples of a dataset of Keras: ((x_train, y_train), (x_test, y_test)).
[[nodiscard]] PythonValue loadedDataset(const std::string& dataset);

} // namespace core
