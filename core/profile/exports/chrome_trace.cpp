#include "core/profile/exports/chrome_trace.h"

#include "core/base/json.h"
#include "core/profile/exports/trace_counters.h"
#include "core/profile/records/span_label.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>

namespace core {

namespace {

/// Microseconds with all three decimals, as the format wants its times.
std::string microseconds(std::int64_t ns) {
    return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

std::string quotedText(const std::string& text) {
    return toText(Json(text), -1);
}

class TraceText {
public:
    TraceText(const TraceContent& content, const std::map<IpuId, TraceMemory>& memory)
        : m_content(content)
        , m_counters(content, memory) {
        for (const LaneRecord& lane : content.lanes)
            m_lanes[lane.id] = lane;
    }

    std::string text() {
        names();
        for (const SpanRecord& span : m_content.spans)
            slice(span);
        flows();
        counters();
        const RunProvenance& p = m_content.provenance;
        return fmt::format("{{\"traceEvents\":[\n{}\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{{"
                           "\"project\":{},\"target\":{},\"schedule\":{},\"clock_hz\":{},"
                           "\"program_version\":{},\"mode\":\"{}\",\"duration_cycles\":{}}}}}\n",
                           m_events, quotedText(p.projectName), quotedText(p.targetName),
                           quotedText(p.schedule), p.clockHz, quotedText(p.programVersion), toString(p.mode),
                           m_content.end().value());
    }

private:
    void add(const std::string& event) {
        if (!m_events.empty())
            m_events += ",\n";
        m_events += event;
    }

    void metadata(const char* what, std::size_t process, const std::optional<std::size_t>& thread,
                  const std::string& arguments) {
        add(fmt::format("{{\"ph\":\"M\",\"name\":\"{}\",\"pid\":{}{},\"args\":{{{}}}}}", what, process,
                        thread ? fmt::format(",\"tid\":{}", *thread) : "", arguments));
    }

    [[nodiscard]] std::vector<IpuId> ipus() const {
        std::vector<IpuId> found;
        for (const LaneRecord& lane : m_content.lanes) {
            if (std::find(found.begin(), found.end(), lane.ipu) == found.end())
                found.push_back(lane.ipu);
        }
        return found;
    }

    void names() {
        for (const IpuId ipu : ipus()) {
            metadata("process_name", processOf(ipu), {}, fmt::format("\"name\":\"IPU {}\"", ipu.value()));
            metadata("process_sort_index", processOf(ipu), {}, fmt::format("\"sort_index\":{}", ipu.value()));
        }
        for (const LaneRecord& lane : m_content.lanes) {
            metadata("thread_name", processOf(lane.ipu), threadOf(lane.id),
                     fmt::format("\"name\":\"{}\"", toString(lane.kind)));
            metadata("thread_sort_index", processOf(lane.ipu), threadOf(lane.id),
                     fmt::format("\"sort_index\":{}", static_cast<int>(lane.kind)));
        }
    }

    /// Perfetto takes process and thread 0 for the idle task.
    static std::size_t processOf(IpuId ipu) { return ipu.index() + 1; }
    static std::size_t threadOf(LaneId lane) { return lane.index() + 1; }

    [[nodiscard]] std::int64_t startNs(const SpanRecord& span) const {
        return nanoseconds(span.start, m_content.provenance.clockHz);
    }

    void slice(const SpanRecord& span) {
        // Both ends are rounded alike, so the end of one span is the start of the next.
        const std::int64_t start = startNs(span);
        const std::int64_t end = nanoseconds(span.start + span.duration, m_content.provenance.clockHz);
        std::string arguments;
        for (const TraceArgument& argument : traceArguments(span)) {
            const auto* count = std::get_if<std::int64_t>(&argument.value);
            arguments += fmt::format("{}\"{}\":", arguments.empty() ? "" : ",", argument.name);
            arguments += count != nullptr
                             ? std::to_string(*count)
                             : quotedText(std::string(std::get<std::string_view>(argument.value)));
        }
        add(fmt::format(
            "{{\"ph\":\"X\",\"name\":{},\"cat\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},"
            "\"args\":{{{}}}}}",
            quotedText(spanLabel(span)), toString(span.kind), processOf(m_lanes[span.lane].ipu),
            threadOf(span.lane), microseconds(start), microseconds(end - start), arguments));
    }

    /// The way of each micro-batch through its stage programs, one arrow per step of it.
    void flows() {
        for (const auto& [microBatch, spans] : microBatchFlows(m_content)) {
            for (std::size_t i = 0; i < spans.size(); ++i) {
                const char* phase = i == 0 ? "s" : i + 1 == spans.size() ? "f" : "t";
                add(fmt::format(
                    "{{\"ph\":\"{}\",\"name\":\"micro-batch {}\",\"cat\":\"flow\",\"id\":{},\"pid\":{},"
                    "\"tid\":{},\"ts\":{},\"bp\":\"e\"}}",
                    phase, microBatch, microBatch, processOf(m_lanes[spans[i]->lane].ipu),
                    threadOf(spans[i]->lane), microseconds(startNs(*spans[i]))));
            }
        }
    }

    void counters() {
        for (const IpuId ipu : ipus())
            for (const TraceCounter& counter : m_counters.of(ipu))
                for (const TraceCounter::Point& point : counter.points)
                    add(fmt::format(
                        "{{\"ph\":\"C\",\"name\":\"{}\",\"pid\":{},\"ts\":{},\"args\":{{\"{}\":{}}}}}",
                        counter.name, processOf(ipu), microseconds(point.timeNs), counter.unit, point.value));
    }

    const TraceContent& m_content;
    TraceCounters m_counters;
    std::map<LaneId, LaneRecord> m_lanes;
    std::string m_events;
};

} // namespace

std::string chromeTrace(const TraceContent& content, const std::map<IpuId, TraceMemory>& memory) {
    return TraceText(content, memory).text();
}

} // namespace core
