#include "core/profile/spans/span_reader.h"

#include "core/profile/schema/profile_schema.h"
#include "core/profile/schema/time_tables.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

constexpr std::string_view headColumns =
    "lane, start_cycles, block, end_cycles, spans, turns, stride_cycles, micro_batch_stride, slot_stride, "
    "micro_batch, slot, sums";

/// From the last block that starts at or before the range on. Where the blocks themselves are: what asks for
/// their spans is not answered from the index of heads, which may be the part of a file that is damaged.
constexpr std::string_view ofRange =
    "run_id = ?1 AND lane = ?2 AND start_cycles < ?4 AND starts IS NOT NULL AND start_cycles >= "
    "coalesce((SELECT max(start_cycles) FROM span_block WHERE run_id = ?1 AND lane = ?2 AND "
    "start_cycles <= ?3 AND starts IS NOT NULL), ?3) ";
const std::string inRange = std::string(ofRange) + "ORDER BY start_cycles, block";

/// The same from that index.
std::optional<SQLite::Statement> selectIndexedHeads(SQLite::Database& connection) {
    SQLite::Statement find(connection, "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ? AND "
                                       "tbl_name = 'span_block'");
    find.bind(1, std::string(spanHeadIndex));
    if (!find.executeStep())
        return std::nullopt;
    const std::string from = fmt::format("FROM span_block INDEXED BY {}", spanHeadIndex);
    return SQLite::Statement(
        connection,
        fmt::format(
            "SELECT {0} {1} WHERE run_id = ?1 AND lane = ?2 AND start_cycles < ?4 AND start_cycles >= "
            "coalesce((SELECT max(start_cycles) {1} WHERE run_id = ?1 AND lane = ?2 AND "
            "start_cycles <= ?3), ?3) ORDER BY start_cycles, block",
            headColumns, from));
}

[[noreturn]] void throwWithoutShape(const std::string& place) {
    throw SQLite::Exception(fmt::format("{}: a row of span_shape is missing", place), SQLITE_CORRUPT);
}

std::vector<ReadShape> readShapes(SQLite::Database& connection, RunId run) {
    SQLite::Statement statement(connection,
                                "SELECT shape, kind, stage, bytes, cause, blame_stage, part, offset_cycles, "
                                "has_micro_batch, has_slot FROM span_shape WHERE run_id = ? ORDER BY shape");
    statement.bind(1, sqlId(run));
    std::vector<ReadShape> shapes;
    while (statement.executeStep()) {
        std::int64_t number = 0;
        ReadShape shape;
        std::optional<IdleCause> cause;
        RowReader(statement).read(number, shape.record.kind, shape.record.stage, shape.record.bytes, cause,
                                  shape.record.blame, shape.record.part, shape.record.offset,
                                  shape.hasMicroBatch, shape.hasSlot);
        if (number != static_cast<std::int64_t>(shapes.size()))
            throwWithoutShape(fmt::format("run {}", run.value()));
        shape.record.cause = cause.value_or(SpanRecord().cause);
        shapes.push_back(shape);
    }
    return shapes;
}

std::vector<LaneId> readComputeLanes(SQLite::Database& connection, RunId run) {
    SQLite::Statement statement(connection,
                                "SELECT lane FROM lane WHERE run_id = ? AND kind = ? ORDER BY lane");
    statement.bind(1, sqlId(run));
    statement.bind(2, codeOf(LaneKind::Compute));
    std::vector<LaneId> lanes;
    while (statement.executeStep())
        RowReader(statement).read(lanes.emplace_back());
    return lanes;
}

} // namespace

SpanReader::SpanReader(const ProfileDatabase& database, RunId run)
    : m_database(&database)
    , m_run(run)
    , m_computeLanes(readComputeLanes(database.connection(), run))
    , m_shapes(readShapes(database.connection(), run))
    , m_indexedHeads(selectIndexedHeads(database.connection()))
    , m_heads(database.connection(), fmt::format("SELECT {} FROM span_block WHERE {}", headColumns, inRange))
    , m_blocks(database.connection(), selectFrom(spanBlockTable, inRange))
    , m_one(database.connection(),
            selectFrom(spanBlockTable, "run_id = ?1 AND lane = ?2 AND start_cycles = ?3 AND block = ?4"))
    , m_next(database.connection(),
             selectFrom(spanBlockTable, "run_id = ?1 AND lane = ?2 AND start_cycles > ?3 "
                                        "ORDER BY start_cycles, block LIMIT 1")) {}

SpanRecord SpanReader::record(const SpanBlock& block, const PackedSpan& span, std::int64_t turn) const {
    const ReadShape& shape = shapeOf(span);
    SpanRecord record = shape.record;
    record.lane = LaneId(static_cast<std::size_t>(block.lane));
    record.start = Cycles(span.start + turn * block.strideCycles);
    record.duration = Cycles(span.duration);
    if (shape.hasMicroBatch)
        record.microBatch = span.microBatch + turn * block.microBatchStride;
    if (shape.hasSlot)
        record.slot = span.slot + turn * block.slotStride;
    return record;
}

void SpanReader::bindRange(SQLite::Statement& statement, LaneId lane, Cycles from, Cycles to) {
    statement.reset();
    statement.bind(1, sqlId(m_run));
    statement.bind(2, sqlId(lane));
    statement.bind(3, from.value());
    statement.bind(4, to.value());
}

void SpanReader::bindBlock(const SpanBlock& head) {
    m_one.reset();
    m_one.bind(1, sqlId(m_run));
    m_one.bind(2, head.lane);
    m_one.bind(3, head.start);
    m_one.bind(4, head.number);
}

void SpanReader::readBlock(SQLite::Statement& statement) {
    readRecord(statement, spanBlockTable, m_block);
    unpackSpans(m_block, m_spans);
    std::uint32_t last = 0;
    double cycles = 0;
    for (const PackedSpan& span : m_spans) {
        last = std::max(last, span.shape);
        cycles += static_cast<double>(span.duration);
    }
    if (last >= m_shapes.size())
        throwWithoutShape(fmt::format("span_block of lane {} at cycle {}", m_block.lane, m_block.start));
    countCycles(cycles * static_cast<double>(m_block.turns));
    // A picture looks at a block twice.
    m_spansRead += m_block.spans * m_block.turns;
    if (m_spansRead > 2 * mostSpansOfRun)
        throw SQLite::Exception(fmt::format("run {} has more than {} spans", m_run.value(), mostSpansOfRun),
                                SQLITE_TOOBIG);
}

void SpanReader::countCycles(double cycles) {
    constexpr double most = 4e18;
    m_cyclesRead += cycles;
    if (m_cyclesRead > most)
        throw SQLite::Exception(fmt::format("the spans of run {} last too long", m_run.value()),
                                SQLITE_CORRUPT);
}

std::optional<std::vector<SpanBlock>> SpanReader::headsOfIndex(LaneId lane, Cycles from, Cycles to) {
    if (!m_indexedHeads)
        return std::nullopt;
    std::vector<SpanBlock> heads;
    try {
        bindRange(*m_indexedHeads, lane, from, to);
        while (m_indexedHeads->executeStep()) {
            readHead(*m_indexedHeads);
            heads.push_back(m_head);
        }
        m_indexedHeads->reset();
    } catch (const SQLite::Exception& error) {
        // What it holds is in the table, too.
        if (!isDamage(error))
            throw;
        m_indexedHeads.reset();
        return std::nullopt;
    }
    return heads;
}

std::vector<SpanBlock> SpanReader::headsBehindDamage(LaneId lane, Cycles from, Cycles to) {
    std::vector<SpanBlock> heads;
    SQLite::Statement backwards(m_database->connection(),
                                fmt::format("SELECT {} FROM span_block WHERE {} ORDER BY start_cycles DESC, "
                                            "block DESC",
                                            headColumns, ofRange));
    bindRange(backwards, lane, from, to);
    static_cast<void>(keeping([&] {
        while (backwards.executeStep())
            if (keeping([&] { readHead(backwards); }))
                heads.push_back(m_head);
    }));
    std::ranges::reverse(heads);
    return heads;
}

std::vector<SpanSum> SpanReader::sumsOf(const SpanBlock& head) {
    std::vector<SpanSum> sums = unpackSums(head);
    for (const SpanSum& sum : sums)
        countCycles(static_cast<double>(sum.cycles));
    return sums;
}

void SpanReader::readHead(SQLite::Statement& statement) {
    RowReader(statement).read(m_head.lane, m_head.start, m_head.number, m_head.end, m_head.spans,
                              m_head.turns, m_head.strideCycles, m_head.microBatchStride, m_head.slotStride,
                              m_head.microBatch, m_head.slot, m_head.sums);
    checkBlockHead(m_head);
}

std::optional<SpanRecord> SpanReader::lastUpTo(LaneId lane, Cycles time) {
    std::optional<SpanRecord> last;
    // Spans that start together may be in several blocks.
    forEachBlock(lane, time, time + Cycles(1),
                 [&](const SpanBlock& block, const std::vector<PackedSpan>& spans) {
                     if (block.start > time.value())
                         return;
                     const std::int64_t turn =
                         block.turns == 1
                             ? 0
                             : std::min((time.value() - block.start) / block.strideCycles, block.turns - 1);
                     const std::int64_t inTurn = time.value() - turn * block.strideCycles;
                     const auto behind = std::ranges::upper_bound(spans, inTurn, {}, &PackedSpan::start);
                     last = record(block, *std::prev(behind), turn);
                 });
    return last;
}

std::optional<SpanRecord> SpanReader::firstBehind(LaneId lane, Cycles time) {
    std::optional<SpanRecord> first;
    forEachBlock(lane, time, time + Cycles(1),
                 [&](const SpanBlock& block, const std::vector<PackedSpan>& spans) {
                     if (first || block.start > time.value())
                         return;
                     std::int64_t turn =
                         block.turns == 1
                             ? 0
                             : std::min((time.value() - block.start) / block.strideCycles, block.turns - 1);
                     const std::int64_t inTurn = time.value() - turn * block.strideCycles;
                     const auto behind = std::ranges::upper_bound(spans, inTurn, {}, &PackedSpan::start);
                     if (behind != spans.end())
                         first = record(block, *behind, turn);
                     else if (turn + 1 < block.turns)
                         first = record(block, spans.front(), turn + 1);
                 });
    if (first)
        return first;
    m_next.reset();
    m_next.bind(1, sqlId(m_run));
    m_next.bind(2, sqlId(lane));
    m_next.bind(3, time.value());
    if (m_next.executeStep()) {
        readBlock(m_next);
        first = record(m_block, m_spans.front(), 0);
    }
    m_next.reset();
    return first;
}

TurnRange turnsWith(const SpanBlock& block, const PackedSpan& span,
                    const std::optional<std::int64_t>& microBatch, const std::optional<std::int64_t>& slot) {
    TurnRange turns{0, block.turns};
    const auto narrow = [&](const std::optional<std::int64_t>& wanted, std::int64_t value,
                            std::int64_t stride) {
        if (!wanted)
            return;
        if (stride == 0) {
            turns.last = *wanted == value ? turns.last : 0;
            return;
        }
        const std::int64_t turn = (*wanted - value) / stride;
        const bool isOne = value + turn * stride == *wanted;
        turns = {std::max(turns.first, turn), isOne ? std::min(turns.last, turn + 1) : 0};
    };
    narrow(microBatch, span.microBatch, block.microBatchStride);
    narrow(slot, span.slot, block.slotStride);
    return turns;
}

TurnRange turnsInside(const SpanBlock& block, const PackedSpan& span, Cycles from, Cycles to) {
    const auto isInside = [&](std::int64_t turn) {
        const std::int64_t start = span.start + turn * block.strideCycles;
        return start < to.value() && (start + span.duration > from.value() || start >= from.value());
    };
    if (block.turns == 1)
        return {0, isInside(0) ? 1 : 0};
    const std::int64_t stride = block.strideCycles;
    const auto turnAt = [&](std::int64_t time) { // the first that starts at `time` or behind it
        return time <= span.start ? 0 : std::min(block.turns, ceilDivide(time - span.start, stride));
    };
    TurnRange range{0, turnAt(to.value())};
    if (from.value() > span.start) {
        range.first = turnAt(from.value());
        while (range.first > 0 && isInside(range.first - 1))
            --range.first;
    }
    return range;
}

} // namespace core
