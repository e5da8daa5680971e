#include "views/comparison/compared_cells.h"

#include <algorithm>
#include <numeric>

namespace views {

namespace {

/// Places of a way of changes on an axis that shows all of it.
class WaterfallAxis {
public:
    explicit WaterfallAxis(const std::vector<double>& changes) {
        double at = 0;
        for (const double change : changes) {
            at += change;
            m_least = std::min(m_least, at);
            m_most = std::max(m_most, at);
        }
    }
    /// 0 … 1; `offset` counts from where the way starts.
    [[nodiscard]] double place(double offset) const {
        return m_most > m_least ? (offset - m_least) / (m_most - m_least) : 0.5;
    }

private:
    double m_least = 0;
    double m_most = 0;
};

double cyclesOf(core::Cycles cycles) {
    return static_cast<double>(cycles.value());
}

core::Cycles stepOf(const std::vector<core::ComparedStepPart>& parts, std::size_t run) {
    return std::accumulate(
        parts.begin(), parts.end(), core::Cycles(),
        [&](core::Cycles sum, const core::ComparedStepPart& part) { return sum + part.cycles[run]; });
}

/// Largest change of any run first.
std::vector<core::ComparedStepPart> orderedParts(const ComparisonData& data, bool isLargestFirst) {
    std::vector<core::ComparedStepPart> parts = data.stepParts;
    const auto change = [&](const core::ComparedStepPart& part) {
        std::int64_t most = 0;
        for (const core::Cycles cycles : part.cycles)
            most = std::max(most, std::abs((cycles - part.cycles[data.comparison.baseline]).value()));
        return most;
    };
    if (isLargestFirst)
        std::ranges::stable_sort(parts, std::greater(), change);
    return parts;
}

} // namespace

TableContent waterfallTable(const ComparisonData& data, const Units& units, bool isLargestFirst) {
    const std::size_t base = data.comparison.baseline;
    const std::vector<core::ComparedStepPart> parts = orderedParts(data, isLargestFirst);
    core::Cycles most;
    for (std::size_t run = 0; run < data.count() && !parts.empty(); ++run)
        most = std::max(most, stepOf(parts, run));
    const UnitChoice unit =
        timeUnitFor(most, units.time, {data.summary(base).provenance.clockHz, data.summary(base).step});
    TableContent content;
    content.columns = {{QStringLiteral("Part of the step"), ColumnKind::Text, {}, 130, {}, true}};
    for (std::size_t i = 0; i < parts.size(); ++i)
        content.rows.push_back({textCell(toQString(parts[i].label))});
    if (!parts.empty())
        content.footer = {textCell(QStringLiteral("Step"))};
    for (const std::size_t run : displayOrder(data)) {
        content.columns.push_back(
            {runLetter(run), ColumnKind::Number, unit.name, 0, QStringLiteral("Of the mean IPU"), false});
        if (run != base) {
            content.columns.push_back(differenceColumn(run, {}, unit.name));
            content.columns.push_back({QStringLiteral("%1 → %2").arg(runLetter(base), runLetter(run)),
                                       ColumnKind::Waterfall,
                                       {},
                                       92,
                                       QStringLiteral("From one step to the other, part by part"),
                                       false});
        }
        std::vector<double> changes;
        for (const core::ComparedStepPart& part : parts)
            changes.push_back(cyclesOf(part.cycles[run] - part.cycles[base]));
        const WaterfallAxis axis(changes);
        double at = 0;
        const auto add = [&](std::vector<TableCell>& row, core::Cycles value, core::Cycles before,
                             double from) {
            row.push_back(numberCell(inUnit(value.value(), unit).value, cyclesOf(value)));
            if (run == base)
                return;
            row.push_back(differenceCell(cyclesOf(value), cyclesOf(before), unit));
            TableCell bar;
            const double change = cyclesOf(value - before);
            bar.way = std::pair(axis.place(from), axis.place(from + change));
            bar.isBetter = change < 0;
            bar.sort = change;
            row.push_back(bar);
        };
        for (std::size_t i = 0; i < parts.size(); ++i) {
            add(content.rows[i], parts[i].cycles[run], parts[i].cycles[base], at);
            at += changes[i];
        }
        if (!parts.empty())
            add(content.footer, stepOf(parts, run), stepOf(parts, base), 0);
    }
    return content;
}

} // namespace views
