#include "views/comparison/compared_cells.h"

#include <algorithm>
#include <cmath>

namespace views {

namespace {

const QString differenceSign = QStringLiteral("Δ ");

} // namespace

std::vector<std::size_t> displayOrder(const ComparisonData& data) {
    std::vector<std::size_t> order{data.comparison.baseline};
    for (std::size_t i = 0; i < data.count(); ++i) {
        if (i != data.comparison.baseline)
            order.push_back(i);
    }
    return order;
}

TableColumn differenceColumn(std::size_t run, const QString& of, const QString& unit) {
    const QString title = differenceSign + runLetter(run);
    TableColumn column = numberColumn(of.isEmpty() ? title : title + QLatin1Char(' ') + of,
                                      QStringLiteral("%1 minus the baseline").arg(runLetter(run)));
    column.unit = unit;
    return column;
}

TableCell differenceCell(const std::optional<double>& value, const std::optional<double>& baseline,
                         const UnitChoice& unit) {
    if (!value || !baseline)
        return dashCell();
    const double difference = *value - *baseline;
    TableCell cell = numberCell(difference == 0 ? QStringLiteral("0")
                                                : signedText(difference * unit.factor, unit.decimals),
                                difference);
    // What rounds to nothing is neither good nor bad.
    if (difference != 0 && !cell.text.startsWith(QStringLiteral("±")))
        cell.isBetter = difference < 0;
    cell.isMuted = !cell.isBetter;
    return cell;
}

void explainCompared(const ComparisonData& data, TableContent& content,
                     std::function<NumberExplanation(std::size_t run, const QString& title)> ofValue) {
    content.explanation = [count = data.count(), baseline = data.comparison.baseline,
                           ofValue =
                               std::move(ofValue)](const TableContent& asked, std::size_t row,
                                                   std::size_t column) -> std::optional<NumberExplanation> {
        const auto runOf = [&](const QString& title) -> std::optional<std::size_t> {
            for (std::size_t run = 0; run < count; ++run)
                if (title == runLetter(run) || title.startsWith(runLetter(run) + QLatin1Char(' ')))
                    return run;
            return std::nullopt;
        };
        const auto isValue = [&](std::size_t i) {
            return asked.columns[i].kind == ColumnKind::Number && runOf(asked.columns[i].title).has_value();
        };
        const QString& title = asked.columns[column].title;
        if (isValue(column))
            return ofValue(*runOf(title), title.mid(2).trimmed());
        if (!title.startsWith(differenceSign) || column == 0)
            return std::nullopt;
        // Behind the number of its run; that of the baseline stands as far behind the first of its own.
        std::size_t of = column;
        while (of > 0 && !isValue(of))
            --of;
        const std::optional<std::size_t> run = runOf(asked.columns[of].title);
        if (!run || row >= asked.rows.size())
            return std::nullopt;
        const auto ordinal = [&](std::size_t until, std::size_t wanted) {
            std::size_t before = 0;
            for (std::size_t i = 0; i < until; ++i)
                before += isValue(i) && runOf(asked.columns[i].title) == wanted ? 1 : 0;
            return before;
        };
        std::size_t base = 0;
        while (base < asked.columns.size() &&
               !(isValue(base) && runOf(asked.columns[base].title) == baseline &&
                 ordinal(base, baseline) == ordinal(of, *run)))
            ++base;
        if (base == asked.columns.size())
            return std::nullopt;
        const QString letter = runLetter(*run);
        NumberExplanation difference{
            QStringLiteral("By how much run %1 has more than the baseline.").arg(letter),
            QStringLiteral("%1 − %2").arg(letter, runLetter(baseline)),
            {{asked.columns[of].title}, {asked.columns[base].title}},
            QStringLiteral("0: the runs are alike in it.")};
        if (asked.rows[row][column].text.contains(QLatin1Char('%')))
            difference.formula = QStringLiteral("100 · (%1 − %2) / %2").arg(letter, runLetter(baseline));
        return difference;
    };
}

void putLargestDifferenceFirst(TableContent& content) {
    const auto size = [&](const std::vector<TableCell>& row) {
        double largest = 0;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const double difference = row[i].sort.toDouble();
            if (content.columns[i].title.startsWith(differenceSign) && std::isfinite(difference))
                largest = std::max(largest, std::abs(difference));
        }
        return largest;
    };
    std::stable_sort(content.rows.begin(), content.rows.end(),
                     [&](const auto& a, const auto& b) { return size(a) > size(b); });
}

} // namespace views
