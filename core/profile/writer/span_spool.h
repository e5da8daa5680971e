#pragma once

#include "core/platform/temporary_file.h"
#include "core/profile/records/time_records.h"
#include "core/profile/schema/span_blocks.h"

#include <map>
#include <memory>
#include <optional>
#include <span>

// Private to the folder.

namespace core {

/// Keeps the spans of a run until it ends, as blocks. What repeats itself takes no space; what does not waits
/// in a temporary file that nobody else sees, once it is more than some megabytes.
class SpanSpool {
public:
    SpanSpool();
    ~SpanSpool();
    SpanSpool(const SpanSpool&) = delete;
    SpanSpool& operator=(const SpanSpool&) = delete;

    /// Spans of a lane should come in the order of their start; those that do not cost the memory of the
    /// lane.
    void add(std::span<const SpanRecord> spans);
    /// No span comes any more.
    void finish();

    [[nodiscard]] const std::vector<SpanShape>& shapes() const { return m_shapes.all(); }
    /// After `finish`: all blocks in the order of lanes and time. False where the temporary file cannot be
    /// read.
    [[nodiscard]] bool forEachBlock(const SpanPacker::Receive& visit);

private:
    struct Lane;
    /// Where a block is: in the file, or behind its end in memory.
    struct Place {
        std::size_t offset = 0;
        std::size_t size = 0;
    };

    Lane& laneOf(LaneId id);
    void keep(const SpanBlock& block);
    void spill();
    [[nodiscard]] const std::uint8_t* bytesAt(const Place& place);
    [[nodiscard]] bool readBlock(const Place& place, SpanBlock& block);
    void putInOrder(Lane& lane);

    SpanShapes m_shapes;
    SpanPacker::Receive m_receive;
    std::map<std::int64_t, std::unique_ptr<Lane>> m_lanes;
    Lane* m_lastLane = nullptr;
    std::optional<TemporaryFile> m_file;
    std::size_t m_fileBytes = 0;
    /// A part of the file, from `m_readAt` on.
    std::vector<std::uint8_t> m_read;
    std::size_t m_readAt = 0;
    /// The file cannot be written: all stays in memory.
    bool m_isFull = false;
    /// A block that was kept cannot be read again.
    bool m_isLost = false;
    bool m_isFinished = false;
    std::vector<std::uint8_t> m_memory;
};

} // namespace core
