#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// What is around the compressed blocks of RFC 1951.
enum class DeflateFormat : std::uint8_t {
    Raw,  ///< nothing, as in members of ZIP files
    Zlib, ///< head and checksum of RFC 1950
};

/// The first `most` bytes of a stream, or all of a shorter one; nothing when it is damaged. Grows with what
/// comes out, so that nothing depends on what is announced.
[[nodiscard]] std::optional<std::string> inflated(std::string_view packed, std::size_t most,
                                                  DeflateFormat format);

/// As small as zlib makes it, in its own format.
[[nodiscard]] std::string deflated(std::string_view bytes);

} // namespace core
