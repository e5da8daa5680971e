#pragma once

#include "core/base/ids.h"
#include "core/base/quantity.h"
#include "core/profile/schema/profile_database.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace core {

/// What works or flows on an IPU over time.
enum class Counter : std::uint8_t {
    BusyTiles,   ///< tiles whose vertices run
    LinkBytes,   ///< received over links from other IPUs, all-reduce with it
    HostBytes,   ///< between host and IPU
    RemoteBytes, ///< between remote memory and IPU
};
inline constexpr std::size_t counterCount = 4;
[[nodiscard]] std::string_view toString(Counter counter);

/// A counter of an IPU over bins of equal length: the mean of each, tiles or bytes per cycle.
struct CounterCurve {
    IpuId ipu;
    Counter counter = Counter::BusyTiles;
    std::vector<double> means;

    [[nodiscard]] double highest() const;
};

struct CounterWindow {
    Cycles from;
    Cycles to;
    std::int64_t binCount = 1;
    std::vector<CounterCurve> curves;

    /// Null where there is none.
    [[nodiscard]] const CounterCurve* curveOf(IpuId ipu, Counter counter) const;
};

struct CounterRequest {
    RunId run;
    // Of one update.
    Cycles from;
    Cycles to;
    std::int64_t binCount = 1000;
    std::vector<Counter> counters;

    bool operator==(const CounterRequest&) const = default;
};
/// The counters of every IPU. What a span moves is spread evenly over it; tiles are those of the operation
/// that runs. All bins × their length are what was moved, so a mean is exact however wide its bin is.
[[nodiscard]] Result<CounterWindow> loadCounters(const ProfileDatabase& database,
                                                 const CounterRequest& request);

/// By Counter, in its unit per cycle.
using CounterRates = std::array<double, counterCount>;
/// The highest rate of any span of a run by what it moves: no mean is higher, however narrow its bin. 0 of
/// tiles, which have a number.
[[nodiscard]] Result<CounterRates> highestRates(const ProfileDatabase& database, RunId run);

} // namespace core
