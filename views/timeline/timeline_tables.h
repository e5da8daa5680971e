#pragma once

#include "core/profile/analysis/run_search.h"
#include "core/profile/notes/note_records.h"
#include "core/profile/queries/timeline_queries.h"
#include "views/profile/tables/table_content.h"
#include "views/timeline/painting/timeline_scene.h"

#include <vector>

namespace views {

// The list twins of the timeline: what is painted, as rows.

/// What each lane does in a piece of time, and the sum: busy and classified idle are lanes × duration.
[[nodiscard]] TableContent areaTable(const TimelineFrame& frame,
                                     const std::vector<core::LaneStatistics>& statistics, core::Cycles from,
                                     core::Cycles to, const std::set<std::size_t>& ticked,
                                     const Units& units);
/// "busy + classified idle = 4 × 7 311 µs", or what is missing.
[[nodiscard]] QString areaEquation(const std::vector<core::LaneStatistics>& statistics, core::Cycles from,
                                   core::Cycles to, const UnitChoice& unit);
/// One sentence: the largest cause of idleness in the area.
[[nodiscard]] QString areaReading(const TimelineFrame& frame,
                                  const std::vector<core::LaneStatistics>& statistics, const Units& units);

/// What a search found: layers, operations, blocks of memory, events.
[[nodiscard]] TableContent hitTable(const TimelineFrame& frame, const std::vector<core::SearchHit>& hits,
                                    const Units& units);
/// The notes of a run.
[[nodiscard]] TableContent noteTable(const TimelineFrame& frame, const std::vector<core::NoteRecord>& notes,
                                     const Units& units);
[[nodiscard]] TableContent gapTable(const TimelineFrame& frame, const std::vector<core::SpanRecord>& gaps,
                                    const Units& units);

/// A piece of an area inside one update, and what the compute lanes work there.
struct AreaSpans {
    core::UpdatePiece piece;
    std::vector<core::AreaWork> spans;
};
/// Cycles of each layer inside an area, by phase, longest first: spans that the edges cut count for the part
/// inside, pieces as often as they occur.
[[nodiscard]] TableContent layerTable(const TimelineFrame& frame, const StagePrograms& programs,
                                      const std::vector<AreaSpans>& pieces, const Units& units);

/// Says what the figures of faster parts are.
[[nodiscard]] QString fasterPartsReading(const TimelineFrame& frame, const core::FasterParts& faster,
                                         const Units& units);
/// What the critical path is made of: by kind, stage and layer, each of which sums to the step; with `faster`
/// what the step takes with each of them faster.
[[nodiscard]] TableContent criticalTable(const TimelineFrame& frame, const core::CriticalPath& path,
                                         const core::FasterParts* faster, const Units& units);

/// "Backward, micro-batch 3", "Idle: drain", ….
[[nodiscard]] QString spanTitle(const core::SpanRecord& span);
/// For assistive tools: "Backward, micro-batch 3, stage 1, IPU 1, 1 064 µs".
[[nodiscard]] QString spanSentence(const TimelineFrame& frame, const core::SpanRecord& span,
                                   const Units& units);

} // namespace views
