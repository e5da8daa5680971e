#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// Files of samples: datasets of their records, and what is taken out of a record. How many records there are
/// only a run knows; the extents of what they hold are what the program says of them.
[[nodiscard]] std::vector<PythonApiName> recordFileNames();

} // namespace core
