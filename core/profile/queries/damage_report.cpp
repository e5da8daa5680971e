#include "core/profile/queries/damage_report.h"

#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/profile_schema.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/core.h>
#include <sqlite3.h>

namespace core {

namespace {

constexpr int mostDamages = 5;

int askWhetherLate(void* isLate) {
    return (*static_cast<const std::function<bool()>*>(isLate))() ? 1 : 0;
}

/// Stops statements of the connection when it is late.
class Patience {
public:
    Patience(sqlite3* handle, const std::function<bool()>& isLate)
        : m_handle(handle)
        , m_isLate(isLate) {
        constexpr int instructionsBetweenLooks = 1000;
        if (m_isLate)
            sqlite3_progress_handler(m_handle, instructionsBetweenLooks, askWhetherLate, &m_isLate);
    }
    ~Patience() { sqlite3_progress_handler(m_handle, 0, nullptr, nullptr); }
    Patience(const Patience&) = delete;
    Patience& operator=(const Patience&) = delete;

private:
    sqlite3* m_handle;
    std::function<bool()> m_isLate;
};

Diagnostic warningOf(const ProfileDatabase& database, std::string code, std::string place,
                     std::string message, std::string hint) {
    return makeWarning(Trouble::World, std::move(code), {database.path().string(), std::move(place)},
                       std::move(message), {std::move(hint)});
}

Diagnostic damage(const ProfileDatabase& database, std::string place, std::string message) {
    return warningOf(database, "database/damaged", std::move(place), std::move(message),
                     "what can be read is shown; restore a copy, or move the file away and run again");
}

/// "ok", or a line per page that is wrong.
void findPages(const ProfileDatabase& database, Diagnostics& found) {
    SQLite::Statement check(database.connection(), fmt::format("PRAGMA quick_check({})", mostDamages));
    while (check.executeStep()) {
        std::string line = check.getColumn(0).getString();
        while (!line.empty()) {
            const std::size_t end = std::min(line.find('\n'), line.size());
            const std::string one = line.substr(0, end);
            line.erase(0, end + 1);
            if (one != "ok" && !one.starts_with("***"))
                found.push_back(damage(database, "", fmt::format("the file is damaged: {}", one)));
        }
    }
}

/// Rows that name others which are not there, by table.
void findLostRows(const ProfileDatabase& database, Diagnostics& found) {
    SQLite::Statement check(
        database.connection(),
        "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check() GROUP BY 1, 2");
    while (check.executeStep())
        found.push_back(damage(database, check.getColumn(0).getString(),
                               fmt::format("{} rows of the table {} name rows of {} that are missing",
                                           check.getColumn(2).getInt64(), check.getColumn(0).getString(),
                                           check.getColumn(1).getString())));
}

} // namespace

Diagnostics damageOf(const ProfileDatabase& database, const std::function<bool()>& isLate) {
    Diagnostics found;
    const auto look = [&](auto&& find) {
        try {
            find(database, found);
        } catch (const SQLite::Exception& error) {
            // Late, or so damaged that even the check ends.
            if ((error.getErrorCode() & 0xff) != SQLITE_INTERRUPT)
                found.push_back(damage(database, "", fmt::format("the file is damaged: {}", error.what())));
        }
    };
    const Patience patience(database.connection().getHandle(), isLate);
    found = newerVersionOf(database);
    look(findPages);
    look(findLostRows);
    return found;
}

Diagnostics newerVersionOf(const ProfileDatabase& database) {
    const auto version = guarded(database, [&]() -> Result<int> {
        return database.connection().execAndGet("PRAGMA user_version").getInt();
    });
    if (!version || *version <= profileSchemaVersion())
        return {};
    return {warningOf(database, "database/newer-version", "",
                      fmt::format("a newer program made the profile database (version {}; this one "
                                  "knows {}): it is only read, and may hold more than is shown",
                                  *version, profileSchemaVersion()),
                      "use the newer program")};
}

} // namespace core
