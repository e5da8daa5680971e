#include "views/profile/time/reference_trace.h"

#include <algorithm>
#include <cmath>

namespace views {

namespace {

std::int64_t sliceEnd(const core::EventSlice& slice) {
    return slice.start + slice.duration;
}

ReferenceLane referenceLaneOf(const core::EventLane& lane) {
    ReferenceLane result;
    // Ends of the slices that are open, from the outermost.
    std::vector<std::int64_t> open;
    for (std::size_t i = 0; i < lane.slices.size(); ++i) {
        const core::EventSlice& slice = lane.slices[i];
        while (!open.empty() && open.back() <= slice.start)
            open.pop_back();
        if (open.size() < mostReferenceRows) {
            if (result.rows.size() <= open.size())
                result.rows.emplace_back();
            result.rows[open.size()].push_back(static_cast<std::uint32_t>(i));
        }
        // What ends behind the one around it would cover its successor.
        open.push_back(open.empty() ? sliceEnd(slice) : std::min(sliceEnd(slice), open.back()));
    }
    return result;
}

} // namespace

void ReferenceLane::setValues(std::vector<double> ofSlices) {
    values = std::move(ofSlices);
    for (const double value : values) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
}

double ReferenceLane::share(std::size_t slice) const {
    return most > least ? (values[slice] - least) / (most - least) : 0;
}

std::vector<ReferenceBar> barsOf(const core::EventLane& lane, const ReferenceRow& row,
                                 const ReferenceAxis& axis, double left, double right) {
    const auto begin = row.begin();
    const auto sliceOf = [&](std::uint32_t index) -> const core::EventSlice& { return lane.slices[index]; };
    const auto startsBefore = [&](double x) {
        return [&, x](std::uint32_t index) { return axis.x(sliceOf(index).start) < x; };
    };
    std::vector<ReferenceBar> bars;
    auto at = std::partition_point(
        begin, row.end(), [&](std::uint32_t index) { return axis.x(sliceEnd(sliceOf(index))) < left; });
    while (at != row.end() && axis.x(sliceOf(*at).start) <= right) {
        const double fromX = axis.x(sliceOf(*at).start);
        const double toX = axis.x(sliceEnd(sliceOf(*at)));
        if (toX - fromX >= 1) {
            bars.push_back({fromX, toX, *at, 1});
            ++at;
            continue;
        }
        // What begins in the same column of pixels and is as narrow is one bar.
        const double column = std::floor(fromX) + 1;
        auto next = std::partition_point(at + 1, row.end(), startsBefore(column));
        if (next - at > 1 && axis.x(sliceEnd(sliceOf(*(next - 1)))) - axis.x(sliceOf(*(next - 1)).start) >= 1)
            --next;
        const bool isOne = next - at == 1;
        bars.push_back(
            {isOne ? fromX : column - 1, isOne ? toX : column, *at, static_cast<std::size_t>(next - at)});
        at = next;
    }
    return bars;
}

std::optional<std::size_t> sliceAt(const core::EventLane& lane, const ReferenceRow& row,
                                   const ReferenceAxis& axis, double x) {
    constexpr double reach = 2;
    const auto at = std::partition_point(row.begin(), row.end(), [&](std::uint32_t index) {
        return axis.x(sliceEnd(lane.slices[index])) < x - reach;
    });
    for (auto here = at; here != row.end() && axis.x(lane.slices[*here].start) <= x + reach; ++here)
        if (axis.x(sliceEnd(lane.slices[*here])) >= x || here + 1 == row.end() ||
            axis.x(lane.slices[*(here + 1)].start) > x)
            return *here;
    return std::nullopt;
}

ReferenceTrace makeReferenceTrace(QString name, core::EventTrace trace) {
    ReferenceTrace reference{std::move(name), std::move(trace), {}, 0};
    for (const core::EventLane& lane : reference.trace.lanes) {
        reference.lanes.push_back(referenceLaneOf(lane));
        for (const core::EventSlice& slice : lane.slices)
            reference.length = std::max(reference.length, sliceEnd(slice));
    }
    return reference;
}

} // namespace views
