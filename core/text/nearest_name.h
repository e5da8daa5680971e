#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace core {

/// The candidate a person most likely meant by `name`: the smallest Damerau–Levenshtein distance, ignoring
/// case, when that is at most a third of the longer name (and at least a shared prefix of 4 counts too).
/// Nothing when none is near. Ties go to the earlier candidate.
[[nodiscard]] std::optional<std::string> nearestName(std::string_view name,
                                                     std::span<const std::string> candidates);

} // namespace core
