#pragma once

#include "core/profile/records/time_records.h"

#include <cstdint>
#include <string>
#include <vector>

namespace core {

/// A part of a step, as the sums of its critical path name it.
struct PathPart {
    enum class What : std::uint8_t {
        Spans,         ///< all work, copies, syncs or host transfers of `kind`
        Streams,       ///< what `cause` says that programs stream, of one stage or, without one, of all
        Stage,         ///< every program of `stage`
        Layer,         ///< the operations of `layer` on `stage`
        BetweenStages, ///< copies, syncs, collectives and the host
        Wait,          ///< nothing works
        Rest,          ///< of no layer
    };

    What what = What::Spans;
    SpanKind kind = SpanKind::Forward;
    IdleCause cause = IdleCause::Imbalance;
    StageId stage = {};
    std::string layer = {};

    bool operator==(const PathPart&) const = default;
};

/// A step simulated again with one part of it faster, all else alike: no part is compiled or placed anew.
struct FasterPart {
    PathPart part;
    Cycles step;
};

/// How long a step takes with one part or another faster.
struct FasterParts {
    /// By which each part takes less time: 0.1.
    double less = 0;
    /// With nothing faster.
    Cycles step;
    /// What nothing can make faster (a wait) is not among them.
    std::vector<FasterPart> parts;

    /// Nothing: not among them.
    [[nodiscard]] const FasterPart* find(const PathPart& part) const;
};

} // namespace core
