#include "core/profile/notes/store/note_store.h"

#include "core/profile/queries/run_queries.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/note_tables.h"
#include "core/profile/schema/row_reader.h"
#include "core/profile/writer/row_inserter.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace core {

namespace {

Diagnostic refusedNote(std::string code, std::string message, std::string hint) {
    return makeError(Trouble::Input, std::move(code), {}, std::move(message), {std::move(hint)});
}

} // namespace

Result<std::vector<NoteRecord>> loadNotes(const ProfileDatabase& database, RunId run) {
    return guarded(database, [&]() -> Result<std::vector<NoteRecord>> {
        SQLite::Statement statement(database.connection(),
                                    selectFrom(noteTable, "run_id = ?1 ORDER BY at_cycles, position"));
        statement.bind(1, sqlId(run));
        return readRecords(statement, noteTable);
    });
}

Result<void> storeNotes(const ProfileDatabase& database, RunId run, std::span<const NoteRecord> notes) {
    for (const NoteRecord& note : notes)
        if (note.text.size() > longestRunNote)
            return failure(refusedNote(
                "note/too-long",
                fmt::format("a note has {} bytes, at most {} are kept", note.text.size(), longestRunNote),
                "shorten it"));
    if (const auto known = loadProvenance(database, run); !known)
        return failure(known.error());
    return guarded(database, [&]() -> Result<void> {
        SQLite::Database& connection = database.connection();
        SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
        SQLite::Statement remove(connection, "DELETE FROM note WHERE run_id = ?");
        remove.bind(1, sqlId(run));
        remove.exec();
        TextTable texts(connection);
        RowInserter inserter(connection, texts, noteTable, notes.size());
        std::int64_t position = 0;
        for (const NoteRecord& note : notes)
            inserter.row(note, sqlId(run), position++);
        transaction.commit();
        return {};
    });
}

Result<std::vector<QueryRecord>> loadQueries(const ProfileDatabase& database) {
    return guarded(database, [&]() -> Result<std::vector<QueryRecord>> {
        SQLite::Statement statement(database.connection(),
                                    "SELECT title, query FROM kept_query ORDER BY position");
        std::vector<QueryRecord> queries;
        while (statement.executeStep()) {
            QueryRecord& query = queries.emplace_back();
            RowReader(statement).read(query.name, query.sql);
        }
        return queries;
    });
}

Result<void> storeQueries(const ProfileDatabase& database, std::span<const QueryRecord> queries) {
    std::set<std::string> names;
    for (const QueryRecord& query : queries) {
        if (query.name.empty() || !names.insert(query.name).second)
            return failure(refusedNote("query/name",
                                       query.name.empty()
                                           ? "a query that is kept needs a name"
                                           : fmt::format("two queries are called \"{}\"", query.name),
                                       "give each a name of its own"));
        if (query.sql.size() + query.name.size() > longestKeptQuery)
            return failure(refusedNote("query/too-long",
                                       fmt::format("the query \"{}\" has more than {} bytes",
                                                   query.name.substr(0, 40), longestKeptQuery),
                                       "shorten it"));
    }
    return guarded(database, [&]() -> Result<void> {
        SQLite::Database& connection = database.connection();
        SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
        connection.exec("DELETE FROM kept_query");
        TextTable texts(connection);
        RowInserter inserter(connection, texts, queryTable, queries.size());
        std::int64_t position = 0;
        for (const QueryRecord& query : queries)
            inserter.row(query, position++);
        transaction.commit();
        return {};
    });
}

} // namespace core
