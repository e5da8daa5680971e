#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <zlib.h>

// Anybody can make a checksum, so changed files get theirs before they are read: else hardly one would be
// read behind it.

namespace checksums {

/// A number of `count` bytes at an offset; nothing beyond the end.
inline std::optional<std::uint32_t> number(const std::string& bytes, std::size_t at, std::size_t count,
                                           bool isBigEndian) {
    if (at > bytes.size() || bytes.size() - at < count)
        return std::nullopt;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
        value |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(bytes[at + i]))
                 << (8 * (isBigEndian ? count - 1 - i : i));
    return value;
}

inline void put(std::string& bytes, std::size_t at, std::uint32_t value, bool isBigEndian) {
    for (std::size_t i = 0; i < 4; ++i)
        bytes[at + i] = static_cast<char>(value >> (8 * (isBigEndian ? 3 - i : i)));
}

inline std::uint32_t crc(std::string_view bytes) {
    return static_cast<std::uint32_t>(
        ::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

/// What deflated bytes unpack to, as far as they do.
inline std::string inflated(std::string_view packed) {
    constexpr std::size_t most = std::size_t{1} << 20U;
    std::string out(std::min(most, 1024 * (packed.size() + 1)), '\0');
    z_stream stream{};
    if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return {};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    static_cast<void>(::inflate(&stream, Z_FINISH));
    out.resize(stream.total_out);
    ::inflateEnd(&stream);
    return out;
}

} // namespace checksums

/// A PNG file with the checksums of its chunks.
inline std::string withPngChecksums(std::string bytes) {
    using namespace checksums;
    constexpr std::size_t signature = 8;
    constexpr std::size_t mostOfChunk = std::size_t{1} << 24U;
    for (std::size_t at = signature; at + 12 <= bytes.size();) {
        const std::size_t length = number(bytes, at, 4, true).value_or(0);
        if (length > mostOfChunk || at + 12 + length > bytes.size())
            break;
        put(bytes, at + 8 + length, crc(std::string_view(bytes).substr(at + 4, 4 + length)), true);
        at += 12 + length;
    }
    return bytes;
}

/// A ZIP archive with the checksums of its members, in the directory and before each member.
inline std::string withZipChecksums(std::string bytes) {
    using namespace checksums;
    constexpr std::string_view entry("PK\1\2", 4);
    for (std::size_t at = bytes.find(entry); at != std::string::npos; at = bytes.find(entry, at + 1)) {
        const auto method = number(bytes, at + 10, 2, false);
        const auto packed = number(bytes, at + 20, 4, false);
        const auto local = number(bytes, at + 42, 4, false);
        if (!method || !packed || !local)
            break;
        const auto name = number(bytes, *local + std::size_t{26}, 2, false);
        const auto extra = number(bytes, *local + std::size_t{28}, 2, false);
        if (!name || !extra)
            continue;
        const std::size_t start = std::size_t{*local} + 30 + *name + *extra;
        if (start > bytes.size() || *packed > bytes.size() - start)
            continue;
        const std::string_view content = std::string_view(bytes).substr(start, *packed);
        const std::uint32_t sum = *method == 0 ? crc(content) : crc(inflated(content));
        put(bytes, at + 16, sum, false);
        put(bytes, std::size_t{*local} + 14, sum, false);
    }
    return bytes;
}
