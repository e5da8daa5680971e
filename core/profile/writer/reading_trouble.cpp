#include "core/profile/writer/reading_trouble.h"

#include <atomic>
#include <fmt/format.h>
#include <sqlite3.h>

namespace core {

namespace {

/// SQLite's extended result code; 0: none.
std::atomic<int>& firstCode() {
    static std::atomic<int> code = 0;
    return code;
}

void note(void*, int code, const char*) {
    int none = 0;
    const int primary = code & 0xff;
    if (primary == SQLITE_IOERR || primary == SQLITE_CORRUPT)
        firstCode().compare_exchange_strong(none, code);
}

} // namespace

void watchReading() {
    firstCode() = 0;
    // The log hears of every statement that an error ends (https://www.sqlite.org/errlog.html).
    sqlite3_config(SQLITE_CONFIG_LOG, note, nullptr);
}

std::optional<Diagnostic> readingTrouble() {
    const int code = firstCode();
    if (code == 0)
        return std::nullopt;
    const bool isDamaged = (code & 0xff) == SQLITE_CORRUPT || code == SQLITE_IOERR_SHORT_READ;
    return makeError(
        Trouble::World, isDamaged ? "database/damaged" : "database/disk-error", {},
        fmt::format("not all of the profile database could be read ({})", sqlite3_errstr(code)),
        {isDamaged ? "restore a copy of it; `runs` says what is lost" : "check the disk, and try again"});
}

} // namespace core
