#pragma once

#include "simulator/graph/operations/products.h"

#include <cstdint>

namespace simulator {

enum class PoolFunction : std::uint8_t { Maximum, Average };

/// x [N, field…, C] → [N, field…, C]. Average counts only elements inside the input unless `countPadding`.
struct Pool {
    PoolFunction function = PoolFunction::Maximum;
    WindowGeometry window;
    bool countPadding = false;
    bool operator==(const Pool&) const = default;
};
/// Maximum: x, y, dy → dx. Average: dy → dx.
struct PoolGradient {
    Pool forward;
    bool operator==(const PoolGradient&) const = default;
};

/// x [N, field…, C] → [N, field…, kernel elements · C]: the window around each output position (im2col).
struct ExtractPatches {
    WindowGeometry window;
    bool operator==(const ExtractPatches&) const = default;
};
/// dy → dx of ExtractPatches.
struct ExtractPatchesGradient {
    ExtractPatches forward;
    bool operator==(const ExtractPatchesGradient&) const = default;
};

// clang-format off
#define WINDOW_KINDS(KIND)                                                                                  \
    KIND(Pool) KIND(PoolGradient) KIND(ExtractPatches) KIND(ExtractPatchesGradient)
// clang-format on

} // namespace simulator
