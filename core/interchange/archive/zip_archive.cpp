#include "core/interchange/archive/zip_archive.h"

#include "core/interchange/archive/deflate.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <zlib.h>

namespace core {

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
            zipTrouble("zip/missing", m_file.name, name, fmt::format("the archive has no \"{}\"", name)));
    if (!found->second.isReadable())
        return failure(zipTrouble("zip/unsupported", m_file.name, name,
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
                                                 : inflated(*bytes, count, DeflateFormat::Raw);
    if (!content)
        return failure(
            zipTrouble("zip/damaged", m_file.name, name, fmt::format("the member \"{}\" is damaged", name)));
    return std::move(*content);
}

Result<std::string> ZipArchive::read(const std::string& name, std::size_t limit) const {
    const auto bytes = packed(name);
    if (!bytes)
        return failure(bytes.error());
    const ZipMember& member = m_members.at(name);
    if (member.unpacked > limit || member.packed > limit)
        return failure(zipTrouble("zip/size", m_file.name, name,
                                  fmt::format("\"{}\" unpacks to {} bytes, more than the {} that are read",
                                              name, member.unpacked, limit)));
    // One byte more than announced is asked for, so that a longer stream is seen.
    std::optional<std::string> content = member.isStored()
                                             ? std::optional(std::string(*bytes))
                                             : inflated(*bytes, member.unpacked + 1, DeflateFormat::Raw);
    const bool isWhole =
        content && content->size() == member.unpacked &&
        crc32_z(0, reinterpret_cast<const Bytef*>(content->data()), content->size()) == member.checksum;
    if (!isWhole)
        return failure(
            zipTrouble("zip/damaged", m_file.name, name, fmt::format("the member \"{}\" is damaged", name)));
    return std::move(*content);
}

} // namespace core
