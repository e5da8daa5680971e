#include "core/profile/analysis/path/slack.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace core {

namespace {

Cycles busyEnd(const SpanRecord& span) {
    return span.start + span.duration;
}

/// A piece of work, or of a program's streams, on an IPU.
struct Busy {
    /// Of the input.
    const SpanRecord* span = nullptr;
    IpuId ipu;
};

std::vector<Busy> busySpans(const CriticalPathInput& input) {
    std::map<LaneId, IpuId> compute;
    for (const LaneRecord& lane : input.lanes)
        if (lane.kind == LaneKind::Compute)
            compute[lane.id] = lane.ipu;
    std::vector<Busy> busy;
    for (const SpanRecord& span : input.spans) {
        const auto lane = compute.find(span.lane);
        if (lane != compute.end() && (programPhaseOf(span.kind) || span.stage.isValid()))
            busy.push_back({&span, lane->second});
    }
    return busy;
}

/// IPUs meet at the end of every slot, and after the update.
std::vector<Cycles> slacksToMeeting(const std::vector<Busy>& busy) {
    std::map<std::int64_t, Cycles> slotEnds;
    std::map<std::pair<std::int64_t, IpuId>, Cycles> ownEnds;
    for (const Busy& b : busy) {
        Cycles& end = slotEnds[b.span->slot];
        end = std::max(end, busyEnd(*b.span));
        Cycles& own = ownEnds[{b.span->slot, b.ipu}];
        own = std::max(own, busyEnd(*b.span));
    }
    std::vector<Cycles> slacks;
    for (const Busy& b : busy)
        slacks.push_back(slotEnds[b.span->slot] - ownEnds[{b.span->slot, b.ipu}]);
    return slacks;
}

/// Work starts when its IPU is free and its operands have arrived.
class DataflowSlack {
public:
    DataflowSlack(const CriticalPathInput& input, const std::vector<Busy>& busy)
        : m_busy(busy)
        , m_latest(busy.size()) {
        Cycles slotsEnd;
        for (std::size_t i = 0; i < busy.size(); ++i) {
            const SpanRecord& span = *busy[i].span;
            if (span.slot >= 0)
                slotsEnd = std::max(slotsEnd, busyEnd(span));
            if (span.microBatch >= 0)
                m_byWork[{span.kind, span.stage, span.microBatch}] = i;
        }
        for (const SpanRecord& span : input.spans)
            if (span.kind == SpanKind::InterIpuCopy && span.microBatch >= 0) {
                m_copies[{span.stage, span.microBatch}].push_back(span);
                if (span.slot >= 0)
                    slotsEnd = std::max(slotsEnd, busyEnd(span));
            }
        m_slotsEnd = slotsEnd;
    }

    std::vector<Cycles> slacks(Cycles step) {
        std::vector<std::size_t> order(m_busy.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
            return m_busy[a].span->start > m_busy[b].span->start;
        });
        std::map<LaneId, Cycles> nextStart;
        for (const std::size_t index : order) {
            const SpanRecord& span = *m_busy[index].span;
            Cycles latest = span.slot < 0 ? step : m_slotsEnd;
            if (const auto next = nextStart.find(span.lane); next != nextStart.end() && span.slot >= 0)
                latest = std::min(latest, next->second);
            for (const int direction : {-1, 1})
                latest = std::min(latest, latestFor(span, direction));
            m_latest[index] = std::max(latest, busyEnd(span));
            if (span.slot >= 0)
                nextStart[span.lane] = m_latest[index] - span.duration;
        }
        std::vector<Cycles> result;
        for (std::size_t i = 0; i < m_busy.size(); ++i)
            result.push_back(m_latest[i] - busyEnd(*m_busy[i].span));
        return result;
    }

private:
    /// Until when the neighbouring stage's work on the micro-batch lets this span end.
    [[nodiscard]] Cycles latestFor(const SpanRecord& span, int direction) const {
        constexpr Cycles never(std::numeric_limits<Cycles::Value>::max());
        const bool handsOn = span.microBatch >= 0 && (direction > 0 ? span.kind == SpanKind::Forward
                                                                    : span.kind == SpanKind::Backward);
        const std::int64_t stage = span.stage.isValid() ? span.stage.value() + direction : -1;
        if (!handsOn || stage < 0)
            return turnLatest(span);
        const auto found =
            m_byWork.find({span.kind, StageId(static_cast<std::size_t>(stage)), span.microBatch});
        if (found == m_byWork.end())
            return turnLatest(span);
        const SpanRecord& consumer = *m_busy[found->second].span;
        if (consumer.start < busyEnd(span))
            return never;
        Cycles lag;
        if (const auto copies = m_copies.find({span.stage, span.microBatch}); copies != m_copies.end())
            for (const SpanRecord& copy : copies->second)
                if (copy.start >= busyEnd(span) && busyEnd(copy) <= consumer.start)
                    lag = std::max(lag, busyEnd(copy) - busyEnd(span));
        return m_latest[found->second] - consumer.duration - lag;
    }
    /// The last stage goes back after it went forward.
    [[nodiscard]] Cycles turnLatest(const SpanRecord& span) const {
        constexpr Cycles never(std::numeric_limits<Cycles::Value>::max());
        if (span.kind != SpanKind::Forward || span.microBatch < 0)
            return never;
        const auto found = m_byWork.find({SpanKind::Backward, span.stage, span.microBatch});
        if (found == m_byWork.end() || m_busy[found->second].span->start < busyEnd(span))
            return never;
        return m_latest[found->second] - m_busy[found->second].span->duration;
    }

    const std::vector<Busy>& m_busy;
    std::vector<Cycles> m_latest;
    std::map<std::tuple<SpanKind, StageId, std::int64_t>, std::size_t> m_byWork;
    std::map<std::pair<StageId, std::int64_t>, std::vector<SpanRecord>> m_copies;
    Cycles m_slotsEnd;
};

} // namespace

std::vector<SpanSlack> slacksOf(const CriticalPathInput& input) {
    const std::vector<Busy> busy = busySpans(input);
    const std::vector<Cycles> slacks =
        input.isAsynchronous ? DataflowSlack(input, busy).slacks(input.step) : slacksToMeeting(busy);
    std::vector<SpanSlack> result;
    result.reserve(busy.size());
    for (std::size_t i = 0; i < busy.size(); ++i)
        result.push_back({*busy[i].span, busy[i].ipu, slacks[i]});
    return result;
}

} // namespace core
