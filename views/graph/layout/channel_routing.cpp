#include "views/graph/layout/channel_routing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace views {

namespace {

struct Interval {
    double from = 0;
    double to = 0;
};

/// The horizontal reach of a net; empty (from > to) when it runs straight down.
Interval reachOf(const ChannelNet& net, double left, double right) {
    Interval reach{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    const auto include = [&reach](double x) {
        reach.from = std::min(reach.from, x);
        reach.to = std::max(reach.to, x);
    };
    if (!std::isnan(net.top))
        include(net.top);
    for (const double bottom : net.bottoms)
        include(bottom);
    if (net.entersLeft)
        include(left);
    if (net.exitsRight)
        include(right);
    const bool isStraight = !net.entersLeft && !net.exitsRight && reach.to - reach.from < 0.5;
    return isStraight ? Interval{1, 0} : reach;
}

bool touches(const Interval& a, const Interval& b) {
    constexpr double clearance = 6;
    return a.from < b.to + clearance && b.from < a.to + clearance;
}

/// Net `upper` comes down on a line on which `lower` goes down.
bool mustStandAbove(const ChannelNet& upper, const ChannelNet& lower) {
    if (std::isnan(upper.top))
        return false;
    return std::any_of(lower.bottoms.begin(), lower.bottoms.end(),
                       [&](double bottom) { return std::abs(bottom - upper.top) < 5; });
}

} // namespace

ChannelTracks assignTracks(const std::vector<ChannelNet>& nets, double left, double right) {
    ChannelTracks tracks;
    tracks.trackOf.assign(nets.size(), -1);
    std::vector<Interval> reaches;
    std::vector<int> pending;
    for (std::size_t i = 0; i < nets.size(); ++i) {
        reaches.push_back(reachOf(nets[i], left, right));
        if (reaches[i].from <= reaches[i].to)
            pending.push_back(int(i));
    }
    std::stable_sort(pending.begin(), pending.end(), [&](int a, int b) {
        return reaches[std::size_t(a)].from < reaches[std::size_t(b)].from;
    });
    // With very many nets the quadratic look for constraints would be felt; order alone is then good enough.
    const bool checkConstraints = pending.size() <= 400;
    while (!pending.empty()) {
        std::vector<int> placed;
        std::vector<int> rest;
        for (const int net : pending) {
            const bool blocked =
                checkConstraints && std::any_of(pending.begin(), pending.end(), [&](int other) {
                    return other != net && mustStandAbove(nets[std::size_t(other)], nets[std::size_t(net)]);
                });
            const bool overlaps = std::any_of(placed.begin(), placed.end(), [&](int other) {
                return touches(reaches[std::size_t(net)], reaches[std::size_t(other)]);
            });
            if (blocked || overlaps)
                rest.push_back(net);
            else
                placed.push_back(net);
        }
        if (placed.empty()) { // a circle of constraints: the first goes first
            placed.push_back(rest.front());
            rest.erase(rest.begin());
        }
        for (const int net : placed)
            tracks.trackOf[std::size_t(net)] = tracks.count;
        ++tracks.count;
        pending = std::move(rest);
    }
    return tracks;
}

} // namespace views
