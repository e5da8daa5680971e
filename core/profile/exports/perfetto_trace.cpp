#include "core/profile/exports/perfetto_trace.h"

#include "core/profile/exports/perfetto_packets.h"
#include "core/profile/records/span_label.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <iterator>

namespace core {

namespace {

/// A counter that keeps its value until the next point.
class CounterPoints {
public:
    struct Point {
        std::int64_t time = 0;
        std::int64_t value = 0;
    };

    /// From `time` on, which is not before the last point; replaces what was said of that time.
    void set(std::int64_t time, std::int64_t value) {
        if (!m_points.empty() && m_points.back().time == time)
            m_points.pop_back();
        if (m_points.empty() || m_points.back().value != value)
            m_points.push_back({time, value});
    }
    [[nodiscard]] const std::vector<Point>& points() const { return m_points; }

private:
    std::vector<Point> m_points;
};

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

class PerfettoTraceWriter {
public:
    explicit PerfettoTraceWriter(const PerfettoContent& content)
        : m_content(content) {
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

    static PerfettoSequence sequence(PerfettoTrack track) {
        return PerfettoSequence(static_cast<std::uint32_t>(track), track);
    }

    void keep(const PerfettoSequence& sequence, std::vector<std::string>& events) {
        if (sequence.events().empty())
            return;
        m_heads.push_back(sequence.head());
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
        Cycles end;
        for (const SpanRecord& span : m_content.trace.spans)
            end = std::max(end, span.start + span.duration);
        PerfettoSequence slices = sequence(m_replica);
        slices.begin(0, from.mode == RunMode::Train ? "weight update" : "pipeline execution", "update",
                     {{"project", std::string_view(from.projectName)},
                      {"target", std::string_view(from.targetName)},
                      {"schedule", std::string_view(from.schedule)},
                      {"clock_hz", from.clockHz},
                      {"program_version", std::string_view(from.programVersion)},
                      {"mode", toString(from.mode)},
                      {"duration_cycles", end.value()}});
        slices.end(time(end));
        keep(slices, m_slices);
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
        addCounter(parent, rank++, "live", "B", liveBytes(ipu, lanes));
        for (const Traffic& traffic : traffics)
            addCounter(parent, rank++, traffic.name, "B/s", rateOf(traffic, lanes));
    }

    void addLane(PerfettoTrack parent, const LaneRecord& lane) {
        PerfettoSequence slices = sequence(addTrack({.id = 0,
                                                     .parent = parent,
                                                     .name = std::string(toString(lane.kind)),
                                                     .rank = static_cast<std::uint64_t>(lane.kind),
                                                     .ordersChildren = false,
                                                     .process = {},
                                                     .counterUnit = {}}));
        for (const SpanRecord* span : m_spans[lane.id]) {
            std::vector<PerfettoArgument> arguments;
            for (const TraceArgument& argument : traceArguments(*span))
                std::visit(
                    [&](const auto& value) {
                        arguments.push_back({argument.name, value});
                    },
                    argument.value);
            const auto flow = m_flows.find(span);
            slices.begin(time(span->start), spanLabel(*span), std::string(toString(span->kind)), arguments,
                         flow == m_flows.end() ? std::nullopt : std::optional(flow->second));
            addOperations(*span, slices);
            // Both ends are rounded alike, so the end of one span is the start of the next.
            slices.end(time(span->start + span->duration));
        }
        keep(slices, m_slices);
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

    void addCounter(PerfettoTrack parent, std::uint64_t rank, std::string_view name, std::string_view unit,
                    const CounterPoints& counter) {
        if (counter.points().empty())
            return;
        PerfettoSequence values = sequence(addTrack({.id = 0,
                                                     .parent = parent,
                                                     .name = std::string(name),
                                                     .rank = rank,
                                                     .ordersChildren = false,
                                                     .process = {},
                                                     .counterUnit = unit}));
        for (const CounterPoints::Point& point : counter.points())
            values.count(point.time, point.value);
        keep(values, m_points);
    }

    [[nodiscard]] CounterPoints liveBytes(IpuId ipu, const std::vector<LaneRecord>& lanes) {
        CounterPoints counter;
        const auto memory = m_content.memory.find(ipu);
        if (memory == m_content.memory.end() || memory->second.programs.empty())
            return counter;
        const std::int64_t always = memory->second.alwaysLive.value();
        counter.set(0, always);
        for (const LaneRecord& lane : lanes) {
            if (lane.kind != LaneKind::Compute)
                continue;
            // Until the last work on a micro-batch some are in flight.
            Cycles lastWork;
            for (const SpanRecord* span : m_spans[lane.id])
                if (span->kind != SpanKind::WeightUpdate && programPhaseOf(span->kind))
                    lastWork = std::max(lastWork, span->start + span->duration);
            for (const SpanRecord* span : m_spans[lane.id])
                addProgram(*span, memory->second,
                           span->start + span->duration < lastWork ? memory->second.inFlight
                                                                   : memory->second.alwaysLive,
                           counter);
        }
        return counter;
    }

    /// The points of the program that runs in the span, and what is live behind it.
    void addProgram(const SpanRecord& span, const TraceMemory& memory, Bytes behind,
                    CounterPoints& counter) const {
        const std::optional<ProgramPhase> phase = programPhaseOf(span.kind);
        const auto program = phase ? memory.programs.find({span.stage, *phase}) : memory.programs.end();
        if (program == memory.programs.end())
            return;
        const std::int64_t start = time(span.start);
        const std::int64_t end = time(span.start + span.duration);
        std::int64_t last = -1;
        Bytes most;
        for (const ProgramLiveness& point : program->second) {
            if (point.from < span.offset)
                continue;
            const std::int64_t at = std::min(start + time(point.from - span.offset), end);
            most = at == last ? std::max(most, point.live) : point.live;
            counter.set(at, most.value());
            last = at;
        }
        counter.set(end, behind.value());
    }

    [[nodiscard]] CounterPoints rateOf(const Traffic& traffic, const std::vector<LaneRecord>& lanes) {
        CounterPoints counter;
        for (const LaneRecord& lane : lanes)
            for (const SpanRecord* span : m_spans[lane.id]) {
                if (!traffic.holds(span->kind) || span->bytes.value() <= 0 || span->duration.value() <= 0)
                    continue;
                if (counter.points().empty() && span->start.value() > 0)
                    counter.set(0, 0);
                counter.set(time(span->start), std::llround(static_cast<double>(span->bytes.value()) *
                                                            m_content.trace.provenance.clockHz /
                                                            static_cast<double>(span->duration.value())));
                counter.set(time(span->start + span->duration), 0);
            }
        return counter;
    }

    const PerfettoContent& m_content;
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
    return PerfettoTraceWriter(content).bytes();
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
