#pragma once

#include <span>
#include <string_view>

namespace core {

/// A question that everybody asks of runs, and how SQL asks it.
struct PresetQuery {
    std::string_view question;
    std::string_view sql;
};

/// The ten questions of the README of `core/profile`, in its order.
[[nodiscard]] std::span<const PresetQuery> presetQueries();

} // namespace core
