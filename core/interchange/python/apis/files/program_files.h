#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

/// What programs ask of files, as rows: `open`, `json.load`, `yaml.safe_load`, `os.path`, `pathlib.Path`.
/// Texts of the program's folder (`PythonModules::text`) are read; everything else is data, and nothing is
/// written.
[[nodiscard]] std::vector<PythonApiName> fileFunctions();

/// An attribute of a pathlib.Path: `parent`, `name`, `stem`, `suffix`; nothing: `object` is none, or has it
/// not.
[[nodiscard]] std::optional<PythonValue> attributeOfPath(const PythonLibraryObject& object,
                                                         const std::string& name);
/// `folder / "name"`; nothing: none of both is a path.
[[nodiscard]] std::optional<PythonValue> joinedPaths(const std::string& operation, const PythonValue& left,
                                                     const PythonValue& right);
/// How str() writes a path; nothing: it is none.
[[nodiscard]] std::optional<std::string> textOfPath(const PythonValue& value);
/// The lines of an open file, with their ends; nothing: it is none.
[[nodiscard]] std::optional<PythonValues> linesOfFile(const PythonValue& value);

} // namespace core
