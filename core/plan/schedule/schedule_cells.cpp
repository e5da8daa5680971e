#include "core/plan/schedule/schedule_cells.h"

#include "core/plan/schedule/slot_layout.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <vector>

namespace core {

namespace {

Diagnostic badCells(std::string message, std::string hint) {
    return makeError(Trouble::Input, "value-error/schedule-table", {"", "/pipeline/schedule"},
                     std::move(message), {std::move(hint)});
}

std::vector<std::string_view> splitAt(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\"";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<std::int32_t> numberIn(std::string_view text) {
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isWhole = error == std::errc() && end == text.data() + text.size() && number >= 0;
    return isWhole ? std::optional(number) : std::nullopt;
}

std::optional<Phase> phaseOfLetter(char letter) {
    for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::Recompute, Phase::WeightGradient})
        if (workLetter(phase) == letter)
            return phase;
    return std::nullopt;
}

/// Reads a table row by row into the work of every slot and IPU.
class CellReader {
public:
    CellReader(std::string_view csv, const PipelineShape& shape)
        : m_csv(csv)
        , m_shape(shape) {
        for (std::size_t stage = 0; stage < shape.stages; ++stage)
            m_stages[shape.ipuOf(stage)].emplace_back(stage);
    }

    Result<PipelineSchedule> read() {
        std::size_t row = 0;
        for (const std::string_view line : splitAt(m_csv, '\n'))
            if (++row > 1 && !trimmed(line).empty() && !m_problem)
                readRow(line, row);
        if (!m_problem && m_slots.empty())
            m_problem =
                badCells("the table of the schedule has no work",
                         "write a row per IPU, for example \"0,F0,F1,B0,B1\", under a row of headings");
        if (m_problem)
            return failure(std::move(*m_problem));
        return collected();
    }

private:
    void refuse(std::string message, std::string hint) {
        if (!m_problem)
            m_problem = badCells(std::move(message), std::move(hint));
    }

    void readRow(std::string_view line, std::size_t row) {
        const std::vector<std::string_view> cells = splitAt(line, ',');
        std::string_view name = trimmed(cells.front());
        if (name.starts_with("IPU "))
            name.remove_prefix(4);
        const std::optional<std::int32_t> number = numberIn(name);
        const IpuId ipu(static_cast<std::size_t>(number.value_or(0)));
        if (!number || !m_stages.contains(ipu))
            return refuse(fmt::format("row {} of the table is of IPU \"{}\", which holds no stage", row,
                                      name.substr(0, 40)),
                          "begin every row but the first with the number of an IPU that holds a stage");
        if (!m_rows.emplace(ipu, row).second)
            return refuse(
                fmt::format("rows {} and {} of the table are both of IPU {}", m_rows[ipu], row, ipu.index()),
                "write all work of an IPU into one row");
        for (std::size_t column = 1; column < cells.size(); ++column)
            for (const std::string_view work : splitAt(trimmed(cells[column]), ' '))
                if (const std::string_view text = trimmed(work); !text.empty() && text != "-")
                    readWork(text, ipu, row, column - 1);
    }

    void readWork(std::string_view text, IpuId ipu, std::size_t row, std::size_t slot) {
        const std::vector<std::string_view> parts = splitAt(text.substr(1), '.');
        const std::optional<Phase> phase = phaseOfLetter(text.front());
        const std::optional<std::int32_t> microBatch = numberIn(parts[0]);
        const std::optional<std::int32_t> stage =
            parts.size() == 2 ? numberIn(parts[1]) : std::optional<std::int32_t>();
        if (!phase || !microBatch || parts.size() > 2 || (parts.size() == 2 && !stage))
            return refuse(
                fmt::format("row {}, slot {}: \"{}\" is no work", row, slot, text.substr(0, 40)),
                "write F, B, W or R and a micro-batch, F2, and the stage where an IPU holds several, "
                "F2.1");
        const std::vector<StageId>& held = m_stages.at(ipu);
        if (!stage && held.size() > 1)
            return refuse(fmt::format("row {}, slot {}: \"{}\" does not say which of the {} stages of IPU {}",
                                      row, slot, text, held.size(), ipu.index()),
                          fmt::format("write for example {}.{}", text, held.front().index()));
        if (m_slots.size() <= slot)
            m_slots.resize(slot + 1);
        m_slots[slot].push_back(
            {*phase, stage ? StageId(static_cast<std::size_t>(*stage)) : held.front(), *microBatch, ipu});
    }

    [[nodiscard]] PipelineSchedule collected() {
        PipelineSchedule schedule;
        schedule.shape = m_shape;
        for (std::vector<WorkItem>& work : m_slots) {
            std::ranges::stable_sort(work, {}, &WorkItem::ipu);
            schedule.timeSlots.push_back({SlotPhase::Main,
                                          static_cast<std::uint32_t>(schedule.items.size()),
                                          static_cast<std::uint32_t>(work.size()),
                                          {},
                                          {}});
            schedule.items.insert(schedule.items.end(), work.begin(), work.end());
        }
        describeSlots(schedule);
        return schedule;
    }

    std::string_view m_csv;
    const PipelineShape& m_shape;
    std::map<IpuId, std::vector<StageId>> m_stages;
    /// The row of every IPU.
    std::map<IpuId, std::size_t> m_rows;
    std::vector<std::vector<WorkItem>> m_slots;
    std::optional<Diagnostic> m_problem;
};

} // namespace

std::string scheduleCells(const PipelineSchedule& schedule) {
    std::map<IpuId, std::size_t> held;
    for (std::size_t stage = 0; stage < schedule.shape.stages; ++stage)
        ++held[schedule.shape.ipuOf(stage)];
    std::string text = "ipu";
    for (std::size_t slot = 0; slot < schedule.timeSlots.size(); ++slot)
        text += fmt::format(",slot {}", slot);
    text += '\n';
    for (const auto& [ipu, stages] : held) {
        text += fmt::format("{}", ipu.index());
        for (const Slot& slot : schedule.timeSlots) {
            text += ',';
            const char* separator = "";
            for (const WorkItem& item : schedule.work(slot, ipu)) {
                text += fmt::format("{}{}{}", separator, workLetter(item.phase), item.microBatch);
                if (stages > 1)
                    text += fmt::format(".{}", item.stage.index());
                separator = " ";
            }
        }
        text += '\n';
    }
    return text;
}

Result<PipelineSchedule> readScheduleCells(std::string_view csv, const PipelineShape& shape) {
    return CellReader(csv, shape).read();
}

} // namespace core
