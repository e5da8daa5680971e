#pragma once

#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/table.h"

#include <algorithm>
#include <fmt/format.h>

// Private to the folder: questions whose answer is the records of one table.

namespace core {

/// The records of `table` of which `condition` holds, whose parameters ?1, ?2, … are `keys` (ids or numbers);
/// ORDER BY and LIMIT may follow in it.
template <class Table, class... Keys>
std::vector<typename Table::RecordType> selectRecords(const ProfileDatabase& database, const Table& table,
                                                      std::string_view condition, Keys... keys) {
    SQLite::Statement statement(database.connection(), selectFrom(table, condition));
    int parameter = 0;
    const auto bind = [&](auto key) {
        if constexpr (std::is_integral_v<decltype(key)>)
            statement.bind(++parameter, key);
        else
            statement.bind(++parameter, sqlId(key));
    };
    (bind(keys), ...);
    return readRecords(statement, table);
}

/// The same, with what SQLite refuses as a failure. Where the database keeps what is left, a table with a
/// damaged page has no records: whoever counts on all of them counts on none.
template <class Table, class... Keys>
Result<std::vector<typename Table::RecordType>>
loadRecords(const ProfileDatabase& database, const Table& table, std::string_view condition, Keys... keys) {
    using Records = std::vector<typename Table::RecordType>;
    return guardedPart(database, tableWords(table.name), [&]() -> Result<Records> {
        return selectRecords(database, table, condition, keys...);
    });
}

/// The same for records that mean something one by one, in the order of a column that none of them shares:
/// those before the damaged pages and those behind them are left.
template <class Table, class... Keys>
Result<std::vector<typename Table::RecordType>> loadEachRecord(const ProfileDatabase& database,
                                                               const Table& table, std::string_view condition,
                                                               std::string_view column, Keys... keys) {
    using Record = typename Table::RecordType;
    return guarded(database, [&]() -> Result<std::vector<Record>> {
        const auto read = [&](std::string_view order, std::vector<Record>& records) {
            SQLite::Statement statement(
                database.connection(),
                selectFrom(table, fmt::format("{} ORDER BY {} {}", condition, column, order)));
            int parameter = 0;
            (statement.bind(++parameter, sqlId(keys)), ...);
            return keepingWhatIsLeft(database, tableWords(table.name), [&] {
                while (statement.executeStep()) {
                    Record record;
                    readRecord(statement, table, record);
                    records.push_back(std::move(record));
                }
            });
        };
        std::vector<Record> records;
        if (read("ASC", records))
            return records;
        std::vector<Record> behind;
        if (read("DESC", behind))
            return behind; // another program has mended it meanwhile
        records.insert(records.end(), std::make_move_iterator(behind.rbegin()),
                       std::make_move_iterator(behind.rend()));
        return records;
    });
}

} // namespace core
