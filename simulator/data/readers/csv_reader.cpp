// One sample per line, numbers separated by commas; one column is the target.
#include "simulator/data/files/line_index.h"
#include "simulator/data/readers/dataset_readers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace simulator {
namespace {

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
    const auto stored = static_cast<float>(value);
    // from_chars takes "nan" and "inf" for numbers; one of them spoils every weight.
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(stored))
        return std::nullopt;
    return stored;
}

/// Cuts off the text up to the next separator.
std::string_view takeUntil(std::string_view& rest, char separator) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

/// Appends the numbers of a line.
core::Result<void> readRow(std::string_view content, const std::filesystem::path& file, std::int64_t line,
                           std::vector<float>& row) {
    std::int64_t column = 0;
    for (bool goesOn = true; goesOn;) {
        goesOn = content.find(',') != std::string_view::npos;
        const std::string_view cell = takeUntil(content, ',');
        const auto value = number(cell);
        ++column;
        if (!value)
            return core::failure(datasetTrouble(
                "dataset/number", file, fmt::format("{}:{}", line, column),
                fmt::format("\"{}\" in column {} is not a finite number", trimmed(cell), column),
                cell.find(';') != std::string_view::npos
                    ? "separate the columns with commas and write decimals with a point"
                    : "write numbers only, class names as class numbers from 0"));
        row.push_back(*value);
    }
    return {};
}

/// A line of names alone; one text among numbers is a mistake to be reported.
bool isHeader(std::string_view content) {
    while (!content.empty()) {
        if (number(takeUntil(content, ',')))
            return false;
    }
    return true;
}

/// The numbers of all lines: in memory, or where the file is too large for that, read again when asked for.
class CsvTable {
public:
    static core::Result<CsvTable> make(ByteSource bytes, std::optional<bool> hasHeader,
                                       std::uint64_t memoryLimit) {
        CsvTable table;
        const bool isKept = bytes.size() <= memoryLimit;
        std::vector<float> row;
        const auto visit = [&](std::string_view line, std::int64_t number) -> core::Result<bool> {
            const std::string_view content = trimmed(line);
            if (content.empty() || (number == 1 && hasHeader.value_or(isHeader(content))))
                return false;
            row.clear();
            if (auto result = readRow(content, bytes.path(), number, row); !result)
                return core::failure(result.error());
            const auto columns = static_cast<std::int64_t>(row.size());
            if (table.m_columns == 0)
                table.m_columns = columns;
            if (columns != table.m_columns)
                return core::failure(datasetTrouble(
                    "dataset/columns", bytes.path(), fmt::format("{}:1", number),
                    fmt::format("the line has {} columns, the ones before have {}", columns, table.m_columns),
                    "give every line the same number of columns"));
            ++table.m_rows;
            if (isKept)
                table.m_values.insert(table.m_values.end(), row.begin(), row.end());
            return !isKept;
        };
        auto lines = LineIndex::make(bytes, visit);
        if (!lines)
            return core::failure(lines.error());
        table.m_lines = std::move(*lines);
        table.m_bytes.emplace(std::move(bytes));
        return table;
    }

    [[nodiscard]] std::int64_t rows() const { return m_rows; }
    [[nodiscard]] std::int64_t columns() const { return m_columns; }
    /// `read` gets the numbers of a row.
    template <class Read>
    [[nodiscard]] core::Result<void> row(std::int64_t index, Read read) const {
        if (m_lines.size() == 0) {
            read(m_values.data() + index * m_columns);
            return {};
        }
        const auto line = m_lines.line(*m_bytes, index);
        if (!line)
            return core::failure(line.error());
        std::vector<float> values;
        if (auto result = readRow(trimmed(*line), m_bytes->path(), index + 1, values); !result)
            return result;
        values.resize(static_cast<std::size_t>(m_columns));
        read(values.data());
        return {};
    }

private:
    std::int64_t m_rows = 0;
    std::int64_t m_columns = 0;
    std::vector<float> m_values;
    std::optional<ByteSource> m_bytes;
    LineIndex m_lines;
};

class CsvSource final : public SampleSource {
public:
    CsvSource(CsvTable table, std::int64_t labelColumn, InputTransform transform, Extents shape,
              const std::string& file)
        : m_table(std::move(table))
        , m_labelColumn(labelColumn)
        , m_transform(std::move(transform))
        , m_inputs{{file, std::move(shape)}}
        , m_targets{{file, {}}} {}

    [[nodiscard]] std::int64_t samples() const override { return m_table.rows(); }
    [[nodiscard]] const std::vector<SampleField>& inputs() const override { return m_inputs; }
    [[nodiscard]] const std::vector<SampleField>& targets() const override { return m_targets; }

    [[nodiscard]] core::Result<void> readInput(std::size_t, std::int64_t sample,
                                               std::span<float> values) const override {
        return m_table.row(sample, [&](const float* row) {
            const auto rest = std::copy(row, row + m_labelColumn, values.begin());
            std::copy(row + m_labelColumn + 1, row + m_table.columns(), rest);
            scaleInputs(m_transform, values);
        });
    }
    [[nodiscard]] core::Result<void> readTarget(std::size_t, std::int64_t sample,
                                                std::span<float> values) const override {
        return m_table.row(sample, [&](const float* row) { values[0] = row[m_labelColumn]; });
    }

private:
    CsvTable m_table;
    std::int64_t m_labelColumn;
    InputTransform m_transform;
    std::vector<SampleField> m_inputs;
    std::vector<SampleField> m_targets;
};

} // namespace

OpenedDataset openCsv(const DatasetRequest& request) {
    const std::filesystem::path path = pathOf(request, "file");
    auto bytes = ByteSource::open(path, request.memoryLimit);
    if (!bytes)
        return core::failure(bytes.error());
    const auto header = request.spec.parameters.find("header");
    auto table = CsvTable::make(std::move(*bytes),
                                header != request.spec.parameters.end() && header->is_boolean()
                                    ? std::optional(header->get<bool>())
                                    : std::nullopt,
                                request.memoryLimit);
    if (!table)
        return core::failure(table.error());
    const std::int64_t columns = table->columns();
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
    return std::make_shared<CsvSource>(std::move(*table), label, transform, std::move(*shape), path.string());
}

} // namespace simulator
