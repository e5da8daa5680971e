#include "simulator/engine/clock/outfeed_queue.h"

#include "simulator/cost/communication.h"
#include "simulator/engine/clock/infeed_queue.h"

#include <algorithm>
#include <limits>

namespace simulator {

using core::Cycles;

OutfeedQueue::OutfeedQueue(const CompiledPipeline& pipeline, double share)
    : m_copy(shareOf(hostCopyCycles(pipeline.system.target, pipeline.outfeedBytes), share))
    , m_drain(shareOf(hostFeedCycles(pipeline.system, pipeline.outfeedBytes.value()), share))
    , m_drained(static_cast<std::size_t>(std::max<std::int64_t>(pipeline.execution.bufferDepth, 1)), longAgo)
    , m_lastDrained(longAgo) {}

Cycles OutfeedQueue::put(Cycles now) {
    const Cycles wait = std::max(Cycles(0), m_drained[m_next] - now);
    m_lastDrained = std::max(m_lastDrained, now + wait + m_copy) + m_drain;
    m_drained[m_next] = m_lastDrained;
    m_next = (m_next + 1) % m_drained.size();
    return wait;
}

} // namespace simulator
