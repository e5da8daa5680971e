#pragma once

#include <QString>
#include <optional>
#include <vector>

namespace views {

/// How well a typed pattern fits a text, and where.
struct FuzzyMatch {
    int score = 0;
    /// Positions of the matched letters in the text, for the highlight.
    std::vector<int> positions;
};

/// The letters of `pattern` in order, not necessarily adjacent, in any case. Word starts, runs and early
/// matches score higher. Nothing when it does not fit; an empty pattern fits everything with score 0.
[[nodiscard]] std::optional<FuzzyMatch> fuzzyMatch(const QString& pattern, const QString& text);

} // namespace views
