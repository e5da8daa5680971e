#pragma once

#include "core/base/ids.h"
#include "core/profile/queries/sql_query.h"

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Comma, CRLF, texts as `csvField`; a header line; whole numbers and the shortest reals that read
/// back the same; NULL is an empty field.
[[nodiscard]] std::string toCsv(const SqlTable& table);

/// Names of the tables that a run exports: "spans", "operations", "idle", ….
[[nodiscard]] std::vector<std::string> exportTableNames();
/// The rows of one run of such a table, with the documented view's columns but for the run. Errors:
/// "export/unknown-table" (Trouble::Usage) with the nearest name; "run/no-timeline" (Trouble::Input) where a
/// table of the timeline is asked of a run that was recorded without one.
[[nodiscard]] Result<SqlTable> exportTable(const ProfileDatabase& database, RunId run,
                                           std::string_view table);

} // namespace core
