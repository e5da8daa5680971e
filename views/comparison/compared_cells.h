#pragma once

#include "views/comparison/comparison_data.h"

namespace views {

// What the tables of a comparison share.

/// Runs in order of display: the baseline, then the others.
[[nodiscard]] std::vector<std::size_t> displayOrder(const ComparisonData& data);

/// "Δ B", or "Δ B stash": how much more than the baseline a run has.
[[nodiscard]] TableColumn differenceColumn(std::size_t run, const QString& of = {}, const QString& unit = {});

/// Value − baseline, signed, where less is better; sorted by the difference in `unit` of 1.
[[nodiscard]] TableCell differenceCell(const std::optional<double>& value,
                                       const std::optional<double>& baseline, const UnitChoice& unit);

/// Explains the numbers of the runs by `ofValue`, which gets the run and the title of its column without the
/// run's letter, and the differences by the two numbers that they are of.
void explainCompared(const ComparisonData& data, TableContent& content,
                     std::function<NumberExplanation(std::size_t run, const QString& title)> ofValue);

/// The rows whose differences are largest come first, whatever their sign; equal ones stay in order.
void putLargestDifferenceFirst(TableContent& content);

} // namespace views
