#pragma once

#include "core/profile/records/time_records.h"
#include "core/profile/schema/span_blocks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

// Private to core/profile.

namespace core {

/// Where a span is in its run, so that of equal ones that which was told first comes first.
inline std::uint64_t placeOf(const SpanBlock& block, std::size_t index, std::int64_t turn) {
    constexpr unsigned bits = 12;
    static_assert(mostInBlock <= 1 << bits);
    return (static_cast<std::uint64_t>(block.number) << 2 * bits) |
           (static_cast<std::uint64_t>(turn) << bits) | index;
}

/// Spans in some order, of which only the first are kept.
template <class Before>
class FirstSpans {
public:
    /// Negative: all of them.
    FirstSpans(std::int64_t limit, Before before)
        : m_limit(limit < 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(limit))
        , m_before(before) {}

    /// Of the one that goes next.
    [[nodiscard]] std::int64_t leastDuration() const {
        return m_spans.size() < m_limit || m_spans.empty() ? 0 : m_spans.front().span.duration.value();
    }
    /// Whether it is kept, for now.
    bool add(const SpanRecord& span, std::uint64_t place) {
        const auto isBefore = [this](const Placed& a, const Placed& b) {
            return m_before(a.span, b.span) || (!m_before(b.span, a.span) && a.place < b.place);
        };
        const Placed placed{span, place};
        if (m_spans.size() == m_limit) {
            if (m_limit == 0 || !isBefore(placed, m_spans.front()))
                return false;
            std::ranges::pop_heap(m_spans, isBefore);
            m_spans.pop_back();
        }
        m_spans.push_back(placed);
        if (m_limit != std::numeric_limits<std::size_t>::max())
            std::ranges::push_heap(m_spans, isBefore);
        return true;
    }
    [[nodiscard]] std::vector<SpanRecord> take() && {
        std::ranges::sort(m_spans, [this](const Placed& a, const Placed& b) {
            return m_before(a.span, b.span) || (!m_before(b.span, a.span) && a.place < b.place);
        });
        std::vector<SpanRecord> spans;
        spans.reserve(m_spans.size());
        for (const Placed& placed : m_spans)
            spans.push_back(placed.span);
        return spans;
    }

private:
    struct Placed {
        SpanRecord span;
        std::uint64_t place = 0;
    };
    std::size_t m_limit;
    Before m_before;
    /// The last of them is on top.
    std::vector<Placed> m_spans;
};

/// Whether a gap is longer than another; of equal ones the earlier comes first.
struct IsLongerGap {
    bool operator()(const SpanRecord& a, const SpanRecord& b) const {
        return std::tuple(-a.duration.value(), a.start, a.lane) <
               std::tuple(-b.duration.value(), b.start, b.lane);
    }
};

} // namespace core
