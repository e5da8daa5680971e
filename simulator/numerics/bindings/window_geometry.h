#pragma once

#include "simulator/graph/operation.h"
#include "simulator/numerics/kernels/window.h"

namespace simulator {

/// The window of an operation over an input [N, field…, C] and an output [N, field…, …], with leading field
/// axes of extent 1 where the model has fewer than three.
[[nodiscard]] WindowMap windowMap(const WindowGeometry& window, const Extents& input, const Extents& output);

} // namespace simulator
