#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

/// Functions of NumPy under `prefix` ("np.") that read arrays from files. Of files of the program's folder
/// the extents are known, which their headers say; their numbers are not read.
[[nodiscard]] std::vector<PythonApiName> arrayFileNames(const std::string& prefix);
/// An array of what np.load() made of an .npz file, by its name; nothing: `archive` is none.
[[nodiscard]] std::optional<PythonValue> memberOfArchive(const PythonValue& archive, const PythonValue& name);

} // namespace core
