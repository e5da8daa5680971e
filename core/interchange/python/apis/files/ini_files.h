#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>
#include <vector>

namespace core {

/// configparser: sections of named texts, from a text or a file of the program's folder.
[[nodiscard]] std::vector<PythonApiName> iniFileNames();
/// `parser["section"]` and `section["option"]`; nothing: `owner` is none of both.
[[nodiscard]] std::optional<PythonValue> elementOfIni(const PythonProgramBuilder& builder,
                                                      const PythonValue& owner, const PythonValue& index,
                                                      PythonPlace place);

} // namespace core
