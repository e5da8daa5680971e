#pragma once

#include "core/profile/analysis/counter_queries.h"
#include "core/profile/queries/timeline_queries.h"
#include "views/common/text/number_text.h"
#include "views/profile/time/span_painter.h"
#include "views/profile/time/timeline_viewport.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace views {

enum class FlowMode : std::uint8_t { Selected, All, Off };

/// What the lanes are grouped by: an IPU has a row, or each stage that it runs has one.
enum class LaneGrouping : std::uint8_t { Ipu, Stage };

/// A span in one of the updates.
struct PlacedSpan {
    core::SpanRecord span;
    std::int64_t update = 0;

    bool operator==(const PlacedSpan&) const = default;
};

/// What runs inside a stage program, level below level.
enum class DepthLevel : std::uint8_t { Layer, Operation, Step };

/// A part of what runs inside the program of a span, in cycles from the start of the program.
struct SelectedPiece {
    DepthLevel level = DepthLevel::Layer;
    std::string name;
    core::Cycles start;
    core::Cycles duration;

    bool operator==(const SelectedPiece&) const = default;
};

/// A piece of time on some IPUs (indices of the frame).
struct TimelineArea {
    core::Cycles from;
    core::Cycles to;
    std::set<std::size_t> ipus;

    bool operator==(const TimelineArea&) const = default;
};

struct TimelineMarker {
    core::Cycles at;
    /// Kept until deleted; a marker that is not kept goes with the next one.
    bool isKept = false;
    /// Stored with the run, as every kept marker is.
    std::string text = {};

    bool operator==(const TimelineMarker&) const = default;
};

/// What the user has chosen in a timeline.
struct TimelineState {
    TimelineViewport view;
    SpanColour colour = SpanColour::Phase;
    FlowMode flows = FlowMode::Selected;
    Units units;
    LaneGrouping lanes = LaneGrouping::Ipu;
    std::set<std::size_t> collapsed;
    std::set<std::size_t> pinned;
    /// IPUs that a filter leaves out.
    std::set<std::size_t> hidden;
    /// IPUs whose live bytes are shown.
    std::set<std::size_t> counters{0};
    /// Shown below the lanes of every IPU.
    std::set<core::Counter> rates;
    bool showsReplicas = false;
    bool showsCriticalPath = false;
    /// Activities that the legend isolates; empty: all.
    std::set<Activity> isolated;
    std::optional<PlacedSpan> selected;
    /// The part of it that was clicked, where it shows what runs inside.
    std::optional<SelectedPiece> piece;
    std::optional<std::int64_t> microBatch;
    std::optional<TimelineArea> area;
    std::vector<TimelineMarker> markers;
    /// Layers whose stage programs are emphasised (selected elsewhere).
    std::set<std::pair<core::StageId, core::SpanKind>> highlighted;
    /// Their names, and that of a selected operation, for the pieces inside the stage programs.
    std::set<std::string> layers;
    /// Stage programs are wide enough to show what runs inside them.
    bool isDeep = false;
};

} // namespace views
