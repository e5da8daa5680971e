#pragma once

#include "core/profile/schema/profile_database.h"

namespace app {

/// What is wrong with a database that could be read (core/profile/queries/damage_report.h), found within some
/// seconds: a verb must not take longer to doubt its numbers than to show them.
[[nodiscard]] core::Diagnostics databaseDamage(const core::ProfileDatabase& database);

} // namespace app
