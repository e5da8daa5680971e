#include "core/profile/queries/sql_query.h"

#include "core/platform/work_scope.h"
#include "core/profile/schema/database_trouble.h"
#include "core/text/nearest_name.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <memory>
#include <mutex>
#include <sqlite3.h>

namespace core {

namespace {

struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using StatementHandle = std::unique_ptr<sqlite3_stmt, Finalize>;

bool isHarmlessPragma(std::string_view name) {
    static constexpr std::array<std::string_view, 8> harmless{
        "table_info", "table_xinfo",  "table_list",     "index_list",
        "index_info", "user_version", "application_id", "foreign_key_list"};
    return std::find(harmless.begin(), harmless.end(), name) != harmless.end();
}

/// https://www.sqlite.org/c3ref/set_authorizer.html
int authorize(void* /*data*/, int action, const char* first, const char* second, const char* /*database*/,
              const char* /*trigger*/) {
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        return second != nullptr && std::string_view(second) == "load_extension" ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
        return first != nullptr && isHarmlessPragma(first) ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

/// What SQLite may take beyond what it has, while queries of people run. The limit is that of the process, so
/// those that run at once have one: the widest of theirs.
class HeapLimit {
public:
    explicit HeapLimit(sqlite3_int64 bytes) {
        const std::lock_guard lock(mutex());
        const sqlite3_int64 wanted = sqlite3_memory_used() + bytes;
        if (count()++ == 0)
            before() = sqlite3_hard_heap_limit64(wanted);
        else
            sqlite3_hard_heap_limit64(std::max(sqlite3_hard_heap_limit64(-1), wanted));
    }
    ~HeapLimit() {
        const std::lock_guard lock(mutex());
        if (--count() == 0)
            sqlite3_hard_heap_limit64(before());
    }
    HeapLimit(const HeapLimit&) = delete;
    HeapLimit& operator=(const HeapLimit&) = delete;

private:
    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }
    static int& count() {
        static int number = 0;
        return number;
    }
    static sqlite3_int64& before() {
        static sqlite3_int64 bytes = 0;
        return bytes;
    }
};

/// While it lives, the connection only reads, makes no value beyond the limit, and stops when the job does or
/// it is late.
class ReadOnlyGuard {
public:
    ReadOnlyGuard(sqlite3* handle, const SqlLimits& limits, const JobContext& job)
        : m_handle(handle)
        , m_limits(limits)
        , m_job(job)
        , m_lengthBefore(sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longestValue(limits)))
        , m_heap(limits.bytes + workingBytes) {
        sqlite3_set_authorizer(m_handle, authorize, nullptr);
        // One of them may make a value of the longest kind.
        constexpr int instructionsBetweenLooks = 100;
        sqlite3_progress_handler(m_handle, instructionsBetweenLooks, shouldStop, this);
    }
    ~ReadOnlyGuard() {
        sqlite3_limit(m_handle, SQLITE_LIMIT_LENGTH, m_lengthBefore);
        sqlite3_set_authorizer(m_handle, nullptr, nullptr);
        sqlite3_progress_handler(m_handle, 0, nullptr, nullptr);
    }
    ReadOnlyGuard(const ReadOnlyGuard&) = delete;
    ReadOnlyGuard& operator=(const ReadOnlyGuard&) = delete;

private:
    /// What sorting and grouping take beside the answer.
    static constexpr sqlite3_int64 workingBytes = sqlite3_int64{128} << 20U;

    static int longestValue(const SqlLimits& limits) {
        // Made in some hundredths of a second, within which nothing looks at the time.
        return static_cast<int>(std::clamp<std::int64_t>(limits.bytes, 1000, SqlLimits::longestValue));
    }
    static int shouldStop(void* self) {
        const auto& guard = *static_cast<ReadOnlyGuard*>(self);
        return guard.m_job.isCancelled() || (guard.m_limits.isLate && guard.m_limits.isLate()) ? 1 : 0;
    }
    sqlite3* m_handle;
    const SqlLimits& m_limits;
    const JobContext& m_job;
    int m_lengthBefore;
    /// Aggregates of JSON grow beyond the longest value.
    HeapLimit m_heap;
};

std::string lineAndColumn(std::string_view sql, int offset) {
    if (offset < 0 || static_cast<std::size_t>(offset) > sql.size())
        return {};
    const std::string_view before = sql.substr(0, static_cast<std::size_t>(offset));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t lineStart = before.rfind('\n') + 1;
    return fmt::format("{}:{}", line, before.size() - lineStart + 1);
}

std::vector<std::string> knownNames(const ProfileDatabase& database, bool areColumns) {
    SQLite::Statement statement(
        database.connection(),
        areColumns
            ? "SELECT DISTINCT c.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c "
              "WHERE m.type = 'view'"
            : "SELECT name FROM sqlite_schema WHERE type IN ('view', 'table') ORDER BY type DESC, name");
    std::vector<std::string> names;
    while (statement.executeStep())
        names.push_back(statement.getColumn(0).getString());
    return names;
}

/// "v_span, v_gap", of the views that have a column.
std::string viewsWith(const ProfileDatabase& database, const std::string& column) {
    SQLite::Statement statement(
        database.connection(),
        "SELECT DISTINCT m.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c "
        "WHERE m.type = 'view' AND c.name = ? ORDER BY m.name LIMIT 4");
    statement.bind(1, column);
    std::string views;
    while (statement.executeStep())
        views += (views.empty() ? "" : ", ") + statement.getColumn(0).getString();
    return views;
}

/// "no such table: spans" → the table or view that was meant.
void addNearestName(const ProfileDatabase& database, Diagnostic& diagnostic) {
    struct Complaint {
        std::string_view start;
        bool isColumn;
    };
    static constexpr std::array<Complaint, 2> complaints{
        {{"no such table: ", false}, {"no such column: ", true}}};
    for (const Complaint& complaint : complaints) {
        if (!diagnostic.message.starts_with(complaint.start))
            continue;
        std::string name = diagnostic.message.substr(complaint.start.size());
        name.erase(0, name.rfind('.') + 1);
        const std::vector<std::string> names = knownNames(database, complaint.isColumn);
        if (complaint.isColumn && std::ranges::find(names, name) != names.end())
            diagnostic.hints = {fmt::format("views that have it: {}", viewsWith(database, name))};
        else if (const auto nearest = nearestName(name, names))
            diagnostic.hints = {fmt::format("did you mean {}?", *nearest)};
        else if (const auto view = nearestName("v_" + name, names))
            diagnostic.hints = {fmt::format("did you mean {}?", *view)};
        else
            diagnostic.hints = {"`SELECT name FROM sqlite_schema WHERE type = 'view'` lists the views"};
    }
}

Diagnostic sqlTrouble(const ProfileDatabase& database, std::string_view sql, int code) {
    sqlite3* handle = database.connection().getHandle();
    const std::string message = sqlite3_errmsg(handle);
    const std::string place = lineAndColumn(sql, sqlite3_error_offset(handle));
    Diagnostic diagnostic = makeError(Trouble::Input, "sql/error", {"SQL", place}, message,
                                      {"tables and columns: SELECT name, sql FROM sqlite_schema"});
    // A refused function comes as a plain error.
    if ((code & 0xff) == SQLITE_AUTH || message.starts_with("not authorized")) {
        diagnostic.code = "sql/not-read-only";
        diagnostic.message = "the query would do more than read";
        diagnostic.hints = {"only SELECT is answered; open the file with another tool to change it"};
    } else if ((code & 0xff) == SQLITE_TOOBIG || (code & 0xff) == SQLITE_NOMEM) {
        diagnostic.code = "sql/too-large";
        diagnostic.message = "the query makes more at once than it may";
        diagnostic.hints = {"ask for less of it (substr, length); --max-bytes allows up to 32 MiB"};
    } else if ((code & 0xff) != SQLITE_ERROR && (code & 0xff) != SQLITE_MISMATCH) {
        return databaseTrouble(database.path(), SQLite::Exception(message, code));
    }
    return diagnostic;
}

std::string blobText(const void* data, int size) {
    std::string text = "x'";
    for (int i = 0; i < size; ++i)
        text += fmt::format("{:02x}", static_cast<const unsigned char*>(data)[i]);
    return text + "'";
}

SqlValue valueOf(sqlite3_stmt* statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        return static_cast<std::int64_t>(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT:
        return sqlite3_column_double(statement, column);
    case SQLITE_TEXT: {
        const void* text = sqlite3_column_text(statement, column);
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
        return std::string(static_cast<const char*>(text), size);
    }
    case SQLITE_BLOB:
        return blobText(sqlite3_column_blob(statement, column), sqlite3_column_bytes(statement, column));
    default:
        return std::monostate();
    }
}

bool isBlank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n;") == std::string_view::npos;
}

Diagnostic notOneStatement(std::string_view sql) {
    return makeError(Trouble::Input, "sql/one-statement", {"SQL", ""},
                     isBlank(sql) ? "there is no query" : "there is more than one query",
                     {"give one SELECT"});
}

Result<StatementHandle> prepare(const ProfileDatabase& database, std::string_view sql) {
    sqlite3_stmt* raw = nullptr;
    const char* tail = nullptr;
    const int code = sqlite3_prepare_v2(database.connection().getHandle(), sql.data(),
                                        static_cast<int>(sql.size()), &raw, &tail);
    StatementHandle statement(raw);
    if (code != SQLITE_OK) {
        Diagnostic trouble = sqlTrouble(database, sql, code);
        return failure(std::move(trouble));
    }
    const std::string_view rest = sql.substr(static_cast<std::size_t>(tail - sql.data()));
    if (raw == nullptr || !isBlank(rest))
        return failure(notOneStatement(raw == nullptr ? std::string_view() : sql));
    return statement;
}

/// SQLite makes the table of a pragma when it is first asked for, which the guard would take for a change.
void makePragmaTables(const ProfileDatabase& database) {
    for (const char* name : {"table_info", "table_xinfo", "table_list", "index_list", "index_info"}) {
        sqlite3_stmt* raw = nullptr;
        const std::string sql = fmt::format("SELECT 1 FROM pragma_{} LIMIT 0", name);
        sqlite3_prepare_v2(database.connection().getHandle(), sql.c_str(), -1, &raw, nullptr);
        sqlite3_finalize(raw);
    }
}

} // namespace

namespace {

/// What a value takes in the answer.
std::int64_t bytesOf(const SqlValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    return static_cast<std::int64_t>(sizeof(SqlValue) + (text == nullptr ? 0 : text->size()));
}

/// All rows, or as many as the limits allow. Answers SQLite's code.
int readRows(sqlite3_stmt* statement, const SqlLimits& limits, SqlTable& table) {
    const int columns = sqlite3_column_count(statement);
    for (int i = 0; i < columns; ++i)
        table.columns.emplace_back(sqlite3_column_name(statement, i));
    std::int64_t bytes = 0;
    int code = sqlite3_step(statement);
    for (; code == SQLITE_ROW; code = sqlite3_step(statement)) {
        table.isCut = static_cast<std::int64_t>(table.rows.size()) == limits.rows;
        if (table.isCut)
            return SQLITE_DONE;
        std::vector<SqlValue> row;
        row.reserve(static_cast<std::size_t>(columns));
        for (int i = 0; i < columns; ++i) {
            row.push_back(valueOf(statement, i));
            bytes += bytesOf(row.back());
        }
        table.isCut = table.isCutByBytes = bytes > limits.bytes;
        if (table.isCut)
            return SQLITE_DONE;
        table.rows.push_back(std::move(row));
    }
    return code;
}

} // namespace

Result<SqlTable> querySql(const ProfileDatabase& database, std::string_view sql, std::int64_t mostRows,
                          const JobContext& job) {
    return querySql(database, sql, SqlLimits{.rows = mostRows, .bytes = SqlLimits().bytes, .isLate = {}},
                    job);
}

Result<SqlTable> querySql(const ProfileDatabase& database, std::string_view sql, const SqlLimits& limits,
                          const JobContext& job) {
    Diagnostics troubles;
    SqlTable table;
    // One call of a function may last; nothing is written meanwhile.
    const ReadingScope reading;
    makePragmaTables(database);
    {
        const ReadOnlyGuard guard(database.connection().getHandle(), limits, job);
        Result<StatementHandle> statement = prepare(database, sql);
        const int code = statement ? readRows(statement->get(), limits, table) : SQLITE_DONE;
        if (!statement)
            troubles = statement.error();
        else if (code == SQLITE_INTERRUPT && !job.isCancelled())
            troubles.push_back(makeError(
                Trouble::Input, "sql/too-long", {"SQL", ""},
                fmt::format("the query took longer than it may; it had found {} rows", table.rows.size()),
                {"narrow it with WHERE or LIMIT, or allow more time with --max-seconds"}));
        else if (code != SQLITE_DONE)
            troubles.push_back(sqlTrouble(database, sql, code));
    }
    if (troubles.empty())
        return table;
    return guarded(database, [&]() -> Result<SqlTable> {
        addNearestName(database, troubles.front());
        return failure(troubles);
    });
}

} // namespace core
