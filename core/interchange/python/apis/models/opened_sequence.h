#pragma once

#include "core/interchange/python/draft/program_builder.h"

#include <optional>
#include <utility>

namespace core {

/// A sequence of layers as a graph, so that a program can take parts of it: its input, and what it answers.
/// Nothing: it says no shape of its input.
[[nodiscard]] std::optional<std::pair<PythonTensor, PythonTensor>> openSequence(PythonProgramBuilder& builder,
                                                                                std::int64_t model);

} // namespace core
