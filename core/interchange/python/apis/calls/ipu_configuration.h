#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace core {

/// IPUConfig, and the functions of the API before it: each is named with the options that replace its
/// arguments.
[[nodiscard]] std::vector<PythonApiName> ipuConfigurationNames();
/// popdist: what poprun says of the processes of a run, where the program itself says how many there are.
[[nodiscard]] std::vector<PythonApiName> distributionNames();
/// A whole number that the last configuration which has it says; nothing: none does.
[[nodiscard]] std::optional<std::int64_t> configuredNumber(const PythonApiCall& call, const char* option);
/// Sets an option of a configuration; IPUs that are selected twice are refused.
void setConfigurationOption(PythonProgramBuilder& builder, PythonConfiguration& configuration,
                            const std::string& option, Json value, PythonPlace place);
/// What an option holds that is a dictionary; nothing for other values.
[[nodiscard]] std::optional<PythonValue> dictionaryOfOption(const PythonProgramBuilder& builder,
                                                            const PythonValue& value);
/// A function of a configuration: configure_ipu_system(), or a method of an option that is a dictionary.
PythonValue callConfigurationMethod(const PythonApiCall& call, const PythonOptions& options);

} // namespace core
