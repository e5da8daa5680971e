#include "app/reports/text_table.h"

#include "core/text/visible_text.h"

#include <algorithm>

namespace app {

namespace {

/// Code points: as wide as most names look.
std::size_t widthOf(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

} // namespace

std::string TextTable::text() const {
    std::vector<std::vector<std::string>> lines(1);
    for (const Column& column : m_columns)
        lines.front().push_back(core::visibleText(column.title));
    for (const auto& row : m_rows) {
        auto& line = lines.emplace_back();
        for (const std::string& cell : row)
            line.push_back(core::visibleText(cell));
    }
    std::vector<std::size_t> widths(m_columns.size(), 0);
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i)
            widths[i] = std::max(widths[i], widthOf(line[i]));
    }
    std::string out;
    for (const auto& line : lines) {
        std::string text;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::string padding(widths[i] - widthOf(line[i]), ' ');
            text += i == 0 ? "" : "  ";
            text += m_columns[i].align == Align::Right ? padding + line[i] : line[i] + padding;
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + "\n";
    }
    return out;
}

std::string TextTable::csv() const {
    std::string out = csvTitles();
    for (const auto& row : m_rows)
        out += csvLine(row);
    return out;
}

std::string TextTable::csvTitles() const {
    std::vector<std::string> titles;
    for (const Column& column : m_columns)
        titles.push_back(column.title);
    return csvLine(titles);
}

std::string TextTable::csvLine(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i)
        line.append(i == 0 ? "" : ",").append(core::csvField(cells[i]));
    return line += "\r\n";
}

} // namespace app
