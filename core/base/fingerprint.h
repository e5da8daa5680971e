#pragma once

#include <string>
#include <string_view>

namespace core {

/// 32 hexadecimal digits that identify `content` (XXH3, 128 bit). For provenance and caches, not for
/// security.
[[nodiscard]] std::string fingerprint(std::string_view content);

} // namespace core
