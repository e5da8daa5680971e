#include "views/ask/answer_lanes.h"

#include "views/common/text/number_text.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

namespace views {

namespace {

using Column = std::optional<std::size_t>;

class AnswerColumns {
public:
    explicit AnswerColumns(const core::SqlTable& answer)
        : m_answer(answer)
        , m_start(find({"start_ns", "at_ns"}))
        , m_duration(find({"duration_ns"}))
        , m_value(find({"value"}))
        , m_lane(find({"lane"}))
        , m_ipu(find({"ipu"}))
        , m_name(find({"name", "layer", "kind"}))
        , m_kind(find({"kind"}))
        , m_run(find({"run"}))
        , m_hasRuns(m_run && std::ranges::any_of(answer.rows, [&](const auto& row) {
                        return row[*m_run] != answer.rows.front()[*m_run];
                    })) {
        if (m_start)
            return;
        m_isCycles = true;
        m_start = find({"start_cycles", "at_cycles"});
        m_duration = find({"duration_cycles"});
    }

    [[nodiscard]] bool isCounter() const { return !m_duration && m_value; }
    [[nodiscard]] bool areTimes() const { return m_start && (m_duration || m_value); }
    [[nodiscard]] bool isCycles() const { return m_isCycles; }

    [[nodiscard]] std::optional<double> start(std::size_t row) const { return number(row, m_start); }
    [[nodiscard]] std::optional<double> duration(std::size_t row) const { return number(row, m_duration); }
    [[nodiscard]] std::optional<double> value(std::size_t row) const { return number(row, m_value); }
    [[nodiscard]] std::string lane(std::size_t row, const std::string& otherwise) const {
        const std::string run = m_hasRuns ? "run " + text(row, m_run) + ", " : std::string();
        if (m_lane)
            return run + text(row, m_lane);
        return run + (m_ipu ? "IPU " + text(row, m_ipu) : otherwise);
    }
    [[nodiscard]] std::string name(std::size_t row) const { return text(row, m_name); }
    [[nodiscard]] std::string kind(std::size_t row) const { return text(row, m_kind); }

private:
    [[nodiscard]] Column find(std::initializer_list<std::string_view> names) const {
        for (const std::string_view name : names) {
            const auto column = std::ranges::find(m_answer.columns, name);
            if (column != m_answer.columns.end())
                return static_cast<std::size_t>(column - m_answer.columns.begin());
        }
        return std::nullopt;
    }
    [[nodiscard]] std::optional<double> number(std::size_t row, Column column) const {
        if (!column)
            return std::nullopt;
        const core::SqlValue& cell = m_answer.rows[row][*column];
        if (const auto* whole = std::get_if<std::int64_t>(&cell))
            return static_cast<double>(*whole);
        const auto* real = std::get_if<double>(&cell);
        return real != nullptr && std::isfinite(*real) ? std::optional(*real) : std::nullopt;
    }
    [[nodiscard]] std::string text(std::size_t row, Column column) const {
        if (!column)
            return {};
        const core::SqlValue& cell = m_answer.rows[row][*column];
        if (const auto* words = std::get_if<std::string>(&cell))
            return *words;
        const auto value = number(row, column);
        return value ? compactText(*value).toStdString() : std::string();
    }

    const core::SqlTable& m_answer;
    Column m_start;
    Column m_duration;
    Column m_value;
    Column m_lane;
    Column m_ipu;
    Column m_name;
    Column m_kind;
    Column m_run;
    /// Rows are of several runs.
    bool m_hasRuns = false;
    bool m_isCycles = false;
};

struct AnswerSlice {
    core::EventSlice slice;
    double value = 0;
};
using AnswerLane = std::pair<std::string, std::vector<AnswerSlice>>;

/// More lanes than that nobody looks through.
constexpr std::size_t mostLanes = 100;

/// In the order in which they come. `isCut`: there are more.
std::vector<AnswerLane> lanesOf(const core::SqlTable& answer, const AnswerColumns& columns,
                                const QString& name, double nanoseconds, bool& isCut) {
    constexpr double most = 9e18;
    std::vector<AnswerLane> lanes;
    std::map<std::string, std::size_t> known;
    for (std::size_t row = 0; row < answer.rows.size(); ++row) {
        const auto start = columns.start(row);
        const auto length = columns.isCounter() ? std::optional(0.0) : columns.duration(row);
        const auto value = columns.isCounter() ? columns.value(row) : std::optional(0.0);
        if (!start || !length || !value || *length < 0 || std::abs(*start * nanoseconds) > most ||
            (*start + *length) * nanoseconds > most)
            continue;
        const std::string lane = columns.lane(row, name.toStdString());
        auto found = known.find(lane);
        isCut = isCut || (found == known.end() && lanes.size() == mostLanes);
        if (found == known.end() && lanes.size() == mostLanes)
            continue;
        if (found == known.end()) {
            found = known.emplace(lane, lanes.size()).first;
            lanes.emplace_back(lane, std::vector<AnswerSlice>());
        }
        lanes[found->second].second.push_back(
            {{columns.name(row), columns.kind(row), std::llround(*start * nanoseconds),
              std::llround(*length * nanoseconds)},
             *value});
    }
    return lanes;
}

} // namespace

std::optional<ReferenceTrace> answerLanes(const core::SqlTable& answer, const QString& name, double clockHz) {
    const AnswerColumns columns(answer);
    if (!columns.areTimes() || (columns.isCycles() && clockHz <= 0))
        return std::nullopt;
    bool isCut = false;
    std::vector<AnswerLane> lanes =
        lanesOf(answer, columns, name, columns.isCycles() ? 1e9 / clockHz : 1, isCut);
    if (lanes.empty())
        return std::nullopt;
    core::EventTrace trace;
    std::vector<std::vector<double>> values;
    for (auto& [lane, slices] : lanes) {
        std::ranges::stable_sort(slices, [](const AnswerSlice& a, const AnswerSlice& b) {
            return std::pair(a.slice.start, -a.slice.duration) < std::pair(b.slice.start, -b.slice.duration);
        });
        core::EventLane& events = trace.lanes.emplace_back();
        std::vector<double>& heights = values.emplace_back();
        events.name = lane;
        for (std::size_t i = 0; i < slices.size(); ++i) {
            if (columns.isCounter() && i + 1 < slices.size())
                slices[i].slice.duration = slices[i + 1].slice.start - slices[i].slice.start;
            if (columns.isCounter())
                heights.push_back(slices[i].value);
            events.slices.push_back(std::move(slices[i].slice));
        }
    }
    ReferenceTrace lanesOfAnswer = makeReferenceTrace(
        isCut ? name + QStringLiteral(", the first lanes of more") : name, std::move(trace));
    for (std::size_t i = 0; i < lanesOfAnswer.lanes.size(); ++i)
        lanesOfAnswer.lanes[i].setValues(std::move(values[i]));
    return lanesOfAnswer;
}

} // namespace views
