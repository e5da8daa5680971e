#include "core/profile/writer/row_inserter.h"

#include <algorithm>

namespace core {

namespace {

/// Beyond some hundred values the gain is used up and preparing the statement costs more.
constexpr int valuesPerStatement = 320;

std::string insertSql(const std::string& table, int columns, std::size_t rows) {
    std::string tuple = "(?";
    for (int i = 1; i < columns; ++i)
        tuple += ",?";
    tuple += ")";
    std::string sql = "INSERT INTO " + table + " VALUES " + tuple;
    for (std::size_t i = 1; i < rows; ++i)
        sql += "," + tuple;
    return sql;
}

} // namespace

RowInserter::RowInserter(SQLite::Database& connection, std::string table, int columns, std::size_t rows)
    : m_connection(connection)
    , m_table(std::move(table))
    , m_columns(columns)
    , m_rowsLeft(rows) {
    prepare();
}

/// A full statement while there are rows for it, then one for the rest.
void RowInserter::prepare() {
    const std::size_t most = std::max(1, valuesPerStatement / m_columns);
    const std::size_t rows = std::min(most, m_rowsLeft);
    if (rows == 0 || rows == m_rowsPerStatement)
        return;
    m_statement.emplace(m_connection, insertSql(m_table, m_columns, rows));
    m_rowsPerStatement = rows;
}

void RowInserter::endRow() {
    if (m_bound < m_columns * static_cast<int>(m_rowsPerStatement))
        return;
    m_statement->exec();
    m_statement->reset();
    m_bound = 0;
    m_rowsLeft -= m_rowsPerStatement;
    prepare();
}

TextTable::TextTable(SQLite::Database& connection)
    : m_find(connection, "SELECT id FROM text WHERE value = ?")
    , m_insert(connection, "INSERT INTO text (value) VALUES (?)")
    , m_connection(connection) {}

std::optional<std::int64_t> TextTable::optionalId(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(id(text));
}

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
