#pragma once

#include "simulator/compiler/lowering/layer_lowering.h"

#include <string_view>

namespace simulator {

/// Windows of a convolution or pooling over `field`, padded as Keras' `padding` ("valid", "same", "causal")
/// says.
[[nodiscard]] WindowGeometry windowGeometry(const std::vector<std::int64_t>& kernel,
                                            const std::vector<std::int64_t>& stride,
                                            const std::vector<std::int64_t>& dilation,
                                            std::string_view padding, const Extents& field);

/// The field axes of [N, field…, C].
[[nodiscard]] Extents fieldOf(const Extents& extents);

/// x with its channels last, however the layer's `data_format` has them.
[[nodiscard]] core::TensorId channelsLast(LoweringCall& call, core::TensorId x);
/// The way back to the layer's `data_format`.
[[nodiscard]] core::TensorId toDataFormat(LoweringCall& call, core::TensorId x);

/// x with axis `axis` moved to position `to`.
[[nodiscard]] core::TensorId moveAxis(GraphBuilder& build, core::TensorId x, std::int64_t axis,
                                      std::int64_t to);

/// x with axes of extent 1 put in at these positions of the result.
[[nodiscard]] core::TensorId expandAxes(GraphBuilder& build, core::TensorId x,
                                        std::vector<std::int64_t> axes);

/// All axes but the first.
[[nodiscard]] std::vector<std::int64_t> innerAxes(GraphBuilder& build, core::TensorId x);

} // namespace simulator
