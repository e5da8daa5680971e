#include "core/profile/exports/trace_comparison.h"

#include "core/profile/records/span_label.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>

namespace core {

namespace {

/// The figures of lanes and names, in the order in which they are first met.
class EventTable {
public:
    ComparedEvents& row(const std::string& lane, const std::string& name) {
        const auto [ofLane, isNewLane] = m_lanes.try_emplace(lane, m_rows.size());
        if (isNewLane)
            m_rows.emplace_back();
        std::vector<ComparedEvents>& rows = m_rows[ofLane->second];
        const auto [place, isNew] = m_names.try_emplace({ofLane->second, name}, rows.size());
        if (isNew)
            rows.push_back({lane, name, {}, {}});
        return rows[place->second];
    }
    [[nodiscard]] std::vector<ComparedEvents> take() {
        std::vector<ComparedEvents> all;
        for (std::vector<ComparedEvents>& rows : m_rows)
            std::ranges::move(rows, std::back_inserter(all));
        return all;
    }

private:
    std::map<std::string, std::size_t> m_lanes;
    std::map<std::pair<std::size_t, std::string>, std::size_t> m_names;
    /// By lane.
    std::vector<std::vector<ComparedEvents>> m_rows;
};

std::vector<std::string> laneNames(const EventTrace& trace) {
    std::vector<std::string> names;
    for (const EventLane& lane : trace.lanes)
        names.push_back(lane.name);
    return names;
}

/// Why the name is none of `known`; nothing where it is one.
std::optional<Diagnostic> unknownLane(const std::string& name, const std::vector<std::string>& known,
                                      std::string_view whose) {
    if (std::ranges::find(known, name) != known.end())
        return std::nullopt;
    const auto near = nearestName(name, known);
    const std::size_t shown = std::min<std::size_t>(known.size(), 8);
    return makeError(
        Trouble::Usage, "trace/lane", {"", "--lane"},
        fmt::format("the {} has no lane \"{}\"", whose, name.substr(0, 80)),
        {near ? fmt::format("did you mean \"{}\"?", *near) : std::string(),
         fmt::format("its lanes: {}{}",
                     fmt::join(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     shown < known.size() ? ", …" : "")});
}

void count(const EventSlice& slice, EventFigures& figures) {
    ++figures.count;
    figures.total += slice.duration;
}

} // namespace

EventTrace eventsOf(const TraceContent& content) {
    EventTrace trace;
    std::map<LaneId, std::size_t> places;
    for (const LaneRecord& lane : content.lanes) {
        places[lane.id] = trace.lanes.size();
        trace.lanes.push_back({fmt::format("IPU {}/{}", lane.ipu.value(), toString(lane.kind)), {}});
    }
    for (const SpanRecord& span : content.spans) {
        const auto place = places.find(span.lane);
        if (place == places.end())
            continue;
        const std::int64_t start = nanoseconds(span.start, content.provenance.clockHz);
        const std::int64_t end = nanoseconds(span.start + span.duration, content.provenance.clockHz);
        trace.lanes[place->second].slices.push_back(
            {spanLabel(span), std::string(toString(span.kind)), start, end - start});
    }
    return trace;
}

Result<std::vector<ComparedEvents>> compareEvents(const EventTrace& run, const EventTrace& trace,
                                                  EventGrouping by, std::span<const LanePair> lanes) {
    const std::vector<std::string> ofRun = laneNames(run);
    const std::vector<std::string> ofTrace = laneNames(trace);
    std::map<std::string, std::string> beside;
    for (const auto& [theirs, ours] : lanes) {
        if (auto unknown = unknownLane(theirs, ofTrace, "trace"))
            return failure(*std::move(unknown));
        if (auto unknown = unknownLane(ours, ofRun, "run"))
            return failure(*std::move(unknown));
        beside[theirs] = ours;
    }
    const auto laneOf = [&](const std::string& name) {
        if (const auto said = beside.find(name); said != beside.end())
            return said->second;
        const auto same = std::ranges::find_if(
            ofRun, [&](const std::string& lane) { return name == lane || name.ends_with("/" + lane); });
        return same == ofRun.end() ? name : *same;
    };
    const auto nameOf = [&](const EventSlice& slice) {
        return by == EventGrouping::Name ? slice.name : slice.category;
    };
    EventTable table;
    for (const EventLane& lane : run.lanes)
        for (const EventSlice& slice : lane.slices)
            count(slice, table.row(lane.name, nameOf(slice)).run);
    for (const EventLane& lane : trace.lanes)
        for (const EventSlice& slice : lane.slices)
            count(slice, table.row(laneOf(lane.name), nameOf(slice)).trace);
    return table.take();
}

} // namespace core
