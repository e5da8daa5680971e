#pragma once

#include "core/base/json.h"
#include "simulator/graph/operation.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace simulator {

/// First values of a weight: Keras' initializer {"class_name", "config"} for these extents. Random numbers
/// depend on the initializer's own seed or else on `seed`, and on the weight's name, so that adding a layer
/// changes no other layer's weights. An initializer nobody knows gives Keras' default, glorot_uniform.
[[nodiscard]] std::vector<float> initialWeights(const core::Json& initializer, const Extents& extents,
                                                std::string_view weightName, std::uint64_t seed);

} // namespace simulator
