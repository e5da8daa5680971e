#pragma once

#include "core/plan/program_alternatives.h"
#include "views/common/text/number_text.h"
#include "views/profile/tables/table_content.h"

namespace views {

/// A row per scheduling algorithm: peak, not always live, fullest tile of the IPU at `ipu` of its list, and
/// by how much its peak differs from the project's own choice.
[[nodiscard]] TableContent schedulerTable(const core::ProgramAlternatives& alternatives, std::size_t ipu,
                                          const Units& units);

/// Graph and eager execution side by side; `clockHz` turns cycles into time, 0: cycles.
[[nodiscard]] TableContent executionTable(const core::ProgramAlternatives& alternatives, const Units& units,
                                          double clockHz);

} // namespace views
