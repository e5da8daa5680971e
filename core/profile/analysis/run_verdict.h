#pragma once

#include "core/profile/analysis/quantity_words.h"
#include "core/profile/queries/timeline_queries.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

/// What a person asks of a run first.
enum class VerdictQuestion : std::uint8_t {
    Bottleneck, ///< what sets the length of the step
    Idle,       ///< where the time of the IPUs goes that do not work
    Peak,       ///< what fills the memory
    Difference, ///< what it changed against the run before
};
inline constexpr std::size_t verdictQuestionCount = 4;

/// An answer: a short sentence, the figures behind it, and where to look.
struct VerdictClause {
    VerdictQuestion question = VerdictQuestion::Bottleneck;
    std::string headline;
    std::string detail;
    /// Something is wrong: it does not fit.
    bool isTrouble = false;
    /// The evidence, as far as there is some: a stage, an IPU, a span of the timeline, the other run.
    StageId stage;
    IpuId ipu;
    std::optional<SpanRecord> span;
    std::optional<RunId> other;
};

/// The answers about one run, in the order of the questions; every question has one.
struct RunVerdict {
    RunId run;
    std::vector<VerdictClause> clauses;
};

/// Errors: those of `loadRun`.
[[nodiscard]] Result<RunVerdict> loadRunVerdict(const ProfileDatabase& database, RunId run,
                                                const QuantityWords& words);

/// "bottleneck", "idle", "peak", "difference".
[[nodiscard]] std::string_view toString(VerdictQuestion question);

} // namespace core
