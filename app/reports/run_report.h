#pragma once

#include "app/reports/report.h"
#include "core/base/ids.h"
#include "core/profile/records/output_records.h"
#include "core/profile/records/run_records.h"

#include <span>
#include <string>

namespace app {

/// The numbers of a run as the JSON of `run` and `show` tells them; `run` invalid: not stored.
[[nodiscard]] core::Json runJson(std::string_view verb, core::RunId run, const core::RunSummary& summary);

/// The same for people.
[[nodiscard]] std::string runText(core::RunId run, const core::RunSummary& summary);

/// Adds what the run's model gave: as a table to the text, under "outputs" to the JSON. Nothing where it gave
/// nothing.
void addOutputs(std::span<const core::ModelOutputRecord> outputs, Report& report);

} // namespace app
