#pragma once

#include "core/profile/records/program_records.h"
#include "core/profile/schema/profile_database.h"
#include "views/common/text/number_text.h"
#include "views/profile/tables/table_content.h"

#include <memory>
#include <vector>

namespace views {

/// The program of a run: its tree and its operations.
struct ProgramData {
    core::RunId run;
    std::vector<core::ProgramStepRecord> steps;
    std::vector<core::OperationRecord> operations;
    double clockHz = 0;
    core::Cycles step;
    std::int64_t microBatches = 1;

    [[nodiscard]] TimeScale timeScale() const { return {clockHz, step}; }
};

[[nodiscard]] core::Result<ProgramData> loadProgramData(const core::ProfileDatabase& database,
                                                        core::RunId run);

/// Cycles of a step with what is below it, one call: a Repeat counts its children as often as it runs them. A
/// step with a duration of its own has that.
[[nodiscard]] std::vector<core::Cycles> totalsOf(const std::vector<core::ProgramStepRecord>& steps);

/// One row per operation in order, and their sum.
[[nodiscard]] TableContent operationTable(const ProgramData& data, const Units& units);

/// What is known about one operation: figures, its plan part by part.
[[nodiscard]] TableContent operationDetails(const ProgramData& data, const core::OperationRecord& operation,
                                            const Units& units);

/// "Forward", "Backward", "Recompute", "Update".
[[nodiscard]] QString programPhaseName(core::ProgramPhase phase);

} // namespace views
