#include "app/reports/report_table.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace app {

namespace {

std::vector<TextTable::Column> textColumns(const std::vector<ReportTable::Column>& columns) {
    std::vector<TextTable::Column> list;
    for (const ReportTable::Column& column : columns)
        if (column.isInText)
            list.push_back({column.title.empty() ? column.key : column.title, column.align});
    return list;
}

} // namespace

ReportTable::ReportTable(std::vector<Column> columns, RowShape shape)
    : m_columns(std::move(columns))
    , m_shape(shape)
    , m_hasJson(std::ranges::any_of(m_columns, &Column::isInJson))
    , m_table(textColumns(m_columns)) {}

ReportTable::Row ReportTable::rowOf(std::vector<Cell> cells) const {
    assert(cells.size() == m_columns.size());
    core::Json row = m_shape == RowShape::Object ? core::Json::object() : core::Json::array();
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (m_columns[i].isInText)
            texts.push_back(std::move(cells[i].text));
        if (!m_columns[i].isInJson || !cells[i].value)
            continue;
        if (m_shape == RowShape::Object)
            row[m_columns[i].key] = std::move(*cells[i].value);
        else
            row.push_back(std::move(*cells[i].value));
    }
    return {std::move(row), std::move(texts)};
}

void ReportTable::add(std::vector<Cell> cells) {
    Row row = rowOf(std::move(cells));
    if (m_hasJson)
        m_json.push_back(std::move(row.json));
    m_table.add(std::move(row.texts));
}

std::string ReportTable::row(std::vector<Cell> cells, RowForm form) const {
    const Row row = rowOf(std::move(cells));
    if (form == RowForm::Csv)
        return TextTable::csvLine(row.texts);
    std::string text = core::toText(row.json);
    text.pop_back();
    return text;
}

core::Json ReportTable::takeJson() {
    return std::exchange(m_json, core::Json::array());
}

void ReportTable::writeTo(Report& report, std::string_view key) const {
    report.json[std::string(key)] = m_json;
    report.text = text();
    report.csv = csv();
}

ReportTable::Cell noCell() {
    return {core::Json(), ""};
}

ReportTable::Cell stageOrNone(core::StageId stage) {
    return stage.isValid() ? ReportTable::Cell(stage.value()) : noCell();
}

ReportTable::Cell numberOrNone(std::int64_t number) {
    return number >= 0 ? ReportTable::Cell(number) : noCell();
}

} // namespace app
