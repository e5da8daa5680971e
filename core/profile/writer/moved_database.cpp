#include "core/profile/writer/moved_database.h"

#include "core/profile/schema/database_trouble.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/core.h>
#include <sqlite3.h>

namespace core {

Result<void> checkPlace(const ProfileDatabase& database) {
    int hasMoved = 0;
    sqlite3_file_control(database.connection().getHandle(), "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved);
    if (hasMoved == 0)
        return {};
    return failure(makeError(
        Trouble::World, "database/moved", {database.path().string(), ""},
        "the profile database was deleted, renamed or replaced while the program used it",
        {"leave the file in its place meanwhile; the results are stored beside it where that can be"}));
}

std::filesystem::path recoveredPath(const std::filesystem::path& database) {
    std::error_code error;
    for (int number = 1;; ++number) {
        std::filesystem::path path =
            database.parent_path() / fmt::format("{}.recovered-{}.sqlite", database.stem().string(), number);
        if (!std::filesystem::exists(path, error))
            return path;
    }
}

Result<std::filesystem::path> keepBeside(const ProfileDatabase& database) {
    const std::filesystem::path path = recoveredPath(database.path());
    return guarded(database, [&]() -> Result<std::filesystem::path> {
        SQLite::Statement copy(database.connection(), "VACUUM INTO ?");
        copy.bind(1, path.string());
        copy.exec();
        return path;
    });
}

} // namespace core
