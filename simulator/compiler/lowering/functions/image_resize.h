#pragma once

#include "core/base/result.h"
#include "simulator/graph/graph_builder.h"

#include <string_view>

namespace simulator {

/// x [N, H, W, C] with its field scaled to these extents, as tf.image.resize does it: "nearest", "bilinear",
/// "bicubic", "area", "lanczos3", "lanczos5", "gaussian", "mitchellcubic". Each axis is one product with a
/// constant matrix.
[[nodiscard]] core::Result<core::TensorId> addResize(GraphBuilder& build, core::TensorId x,
                                                     std::int64_t height, std::int64_t width,
                                                     std::string_view interpolation, bool antialias);

} // namespace simulator
