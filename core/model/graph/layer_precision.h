#pragma once

#include "core/model/precision_policy.h"

namespace core {

/// `dtype` of a layer that keeps `name` whatever the run's precision is. Keras writes a plain "float32" into
/// every layer that was told nothing, so that only a policy as TensorFlow 2 writes it,
/// {"class_name": "Policy", "config": {"name": …}}, says that float32 is meant.
[[nodiscard]] Json ownPrecision(std::string_view name);

/// The policy that a layer whose file says `dtype` has of its own; nothing where it has the run's.
[[nodiscard]] std::optional<PrecisionPolicy> precisionOfLayer(const Json& dtype);

} // namespace core
