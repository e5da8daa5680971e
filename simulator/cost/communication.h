#pragma once

#include "core/base/quantity.h"
#include "simulator/graph/operation_attributes.h"
#include "simulator/target/ipu_system.h"
#include "simulator/target/link_topology.h"

#include <cstdint>
#include <span>
#include <vector>

namespace simulator {

/// What moves between IPUs, host and streaming memory, and how long it takes, in tile clock cycles. Bytes are
/// payload. Nothing here knows what computes meanwhile: hiding a transfer behind work is the schedule's part.

/// One tensor from one virtual IPU of a replica to another: the route's data rate, one sync of both IPUs, and
/// the signal's way over the hops. 0 from an IPU to itself.
[[nodiscard]] core::Cycles interIpuCopyCycles(const IpuSystem& system, std::int64_t from, std::int64_t to,
                                              std::int64_t bytes);

/// Where a collective's time goes.
struct CollectiveCost {
    /// Over the replicas of one machine.
    core::Cycles withinMachine;
    /// Over machines: IPU-Links up to `linkDomainIpus`, gateways beyond.
    core::Cycles acrossMachines;
    core::Cycles sync;
    /// Payload that each IPU sends.
    core::Bytes sentPerIpu;

    [[nodiscard]] core::Cycles total() const { return withinMachine + acrossMachines + sync; }
};

/// One collective among the replicas, in which virtual IPU i of each replica takes part with
/// `bytesPerIpu[i]` (for AllGather: of the whole result). The IPUs run side by side and share what leaves a
/// machine, so the answer holds for all of them.
///
/// Hierarchical: rings inside a machine, then a ring over machines, in which every border carries the sum of
/// what one replica's IPUs bring. Ring of n over a rate B: (n − 1) / n · bytes / B + (n − 1) · latency for a
/// reduce-scatter or an all-gather, twice that for an all-reduce. `groupSize` replicas take part together (0:
/// all); neighbours, or `orthogonal`: as far apart as there are groups.
[[nodiscard]] CollectiveCost collectiveCost(const IpuSystem& system, CollectiveKind kind,
                                            std::span<const std::int64_t> bytesPerIpu,
                                            std::int64_t groupSize = 0, bool orthogonal = false);

/// The gradients of one update all-reduced on the hosts of the system's processes, `bytesPerIpu[i]` of them
/// on virtual IPU i of each replica: over links among the replicas of a process, then through the host, which
/// meets the device, takes the sums, reduces them with the other hosts in a ring and hands them back. Rates:
/// what a program and its host's software exchange end to end, nothing being prefetched (40 MB in 19 ms,
/// Poplar tutorial 6), and between hosts that of a gateway's Ethernet, assumed. Source of the order: the
/// Python API on IPUMultiWorkerStrategy.
[[nodiscard]] CollectiveCost hostReductionCost(const IpuSystem& system,
                                               std::span<const std::int64_t> bytesPerIpu);

/// What the host and a device take to meet: before the data of a transfer moves, and for every launch of a
/// compiled program.
[[nodiscard]] core::Cycles hostRendezvous(const IpuTarget& target);

/// One transfer between the host and an IPU.
struct HostTransfer {
    /// Rendezvous before data moves; hidden when the host has prefetched and the device does not wait.
    core::Cycles begin;
    core::Cycles data;
    /// The IPUs that took part leave the transfer together.
    core::Cycles end;

    [[nodiscard]] core::Cycles total() const { return begin + data + end; }
};
[[nodiscard]] HostTransfer hostTransfer(const IpuTarget& target, std::int64_t bytes);

/// What the host takes to send `bytes` to an IPU of every replica of a machine at once: its link's rate, or
/// the machine's rate shared out. Nothing on the device waits for it as long as the host is ahead.
[[nodiscard]] core::Cycles hostFeedCycles(const IpuSystem& system, std::int64_t bytes);

/// Cycles between two micro-batches' data when the host's own software has to run for each of them, nothing
/// being prefetched.
[[nodiscard]] core::Cycles synchronousHostCycles(const IpuTarget& target, std::int64_t bytes);

/// Cycles of `bytes` from or to streaming memory.
[[nodiscard]] core::Cycles streamingMemoryCycles(const IpuTarget& target, std::int64_t bytes);

/// A remote buffer that is sharded over the replicas of a machine (replicated tensor sharding): its part
/// comes from streaming memory, then an all-gather makes it whole.
[[nodiscard]] core::Cycles shardedFetchCycles(const IpuSystem& system, std::int64_t bytes);

/// What a lookup in (or an update of) a host embedding moves: the indices of one micro-batch and their rows.
struct HostRows {
    std::int64_t indexBytes = 0;
    std::int64_t rowBytes = 0;
    bool update = false;
};

/// Time of one lookup or update while the IPU waits. In the host's memory: the indices go to the host, which
/// answers the rows, or takes them with the indices; all replicas share the host's links. In remote buffers:
/// rows come from streaming memory, and an update reads and writes them; the table is split over the replicas
/// of a process, which first gather all indices. Token: each replica looks for all rows in its part and a
/// reduce-scatter gives every replica its own; an update gathers all gradients. Encoding: each replica has
/// some elements of every row, exchanged all to all.
[[nodiscard]] core::Cycles hostTableCycles(const IpuSystem& system, const HostTable& table,
                                           const HostRows& rows);

} // namespace simulator
