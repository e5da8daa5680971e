#pragma once

#include "core/profile/records/program_records.h"
#include "core/profile/schema/profile_database.h"
#include "views/common/text/number_text.h"
#include "views/profile/tables/table_content.h"

#include <map>
#include <memory>
#include <vector>

namespace views {

/// The program of a run: its tree and its operations.
struct ProgramData {
    core::RunId run;
    std::vector<core::ProgramStepRecord> steps;
    std::vector<core::OperationRecord> operations;
    /// What each operation takes of a step, however often it runs and is recomputed; nothing for a run
    /// without a timeline.
    std::map<core::OperationId, core::Cycles> perStep;
    double clockHz = 0;
    core::Cycles step;
    std::int64_t microBatches = 1;
    /// Where the stages are.
    std::map<core::StageId, core::IpuId> ipus;

    [[nodiscard]] TimeScale timeScale() const { return {clockHz, step}; }
};

[[nodiscard]] core::Result<ProgramData> loadProgramData(const core::ProfileDatabase& database,
                                                        core::RunId run);

/// Cycles of a step with what is below it, one call. IPUs work beside one another, so each has its own sum.
struct StepTime {
    /// In the order of the IPUs.
    std::vector<std::pair<core::IpuId, core::Cycles>> byIpu;
    /// Of what belongs to no stage: every IPU takes part.
    core::Cycles shared;

    /// Of the IPU that does most; what all share is in it.
    [[nodiscard]] core::Cycles busiest() const;
    void add(const StepTime& other, std::int64_t times);
};

/// Of every step: a Repeat counts its children as often as it runs them, a step with a duration of its own
/// has that.
[[nodiscard]] std::vector<StepTime> stepTimes(const std::vector<core::ProgramStepRecord>& steps,
                                              const std::map<core::StageId, core::IpuId>& ipus);

/// Units of the times and of the exchanged bytes of operations and steps.
[[nodiscard]] UnitChoice operationTimeUnit(const ProgramData& data, const Units& units);
[[nodiscard]] UnitChoice operationByteUnit(const ProgramData& data, const Units& units);

/// One row per operation in order, and their sum.
[[nodiscard]] TableContent operationTable(const ProgramData& data, const Units& units);

/// What is known about one operation: figures, its plan part by part.
[[nodiscard]] TableContent operationDetails(const ProgramData& data, const core::OperationRecord& operation,
                                            const Units& units);

/// "Forward", "Backward", "Recompute", "Update".
[[nodiscard]] QString programPhaseName(core::ProgramPhase phase);

} // namespace views
