#pragma once

#include "tests/app/profile/figure_twins.h"

#include <array>

namespace tests {

/// Holds the tables of a comparison of runs 1 and 2 against the batch: what each run has, and how much more
/// the second.
class ComparedFigures {
public:
    ComparedFigures(const BatchTwin& twin, double clockHz, QStringList& complaints)
        : m_twin(twin)
        , m_compared(twin.ask({"compare", "1", "2"}))
        , m_runs{twin.ask({"show", "1"}), twin.ask({"show", "2"})}
        , m_clockHz(clockHz)
        , m_complaints(complaints) {}

    /// Each row has its own unit, and its difference is relative or in percentage points.
    void holdMetrics(const views::TablePanel& panel) const {
        const ShownTable table(panel, m_clockHz, m_complaints);
        std::map<QString, core::Json> metrics;
        for (const core::Json& metric : m_compared["metrics"])
            metrics[BatchTwin::text(metric["name"])] = metric;
        if (table.rows() < 7)
            table.complain("it has few rows");
        for (std::size_t row = 0; row < table.rows(); ++row) {
            const std::vector<views::TableCell>& cells = panel.content().rows[row];
            const QString unit = cells[1].text;
            const QString name = metricName(table.first(row));
            if (!metrics.contains(name)) {
                table.complain(table.first(row) + ": the batch has no such metric");
                continue;
            }
            const core::Json& metric = metrics[name];
            // Cycles are what time is told against.
            const double scale =
                (name == "step_ns" ? m_clockHz / 1e9 : 1) * ShownTable::factorOf(unit, m_clockHz);
            std::size_t run = 0;
            for (std::size_t i = 2; i < cells.size(); ++i) {
                const QString& title = panel.content().columns[i].title;
                QString told = cells[i].text;
                double twin = 0;
                if (title.startsWith(u'Δ')) {
                    const double base = number(metric["values"][0]);
                    const double delta = number(metric["deltas"][1]);
                    const bool isShare = told.endsWith("pp");
                    twin = isShare ? 100 * delta : base == 0 ? 0 : 100 * delta / std::abs(base);
                    told.remove("pp").remove(u'%');
                } else if (title.startsWith(u'A') || title.startsWith(u'B')) {
                    twin = number(metric["values"][run++]) * scale;
                } else {
                    continue;
                }
                if (!ShownTable::agrees(told, twin))
                    table.complain(QStringLiteral("%1, %2: %3 is %4")
                                       .arg(table.first(row), title, cells[i].text)
                                       .arg(twin));
            }
        }
    }

    void holdStep(const views::TablePanel& panel) const {
        holdParts(panel, m_compared["step_parts"],
                  {number(m_runs[0]["step_cycles"]), number(m_runs[1]["step_cycles"])});
    }
    /// What is there while a range of the update is selected.
    void holdRange(const views::TablePanel& waterfall, const views::TablePanel& slotTable, core::Cycles from,
                   core::Cycles to) const {
        const core::Json compared = m_twin.ask({"compare", "1", "2", "--from", QString::number(from.value()),
                                                "--to", QString::number(to.value())});
        std::array<double, 2> lengths{};
        for (std::size_t run = 0; run < lengths.size(); ++run)
            for (const core::Json& part : compared["range_parts"])
                lengths[run] += number(part["cycles"][run]);
        if (lengths[0] != double((to - from).value()))
            m_complaints << "the parts of the range are not as long as it";
        holdParts(waterfall, compared["range_parts"], lengths);
        const ShownTable inRange(slotTable, m_clockHz, m_complaints);
        if (inRange.rows() != compared["pieces"].size() || inRange.rows() >= m_compared["pieces"].size())
            inRange.complain("other slots of the range than the batch");
    }

    void holdParts(const views::TablePanel& panel, const core::Json& rows,
                   const std::array<double, 2>& sums) const {
        const ShownTable table(panel, m_clockHz, m_complaints);
        std::map<QString, core::Json> parts;
        for (const core::Json& part : rows)
            parts[BatchTwin::text(part["name"])] = part;
        if (table.rows() != parts.size())
            return table.complain("other parts than the batch");
        table.hold({"Part of the step", "Part of the range", "A → B"},
                   ofBoth([&](std::size_t row, const QString&, std::size_t run) -> std::optional<double> {
                       if (row == table.rows())
                           return sums[run];
                       const QString label = table.first(row);
                       const QString name = label == "Exchange on the chip" ? QStringLiteral("exchange")
                                            : label.startsWith("Idle: ")    ? "idle." + sqlName(label.mid(6))
                                                                            : sqlName(label);
                       const auto part = parts.find(name);
                       if (part == parts.end())
                           return std::nullopt;
                       return number(part->second["cycles"][run]);
                   }),
                   true);
    }

    void holdPieces(const views::TablePanel& panel) const {
        const ShownTable table(panel, m_clockHz, m_complaints);
        std::map<QString, core::Json> pieces;
        for (const core::Json& piece : m_compared["pieces"])
            pieces[BatchTwin::text(piece["name"])] = piece["cycles"];
        if (table.rows() != pieces.size())
            return table.complain("other slots than the batch");
        table.hold({"Slot", "Until it is done"},
                   ofBoth([&](std::size_t row, const QString&, std::size_t run) -> std::optional<double> {
                       if (row == table.rows())
                           return number(m_runs[run]["step_cycles"]);
                       const auto piece = pieces.find(table.first(row).toLower());
                       return piece == pieces.end() ? std::nullopt
                                                    : std::optional(number(piece->second[run]));
                   }),
                   true);
    }

    void holdStages(const views::TablePanel& panel) const {
        const ShownTable table(panel, m_clockHz, m_complaints);
        table.hold({"Stage"}, ofBoth([&](std::size_t row, const QString& column, std::size_t run) {
                       const core::Json& stage = m_runs[run]["stages"][row];
                       const std::map<QString, double> numbers{
                           {"slot work", number(stage["forward_cycles"]) + number(stage["backward_cycles"]) +
                                             number(stage["recompute_cycles"])},
                           {"cut", number(stage["transfer_bytes"])},
                           {"stash", number(stage["stash_bytes"])}};
                       return found(numbers, column);
                   }));
    }

    /// A layer takes what its operations take of the step, every micro-batch and what is recomputed with it.
    void holdLayers(const views::TablePanel& panel) const {
        const std::map<QString, double> times = m_twin.numbers(
            "SELECT run, layer, sum(duration_cycles) FROM v_operation_span WHERE layer IS NOT NULL GROUP BY "
            "1, 2");
        const ShownTable table(panel, m_clockHz, m_complaints);
        if (table.rows() != m_compared["layers"].size())
            return table.complain("other layers than the batch");
        std::map<QString, core::Json> layers;
        for (const core::Json& layer : m_compared["layers"])
            layers[BatchTwin::text(layer["name"])] = layer["cycles"];
        table.hold({"Layer", "A stage", "B stage"},
                   ofBoth([&](std::size_t row, const QString&, std::size_t run) -> std::optional<double> {
                       const QString layer = table.first(row);
                       const double time =
                           found(times, QStringLiteral("%1/%2").arg(run + 1).arg(layer)).value_or(0);
                       if (number(layers[layer][run]) != time)
                           table.complain(layer + ": the batch compares other times than the spans of it");
                       return time;
                   }));
    }

    void holdMemory(const views::TablePanel& panel) const {
        const ShownTable table(panel, m_clockHz, m_complaints);
        table.hold({"Memory"}, ofBoth([&](std::size_t row, const QString&, std::size_t run) {
                       const core::Json& memory = m_runs[run]["memory"];
                       const QString title = table.first(row);
                       const QString category = sqlName(title.section(": ", 1));
                       std::map<QString, double> numbers;
                       for (std::size_t ipu = 0; ipu < memory.size(); ++ipu) {
                           const core::Json& of = memory[ipu];
                           numbers[QStringLiteral("IPU %1, peak").arg(ipu)] = number(of["peak_bytes"]);
                           numbers[QStringLiteral("IPU %1, always live").arg(ipu)] =
                               number(of["always_live_bytes"]);
                           if (const auto bytes = of["by_category"].find(category.toStdString());
                               bytes != of["by_category"].end())
                               numbers["All IPUs: " + title.section(": ", 1)] += number(*bytes);
                       }
                       return found(numbers, title);
                   }));
    }

private:
    /// Of a row, a column without its run, and a run.
    using Of = std::function<std::optional<double>(std::size_t row, const QString& column, std::size_t run)>;

    /// "A time" is that of the first run, "Δ B time" how much more the second has.
    static ShownTable::TwinOf ofBoth(const Of& of) {
        return [of](std::size_t row, const QString& title) -> std::optional<double> {
            const bool isDifference = title.startsWith(u'Δ');
            const QString column = isDifference ? title.mid(2) : title;
            const auto run = std::size_t(column.at(0).unicode() - u'A');
            const auto value = of(row, column.mid(1).trimmed(), run);
            const auto base = of(row, column.mid(1).trimmed(), 0);
            return !isDifference ? value : value && base ? std::optional(*value - *base) : std::nullopt;
        };
    }
    /// "Idle: drain" as the batch has it.
    static QString metricName(const QString& label) {
        static const std::map<QString, QString> names{{"Throughput", "samples_per_second"},
                                                      {"Step time", "step_ns"},
                                                      {"Step", "step_cycles"},
                                                      {"Compute share", "compute_fraction"},
                                                      {"Idle", "idle_fraction"},
                                                      {"Host stalls, with launch", "host_stall_fraction"},
                                                      {"Peak memory, fullest IPU", "peak_bytes"},
                                                      {"Stash, all stages", "stash_bytes"},
                                                      {"Inter-IPU traffic per step", "transfer_bytes"}};
        if (const auto name = names.find(label); name != names.end())
            return name->second;
        if (label.startsWith("Idle: "))
            return "idle_fraction." + sqlName(label.mid(6));
        if (label.startsWith("Peak memory, IPU "))
            return "peak_bytes.ipu" + label.section(' ', -1);
        return sqlName(label.section(' ', 1));
    }

    const BatchTwin& m_twin;
    core::Json m_compared;
    std::array<core::Json, 2> m_runs;
    double m_clockHz;
    QStringList& m_complaints;
};

} // namespace tests
