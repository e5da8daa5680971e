#include "core/interchange/trace/chrome_events.h"

#include "core/base/json.h"
#include "core/interchange/trace/lane_builder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace core {

namespace {

/// Texts and whole numbers are both used as numbers of processes and threads.
std::string idText(const Json& event, const char* key) {
    const auto found = event.find(key);
    if (found == event.end() || found->is_null())
        return "0";
    return found->is_string() ? found->get<std::string>() : toText(*found, -1);
}

std::string textMember(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// What metadata says of a process or thread.
struct NamedRow {
    std::string name;
    std::int64_t rank = 0;
};

class ChromeEventReader {
public:
    ChromeEventReader(const Json& document, const std::string& file)
        : m_document(document)
        , m_file(file) {}

    Result<EventTrace> read() {
        const bool isList = m_document.is_array();
        const auto member = isList ? m_document.end() : m_document.find("traceEvents");
        if (!isList && (member == m_document.end() || !member->is_array()))
            return failure(makeError(Trouble::Input, "trace/format", {m_file, ""},
                                     "the JSON has no list \"traceEvents\", so it is no Chrome trace",
                                     {"give a file whose \"traceEvents\" are a list of events"}));
        const Json& events = isList ? m_document : *member;
        m_list = isList ? "" : "/traceEvents";
        for (std::size_t i = 0; i < events.size() && !m_problem; ++i) {
            m_index = i;
            readEvent(events[i]);
        }
        if (!m_problem)
            checkEnds();
        if (m_problem)
            return failure(std::move(*m_problem));
        return result();
    }

private:
    void refuse(const char* code, std::string message, std::string hint) {
        if (!m_problem)
            m_problem = makeError(Trouble::Input, code,
                                  {m_file, m_index ? childPointer(m_list, *m_index) : std::string(m_list)},
                                  std::move(message), {std::move(hint)});
    }

    void readEvent(const Json& event) {
        if (!event.is_object())
            return refuse("trace/member", "an event is an object", "write {\"ph\": \"X\", …}");
        const std::string phase = textMember(event, "ph");
        if (phase.empty())
            return refuse("trace/member", "the event has no phase", "write its \"ph\", for example \"X\"");
        if (phase == "M")
            return readMetadata(event);
        if (phase == "X")
            return readComplete(event);
        if (phase == "B" || phase == "E")
            return readHalf(event, phase == "B");
        if (phase == "b" || phase == "e" || phase == "S" || phase == "F")
            ++m_asynchronous;
    }

    /// Microseconds of an event as nanoseconds; negative ones only where `mayBeNegative`.
    std::optional<std::int64_t> timeOf(const Json& event, const char* key, bool mayBeNegative) {
        const auto found = event.find(key);
        if (found == event.end() || !found->is_number()) {
            refuse("trace/member", fmt::format("the event has no number \"{}\"", key),
                   fmt::format("write its \"{}\" in microseconds", key));
            return std::nullopt;
        }
        const double microseconds = found->get<double>();
        if (!mayBeNegative && microseconds < 0) {
            refuse("trace/time", fmt::format("the duration {} is negative", microseconds),
                   "an event ends after it starts");
            return std::nullopt;
        }
        if (!std::isfinite(microseconds) ||
            std::abs(microseconds) * 1000 > static_cast<double>(mostTraceNanoseconds)) {
            refuse("trace/time", fmt::format("\"{}\" is {} microseconds", key, microseconds),
                   "times are microseconds, at most 73 years of them");
            return std::nullopt;
        }
        return std::llround(microseconds * 1000);
    }

    void readComplete(const Json& event) {
        const auto start = timeOf(event, "ts", true);
        const auto duration = start ? timeOf(event, "dur", false) : std::nullopt;
        if (duration)
            laneOf(event).add({textMember(event, "name"), textMember(event, "cat"), *start, *duration});
    }

    void readHalf(const Json& event, bool isBegin) {
        const auto time = timeOf(event, "ts", true);
        if (!time)
            return;
        LaneBuilder& lane = laneOf(event);
        const auto trouble = isBegin
                                 ? lane.begin({textMember(event, "name"), textMember(event, "cat"), *time, 0})
                                 : lane.end(*time);
        if (trouble == LaneBuilder::Trouble::TooDeep)
            refuse("trace/depth", fmt::format("more than {} slices lie in one another", mostNestedSlices),
                   "end what was begun");
        else if (trouble == LaneBuilder::Trouble::NothingBegun)
            refuse("trace/unbalanced", "the event ends a slice where none was begun",
                   "events stand in the order of time: put the begin (\"B\") of the same process and thread "
                   "before it");
        else if (trouble == LaneBuilder::Trouble::EndsBeforeItBegins)
            refuse("trace/time", fmt::format("\"{}\" ends before it begins", *lane.open()),
                   "an event ends after it starts");
    }

    void readMetadata(const Json& event) {
        const auto arguments = event.find("args");
        if (arguments == event.end() || !arguments->is_object())
            return;
        const std::string what = textMember(event, "name");
        const bool isThread = what.starts_with("thread_");
        NamedRow& row = isThread ? m_threads[{idText(event, "pid"), idText(event, "tid")}]
                                 : m_processes[idText(event, "pid")];
        if (what.ends_with("_name"))
            row.name = textMember(*arguments, "name");
        else if (what.ends_with("_sort_index"))
            row.rank = static_cast<std::int64_t>(
                std::llround(std::clamp(numberOr(*arguments, "sort_index", 0), -1e9, 1e9)));
    }

    LaneBuilder& laneOf(const Json& event) {
        if (++m_events > 2 * mostSlices)
            refuse("trace/size", fmt::format("the trace has more than {} slices", mostSlices),
                   "record a shorter time");
        const std::pair<std::string, std::string> key{idText(event, "pid"), idText(event, "tid")};
        const auto [found, isNew] = m_places.try_emplace(key, m_lanes.size());
        if (isNew) {
            m_lanes.emplace_back();
            m_keys.push_back(key);
        }
        return m_lanes[found->second];
    }

    void checkEnds() {
        for (std::size_t i = 0; i < m_lanes.size(); ++i)
            if (const std::string* open = m_lanes[i].open()) {
                m_index.reset();
                refuse("trace/unbalanced",
                       fmt::format("\"{}\" of process {}, thread {} is begun and does not end",
                                   open->substr(0, 80), m_keys[i].first, m_keys[i].second),
                       "end it (\"E\"), or write it as a complete event (\"X\")");
            }
    }

    Result<EventTrace> result() {
        std::vector<std::tuple<std::int64_t, std::size_t, std::int64_t, std::size_t>> order;
        std::map<std::string, std::size_t> firstOfProcess;
        for (std::size_t i = 0; i < m_lanes.size(); ++i) {
            const auto& [process, thread] = m_keys[i];
            const NamedRow& outer = m_processes[process];
            const NamedRow& inner = m_threads[m_keys[i]];
            m_lanes[i].name = (outer.name.empty() ? "process " + process : outer.name) + "/" +
                              (inner.name.empty() ? "thread " + thread : inner.name);
            order.emplace_back(outer.rank, firstOfProcess.try_emplace(process, i).first->second, inner.rank,
                               i);
        }
        std::ranges::sort(order);
        for (std::size_t place = 0; place < order.size(); ++place)
            m_lanes[std::get<3>(order[place])].rank = static_cast<std::int64_t>(place);
        std::string tooDeep;
        EventTrace trace = traceOfLanes(std::move(m_lanes), tooDeep);
        if (!tooDeep.empty()) {
            m_index.reset();
            refuse("trace/depth",
                   fmt::format("more than {} slices of {} lie in one another", mostNestedSlices, tooDeep),
                   "check that the durations are microseconds");
            return failure(std::move(*m_problem));
        }
        if (m_asynchronous > 0)
            trace.warnings.push_back(makeWarning(m_asynchronous));
        return trace;
    }

    [[nodiscard]] Diagnostic makeWarning(std::int64_t count) const {
        Diagnostic warning = makeError(
            Trouble::Input, "trace/asynchronous", {m_file, std::string(m_list)},
            fmt::format("{} asynchronous events (\"b\", \"e\") are left out: they are on no thread", count),
            {"record what is to be compared as slices of threads (\"X\", or \"B\" and \"E\")"});
        warning.severity = Severity::Warning;
        return warning;
    }

    const Json& m_document;
    const std::string& m_file;
    /// Where the events are, and the one that is being read.
    std::string_view m_list;
    std::optional<std::size_t> m_index;
    std::map<std::string, NamedRow> m_processes;
    std::map<std::pair<std::string, std::string>, NamedRow> m_threads;
    std::map<std::pair<std::string, std::string>, std::size_t> m_places;
    std::vector<LaneBuilder> m_lanes;
    /// Process and thread of every lane.
    std::vector<std::pair<std::string, std::string>> m_keys;
    std::int64_t m_asynchronous = 0;
    std::size_t m_events = 0;
    std::optional<Diagnostic> m_problem;
};

/// The text with the bracket that closes its array. The format lets who writes events one by one leave it
/// out, with a comma behind the last. Empty where nothing is missing.
std::string closedArray(std::string_view text) {
    constexpr const char* blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    std::size_t last = text.find_last_not_of(blanks);
    if (first == std::string_view::npos || text[first] != '[' || text[last] == ']')
        return {};
    if (text[last] == ',')
        last = text.find_last_not_of(blanks, last - 1);
    if (text[last] != '}' && last != first)
        return {};
    return std::string(text.substr(0, last + 1)) + "]";
}

} // namespace

Result<EventTrace> readChromeEvents(std::string_view text, const std::string& file) {
    const std::string closed = closedArray(text);
    const auto document = parseJson(closed.empty() ? text : std::string_view(closed), file);
    if (!document)
        return failure(document.error());
    return ChromeEventReader(*document, file).read();
}

} // namespace core
