#include "views/common/text/fuzzy_match.h"

#include <algorithm>

namespace views {

namespace {

bool startsWord(const QString& text, qsizetype at) {
    if (at == 0)
        return true;
    const QChar before = text[at - 1];
    return !before.isLetterOrNumber() || (before.isLower() && text[at].isUpper()) ||
           (before.isLetter() && text[at].isDigit());
}

/// Greedy from `start`; nothing when the rest of the pattern is not found.
std::optional<FuzzyMatch> matchFrom(const QString& pattern, const QString& text, qsizetype start) {
    FuzzyMatch match;
    qsizetype at = start;
    for (const QChar wanted : pattern) {
        if (wanted.isSpace())
            continue;
        while (at < text.size() && text[at].toLower() != wanted.toLower())
            ++at;
        if (at == text.size())
            return std::nullopt;
        const bool adjacent = !match.positions.empty() && match.positions.back() + 1 == at;
        match.score += 1 + (adjacent ? 6 : 0) + (startsWord(text, at) ? 4 : 0);
        match.positions.push_back(static_cast<int>(at));
        ++at;
    }
    if (!match.positions.empty())
        match.score -= std::min<int>(match.positions.front(), 6) / 2 + static_cast<int>(text.size() / 16);
    return match;
}

/// Each letter begins a word, one right after the other: "gap" is GlobalAveragePooling2D.
std::optional<FuzzyMatch> matchOfInitials(const QString& pattern, const QString& text) {
    std::vector<qsizetype> words;
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (text[at].isLetterOrNumber() && startsWord(text, at))
            words.push_back(at);
    }
    const auto letters = std::size_t(pattern.size());
    for (std::size_t first = 0; letters > 1 && first + letters <= words.size(); ++first) {
        FuzzyMatch match;
        for (std::size_t i = 0; i < letters; ++i) {
            const qsizetype at = words[first + i];
            if (text[at].toLower() != pattern[qsizetype(i)].toLower())
                break;
            match.positions.push_back(static_cast<int>(at));
            match.score += i == 0 ? 5 : 11; // as letters that follow one another, at the start of a word
        }
        if (match.positions.size() != letters)
            continue;
        match.score -= static_cast<int>(std::min<std::size_t>(first, 3)) + static_cast<int>(text.size() / 16);
        return match;
    }
    return std::nullopt;
}

} // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString& pattern, const QString& text) {
    const QString letters = pattern.trimmed();
    if (letters.isEmpty())
        return FuzzyMatch{};
    std::optional<FuzzyMatch> best;
    for (qsizetype start = 0; start < text.size(); ++start) {
        if (text[start].toLower() != letters[0].toLower())
            continue;
        std::optional<FuzzyMatch> match = matchFrom(letters, text, start);
        if (match && (!best || match->score > best->score))
            best = std::move(match);
    }
    if (auto initials = matchOfInitials(letters, text); initials && (!best || initials->score > best->score))
        best = std::move(initials);
    constexpr int whole = 4; // "Add" is Add before it is AddLoss
    if (best && letters.compare(text, Qt::CaseInsensitive) == 0)
        best->score += whole;
    return best;
}

} // namespace views
