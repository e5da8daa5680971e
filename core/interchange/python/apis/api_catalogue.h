#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <span>
#include <string>

namespace core {

/// The libraries whose names are known, in the order in which their rows are asked.
[[nodiscard]] std::span<const PythonApiTable* const> pythonApis();

/// Null: no row fits.
[[nodiscard]] const PythonApiName* findPythonName(const std::string& path);
/// The one name of what programs import under several: "tensorflow.keras.layers" → "keras.layers".
[[nodiscard]] std::string fullPythonName(std::string path);

// One per library; the list above names them.
[[nodiscard]] const PythonApiTable& pipeliningApi();
[[nodiscard]] const PythonApiTable& ipuApi();
[[nodiscard]] const PythonApiTable& kerasApi();
[[nodiscard]] const PythonApiTable& tf1Api();
[[nodiscard]] const PythonApiTable& tensorflowApi();
[[nodiscard]] const PythonApiTable& numpyApi();
[[nodiscard]] const PythonApiTable& builtinsApi();
[[nodiscard]] const PythonApiTable& standardLibraryApi();
/// The value of a constant such as math.pi; nothing for other names.
[[nodiscard]] std::optional<PythonValue> standardConstant(const std::string& path);

} // namespace core
