#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace SQLite {
class Database;
}

namespace core {

enum class DatabaseAccess : std::uint8_t {
    ReadOnly,  ///< an existing file; its runs are never changed
    ReadWrite, ///< makes the file when there is none
};

/// How SQLite keeps a new file whole while it is written; a file that exists stays as it was made.
enum class DatabaseJournal : std::uint8_t {
    WriteAhead, ///< readers never wait; every program that has it open is on one machine
    Rollback,   ///< by locks of the file alone, so that it may lie on a network file system
                ///< (sqlite.org/wal.html)
};

struct DatabaseOptions {
    DatabaseAccess access = DatabaseAccess::ReadWrite;
    /// How long to wait for another program that writes.
    int busyTimeoutMs = 5000;
    DatabaseJournal journal = DatabaseJournal::WriteAhead;
    /// For looking: questions answer with what is left beside damaged pages, and `takeLosses` names what is
    /// lost. Else a damaged page is a failure.
    bool keepsWhatIsLeft = false;
};

/// An open profile database: one file, one connection, used by one thread at a time. Queries are free
/// functions beside this class (`run_queries.h`, `timeline_queries.h`, …), by subject.
class ProfileDatabase {
public:
    /// Opens `path`. All errors are Trouble::World: "database/missing" (read only), "database/is-a-folder",
    /// "database/foreign" (another program's file), "database/damaged", "database/newer-version",
    /// "database/locked", "database/read-only", "database/cannot-open". A file of an older version is brought
    /// up to date; one that cannot be written is shown through a copy in memory that is. Opening for writing
    /// marks runs whose process died as interrupted.
    [[nodiscard]] static Result<ProfileDatabase> open(const std::filesystem::path& path,
                                                      const DatabaseOptions& options = {});

    ProfileDatabase(ProfileDatabase&&) noexcept;
    ProfileDatabase& operator=(ProfileDatabase&&) noexcept;
    ~ProfileDatabase();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] SQLite::Database& connection() const { return *m_connection; }

    [[nodiscard]] bool keepsWhatIsLeft() const { return m_losses != nullptr; }
    /// Of a part of what was asked, for people: "tiles".
    void noteLoss(std::string_view part) const;
    /// What questions lost since this was asked last.
    [[nodiscard]] std::vector<std::string> takeLosses() const;

private:
    static Result<ProfileDatabase> openConnection(const std::filesystem::path& path,
                                                  const DatabaseOptions& options, bool writes);
    ProfileDatabase(std::filesystem::path path, std::unique_ptr<SQLite::Database> connection);

    std::filesystem::path m_path;
    std::unique_ptr<SQLite::Database> m_connection;
    /// Null where a damaged page is a failure.
    std::unique_ptr<std::vector<std::string>> m_losses;
};

/// `NAME.profiles.sqlite` beside the project file `NAME.ipuproj`.
[[nodiscard]] std::filesystem::path defaultDatabasePath(const std::filesystem::path& project);

/// Takes a database away with the files that SQLite keeps beside it, as far as they are there.
void removeDatabase(const std::filesystem::path& path);

} // namespace core
