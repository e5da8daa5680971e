#pragma once

#include "core/profile/exports/trace_comparison.h"
#include "views/profile/tables/table_content.h"

#include <vector>

namespace views {

/// What lasts how long in a run and in a trace of another program: a row per lane and name.
[[nodiscard]] TableContent traceTable(const std::vector<core::ComparedEvents>& events, const QString& run,
                                      const QString& trace);

} // namespace views
