#include "core/text/nearest_name.h"

#include "core/text/text_case.h"

#include <algorithm>
#include <vector>

namespace core {

namespace {

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> beforeLast(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, substitution});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], beforeLast[j - 2] + 1);
        }
        std::swap(beforeLast, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

} // namespace

std::optional<std::string> nearestName(std::string_view name, std::span<const std::string> candidates) {
    // A name far longer than any real one is noise; comparing it would only cost time.
    constexpr std::size_t longestName = 200;
    if (name.empty() || name.size() > longestName)
        return std::nullopt;
    const std::string wanted = lowerCase(name);
    const std::string* best = nullptr;
    std::size_t bestDistance = 0;
    for (const std::string& candidate : candidates) {
        const std::string other = lowerCase(candidate);
        const std::size_t distance = editDistance(wanted, other);
        const bool sharesPrefix = wanted.size() >= 4 && other.starts_with(wanted);
        const bool near = distance * 3 <= std::max(wanted.size(), other.size()) || sharesPrefix;
        if (near && (best == nullptr || distance < bestDistance)) {
            best = &candidate;
            bestDistance = distance;
        }
    }
    return best == nullptr ? std::nullopt : std::optional<std::string>(*best);
}

} // namespace core
