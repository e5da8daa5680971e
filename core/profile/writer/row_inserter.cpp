#include "core/profile/writer/row_inserter.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

/// Beyond some hundred values the gain is used up and preparing the statement costs more.
constexpr int valuesPerStatement = 320;

std::string rowsSql(int columns, std::size_t rows) {
    std::string tuple = "(?";
    for (int i = 1; i < columns; ++i)
        tuple += ",?";
    tuple += ")";
    std::string sql = tuple;
    for (std::size_t i = 1; i < rows; ++i)
        sql += "," + tuple;
    return sql;
}

} // namespace

RowsStatement::RowsStatement(SQLite::Database& connection, TextTable& texts, std::string_view table,
                             const std::vector<std::string_view>& columns, std::size_t rows, SameRow sameRow)
    : m_binder(texts)
    , m_connection(connection)
    , m_start(fmt::format("{} INTO {} ({}) VALUES ", sameRow == SameRow::Replace ? "REPLACE" : "INSERT",
                          table, fmt::join(columns, ", ")))
    , m_columns(static_cast<int>(columns.size()))
    , m_rowsLeft(rows) {
    prepare();
}

/// A full statement while there are rows for it, then one for the rest.
void RowsStatement::prepare() {
    const auto most = static_cast<std::size_t>(std::max(1, valuesPerStatement / m_columns));
    const std::size_t rows = std::min(most, m_rowsLeft);
    if (rows == 0 || rows == m_rowsPerStatement)
        return;
    m_statement.emplace(m_connection, m_start + rowsSql(m_columns, rows));
    m_rowsPerStatement = rows;
    m_binder.restart(*m_statement);
}

void RowsStatement::endRow() {
    if (m_binder.bound() < m_columns * static_cast<int>(m_rowsPerStatement))
        return;
    m_statement->exec();
    m_statement->reset();
    m_binder.restart(*m_statement);
    m_rowsLeft -= m_rowsPerStatement;
    prepare();
}

TextTable::TextTable(SQLite::Database& connection)
    : m_find(connection, "SELECT id FROM text WHERE value = ?")
    , m_insert(connection, "INSERT INTO text (value) VALUES (?)")
    , m_connection(connection) {}

std::int64_t TextTable::id(const std::string& text) {
    const auto known = m_ids.find(text);
    if (known != m_ids.end())
        return known->second;
    m_find.bindNoCopy(1, text);
    std::int64_t id = 0;
    if (m_find.executeStep()) {
        id = m_find.getColumn(0).getInt64();
    } else {
        m_insert.bindNoCopy(1, text);
        m_insert.exec();
        m_insert.reset();
        id = m_connection.getLastInsertRowid();
    }
    m_find.reset();
    m_ids.emplace(text, id);
    return id;
}

} // namespace core
