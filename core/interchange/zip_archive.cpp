#include "core/interchange/zip_archive.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <zlib.h>

namespace core {

namespace {

// Signatures and record lengths of the format (PKWARE APPNOTE 6.3).
constexpr std::uint32_t localSignature = 0x04034b50;
constexpr std::uint32_t centralSignature = 0x02014b50;
constexpr std::uint32_t endSignature = 0x06054b50;
constexpr std::size_t localLength = 30;
constexpr std::size_t centralLength = 46;
constexpr std::size_t endLength = 22;
constexpr std::size_t longestComment = 65535;
constexpr std::uint64_t wideMark = 0xffffffff; // the real value stands in a ZIP64 extra field
constexpr std::uint16_t wideField = 1;

/// Little-endian number at `offset`; 0 beyond the end.
std::uint64_t number(std::string_view bytes, std::size_t offset, std::size_t length) {
    std::uint64_t value = 0;
    for (std::size_t i = length; i > 0; --i) {
        const std::size_t at = offset + i - 1;
        value = value << 8 | (at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U);
    }
    return value;
}

std::uint16_t number16(std::string_view bytes, std::size_t offset) {
    return static_cast<std::uint16_t>(number(bytes, offset, 2));
}
std::uint32_t number32(std::string_view bytes, std::size_t offset) {
    return static_cast<std::uint32_t>(number(bytes, offset, 4));
}

Diagnostic trouble(std::string code, std::string_view file, std::string message) {
    return {Severity::Error,         Trouble::Input,     std::move(code),
            {std::string(file), ""}, std::move(message), {}};
}

std::optional<std::size_t> findEnd(std::string_view bytes) {
    if (bytes.size() < endLength)
        return std::nullopt;
    const std::size_t first = bytes.size() - std::min(bytes.size(), endLength + longestComment);
    for (std::size_t at = bytes.size() - endLength + 1; at-- > first;) {
        if (number32(bytes, at) == endSignature)
            return at;
    }
    return std::nullopt;
}

/// Replaces marked values by those of the ZIP64 extra field, in its order.
void widen(std::string_view extra, std::initializer_list<std::uint64_t*> values) {
    for (std::size_t at = 0; at + 4 <= extra.size();) {
        const std::size_t length = number16(extra, at + 2);
        if (number16(extra, at) == wideField) {
            std::size_t next = at + 4;
            for (std::uint64_t* value : values) {
                if (*value != wideMark || next + 8 > at + 4 + length)
                    continue;
                *value = number(extra, next, 8);
                next += 8;
            }
            return;
        }
        at += 4 + length;
    }
}

/// Unpacks a raw deflate stream; nothing when it is damaged or gives another length than `unpacked`.
std::optional<std::string> inflateAll(std::string_view packed, std::size_t unpacked) {
    std::string out(unpacked, '\0');
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return std::nullopt;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int outcome = inflate(&stream, Z_FINISH);
    const bool isWhole = outcome == Z_STREAM_END && stream.total_out == unpacked;
    inflateEnd(&stream);
    return isWhole ? std::optional(std::move(out)) : std::nullopt;
}

} // namespace

Result<ZipArchive> ZipArchive::open(std::string_view bytes, std::string_view file) {
    const auto end = findEnd(bytes);
    if (!end)
        return failure(
            trouble("zip/damaged", file, "the archive has no table of contents: it may be cut off"));
    ZipArchive archive;
    archive.m_bytes = bytes;
    archive.m_file = std::string(file);
    std::size_t at = number32(bytes, *end + 16);
    const std::size_t count = number16(bytes, *end + 10);
    if (at == wideMark)
        return failure(trouble("zip/unsupported", file, "the archive is larger than 4 GiB"));
    for (std::size_t i = 0; i < count; ++i) {
        if (at > bytes.size() || bytes.size() - at < centralLength || number32(bytes, at) != centralSignature)
            return failure(
                trouble("zip/damaged", file, fmt::format("entry {} of the archive is damaged", i)));
        const std::size_t nameLength = number16(bytes, at + 28);
        const std::size_t extraLength = number16(bytes, at + 30);
        const std::size_t whole = centralLength + nameLength + extraLength + number16(bytes, at + 32);
        if (bytes.size() - at < whole)
            return failure(
                trouble("zip/damaged", file, fmt::format("entry {} of the archive is damaged", i)));
        Member member;
        member.flags = number16(bytes, at + 8);
        member.method = number16(bytes, at + 10);
        member.checksum = number32(bytes, at + 16);
        member.packed = number32(bytes, at + 20);
        member.unpacked = number32(bytes, at + 24);
        member.offset = number32(bytes, at + 42);
        widen(bytes.substr(at + centralLength + nameLength, extraLength),
              {&member.unpacked, &member.packed, &member.offset});
        archive.m_members[std::string(bytes.substr(at + centralLength, nameLength))] = member;
        at += whole;
    }
    return archive;
}

std::vector<std::string> ZipArchive::names() const {
    std::vector<std::string> names;
    for (const auto& [name, member] : m_members)
        names.push_back(name);
    return names;
}

Result<std::string_view> ZipArchive::packedBytes(const std::string& name, const Member& member) const {
    const auto damaged = [&] {
        return failure(trouble("zip/damaged", m_file, fmt::format("the member \"{}\" is damaged", name)));
    };
    if (member.offset > m_bytes.size() || m_bytes.size() - member.offset < localLength ||
        number32(m_bytes, member.offset) != localSignature)
        return damaged();
    const std::size_t start = member.offset + localLength + number16(m_bytes, member.offset + 26) +
                              number16(m_bytes, member.offset + 28);
    if (start > m_bytes.size() || m_bytes.size() - start < member.packed)
        return damaged();
    return m_bytes.substr(start, member.packed);
}

Result<std::string> ZipArchive::read(const std::string& name, std::size_t limit) const {
    const auto found = m_members.find(name);
    if (found == m_members.end())
        return failure(trouble("zip/missing", m_file, fmt::format("the archive has no \"{}\"", name)));
    const Member& member = found->second;
    constexpr std::uint16_t encrypted = 1;
    constexpr std::uint16_t stored = 0;
    constexpr std::uint16_t deflated = 8;
    if ((member.flags & encrypted) != 0 || (member.method != stored && member.method != deflated))
        return failure(trouble("zip/unsupported", m_file,
                               fmt::format("\"{}\" is encrypted or packed in an unusual way", name)));
    if (member.unpacked > limit || member.packed > limit)
        return failure(trouble("zip/size", m_file,
                               fmt::format("\"{}\" unpacks to {} bytes, more than the {} that are read", name,
                                           member.unpacked, limit)));
    const auto packed = packedBytes(name, member);
    if (!packed)
        return failure(packed.error());
    std::optional<std::string> content =
        member.method == stored ? std::optional(std::string(*packed)) : inflateAll(*packed, member.unpacked);
    const bool isWhole = content && content->size() == member.unpacked &&
                         crc32(0, reinterpret_cast<const Bytef*>(content->data()),
                               static_cast<uInt>(content->size())) == member.checksum;
    if (!isWhole)
        return failure(trouble("zip/damaged", m_file, fmt::format("the member \"{}\" is damaged", name)));
    return std::move(*content);
}

} // namespace core
