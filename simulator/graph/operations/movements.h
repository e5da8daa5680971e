#pragma once

#include "core/model/data_type.h"

#include <cstdint>
#include <vector>

namespace simulator {

/// x → the same elements in the output's extents. Free on the device when the mapping allows.
struct Reshape {
    /// x is a constant to training: tf.stop_gradient().
    bool stopsGradient = false;
    bool operator==(const Reshape&) const = default;
};
struct Transpose {
    std::vector<std::int64_t> permutation;
    bool operator==(const Transpose&) const = default;
};
/// a, b, … → joined along `axis`.
struct Concatenate {
    std::int64_t axis = -1;
    bool operator==(const Concatenate&) const = default;
};
/// x → x[begin : begin + extent·stride : stride] per axis; a stride may be negative.
struct Slice {
    std::vector<std::int64_t> begin;
    std::vector<std::int64_t> stride;
    bool operator==(const Slice&) const = default;
};
/// Reflect mirrors at the outermost element, Symmetric at its outer edge, Edge repeats it.
enum class PadMode : std::uint8_t { Constant, Reflect, Edge, Symmetric };
/// x → padded; a negative amount crops. `interior` (empty: none) elements go between two neighbours.
struct Pad {
    std::vector<std::int64_t> low;
    std::vector<std::int64_t> high;
    std::vector<std::int64_t> interior;
    PadMode mode = PadMode::Constant;
    double value = 0;
    bool operator==(const Pad&) const = default;
};
enum class Interpolation : std::uint8_t { Nearest, Linear };
/// x [N, field…, C] → field axes scaled by `factors`.
struct Upsample {
    std::vector<std::int64_t> factors;
    Interpolation interpolation = Interpolation::Nearest;
    bool operator==(const Upsample&) const = default;
};
/// dy → dx of Upsample.
struct UpsampleGradient {
    Upsample forward;
    bool operator==(const UpsampleGradient&) const = default;
};
struct Cast {
    core::DataType to = core::DataType::Float32;
    bool operator==(const Cast&) const = default;
};
/// x → x. A RecomputationCheckpoint layer: its output is kept where the rest of a stage is recomputed.
struct RecomputationCheckpoint {
    bool operator==(const RecomputationCheckpoint&) const = default;
};
/// x → the same tensor elsewhere or in another layout.
struct Copy {
    bool operator==(const Copy&) const = default;
};
/// → a tensor filled with `value`.
struct Fill {
    double value = 0;
    bool operator==(const Fill&) const = default;
};

// clang-format off
#define MOVEMENT_KINDS(KIND)                                                                                \
    KIND(Reshape) KIND(Transpose) KIND(Concatenate) KIND(Slice) KIND(Pad) KIND(Upsample)                    \
    KIND(UpsampleGradient) KIND(Cast) KIND(RecomputationCheckpoint) KIND(Copy) KIND(Fill)
// clang-format on

} // namespace simulator
