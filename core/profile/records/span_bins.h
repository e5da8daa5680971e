#pragma once

#include "core/profile/records/time_records.h"

#include <array>
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
    /// The same span again and again, `stride` cycles after each other, `turns` times.
    void addTurns(SpanKind kind, IdleCause cause, Cycles start, Cycles duration, Cycles stride,
                  std::int64_t turns);
    /// Many spans of which only the sums are known: spread evenly over [start, end).
    void addSpread(SpanKind kind, IdleCause cause, Cycles start, Cycles end, Cycles cycles,
                   std::int64_t spans);
    /// In order of index, kind, cause; only what is not 0.
    [[nodiscard]] std::vector<SpanBin> bins() const;

    /// Of any window, without the sums: floor(length · index / count) behind its start.
    [[nodiscard]] static Cycles edgeOf(Cycles from, Cycles to, std::int64_t count, std::int64_t index);
    /// First cycle of bin `index`; of `count`: the end of the window.
    [[nodiscard]] Cycles edge(std::int64_t index) const {
        return Cycles(m_edges[static_cast<std::size_t>(index)]);
    }
    /// The bin that holds the cycle; clamped to the window.
    [[nodiscard]] std::int64_t binOf(Cycles cycle) const;

private:
    struct Sum {
        std::int64_t cycles = 0;
        std::int64_t spans = 0;
    };
    /// The sums of a kind (idle: of a cause) by bin; none where nothing was added.
    using Row = std::vector<Sum>;
    static constexpr std::size_t rowCount = spanKindCount + idleCauseCount - 1;
    [[nodiscard]] Row& rowOf(SpanKind kind, IdleCause cause);

    Cycles m_from;
    Cycles m_to;
    std::int64_t m_count;
    std::vector<std::int64_t> m_edges;
    std::array<Row, rowCount> m_rows;
};

/// Cycles before `time` of a span that comes `turns` times, `stride` after each other.
[[nodiscard]] std::int64_t cyclesBefore(std::int64_t time, std::int64_t start, std::int64_t duration,
                                        std::int64_t stride, std::int64_t turns);

} // namespace core
