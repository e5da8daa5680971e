#pragma once

#include "core/profile/records/time_records.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/profile_database.h"
#include "core/profile/schema/row_reader.h"
#include "core/profile/schema/span_blocks.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <optional>
#include <utility>
#include <vector>

// Private to the folder.

namespace core {

/// Before and behind everything; differences do not overflow.
inline constexpr Cycles firstCycle = Cycles(-(std::int64_t{1} << 60U));
inline constexpr Cycles lastCycle = Cycles(std::int64_t{1} << 60U);

/// Spans of a run that are read one by one, at most. A file may say that a few of its bytes come again
/// thousands of times.
inline constexpr std::int64_t mostSpansOfRun = std::int64_t{1} << 25U;

/// What a shape of spans gives each of them.
struct ReadShape {
    SpanRecord record;
    bool hasMicroBatch = false;
    bool hasSlot = false;
};

/// Reads the spans of a run by blocks, so that whoever asks can take what repeats itself at once. Throws
/// SQLite::Exception, also where a file says that there are so many spans, or that they last so long, that
/// no program can have made it.
class SpanReader {
public:
    SpanReader(const ProfileDatabase& database, RunId run);

    [[nodiscard]] const std::vector<LaneId>& computeLanes() const { return m_computeLanes; }
    [[nodiscard]] const std::vector<ReadShape>& shapes() const { return m_shapes; }
    [[nodiscard]] const ReadShape& shapeOf(const PackedSpan& span) const { return m_shapes[span.shape]; }
    /// A span of a block as it is in a turn.
    [[nodiscard]] SpanRecord record(const SpanBlock& block, const PackedSpan& span, std::int64_t turn) const;

    /// Calls `visit(block)` with the blocks of a lane that may have spans in [from, to), in time, with their
    /// sums and without their spans.
    template <class Visit>
    void forEachHead(LaneId lane, Cycles from, Cycles to, Visit visit) {
        if (const auto heads = headsOfIndex(lane, from, to)) {
            for (const SpanBlock& head : *heads)
                visit(head);
            return;
        }
        bindRange(m_heads, lane, from, to);
        if (keeping([&] {
                while (m_heads.executeStep()) {
                    readHead(m_heads);
                    visit(std::as_const(m_head));
                }
            }))
            return m_heads.reset();
        for (const SpanBlock& head : headsBehindDamage(lane, from, to))
            visit(head);
    }
    /// Calls `visit(block, spans)` with each of them; `spans` are those of the first turn.
    template <class Visit>
    void forEachBlock(LaneId lane, Cycles from, Cycles to, Visit visit) {
        bindRange(m_blocks, lane, from, to);
        const bool isWhole = keeping([&] {
            while (m_blocks.executeStep()) {
                // One that makes no sense says nothing against those behind it.
                if (keeping([&] { readBlock(m_blocks); }))
                    visit(std::as_const(m_block), std::as_const(m_spans));
            }
        });
        if (isWhole)
            return m_blocks.reset();
        for (const SpanBlock& head : headsBehindDamage(lane, from, to))
            if (!keeping([&] { withSpans(head, visit); }))
                m_one.reset();
    }
    template <class Visit>
    void forEachBlock(LaneId lane, Visit visit) {
        forEachBlock(lane, firstCycle, lastCycle, visit);
    }
    /// The sums of a block that `forEachHead` shows.
    [[nodiscard]] std::vector<SpanSum> sumsOf(const SpanBlock& head);
    /// A block of which the head is known, with its spans: `visit(block, spans)`.
    template <class Visit>
    void withSpans(const SpanBlock& head, Visit visit) {
        bindBlock(head);
        if (!m_one.executeStep())
            return;
        readBlock(m_one);
        m_one.reset();
        visit(std::as_const(m_block), std::as_const(m_spans));
    }

    /// The last span of the lane that starts at or before `time`.
    [[nodiscard]] std::optional<SpanRecord> lastUpTo(LaneId lane, Cycles time);
    /// The first that starts behind it.
    [[nodiscard]] std::optional<SpanRecord> firstBehind(LaneId lane, Cycles time);

private:
    void bindRange(SQLite::Statement& statement, LaneId lane, Cycles from, Cycles to);
    void bindBlock(const SpanBlock& head);
    void readBlock(SQLite::Statement& statement);
    void readHead(SQLite::Statement& statement);
    void countCycles(double cycles);
    /// Does `work`; false where it meets damage and what is left is kept.
    template <class Work>
    bool keeping(Work&& work) {
        return keepingWhatIsLeft(*m_database, tableWords("span_block"), std::forward<Work>(work));
    }
    /// From the index that has nothing but heads; nothing where the file has none that can be read, as of a
    /// file that was damaged or may not be written.
    [[nodiscard]] std::optional<std::vector<SpanBlock>> headsOfIndex(LaneId lane, Cycles from, Cycles to);
    /// The heads that can be read from behind, up to the damaged page, in time.
    [[nodiscard]] std::vector<SpanBlock> headsBehindDamage(LaneId lane, Cycles from, Cycles to);

    const ProfileDatabase* m_database;
    RunId m_run;
    std::vector<LaneId> m_computeLanes;
    std::vector<ReadShape> m_shapes;
    std::optional<SQLite::Statement> m_indexedHeads;
    SQLite::Statement m_heads;
    SQLite::Statement m_blocks;
    SQLite::Statement m_one;
    SQLite::Statement m_next;
    SpanBlock m_head;
    SpanBlock m_block;
    std::vector<PackedSpan> m_spans;
    /// All that was read; no answer sums more.
    std::int64_t m_spansRead = 0;
    double m_cyclesRead = 0;
};

/// The turns [first, last) of a block; none where `last` is not behind `first`.
struct TurnRange {
    std::int64_t first = 0;
    std::int64_t last = 0;
};
/// Those in which a span has this micro-batch and this slot; what is not given holds of all.
[[nodiscard]] TurnRange turnsWith(const SpanBlock& block, const PackedSpan& span,
                                  const std::optional<std::int64_t>& microBatch,
                                  const std::optional<std::int64_t>& slot);
/// Those that have a part in [from, to), or start in it.
[[nodiscard]] TurnRange turnsInside(const SpanBlock& block, const PackedSpan& span, Cycles from, Cycles to);

} // namespace core
