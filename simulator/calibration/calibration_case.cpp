#include "simulator/calibration/calibration_case.h"

#include "core/base/object_reader.h"
#include "generated/calibration_cases.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace simulator {

namespace {

using core::Json;

/// Each is simulated; a row of a few bytes becomes a kilobyte in memory.
constexpr std::size_t mostRows = 20'000;

constexpr std::array<std::string_view, 4> kindNames{"micro", "app", "memory", "scaling"};

/// What predictions read, then what only people do.
constexpr auto knownKeys = std::to_array<std::string_view>({
    "id",
    "kind",
    "metric",
    "value",
    "unit",
    "target",
    "clock_hz",
    "figures",
    "class",
    "tier",
    "exclude",
    "inconsistent",
    "ratio_to",
    "figure",
    "operation",
    "args",
    "template",
    "template_args",
    "model",
    "mode",
    "micro_batch",
    "grad_accum",
    "replicas",
    "schedule",
    "recompute",
    "recompute_checkpoints",
    "precision",
    "partials",
    "available_memory_proportion",
    "optimizer",
    "optimizer_state_offchip",
    "replicated_tensor_sharding",
    "attention_dropout",
    "stage_split",
    "split_after",
    "samples_per_item",
    "input_bytes_per_sample",
    "host_data",
    "ipus",
    "ipus_per_replica",
    "scope",
    "part",
    "vertex_code_included",
    "assumed",
    "what",
    "source",
    "note",
    "tiles",
    "machine",
    "grad_accum_known",
    "throughput_counts",
    "device_iterations",
    "split_qkv",
});

bool isKnownKey(std::string_view key) {
    return key.ends_with("_note") || std::ranges::find(knownKeys, key) != knownKeys.end();
}

/// Whether only words say what was measured.
bool isInWords(const CalibrationCase& item) {
    return textOf(item.description, "template") == "described" ||
           (item.kind == CalibrationKind::Scaling && item.excluded.empty() && item.ratioTo.empty() &&
            !item.description.contains("figure"));
}

core::Diagnostic finding(std::string code, std::string_view file, std::size_t line, std::string message,
                         std::string hint) {
    return core::makeError(core::Trouble::Input, std::move(code),
                           {std::string(file), fmt::format("{}", line)}, std::move(message),
                           {std::move(hint)});
}

bool isListOf(const Json& value, bool (*isOfThem)(const Json&)) {
    return value.is_array() && std::ranges::all_of(value, isOfThem);
}
bool isNumber(const Json& value) {
    return value.is_number();
}
bool isWhole(const Json& value) {
    return value.is_number_integer();
}
bool isText(const Json& value) {
    return value.is_string();
}

/// What is wrong with the lists of a stage split: their values, one per IPU or stage, are all numbers or none
/// is.
std::optional<std::string> wrongSplit(const Json& split) {
    for (const auto& [key, value] : split.items()) {
        const bool isPerIpu = key == "attention_layers_per_ipu" || key == "ffn_layers_per_ipu";
        const bool isIpu = key == "embedding_ipu" || key == "head_ipu";
        const bool isRight = key == "encoder_block_boundaries" ? isListOf(value, isWhole)
                             : isPerIpu                        ? !value.empty() && isListOf(value, isNumber)
                             : isIpu                           ? value.is_number()
                             : value.is_array() && !value.empty() && value.front().is_number()
                                 ? isListOf(value, isNumber)
                                 : true;
        if (!isRight)
            return fmt::format("\"stage_split\": \"{}\" is not {}", key,
                               isIpu ? "a number" : "a list of numbers");
    }
    return std::nullopt;
}

/// The first value whose type is not the one that it is read as; nothing when all fit.
std::optional<std::string> wrongValue(const Json& object) {
    struct Expected {
        const char* key;
        bool (*fits)(const Json&);
        const char* wanted;
    };
    static constexpr auto isObject = [](const Json& value) { return value.is_object(); };
    static constexpr auto isSwitch = [](const Json& value) { return value.is_boolean(); };
    static const std::array<Expected, 7> expected{{{"template", isText, "a text"},
                                                   {"model", isObject, "an object"},
                                                   {"mode", isText, "a text"},
                                                   {"args", isObject, "an object"},
                                                   {"figures", isObject, "an object"},
                                                   {"template_args", isObject, "an object"},
                                                   {"vertex_code_included", isSwitch, "true or false"}}};
    for (const Expected& row : expected) {
        const auto found = object.find(row.key);
        if (found != object.end() && !found->is_null() && !row.fits(*found))
            return fmt::format("\"{}\" is not {}", row.key, row.wanted);
    }
    if (const auto own = object.find("template_args"); own != object.end() && own->is_object()) {
        if (own->contains("mode") && !own->at("mode").is_string())
            return "\"template_args\": \"mode\" is not a text";
        if (own->contains("vertices") && !own->at("vertices").is_number())
            return "\"template_args\": \"vertices\" is not a number";
    }
    if (const auto conflict = object.find("inconsistent"); conflict != object.end() && conflict->is_object())
        if (const auto with = conflict->find("with"); with != conflict->end() && !isListOf(*with, isText))
            return "\"inconsistent\": \"with\" is not a list of texts";
    const auto split = object.find("stage_split");
    return split != object.end() && split->is_object() ? wrongSplit(*split) : std::nullopt;
}

/// The case a description stands for; nothing (and a finding) when it lacks what every case has.
std::optional<CalibrationCase> caseOf(const Json& object, std::string_view file, std::size_t line,
                                      core::Diagnostics& findings) {
    const auto kind = std::ranges::find(kindNames, textOf(object, "kind"));
    const auto value = object.find("value");
    CalibrationCase item;
    item.id = textOf(object, "id");
    item.metric = textOf(object, "metric");
    if (item.id.empty() || item.metric.empty() || kind == kindNames.end() || value == object.end() ||
        !value->is_number()) {
        findings.push_back(finding("calibration/incomplete", file, line,
                                   "a case needs id, kind (micro, app, memory, scaling), metric and value",
                                   "see the cases that come with the program"));
        return std::nullopt;
    }
    if (const auto wrong = wrongValue(object)) {
        findings.push_back(finding("calibration/wrong-type", file, line, *wrong,
                                   "see the cases that come with the program"));
        return std::nullopt;
    }
    item.kind = static_cast<CalibrationKind>(kind - kindNames.begin());
    item.what = textOf(object, "what");
    item.source = textOf(object, "source");
    item.unit = textOf(object, "unit");
    item.target = textOf(object, "target");
    item.measured = value->get<double>();
    item.excluded = textOf(object, "exclude");
    item.weak = textOf(object, "tier") != "main";
    item.ratioTo = textOf(object, "ratio_to");
    item.assumed = textOf(object, "assumed");
    if (const auto conflict = object.find("inconsistent");
        conflict != object.end() && conflict->is_object()) {
        item.inconsistency = textOf(*conflict, "reason");
        for (const Json& other : conflict->value("with", Json::array()))
            item.inconsistentWith.push_back(other.get<std::string>());
    }
    for (const auto& [key, unread] : object.items())
        if (!isKnownKey(key))
            item.unknownKeys.push_back(key);
    item.description = object;
    return item;
}

/// Ratios need to be told to what; a scaling row that does not is measured against, or not comparable.
void excludeWithoutRatio(CalibrationCase& item) {
    if (item.excluded.empty() && item.kind == CalibrationKind::Scaling && item.ratioTo.empty())
        item.excluded = item.description.contains("figure")
                            ? "others are measured against it; by itself it is not predictable"
                            : "only ratios between siblings are known";
}

/// What `whole` says and `part` does not, sub-objects too.
void addMissing(const Json& whole, Json& part) {
    for (const auto& [key, value] : whole.items()) {
        const auto own = part.find(key);
        if (own == part.end())
            part[key] = value;
        else if (own->is_object() && value.is_object())
            addMissing(value, *own);
    }
}

/// A row with a published one's id and measurement, and less said than there.
void addPublished(const CalibrationCase& published, CalibrationCase& item) {
    if (isInWords(item)) {
        const double measured = item.measured;
        item = published;
        item.measured = measured;
        return;
    }
    if (item.measured != published.measured || item.metric != published.metric)
        return;
    addMissing(published.description, item.description);
    if (item.what.empty()) {
        item.what = published.what;
        item.source = published.source;
    }
    if (item.inconsistentWith.empty()) {
        item.inconsistentWith = published.inconsistentWith;
        item.inconsistency = published.inconsistency;
    }
}

core::Diagnostic tooManyRows(std::string_view file, std::size_t line) {
    return finding("calibration/too-many-rows", file, line,
                   fmt::format("there are more than {} measurements", mostRows),
                   "split the file, and calibrate with the parts one by one");
}

/// Splits CSV into rows of fields; quoted fields may hold commas, quotes and line ends.
class CsvReader {
public:
    CsvReader(std::string_view text, std::string_view file)
        : m_text(text)
        , m_file(file) {}

    struct Row {
        std::size_t line = 0;
        std::vector<std::string> fields;
    };

    core::Result<std::vector<Row>> read() {
        std::vector<Row> rows;
        while (m_at < m_text.size()) {
            Row row{m_line, {}};
            bool more = true;
            while (more) {
                std::string field;
                if (!readField(field))
                    return core::failure(finding("csv/quote", m_file, row.line, "a quoted field does not end",
                                                 "close it with a quote"));
                row.fields.push_back(std::move(field));
                more = m_at < m_text.size() && m_text[m_at] == ',';
                if (more)
                    ++m_at;
            }
            endLine();
            if (row.fields.size() == 1 && row.fields.front().empty())
                continue;
            if (rows.size() > mostRows)
                return core::failure(tooManyRows(m_file, row.line));
            rows.push_back(std::move(row));
        }
        return rows;
    }

private:
    bool readField(std::string& field) {
        if (m_at >= m_text.size() || m_text[m_at] != '"') {
            const std::size_t end = std::min(m_text.find_first_of(",\r\n", m_at), m_text.size());
            field = m_text.substr(m_at, end - m_at);
            m_at = end;
            return true;
        }
        for (++m_at; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            if (c == '"' && m_at + 1 < m_text.size() && m_text[m_at + 1] == '"')
                ++m_at;
            else if (c == '"') {
                // What follows a closing quote up to the comma belongs to nobody.
                m_at = std::min(m_text.find_first_of(",\r\n", m_at), m_text.size());
                return true;
            }
            m_line += m_text[m_at] == '\n' ? 1 : 0;
            field += m_text[m_at];
        }
        return false;
    }

    void endLine() {
        if (m_at < m_text.size() && m_text[m_at] == '\r')
            ++m_at;
        if (m_at < m_text.size() && m_text[m_at] == '\n')
            ++m_at;
        ++m_line;
    }

    std::string_view m_text;
    std::string_view m_file;
    std::size_t m_at = 0;
    std::size_t m_line = 1;
};

std::optional<double> numberOf(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

/// The columns of a CSV by name, and one row's fields through them.
class Table {
public:
    explicit Table(const CsvReader::Row& header) {
        for (std::size_t i = 0; i < header.fields.size(); ++i)
            m_columns.emplace(header.fields[i], i);
    }
    [[nodiscard]] bool has(std::string_view column) const { return m_columns.contains(column); }
    [[nodiscard]] std::string field(const CsvReader::Row& row, std::string_view column) const {
        const auto found = m_columns.find(column);
        return found != m_columns.end() && found->second < row.fields.size() ? row.fields[found->second]
                                                                             : std::string();
    }

private:
    std::map<std::string, std::size_t, std::less<>> m_columns;
};

/// KEY=VALUE texts as an object; values as JSON where they read as such.
Json argumentsOf(std::string_view text) {
    Json arguments = Json::object();
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view pair = text.substr(0, end);
        const std::size_t equals = pair.find('=');
        if (!pair.empty()) {
            const std::string_view value =
                equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
            const Json parsed = Json::parse(value, nullptr, false);
            arguments[std::string(pair.substr(0, equals))] =
                parsed.is_discarded() ? Json(std::string(value)) : parsed;
        }
        text = end < text.size() ? text.substr(end + 1) : std::string_view();
    }
    return arguments;
}

CalibrationCase publishedRow(const Table& table, const CsvReader::Row& row,
                             std::span<const CalibrationCase> described) {
    const std::string id = table.field(row, "id");
    const auto known = std::ranges::find(described, id, &CalibrationCase::id);
    CalibrationCase item;
    if (known != described.end())
        item = *known;
    else
        item.excluded = "no description that a program can follow";
    item.id = id;
    if (const std::string what = table.field(row, "what"); !what.empty())
        item.what = what;
    return item;
}

CalibrationCase ownMeasurement(const Table& table, const CsvReader::Row& row) {
    CalibrationCase item;
    item.id = table.field(row, "id");
    if (item.id.empty())
        item.id = fmt::format("line {}", row.line);
    item.metric = table.field(row, "metric");
    if (item.metric.empty())
        item.metric = "cycles";
    item.target = table.field(row, "target");
    if (item.target.empty())
        item.target = "ipu2";
    item.description["operation"] = table.field(row, "operation");
    item.description["args"] = argumentsOf(table.field(row, "arguments"));
    if (const std::string name = table.field(row, "class"); !name.empty())
        item.description["class"] = name;
    return item;
}

} // namespace

std::string textOf(const core::Json& description, const char* key) {
    const auto found = description.find(key);
    return found != description.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string reasonOf(const core::Diagnostics& findings) {
    if (findings.empty())
        return {};
    const core::Diagnostic& first = findings.front();
    if (first.code == "calibration/no-prediction" || first.hints.empty())
        return first.message;
    return fmt::format("{} ({})", first.message, fmt::join(first.hints, "; "));
}

std::span<const std::string_view> caseKeys() {
    return knownKeys;
}

core::Diagnostic noPrediction(std::string message) {
    return core::makeError(core::Trouble::Input, "calibration/no-prediction", {}, std::move(message),
                           {"it is left out; describe the case by figures that the program predicts"});
}

core::Result<std::vector<CalibrationCase>> readCalibrationCases(std::string_view text,
                                                                std::string_view file) {
    std::vector<CalibrationCase> cases;
    core::Diagnostics findings;
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view entry = text.substr(0, end);
        text = end < text.size() ? text.substr(end + 1) : std::string_view();
        if (entry.find_first_not_of(" \t\r") == std::string_view::npos)
            continue;
        if (cases.size() + findings.size() >= mostRows) {
            findings.push_back(tooManyRows(file, line));
            break;
        }
        const auto json = core::parseJson(entry, file);
        if (!json || !json->is_object()) {
            findings.push_back(finding("calibration/not-an-object", file, line,
                                       "the line is not a JSON object", "write one case per line"));
            continue;
        }
        if (auto item = caseOf(*json, file, line, findings)) {
            const auto known = std::ranges::find(publishedCases(), item->id, &CalibrationCase::id);
            if (known != publishedCases().end())
                addPublished(*known, *item);
            excludeWithoutRatio(*item);
            cases.push_back(std::move(*item));
        }
    }
    if (hasErrors(findings))
        return core::failure(findings);
    return cases;
}

std::span<const CalibrationCase> publishedCases() {
    static const std::vector<CalibrationCase> cases = [] {
        std::vector<CalibrationCase> all;
        core::Diagnostics findings;
        for (std::size_t i = 0; i < std::size(generated::calibrationCases); ++i)
            if (const auto json = core::parseJson(generated::calibrationCases[i], "calibration_cases.jsonl"))
                if (auto item = caseOf(*json, "calibration_cases.jsonl", i + 1, findings)) {
                    excludeWithoutRatio(*item);
                    all.push_back(std::move(*item));
                }
        return all;
    }();
    return cases;
}

core::Result<std::vector<CalibrationCase>> readMeasurements(std::string_view csv, std::string_view file,
                                                            std::span<const CalibrationCase> described) {
    const auto rows = CsvReader(csv, file).read();
    if (!rows)
        return core::failure(rows.error());
    const Table table(rows->empty() ? CsvReader::Row{} : rows->front());
    const bool own = table.has("operation") && table.has("measured");
    if (!own && !(table.has("id") && table.has("value")))
        return core::failure(finding("calibration/no-columns", file, 1,
                                     "the columns of measurements are missing",
                                     "name them id and value, or operation, arguments and measured"));
    std::vector<CalibrationCase> cases;
    core::Diagnostics findings;
    for (std::size_t i = 1; i < rows->size(); ++i) {
        const CsvReader::Row& row = (*rows)[i];
        CalibrationCase item = own ? ownMeasurement(table, row) : publishedRow(table, row, described);
        const std::string text = table.field(row, own ? "measured" : "value");
        const auto measured = numberOf(text);
        if (!measured || !(*measured > 0)) {
            findings.push_back(finding("calibration/wrong-number", file, row.line,
                                       fmt::format("\"{}\" is no measurement", text),
                                       "give a number above 0, without a unit"));
            continue;
        }
        item.measured = *measured;
        cases.push_back(std::move(item));
    }
    if (hasErrors(findings))
        return core::failure(findings);
    return cases;
}

} // namespace simulator
