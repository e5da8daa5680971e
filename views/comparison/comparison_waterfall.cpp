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
std::vector<core::ComparedStepPart>
orderedParts(const ComparisonData& data, std::vector<core::ComparedStepPart> parts, bool isLargestFirst) {
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

/// `whole`: what the parts are of.
TableContent waterfallOf(const ComparisonData& data, const std::vector<core::ComparedStepPart>& parts,
                         const QString& whole, const Units& units) {
    const std::size_t base = data.comparison.baseline;
    core::Cycles most;
    for (std::size_t run = 0; run < data.count() && !parts.empty(); ++run)
        most = std::max(most, stepOf(parts, run));
    const UnitChoice unit =
        timeUnitFor(most, units.time, {data.summary(base).provenance.clockHz, data.summary(base).step});
    TableContent content;
    content.columns = {
        {QStringLiteral("Part of the %1").arg(whole.toLower()), ColumnKind::Text, {}, 130, {}, true}};
    for (std::size_t i = 0; i < parts.size(); ++i)
        content.rows.push_back({textCell(toQString(parts[i].label))});
    if (!parts.empty())
        content.footer = {textCell(whole)};
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
    explainCompared(data, content, [whole](std::size_t run, const QString&) {
        return NumberExplanation{QStringLiteral("What this part takes of the %1 of run %2, of the mean IPU.")
                                     .arg(whole.toLower(), runLetter(run)),
                                 QStringLiteral("the sum over the compute lanes / IPUs"),
                                 {},
                                 QStringLiteral("The %1: its parts add up to that.").arg(whole.toLower())};
    });
    return content;
}

} // namespace

TableContent waterfallTable(const ComparisonData& data, const Units& units, bool isLargestFirst) {
    return waterfallOf(data, orderedParts(data, data.stepParts, isLargestFirst), QStringLiteral("Step"),
                       units);
}

TableContent rangeTable(const ComparisonData& data, const std::vector<core::ComparedStepPart>& parts,
                        const Units& units, bool isLargestFirst) {
    return waterfallOf(data, orderedParts(data, parts, isLargestFirst), QStringLiteral("Range"), units);
}

TableContent pieceTable(const ComparisonData& data, const Units& units,
                        const std::optional<std::vector<std::size_t>>& shown) {
    const std::size_t base = data.comparison.baseline;
    const core::ComparedPieces& compared = data.pieces;
    TableContent content;
    core::Cycles most;
    std::vector<core::Cycles> sums(data.count());
    std::vector<std::size_t> rows(compared.pieces.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    rows = shown.value_or(rows);
    for (const std::size_t row : rows)
        for (std::size_t run = 0; run < data.count(); ++run) {
            most = std::max(most, compared.pieces[row].lengths[run]);
            sums[run] += compared.pieces[row].lengths[run];
        }
    const UnitChoice unit =
        timeUnitFor(most, units.time, {data.summary(base).provenance.clockHz, data.summary(base).step});
    content.columns = {
        {compared.cut == core::StepCut::Slots ? QStringLiteral("Slot") : QStringLiteral("Until it is done"),
         ColumnKind::Text,
         {},
         130,
         {},
         true}};
    for (const std::size_t run : displayOrder(data)) {
        content.columns.push_back({runLetter(run), ColumnKind::Number, unit.name, 0, {}, false});
        if (run != base)
            content.columns.push_back(differenceColumn(run, {}, unit.name));
    }
    const auto addRow = [&](const QString& name, double place, const auto& valueOf) {
        TableCell title = textCell(name);
        title.sort = place;
        std::vector<TableCell> row{title};
        for (const std::size_t run : displayOrder(data)) {
            const std::optional<core::Cycles> value = valueOf(run);
            const std::optional<core::Cycles> before = valueOf(base);
            const auto real = [](const std::optional<core::Cycles>& cycles) {
                return cycles ? std::optional(cyclesOf(*cycles)) : std::nullopt;
            };
            row.push_back(value ? numberCell(inUnit(value->value(), unit).value, cyclesOf(*value))
                                : dashCell());
            if (run != base)
                row.push_back(differenceCell(real(value), real(before), unit));
        }
        return row;
    };
    for (const std::size_t i : rows) {
        const core::ComparedPiece& piece = compared.pieces[i];
        QString name = toQString(compared.name(piece));
        name[0] = name[0].toUpper();
        content.rows.push_back(addRow(name, double(i), [&](std::size_t run) {
            return piece.places[run] ? std::optional(piece.lengths[run]) : std::nullopt;
        }));
    }
    if (!rows.empty())
        content.footer =
            addRow(shown ? QStringLiteral("Sum") : QStringLiteral("Step"), double(compared.pieces.size()),
                   [&](std::size_t run) { return std::optional(sums[run]); });
    explainCompared(data, content, [cut = compared.cut](std::size_t run, const QString&) {
        return NumberExplanation{
            cut == core::StepCut::Slots
                ? QStringLiteral("How long the slot lasts in run %1.").arg(runLetter(run))
                : QStringLiteral("How long it takes in run %1 until the micro-batch is done.")
                      .arg(runLetter(run)),
            QStringLiteral("the end of its last work − the end of what came before"),
            {},
            QStringLiteral("The step: its pieces add up to that.")};
    });
    return content;
}

} // namespace views
