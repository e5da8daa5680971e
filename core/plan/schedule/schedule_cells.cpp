#include "core/plan/schedule/schedule_cells.h"

#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/slot_layout.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <vector>

namespace core {

namespace {

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

constexpr std::string_view cellBlanks = " \t\r\"";
/// Spreadsheets begin their UTF-8 files with it.
constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
/// First heading of a table whose slots are only an order, and of one whose IPUs meet at their ends.
constexpr std::string_view orderHeading = "ipu";
constexpr std::string_view inStepHeading = "ipu in step";
/// The same in a column "timing" of a table with a row per piece of work.
constexpr std::string_view orderTiming = "in_order";
constexpr std::string_view inStepTiming = "in_step";

std::string_view trimmed(std::string_view text) {
    if (text.starts_with(byteOrderMark))
        text.remove_prefix(byteOrderMark.size());
    const std::size_t first = text.find_first_not_of(cellBlanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(cellBlanks) - first + 1);
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

std::optional<Phase> phaseOfName(std::string_view name) {
    for (const Phase phase : {Phase::Forward, Phase::Backward, Phase::Recompute, Phase::WeightGradient})
        if (workName(phase) == name)
            return phase;
    return std::nullopt;
}

/// Where the columns of a table with a row per piece of work are.
struct ItemColumns {
    std::optional<std::size_t> slot;
    std::optional<std::size_t> ipu;
    std::optional<std::size_t> kind;
    std::optional<std::size_t> stage;
    std::optional<std::size_t> microBatch;
    std::optional<std::size_t> timing;
    std::optional<std::size_t> slots;

    [[nodiscard]] std::string missing() const {
        std::string names;
        const auto need = [&](const std::optional<std::size_t>& place, std::string_view name) {
            if (!place)
                names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
        };
        need(slot, "slot");
        need(ipu, "ipu");
        need(kind, "kind");
        need(stage, "stage");
        need(microBatch, "micro_batch");
        return names;
    }
};

/// Nothing where the first row names neither the kind of work nor its micro-batch: a table of cells.
std::optional<ItemColumns> itemColumns(std::string_view text) {
    const std::vector<std::string_view> headings = splitAt(text.substr(0, text.find('\n')), ',');
    const auto place = [&](std::string_view name) -> std::optional<std::size_t> {
        const auto found = std::ranges::find_if(
            headings, [&](std::string_view heading) { return trimmed(heading) == name; });
        return found == headings.end() ? std::nullopt
                                       : std::optional(static_cast<std::size_t>(found - headings.begin()));
    };
    ItemColumns columns{place("slot"),        place("ipu"),    place("kind"), place("stage"),
                        place("micro_batch"), place("timing"), place("slots")};
    return columns.kind || columns.microBatch ? std::optional(columns) : std::nullopt;
}

/// A field of a row of one piece of work, and where it is in the line.
struct Field {
    std::string_view text;
    std::size_t column = 1;
};
Field fieldAt(std::string_view line, std::size_t place) {
    std::size_t from = 0;
    for (; place > 0; --place) {
        const std::size_t comma = line.find(',', from);
        if (comma == std::string_view::npos)
            return {{}, line.size() + 1};
        from = comma + 1;
    }
    return {trimmed(line.substr(from, line.find(',', from) - from)), from + 1};
}

/// Whether slots of such a table are only an order; the first row says it for all.
bool isItemsInOrder(std::string_view text, const ItemColumns& columns) {
    const std::size_t begin = text.find('\n');
    if (!columns.timing || begin == std::string_view::npos)
        return false;
    const std::string_view line = text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
    return fieldAt(line, *columns.timing).text == orderTiming;
}

/// Reads a table row by row into the work of every slot and IPU.
class CellReader {
public:
    explicit CellReader(const PipelineShape& shape)
        : m_shape(shape) {
        for (std::size_t stage = 0; stage < shape.stages; ++stage)
            m_stages[shape.ipuOf(stage)].emplace_back(stage);
    }

    Result<PipelineSchedule> read() {
        std::string_view rest = m_shape.table.text;
        const std::optional<ItemColumns> items = itemColumns(rest);
        while (!rest.empty() && !m_problem) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(std::min(line.size() + 1, rest.size()));
            ++m_row;
            if (m_row == 1 && items && !items->missing().empty())
                refuse(1, fmt::format("the table has no column {}", items->missing()),
                       "a table with a row per piece of work has the columns slot, ipu, kind, stage and "
                       "micro_batch");
            if (m_row == 1 || trimmed(line).empty())
                continue;
            if (items)
                readItem(line, *items);
            else
                readRow(line);
        }
        if (!m_problem && m_row == 0)
            refuse(
                1, "the file is empty",
                "write a table of slots, as schedule --cells prints one: a row of headings, then a row per "
                "IPU, for example \"0,F0,F1,B0,B1\"");
        if (!m_problem && !m_hasWork)
            refuse(0, "the table of the schedule has no work",
                   "write a row per IPU, for example \"0,F0,F1,B0,B1\", under a row of headings");
        if (m_problem)
            return failure(std::move(*m_problem));
        return collected();
    }

private:
    /// A field of the line that is being read.
    struct Cell {
        std::string_view text;
        /// Of its first letter, from 1.
        std::size_t column = 1;
        std::size_t slot = 0;
        IpuId ipu;
    };

    std::optional<std::int32_t> numberAt(std::string_view line, std::size_t place, std::string_view name) {
        const Field field = fieldAt(line, place);
        const std::optional<std::int32_t> number = numberIn(field.text);
        if (!number)
            refuse(field.column, fmt::format("\"{}\" is no {}", field.text.substr(0, 40), name),
                   "write whole numbers from 0");
        return number;
    }

    void readItem(std::string_view line, const ItemColumns& columns) {
        const auto slot = numberAt(line, *columns.slot, "slot");
        const auto ipu = slot ? numberAt(line, *columns.ipu, "IPU") : slot;
        const auto stage = ipu ? numberAt(line, *columns.stage, "stage") : ipu;
        const auto microBatch = stage ? numberAt(line, *columns.microBatch, "micro-batch") : stage;
        if (!microBatch)
            return;
        const Field kind = fieldAt(line, *columns.kind);
        const std::optional<Phase> phase = phaseOfName(kind.text);
        if (!phase)
            return refuse(kind.column, fmt::format("\"{}\" is no work", kind.text.substr(0, 40)),
                          "write fwd, bwd, wgrad or recompute");
        const IpuId place(static_cast<std::size_t>(*ipu));
        if (!m_stages.contains(place))
            return refuse(fieldAt(line, *columns.ipu).column,
                          fmt::format("the row is of IPU {}, which holds no stage", *ipu),
                          fmt::format("IPUs that hold a stage are {}", ipusWithStages()));
        const auto slots = columns.slots ? numberAt(line, *columns.slots, "number of slots") : slot;
        if (!slots || !saysTheSame(line, columns))
            return;
        const auto index = static_cast<std::size_t>(*slot);
        const std::size_t count =
            std::max(index + 1, columns.slots ? static_cast<std::size_t>(*slots) : std::size_t{0});
        if (count > mostSlots())
            return refuse(
                fieldAt(line, index < mostSlots() ? *columns.slots : *columns.slot).column,
                fmt::format("the table has more than {} slots, twice what there is work for", mostSlots()),
                "number the slots from 0");
        if (m_slots.size() < count)
            m_slots.resize(count);
        m_hasWork = true;
        m_slots[index].push_back({*phase, StageId(static_cast<std::size_t>(*stage)), *microBatch, place});
    }

    /// What a row says of the whole table, it says as the first one does.
    bool saysTheSame(std::string_view line, const ItemColumns& columns) {
        if (m_firstRow.empty())
            m_firstRow = line;
        for (const auto& [place, name] : {std::pair(columns.timing, "timing"), {columns.slots, "slots"}}) {
            if (!place)
                continue;
            const Field field = fieldAt(line, *place);
            if (place == columns.timing && field.text != orderTiming && field.text != inStepTiming)
                refuse(field.column, fmt::format("\"{}\" is no timing", field.text.substr(0, 40)),
                       fmt::format("write {} or {}, the same in every row", inStepTiming, orderTiming));
            else if (const Field first = fieldAt(m_firstRow, *place); field.text != first.text)
                refuse(field.column,
                       fmt::format("{} is \"{}\" here and \"{}\" in the first row", name,
                                   field.text.substr(0, 40), first.text.substr(0, 40)),
                       "write the same in every row: it is said of the whole table");
        }
        return !m_problem;
    }

    void refuse(std::size_t column, std::string message, std::string hint) {
        if (!m_problem)
            m_problem =
                makeError(Trouble::Input, "value-error/schedule-table",
                          {m_shape.table.path, fmt::format("{}:{}", std::max<std::size_t>(m_row, 1), column)},
                          std::move(message), {std::move(hint)});
    }
    void refuse(const Cell& cell, std::string_view what, std::string hint) {
        refuse(cell.column,
               fmt::format("slot {} of IPU {}: \"{}\" {}", cell.slot, cell.ipu.index(),
                           cell.text.substr(0, 40), what),
               std::move(hint));
    }

    void readRow(std::string_view line) {
        std::string_view name = trimmed(line.substr(0, line.find(',')));
        if (name.starts_with("IPU "))
            name.remove_prefix(4);
        const std::optional<std::int32_t> number = numberIn(name);
        const IpuId ipu(static_cast<std::size_t>(number.value_or(0)));
        if (!number || !m_stages.contains(ipu))
            return refuse(
                1, fmt::format("the row is of IPU \"{}\", which holds no stage", name.substr(0, 40)),
                name.find_first_of(";\t") != std::string_view::npos
                    ? "separate the fields by commas"
                    : fmt::format("begin every row but the first with the number of an IPU that holds a "
                                  "stage: {}",
                                  ipusWithStages()));
        if (const auto [first, isNew] = m_rows.emplace(ipu, m_row); !isNew)
            return refuse(1,
                          fmt::format("lines {} and {} of the table are both of IPU {}", first->second, m_row,
                                      ipu.index()),
                          "write all work of an IPU into one row");
        Cell cell{{}, 1, 0, ipu};
        for (std::size_t from = line.find(','); from != std::string_view::npos && !m_problem; ++cell.slot) {
            const std::size_t to = line.find(',', from + 1);
            readField(line, from + 1, std::min(to, line.size()), cell);
            from = to;
        }
    }

    /// The work between two commas.
    void readField(std::string_view line, std::size_t from, std::size_t to, Cell cell) {
        if (cell.slot >= mostSlots())
            return refuse(
                from + 1,
                fmt::format("the table has more than {} slots, twice what there is work for", mostSlots()),
                "leave out the columns without work, or name the micro-batches that they are for");
        if (m_slots.size() <= cell.slot)
            m_slots.resize(cell.slot + 1);
        while (from < to && !m_problem) {
            const std::size_t begin = std::min(line.find_first_not_of(cellBlanks, from), to);
            const std::size_t end = std::min(line.find_first_of(cellBlanks, begin), to);
            cell.text = line.substr(begin, end - begin);
            cell.column = begin + 1;
            if (!cell.text.empty() && cell.text != "-")
                readWork(cell);
            from = end;
        }
    }

    void readWork(const Cell& cell) {
        const std::vector<std::string_view> parts = splitAt(cell.text.substr(1), '.');
        const std::optional<Phase> phase = phaseOfLetter(cell.text.front());
        const std::optional<std::int32_t> microBatch = numberIn(parts[0]);
        const std::optional<std::int32_t> stage =
            parts.size() == 2 ? numberIn(parts[1]) : std::optional<std::int32_t>();
        if (!phase || !microBatch || parts.size() > 2 || (parts.size() == 2 && !stage))
            return refuse(cell, "is no work",
                          "write F, B, W or R and a micro-batch, F2, and the stage where an IPU holds "
                          "several, F2.1");
        const std::vector<StageId>& held = m_stages.at(cell.ipu);
        if (!stage && held.size() > 1)
            return refuse(cell, fmt::format("does not say which of the {} stages of the IPU", held.size()),
                          fmt::format("write for example {}.{}", cell.text, held.front().index()));
        m_hasWork = true;
        m_slots[cell.slot].push_back({*phase,
                                      stage ? StageId(static_cast<std::size_t>(*stage)) : held.front(),
                                      *microBatch, cell.ipu});
    }

    /// Slots that a schedule with one piece of work in each would have, and as many without.
    [[nodiscard]] std::size_t mostSlots() const {
        return 2 * (phaseCount - 1) * m_shape.stages * static_cast<std::size_t>(m_shape.microBatches);
    }

    [[nodiscard]] std::string ipusWithStages() const {
        std::string text;
        for (const auto& [ipu, stages] : m_stages) {
            if (text.size() > 40)
                return text + ", …";
            text += fmt::format("{}{}", text.empty() ? "" : ", ", ipu.index());
        }
        return text;
    }

    [[nodiscard]] PipelineSchedule collected() {
        PipelineSchedule schedule;
        schedule.shape = m_shape;
        schedule.isAsynchronous = scheduleOfCells(m_shape.table.text).isAsynchronous;
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

    const PipelineShape& m_shape;
    std::map<IpuId, std::vector<StageId>> m_stages;
    /// Of the file, from 1.
    std::size_t m_row = 0;
    /// The row of every IPU.
    std::map<IpuId, std::size_t> m_rows;
    bool m_hasWork = false;
    /// Of work, in a table with a row per piece of it.
    std::string_view m_firstRow;
    std::vector<std::vector<WorkItem>> m_slots;
    std::optional<Diagnostic> m_problem;
};

} // namespace

std::string scheduleCells(const PipelineSchedule& schedule) {
    std::map<IpuId, std::size_t> held;
    for (std::size_t stage = 0; stage < schedule.shape.stages; ++stage)
        ++held[schedule.shape.ipuOf(stage)];
    std::string text(schedule.isAsynchronous ? orderHeading : inStepHeading);
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

const ScheduleDefinition& scheduleOfCells(std::string_view cells) {
    const std::optional<ItemColumns> items = itemColumns(cells);
    const bool isInStep = items ? !isItemsInOrder(cells, *items)
                                : trimmed(cells.substr(0, cells.find_first_of(",\n"))) == inStepHeading;
    return *std::ranges::find_if(scheduleCatalogue(), [isInStep](const ScheduleDefinition& row) {
        return row.takesTable && row.isAsynchronous != isInStep;
    });
}

bool haveRecomputation(std::string_view cells) {
    if (const auto items = itemColumns(cells))
        return std::ranges::any_of(splitAt(cells, '\n'), [&](std::string_view row) {
            return items->kind && fieldAt(row, *items->kind).text == workName(Phase::Recompute);
        });
    const char letter = workLetter(Phase::Recompute);
    // The first row has titles.
    for (std::size_t at = cells.find('\n'); at != std::string_view::npos && at + 1 < cells.size();
         at = cells.find(letter, at + 1)) {
        const bool begins = cells[at] == letter && (cells[at - 1] == ',' ||
                                                    cellBlanks.find(cells[at - 1]) != std::string_view::npos);
        if (begins)
            return true;
    }
    return false;
}

Result<PipelineSchedule> readScheduleCells(const PipelineShape& shape) {
    return CellReader(shape).read();
}

std::optional<Diagnostic> brokenTable(const PipelineShape& shape) {
    if (shape.table.text.empty() && shape.table.path.empty())
        return makeError(Trouble::Input, "value-error/schedule-table", {"", "/pipeline/schedule"},
                         fmt::format("the schedule {} has no table", tableSchedule().name),
                         {R"(name a CSV file: "schedule": {"table": "slots.csv"})",
                          "the verb schedule with --cells writes one to begin with"});
    const auto table = readScheduleCells(shape);
    return table ? std::nullopt : std::optional(table.error().front());
}

PipelineSchedule tableLayOut(const PipelineShape& shape) {
    auto table = readScheduleCells(shape);
    if (table)
        return std::move(*table);
    // Refused before; the check of the empty table says so again.
    PipelineSchedule empty;
    empty.shape = shape;
    return empty;
}

} // namespace core
