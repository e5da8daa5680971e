#pragma once

#include "core/profile/records/run_records.h"
#include "core/profile/records/time_records.h"
#include "core/profile/schema/profile_database.h"

#include <string>
#include <vector>

namespace core {

/// What a trace is made of.
struct TraceContent {
    RunProvenance provenance;
    std::vector<LaneRecord> lanes;
    /// Of one update, in order of lane and time.
    std::vector<SpanRecord> spans;
};

/// The trace-event format ("JSON object format") that chrome://tracing and Perfetto read: a process per IPU,
/// a thread per lane, in order; complete events with times on whole nanoseconds, rounded so that neighbours
/// stay apart and nothing overlaps; exact cycles in `args`; a flow per micro-batch through its stage
/// programs.
[[nodiscard]] std::string chromeTrace(const TraceContent& content);

[[nodiscard]] Result<TraceContent> loadTrace(const ProfileDatabase& database, RunId run);

} // namespace core
