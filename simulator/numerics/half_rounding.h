#pragma once

namespace simulator {

/// What becomes of a float32 result that is stored as float16: the IPU's floating-point behaviours.
struct HalfRounding {
    /// Up or down at random, in proportion to how near each is ("esr"); else to the nearest, to even between.
    bool stochastic = false;
    /// Too large numbers become the largest float16 of their sign; else infinite ("nanoo" is off: they
    /// saturate).
    bool saturates = false;

    bool operator==(const HalfRounding&) const = default;
};

} // namespace simulator
