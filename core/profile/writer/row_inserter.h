#pragma once

#include "core/base/quantity.h"
#include "core/base/strong_id.h"
#include "core/profile/schema/enum_codes.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// Private to the folder.

namespace core {

/// Inserts a known number of rows into one table, many with each statement: binding is cheap, starting a
/// statement is not.
class RowInserter {
public:
    RowInserter(SQLite::Database& connection, std::string table, int columns, std::size_t rows);

    /// One row; the number of values is the number of columns. An invalid id and an empty optional are NULL,
    /// and so is NaN (SQLite knows none).
    template <class... Values>
    void row(const Values&... values) {
        (bind(values), ...);
        endRow();
    }

private:
    void bind(std::int64_t value) { m_statement->bind(++m_bound, value); }
    void bind(int value) { m_statement->bind(++m_bound, value); }
    void bind(bool value) { m_statement->bind(++m_bound, value ? 1 : 0); }
    void bind(double value) {
        if (std::isnan(value))
            m_statement->bind(++m_bound);
        else
            m_statement->bind(++m_bound, value);
    }
    /// Copied: the statement runs after the text may be gone.
    void bind(const std::string& value) { m_statement->bind(++m_bound, value); }
    void bind(const std::vector<std::uint8_t>& blob) {
        m_statement->bind(++m_bound, static_cast<const void*>(blob.data()), static_cast<int>(blob.size()));
    }
    template <class Unit>
    void bind(Quantity<Unit> value) {
        bind(value.value());
    }
    template <class Tag>
    void bind(StrongId<Tag> id) {
        bindOptional(id.isValid() ? std::optional<std::int64_t>(id.value()) : std::nullopt);
    }
    template <class Value>
    void bind(const std::optional<Value>& value) {
        bindOptional(value);
    }
    template <class Enum>
    requires std::is_enum_v<Enum>
    void bind(Enum value) { bind(codeOf(value)); }
    template <class Value>
    void bindOptional(const std::optional<Value>& value) {
        if (value)
            bind(*value);
        else
            m_statement->bind(++m_bound);
    }
    void endRow();
    void prepare();

    SQLite::Database& m_connection;
    std::string m_table;
    int m_columns;
    std::size_t m_rowsLeft;
    /// Rows and values of the statement at hand.
    std::size_t m_rowsPerStatement = 0;
    int m_bound = 0;
    std::optional<SQLite::Statement> m_statement;
};

/// The number of each text of the `text` table; new texts are added.
class TextTable {
public:
    explicit TextTable(SQLite::Database& connection);

    /// Nothing for an empty text.
    [[nodiscard]] std::optional<std::int64_t> optionalId(const std::string& text);
    [[nodiscard]] std::int64_t id(const std::string& text);

private:
    SQLite::Statement m_find;
    SQLite::Statement m_insert;
    SQLite::Database& m_connection;
    std::unordered_map<std::string, std::int64_t> m_ids;
};

} // namespace core
