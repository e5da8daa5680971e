#include "core/interchange/archive/zip_archive.h"

#include <fmt/format.h>
#include <optional>
#include <zlib.h>

namespace core {

namespace {

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
