#pragma once

#include "core/model/layer_definition.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace core {

/// Shape rule of a tensor function by its plain name ("add", "reduce_mean", "reshape"); null when the
/// function is unknown. Constants and settings are the call's keyword arguments, or its positional ones under
/// "$args".
[[nodiscard]] LayerRule findFunctionRule(std::string_view plainName);

/// A setting of a function's call by any of its names; null when absent. `position` counts all positional
/// arguments.
[[nodiscard]] Json functionSetting(const LayerCall& call, std::initializer_list<const char*> names,
                                   std::size_t position = 99);

/// The last part of a function's name without its decoration: "math.reduce_mean" → "reduce_mean",
/// "__operators__.add" → "add", "tf.math.add_1" → "add".
[[nodiscard]] std::string plainFunctionName(std::string_view name);

/// The types that a call of a layer computes in, which has those of `own` and is given tensors of these
/// types: functions on tensors convert none, they compute in the type of what they are given.
[[nodiscard]] PrecisionPolicy callPrecision(const LayerDefinition& definition, const PrecisionPolicy& own,
                                            std::span<const DataType> inputs);

/// Extents and repeats of −1 in a call of such a function stand for the samples' axis, whose extent a run
/// knows.
void nameBatch(std::string_view function, Json& arguments, std::int64_t batch);

} // namespace core
