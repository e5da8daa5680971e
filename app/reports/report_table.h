#pragma once

#include "app/reports/report.h"
#include "app/reports/text_table.h"
#include "core/base/ids.h"

#include <optional>
#include <string>
#include <vector>

namespace app {

/// A table that is said once and serves the text, the JSON and the CSV of a report. The only place that lays
/// out rows: no verb writes text columns, CSV lines or JSON rows beside it.
class ReportTable {
public:
    using Align = TextTable::Align;

    struct Column {
        /// In JSON; the title of text and CSV too unless there is another.
        std::string key;
        Align align = Align::Left;
        std::string title = {};
        /// Whether text and CSV, and whether JSON have the column.
        bool isInText = true;
        bool isInJson = true;
    };
    /// A column that only people read: JSON says it otherwise, or not at all.
    [[nodiscard]] static Column textColumn(std::string title, Align align = Align::Left) {
        return {std::move(title), align, {}, true, false};
    }
    /// A column that only programs read.
    [[nodiscard]] static Column jsonColumn(std::string key) { return {std::move(key), {}, {}, false, true}; }

    /// A value as JSON has it, and what people read where that is not the same.
    struct Cell {
        Cell(core::Json json, std::string readable)
            : value(std::move(json))
            , text(std::move(readable)) {}
        /// A row whose JSON has no such key.
        Cell(std::nullopt_t /*none*/, std::string readable = {})
            : text(std::move(readable)) {}
        /// Numbers and texts read as they are; null is empty.
        template <class Value>
        Cell(const Value& plain) // NOLINT: cells are written as plain values
            : Cell(core::Json(plain), {}) {
            if (value->is_string())
                text = value->template get<std::string>();
            else if (!value->is_null())
                text = value->dump();
        }

        std::optional<core::Json> value;
        std::string text;
    };

    /// How JSON has a row: an object with the columns' keys, or the list of its values.
    enum class RowShape { Object, List };

    explicit ReportTable(std::vector<Column> columns, RowShape shape = RowShape::Object);

    /// One cell per column.
    void add(std::vector<Cell> cells);
    /// The same row as text of its own, not added: an object or list of JSON, or a line of CSV.
    [[nodiscard]] std::string row(std::vector<Cell> cells, RowForm form) const;
    [[nodiscard]] std::string csvTitles() const { return m_table.csvTitles(); }
    /// A line of text and CSV that is no row of JSON: one cell per column of text.
    void addLine(std::vector<std::string> texts) { m_table.add(std::move(texts)); }

    /// The rows.
    [[nodiscard]] const core::Json& json() const { return m_json; }
    /// The rows since it was last asked, for JSON that groups what text and CSV list in one table.
    [[nodiscard]] core::Json takeJson();
    [[nodiscard]] std::string text() const { return m_table.text(); }
    [[nodiscard]] std::string csv() const { return m_table.csv(); }
    /// Into all three forms: its JSON under `key`.
    void writeTo(Report& report, std::string_view key) const;

private:
    struct Row {
        core::Json json;
        std::vector<std::string> texts;
    };
    [[nodiscard]] Row rowOf(std::vector<Cell> cells) const;

    std::vector<Column> m_columns;
    RowShape m_shape;
    bool m_hasJson;
    core::Json m_json = core::Json::array();
    TextTable m_table;
};

/// Null in JSON, empty in text and CSV.
[[nodiscard]] ReportTable::Cell noCell();
[[nodiscard]] ReportTable::Cell stageOrNone(core::StageId stage);
/// Numbers that count from 0: one below is none.
[[nodiscard]] ReportTable::Cell numberOrNone(std::int64_t number);

} // namespace app
