#pragma once

#include <string>
#include <vector>

namespace app {

/// Rows of a table for a terminal: columns as wide as their widest cell, numbers to the right.
class TextTable {
public:
    enum class Align { Left, Right };

    struct Column {
        std::string title;
        Align align = Align::Left;
    };

    explicit TextTable(std::vector<Column> columns)
        : m_columns(std::move(columns)) {}

    /// One cell per column.
    void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }

    /// Title line, rows; every line ends with a line break. Cells as `core::visibleText`.
    [[nodiscard]] std::string text() const;
    /// Fields as `core::csvField`.
    [[nodiscard]] std::string csv() const;
    /// The title line of `csv()`, and a row as it has it.
    [[nodiscard]] std::string csvTitles() const;
    [[nodiscard]] static std::string csvLine(const std::vector<std::string>& cells);

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace app
