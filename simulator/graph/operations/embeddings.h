#pragma once

#include <cstdint>

namespace simulator {

/// table [R, D…], indices [...] → [..., D…]; with another `axis` the indices' axes are in its place.
struct Gather {
    std::int64_t axis = 0;
    std::int64_t serialization = 1;
    bool operator==(const Gather&) const = default;
};
/// indices, dy → dTable: dy added up over equal indices, `rows` long along the forward operation's axis,
/// which counts from the front here.
struct GatherGradient {
    Gather forward;
    std::int64_t rows = 0;
    bool operator==(const GatherGradient&) const = default;
};

/// Which axis of a host embedding's table is split over the replicas when it lies in remote buffers.
enum class EmbeddingPartition : std::uint8_t { Token, Encoding };
/// Where the rows of a host embedding are.
struct HostTable {
    /// In remote buffers of the IPUs instead of the host program's memory.
    bool remoteBuffer = false;
    EmbeddingPartition partition = EmbeddingPartition::Token;
    bool operator==(const HostTable&) const = default;
};
/// table [R, D] that is not on the device, indices [...] → [..., D]. Indices outside the table are moved to
/// its first or last row when `clipIndices`, else their rows are zero.
struct HostLookup {
    HostTable table;
    bool clipIndices = true;
    bool operator==(const HostLookup&) const = default;
};
/// table [R, D], indices [...], dRows [..., D] → table − learningRate · dRows added up over equal indices, in
/// place. With `accumulation` above 1 also accumulator [R, D] and count [], before the indices and rewritten
/// too: gradients are summed over that many micro-batches, then applied. Replicas share one table: the
/// gradients of all are applied.
struct HostUpdate {
    HostTable table;
    double learningRate = 0.01;
    std::int64_t accumulation = 1;
    bool clipIndices = true;
    bool operator==(const HostUpdate&) const = default;
};

// clang-format off
#define EMBEDDING_KINDS(KIND)                                                                               \
    KIND(Gather) KIND(GatherGradient) KIND(HostLookup) KIND(HostUpdate)
// clang-format on

} // namespace simulator
