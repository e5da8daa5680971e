#pragma once

#include "core/interchange/python/draft/program_builder.h"

#include <cstdint>
#include <optional>
#include <string>

namespace core {

/// What count_params() answers: numbers in the weights of a model, or of its layer of that name; data where
/// the shape of the model's input is not known.
[[nodiscard]] PythonValue parametersOf(const PythonProgramBuilder& builder, std::int64_t model,
                                       const std::string& layer = {});
/// The same of a layer, by the last model that it is a part of.
[[nodiscard]] PythonValue parametersOf(const PythonProgramBuilder& builder, PythonLayerName layer);
/// The first layer with weights of a model that is trained, but none of whose weights `owners` have, models
/// and layers; nothing where they have all, or where that is not known.
[[nodiscard]] std::optional<std::int64_t> layerLeftOut(const PythonProgramBuilder& builder,
                                                       std::int64_t model, const PythonValues& owners);

} // namespace core
