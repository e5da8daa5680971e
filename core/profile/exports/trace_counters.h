#pragma once

#include "core/profile/exports/trace_content.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace core {

/// A figure of an IPU over the time of a trace; it keeps its value until the next point.
struct TraceCounter {
    struct Point {
        std::int64_t timeNs = 0;
        std::int64_t value = 0;
    };

    std::string_view name;
    /// "B", "B/s".
    std::string_view unit;
    std::vector<Point> points;
};

/// The counters of a trace: the bytes that are live on an IPU, and the rates of its links, its remote memory
/// and its host streams.
class TraceCounters {
public:
    /// Both must outlive it.
    TraceCounters(const TraceContent& content, const std::map<IpuId, TraceMemory>& memory);

    /// Those of an IPU that say anything.
    [[nodiscard]] std::vector<TraceCounter> of(IpuId ipu) const;

private:
    const TraceContent& m_content;
    const std::map<IpuId, TraceMemory>& m_memory;
    std::map<LaneId, std::vector<const SpanRecord*>> m_spans;
};

} // namespace core
