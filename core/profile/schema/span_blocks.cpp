#include "core/profile/schema/span_blocks.h"

#include <SQLiteCpp/Exception.h>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <sqlite3.h>
#include <string_view>

namespace core {

namespace {

/// Spans that are looked at together; a repetition must begin within them.
constexpr std::size_t heldSpans = 12288;
/// A repetition pays from here on.
constexpr std::size_t leastRepeated = 16;
/// So many, and where the next one begins, are compared to find one.
constexpr std::size_t alikeSpans = leastRepeated - 1;
constexpr int mostCandidates = 16;
/// Comparisons per held span: beyond, spans are taken as they are.
constexpr std::int64_t comparisonsPerSpan = 64;
/// Longer than any run; sums of such numbers do not overflow.
constexpr std::int64_t mostCycles = std::int64_t{1} << 53;

std::size_t mixed(std::size_t seed, std::int64_t value) {
    return (seed ^ static_cast<std::size_t>(value)) * 0x9E3779B97F4A7C15ULL;
}

[[noreturn]] void throwDamaged(const SpanBlock& block, std::string_view part) {
    throw SQLite::Exception(
        fmt::format("span_block of lane {} at cycle {}: {} make no sense", block.lane, block.start, part),
        SQLITE_CORRUPT);
}

int digitsOf(std::int64_t value) {
    int digits = 1;
    for (std::int64_t bound = 10; value >= bound && digits < 18; bound *= 10)
        ++digits;
    return digits;
}

constexpr std::array<char, 200> digitPairs = [] {
    std::array<char, 200> pairs{};
    for (std::size_t i = 0; i < 100; ++i) {
        pairs[2 * i] = static_cast<char>('0' + i / 10);
        pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
    return pairs;
}();

/// Numbers of one width, one behind the other; none of them is negative.
template <class ValueOf>
void packNumbers(const PackedSpan* spans, std::size_t count, std::int64_t most, ValueOf valueOf,
                 std::vector<std::uint8_t>& packed) {
    packed.clear();
    if (most == 0)
        return;
    const auto width = static_cast<std::size_t>(digitsOf(most));
    packed.resize(width * count);
    std::uint8_t* end = packed.data();
    for (std::size_t i = 0; i < count; ++i) {
        end += width;
        auto value = static_cast<std::uint64_t>(valueOf(spans[i]));
        std::uint8_t* at = end;
        std::size_t left = width;
        for (; left >= 2; left -= 2) {
            const std::size_t pair = 2 * (value % 100);
            value /= 100;
            *--at = static_cast<std::uint8_t>(digitPairs[pair + 1]);
            *--at = static_cast<std::uint8_t>(digitPairs[pair]);
        }
        if (left == 1)
            *--at = static_cast<std::uint8_t>('0' + value % 10);
    }
}

/// Whether they are numbers.
template <class Take>
bool unpackNumbers(const std::vector<std::uint8_t>& packed, std::size_t count, Take take) {
    if (packed.empty()) {
        for (std::size_t i = 0; i < count; ++i)
            take(i, 0);
        return true;
    }
    const std::size_t width = packed.size() / count;
    if (width * count != packed.size() || width > 18)
        return false;
    const std::uint8_t* at = packed.data();
    unsigned wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::int64_t value = 0;
        for (std::size_t digit = 0; digit < width; ++digit) {
            const unsigned figure = static_cast<unsigned>(*at++) - '0';
            wrong |= static_cast<unsigned>(figure > 9);
            value = value * 10 + static_cast<std::int64_t>(figure & 15U);
        }
        take(i, value);
    }
    return wrong == 0;
}

} // namespace

std::size_t SpanShapes::Hash::operator()(const SpanShape& shape) const {
    std::size_t hash = mixed(static_cast<std::size_t>(shape.kind), shape.stage);
    hash = mixed(hash, shape.bytes);
    hash = mixed(hash, shape.cause * 64 + shape.blame);
    hash = mixed(hash, shape.part);
    hash = mixed(hash, shape.offset * 4 + (shape.hasMicroBatch ? 2 : 0) + (shape.hasSlot ? 1 : 0));
    return hash ^ (hash >> 32U);
}

std::uint32_t SpanShapes::numberOf(const SpanShape& shape) {
    // Whatever differs in what is near each other in a run: kind, stage and cause.
    const auto nearby = static_cast<std::size_t>(shape.kind + 8 * shape.stage + 3 * shape.cause + shape.part +
                                                 shape.offset + shape.bytes);
    Recent& recent = m_recent[nearby % m_recent.size()];
    if (recent.isSet && recent.shape == shape)
        return recent.number;
    const auto [place, isNew] = m_numbers.try_emplace(shape, static_cast<std::uint32_t>(m_shapes.size()));
    if (isNew)
        m_shapes.push_back(shape);
    recent = {shape, place->second, true};
    return place->second;
}

SpanPacker::SpanPacker(std::int64_t lane, const SpanShapes& shapes, const Receive& receive)
    : m_lane(lane)
    , m_shapes(shapes)
    , m_receive(receive) {}

/// The span of the pattern as it comes `turns` turns later.
PackedSpan SpanPacker::inTurn(PackedSpan span, std::int64_t turns) const {
    const SpanShape& shape = m_shapes.all()[span.shape];
    span.start += turns * m_strides.start;
    span.microBatch += shape.hasMicroBatch ? turns * m_strides.microBatch : 0;
    span.slot += shape.hasSlot ? turns * m_strides.slot : 0;
    return span;
}

bool SpanPacker::continuesTurn(const PackedSpan& span) {
    if (span != inTurn(m_pattern[m_inTurn], m_turns)) {
        endTurns();
        return false;
    }
    m_lastStart = span.start;
    if (++m_inTurn < m_pattern.size())
        return true;
    m_inTurn = 0;
    if (++m_turns >= mostInBlock)
        emitFullBlock();
    return true;
}

/// The next one goes on from the turn behind it.
void SpanPacker::emitFullBlock() {
    emitBlock(m_pattern.data(), m_pattern.size(), mostInBlock, m_strides);
    for (PackedSpan& one : m_pattern)
        one = inTurn(one, mostInBlock);
    m_turns -= mostInBlock;
}

/// The repetition is over. What came of its last turn is held like any other span.
void SpanPacker::endTurns() {
    m_isRepeating = false;
    if (m_turns > 0)
        emitBlock(m_pattern.data(), m_pattern.size(), m_turns, m_strides);
    for (std::size_t i = 0; i < m_inTurn; ++i)
        m_held.push_back(inTurn(m_pattern[i], m_turns));
    m_inTurn = 0;
}

void SpanPacker::keep(const PackedSpan& span) {
    m_lastStart = span.start;
    m_held.push_back(span);
    if (m_held.size() >= heldSpans)
        packHeld(false);
}

void SpanPacker::finish() {
    if (m_isRepeating)
        endTurns();
    packHeld(true);
}

/// For each held span the next one that begins as many equal spans as make a repetition, by a sum over them.
void SpanPacker::findNextAlike() {
    constexpr std::size_t bits = 14;
    constexpr std::uint64_t base = 0x9E3779B97F4A7C15ULL;
    constexpr std::uint64_t basePower = [] {
        std::uint64_t power = 1;
        for (std::size_t i = 0; i < alikeSpans; ++i)
            power *= base;
        return power;
    }();
    const std::size_t count = m_held.size();
    m_nextAlike.assign(count, 0);
    if (count <= alikeSpans)
        return;
    // What does not change from one repetition to the next.
    m_sums.resize(count);
    for (std::size_t i = 0; i + 1 < count; ++i) {
        const PackedSpan& span = m_held[i];
        m_sums[i] = mixed(mixed(span.shape, span.duration), m_held[i + 1].start - span.start);
    }
    m_lastAlike.assign(std::size_t{1} << bits, AlikePlace());
    std::uint64_t sum = 0;
    for (std::size_t i = count - 1; i-- > 0;) {
        sum = sum * base + m_sums[i];
        if (i + alikeSpans >= count - 1)
            continue;
        sum -= basePower * m_sums[i + alikeSpans];
        AlikePlace& place = m_lastAlike[sum * base >> (64 - bits)];
        if (place.index != 0 && place.sum == sum)
            m_nextAlike[i] = place.index;
        place = {sum, static_cast<std::uint32_t>(i)};
    }
}

/// How many spans from `from + period` on repeat those before them.
std::size_t SpanPacker::matchedFrom(std::size_t from, std::size_t period, TurnStrides& strides) {
    const std::vector<SpanShape>& shapes = m_shapes.all();
    strides = {m_held[from + period].start - m_held[from].start, 0, 0};
    constexpr std::int64_t mostStride = mostCycles / mostInBlock;
    if (strides.start <= 0 || strides.start >= mostStride)
        return 0;
    bool knowsMicroBatch = false;
    bool knowsSlot = false;
    std::size_t at = from;
    for (; at + period < m_held.size(); ++at) {
        ++m_comparisons;
        const PackedSpan& a = m_held[at];
        const PackedSpan& b = m_held[at + period];
        if (a.shape != b.shape || a.duration != b.duration || b.start - a.start != strides.start)
            break;
        const SpanShape& shape = shapes[a.shape];
        if (shape.hasMicroBatch) {
            if (!knowsMicroBatch)
                strides.microBatch = b.microBatch - a.microBatch;
            else if (b.microBatch - a.microBatch != strides.microBatch)
                break;
            knowsMicroBatch = true;
        }
        if (shape.hasSlot) {
            if (!knowsSlot)
                strides.slot = b.slot - a.slot;
            else if (b.slot - a.slot != strides.slot)
                break;
            knowsSlot = true;
        }
    }
    return at - from;
}

/// That which leaves the fewest spans to be stored.
SpanPacker::Repetition SpanPacker::bestRepetition(std::size_t from) {
    Repetition best;
    std::size_t most = leastRepeated - 1;
    std::size_t next = m_nextAlike[from];
    const auto budget = comparisonsPerSpan * static_cast<std::int64_t>(m_held.size());
    for (int candidate = 0; candidate < mostCandidates && next != 0 && m_comparisons < budget;
         ++candidate, next = m_nextAlike[next]) {
        const std::size_t period = next - from;
        if (period > static_cast<std::size_t>(mostInBlock))
            break;
        TurnStrides strides;
        const std::size_t matched = matchedFrom(from, period, strides);
        const std::size_t repeated = matched / period * period;
        if (repeated <= most)
            continue;
        most = repeated;
        best = {period, matched, strides};
    }
    return best;
}

void SpanPacker::emitSingle(std::size_t from, std::size_t to) {
    for (std::size_t count = 0; from < to; from += count) {
        count = std::min(mostSingleSpans, to - from);
        emitBlock(m_held.data() + from, count, 1, {});
    }
}

/// Stores what is held, as repetitions where there are some. One that reaches the end goes on with what
/// follows; without one, the last spans stay to see whether they come again.
void SpanPacker::packHeld(bool isLast) {
    if (m_held.empty())
        return;
    findNextAlike();
    m_comparisons = 0;
    std::size_t stored = 0;
    std::size_t at = 0;
    // What begins so late that the longest turn does not fit is looked at again when more of it is there.
    const std::size_t end = isLast ? m_held.size() : m_held.size() - static_cast<std::size_t>(mostInBlock);
    while (at < end) {
        if (m_nextAlike[at] == 0) {
            ++at;
            continue;
        }
        const Repetition found = bestRepetition(at);
        if (found.period == 0) {
            ++at;
            continue;
        }
        emitSingle(stored, at);
        m_strides = found.strides;
        const std::size_t turns = 1 + found.matched / found.period;
        if (!isLast && at + found.period + found.matched == m_held.size()) {
            m_pattern.assign(m_held.begin() + static_cast<std::ptrdiff_t>(at),
                             m_held.begin() + static_cast<std::ptrdiff_t>(at + found.period));
            m_turns = static_cast<std::int64_t>(turns);
            // Of few spans, more turns are held than a block takes.
            while (m_turns >= mostInBlock)
                emitFullBlock();
            m_inTurn = found.matched % found.period;
            m_isRepeating = true;
            m_held.clear();
            return;
        }
        for (std::size_t left = turns; left > 0;) {
            const std::size_t some = std::min<std::size_t>(left, mostInBlock);
            emitBlock(m_held.data() + at, found.period, static_cast<std::int64_t>(some), m_strides);
            at += some * found.period;
            left -= some;
        }
        stored = at;
    }
    if (!isLast)
        at = stored + (at - stored) / mostSingleSpans * mostSingleSpans;
    emitSingle(stored, at);
    m_held.erase(m_held.begin(), m_held.begin() + static_cast<std::ptrdiff_t>(at));
}

void SpanPacker::emitBlock(const PackedSpan* spans, std::size_t count, std::int64_t turns,
                           const TurnStrides& strides) {
    const std::vector<SpanShape>& shapes = m_shapes.all();
    SpanBlock& block = m_block;
    block.lane = m_lane;
    block.start = spans[0].start;
    block.number = m_blocks++;
    block.spans = static_cast<std::int64_t>(count);
    block.turns = turns;
    block.strideCycles = turns > 1 ? strides.start : 0;
    block.microBatchStride = turns > 1 ? strides.microBatch : 0;
    block.slotStride = turns > 1 ? strides.slot : 0;
    block.microBatch = INT64_MAX;
    block.slot = INT64_MAX;
    std::int64_t end = INT64_MIN;
    std::int64_t longest = 0;
    std::int64_t lastMicroBatch = 0;
    std::int64_t lastSlot = 0;
    std::int64_t lastShape = 0;
    std::vector<SpanSum> sums;
    std::size_t sum = 0;
    std::uint32_t summed = UINT32_MAX;
    for (std::size_t i = 0; i < count; ++i) {
        const PackedSpan& span = spans[i];
        const SpanShape& shape = shapes[span.shape];
        end = std::max(end, span.end());
        longest = std::max(longest, span.duration);
        lastShape = std::max<std::int64_t>(lastShape, span.shape);
        if (shape.hasMicroBatch) {
            block.microBatch = std::min(block.microBatch, span.microBatch);
            lastMicroBatch = std::max(lastMicroBatch, span.microBatch);
        }
        if (shape.hasSlot) {
            block.slot = std::min(block.slot, span.slot);
            lastSlot = std::max(lastSlot, span.slot);
        }
        if (span.shape != summed) {
            summed = span.shape;
            for (sum = 0; sum < sums.size(); ++sum)
                if (sums[sum].kind == shape.kind && sums[sum].cause == shape.cause)
                    break;
            if (sum == sums.size())
                sums.push_back({shape.kind, shape.cause, 0, 0});
        }
        sums[sum].spans += turns;
        sums[sum].cycles += turns * span.duration;
    }
    if (block.microBatch == INT64_MAX)
        block.microBatch = 0;
    if (block.slot == INT64_MAX)
        block.slot = 0;
    block.end = end + (turns - 1) * block.strideCycles;
    block.sums.clear();
    for (const SpanSum& one : sums)
        fmt::format_to(std::back_inserter(block.sums), "{:03}{:03}{:08}{:018}", one.kind, one.cause + 1,
                       one.spans, one.cycles);
    packNumbers(
        spans, count, spans[count - 1].start - block.start,
        [&](const PackedSpan& span) { return span.start - block.start; }, block.starts);
    packNumbers(
        spans, count, longest, [](const PackedSpan& span) { return span.duration; }, block.durations);
    packNumbers(
        spans, count, std::max<std::int64_t>(0, lastMicroBatch - block.microBatch),
        [&](const PackedSpan& span) {
            return shapes[span.shape].hasMicroBatch ? span.microBatch - block.microBatch : 0;
        },
        block.microBatches);
    packNumbers(
        spans, count, std::max<std::int64_t>(0, lastSlot - block.slot),
        [&](const PackedSpan& span) { return shapes[span.shape].hasSlot ? span.slot - block.slot : 0; },
        block.slotNumbers);
    packNumbers(
        spans, count, lastShape, [](const PackedSpan& span) { return std::int64_t{span.shape}; },
        block.shapes);
    m_receive(block);
}

void checkBlockHead(const SpanBlock& block) {
    const auto isSmall = [](std::int64_t value) { return value > -mostCycles && value < mostCycles; };
    const std::int64_t mostStride = mostCycles / mostInBlock;
    const auto isStride = [&](std::int64_t value) { return value > -mostStride && value < mostStride; };
    if (block.spans < 1 || block.spans > mostInBlock || block.turns < 1 || block.turns > mostInBlock ||
        !isSmall(block.start) || !isSmall(block.end) || !isSmall(block.microBatch) || !isSmall(block.slot) ||
        block.strideCycles < 0 || !isStride(block.strideCycles) || !isStride(block.microBatchStride) ||
        !isStride(block.slotStride) || (block.turns > 1 && block.strideCycles == 0))
        throwDamaged(block, "its numbers");
}

void unpackSpans(const SpanBlock& block, std::vector<PackedSpan>& spans) {
    checkBlockHead(block);
    const auto count = static_cast<std::size_t>(block.spans);
    spans.resize(count);
    const auto unpack = [&](const std::vector<std::uint8_t>& packed, std::string_view column, auto take) {
        std::int64_t most = 0;
        const bool areNumbers = unpackNumbers(packed, count, [&](std::size_t i, std::int64_t value) {
            most = std::max(most, value);
            take(spans[i], value);
        });
        if (!areNumbers || most > mostCycles)
            throwDamaged(block, column);
    };
    unpack(block.starts, "starts",
           [&](PackedSpan& span, std::int64_t value) { span.start = block.start + value; });
    const std::int64_t lastStart = block.turns > 1 ? block.start + block.strideCycles : INT64_MAX;
    for (std::size_t i = 1; i < count; ++i)
        if (spans[i].start < spans[i - 1].start || spans[i].start > lastStart)
            throwDamaged(block, "starts");
    unpack(block.durations, "durations", [](PackedSpan& span, std::int64_t value) { span.duration = value; });
    unpack(block.microBatches, "micro_batches",
           [&](PackedSpan& span, std::int64_t value) { span.microBatch = block.microBatch + value; });
    unpack(block.slotNumbers, "slots",
           [&](PackedSpan& span, std::int64_t value) { span.slot = block.slot + value; });
    unpack(block.shapes, "shapes", [](PackedSpan& span, std::int64_t value) {
        span.shape = static_cast<std::uint32_t>(std::min<std::int64_t>(value, UINT32_MAX));
    });
}

std::vector<SpanSum> unpackSums(const SpanBlock& block) {
    const std::string& sums = block.sums;
    constexpr std::size_t width = 32;
    if (sums.size() % width != 0)
        throwDamaged(block, "sums");
    std::vector<SpanSum> unpacked(sums.size() / width);
    const char* at = sums.data();
    const auto read = [&](int digits) {
        std::int64_t value = 0;
        for (const char* const end = at + digits; at < end; ++at) {
            if (*at < '0' || *at > '9')
                throwDamaged(block, "sums");
            value = value * 10 + (*at - '0');
        }
        return value;
    };
    for (SpanSum& sum : unpacked) {
        sum.kind = read(3);
        sum.cause = read(3) - 1;
        sum.spans = read(8);
        sum.cycles = read(18);
    }
    return unpacked;
}

} // namespace core
