#pragma once

#include "simulator/numerics/aligned_memory.h"

#include <cstddef>
#include <cstdint>
#include <deque>

namespace simulator {

/// The FIFO of one tensor between two programs: `depth` entries and the tensor that the oldest is popped
/// into, as PopUtil's Fifo has them. Entries come and go in the order of micro-batches.
class MicroBatchFifo {
public:
    MicroBatchFifo(std::size_t bytes, std::int64_t depth);

    /// What was popped last; stays where it is.
    [[nodiscard]] std::byte* output() const { return m_memory.data(); }
    /// Adds an entry. A full FIFO pops its oldest first; one without depth is a plain copy.
    void push(std::int64_t microBatch, const std::byte* data);
    /// Sees to it that the output holds a micro-batch: it does, or it is the oldest entry. False where the
    /// schedule broke the order.
    [[nodiscard]] bool fetch(std::int64_t microBatch);
    [[nodiscard]] std::size_t bytes() const { return m_memory.size(); }
    /// Forgets everything: the next execution starts.
    void clear();

private:
    void pop();
    [[nodiscard]] std::byte* entry(std::int64_t position) const;

    std::size_t m_bytes;
    std::size_t m_stride;
    std::int64_t m_depth;
    /// The output, then the entries.
    AlignedMemory m_memory;
    /// Micro-batches of the entries, the oldest first, and the place of the oldest in the ring.
    std::deque<std::int64_t> m_entries;
    std::int64_t m_first = 0;
    std::int64_t m_outputMicroBatch = -1;
};

} // namespace simulator
