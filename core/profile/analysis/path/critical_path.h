#pragma once

#include "core/profile/analysis/path/path_part.h"
#include "core/profile/queries/program_queries.h"
#include "core/profile/queries/timeline_queries.h"

#include <span>
#include <string>
#include <vector>

namespace core {

/// A link of the chain that makes a step as long as it is: the part of a span that it waited for.
struct CriticalLink {
    SpanRecord span;
    IpuId ipu;
    /// Not all of its span: a part of a step begins or ends in it.
    bool isCut = false;
    /// How often, in a part of several steps.
    std::int64_t times = 1;

    [[nodiscard]] Cycles end() const { return span.start + span.duration; }
};

/// How much later a piece of work could end without the step getting longer.
struct SpanSlack {
    SpanRecord span;
    IpuId ipu;
    Cycles slack;
    bool isCritical = false;
};

/// Cycles of the path by some name, longest first.
struct CriticalShare {
    std::string name;
    /// Of a sum by stage.
    StageId stage;
    Cycles cycles;
    std::int64_t links = 0;
    PathPart part = {};
};

/// The longest chain of work and transfers through one step. Its links follow one another without a gap from
/// 0 to the step's end, so that their sums are the step.
struct CriticalPath {
    Cycles step;
    std::vector<CriticalLink> links;
    /// Of all work of the compute lanes, in order of lane and time.
    std::vector<SpanSlack> slacks;
    std::vector<CriticalShare> byKind;
    /// Work by stage; what happens between stages is one row without a stage.
    std::vector<CriticalShare> byStage;
    /// Work by layer, streams and what happens between stages under names of their own.
    std::vector<CriticalShare> byLayer;
    /// What divides the work of the links by layer.
    StageProgramMap programs;
};

struct CriticalPathInput {
    Cycles step;
    std::vector<LaneRecord> lanes;
    /// Of compute, exchange, sync and host lanes, in order of lane and time.
    std::vector<SpanRecord> spans;
    /// IPUs do not meet at the ends of slots.
    bool isAsynchronous = false;
};

/// Follows the step from its end to its start: what ends where the next link begins. Where several do, the
/// work on the same IPU comes first, then what the wait before the link blames: copies and syncs of a wait
/// for them, else the work of the stage that is blamed. Where nothing ends, the wait itself is a link.
///
/// Slack, where IPUs meet at the end of a slot: until the last of them has done its work of the slot (of the
/// update, for that). Else until the work that needs it, or comes next on the IPU, can wait no longer, copies
/// taking what they took; that a full buffer holds a copy back is not considered, so there it is at most
/// this.
[[nodiscard]] CriticalPath criticalPath(const CriticalPathInput& input, const StageProgramMap& programs);

/// What of the path lies in these pieces (`updatePieces`): links, cut at the ends of the pieces, and their
/// sums. A link that is cut is not divided by layer. The step stays that of the whole path, and slacks are
/// its own.
[[nodiscard]] CriticalPath partOf(const CriticalPath& path, std::span<const UpdatePiece> pieces);

/// What the sums of a path are about, each once.
[[nodiscard]] std::vector<PathPart> partsOf(const CriticalPath& path);

/// Of a stored run. Errors: those of `loadRun` and `loadOutlineSpans`; "run/no-timeline" (Trouble::Input) for
/// a run without spans.
[[nodiscard]] Result<CriticalPath> loadCriticalPath(const ProfileDatabase& database, RunId run);

} // namespace core
