#include "core/profile/writer/span_spool.h"

#include "core/profile/schema/enum_codes.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace core {

namespace {

/// Held in memory before the file is written.
constexpr std::size_t mostSpoolBytes = std::size_t{8} << 20U;
/// Read at once, as blocks of a lane often lie side by side.
constexpr std::size_t readAhead = std::size_t{256} << 10U;

constexpr std::array blockNumbers{
    &SpanBlock::lane,       &SpanBlock::start,      &SpanBlock::number,       &SpanBlock::end,
    &SpanBlock::spans,      &SpanBlock::turns,      &SpanBlock::strideCycles, &SpanBlock::microBatchStride,
    &SpanBlock::slotStride, &SpanBlock::microBatch, &SpanBlock::slot};
constexpr std::array blockLists{&SpanBlock::starts, &SpanBlock::durations, &SpanBlock::microBatches,
                                &SpanBlock::slotNumbers, &SpanBlock::shapes};
/// The numbers of a block, then the sizes of `sums` and of the lists.
using BlockHead = std::array<std::int64_t, blockNumbers.size() + 1 + blockLists.size()>;

SpanShape shapeOf(const SpanRecord& span) {
    SpanShape shape;
    shape.kind = codeOf(span.kind);
    shape.stage = span.stage.isValid() ? static_cast<std::int64_t>(span.stage.value()) : -1;
    shape.bytes = span.bytes.value();
    shape.cause = span.kind == SpanKind::Idle ? codeOf(span.cause) : -1;
    shape.blame = span.blame.isValid() ? static_cast<std::int64_t>(span.blame.value()) : -1;
    shape.part = span.part;
    shape.offset = span.offset.value();
    shape.hasMicroBatch = span.microBatch >= 0;
    shape.hasSlot = span.slot >= 0;
    return shape;
}

} // namespace

struct SpanSpool::Lane {
    Lane(std::int64_t id, const SpanShapes& shapes, const SpanPacker::Receive& receive)
        : id(id)
        , packer(id, shapes, receive) {}

    std::int64_t id;
    SpanPacker packer;
    std::vector<Place> blocks;
    /// Spans that begin before the last one that was packed.
    std::vector<PackedSpan> late;
};

SpanSpool::SpanSpool()
    : m_receive([this](const SpanBlock& block) { keep(block); }) {}

SpanSpool::~SpanSpool() = default;

SpanSpool::Lane& SpanSpool::laneOf(LaneId id) {
    const auto number = static_cast<std::int64_t>(id.value());
    if (m_lastLane == nullptr || m_lastLane->id != number) {
        std::unique_ptr<Lane>& lane = m_lanes[number];
        if (lane == nullptr)
            lane = std::make_unique<Lane>(number, m_shapes, m_receive);
        m_lastLane = lane.get();
    }
    return *m_lastLane;
}

void SpanSpool::add(std::span<const SpanRecord> spans) {
    for (const SpanRecord& span : spans) {
        Lane& lane = laneOf(span.lane);
        const PackedSpan packed{span.start.value(), std::max<std::int64_t>(0, span.duration.value()),
                                std::max<std::int64_t>(0, span.microBatch),
                                std::max<std::int64_t>(0, span.slot), m_shapes.numberOf(shapeOf(span))};
        if (packed.start < lane.packer.lastStart())
            lane.late.push_back(packed);
        else
            lane.packer.add(packed);
    }
}

void SpanSpool::finish() {
    if (m_isFinished)
        return;
    m_isFinished = true;
    for (const auto& [id, lane] : m_lanes) {
        m_lastLane = lane.get();
        lane->packer.finish();
        if (!lane->late.empty())
            putInOrder(*lane);
    }
}

/// Packs the lane anew, with the spans that came late.
void SpanSpool::putInOrder(Lane& lane) {
    std::vector<PackedSpan> all;
    SpanBlock block;
    std::vector<PackedSpan> spans;
    for (const Place& place : lane.blocks) {
        if (!readBlock(place, block)) {
            m_isLost = true;
            return;
        }
        unpackSpans(block, spans);
        for (std::int64_t turn = 0; turn < block.turns; ++turn)
            for (PackedSpan span : spans) {
                const SpanShape& shape = m_shapes.all()[span.shape];
                span.start += turn * block.strideCycles;
                span.microBatch += shape.hasMicroBatch ? turn * block.microBatchStride : 0;
                span.slot += shape.hasSlot ? turn * block.slotStride : 0;
                all.push_back(span);
            }
    }
    all.insert(all.end(), lane.late.begin(), lane.late.end());
    lane.late.clear();
    std::ranges::stable_sort(all, {}, &PackedSpan::start);
    lane.blocks.clear();
    SpanPacker packer(lane.id, m_shapes, m_receive);
    for (const PackedSpan& span : all)
        packer.add(span);
    packer.finish();
}

void SpanSpool::keep(const SpanBlock& block) {
    const std::size_t before = m_memory.size();
    BlockHead head{};
    std::size_t at = 0;
    for (const auto number : blockNumbers)
        head[at++] = block.*number;
    head[at++] = static_cast<std::int64_t>(block.sums.size());
    for (const auto list : blockLists)
        head[at++] = static_cast<std::int64_t>((block.*list).size());
    const auto append = [&](const void* bytes, std::size_t size) {
        const auto* first = static_cast<const std::uint8_t*>(bytes);
        m_memory.insert(m_memory.end(), first, first + size);
    };
    append(head.data(), sizeof head);
    append(block.sums.data(), block.sums.size());
    for (const auto list : blockLists)
        append((block.*list).data(), (block.*list).size());
    m_lanes.at(block.lane)->blocks.push_back({m_fileBytes + before, m_memory.size() - before});
    if (m_memory.size() >= mostSpoolBytes)
        spill();
}

void SpanSpool::spill() {
    if (m_isFull)
        return;
    if (!m_file)
        m_file.emplace("ipu-workbench-spans");
    if (!m_file->append({reinterpret_cast<const char*>(m_memory.data()), m_memory.size()})) {
        // What is behind the bytes that are known to be there does not count.
        m_isFull = true;
        return;
    }
    m_fileBytes += m_memory.size();
    m_memory.clear();
}

/// Null where the file cannot be read.
const std::uint8_t* SpanSpool::bytesAt(const Place& place) {
    if (place.offset >= m_fileBytes)
        return m_memory.data() + (place.offset - m_fileBytes);
    if (place.offset < m_readAt || place.offset + place.size > m_readAt + m_read.size()) {
        m_readAt = place.offset;
        m_read.resize(std::min(std::max(place.size, readAhead), m_fileBytes - place.offset));
        if (!m_file->readAt(place.offset, std::as_writable_bytes(std::span(m_read)))) {
            m_read.clear();
            return nullptr;
        }
    }
    return m_read.data() + (place.offset - m_readAt);
}

bool SpanSpool::readBlock(const Place& place, SpanBlock& block) {
    const std::uint8_t* bytes = bytesAt(place);
    if (bytes == nullptr)
        return false;
    BlockHead head{};
    std::memcpy(head.data(), bytes, sizeof head);
    bytes += sizeof head;
    std::size_t at = 0;
    for (const auto number : blockNumbers)
        block.*number = head[at++];
    const auto take = [&](auto& list) {
        const auto size = static_cast<std::size_t>(head[at++]);
        list.assign(bytes, bytes + size);
        bytes += size;
    };
    take(block.sums);
    for (const auto list : blockLists)
        take(block.*list);
    return true;
}

bool SpanSpool::forEachBlock(const SpanPacker::Receive& visit) {
    SpanBlock block;
    for (const auto& [id, lane] : m_lanes)
        for (const Place& place : lane->blocks) {
            if (m_isLost || !readBlock(place, block))
                return false;
            visit(block);
        }
    return !m_isLost;
}

} // namespace core
