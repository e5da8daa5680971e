#pragma once

#include "core/interchange/python/draft/program_builder.h"
#include "core/model/precision_policy.h"

#include <cstdint>
#include <optional>
#include <string>

namespace core {

/// Extents of a tensor with its batch axis, worked out from the inputs that lead to it; null where they are
/// not known.
[[nodiscard]] Json tensorShape(PythonProgramBuilder& builder, const PythonTensor& tensor);

/// Its element type: "float32"; that of floating numbers where it is not known.
[[nodiscard]] std::string tensorType(PythonProgramBuilder& builder, const PythonTensor& tensor);

/// The extents of an output of a model; null where they are not known.
[[nodiscard]] Json outputShape(const PythonProgramBuilder& builder, std::int64_t model, std::size_t output);

/// The types that the program has set for its layers so far.
[[nodiscard]] PrecisionPolicy programPrecision(const PythonProgramBuilder& builder);

/// What the config of a layer says of the extents of its input, with the batch axis; null where it says none.
[[nodiscard]] Json declaredInputShape(const Json& config);

/// The extent of the samples' axis that the program gives the inputs that lead to a tensor; nothing where
/// they leave it open.
[[nodiscard]] std::optional<std::int64_t> fixedBatch(PythonProgramBuilder& builder,
                                                     const PythonTensor& tensor);

} // namespace core
