#pragma once

#include "core/profile/exports/trace_content.h"
#include "core/profile/records/program_records.h"
#include "views/common/theme/theme.h"
#include "views/timeline/painting/timeline_state.h"

#include <QPainter>
#include <QPointF>
#include <QRectF>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace views {

inline constexpr std::size_t depthLevelCount = 3;

/// A piece of a level, in cycles from the start of the program.
struct DepthPiece {
    std::string name;
    core::StepKind kind = core::StepKind::OnTileExecute;
    core::Cycles start;
    core::Cycles duration;
    /// Not a copy on the tiles or a stream, which belong to no layer.
    bool hasOperation = true;
};
/// The pieces of each level in time; neighbours of one name are one piece.
using ProgramDepth = std::array<std::vector<DepthPiece>, depthLevelCount>;
using ProgramDepths = std::map<core::TraceProgram, ProgramDepth>;
/// What is known of each operation of a run, by its name.
using OperationsByName = std::map<std::string, core::OperationRecord>;

[[nodiscard]] core::Result<ProgramDepths> loadProgramDepths(const core::ProfileDatabase& database,
                                                            core::RunId run);
[[nodiscard]] core::Result<OperationsByName> loadOperationsByName(const core::ProfileDatabase& database,
                                                                  core::RunId run);
/// The pieces of a level that begin in [from, to) of the program of a span.
[[nodiscard]] std::vector<DepthPiece> piecesWithin(const ProgramDepths& depths, const core::SpanRecord& span,
                                                   DepthLevel level, core::Cycles from, core::Cycles to);

/// Space of the levels inside the box of a span on a compute lane, below what is left for its label; nothing
/// where it is too low or too narrow for them.
struct DepthBoxes {
    QRectF label;
    std::array<QRectF, depthLevelCount> levels;
};
[[nodiscard]] std::optional<DepthBoxes> depthBoxes(const QRectF& span, const Theme& theme);
/// The least height of a compute lane that has space for them, in px of a theme of scale 1.
inline constexpr double depthHeight = 62;

/// Where the pieces of a span are painted: the pixels of its start and end, and its box cut to the view.
struct DepthPlace {
    const core::SpanRecord* span = nullptr;
    double fromX = 0;
    double toX = 0;
    QRectF rect;
    /// Names begin no further left, where they would not be seen.
    double namesFrom = -1e9;
    /// Layers and operations in colours of their own, not in that of the phase.
    bool isByLayer = false;
};
/// Paints the levels of a span. Layers and operations of these names are framed. False where they are not
/// known or have no space.
bool paintDepth(QPainter& painter, const ProgramDepths& depths, const DepthPlace& place,
                const std::set<std::string>& names, const Theme& theme);

/// The pieces of every level at a point of a span's box, and the level that the point is on.
struct DepthHit {
    std::optional<DepthLevel> level;
    std::array<std::optional<DepthPiece>, depthLevelCount> pieces;
};
[[nodiscard]] std::optional<DepthHit> depthAt(const ProgramDepths& depths, const DepthPlace& place,
                                              const QPointF& point, const Theme& theme);

} // namespace views
