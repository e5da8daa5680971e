#include "core/profile/exports/perfetto_trace.h"

#include "core/profile/exports/perfetto_packets.h"
#include "core/profile/exports/trace_counters.h"
#include "core/profile/records/span_label.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <iterator>

namespace core {

namespace {

class PerfettoTraceWriter {
public:
    PerfettoTraceWriter(const PerfettoContent& content, std::size_t leastPackets)
        : m_content(content)
        , m_leastPackets(leastPackets)
        , m_counters(content.trace, content.memory) {
        for (const MicroBatchFlow& flow : microBatchFlows(content.trace))
            for (const SpanRecord* span : flow.spans)
                // Flow 0 is none.
                m_flows[span] = {static_cast<std::uint64_t>(flow.microBatch) + 1, span == flow.spans.back()};
        for (const SpanRecord& span : content.trace.spans)
            m_spans[span.lane].push_back(&span);
    }

    std::string bytes() {
        update();
        std::map<IpuId, std::vector<LaneRecord>> ipus;
        for (const LaneRecord& lane : m_content.trace.lanes)
            ipus[lane.ipu].push_back(lane);
        for (const auto& [ipu, lanes] : ipus)
            addIpu(ipu, lanes);
        // Like beside like takes the least room when it is packed.
        std::vector<std::string> packets = std::move(m_heads);
        std::ranges::move(m_slices, std::back_inserter(packets));
        std::ranges::move(m_points, std::back_inserter(packets));
        return packedTrace(packets);
    }

private:
    [[nodiscard]] std::int64_t time(Cycles cycles) const {
        return nanoseconds(cycles, m_content.trace.provenance.clockHz);
    }

    PerfettoTrack addTrack(PerfettoTrackDescription track) {
        track.id = ++m_lastTrack;
        m_heads.push_back(trackPacket(track));
        return track.id;
    }

    /// What `fill` adds, on a track of its own.
    template <class Fill>
    void addSequence(PerfettoTrack track, std::vector<std::string>& events, const Fill& fill) {
        PerfettoSequence sequence(track, m_leastPackets);
        fill(sequence);
        sequence.write();
        fill(sequence);
        keep(sequence, events);
    }

    void keep(const PerfettoSequence& sequence, std::vector<std::string>& events) {
        if (sequence.events().empty())
            return;
        if (std::string head = sequence.head(); !head.empty())
            m_heads.push_back(std::move(head));
        events.push_back(sequence.events());
    }

    /// The whole update on the track of the replica, with where the run comes from.
    void update() {
        const RunProvenance& from = m_content.trace.provenance;
        m_replica = addTrack({.id = 0,
                              .parent = {},
                              .name = from.replicas > 1
                                          ? fmt::format("Replica 0 of {}, which do the same", from.replicas)
                                          : "Replica 0",
                              .rank = 0,
                              .ordersChildren = true,
                              .process = 1,
                              .counterUnit = {}});
        const Cycles end = m_content.trace.end();
        // A whole clock says it in fewer bytes.
        const std::variant<std::int64_t, double, std::string_view> clock =
            from.clockHz == std::floor(from.clockHz) && from.clockHz < 1e15
                ? std::variant<std::int64_t, double, std::string_view>(
                      static_cast<std::int64_t>(from.clockHz))
                : from.clockHz;
        addSequence(m_replica, m_slices, [&](PerfettoSequence& slices) {
            slices.begin(0, from.mode == RunMode::Train ? "weight update" : "pipeline execution", "update",
                         {{"project", std::string_view(from.projectName)},
                          {"target", std::string_view(from.targetName)},
                          {"schedule", std::string_view(from.schedule)},
                          {"clock_hz", clock},
                          {"program_version", std::string_view(from.programVersion)},
                          {"mode", toString(from.mode)},
                          {"duration_cycles", end.value()}});
            slices.end(time(end));
        });
    }

    void addIpu(IpuId ipu, const std::vector<LaneRecord>& lanes) {
        const PerfettoTrack parent = addTrack({.id = 0,
                                               .parent = m_replica,
                                               .name = fmt::format("IPU {}", ipu.value()),
                                               .rank = ipu.index(),
                                               .ordersChildren = true,
                                               .process = {},
                                               .counterUnit = {}});
        for (const LaneRecord& lane : lanes)
            addLane(parent, lane);
        std::uint64_t rank = laneKindCount;
        for (const TraceCounter& counter : m_counters.of(ipu))
            addCounter(parent, rank++, counter);
    }

    void addLane(PerfettoTrack parent, const LaneRecord& lane) {
        const PerfettoTrack track = addTrack({.id = 0,
                                              .parent = parent,
                                              .name = std::string(toString(lane.kind)),
                                              .rank = static_cast<std::uint64_t>(lane.kind),
                                              .ordersChildren = false,
                                              .process = {},
                                              .counterUnit = {}});
        addSequence(track, m_slices, [&](PerfettoSequence& slices) {
            for (const SpanRecord* span : m_spans[lane.id]) {
                std::vector<PerfettoArgument> arguments;
                for (const TraceArgument& argument : traceArguments(*span))
                    std::visit(
                        [&](const auto& value) {
                            arguments.push_back({argument.name, value});
                        },
                        argument.value);
                const auto flow = m_flows.find(span);
                slices.begin(time(span->start), spanLabel(*span), std::string(toString(span->kind)),
                             arguments, flow == m_flows.end() ? std::nullopt : std::optional(flow->second));
                addOperations(*span, slices);
                // Both ends are rounded alike, so the end of one span is the start of the next.
                slices.end(time(span->start + span->duration));
            }
        });
    }

    /// The steps of the program that runs in the span.
    void addOperations(const SpanRecord& span, PerfettoSequence& slices) const {
        const std::optional<ProgramPhase> phase = programPhaseOf(span.kind);
        if (!phase)
            return;
        const auto program = m_content.operations.find({span.stage, *phase});
        if (program == m_content.operations.end())
            return;
        const std::int64_t start = time(span.start);
        const std::int64_t end = time(span.start + span.duration);
        for (const TraceOperation& step : program->second) {
            const Cycles from = step.start - span.offset;
            if (from < Cycles() || from >= span.duration)
                continue;
            std::vector<PerfettoArgument> arguments{{"start_cycles", (span.start + from).value()},
                                                    {"duration_cycles", step.duration.value()}};
            if (!step.layer.empty())
                arguments.push_back({"layer", std::string_view(step.layer)});
            slices.begin(std::min(start + time(from), end), step.name, std::string(toString(step.kind)),
                         arguments);
            slices.end(std::min(start + time(from + step.duration), end));
        }
    }

    void addCounter(PerfettoTrack parent, std::uint64_t rank, const TraceCounter& counter) {
        const PerfettoTrack track = addTrack({.id = 0,
                                              .parent = parent,
                                              .name = std::string(counter.name),
                                              .rank = rank,
                                              .ordersChildren = false,
                                              .process = {},
                                              .counterUnit = counter.unit});
        addSequence(track, m_points, [&](PerfettoSequence& values) {
            for (const TraceCounter::Point& point : counter.points)
                values.count(point.timeNs, point.value);
        });
    }

    const PerfettoContent& m_content;
    std::size_t m_leastPackets;
    TraceCounters m_counters;
    std::map<const SpanRecord*, PerfettoFlow> m_flows;
    std::map<LaneId, std::vector<const SpanRecord*>> m_spans;
    PerfettoTrack m_replica = 0;
    PerfettoTrack m_lastTrack = 0;
    /// Packets: what the tracks are, and what is on them.
    std::vector<std::string> m_heads;
    std::vector<std::string> m_slices;
    std::vector<std::string> m_points;
};

} // namespace

std::string perfettoTrace(const PerfettoContent& content) {
    // Where heads begin to pay depends on what is behind them; large traces are not packed twice.
    constexpr std::size_t fewPackets = 12;
    constexpr std::size_t mostOfSmallTrace = 8192;
    std::string trace = PerfettoTraceWriter(content, fewPackets).bytes();
    if (trace.size() > mostOfSmallTrace)
        return trace;
    for (const std::size_t least : {std::size_t{24}, std::size_t{64}, content.trace.spans.size() * 64}) {
        std::string other = PerfettoTraceWriter(content, least).bytes();
        if (other.size() < trace.size())
            trace = std::move(other);
    }
    return trace;
}

Result<PerfettoContent> loadPerfettoTrace(const ProfileDatabase& database, RunId run, PerfettoDetail detail) {
    auto trace = loadTrace(database, run);
    if (!trace)
        return failure(trace.error());
    PerfettoContent content{*std::move(trace), {}, {}};
    auto memory = loadTraceMemory(database, content.trace, run);
    if (!memory)
        return failure(memory.error());
    content.memory = *std::move(memory);
    if (detail == PerfettoDetail::Operations) {
        auto operations = loadTraceOperations(database, run);
        if (!operations)
            return failure(operations.error());
        content.operations = *std::move(operations);
    }
    return content;
}

} // namespace core
