#include "core/profile/analysis/idle_gaps.h"

#include "core/profile/schema/database_trouble.h"
#include "core/profile/spans/first_spans.h"
#include "core/profile/spans/span_reader.h"

#include <algorithm>
#include <optional>

namespace core {

namespace {

/// The pieces as ranges that do not touch: the end of one update and the start of the next may hold the same
/// gap, and a whole one between all.
std::vector<UpdatePiece> apart(std::span<const UpdatePiece> pieces) {
    std::vector<UpdatePiece> sorted(pieces.begin(), pieces.end());
    std::ranges::sort(sorted, {}, &UpdatePiece::from);
    std::vector<UpdatePiece> ranges;
    for (const UpdatePiece& piece : sorted) {
        if (!ranges.empty() && piece.from <= ranges.back().to)
            ranges.back().to = std::max(ranges.back().to, piece.to);
        else
            ranges.push_back(piece);
    }
    return ranges;
}

} // namespace

Result<IdleGaps> idleGapsWithin(const ProfileDatabase& database, RunId run,
                                std::span<const UpdatePiece> pieces, const std::vector<LaneId>& lanes,
                                std::int64_t limit) {
    return guardedPart(database, "idle gaps", [&]() -> Result<IdleGaps> {
        SpanReader reader(database, run);
        FirstSpans longest(limit, IsLongerGap());
        std::int64_t count = 0;
        std::optional<UpdatePiece> before;
        for (const UpdatePiece& piece : apart(pieces)) {
            // The end of the lane's last gap may lie in the range before.
            const auto isNew = [&](const SpanRecord& gap) {
                return !before || gap.start >= before->to || gap.start + gap.duration <= before->from;
            };
            const auto add = [&](const SpanBlock& block, const std::vector<PackedSpan>& spans,
                                 std::size_t index) {
                const PackedSpan& span = spans[index];
                TurnRange turns = turnsInside(block, span, piece.from, piece.to);
                for (; turns.first < turns.last; ++turns.first)
                    if (isNew(reader.record(block, span, turns.first)))
                        break;
                count += std::max<std::int64_t>(0, turns.last - turns.first);
                if (span.duration < longest.leastDuration())
                    return;
                // Later turns are as long, and later.
                for (std::int64_t turn = turns.first; turn < turns.last; ++turn)
                    if (!longest.add(reader.record(block, span, turn), placeOf(block, index, turn)))
                        break;
            };
            for (const LaneId lane : reader.computeLanes())
                if (lanes.empty() || std::ranges::find(lanes, lane) != lanes.end())
                    reader.forEachBlock(lane, piece.from, piece.to,
                                        [&](const SpanBlock& block, const std::vector<PackedSpan>& spans) {
                                            for (std::size_t i = 0; i < spans.size(); ++i)
                                                if (reader.shapeOf(spans[i]).record.kind == SpanKind::Idle)
                                                    add(block, spans, i);
                                        });
            before = piece;
        }
        return IdleGaps{std::move(longest).take(), count};
    });
}

} // namespace core
