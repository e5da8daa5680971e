#pragma once

#include "app/reports/report.h"
#include "app/reports/report_table.h"
#include "core/base/ids.h"
#include "core/plan/prediction_interval.h"
#include "core/profile/records/output_records.h"
#include "core/profile/records/run_records.h"

#include <span>
#include <string>

namespace app {

/// The numbers of a run as the JSON of `run` and `show` tells them; `run` invalid: not stored.
[[nodiscard]] core::Json runJson(std::string_view verb, core::RunId run, const core::RunSummary& summary);

/// The same for people.
[[nodiscard]] std::string runText(core::RunId run, const core::RunSummary& summary);

/// As every JSON has them under "intervals".
[[nodiscard]] core::Json intervalsJson(const core::PredictedRanges& ranges);
/// "measured, 4 of 5 programs lie within …", a line.
[[nodiscard]] std::string intervalsText(const core::PredictedRanges& ranges);

/// As many as people read, or all that the numbers of JSON have.
enum class Digits : bool { ForPeople, All };

/// The same in a row of a table: columns behind the others, and their cells; of nothing: empty ones.
[[nodiscard]] std::vector<ReportTable::Column> intervalColumns();
[[nodiscard]] std::vector<ReportTable::Cell> intervalCells(const std::optional<core::PredictedRanges>& ranges,
                                                           Digits digits = Digits::ForPeople);

/// Adds what the run's model gave: as a table to the text, under "outputs" to the JSON. Nothing where it gave
/// nothing.
void addOutputs(std::span<const core::ModelOutputRecord> outputs, Report& report);

} // namespace app
