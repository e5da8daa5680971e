#include "core/interchange/archive/zip_archive.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <zlib.h>

namespace core {

namespace {

/// The first `most` bytes of a raw deflate stream, or all of a shorter one; nothing when it is damaged. Grows
/// with what comes out, so that nothing depends on what the archive announces.
std::optional<std::string> inflated(std::string_view packed, std::size_t most) {
    constexpr std::size_t piece = std::size_t{1} << 16U;
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return std::nullopt;
    std::string out;
    std::string part(piece, '\0');
    int outcome = Z_OK;
    while (outcome == Z_OK && out.size() < most) {
        if (stream.avail_in == 0) {
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
            stream.avail_in = static_cast<uInt>(std::min<std::size_t>(packed.size(), 1U << 30U));
            packed.remove_prefix(stream.avail_in);
        }
        stream.next_out = reinterpret_cast<Bytef*>(part.data());
        stream.avail_out = static_cast<uInt>(part.size());
        outcome = inflate(&stream, Z_NO_FLUSH);
        const std::size_t count = std::min(part.size() - stream.avail_out, most - out.size());
        if (out.size() + count > out.capacity())
            out.reserve(std::min(most, out.size() + out.size() / 4 + piece));
        out.append(part, 0, count);
    }
    inflateEnd(&stream);
    return outcome == Z_STREAM_END || out.size() == most ? std::optional(std::move(out)) : std::nullopt;
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

std::uint64_t ZipArchive::size(const std::string& name) const {
    const auto found = m_members.find(name);
    return found == m_members.end() ? 0 : found->second.unpacked;
}

Result<std::string_view> ZipArchive::packed(const std::string& name) const {
    const auto found = m_members.find(name);
    if (found == m_members.end())
        return failure(
            zipTrouble("zip/missing", m_file.name, fmt::format("the archive has no \"{}\"", name)));
    if (!found->second.isReadable())
        return failure(zipTrouble("zip/unsupported", m_file.name,
                                  fmt::format("\"{}\" is encrypted or packed in an unusual way", name)));
    const auto start = zipContentOffset(m_file, name, found->second);
    if (!start)
        return failure(start.error());
    return m_bytes.substr(*start, found->second.packed);
}

Result<std::string> ZipArchive::readStart(const std::string& name, std::size_t count) const {
    const auto bytes = packed(name);
    if (!bytes)
        return failure(bytes.error());
    auto content = m_members.at(name).isStored() ? std::optional(std::string(bytes->substr(0, count)))
                                                 : inflated(*bytes, count);
    if (!content)
        return failure(
            zipTrouble("zip/damaged", m_file.name, fmt::format("the member \"{}\" is damaged", name)));
    return std::move(*content);
}

Result<std::string> ZipArchive::read(const std::string& name, std::size_t limit) const {
    const auto bytes = packed(name);
    if (!bytes)
        return failure(bytes.error());
    const ZipMember& member = m_members.at(name);
    if (member.unpacked > limit || member.packed > limit)
        return failure(zipTrouble("zip/size", m_file.name,
                                  fmt::format("\"{}\" unpacks to {} bytes, more than the {} that are read",
                                              name, member.unpacked, limit)));
    // One byte more than announced is asked for, so that a longer stream is seen.
    std::optional<std::string> content =
        member.isStored() ? std::optional(std::string(*bytes)) : inflated(*bytes, member.unpacked + 1);
    const bool isWhole =
        content && content->size() == member.unpacked &&
        crc32_z(0, reinterpret_cast<const Bytef*>(content->data()), content->size()) == member.checksum;
    if (!isWhole)
        return failure(
            zipTrouble("zip/damaged", m_file.name, fmt::format("the member \"{}\" is damaged", name)));
    return std::move(*content);
}

} // namespace core
