#pragma once

#include "app/reports/report.h"
#include "app/reports/text_table.h"

#include <string>
#include <vector>

namespace app {

/// A table that is said once and serves the text, the JSON and the CSV of a report.
class ReportTable {
public:
    struct Column {
        /// In JSON; the title of text and CSV too unless there is another.
        std::string key;
        TextTable::Align align = TextTable::Align::Left;
        std::string title = {};
    };

    /// A value as JSON has it, and what people read where that is not the same.
    struct Cell {
        Cell(core::Json json, std::string readable)
            : value(std::move(json))
            , text(std::move(readable)) {}
        /// Numbers and texts read as they are; null is empty.
        template <class Value>
        Cell(const Value& plain) // NOLINT: cells are written as plain values
            : value(plain)
            , text(value.is_null()     ? std::string()
                   : value.is_string() ? value.get<std::string>()
                                       : value.dump()) {}

        core::Json value;
        std::string text;
    };

    explicit ReportTable(std::vector<Column> columns);

    /// One cell per column.
    void add(const std::vector<Cell>& cells);

    /// One object per row.
    [[nodiscard]] const core::Json& json() const { return m_json; }
    [[nodiscard]] std::string text() const { return m_table.text(); }
    [[nodiscard]] std::string csv() const { return m_table.csv(); }
    /// Into all three forms: its JSON under `key`.
    void writeTo(Report& report, std::string_view key) const;

private:
    std::vector<Column> m_columns;
    core::Json m_json = core::Json::array();
    TextTable m_table;
};

} // namespace app
