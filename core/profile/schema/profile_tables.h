#pragma once

#include "core/profile/schema/table.h"

#include <span>

namespace core {

// The tables and views of a profile database; the rows of their columns are in the files named after their
// subject. Conventions: the unit ends a column's name (`_cycles`, `_bytes`); NULL stands for "none applies";
// every table of a run starts its key with `run_id` and goes with its run. Views (`v_…`) speak names instead
// of numbers and are what people and scripts query.

/// Every table of records. The two of `run` are two parts of one table.
[[nodiscard]] std::span<const TableText> recordTables();
/// In an order in which each uses only those before it.
[[nodiscard]] std::vector<ViewText> profileViews();
/// Texts, snapshots of projects and the index: what holds no records.
extern const std::string_view supportTablesSql;

/// The tables that a version added, as they were published. Never changed: files of the version before it
/// still come.
extern const std::string_view addedByVersion2Sql;
extern const std::string_view addedByVersion3Sql;

} // namespace core
