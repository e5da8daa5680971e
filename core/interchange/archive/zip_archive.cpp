#include "core/interchange/archive/zip_archive.h"

#include <fmt/format.h>
#include <limits>
#include <optional>
#include <zlib.h>

namespace core {

namespace {

/// Unpacks a raw deflate stream; nothing when it is damaged or gives another length than `unpacked`. Memory
/// grows with what comes out, whatever the archive claims.
std::optional<std::string> inflateAll(std::string_view packed, std::size_t unpacked) {
    constexpr std::size_t pieceBytes = std::size_t{1} << 18U;
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    std::string out;
    std::vector<char> piece(pieceBytes);
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return std::nullopt;
    int outcome = Z_OK;
    while (outcome == Z_OK && out.size() <= unpacked) {
        if (stream.avail_in == 0 && !packed.empty()) {
            const std::string_view next = packed.substr(0, most);
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(next.data()));
            stream.avail_in = static_cast<uInt>(next.size());
            packed.remove_prefix(next.size());
        }
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        outcome = inflate(&stream, Z_NO_FLUSH);
        out.append(piece.data(), piece.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    const bool isWhole = outcome == Z_STREAM_END && out.size() == unpacked;
    return isWhole ? std::optional(std::move(out)) : std::nullopt;
}

} // namespace

Result<ZipArchive> ZipArchive::open(std::string_view bytes, std::string_view file) {
    ZipArchive archive;
    archive.m_bytes = bytes;
    archive.m_file = {std::string(file), bytes.size(),
                      [bytes](std::uint64_t offset, std::uint64_t count) -> Result<std::string> {
                          return std::string(bytes.substr(offset, count));
                      }};
    auto members = readZipDirectory(archive.m_file);
    if (!members)
        return failure(members.error());
    archive.m_members = std::move(*members);
    return archive;
}

std::vector<std::string> ZipArchive::names() const {
    std::vector<std::string> names;
    for (const auto& [name, member] : m_members)
        names.push_back(name);
    return names;
}

Result<std::string> ZipArchive::read(const std::string& name, std::size_t limit) const {
    const auto found = m_members.find(name);
    if (found == m_members.end())
        return failure(
            zipTrouble("zip/missing", m_file.name, fmt::format("the archive has no \"{}\"", name)));
    const ZipMember& member = found->second;
    if (!member.isReadable())
        return failure(zipTrouble("zip/unsupported", m_file.name,
                                  fmt::format("\"{}\" is encrypted or packed in an unusual way", name)));
    if (member.unpacked > limit || member.packed > limit)
        return failure(zipTrouble("zip/size", m_file.name,
                                  fmt::format("\"{}\" unpacks to {} bytes, more than the {} that are read",
                                              name, member.unpacked, limit)));
    const auto start = zipContentOffset(m_file, name, member);
    if (!start)
        return failure(start.error());
    const std::string_view packed = m_bytes.substr(*start, member.packed);
    // Deflate makes nothing smaller than a 1032nd; a stored member is as long as it is.
    constexpr std::uint64_t mostDense = 1032;
    constexpr std::uint64_t slack = 64;
    if (member.unpacked > (member.isStored() ? packed.size() : (packed.size() + slack) * mostDense))
        return failure(
            zipTrouble("zip/damaged", m_file.name,
                       fmt::format("\"{}\" cannot unpack to the {} bytes it claims", name, member.unpacked)));
    std::optional<std::string> content =
        member.isStored() ? std::optional(std::string(packed)) : inflateAll(packed, member.unpacked);
    const bool isWhole =
        content && content->size() == member.unpacked &&
        crc32_z(0, reinterpret_cast<const Bytef*>(content->data()), content->size()) == member.checksum;
    if (!isWhole)
        return failure(
            zipTrouble("zip/damaged", m_file.name, fmt::format("the member \"{}\" is damaged", name)));
    return std::move(*content);
}

} // namespace core
