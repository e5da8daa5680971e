#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

// Private to the folder: how the spans of a run are stored. A pipeline does the same in every slot of its
// main phase, so what a lane does is kept as blocks: some spans in time order, and how often they come again.
// All values are those of the database (codes of enumerations, -1 or 0 for NULL as `SpanShape` says).

namespace core {

/// What spans have in common; a run has few of them.
struct SpanShape {
    std::int64_t kind = 0;
    /// -1: none, as for `cause` and `blame`.
    std::int64_t stage = -1;
    /// 0: none.
    std::int64_t bytes = 0;
    std::int64_t cause = -1;
    std::int64_t blame = -1;
    std::int64_t part = 0;
    std::int64_t offset = 0;
    bool hasMicroBatch = false;
    bool hasSlot = false;

    bool operator==(const SpanShape&) const = default;
};

/// The number of each shape of a run, in the order in which they came.
class SpanShapes {
public:
    [[nodiscard]] std::uint32_t numberOf(const SpanShape& shape);
    [[nodiscard]] const std::vector<SpanShape>& all() const { return m_shapes; }

private:
    struct Hash {
        std::size_t operator()(const SpanShape& shape) const;
    };
    std::vector<SpanShape> m_shapes;
    std::unordered_map<SpanShape, std::uint32_t, Hash> m_numbers;
    /// What was asked last, by hash: most spans repeat one of few shapes.
    struct Recent {
        SpanShape shape;
        std::uint32_t number = 0;
        bool isSet = false;
    };
    std::vector<Recent> m_recent = std::vector<Recent>(256);
};

/// One span of a block. Micro-batch and slot are 0 where the shape has none.
struct PackedSpan {
    std::int64_t start = 0;
    std::int64_t duration = 0;
    std::int64_t microBatch = 0;
    std::int64_t slot = 0;
    std::uint32_t shape = 0;

    [[nodiscard]] std::int64_t end() const { return start + duration; }
    bool operator==(const PackedSpan&) const = default;
};

/// Cycles and number of the spans of one kind (idle: of one cause) in a block, all its turns together.
struct SpanSum {
    std::int64_t kind = 0;
    /// -1: none.
    std::int64_t cause = -1;
    std::int64_t spans = 0;
    std::int64_t cycles = 0;

    bool operator==(const SpanSum&) const = default;
};

/// What comes back in turn t is `t` times these later.
struct TurnStrides {
    std::int64_t start = 0;
    std::int64_t microBatch = 0;
    std::int64_t slot = 0;

    bool operator==(const TurnStrides&) const = default;
};

/// Spans of one lane that follow each other, `turns` times: a row of `span_block`.
struct SpanBlock {
    std::int64_t lane = 0;
    /// Of the first span.
    std::int64_t start = 0;
    /// Blocks of a lane are numbered in the order of time.
    std::int64_t number = 0;
    /// Of the span that ends last.
    std::int64_t end = 0;
    std::int64_t spans = 0;
    std::int64_t turns = 1;
    std::int64_t strideCycles = 0;
    std::int64_t microBatchStride = 0;
    std::int64_t slotStride = 0;
    /// What `starts`, `microBatches` and `slotNumbers` are counted from; the start is that of the block.
    std::int64_t microBatch = 0;
    std::int64_t slot = 0;
    /// Of each kind and cause: kind, cause + 1 (0: none), spans and cycles in 3, 3, 8 and 18 digits.
    std::string sums;
    // Decimal numbers of one width without a separator, one for each span; nothing where all are 0.
    std::vector<std::uint8_t> starts;
    std::vector<std::uint8_t> durations;
    std::vector<std::uint8_t> microBatches;
    std::vector<std::uint8_t> slotNumbers;
    std::vector<std::uint8_t> shapes;
};

/// Spans of a block, and turns of it, at most: as many rows as the table `number` has.
inline constexpr std::int64_t mostInBlock = 4096;
/// Of spans that do not come again. Fewer make more rows, more are slower to look up.
inline constexpr std::size_t mostSingleSpans = 256;

/// Makes blocks of the spans of one lane, which come in the order of their start. What repeats itself costs
/// no memory; of what does not, some thousand spans are held.
class SpanPacker {
public:
    using Receive = std::function<void(const SpanBlock&)>;
    /// `shapes` grows before spans of a shape come; both outlive the packer.
    SpanPacker(std::int64_t lane, const SpanShapes& shapes, const Receive& receive);

    void add(const PackedSpan& span) {
        if (!m_isRepeating || !continuesTurn(span))
            keep(span);
    }
    /// The start of the last span that was added.
    [[nodiscard]] std::int64_t lastStart() const { return m_lastStart; }
    void finish();

private:
    [[nodiscard]] bool continuesTurn(const PackedSpan& span);
    [[nodiscard]] PackedSpan inTurn(PackedSpan span, std::int64_t turns) const;
    void keep(const PackedSpan& span);
    void endTurns();
    void emitFullBlock();
    void emitSingle(std::size_t from, std::size_t to);
    void packHeld(bool isLast);
    struct Repetition {
        std::size_t period = 0;
        std::size_t matched = 0;
        TurnStrides strides;
    };
    [[nodiscard]] Repetition bestRepetition(std::size_t from);
    [[nodiscard]] std::size_t matchedFrom(std::size_t from, std::size_t period, TurnStrides& strides);
    void findNextAlike();
    void emitBlock(const PackedSpan* spans, std::size_t count, std::int64_t turns,
                   const TurnStrides& strides);

    std::int64_t m_lane;
    const SpanShapes& m_shapes;
    const Receive& m_receive;
    std::int64_t m_lastStart = INT64_MIN;
    std::int64_t m_blocks = 0;
    /// Spans for which no place was found yet.
    std::vector<PackedSpan> m_held;
    /// By held span: the next that begins the same; 0: none.
    std::vector<std::uint32_t> m_nextAlike;
    std::vector<std::uint64_t> m_sums;
    struct AlikePlace {
        std::uint64_t sum = 0;
        std::uint32_t index = 0;
    };
    std::vector<AlikePlace> m_lastAlike;
    std::int64_t m_comparisons = 0;
    /// What goes on repeating itself: its spans, whole turns of it, and how many spans of the next turn came.
    bool m_isRepeating = false;
    std::vector<PackedSpan> m_pattern;
    TurnStrides m_strides;
    std::int64_t m_turns = 0;
    std::size_t m_inTurn = 0;
    SpanBlock m_block;
};

/// The spans of the first turn. Throws SQLite::Exception where the block makes no sense.
void unpackSpans(const SpanBlock& block, std::vector<PackedSpan>& spans);
/// The same for `sums`.
[[nodiscard]] std::vector<SpanSum> unpackSums(const SpanBlock& block);
/// Throws where the head of a block (all but its spans) makes no sense.
void checkBlockHead(const SpanBlock& block);

} // namespace core
