#pragma once

#include "core/base/quantity.h"
#include "simulator/target/ipu_target.h"

namespace simulator {

// What moving a tensor costs an IPU. A tensor is taken to be spread over all its tiles.

/// To another place on the same tiles: 8 bytes per cycle and a call of 288 cycles (measured: 8 KiB on a
/// tile).
[[nodiscard]] core::Cycles localCopyCycles(const IpuTarget& target, core::Bytes bytes);

} // namespace simulator
