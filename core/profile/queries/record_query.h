#pragma once

#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/table.h"

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

/// The same, with what SQLite refuses as a failure.
template <class Table, class... Keys>
Result<std::vector<typename Table::RecordType>>
loadRecords(const ProfileDatabase& database, const Table& table, std::string_view condition, Keys... keys) {
    return guarded(database, [&]() -> Result<std::vector<typename Table::RecordType>> {
        return selectRecords(database, table, condition, keys...);
    });
}

} // namespace core
