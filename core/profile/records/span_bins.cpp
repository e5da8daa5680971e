#include "core/profile/records/span_bins.h"

#include <algorithm>

namespace core {

namespace {

constexpr std::size_t idleRow = static_cast<std::size_t>(SpanKind::Idle);

/// How many of the turns begin before `time`.
std::int64_t turnsBefore(std::int64_t time, std::int64_t start, std::int64_t stride, std::int64_t turns) {
    if (time <= start)
        return 0;
    return stride <= 0 ? turns : std::min(turns, ceilDivide(time - start, stride));
}

/// How many of them have ended at `time`.
std::int64_t turnsEnded(std::int64_t time, std::int64_t start, std::int64_t duration, std::int64_t stride,
                        std::int64_t turns) {
    const std::int64_t begun = turnsBefore(time, start, stride, turns);
    if (begun == 0 || time - start < duration)
        return 0;
    return stride <= 0 ? begun : std::min(begun, (time - start - duration) / stride + 1);
}

} // namespace

std::int64_t cyclesBefore(std::int64_t time, std::int64_t start, std::int64_t duration, std::int64_t stride,
                          std::int64_t turns) {
    const std::int64_t ended = turnsEnded(time, start, duration, stride, turns);
    // Those that are on at `time`, each shorter by a stride than the one before.
    const std::int64_t on = turnsBefore(time, start, stride, turns) - ended;
    const std::int64_t longest = on == 0 ? 0 : time - start - ended * stride;
    return ended * duration + on * longest - stride * (on * (on - 1) / 2);
}

SpanBinner::SpanBinner(Cycles from, Cycles to, std::int64_t count)
    : m_from(from)
    , m_to(to)
    , m_count(count) {
    m_edges.reserve(static_cast<std::size_t>(count) + 1);
    for (std::int64_t index = 0; index <= count; ++index)
        m_edges.push_back(edgeOf(from, to, count, index).value());
}

Cycles SpanBinner::edgeOf(Cycles from, Cycles to, std::int64_t count, std::int64_t index) {
    // In parts that cannot overflow.
    const std::int64_t width = (to - from).value();
    return from + Cycles(width / count * index + width % count * index / count);
}

std::int64_t SpanBinner::binOf(Cycles cycle) const {
    const double share = ratio(cycle - m_from, m_to - m_from);
    auto index = static_cast<std::int64_t>(share * static_cast<double>(m_count));
    index = std::clamp<std::int64_t>(index, 0, m_count - 1);
    // The guess is near; the edges decide.
    while (index + 1 < m_count && edge(index + 1) <= cycle)
        ++index;
    while (index > 0 && edge(index) > cycle)
        --index;
    return index;
}

SpanBinner::Row& SpanBinner::rowOf(SpanKind kind, IdleCause cause) {
    // In the order of kinds, with a row for each cause in the place of idleness.
    auto place = static_cast<std::size_t>(kind);
    if (place == idleRow)
        place += static_cast<std::size_t>(cause);
    else if (place > idleRow)
        place += idleCauseCount - 1;
    Row& row = m_rows[place];
    if (row.empty())
        row.resize(static_cast<std::size_t>(m_count));
    return row;
}

void SpanBinner::add(SpanKind kind, IdleCause cause, Cycles start, Cycles duration, std::int64_t spans) {
    const Cycles first = std::max(start, m_from);
    const Cycles last = std::min(start + duration, m_to);
    if (start >= m_to || last < first || (last == first && duration.value() > 0))
        return;
    Row& row = rowOf(kind, cause);
    auto index = static_cast<std::size_t>(binOf(first));
    row[index].spans += spans;
    for (std::int64_t position = first.value(); position < last.value(); ++index) {
        const std::int64_t end = std::min(last.value(), m_edges[index + 1]);
        row[index].cycles += end - position;
        position = end;
    }
}

void SpanBinner::addTurns(SpanKind kind, IdleCause cause, Cycles start, Cycles duration, Cycles stride,
                          std::int64_t turns) {
    const Cycles end = start + (turns - 1) * stride + duration;
    if (start >= m_to || end < m_from)
        return;
    const std::int64_t firstBin = binOf(std::max(start, m_from));
    const std::int64_t lastBin = binOf(std::min(end, m_to - Cycles(1)));
    // One by one where they are few; else what every bin has of them follows from its edges.
    if (turns == 1 || (turns < 2 * (lastBin - firstBin + 1) && duration <= stride)) {
        for (std::int64_t turn = 0; turn < turns; ++turn)
            add(kind, cause, start + turn * stride, duration);
        return;
    }
    Row& row = rowOf(kind, cause);
    const auto spansBefore = [&](std::int64_t time) {
        return turnsBefore(time, start.value(), stride.value(), turns);
    };
    const auto cyclesUpTo = [&](std::int64_t time) {
        return cyclesBefore(time, start.value(), duration.value(), stride.value(), turns);
    };
    const std::int64_t from = m_edges[static_cast<std::size_t>(firstBin)];
    // Those that reach in from the left count where they enter.
    std::int64_t spans = turnsEnded(from, start.value(), duration.value(), stride.value(), turns);
    std::int64_t cycles = cyclesUpTo(from);
    for (auto index = static_cast<std::size_t>(firstBin); index <= static_cast<std::size_t>(lastBin);
         ++index) {
        const std::int64_t edgeSpans = spansBefore(m_edges[index + 1]);
        const std::int64_t edgeCycles = cyclesUpTo(m_edges[index + 1]);
        row[index].spans += edgeSpans - spans;
        row[index].cycles += edgeCycles - cycles;
        spans = edgeSpans;
        cycles = edgeCycles;
    }
}

void SpanBinner::addSpread(SpanKind kind, IdleCause cause, Cycles start, Cycles end, Cycles cycles,
                           std::int64_t spans) {
    if (start < m_from || end > m_to || end <= start)
        return add(kind, cause, start, cycles, spans);
    Row& row = rowOf(kind, cause);
    const double length = static_cast<double>((end - start).value());
    std::int64_t cyclesBefore = 0;
    std::int64_t spansBefore = 0;
    for (auto index = static_cast<std::size_t>(binOf(start));
         cyclesBefore < cycles.value() || spansBefore < spans; ++index) {
        const bool isLast = m_edges[index + 1] >= end.value();
        const double share = isLast ? 1 : static_cast<double>(m_edges[index + 1] - start.value()) / length;
        const std::int64_t cyclesUpTo =
            isLast ? cycles.value() : static_cast<std::int64_t>(static_cast<double>(cycles.value()) * share);
        const std::int64_t spansUpTo =
            isLast ? spans : static_cast<std::int64_t>(static_cast<double>(spans) * share);
        row[index].cycles += cyclesUpTo - cyclesBefore;
        row[index].spans += spansUpTo - spansBefore;
        cyclesBefore = cyclesUpTo;
        spansBefore = spansUpTo;
        if (isLast)
            break;
    }
}

std::vector<SpanBin> SpanBinner::bins() const {
    std::vector<SpanBin> bins;
    for (std::size_t index = 0; index < static_cast<std::size_t>(m_count); ++index) {
        for (std::size_t place = 0; place < rowCount; ++place) {
            if (m_rows[place].empty())
                continue;
            const Sum& sum = m_rows[place][index];
            if (sum.cycles == 0 && sum.spans == 0)
                continue;
            SpanBin bin{static_cast<std::int64_t>(index), SpanKind::Idle, IdleCause::WarmUp,
                        Cycles(sum.cycles), sum.spans};
            if (place < idleRow)
                bin.kind = static_cast<SpanKind>(place);
            else if (place < idleRow + idleCauseCount)
                bin.cause = static_cast<IdleCause>(place - idleRow);
            else
                bin.kind = static_cast<SpanKind>(place + 1 - idleCauseCount);
            bins.push_back(bin);
        }
    }
    return bins;
}

} // namespace core
