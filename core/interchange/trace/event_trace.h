#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Something with a name that lasts. Times are nanoseconds.
struct EventSlice {
    std::string name;
    std::string category;
    /// From the earliest start of the trace.
    std::int64_t start = 0;
    std::int64_t duration = 0;

    bool operator==(const EventSlice&) const = default;
};

/// Slices of one row, in order of their starts, outer ones before those inside them.
struct EventLane {
    /// From the outermost: "IPU 0/compute" for a thread of a process, or a track below others.
    std::string name;
    std::vector<EventSlice> slices;

    bool operator==(const EventLane&) const = default;
};

/// What another program recorded over time: of hardware, of another simulator, of a host.
struct EventTrace {
    /// Those with slices, in the order of the source.
    std::vector<EventLane> lanes;
    /// What the source holds and is left out.
    Diagnostics warnings;
};

/// Reads a Chrome trace (JSON, as an object or a list of events: complete events, and begun and ended ones)
/// or one in Perfetto's own format (slices on tracks). Counters, flows and instants have no duration and are
/// left out; asynchronous slices are, with a warning. Errors, placed at a JSON pointer or at the packet:
/// those of `parseJson`; "trace/format" when it is neither, "trace/packed" for a gzip file, "trace/damaged",
/// "trace/member" for what an event lacks, "trace/time" for a time or duration that is negative, not finite
/// or beyond 73 years, "trace/unbalanced" for an end without a begin or the reverse, "trace/depth" for slices
/// nested more than 512 deep, "trace/size" for more than ten million.
[[nodiscard]] Result<EventTrace> readEventTrace(std::string_view bytes, const std::string& file);

} // namespace core
