#include "core/profile/records/span_bins.h"

#include <algorithm>

namespace core {

SpanBinner::SpanBinner(Cycles from, Cycles to, std::int64_t count)
    : m_from(from)
    , m_to(to)
    , m_count(count) {}

Cycles SpanBinner::edge(std::int64_t index) const {
    // floor(width · index / count) in parts that cannot overflow.
    const std::int64_t width = (m_to - m_from).value();
    return m_from + Cycles(width / m_count * index + width % m_count * index / m_count);
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

SpanBin& SpanBinner::at(std::int64_t index, SpanKind kind, IdleCause cause) {
    if (m_last == nullptr || m_last->index != index || m_last->kind != kind || m_last->cause != cause)
        m_last = &m_bins.try_emplace(Key{index, kind, cause}, SpanBin{index, kind, cause, Cycles(), 0})
                      .first->second;
    return *m_last;
}

void SpanBinner::add(SpanKind kind, IdleCause cause, Cycles start, Cycles duration, std::int64_t spans) {
    const IdleCause key = kind == SpanKind::Idle ? cause : IdleCause::WarmUp;
    const Cycles first = std::max(start, m_from);
    const Cycles last = std::min(start + duration, m_to);
    if (start >= m_to || last < first || (last == first && duration.value() > 0))
        return;
    std::int64_t index = binOf(first);
    at(index, kind, key).spans += spans;
    for (Cycles position = first; position < last; ++index) {
        const Cycles end = std::min(last, edge(index + 1));
        at(index, kind, key).cycles += end - position;
        position = end;
    }
}

std::vector<SpanBin> SpanBinner::bins() const {
    std::vector<SpanBin> bins;
    bins.reserve(m_bins.size());
    for (const auto& [key, bin] : m_bins)
        bins.push_back(bin);
    return bins;
}

std::vector<StoredSpanBin> storedSpanBins(std::span<const SpanRecord> spans, Cycles step) {
    std::map<LaneId, std::size_t> counts;
    for (const SpanRecord& span : spans)
        ++counts[span.lane];
    std::map<LaneId, SpanBinner> binners;
    for (const auto& [lane, count] : counts) {
        if (count >= storedBinsFromSpans && step.value() > 0)
            binners.emplace(lane, SpanBinner(Cycles(), step, storedBinCount));
    }
    if (binners.empty())
        return {};
    for (const SpanRecord& span : spans) {
        const auto binner = binners.find(span.lane);
        if (binner != binners.end())
            binner->second.add(span.kind, span.cause, span.start, span.duration);
    }
    std::vector<StoredSpanBin> stored;
    for (const auto& [lane, binner] : binners) {
        for (const SpanBin& bin : binner.bins())
            stored.push_back({lane, bin});
    }
    return stored;
}

} // namespace core
