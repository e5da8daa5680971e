#pragma once

#include <cstdint>

namespace simulator {

/// x, levels [L] (, histogram with `update`) → counts [L + 1]; bin k counts levels[k−1] ≤ x < levels[k].
struct Histogram {
    bool absolute = false;
    bool update = false;
    bool operator==(const Histogram&) const = default;
};
/// x [N, field…, C] of whole levels 0 … bins − 1 → the same shape: each level moved so that the levels of a
/// channel of a sample are about equally frequent, as PIL's ImageOps.equalize does. A channel of one level
/// stays.
struct Equalize {
    std::int64_t bins = 256;
    bool operator==(const Equalize&) const = default;
};
/// destination [D, …], source [S, …], counts, source offsets, destination offsets (all [slices]) →
/// destination with the rows written. A row written twice holds the later slice.
struct SequenceSlice {
    /// Rows that no slice writes become zero.
    bool zeroUnused = false;
    /// Rows are added to what is there (the gradient of rows read more than once).
    bool accumulates = false;
    bool operator==(const SequenceSlice&) const = default;
};

// clang-format off
#define SEQUENCE_KINDS(KIND)                                                                                \
    KIND(Histogram) KIND(Equalize) KIND(SequenceSlice)
// clang-format on

} // namespace simulator
