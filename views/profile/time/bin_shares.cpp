#include "views/profile/time/bin_shares.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace views {

namespace {

/// With this many spans under the mean a span more or less changes it by a twelfth at most.
constexpr double enoughSpans = 12;
/// What really changes is not blurred beyond so many bins to either side.
constexpr std::int64_t mostReach = 12;

/// How many bins to either side the mean is taken of.
std::int64_t reachOf(const std::vector<core::SpanBin>& bins) {
    std::int64_t spans = 0;
    std::int64_t filled = 0;
    std::int64_t index = -1;
    for (const core::SpanBin& bin : bins) {
        spans += bin.spans;
        filled += bin.index != index ? 1 : 0;
        index = bin.index;
    }
    if (filled == 0)
        return 0;
    const double perBin = std::max(1e-3, static_cast<double>(spans) / static_cast<double>(filled));
    return std::clamp<std::int64_t>(std::llround((enoughSpans / perBin - 1) / 2), 0, mostReach);
}

} // namespace

std::vector<BinShare> binShares(const std::vector<core::SpanBin>& bins, std::int64_t binCount, double width) {
    std::vector<BinShare> shares;
    const std::int64_t reach = reachOf(bins);
    if (reach == 0) {
        for (const core::SpanBin& bin : bins)
            shares.push_back(
                {bin.index, bin.kind, bin.cause, static_cast<double>(bin.cycles.value()) / width});
        return shares;
    }
    // Sums up to each bin, so that a mean is a difference of two.
    std::map<std::pair<core::SpanKind, core::IdleCause>, std::vector<double>> sums;
    std::vector<bool> isFilled(static_cast<std::size_t>(binCount));
    for (const core::SpanBin& bin : bins) {
        auto& sum =
            sums.try_emplace({bin.kind, bin.cause}, static_cast<std::size_t>(binCount) + 1).first->second;
        sum[static_cast<std::size_t>(bin.index) + 1] += static_cast<double>(bin.cycles.value());
        isFilled[static_cast<std::size_t>(bin.index)] = true;
    }
    for (auto& [kind, sum] : sums)
        for (std::size_t i = 1; i < sum.size(); ++i)
            sum[i] += sum[i - 1];
    for (std::int64_t index = 0; index < binCount; ++index) {
        if (!isFilled[static_cast<std::size_t>(index)])
            continue;
        // Only bins that hold anything: beside them spans stand alone, or nothing was recorded.
        std::int64_t from = index;
        std::int64_t to = index + 1;
        while (from > 0 && index - from < reach && isFilled[static_cast<std::size_t>(from - 1)])
            --from;
        while (to < binCount && to - index - 1 < reach && isFilled[static_cast<std::size_t>(to)])
            ++to;
        for (const auto& [kind, sum] : sums) {
            const double cycles = sum[static_cast<std::size_t>(to)] - sum[static_cast<std::size_t>(from)];
            if (cycles > 0)
                shares.push_back(
                    {index, kind.first, kind.second, cycles / (static_cast<double>(to - from) * width)});
        }
    }
    return shares;
}

} // namespace views
