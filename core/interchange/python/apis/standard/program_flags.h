#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

// Flags are what the command line says that the program is read with, else their defaults.
/// DEFINE_integer() and its like, as rows of a module of flags.
[[nodiscard]] std::vector<PythonApiName> flagFunctions(const std::string& module);
/// app.run(main) under a name.
[[nodiscard]] PythonApiName mainFunction(const std::string& name);

/// `FLAGS.name`, `FLAGS["name"].value`, `holder.value`; nothing: `owner` is nothing of the flags.
[[nodiscard]] std::optional<PythonValue> attributeOfFlags(const PythonProgramBuilder& builder,
                                                          const PythonValue& owner, const std::string& name);
/// Sets one of these. False: `owner` is nothing of the flags.
bool setAttributeOfFlags(PythonProgramBuilder& builder, const PythonValue& owner, const std::string& name,
                         const PythonValue& value);

} // namespace core
