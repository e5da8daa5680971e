#pragma once

#include "core/profile/exports/trace_content.h"

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// What the slices of a trace are.
enum class PerfettoDetail : std::uint8_t {
    Spans,      ///< those of the lanes, as the Chrome trace has them
    Operations, ///< inside a stage's program also the steps of its operations, nested
};

struct PerfettoContent {
    TraceContent trace;
    std::map<IpuId, TraceMemory> memory;
    /// Empty without that detail.
    std::map<TraceProgram, std::vector<TraceOperation>> operations;
};
[[nodiscard]] Result<PerfettoContent> loadPerfettoTrace(const ProfileDatabase& database, RunId run,
                                                        PerfettoDetail detail);

/// The native format of Perfetto (https://perfetto.dev/docs/reference/synthetic-track-event), packed. Tracks:
/// the replica as a process, which holds the update with the run's provenance; below it the IPUs; below each
/// its lanes and counters. Slices have the names, times and arguments of the Chrome trace, and a flow goes
/// with each micro-batch. Counters, by IPU: live bytes, and bytes per second over the links, to remote memory
/// and through the host's streams; an IPU without records of one has no such track. Points of "live" keep
/// the distances that they have in their program, to the nanosecond; of those on one nanosecond the highest
/// stands. Texts that a track says more than once are interned, but not where the trace is so small that the
/// tables weigh more than the texts.
[[nodiscard]] std::string perfettoTrace(const PerfettoContent& content);

} // namespace core
