#pragma once

#include "core/interchange/archive/zip_directory.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Reads members of a ZIP file held in memory: stored or deflated, no encryption, no spanning. Every offset
/// and length of the file is checked before it is used.
class ZipArchive {
public:
    /// `bytes` must outlive the archive. Errors: "zip/damaged", "zip/unsupported".
    [[nodiscard]] static Result<ZipArchive> open(std::string_view bytes, std::string_view file);

    /// As given to `open`.
    [[nodiscard]] const std::string& file() const { return m_file.name; }
    [[nodiscard]] bool contains(const std::string& member) const { return m_members.contains(member); }
    /// Of all members, in alphabetical order.
    [[nodiscard]] std::vector<std::string> names() const;
    /// Of one member when it is unpacked, as the archive announces it; 0 when there is none.
    [[nodiscard]] std::uint64_t size(const std::string& member) const;
    /// The first `count` bytes of a member, or all of a shorter one; its checksum is not looked at. Errors as
    /// of `read`, without "zip/size".
    [[nodiscard]] Result<std::string> readStart(const std::string& member, std::size_t count) const;
    /// The content of one member. Memory follows what comes out, not what is announced. Errors:
    /// "zip/missing", "zip/damaged", "zip/unsupported", "zip/size" when it unpacks to more than `limit`
    /// bytes.
    [[nodiscard]] Result<std::string> read(const std::string& member, std::size_t limit) const;

private:
    [[nodiscard]] Result<std::string_view> packed(const std::string& member) const;

    std::string_view m_bytes;
    ZipFile m_file;
    ZipMembers m_members;
};

} // namespace core
