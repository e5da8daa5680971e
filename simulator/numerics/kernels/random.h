#pragma once

#include <cstdint>

namespace simulator {

/// Where in the sequences of random numbers a draw lies: Philox 4×32-10 (Salmon et al., "Parallel random
/// numbers: as easy as 1, 2, 3") with this as key and counter, so any element can be drawn at any time, in
/// any order.
struct RandomPlace {
    std::uint64_t seed = 0;
    /// One random operation of a graph, or one weight.
    std::uint64_t stream = 0;
    /// Micro-batch of the run.
    std::uint64_t draw = 0;
};

struct RandomKernels {
    /// Elements [begin, end) of out, begin a multiple of 4: uniform in [0, 1).
    void (*uniform)(const RandomPlace&, float* out, std::int64_t begin, std::int64_t end);
    /// Standard normal.
    void (*normal)(const RandomPlace&, float* out, std::int64_t begin, std::int64_t end);
    /// `keep` where a uniform number is at least `rate`, else 0.
    void (*dropoutMask)(const RandomPlace&, float rate, float keep, float* out, std::int64_t begin,
                        std::int64_t end);
};

} // namespace simulator
