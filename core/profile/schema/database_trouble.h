#pragma once

#include "core/base/result.h"
#include "core/profile/schema/profile_database.h"

#include <SQLiteCpp/Exception.h>

// Private to the folder: turns what SQLite throws into diagnostics, so that nothing is thrown across its
// border.

namespace core {

/// What SQLite refused, for people.
[[nodiscard]] Diagnostic databaseTrouble(const std::filesystem::path& path, const SQLite::Exception& error);

/// Runs `work`, which answers a Result, and turns an exception of SQLite into a failure.
template <class Work>
auto guarded(const ProfileDatabase& database, Work&& work) -> decltype(work()) {
    try {
        return work();
    } catch (const SQLite::Exception& error) {
        return failure(databaseTrouble(database.path(), error));
    }
}

} // namespace core
