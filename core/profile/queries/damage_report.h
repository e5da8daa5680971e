#pragma once

#include "core/base/job_context.h"
#include "core/profile/schema/profile_database.h"

#include <functional>

namespace core {

/// What a person has to know about a file before its numbers are trusted, each a warning (Trouble::World)
/// with the place: "database/damaged" for pages and rows that do not hold together (SQLite's quick check,
/// which reads the whole file, and references that lead nowhere), "database/newer-version" where a newer
/// program made the file. `isLate` ends the search; what was found until then is reported.
[[nodiscard]] Diagnostics damageOf(const ProfileDatabase& database, const std::function<bool()>& isLate = {});

/// The last of these alone, which costs nothing: for whoever shows a part of the file.
[[nodiscard]] Diagnostics newerVersionOf(const ProfileDatabase& database);

} // namespace core
