#pragma once

#include "core/profile/queries/sql_query.h"
#include "views/profile/time/reference_trace.h"

#include <optional>

namespace views {

/// An answer drawn below the lanes of the timeline. Its columns say how: `start_ns` and `duration_ns` are
/// slices, `start_ns` (or `at_ns`) and `value` a counter that holds until its next row; `lane` or `ipu`
/// divide the rows into lanes (of each run, where there are several); `name`, else `layer` or `kind`, is what
/// a slice is called, `kind` its colour. The same with `_cycles` in place of `_ns`, of a clock with
/// `clockHz`. Rows without a time, and those of more than a hundred lanes, are left out. Nothing where the
/// columns say no times, or no row has one.
[[nodiscard]] std::optional<ReferenceTrace> answerLanes(const core::SqlTable& answer, const QString& name,
                                                        double clockHz);

} // namespace views
