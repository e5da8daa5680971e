#pragma once

namespace simulator {

/// x, levels [L] (, histogram with `update`) → counts [L + 1]; bin k counts levels[k−1] ≤ x < levels[k].
struct Histogram {
    bool absolute = false;
    bool update = false;
    bool operator==(const Histogram&) const = default;
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
    KIND(Histogram) KIND(SequenceSlice)
// clang-format on

} // namespace simulator
