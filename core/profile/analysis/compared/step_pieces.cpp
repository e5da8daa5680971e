#include "core/profile/analysis/compared/step_pieces.h"

#include "core/profile/queries/timeline_queries.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/spans/span_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace core {

namespace {

/// Where each piece ends, by slot or micro-batch, never before the piece in front of it.
using PieceEnds = std::map<std::int64_t, Cycles>;

void keepInOrder(PieceEnds& ends, Cycles step) {
    Cycles latest;
    for (auto& [index, end] : ends)
        latest = end = std::min(step, std::max(latest, end));
}

/// A slot lasts until the next one begins.
PieceEnds slotEnds(const std::vector<SlotTime>& slots, Cycles step) {
    PieceEnds ends;
    for (std::size_t i = 0; i < slots.size(); ++i)
        ends[slots[i].slot] = i + 1 < slots.size() ? slots[i + 1].start : slots[i].end;
    keepInOrder(ends, step);
    return ends;
}

/// A micro-batch lasts until the last forward or backward work on it ends. Weight gradients may be put off.
Result<PieceEnds> microBatchEnds(const ProfileDatabase& database, RunId run, Cycles step) {
    return guardedPart(database, timelineEvents, [&]() -> Result<PieceEnds> {
        SpanReader reader(database, run);
        PieceEnds ends;
        const auto isWork = [](const ReadShape& shape) {
            const SpanKind kind = shape.record.kind;
            return shape.hasMicroBatch && (kind == SpanKind::Forward || kind == SpanKind::Backward);
        };
        for (const LaneId lane : reader.computeLanes())
            reader.forEachBlock(lane, [&](const SpanBlock& block, const std::vector<PackedSpan>& spans) {
                for (const PackedSpan& span : spans) {
                    for (std::int64_t turn = 0; isWork(reader.shapeOf(span)) && turn < block.turns; ++turn) {
                        Cycles& end = ends[span.microBatch + turn * block.microBatchStride];
                        end = std::max(end, Cycles(span.start + span.duration + turn * block.strideCycles));
                    }
                }
            });
        keepInOrder(ends, step);
        return ends;
    });
}

bool haveSameSlots(const RunComparison& comparison, const std::vector<PieceEnds>& ends) {
    const auto isSame = [](const auto& one, const auto& other) { return one.first == other.first; };
    for (std::size_t run = 0; run < ends.size(); ++run)
        if (comparison.summaries[run].provenance.schedule != comparison.summaries[0].provenance.schedule ||
            !std::ranges::equal(ends[run], ends[0], isSame))
            return false;
    return true;
}

/// Puts the pieces of a run where they belong; what is behind the last one, last.
void place(const PieceEnds& ends, std::size_t run, const RunComparison& comparison,
           std::map<std::int64_t, ComparedPiece>& pieces, ComparedPiece& rest) {
    const RunSummary& summary = comparison.summaries[run];
    const double hz = summary.provenance.clockHz;
    const double baseHz = comparison.summaries[comparison.baseline].provenance.clockHz;
    Cycles from;
    const auto put = [&](ComparedPiece& piece, std::int64_t index, Cycles end) {
        piece.index = index;
        piece.places.resize(comparison.runs.size());
        piece.lengths.resize(comparison.runs.size());
        piece.places[run] = {from, end};
        // Differences of converted places, so that they add up to the converted step.
        piece.lengths[run] = inOtherClock(end, hz, baseHz) - inOtherClock(from, hz, baseHz);
        from = end;
    };
    for (const auto& [index, end] : ends)
        put(pieces[index], index, end);
    put(rest, -1, summary.step);
}

} // namespace

std::string ComparedPieces::name(const ComparedPiece& piece) const {
    if (piece.index < 0)
        return isTraining ? "weight update" : "end of the step";
    return fmt::format("{} {}", cut == StepCut::Slots ? "slot" : "micro-batch", piece.index);
}

Result<ComparedPieces> comparePieces(const ProfileDatabase& database, const RunComparison& comparison) {
    std::vector<PieceEnds> ends;
    for (std::size_t run = 0; run < comparison.runs.size(); ++run) {
        const auto lanes = loadLanes(database, comparison.runs[run]);
        if (!lanes)
            return failure(lanes.error());
        if (lanes->empty())
            return ComparedPieces();
        const auto slots = loadSlots(database, comparison.runs[run]);
        if (!slots)
            return failure(slots.error());
        ends.push_back(slotEnds(*slots, comparison.summaries[run].step));
    }
    ComparedPieces compared;
    if (!haveSameSlots(comparison, ends)) {
        compared.cut = StepCut::MicroBatches;
        for (std::size_t run = 0; run < comparison.runs.size(); ++run) {
            auto found = microBatchEnds(database, comparison.runs[run], comparison.summaries[run].step);
            if (!found)
                return failure(found.error());
            ends[run] = *std::move(found);
        }
    }
    std::map<std::int64_t, ComparedPiece> pieces;
    ComparedPiece rest;
    for (std::size_t run = 0; run < comparison.runs.size(); ++run) {
        place(ends[run], run, comparison, pieces, rest);
        compared.isTraining =
            compared.isTraining && comparison.summaries[run].provenance.mode == RunMode::Train;
    }
    for (auto& [index, piece] : pieces)
        compared.pieces.push_back(std::move(piece));
    if (std::ranges::any_of(rest.lengths, [](Cycles length) { return length.value() != 0; }))
        compared.pieces.push_back(std::move(rest));
    return compared;
}

} // namespace core
