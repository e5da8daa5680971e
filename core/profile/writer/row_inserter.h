#pragma once

#include "core/profile/schema/table.h"

#include <cmath>
#include <unordered_map>

// Private to the folder.

namespace core {

/// The number of each text of the `text` table; new texts are added.
class TextTable {
public:
    explicit TextTable(SQLite::Database& connection);

    [[nodiscard]] std::int64_t id(const std::string& text);

private:
    SQLite::Statement m_find;
    SQLite::Statement m_insert;
    SQLite::Database& m_connection;
    std::unordered_map<std::string, std::int64_t> m_ids;
};

/// Binds values to the parameters of a statement from left to right. An invalid id and an empty optional are
/// NULL, and so is NaN (SQLite knows none).
class ValueBinder {
public:
    explicit ValueBinder(TextTable& texts)
        : m_texts(texts) {}

    /// Starts anew; the statement must outlive the values bound.
    void restart(SQLite::Statement& statement) {
        m_statement = &statement;
        m_bound = 0;
    }
    [[nodiscard]] int bound() const { return m_bound; }

    void bind(std::int64_t value) { m_statement->bind(++m_bound, value); }
    void bind(std::uint64_t value) { bind(static_cast<std::int64_t>(value)); }
    void bind(bool value) { m_statement->bind(++m_bound, value ? 1 : 0); }
    void bind(double value) {
        if (std::isnan(value))
            m_statement->bind(++m_bound);
        else
            m_statement->bind(++m_bound, value);
    }
    /// Copied: the statement runs after the text may be gone.
    void bind(const std::string& value) { m_statement->bind(++m_bound, value); }
    void bind(const InternedText& text) {
        if (text.isEmptyNull && text.value.empty())
            m_statement->bind(++m_bound);
        else
            bind(m_texts.id(text.value));
    }
    void bind(const std::vector<std::uint8_t>& blob) {
        m_statement->bind(++m_bound, static_cast<const void*>(blob.data()), static_cast<int>(blob.size()));
    }
    template <class Unit>
    void bind(Quantity<Unit> value) {
        bind(value.value());
    }
    template <class Tag>
    void bind(StrongId<Tag> id) {
        if (id.isValid())
            bind(sqlId(id));
        else
            m_statement->bind(++m_bound);
    }
    template <class Value>
    void bind(const std::optional<Value>& value) {
        if (value)
            bind(*value);
        else
            m_statement->bind(++m_bound);
    }
    template <class Enum>
    requires std::is_enum_v<Enum>
    void bind(Enum value) { bind(codeOf(value)); }

    /// The columns of a table: the record's fields, and what is given for the others in their order.
    template <class Table, std::size_t Count>
    void bindRow(const Table& table, const typename Table::RecordType& record,
                 const std::array<std::int64_t, Count>& given) {
        std::size_t next = 0;
        forEachColumn(table, [&](const auto& column) {
            using Type = std::remove_cvref_t<decltype(column)>;
            if constexpr (isGiven<Type>)
                bind(given[next++]);
            else
                bind(Type::How::write(record, std::invoke(column.field, record)));
        });
    }

private:
    TextTable& m_texts;
    SQLite::Statement* m_statement = nullptr;
    int m_bound = 0;
};

/// What becomes of a row that the table has already: an error, or the new one takes its place.
enum class SameRow : std::uint8_t { Refuse, Replace };

/// A statement that inserts a known number of rows, some with each execution: binding is cheap, starting a
/// statement is not.
class RowsStatement {
public:
    RowsStatement(SQLite::Database& connection, TextTable& texts, std::string_view table,
                  const std::vector<std::string_view>& columns, std::size_t rows, SameRow sameRow);

protected:
    void endRow();
    ValueBinder m_binder;

private:
    void prepare();

    SQLite::Database& m_connection;
    /// "INSERT INTO table (columns) VALUES ".
    std::string m_start;
    int m_columns;
    std::size_t m_rowsLeft;
    /// Rows of the statement at hand.
    std::size_t m_rowsPerStatement = 0;
    std::optional<SQLite::Statement> m_statement;
};

template <class Table>
std::vector<std::string_view> columnNames(const Table& table) {
    std::vector<std::string_view> names;
    forEachColumn(table, [&](const auto& column) { names.push_back(column.name); });
    return names;
}

/// Inserts a known number of records into their table.
template <class Table>
class RowInserter : private RowsStatement {
public:
    RowInserter(SQLite::Database& connection, TextTable& texts, const Table& table, std::size_t rows,
                SameRow sameRow = SameRow::Refuse)
        : RowsStatement(connection, texts, table.name, columnNames(table), rows, sameRow)
        , m_table(table) {}

    /// `given`: the values of the columns that are no fields, in their order.
    template <class... Given>
    void row(const typename Table::RecordType& record, Given... given) {
        static_assert(givenCount == sizeof...(Given), "a value for each column that is no field");
        m_binder.bindRow(m_table, record, std::array<std::int64_t, sizeof...(Given)>{given...});
        endRow();
    }

private:
    template <class... Columns>
    static constexpr std::size_t countGiven(const std::tuple<Columns...>*) {
        return (std::size_t{0} + ... + (isGiven<Columns> ? 1 : 0));
    }
    static constexpr std::size_t givenCount =
        countGiven(static_cast<const decltype(Table::columns)*>(nullptr));

    const Table& m_table;
};

} // namespace core
