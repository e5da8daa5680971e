#pragma once

#include "core/profile/records/time_records.h"

#include <map>
#include <span>
#include <vector>

namespace core {

/// What happened in one part of a lane: the cycles of one kind of span (idle: of one cause) inside the part,
/// and how many spans begin in it.
struct SpanBin {
    std::int64_t index = 0;
    SpanKind kind = SpanKind::Forward;
    IdleCause cause = IdleCause::Imbalance;
    Cycles cycles;
    std::int64_t spans = 0;

    bool operator==(const SpanBin&) const = default;
};

/// Sums spans over `count` nearly equal parts of [from, to), exactly: the cycles of all bins are the cycles
/// of the added spans inside the window.
class SpanBinner {
public:
    /// `to` > `from`, `count` > 0.
    SpanBinner(Cycles from, Cycles to, std::int64_t count);

    void add(SpanKind kind, IdleCause cause, Cycles start, Cycles duration, std::int64_t spans = 1);
    /// In order of index, kind, cause; only what is not 0.
    [[nodiscard]] std::vector<SpanBin> bins() const;

    /// First cycle of bin `index`; of `count`: the end of the window.
    [[nodiscard]] Cycles edge(std::int64_t index) const;
    /// The bin that holds the cycle; clamped to the window.
    [[nodiscard]] std::int64_t binOf(Cycles cycle) const;

private:
    struct Key {
        std::int64_t index;
        SpanKind kind;
        IdleCause cause;
        auto operator<=>(const Key&) const = default;
    };
    SpanBin& at(std::int64_t index, SpanKind kind, IdleCause cause);

    Cycles m_from;
    Cycles m_to;
    std::int64_t m_count;
    std::map<Key, SpanBin> m_bins;
    SpanBin* m_last = nullptr;
};

/// Stored summaries divide an update into this many parts …
inline constexpr std::int64_t storedBinCount = 4096;
/// … for lanes with at least this many spans.
inline constexpr std::size_t storedBinsFromSpans = 32768;

struct StoredSpanBin {
    LaneId lane;
    SpanBin bin;
};

/// The bins that a run of these spans keeps; none for lanes of moderate length.
[[nodiscard]] std::vector<StoredSpanBin> storedSpanBins(std::span<const SpanRecord> spans, Cycles step);

} // namespace core
