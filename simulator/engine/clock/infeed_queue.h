#pragma once

#include "simulator/program/executable.h"

#include <limits>
#include <optional>
#include <vector>

namespace simulator {

/// Before everything that a queue remembers; far enough from the smallest number to subtract from.
inline constexpr core::Cycles longAgo(std::numeric_limits<core::Cycles::Value>::min() / 4);

/// The host's side of the infeed. With prefetching the host fills a queue of `depth` micro-batches beside the
/// program, at the rate of the host link, which the replicas of a machine share: it may start on one once the
/// device has taken the one `depth` before it; the rendezvous is hidden. Without prefetching each transfer
/// waits for the host's software.
class InfeedQueue {
public:
    /// `share`: what transfers take of the time that the target gives them.
    explicit InfeedQueue(const CompiledPipeline& pipeline, double share = 1);

    /// How long a device that asks for the next micro-batch at `now` waits for it. Times are of one clock
    /// that goes on from update to update.
    [[nodiscard]] core::Cycles take(core::Cycles now);
    /// A device with at least so much from one question to the next never waits, however deep the queue is:
    /// then the host begins at the latest when the one before has been moved, and is ready when asked.
    /// Nothing without prefetching.
    [[nodiscard]] std::optional<core::Cycles> sufficientPause() const;
    /// Moving one micro-batch from the host's queue onto the device, in as many copies as it takes.
    [[nodiscard]] core::Cycles copyCycles() const { return m_copy; }

private:
    bool m_prefetches;
    core::Cycles m_copy;
    /// The host's part of one micro-batch.
    core::Cycles m_feed;
    core::Cycles m_synchronous;
    /// When the last `depth` micro-batches were taken, as a ring.
    std::vector<core::Cycles> m_taken;
    std::size_t m_next = 0;
    core::Cycles m_lastReady;
};

/// A share of some cycles, to the nearest.
[[nodiscard]] core::Cycles shareOf(core::Cycles cycles, double share);

/// Device side of one transfer of `bytes` over the host link.
[[nodiscard]] core::Cycles hostCopyCycles(const IpuTarget& target, core::Bytes bytes);

} // namespace simulator
