#include "simulator/engine/clock/infeed_queue.h"

#include "simulator/cost/communication.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simulator {

using core::Cycles;

namespace {

/// Every copy is set up by itself.
Cycles inputCopyCycles(const CompiledPipeline& pipeline) {
    const IpuTarget& target = pipeline.system.target;
    if (pipeline.infeedBytes.value() == 0)
        return {};
    return hostCopyCycles(target, pipeline.infeedBytes) +
           target.cyclesIn(target.hostDataSetUpSeconds) * (pipeline.infeedCopies - 1);
}

} // namespace

Cycles shareOf(Cycles cycles, double share) {
    return Cycles(std::llround(static_cast<double>(cycles.value()) * share));
}

Cycles hostCopyCycles(const IpuTarget& target, core::Bytes bytes) {
    return bytes.value() == 0 ? Cycles(0) : hostTransfer(target, bytes.value()).data;
}

InfeedQueue::InfeedQueue(const CompiledPipeline& pipeline, double share)
    : m_prefetches(pipeline.execution.prefetchDepth > 0)
    , m_copy(shareOf(inputCopyCycles(pipeline), share))
    , m_feed(shareOf(hostFeedCycles(pipeline.system, pipeline.infeedBytes.value()), share))
    , m_synchronous(
          shareOf(synchronousHostCycles(pipeline.system.target, pipeline.infeedBytes.value()), share))
    , m_taken(static_cast<std::size_t>(std::max<std::int64_t>(pipeline.execution.prefetchDepth, 1)), longAgo)
    , m_lastReady(longAgo) {}

Cycles InfeedQueue::take(Cycles now) {
    if (!m_prefetches)
        return m_synchronous;
    const Cycles ready = std::max(m_lastReady, m_taken[m_next]) + m_feed;
    const Cycles wait = std::max(Cycles(0), ready - now);
    m_lastReady = ready;
    m_taken[m_next] = now + wait + m_copy;
    m_next = (m_next + 1) % m_taken.size();
    return wait;
}

std::optional<Cycles> InfeedQueue::sufficientPause() const {
    return m_prefetches ? std::optional(m_copy + m_feed) : std::nullopt;
}

} // namespace simulator
