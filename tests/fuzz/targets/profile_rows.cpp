#include "core/profile/schema/profile_database.h"
#include "core/profile/writer/profile_writer.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/stored_profile.h"
#include "tests/support/small_run.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

// The bytes are a script of changes to the rows of a sound database: five bytes choose the change, its table,
// column, row and value. So the pages stay sound, and whoever reads the rows meets what he does not expect.

namespace {

struct Column {
    std::string table;
    std::string name;
};

struct Sound {
    std::string bytes;
    std::vector<Column> columns;
};

Sound soundDatabase(const InputFile& file) {
    {
        auto database = core::ProfileDatabase::open(file.path());
        for (int run = 0; run < 2; ++run) {
            core::ProfileWriter writer(database.value());
            tests::recordSmallRun(writer);
            static_cast<void>(writer.outcome().value());
        }
    }
    Sound sound;
    SQLite::Database database(file.path().string());
    SQLite::Statement columns(database,
                              "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c "
                              "WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'");
    while (columns.executeStep())
        sound.columns.push_back({columns.getColumn(0).getString(), columns.getColumn(1).getString()});
    std::ifstream stored(file.path(), std::ios::binary);
    sound.bytes.assign(std::istreambuf_iterator<char>(stored), std::istreambuf_iterator<char>());
    return sound;
}

constexpr std::array rowValues{
    "NULL",  "-1", "0",      "1",       "9223372036854775807", "-9223372036854775808", "4294967296",
    "1e300", "''", "'text'", "x'00ff'", "zeroblob(1000)",      "'\x1b[31m'",           "'[1, {\"a\": null}]'",
    "'{}'",  "0.5"};

std::string rowStatement(const Column& column, std::uint8_t change, std::uint8_t row, const char* value) {
    const std::string where = " WHERE rowid = (SELECT rowid FROM " + column.table + " LIMIT 1 OFFSET " +
                              std::to_string(row % 16) + ")";
    switch (change % 8) {
    case 0:
        return "DELETE FROM " + column.table + where;
    case 1:
        return "DELETE FROM " + column.table;
    case 2:
        return "UPDATE OR IGNORE " + column.table + " SET " + column.name + " = " + value;
    case 3:
        return row == 0 ? "DROP TABLE " + column.table
                        : "ALTER TABLE " + column.table + " RENAME COLUMN " + column.name + " TO gone";
    default:
        return "UPDATE OR IGNORE " + column.table + " SET " + column.name + " = " + value + where;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const InputFile file("net.profiles.sqlite");
    static const Sound sound = soundDatabase(file);
    file.write(sound.bytes);
    try {
        SQLite::Database database(file.path().string(), SQLite::OPEN_READWRITE);
        database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; "
                      "PRAGMA ignore_check_constraints = ON");
        constexpr std::size_t change = 5;
        constexpr std::size_t most = 8;
        for (std::size_t at = 0; at + change <= size && at < most * change; at += change) {
            const Column& column =
                sound.columns[(data[at + 1] * std::size_t{256} + data[at + 2]) % sound.columns.size()];
            try {
                database.exec(
                    rowStatement(column, data[at], data[at + 3], rowValues[data[at + 4] % rowValues.size()]));
            } catch (const SQLite::Exception&) {
                continue; // a change that SQLite refuses
            }
        }
    } catch (const SQLite::Exception&) {
        return 0;
    }
    readStoredProfile(file.path());
    return 0;
}
