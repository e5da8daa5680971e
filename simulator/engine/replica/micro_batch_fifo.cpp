#include "simulator/engine/replica/micro_batch_fifo.h"

#include <cstring>

namespace simulator {

MicroBatchFifo::MicroBatchFifo(std::size_t bytes, std::int64_t depth)
    : m_bytes(bytes)
    , m_stride((bytes + 63) / 64 * 64)
    , m_depth(depth)
    , m_memory(m_stride * static_cast<std::size_t>(depth + 1)) {}

std::byte* MicroBatchFifo::entry(std::int64_t position) const {
    return m_memory.data() + m_stride * static_cast<std::size_t>(1 + (m_first + position) % m_depth);
}

void MicroBatchFifo::push(std::int64_t microBatch, const std::byte* data) {
    if (m_depth == 0) {
        m_outputMicroBatch = microBatch;
        std::memcpy(output(), data, m_bytes);
        return;
    }
    const auto count = static_cast<std::int64_t>(m_entries.size());
    if (count == m_depth) {
        pop();
        return push(microBatch, data);
    }
    std::memcpy(entry(count), data, m_bytes);
    m_entries.push_back(microBatch);
}

bool MicroBatchFifo::fetch(std::int64_t microBatch) {
    if (m_outputMicroBatch == microBatch)
        return true;
    if (m_entries.empty() || m_entries.front() != microBatch)
        return false;
    pop();
    return true;
}

void MicroBatchFifo::pop() {
    std::memcpy(output(), entry(0), m_bytes);
    m_outputMicroBatch = m_entries.front();
    m_entries.pop_front();
    m_first = (m_first + 1) % m_depth;
}

void MicroBatchFifo::clear() {
    m_entries.clear();
    m_outputMicroBatch = -1;
}

} // namespace simulator
