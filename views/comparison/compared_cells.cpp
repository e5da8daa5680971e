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
