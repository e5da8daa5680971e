#pragma once

#include "core/interchange/archive/zip_directory.h"

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

    [[nodiscard]] bool contains(const std::string& member) const { return m_members.contains(member); }
    /// Of all members, in alphabetical order.
    [[nodiscard]] std::vector<std::string> names() const;
    /// The content of one member. Errors: "zip/missing", "zip/damaged", "zip/unsupported", "zip/size" when it
    /// unpacks to more than `limit` bytes.
    [[nodiscard]] Result<std::string> read(const std::string& member, std::size_t limit) const;

private:
    std::string_view m_bytes;
    ZipFile m_file;
    ZipMembers m_members;
};

} // namespace core
