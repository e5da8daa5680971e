#include "core/profile/analysis/path/path_part.h"

#include <algorithm>

namespace core {

const FasterPart* FasterParts::find(const PathPart& part) const {
    const auto found = std::ranges::find(parts, part, &FasterPart::part);
    return found == parts.end() ? nullptr : &*found;
}

} // namespace core
