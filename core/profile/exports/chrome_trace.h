#pragma once

#include "core/profile/exports/trace_content.h"

#include <string>

namespace core {

/// The trace-event format ("JSON object format") that chrome://tracing and Perfetto read: a process per IPU,
/// a thread per lane, in order; complete events with times on whole nanoseconds, rounded so that neighbours
/// stay apart and nothing overlaps; exact cycles in `args`; a flow per micro-batch through its stage
/// programs; the counters of `TraceCounters`, their unit as the series.
[[nodiscard]] std::string chromeTrace(const TraceContent& content,
                                      const std::map<IpuId, TraceMemory>& memory);

} // namespace core
