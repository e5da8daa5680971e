#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace simulator {

/// The bytes of a ZIP archive of these members (name, content), stored as they are, as NumPy's `savez` does;
/// a `.npz` when the members are `.npy` files. The same members give the same bytes. Members must be below 4
/// GiB. `comment`: of the whole archive, below 64 KiB.
[[nodiscard]] std::string zipBytes(std::span<const std::pair<std::string, std::string>> members,
                                   std::string_view comment = {});

} // namespace simulator
