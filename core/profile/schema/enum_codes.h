#pragma once

#include "core/base/diagnostic.h"
#include "core/profile/records/program_records.h"
#include "core/profile/records/run_records.h"
#include "core/profile/records/sweep_records.h"
#include "core/profile/records/time_records.h"
#include "core/profile/records/training_records.h"
#include "core/profile/schema/run_state.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

// Private to the folder: the numbers that stand for enumeration values in a profile database. Files are full
// of them, so a row is never changed or removed; a new value is appended with the next number, wherever its
// enumerator has in C++. `tests/core/profile/golden/enum_codes.txt` holds the published rows.

namespace core {

template <class Enum>
struct EnumCode {
    Enum value;
    std::int64_t code;
};
template <class Enum>
EnumCode(Enum, int) -> EnumCode<Enum>;

/// `table`: the enum table that names the codes for people; empty where there is none. `rows`: in order of
/// code.
template <class Enum>
struct StoredEnum;

template <>
struct StoredEnum<RunState> {
    static constexpr std::string_view table = "run_state";
    static constexpr std::array rows{
        EnumCode{RunState::Recording, 0}, EnumCode{RunState::Complete, 1},    EnumCode{RunState::Failed, 2},
        EnumCode{RunState::Cancelled, 3}, EnumCode{RunState::Interrupted, 4},
    };
};

template <>
struct StoredEnum<RunMode> {
    static constexpr std::string_view table = "run_mode";
    static constexpr std::array rows{
        EnumCode{RunMode::Train, 0},
        EnumCode{RunMode::Evaluate, 1},
        EnumCode{RunMode::Predict, 2},
    };
};

template <>
struct StoredEnum<LaneKind> {
    static constexpr std::string_view table = "lane_kind";
    static constexpr std::array rows{
        EnumCode{LaneKind::Compute, 0}, EnumCode{LaneKind::Exchange, 1},     EnumCode{LaneKind::Sync, 2},
        EnumCode{LaneKind::Host, 3},    EnumCode{LaneKind::RemoteMemory, 4},
    };
};

template <>
struct StoredEnum<SpanKind> {
    static constexpr std::string_view table = "span_kind";
    static constexpr std::array rows{
        EnumCode{SpanKind::Forward, 0},
        EnumCode{SpanKind::Backward, 1},
        EnumCode{SpanKind::Recompute, 2},
        EnumCode{SpanKind::WeightUpdate, 3},
        EnumCode{SpanKind::Exchange, 4},
        EnumCode{SpanKind::InterIpuCopy, 5},
        EnumCode{SpanKind::AllReduce, 6},
        EnumCode{SpanKind::RemoteMemory, 7},
        EnumCode{SpanKind::Sync, 8},
        EnumCode{SpanKind::Infeed, 9},
        EnumCode{SpanKind::Outfeed, 10},
        EnumCode{SpanKind::Idle, 11},
        EnumCode{SpanKind::WeightGradient, 12},
    };
};

template <>
struct StoredEnum<IdleCause> {
    static constexpr std::string_view table = "idle_cause";
    static constexpr std::array rows{
        EnumCode{IdleCause::WarmUp, 0},   EnumCode{IdleCause::Drain, 1},   EnumCode{IdleCause::Imbalance, 2},
        EnumCode{IdleCause::Transfer, 3}, EnumCode{IdleCause::Host, 4},    EnumCode{IdleCause::AllReduce, 5},
        EnumCode{IdleCause::Serial, 6},   EnumCode{IdleCause::Offload, 7},
    };
};

template <>
struct StoredEnum<ProgramPhase> {
    static constexpr std::string_view table = "program_phase";
    static constexpr std::array rows{
        EnumCode{ProgramPhase::Forward, 0},        EnumCode{ProgramPhase::Backward, 1},
        EnumCode{ProgramPhase::Recompute, 2},      EnumCode{ProgramPhase::WeightUpdate, 3},
        EnumCode{ProgramPhase::WeightGradient, 4},
    };
};

template <>
struct StoredEnum<StepKind> {
    static constexpr std::string_view table = "step_kind";
    static constexpr std::array rows{
        EnumCode{StepKind::Sequence, 0},       EnumCode{StepKind::Repeat, 1},
        EnumCode{StepKind::Switch, 2},         EnumCode{StepKind::Call, 3},
        EnumCode{StepKind::OnTileExecute, 4},  EnumCode{StepKind::DoExchange, 5},
        EnumCode{StepKind::GlobalExchange, 6}, EnumCode{StepKind::StreamCopy, 7},
        EnumCode{StepKind::Sync, 8},
    };
};

template <>
struct StoredEnum<MemoryCategory> {
    static constexpr std::string_view table = "memory_category";
    static constexpr std::array rows{
        EnumCode{MemoryCategory::VertexCode, 0},   EnumCode{MemoryCategory::VertexState, 1},
        EnumCode{MemoryCategory::ExchangeCode, 2}, EnumCode{MemoryCategory::ControlCode, 3},
        EnumCode{MemoryCategory::Constants, 4},    EnumCode{MemoryCategory::Stack, 5},
        EnumCode{MemoryCategory::Weights, 6},      EnumCode{MemoryCategory::OptimizerState, 7},
        EnumCode{MemoryCategory::Accumulators, 8}, EnumCode{MemoryCategory::Stash, 9},
        EnumCode{MemoryCategory::HostIo, 10},      EnumCode{MemoryCategory::MessageBuffers, 11},
        EnumCode{MemoryCategory::Activations, 12}, EnumCode{MemoryCategory::Temporary, 13},
    };
};

template <>
struct StoredEnum<TrainedTensorKind> {
    static constexpr std::string_view table = "trained_tensor_kind";
    static constexpr std::array rows{
        EnumCode{TrainedTensorKind::Weight, 0},
        EnumCode{TrainedTensorKind::Gradient, 1},
    };
};

template <>
struct StoredEnum<SweepPointState> {
    static constexpr std::string_view table = "sweep_point_state";
    static constexpr std::array rows{
        EnumCode{SweepPointState::Fits, 0},
        EnumCode{SweepPointState::DoesNotFit, 1},
        EnumCode{SweepPointState::Refused, 2},
        EnumCode{SweepPointState::Failed, 3},
    };
};

template <>
struct StoredEnum<Severity> {
    static constexpr std::string_view table = "severity";
    static constexpr std::array rows{
        EnumCode{Severity::Note, 0},
        EnumCode{Severity::Warning, 1},
        EnumCode{Severity::Error, 2},
    };
};

template <>
struct StoredEnum<Trouble> {
    static constexpr std::string_view table{};
    static constexpr std::array rows{
        EnumCode{Trouble::Negative, 0}, EnumCode{Trouble::Usage, 1},    EnumCode{Trouble::Input, 2},
        EnumCode{Trouble::World, 3},    EnumCode{Trouble::Internal, 4}, EnumCode{Trouble::Interrupted, 5},
    };
};

static_assert(StoredEnum<RunState>::rows.size() == runStateCount);
static_assert(StoredEnum<RunMode>::rows.size() == runModeCount);
static_assert(StoredEnum<LaneKind>::rows.size() == laneKindCount);
static_assert(StoredEnum<SpanKind>::rows.size() == spanKindCount);
static_assert(StoredEnum<IdleCause>::rows.size() == idleCauseCount);
static_assert(StoredEnum<ProgramPhase>::rows.size() == programPhaseCount);
static_assert(StoredEnum<StepKind>::rows.size() == stepKindCount);
static_assert(StoredEnum<MemoryCategory>::rows.size() == memoryCategoryCount);
static_assert(StoredEnum<TrainedTensorKind>::rows.size() == trainedTensorKindCount);
static_assert(StoredEnum<SweepPointState>::rows.size() == sweepPointStateCount);

/// Calls `visit` with a value of each stored enumeration, to walk their rows.
template <class Visit>
void forEachStoredEnum(Visit visit) {
    visit(RunState());
    visit(RunMode());
    visit(LaneKind());
    visit(SpanKind());
    visit(IdleCause());
    visit(ProgramPhase());
    visit(StepKind());
    visit(MemoryCategory());
    visit(TrainedTensorKind());
    visit(SweepPointState());
    visit(Severity());
    visit(Trouble());
}

namespace detail {

/// Codes by the value of the enumerator. Enumerators without a row, rows out of order and codes given twice
/// do not compile.
template <class Enum>
consteval auto codesByEnumerator() {
    std::array<std::int64_t, StoredEnum<Enum>::rows.size()> codes{};
    codes.fill(-1);
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const EnumCode<Enum>& row = StoredEnum<Enum>::rows[i];
        if (row.code != static_cast<std::int64_t>(i))
            throw "the codes of an enumeration are 0, 1, 2, …, in order";
        std::int64_t& code = codes.at(static_cast<std::size_t>(row.value));
        if (code >= 0)
            throw "an enumerator has two codes";
        code = row.code;
    }
    return codes;
}

} // namespace detail

/// The number that stands for the value in a database.
template <class Enum>
constexpr std::int64_t codeOf(Enum value) {
    constexpr auto codes = detail::codesByEnumerator<Enum>();
    return codes[static_cast<std::size_t>(value)];
}

/// Nothing for a code that this program does not know.
template <class Enum>
constexpr std::optional<Enum> enumOf(std::int64_t code) {
    constexpr const auto& rows = StoredEnum<Enum>::rows;
    return code >= 0 && code < static_cast<std::int64_t>(rows.size())
               ? std::optional(rows[static_cast<std::size_t>(code)].value)
               : std::nullopt;
}

} // namespace core
