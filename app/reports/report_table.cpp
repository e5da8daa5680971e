#include "app/reports/report_table.h"

#include <cassert>

namespace app {

namespace {

std::vector<TextTable::Column> textColumns(const std::vector<ReportTable::Column>& columns) {
    std::vector<TextTable::Column> list;
    for (const ReportTable::Column& column : columns)
        list.push_back({column.title.empty() ? column.key : column.title, column.align});
    return list;
}

} // namespace

ReportTable::ReportTable(std::vector<Column> columns)
    : m_columns(std::move(columns))
    , m_table(textColumns(m_columns)) {}

void ReportTable::add(const std::vector<Cell>& cells) {
    assert(cells.size() == m_columns.size());
    core::Json object = core::Json::object();
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        object[m_columns[i].key] = cells[i].value;
        texts.push_back(cells[i].text);
    }
    m_json.push_back(std::move(object));
    m_table.add(std::move(texts));
}

void ReportTable::writeTo(Report& report, std::string_view key) const {
    report.json[std::string(key)] = m_json;
    report.text = text();
    report.csv = csv();
}

} // namespace app
