#pragma once

#include "simulator/program/executable.h"

#include <vector>

namespace simulator {

/// The host's side of the outfeed: a buffer of `buffer_depth` results that the host empties one after the
/// other at the rate of the host link, which the replicas of a machine share. A device that finds it full
/// waits.
class OutfeedQueue {
public:
    /// `share`: what transfers take of the time that the target gives them.
    explicit OutfeedQueue(const CompiledPipeline& pipeline, double share = 1);

    /// How long a device that has the results of the next micro-batch at `now` waits for space. Times are of
    /// one clock that goes on from update to update.
    [[nodiscard]] core::Cycles put(core::Cycles now);
    /// A device with at least so much from one result to the next never waits, however small the buffer is:
    /// then the one before has been taken out.
    [[nodiscard]] core::Cycles sufficientPause() const { return m_copy + m_drain; }
    /// Moving the results of one micro-batch off the device.
    [[nodiscard]] core::Cycles copyCycles() const { return m_copy; }

private:
    core::Cycles m_copy;
    /// The host's part of one micro-batch.
    core::Cycles m_drain;
    /// When the last `buffer_depth` results were taken out, as a ring.
    std::vector<core::Cycles> m_drained;
    std::size_t m_next = 0;
    core::Cycles m_lastDrained;
};

} // namespace simulator
