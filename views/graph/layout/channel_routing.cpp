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

bool isInside(double x, const Interval& reach) {
    return x > reach.from && x < reach.to;
}

/// How often two nets cross where one has its track above the other's.
int crossingsOf(const ChannelNet& upper, const Interval& upperReach, const ChannelNet& lower,
                const Interval& lowerReach) {
    const int down = !std::isnan(lower.top) && isInside(lower.top, upperReach) ? 1 : 0;
    return down + int(std::ranges::count_if(upper.bottoms,
                                            [&](double bottom) { return isInside(bottom, lowerReach); }));
}

/// Neighbouring tracks change places where fewer lines cross then and none covers another.
void reduceCrossings(const std::vector<ChannelNet>& nets, const std::vector<Interval>& reaches,
                     ChannelTracks& tracks) {
    std::vector<std::vector<int>> order(std::size_t(tracks.count));
    for (std::size_t net = 0; net < nets.size(); ++net)
        if (tracks.trackOf[net] >= 0)
            order[std::size_t(tracks.trackOf[net])].push_back(int(net));
    const auto crossings = [&](const std::vector<int>& above, const std::vector<int>& below) {
        int count = 0;
        for (const int upper : above)
            for (const int lower : below)
                count += crossingsOf(nets[std::size_t(upper)], reaches[std::size_t(upper)],
                                     nets[std::size_t(lower)], reaches[std::size_t(lower)]);
        return count;
    };
    const auto mayChange = [&](const std::vector<int>& above, const std::vector<int>& below) {
        return std::ranges::none_of(above, [&](int upper) {
            return std::ranges::any_of(below, [&](int lower) {
                return mustStandAbove(nets[std::size_t(upper)], nets[std::size_t(lower)]);
            });
        });
    };
    constexpr int passes = 8;
    bool isBetter = true;
    for (int pass = 0; isBetter && pass < passes; ++pass) {
        isBetter = false;
        for (std::size_t track = 0; track + 1 < order.size(); ++track) {
            std::vector<int>& above = order[track];
            std::vector<int>& below = order[track + 1];
            if (crossings(below, above) >= crossings(above, below) || !mayChange(above, below))
                continue;
            std::swap(above, below);
            isBetter = true;
        }
    }
    for (std::size_t track = 0; track < order.size(); ++track)
        for (const int net : order[track])
            tracks.trackOf[std::size_t(net)] = int(track);
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
    constexpr std::size_t mostChecked = 400;
    constexpr std::size_t mostWished = 80;
    const bool checkConstraints = pending.size() <= mostChecked;
    const bool hasWishes = pending.size() <= mostWished;
    const auto must = [&](int upper, int lower) {
        return mustStandAbove(nets[std::size_t(upper)], nets[std::size_t(lower)]);
    };
    // Fewer lines cross where the one is above the other.
    const auto wants = [&](int upper, int lower) {
        const auto u = std::size_t(upper);
        const auto l = std::size_t(lower);
        return touches(reaches[u], reaches[l]) && !must(lower, upper) &&
               crossingsOf(nets[u], reaches[u], nets[l], reaches[l]) <
                   crossingsOf(nets[l], reaches[l], nets[u], reaches[u]);
    };
    while (!pending.empty()) {
        std::vector<int> placed;
        std::vector<int> rest;
        const auto place = [&](bool withWishes) {
            placed.clear();
            rest.clear();
            for (const int net : pending) {
                const bool blocked =
                    checkConstraints && std::any_of(pending.begin(), pending.end(), [&](int other) {
                        return other != net && (must(other, net) || (withWishes && wants(other, net)));
                    });
                const bool overlaps = std::any_of(placed.begin(), placed.end(), [&](int other) {
                    return touches(reaches[std::size_t(net)], reaches[std::size_t(other)]);
                });
                (blocked || overlaps ? rest : placed).push_back(net);
            }
        };
        place(hasWishes);
        if (placed.empty() && hasWishes) // wishes in a circle
            place(false);
        if (placed.empty()) { // a circle of constraints: the first goes first
            placed.push_back(rest.front());
            rest.erase(rest.begin());
        }
        for (const int net : placed)
            tracks.trackOf[std::size_t(net)] = tracks.count;
        ++tracks.count;
        pending = std::move(rest);
    }
    if (checkConstraints)
        reduceCrossings(nets, reaches, tracks);
    return tracks;
}

} // namespace views
