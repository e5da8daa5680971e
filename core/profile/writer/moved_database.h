#pragma once

#include "core/profile/schema/profile_database.h"

namespace core {

/// SQLite goes on writing into a file that has lost its name or has another one, where nobody looks for it.
/// Errors: "database/moved".
[[nodiscard]] Result<void> checkPlace(const ProfileDatabase& database);

/// The first name beside the database that is free: NAME.recovered-1.sqlite.
[[nodiscard]] std::filesystem::path recoveredPath(const std::filesystem::path& database);

/// All that a database holds, as a new one beside it. Errors: those of the database.
[[nodiscard]] Result<std::filesystem::path> keepBeside(const ProfileDatabase& database);

} // namespace core
