#include "core/profile/schema/database_trouble.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <sqlite3.h>
#include <utility>

namespace core {

namespace {

struct TroubleRow {
    int sqliteCode;
    Trouble trouble;
    std::string_view code;
    std::string_view message;
    std::string_view hint;
};

/// By SQLite's primary result code (https://www.sqlite.org/rescode.html).
constexpr std::array<TroubleRow, 17> troubleRows{{
    {SQLITE_BUSY, Trouble::World, "database/locked", "the profile database is in use by another program",
     "try again when it has finished"},
    {SQLITE_LOCKED, Trouble::World, "database/locked", "the profile database is in use by another program",
     "try again when it has finished"},
    {SQLITE_NOTADB, Trouble::World, "database/foreign", "the file is not a profile database",
     "choose another file with --database"},
    {SQLITE_CORRUPT, Trouble::World, "database/damaged", "the profile database is damaged",
     "move it away and run the project again, or restore a copy"},
    {SQLITE_READONLY, Trouble::World, "database/read-only", "the profile database cannot be written",
     "allow writing to the file and its folder, or choose another file with --database"},
    {SQLITE_PERM, Trouble::World, "database/read-only", "the profile database cannot be written",
     "allow writing to the file and its folder, or choose another file with --database"},
    {SQLITE_AUTH, Trouble::World, "database/read-only", "the profile database cannot be written",
     "allow writing to the file and its folder, or choose another file with --database"},
    {SQLITE_CANTOPEN, Trouble::World, "database/cannot-open", "the profile database cannot be opened",
     "check that its folder exists and can be written"},
    {SQLITE_FULL, Trouble::World, "database/disk-full", "the disk is full; nothing was stored",
     "free space and run again"},
    {SQLITE_IOERR, Trouble::World, "database/disk-error", "the disk refused to read or write",
     "check the disk and its free space"},
    {SQLITE_MISMATCH, Trouble::World, "database/newer-version", "a value of the profile database is unknown",
     "use the newer program, or choose another file with --database"},
    // Of a file that passed the check of its tables and columns, these come from what others put into it.
    {SQLITE_ERROR, Trouble::World, "database/damaged", "the profile database is not as this program makes it",
     "restore a copy of it, or choose another file with --database"},
    {SQLITE_CONSTRAINT, Trouble::World, "database/damaged",
     "rows of the profile database contradict each other",
     "restore a copy of it, or choose another file with --database"},
    {SQLITE_SCHEMA, Trouble::World, "database/locked", "another program changes the profile database",
     "try again when it has finished"},
    {SQLITE_TOOBIG, Trouble::World, "database/damaged", "a value of the profile database is too large",
     "restore a copy of it, or choose another file with --database"},
    {SQLITE_NOMEM, Trouble::World, "database/no-memory",
     "there is not enough memory for the profile database",
     "close other programs, or use a smaller database"},
    {SQLITE_INTERRUPT, Trouble::Interrupted, "database/interrupted", "the query was stopped",
     "ask again, with LIMIT where it takes long"},
}};

} // namespace

std::string tableWords(std::string_view table) {
    using Row = std::pair<std::string_view, std::string_view>;
    static constexpr std::array words{
        Row{"operation", "operations"},
        Row{"program_step", "steps of the program"},
        Row{"transfer", "transfers between stages"},
        Row{"span_block", timelineEvents},
        Row{"execution", "executions"},
        Row{"liveness_step", "memory over the steps"},
        Row{"live_range", "lifetimes of tensors"},
        Row{"tile_memory", "memory of the tiles"},
        Row{"metric", "training curves"},
        Row{"callback_call", "calls of callbacks"},
        Row{"tensor_statistics", "histograms of tensors"},
        Row{"confusion", "confusion of classes"},
        Row{"prediction", "predicted samples"},
        Row{"sample_image", "images of samples"},
        Row{"model_output", "outputs of the model"},
        Row{"output_value", "values of outputs"},
        Row{"note", "notes"},
    };
    const auto found = std::ranges::find(words, table, &Row::first);
    return std::string(found == words.end() ? table : found->second);
}

bool isDamage(const SQLite::Exception& error) {
    return (error.getErrorCode() & 0xff) == SQLITE_CORRUPT;
}

Diagnostic databaseTrouble(const std::filesystem::path& path, const SQLite::Exception& error) {
    const int primary = error.getErrorCode() & 0xff;
    for (const TroubleRow& row : troubleRows) {
        if (row.sqliteCode != primary)
            continue;
        return makeError(row.trouble, std::string(row.code), {path.string(), ""},
                         fmt::format("{} ({})", row.message, error.what()), {std::string(row.hint)});
    }
    return makeError(Trouble::Internal, "database/unexpected", {path.string(), ""},
                     fmt::format("the profile database answered \"{}\"", error.what()),
                     {"choose another file with --database, and report this one with what led to it"});
}

} // namespace core
