#include "core/profile/schema/profile_database.h"

#include "core/base/file.h"
#include "core/platform/process_identity.h"
#include "core/platform/work_scope.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/enum_codes.h"
#include "core/profile/schema/profile_schema.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <optional>
#include <span>
#include <sqlite3.h>
#include <string_view>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace core {

namespace {

Diagnostic worldTrouble(const fs::path& path, std::string code, std::string message, std::string hint) {
    return makeError(Trouble::World, std::move(code), {path.string(), ""}, std::move(message),
                     {std::move(hint)});
}

/// The path as a URI with `?immutable=1`: the only way SQLite reads a file in WAL mode whose folder it may
/// not write.
std::string immutableUri(const fs::path& path) {
    std::string uri = "file:";
    for (const char c : fs::absolute(path).string()) {
        const bool isPlain =
            std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.' || c == '-' || c == '_';
        uri += isPlain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return uri + "?immutable=1";
}

/// The longest value that is read: far above any that this program writes.
constexpr int longestValueBytes = 512 << 20;

/// A file may come from anybody: its triggers do not run, its views and defaults call nothing but harmless
/// functions, and nothing changes its schema behind SQLite's back.
std::unique_ptr<SQLite::Database> guardedConnection(const std::string& name, int mode, int timeout = 0) {
    auto connection = std::make_unique<SQLite::Database>(name, mode, timeout);
    for (const auto& [option, value] :
         {std::pair{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, std::pair{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
          std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1}})
        sqlite3_db_config(connection->getHandle(), option, value, nullptr);
    sqlite3_limit(connection->getHandle(), SQLITE_LIMIT_LENGTH, longestValueBytes);
    return connection;
}

int pragma(SQLite::Database& connection, const std::string& name) {
    return connection.execAndGet("PRAGMA " + name).getInt();
}

bool isEmpty(SQLite::Database& connection) {
    return pragma(connection, "application_id") == 0 && pragma(connection, "user_version") == 0 &&
           connection.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0;
}

/// Reads and never writes. A connection that may write takes the files of the WAL away when the last one
/// closes, which one that only reads leaves behind; so it may, and is asked not to. A file that can be read
/// but not written, in a folder likewise, opens as immutable.
std::unique_ptr<SQLite::Database> openReadOnly(const fs::path& path, int timeout) {
    for (const int mode : {SQLite::OPEN_READWRITE, SQLite::OPEN_READONLY}) {
        try {
            auto connection = guardedConnection(path.string(), mode, timeout);
            connection->exec("PRAGMA query_only = ON");
            pragma(*connection, "user_version");
            return connection;
        } catch (const SQLite::Exception& error) {
            const int primary = error.getErrorCode() & 0xff;
            if (primary != SQLITE_CANTOPEN && primary != SQLITE_READONLY)
                throw;
        }
    }
    return guardedConnection(immutableUri(path), SQLite::OPEN_READONLY | SQLite::OPEN_URI, timeout);
}

std::unique_ptr<SQLite::Database> connect(const fs::path& path, const DatabaseOptions& options) {
    if (options.access == DatabaseAccess::ReadOnly)
        return openReadOnly(path, options.busyTimeoutMs);
    return guardedConnection(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                             options.busyTimeoutMs);
}

/// Another process may have made the schema between our look and our transaction, so the look is repeated
/// inside.
void makeSchema(SQLite::Database& connection, DatabaseJournal journal) {
    // These two only take effect outside a transaction and before the first table.
    connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
    if (journal == DatabaseJournal::WriteAhead)
        connection.exec("PRAGMA journal_mode = WAL");
    SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
    if (isEmpty(connection))
        createSchema(connection);
    transaction.commit();
}

Diagnostic newerVersion(const fs::path& path, int version) {
    return worldTrouble(
        path, "database/newer-version",
        fmt::format("the profile database has version {}; this program knows versions up to {}", version,
                    profileSchemaVersion()),
        "use the newer program, or choose another file with --database");
}

std::optional<Diagnostic> objectionTo(SQLite::Database& connection, const fs::path& path, bool writes) {
    if (!writes && isEmpty(connection))
        return worldTrouble(path, "database/empty",
                            "the profile database is empty: no run was ever stored in it",
                            "run the project first, or name another file with --database");
    if (pragma(connection, "application_id") != profileApplicationId)
        return worldTrouble(path, "database/foreign", "the file is a database of another program",
                            "choose another file with --database");
    const int version = pragma(connection, "user_version");
    if (version > profileSchemaVersion() && writes)
        return newerVersion(path, version);
    if (version < 1)
        return worldTrouble(path, "database/damaged",
                            fmt::format("the profile database says version {}, which never was", version),
                            "restore a copy of it, or choose another file with --database");
    return std::nullopt;
}

/// After it was brought up to date.
std::optional<Diagnostic> objectionToParts(SQLite::Database& connection, const fs::path& path) {
    const std::optional<std::string> missing = missingPart(connection);
    if (!missing)
        return std::nullopt;
    const int version = pragma(connection, "user_version");
    if (version > profileSchemaVersion())
        return newerVersion(path, version);
    Diagnostic objection =
        worldTrouble(path, "database/damaged",
                     fmt::format("the profile database lacks the {} {}",
                                 missing->find('.') == std::string::npos ? "table" : "column", *missing),
                     "restore a copy of it, or choose another file with --database");
    objection.location.place = *missing;
    return objection;
}

/// The file as it is, kept as NAME.version-N.sqlite beside it before its schema changes. Answers the copy
/// that was made; none where there is one of that version already, which stays.
fs::path keepCopy(SQLite::Database& connection, const fs::path& path) {
    fs::path copy =
        path.parent_path() / fmt::format("{}.version-{}{}", path.stem().string(),
                                         pragma(connection, "user_version"), path.extension().string());
    std::error_code error;
    if (fs::exists(copy, error))
        return {};
    // Under a name until it is whole that nobody can have put a link under, without a journal, which would
    // have one too; and which the next start removes where this process is killed.
    const WritingScope writing;
    const fs::path part = emptyFileBeside(fs::canonical(path, error).parent_path() / copy.filename());
    if (part.empty())
        throw SQLite::Exception("the copy of the older file cannot be made", SQLITE_CANTOPEN);
    try {
        SQLite::Database target(part.string(), SQLite::OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW);
        target.exec("PRAGMA journal_mode = OFF");
        SQLite::Backup(target, connection).executeStep();
    } catch (const SQLite::Exception&) {
        fs::remove(part, error);
        throw;
    }
    fs::permissions(part, fs::status(path, error).permissions(), error);
    fs::rename(part, copy, error);
    if (error)
        throw SQLite::Exception("the copy of the older file cannot be named", SQLITE_IOERR);
    return copy;
}

/// All in one transaction. Another process may do the same; whoever comes second finds it done.
void updateFile(SQLite::Database& connection, const fs::path& path) {
    if (isUpToDate(connection))
        return;
    fs::path copy;
    if (pragma(connection, "user_version") < profileSchemaVersion())
        copy = keepCopy(connection, path);
    try {
        SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
        if (!isUpToDate(connection))
            bringUpToDate(connection);
        transaction.commit();
    } catch (const SQLite::Exception&) {
        // The file is as it was, so the copy says nothing new.
        std::error_code ignored;
        if (!copy.empty())
            fs::remove(copy, ignored);
        throw;
    }
    // What moved left empty pages; that they go is no condition of anything.
    SQLite::Statement shrink(connection, "PRAGMA incremental_vacuum");
    while (shrink.tryExecuteStep() == SQLITE_ROW)
        ;
}

/// A project may come from anybody, and the database stands beside it: no run goes through a link into a file
/// elsewhere.
std::optional<Diagnostic> objectionToLinks(const fs::path& path, DatabaseAccess access) {
    std::error_code error;
    const bool exists = fs::exists(path, error);
    if (!exists && fs::is_symlink(path, error))
        return worldTrouble(path, "database/dangling-link",
                            "the profile database is a symbolic link to nothing that exists",
                            "remove the link, or name the file itself with --database");
    if (!exists || access == DatabaseAccess::ReadOnly)
        return std::nullopt;
    const fs::path file = fs::canonical(path, error);
    if (fs::is_symlink(path, error) &&
        file.parent_path() != fs::weakly_canonical(fs::absolute(path, error).parent_path(), error))
        return worldTrouble(
            path, "database/outside",
            fmt::format("the profile database is a link to {}, in another folder", file.string()),
            "name that file itself with --database, or remove the link");
    if (fs::hard_link_count(file, error) > 1)
        return worldTrouble(path, "database/linked",
                            "the profile database has a second name (a hard link), whose file would change "
                            "with it",
                            "replace it by a copy of itself (cp), or name another with --database");
    return std::nullopt;
}

/// Views of the connection's own, for a file that may not be changed.
std::unique_ptr<SQLite::Database> withOwnViews(std::unique_ptr<SQLite::Database> connection) {
    connection->exec("PRAGMA query_only = OFF");
    connection->exec("PRAGMA temp_store = MEMORY");
    useOwnViews(*connection);
    connection->exec("PRAGMA query_only = ON");
    return connection;
}

/// A copy in memory, brought up to date: what shows an old file that nobody may write.
std::unique_ptr<SQLite::Database> updatedCopy(SQLite::Database& connection) {
    auto copy = guardedConnection(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    SQLite::Backup(*copy, connection).executeStep();
    bringUpToDate(*copy);
    copy->exec("PRAGMA query_only = ON");
    return copy;
}

/// Reading asks for today's tables and views. So a file that may be written gets them even when it is only
/// read; of another, a copy does.
std::unique_ptr<SQLite::Database> upToDateForReading(std::unique_ptr<SQLite::Database> connection,
                                                     const fs::path& path, int timeout) {
    if (pragma(*connection, "user_version") > profileSchemaVersion())
        return withOwnViews(std::move(connection));
    if (isUpToDate(*connection))
        return connection;
    const bool isOfThisVersion = pragma(*connection, "user_version") == profileSchemaVersion();
    // What is only read changes no file elsewhere either.
    if (objectionToLinks(path, DatabaseAccess::ReadWrite))
        return isOfThisVersion ? withOwnViews(std::move(connection)) : updatedCopy(*connection);
    try {
        const auto writer = guardedConnection(path.string(), SQLite::OPEN_READWRITE, timeout);
        if (sqlite3_db_readonly(writer->getHandle(), "main") == 0) {
            updateFile(*writer, path);
            return connection;
        }
    } catch (const SQLite::Exception& error) {
        const int primary = error.getErrorCode() & 0xff;
        const bool isInUse = primary == SQLITE_BUSY && isOfThisVersion;
        if (primary != SQLITE_CANTOPEN && primary != SQLITE_READONLY && !isInUse)
            throw;
    }
    // Only its views are others.
    if (isOfThisVersion)
        return withOwnViews(std::move(connection));
    return updatedCopy(*connection);
}

void markInterruptedRuns(SQLite::Database& connection) {
    std::vector<std::int64_t> dead;
    SQLite::Statement recording(connection, "SELECT id, process FROM run WHERE state = ?");
    recording.bind(1, codeOf(RunState::Recording));
    while (recording.executeStep()) {
        if (!isAlive(recording.getColumn(1).getString()))
            dead.push_back(recording.getColumn(0).getInt64());
    }
    recording.reset();
    for (const std::int64_t run : dead) {
        SQLite::Statement update(connection, "UPDATE run SET state = ? WHERE id = ? AND state = ?");
        update.bind(1, codeOf(RunState::Interrupted));
        update.bind(2, run);
        update.bind(3, codeOf(RunState::Recording));
        update.exec();
    }
}

/// The first bytes from `offset` on; fewer where the file ends.
std::string bytesAt(const FileReader& file, std::uint64_t offset, std::size_t count) {
    if (offset >= file.size())
        return {};
    std::string bytes(std::min<std::size_t>(count, static_cast<std::size_t>(file.size() - offset)), '\0');
    return file.read(offset, std::as_writable_bytes(std::span(bytes))) ? bytes : std::string();
}

std::uint32_t bigEndian(std::string_view bytes) {
    std::uint32_t value = 0;
    for (const char byte : bytes)
        value = value << 8U | static_cast<unsigned char>(byte);
    return value;
}

constexpr std::string_view journalMagic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";

bool isZero(std::string_view bytes) {
    return bytes.find_first_not_of('\0') == std::string_view::npos;
}

/// A rollback journal, or one that is only begun: its beginning is zero then. Not one that names one more
/// ("super-journal"): SQLite deletes that file, whichever it is, after it has rolled back; this program never
/// writes such a one. Source: https://www.sqlite.org/fileformat.html#the_rollback_journal
bool isOwnJournal(const FileReader& file) {
    const std::string begin = bytesAt(file, 0, journalMagic.size());
    return (isZero(begin) || begin == journalMagic) &&
           (file.size() <= journalMagic.size() ||
            bytesAt(file, file.size() - journalMagic.size(), journalMagic.size()) != journalMagic);
}

/// A write-ahead log whose pages are of a database of this program, as far as they say: its first page has
/// the application's number. Source: https://www.sqlite.org/fileformat.html#the_write_ahead_log
bool isOwnLog(const FileReader& file) {
    constexpr std::size_t headerBytes = 32;
    constexpr std::size_t frameBytes = 24;
    constexpr std::size_t applicationAt = 68;
    const std::string header = bytesAt(file, 0, headerBytes);
    if (isZero(header))
        return true;
    if ((bigEndian(header.substr(0, 4)) & ~1U) != 0x377f0682U)
        return false;
    if (header.size() < headerBytes)
        return true; // its writer died
    const std::uint64_t pageBytes = bigEndian(header.substr(8, 4));
    if (pageBytes < 512 || pageBytes > 65536)
        return false;
    for (std::uint64_t at = headerBytes; at + frameBytes + pageBytes <= file.size();
         at += frameBytes + pageBytes) {
        if (bigEndian(bytesAt(file, at, 4)) != 1)
            continue;
        const std::uint32_t application = bigEndian(bytesAt(file, at + frameBytes + applicationAt, 4));
        if (application != 0 && application != static_cast<std::uint32_t>(profileApplicationId))
            return false;
    }
    return true;
}

/// Whether what stands beside a database under the name of one of its own files may be that. The index of the
/// log (-shm) holds the locks of this process, which would end when anybody here closes it: only its size is
/// looked at: whole pages, or the 3 bytes to which SQLite cuts it before it is filled anew.
bool isOwnCompanion(const fs::path& beside, std::string_view ending) {
    constexpr std::uintmax_t indexPageBytes = 4096;
    constexpr std::uintmax_t cutBytes = 3;
    std::error_code error;
    const fs::file_type type = fs::symlink_status(beside, error).type();
    // Another program may take its own away just now: then it has no names at all.
    const std::uintmax_t names = fs::hard_link_count(beside, error);
    if (type == fs::file_type::not_found)
        return true;
    if (type != fs::file_type::regular || (!error && names > 1))
        return false;
    if (ending == "-shm") {
        const std::uintmax_t size = fs::file_size(beside, error);
        return error || size % indexPageBytes == 0 || size == cutBytes;
    }
    const auto file = FileReader::open(beside);
    return !file || (ending == "-wal" ? isOwnLog(*file) : isOwnJournal(*file));
}

/// Another process may be writing it just now: a page that is half there is looked at again.
bool staysForeign(const fs::path& beside, std::string_view ending) {
    constexpr int tries = 4;
    constexpr int pauseMilliseconds = 5;
    for (int i = 0; i < tries; ++i) {
        if (isOwnCompanion(beside, ending))
            return false;
        sqlite3_sleep(pauseMilliseconds);
    }
    return true;
}

/// SQLite takes the files beside a database as its own, whatever they are: it waits for the writer of a FIFO,
/// writes into a file that has a second name elsewhere, brings in what a log of another database says, and
/// deletes what it cannot read and what a journal names.
std::optional<Diagnostic> objectionToCompanions(const fs::path& path) {
    for (const std::string_view ending : {"-journal", "-wal", "-shm"}) {
        const fs::path beside = path.string() + std::string(ending);
        if (staysForeign(beside, ending))
            return worldTrouble(path, "database/foreign-companion",
                                fmt::format("the file {} beside the profile database was not made by it",
                                            beside.filename().string()),
                                "move that file away; the database itself is whole");
    }
    return std::nullopt;
}

/// Whether a write-ahead log holds a transaction that was finished: a page of it says how large the database
/// became.
bool hasCommit(const FileReader& log) {
    constexpr std::size_t headerBytes = 32;
    constexpr std::size_t frameBytes = 24;
    const std::uint64_t pageBytes = bigEndian(bytesAt(log, 8, 4));
    for (std::uint64_t at = headerBytes; at + frameBytes + pageBytes <= log.size();
         at += frameBytes + pageBytes)
        if (bigEndian(bytesAt(log, at + 4, 4)) != 0)
            return true;
    return false;
}

/// Takes away what is left of a database that this process began and could not make, for want of space or
/// otherwise. What another process made of it meanwhile stays.
void removeUnfinished(const fs::path& path) {
    constexpr std::size_t applicationAt = 68;
    const auto file = FileReader::open(path);
    if (!file || bigEndian(bytesAt(*file, applicationAt, 4)) != 0)
        return;
    if (const auto log = FileReader::open(path.string() + "-wal"); log && hasCommit(*log))
        return;
    removeDatabase(path);
}

std::optional<Diagnostic> objectionToPath(const fs::path& path, DatabaseAccess access) {
    std::error_code ignored;
    if (path.empty() || path == ":memory:")
        return worldTrouble(
            path, "database/not-a-file",
            "a profile database is a file: what is kept in memory is gone when the program ends",
            "name a file with --database");
    if (fs::is_directory(path, ignored))
        return worldTrouble(path, "database/is-a-folder",
                            "there is a folder where the profile database should be",
                            "choose another file with --database");
    // SQLite would wait for the writer of a FIFO.
    if (fs::exists(path, ignored) && (!fs::is_regular_file(path, ignored) || isMadeUp(path)))
        return worldTrouble(path, "database/not-a-file", "the profile database is not a regular file",
                            "choose another file with --database");
    if (access == DatabaseAccess::ReadOnly && !fs::exists(path, ignored))
        return worldTrouble(path, "database/missing", "there is no profile database here",
                            "run the project first, or name the file with --database");
    if (std::optional<Diagnostic> objection = objectionToLinks(path, access))
        return objection;
    // They stand beside the file itself, not beside a link to it.
    const fs::path file = fs::exists(path, ignored) ? fs::canonical(path, ignored) : path;
    return objectionToCompanions(file);
}

} // namespace

ProfileDatabase::ProfileDatabase(fs::path path, std::unique_ptr<SQLite::Database> connection)
    : m_path(std::move(path))
    , m_connection(std::move(connection)) {}

void ProfileDatabase::noteLoss(std::string_view part) const {
    if (m_losses && std::ranges::find(*m_losses, part) == m_losses->end())
        m_losses->emplace_back(part);
}

std::vector<std::string> ProfileDatabase::takeLosses() const {
    return m_losses ? std::exchange(*m_losses, {}) : std::vector<std::string>();
}

ProfileDatabase::ProfileDatabase(ProfileDatabase&&) noexcept = default;
ProfileDatabase& ProfileDatabase::operator=(ProfileDatabase&&) noexcept = default;
ProfileDatabase::~ProfileDatabase() {
    if (m_connection == nullptr)
        return;
    // SQLite leaves its files beside the name that the database had when it was renamed or deleted meanwhile.
    sqlite3* handle = m_connection->getHandle();
    int hasMoved = 0;
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved);
    const bool isEmptied =
        hasMoved != 0 &&
        sqlite3_wal_checkpoint_v2(handle, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr) == SQLITE_OK;
    m_connection.reset();
    std::error_code error;
    // Another database of that name has such files itself.
    if (!isEmptied || fs::exists(m_path, error))
        return;
    for (const char* ending : {"-wal", "-shm"})
        fs::remove(m_path.string() + ending, error);
}

void removeDatabase(const fs::path& path) {
    std::error_code ignored;
    for (const char* part : {"-journal", "-shm", "-wal", ""})
        fs::remove(path.string() + part, ignored);
}

Result<ProfileDatabase> ProfileDatabase::open(const fs::path& path, const DatabaseOptions& options) {
    // It may wait for another program; a transaction that is cut off is none.
    const ReadingScope opening;
    if (std::optional<Diagnostic> objection = objectionToPath(path, options.access))
        return failure(std::move(*objection));
    tidyBeside(path);
    const bool writes = options.access == DatabaseAccess::ReadWrite;
    std::error_code ignored;
    const bool isNew = writes && !fs::exists(path, ignored);
    auto opened = openConnection(path, options, writes);
    if (!opened && isNew)
        removeUnfinished(path);
    return opened;
}

Result<ProfileDatabase> ProfileDatabase::openConnection(const fs::path& path, const DatabaseOptions& options,
                                                        bool writes) {
    try {
        std::unique_ptr<SQLite::Database> connection = connect(path, options);
        // SQLite opens a file that must not be written for reading and says nothing.
        if (writes && sqlite3_db_readonly(connection->getHandle(), "main") == 1)
            throw SQLite::Exception("attempt to write a readonly database", SQLITE_READONLY);
        if (writes && isEmpty(*connection))
            makeSchema(*connection, options.journal);
        if (std::optional<Diagnostic> objection = objectionTo(*connection, path, writes))
            return failure(std::move(*objection));
        if (const std::optional<std::string> disguised = disguisedTable(*connection)) {
            Diagnostic objection =
                worldTrouble(path, "database/damaged",
                             fmt::format("{} of the profile database is no plain table", *disguised),
                             "restore a copy of it, or choose another file with --database");
            objection.location.place = *disguised;
            return failure(std::move(objection));
        }
        if (!writes)
            connection = upToDateForReading(std::move(connection), path, options.busyTimeoutMs);
        if (writes) {
            // Only the write-ahead log survives a power failure with less.
            if (connection->execAndGet("PRAGMA journal_mode").getString() == "wal")
                connection->exec("PRAGMA synchronous = NORMAL");
            updateFile(*connection, path);
        }
        // Only now: rows that name what is missing are brought up to date like others, and named as damage.
        connection->exec("PRAGMA foreign_keys = ON");
        if (std::optional<Diagnostic> objection = objectionToParts(*connection, path))
            return failure(std::move(*objection));
        if (writes)
            markInterruptedRuns(*connection);
        ProfileDatabase database(path, std::move(connection));
        if (options.keepsWhatIsLeft)
            database.m_losses = std::make_unique<std::vector<std::string>>();
        return database;
    } catch (const SQLite::Exception& error) {
        return failure(databaseTrouble(path, error));
    }
}

fs::path defaultDatabasePath(const fs::path& project) {
    return project.parent_path() / (project.stem().string() + ".profiles.sqlite");
}

} // namespace core
