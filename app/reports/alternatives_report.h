#pragma once

#include "app/reports/report.h"
#include "core/plan/program_alternatives.h"

namespace app {

/// Scheduling algorithms and ways of executing one model, side by side. In the shape of `compare`: the
/// figures of each alternative in columns, the project's own scheduling algorithm and graph execution as
/// baseline; and the liveness over the program order by algorithm and IPU.
[[nodiscard]] Report alternativesReport(const core::ProgramAlternatives& alternatives);

} // namespace app
