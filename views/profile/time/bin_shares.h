#pragma once

#include "core/profile/records/span_bins.h"

#include <cstdint>
#include <vector>

namespace views {

/// How much of a bin of a lane one kind of span (idle: one cause) takes.
struct BinShare {
    std::int64_t index = 0;
    core::SpanKind kind = core::SpanKind::Forward;
    core::IdleCause cause = core::IdleCause::Imbalance;
    /// 0 … 1 of the bin.
    double share = 0;
};

/// The bins of a picture in which spans are too small to be told apart. Where a bin holds a few spans only,
/// its share depends on how the edges of the bins meet those of the spans: regular slots would look like
/// waves of changing load. So each bin shows the mean of as many around it as hold enough spans to be even.
/// `width`: cycles of a bin, a real number since bins are only nearly equal. In order of the index.
[[nodiscard]] std::vector<BinShare> binShares(const std::vector<core::SpanBin>& bins, std::int64_t binCount,
                                              double width);

} // namespace views
