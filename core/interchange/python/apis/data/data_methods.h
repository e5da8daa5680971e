#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

namespace core {

/// What functions of datasets, arrays and runs make of them: samples that keep what is known.
PythonValue callDataMethod(const PythonApiCall& call, const PythonData& data);
/// Samples made of the other samples among the arguments keep what is known of them.
PythonValue samplesOfArguments(const PythonArguments& arguments);

} // namespace core
