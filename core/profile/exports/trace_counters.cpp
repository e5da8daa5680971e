#include "core/profile/exports/trace_counters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace core {

namespace {

/// Adds a point at `timeNs`, which is not before the last one; replaces what was said of that time.
void set(TraceCounter& counter, std::int64_t timeNs, std::int64_t value) {
    std::vector<TraceCounter::Point>& points = counter.points;
    if (!points.empty() && points.back().timeNs == timeNs)
        points.pop_back();
    if (points.empty() || points.back().value != value)
        points.push_back({timeNs, value});
}

/// Which counter a span's bytes are of.
struct Traffic {
    std::string_view name;
    bool (*holds)(SpanKind kind);
};
constexpr std::array traffics{
    Traffic{"IPU links",
            [](SpanKind kind) { return kind == SpanKind::InterIpuCopy || kind == SpanKind::AllReduce; }},
    Traffic{"remote memory", [](SpanKind kind) { return kind == SpanKind::RemoteMemory; }},
    Traffic{"host streams",
            [](SpanKind kind) { return kind == SpanKind::Infeed || kind == SpanKind::Outfeed; }},
};

using Spans = std::vector<const SpanRecord*>;

/// Adds the points of the program that runs in the span, and what is live behind it.
void addProgram(const SpanRecord& span, const TraceMemory& memory, Bytes behind, double clockHz,
                TraceCounter& counter) {
    const std::optional<ProgramPhase> phase = programPhaseOf(span.kind);
    const auto program = phase ? memory.programs.find({span.stage, *phase}) : memory.programs.end();
    if (program == memory.programs.end())
        return;
    const std::int64_t start = nanoseconds(span.start, clockHz);
    const std::int64_t end = nanoseconds(span.start + span.duration, clockHz);
    std::int64_t last = -1;
    Bytes most;
    for (const ProgramLiveness& point : program->second) {
        if (point.from < span.offset)
            continue;
        const std::int64_t at = std::min(start + nanoseconds(point.from - span.offset, clockHz), end);
        most = at == last ? std::max(most, point.live) : point.live;
        set(counter, at, most.value());
        last = at;
    }
    set(counter, end, behind.value());
}

/// Adds what is live while the spans of a compute lane run.
void addLane(const Spans& spans, const TraceMemory& memory, double clockHz, TraceCounter& counter) {
    // Until the last work on a micro-batch some are in flight.
    Cycles lastWork;
    for (const SpanRecord* span : spans)
        if (span->kind != SpanKind::WeightUpdate && programPhaseOf(span->kind))
            lastWork = std::max(lastWork, span->start + span->duration);
    for (const SpanRecord* span : spans)
        addProgram(*span, memory,
                   span->start + span->duration < lastWork ? memory.inFlight : memory.alwaysLive, clockHz,
                   counter);
}

void addRates(const Traffic& traffic, const Spans& spans, double clockHz, TraceCounter& counter) {
    for (const SpanRecord* span : spans) {
        if (!traffic.holds(span->kind) || span->bytes.value() <= 0 || span->duration.value() <= 0)
            continue;
        if (counter.points.empty() && span->start.value() > 0)
            set(counter, 0, 0);
        set(counter, nanoseconds(span->start, clockHz),
            std::llround(static_cast<double>(span->bytes.value()) * clockHz /
                         static_cast<double>(span->duration.value())));
        set(counter, nanoseconds(span->start + span->duration, clockHz), 0);
    }
}

} // namespace

TraceCounters::TraceCounters(const TraceContent& content, const std::map<IpuId, TraceMemory>& memory)
    : m_content(content)
    , m_memory(memory) {
    for (const SpanRecord& span : content.spans)
        m_spans[span.lane].push_back(&span);
}

std::vector<TraceCounter> TraceCounters::of(IpuId ipu) const {
    const double clockHz = m_content.provenance.clockHz;
    const Spans none;
    const auto spansOf = [&](const LaneRecord& lane) -> const Spans& {
        const auto spans = m_spans.find(lane.id);
        return spans == m_spans.end() ? none : spans->second;
    };
    std::vector<TraceCounter> counters{{"live", "B", {}}};
    for (const Traffic& traffic : traffics)
        counters.push_back({traffic.name, "B/s", {}});
    const auto memory = m_memory.find(ipu);
    const bool hasMemory = memory != m_memory.end() && !memory->second.programs.empty();
    if (hasMemory)
        set(counters.front(), 0, memory->second.alwaysLive.value());
    for (const LaneRecord& lane : m_content.lanes) {
        if (lane.ipu != ipu)
            continue;
        if (hasMemory && lane.kind == LaneKind::Compute)
            addLane(spansOf(lane), memory->second, clockHz, counters.front());
        for (std::size_t index = 0; index < traffics.size(); ++index)
            addRates(traffics[index], spansOf(lane), clockHz, counters[index + 1]);
    }
    std::erase_if(counters, [](const TraceCounter& counter) { return counter.points.empty(); });
    return counters;
}

} // namespace core
