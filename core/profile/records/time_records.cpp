#include "core/profile/records/time_records.h"

#include <array>
#include <cmath>

namespace core {

std::optional<ProgramPhase> programPhaseOf(SpanKind kind) {
    for (std::size_t i = 0; i < programPhaseCount; ++i) {
        const auto phase = static_cast<ProgramPhase>(i);
        if (spanKindOf(phase) == kind)
            return phase;
    }
    return std::nullopt;
}

SpanKind spanKindOf(ProgramPhase phase) {
    static constexpr std::array<SpanKind, programPhaseCount> kinds{
        SpanKind::Forward, SpanKind::Backward, SpanKind::Recompute, SpanKind::WeightUpdate,
        SpanKind::WeightGradient};
    return kinds[static_cast<std::size_t>(phase)];
}

std::int64_t nanoseconds(Cycles cycles, double clockHz) {
    if (clockHz <= 0)
        return 0;
    return std::llround(static_cast<long double>(cycles.value()) * 1e9L / static_cast<long double>(clockHz));
}

std::string_view toString(LaneKind kind) {
    static constexpr std::array<std::string_view, laneKindCount> names{"compute", "remote_memory", "exchange",
                                                                       "sync", "host"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view toString(SpanKind kind) {
    static constexpr std::array<std::string_view, spanKindCount> names{
        "forward",       "backward", "recompute", "weight_update", "exchange", "inter_ipu_copy", "all_reduce",
        "remote_memory", "sync",     "infeed",    "outfeed",       "idle",     "weight_gradient"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view toString(IdleCause cause) {
    static constexpr std::array<std::string_view, idleCauseCount> names{
        "warm_up", "drain", "imbalance", "transfer", "offload", "host", "all_reduce", "serial"};
    return names[static_cast<std::size_t>(cause)];
}

} // namespace core
