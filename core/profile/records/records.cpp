#include "core/profile/records/records.h"

#include <array>

namespace core {

namespace {

template <std::size_t Count, class Enum>
std::string_view nameOf(const std::array<std::string_view, Count>& names, Enum value) {
    return names[static_cast<std::size_t>(value)];
}

} // namespace

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

std::string_view toString(LaneKind kind) {
    static constexpr std::array<std::string_view, laneKindCount> names{"compute", "exchange", "sync", "host"};
    return nameOf(names, kind);
}

std::string_view toString(SpanKind kind) {
    static constexpr std::array<std::string_view, spanKindCount> names{
        "forward",       "backward", "recompute", "weight_update", "exchange", "inter_ipu_copy", "all_reduce",
        "remote_memory", "sync",     "infeed",    "outfeed",       "idle",     "weight_gradient"};
    return nameOf(names, kind);
}

std::string_view toString(IdleCause cause) {
    static constexpr std::array<std::string_view, idleCauseCount> names{
        "warm_up", "drain", "imbalance", "transfer", "host", "all_reduce", "serial"};
    return nameOf(names, cause);
}

std::string_view toString(ProgramPhase phase) {
    static constexpr std::array<std::string_view, programPhaseCount> names{
        "forward", "backward", "recompute", "weight_update", "weight_gradient"};
    return nameOf(names, phase);
}

std::string_view toString(StepKind kind) {
    static constexpr std::array<std::string_view, stepKindCount> names{
        "Sequence",   "Repeat",         "Switch",     "Call", "OnTileExecute",
        "DoExchange", "GlobalExchange", "StreamCopy", "Sync"};
    return nameOf(names, kind);
}

std::string_view toString(MemoryCategory category) {
    static constexpr std::array<std::string_view, memoryCategoryCount> names{
        "vertex_code", "vertex_state",    "exchange_code",   "control_code", "constants",
        "stack",       "weights",         "optimizer_state", "accumulators", "stash",
        "host_io",     "message_buffers", "activations",     "temporary"};
    return nameOf(names, category);
}

bool isAlwaysLive(MemoryCategory category) {
    return category != MemoryCategory::Activations && category != MemoryCategory::Temporary &&
           category != MemoryCategory::Stash;
}

std::string_view toString(RunMode mode) {
    static constexpr std::array<std::string_view, 3> names{"train", "evaluate", "predict"};
    return nameOf(names, mode);
}

} // namespace core
