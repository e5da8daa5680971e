#pragma once

#include <limits>
#include <vector>

namespace views {

/// What runs through one channel between two ranks: a tensor that comes down at `top` (or from the left side
/// of the block) and goes down at each of `bottoms` (or out at the right side).
struct ChannelNet {
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();
    double top = none;
    std::vector<double> bottoms;
    bool entersLeft = false;
    bool exitsRight = false;
};

/// Tracks of the nets, counted from above; −1 for a net that runs straight down. Nets on one track do not
/// overlap, and one that comes down where another goes down is above it.
struct ChannelTracks {
    std::vector<int> trackOf;
    int count = 0;
};

[[nodiscard]] ChannelTracks assignTracks(const std::vector<ChannelNet>& nets, double left, double right);

} // namespace views
