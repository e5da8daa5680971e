#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace core {

/// Where a member of a ZIP file is, and how it is packed.
struct ZipMember {
    /// Of its local header.
    std::uint64_t offset = 0;
    std::uint64_t packed = 0;
    std::uint64_t unpacked = 0;
    std::uint32_t checksum = 0;
    std::uint16_t method = 0;
    std::uint16_t flags = 0;

    [[nodiscard]] bool isStored() const { return method == 0; }
    /// Stored or deflated, and not encrypted.
    [[nodiscard]] bool isReadable() const { return (flags & 1U) == 0 && (method == 0 || method == 8); }
};
using ZipMembers = std::map<std::string, ZipMember>;

/// A ZIP file of which parts can be read.
struct ZipFile {
    /// For messages.
    std::string name;
    std::uint64_t size = 0;
    /// The `count` bytes at `offset`, both inside the file.
    std::function<Result<std::string>(std::uint64_t offset, std::uint64_t count)> read;
};

/// The table of contents, of ZIP64 files too. Errors: "zip/damaged", those of reading.
[[nodiscard]] Result<ZipMembers> readZipDirectory(const ZipFile& file);

/// Where the packed bytes of a member begin; all of them are inside the file. Errors: "zip/damaged", those of
/// reading.
[[nodiscard]] Result<std::uint64_t> zipContentOffset(const ZipFile& file, const std::string& name,
                                                     const ZipMember& member);

/// A complaint about a ZIP file.
[[nodiscard]] Diagnostic zipTrouble(std::string code, std::string_view file, std::string place,
                                    std::string message);

} // namespace core
