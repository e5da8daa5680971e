#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

namespace core {

/// Ends the reading, as Python does by a TypeError, where a name of the IPU extensions is called with an
/// argument that its signature does not have. Source: the Python API reference of the IPU extensions.
/// Functions on tensors, pipelines, queues and setters of options look at their arguments themselves.
void checkSignature(const PythonApiCall& call);

} // namespace core
