#pragma once

#include "core/interchange/trace/event_trace.h"
#include "core/profile/exports/trace_content.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace core {

/// The spans of a run as a trace, with the names, categories, lanes and times that its exported traces have.
[[nodiscard]] EventTrace eventsOf(const TraceContent& content);

/// Slices of one name on one lane. Times are nanoseconds.
struct EventFigures {
    std::int64_t count = 0;
    std::int64_t total = 0;

    /// Of one slice; 0 where there is none.
    [[nodiscard]] double mean() const {
        return count == 0 ? 0 : static_cast<double>(total) / static_cast<double>(count);
    }
    bool operator==(const EventFigures&) const = default;
};

/// A name on a lane, in a run and in a trace beside it.
struct ComparedEvents {
    std::string lane;
    /// The name or the category of its slices.
    std::string name;
    EventFigures run;
    EventFigures trace;

    bool operator==(const ComparedEvents&) const = default;
};

enum class EventGrouping : std::uint8_t { Name, Category };

/// A lane of the trace, and the lane of the run that it stands beside.
using LanePair = std::pair<std::string, std::string>;

/// What lasts how long in a run and in a trace of the same work. A lane of the trace stands beside the one of
/// the run with its name, also where it has more in front ("Replica 0/IPU 1/compute"), or beside the one that
/// `lanes` says; several may stand beside one. What only one of the two has is there with a count of 0 on the
/// other side. Lanes in the order of the run, behind them those of the trace alone; names by their first
/// start. Errors: "trace/lane" (Trouble::Usage) for a name in `lanes` that there is not, with the nearest.
[[nodiscard]] Result<std::vector<ComparedEvents>> compareEvents(const EventTrace& run,
                                                                const EventTrace& trace, EventGrouping by,
                                                                std::span<const LanePair> lanes = {});

} // namespace core
