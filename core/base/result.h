#pragma once

#include "core/base/diagnostic.h"

#include <tl/expected.hpp>
#include <utility>

namespace core {

/// A value, or the diagnostics that say why there is none (never empty, at least one error).
template <class T>
using Result = tl::expected<T, Diagnostics>;

/// `return failure(diagnostic);` from a function that returns any Result.
[[nodiscard]] inline tl::unexpected<Diagnostics> failure(Diagnostic diagnostic) {
    Diagnostics diagnostics;
    diagnostics.push_back(std::move(diagnostic));
    return tl::unexpected<Diagnostics>(std::move(diagnostics));
}

[[nodiscard]] inline tl::unexpected<Diagnostics> failure(Diagnostics diagnostics) {
    return tl::unexpected<Diagnostics>(std::move(diagnostics));
}

} // namespace core
