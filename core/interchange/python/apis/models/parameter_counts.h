#pragma once

#include "core/interchange/python/draft/program_builder.h"

#include <cstdint>
#include <string>

namespace core {

/// What count_params() answers: numbers in the weights of a model, or of its layer of that name; data where
/// the shape of the model's input is not known.
[[nodiscard]] PythonValue parametersOf(const PythonProgramBuilder& builder, std::int64_t model,
                                       const std::string& layer = {});
/// The same of a layer, by the last model that it is a part of.
[[nodiscard]] PythonValue parametersOf(const PythonProgramBuilder& builder, PythonLayerName layer);

} // namespace core
