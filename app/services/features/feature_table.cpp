#include "app/services/features/feature_table.h"

#include "app/services/features/feature_rows.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace app {

namespace {

/// The place of a row in the list: P rows, numbers, N rows.
std::pair<int, int> orderOf(std::string_view id) {
    const int part = id.front() == 'P' ? 0 : id.front() == 'N' ? 2 : 1;
    int number = 0;
    const std::string_view digits = part == 1 ? id : id.substr(1);
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return {part, number};
}

} // namespace

std::span<const Feature> featureTable() {
    static const std::vector<Feature> table = [] {
        std::vector<Feature> rows = systemFeatures();
        for (const auto& more : {workbenchFeatures(), windowFeatures()})
            rows.insert(rows.end(), more.begin(), more.end());
        std::ranges::stable_sort(rows, {}, [](const Feature& row) { return orderOf(row.id); });
        return rows;
    }();
    return table;
}

std::vector<Feature> systemFeatures() {
    std::vector<Feature> rows;
    for (const auto& part : {modelFeatures(), pipelineFeatures(), optionFeatures(), operationFeatures(),
                             distributionFeatures(), compilationFeatures()})
        rows.insert(rows.end(), part.begin(), part.end());
    return rows;
}

bool opensTheWindow(std::string_view command) {
    return command.starts_with("projects/");
}

} // namespace app
