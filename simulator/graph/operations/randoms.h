#pragma once

#include <cstdint>
#include <vector>

namespace simulator {

/// x → y = x times 0 or 1 / (1 − rate). `noiseExtents` empty: an own decision per element; else broadcast.
/// The numbers depend on `seed` (0: the run's seed), `stream` (different for each random operation of a
/// graph) and the micro-batch, so drawing them again gives the same: nothing is kept for the gradient.
struct Dropout {
    double rate = 0.5;
    std::vector<std::int64_t> noiseExtents;
    std::uint64_t seed = 0;
    std::uint64_t stream = 0;
    bool operator==(const Dropout&) const = default;
};
enum class RandomDistribution : std::uint8_t {
    Uniform,
    Normal,
    TruncatedNormal,
    Bernoulli,
    LogUniformClasses
};
/// → random numbers, seeded as Dropout: Uniform in [a, b), Normal and TruncatedNormal of mean a and deviation
/// b, Bernoulli 1 with probability a, LogUniformClasses different int32 classes below a (Zipfian candidate
/// sampler).
struct Random {
    RandomDistribution distribution = RandomDistribution::Uniform;
    double a = 0;
    double b = 1;
    std::uint64_t seed = 0;
    std::uint64_t stream = 0;
    bool operator==(const Random&) const = default;
};
/// dy → dx: the factors of its forward operation are drawn once more from the same seed, as poprand::dropout
/// does when it is called with the gradient.
struct DropoutGradient {
    Dropout dropout;
    bool operator==(const DropoutGradient&) const = default;
};

// clang-format off
#define RANDOM_KINDS(KIND)                                                                                  \
    KIND(Dropout) KIND(Random) KIND(DropoutGradient)
// clang-format on

} // namespace simulator
