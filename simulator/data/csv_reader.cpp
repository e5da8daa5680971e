// One sample per line, numbers separated by commas; one column is the target.
#include "simulator/data/dataset_readers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace simulator {
namespace {

class CsvSource final : public SampleSource {
public:
    CsvSource(std::vector<float> values, std::int64_t columns, std::int64_t labelColumn,
              InputTransform transform, Extents shape, const std::string& file)
        : m_values(std::move(values))
        , m_columns(columns)
        , m_labelColumn(labelColumn)
        , m_transform(std::move(transform))
        , m_inputs{{file, std::move(shape)}}
        , m_targets{{file, {}}} {}

    [[nodiscard]] std::int64_t samples() const override {
        return static_cast<std::int64_t>(m_values.size()) / m_columns;
    }
    [[nodiscard]] const std::vector<SampleField>& inputs() const override { return m_inputs; }
    [[nodiscard]] const std::vector<SampleField>& targets() const override { return m_targets; }

    [[nodiscard]] core::Result<void> readInput(std::size_t, std::int64_t sample,
                                               std::span<float> values) const override {
        const float* row = m_values.data() + sample * m_columns;
        float* const rest = std::copy(row, row + m_labelColumn, values.data());
        std::copy(row + m_labelColumn + 1, row + m_columns, rest);
        scaleInputs(m_transform, values);
        return {};
    }
    [[nodiscard]] core::Result<void> readTarget(std::size_t, std::int64_t sample,
                                                std::span<float> values) const override {
        values[0] = m_values[static_cast<std::size_t>(sample * m_columns + m_labelColumn)];
        return {};
    }

private:
    std::vector<float> m_values;
    std::int64_t m_columns;
    std::int64_t m_labelColumn;
    InputTransform m_transform;
    std::vector<SampleField> m_inputs;
    std::vector<SampleField> m_targets;
};

std::string_view trimmed(std::string_view text) {
    const auto isBlank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::optional<float> number(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('+'))
        text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return static_cast<float>(value);
}

/// Cuts off the text up to the next separator.
std::string_view takeUntil(std::string_view& rest, char separator) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

/// The numbers of all lines, row by row.
class CsvTable {
public:
    CsvTable(const std::filesystem::path& file, std::optional<bool> hasHeader)
        : m_file(file)
        , m_hasHeader(hasHeader) {}

    core::Result<void> read(std::string_view text) {
        if (text.starts_with("\xEF\xBB\xBF"))
            text.remove_prefix(3);
        for (std::int64_t line = 1; !text.empty(); ++line) {
            const std::string_view content = trimmed(takeUntil(text, '\n'));
            if (content.empty() || (isFirst(line) && isHeader(content)))
                continue;
            if (auto result = readLine(content, line); !result)
                return result;
        }
        return {};
    }

    [[nodiscard]] std::int64_t columns() const { return m_columns; }
    [[nodiscard]] std::vector<float> takeValues() { return std::move(m_values); }

private:
    static bool isFirst(std::int64_t line) { return line == 1; }

    [[nodiscard]] bool isHeader(std::string_view content) const {
        if (m_hasHeader)
            return *m_hasHeader;
        // A line of names alone; one text among numbers is a mistake to be told.
        while (!content.empty()) {
            if (number(takeUntil(content, ',')))
                return false;
        }
        return true;
    }

    core::Result<void> readLine(std::string_view content, std::int64_t line) {
        std::int64_t column = 0;
        const bool endsWithComma = content.ends_with(',');
        while (!content.empty() || (column > 0 && endsWithComma && column < m_columns)) {
            const std::string_view cell = takeUntil(content, ',');
            const auto value = number(cell);
            ++column;
            if (!value)
                return core::failure(
                    datasetTrouble("dataset/number", m_file, fmt::format("{}:{}", line, column),
                                   fmt::format("\"{}\" in column {} is not a number", trimmed(cell), column),
                                   cell.find(';') != std::string_view::npos
                                       ? "separate the columns with commas and write decimals with a point"
                                       : "write numbers only, class names as class numbers from 0"));
            m_values.push_back(*value);
        }
        if (m_columns == 0)
            m_columns = column;
        if (column != m_columns)
            return core::failure(datasetTrouble(
                "dataset/columns", m_file, fmt::format("{}:1", line),
                fmt::format("the line has {} columns, the ones before have {}", column, m_columns),
                "give every line the same number of columns"));
        return {};
    }

    const std::filesystem::path& m_file;
    std::optional<bool> m_hasHeader;
    std::int64_t m_columns = 0;
    std::vector<float> m_values;
};

} // namespace

OpenedDataset openCsv(const DatasetRequest& request) {
    const std::filesystem::path path = pathOf(request, "file");
    const auto bytes = ByteSource::open(path);
    if (!bytes)
        return core::failure(bytes.error());
    const auto text = bytes->text(0, bytes->size());
    if (!text)
        return core::failure(text.error());
    const auto header = request.spec.parameters.find("header");
    CsvTable table(path, header != request.spec.parameters.end() && header->is_boolean()
                             ? std::optional(header->get<bool>())
                             : std::nullopt);
    if (auto result = table.read(*text); !result)
        return core::failure(result.error());
    const std::int64_t columns = table.columns();
    if (columns == 0)
        return core::failure(
            datasetTrouble("dataset/empty", path, "", "holds no sample", "give a file with samples"));
    const std::int64_t wanted = integerOf(request, "label_column", -1);
    const std::int64_t label = wanted < 0 ? columns + wanted : wanted;
    if (label < 0 || label >= columns || columns < 2)
        return core::failure(datasetTrouble(
            "dataset/label-column", path, "",
            fmt::format("there is no column {} beside the inputs: lines have {} columns", wanted, columns),
            fmt::format("choose a label_column from 0 to {}", std::max<std::int64_t>(1, columns) - 1)));
    const InputTransform transform = inputTransform(request);
    auto shape = transformedShape(transform, {columns - 1}, path);
    if (!shape)
        return core::failure(shape.error());
    return std::make_shared<CsvSource>(table.takeValues(), columns, label, transform, std::move(*shape),
                                       path.string());
}

} // namespace simulator
