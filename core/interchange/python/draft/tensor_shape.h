#pragma once

#include "core/interchange/python/draft/program_builder.h"

namespace core {

/// Extents of a tensor with its batch axis, worked out from the inputs that lead to it; null where they are
/// not known.
[[nodiscard]] Json tensorShape(PythonProgramBuilder& builder, const PythonTensor& tensor);

} // namespace core
