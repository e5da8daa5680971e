// PKWARE's APPNOTE 6.3: local headers with the contents, the central directory, its end.
#include "simulator/data/files/npz_archive.h"

#include <cstdint>
#include <zlib.h>

namespace simulator {
namespace {

std::string littleEndian(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text.push_back(static_cast<char>(value >> (8 * i) & 0xffU));
    return text;
}

/// What local headers and the directory say alike: version, flags, method, a fixed date, sum, lengths.
std::string facts(const std::string& name, const std::string& content) {
    constexpr std::uint64_t firstDay = 0x21; // 1 January 1980
    const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
    return littleEndian(20, 2) + littleEndian(0, 2) + littleEndian(0, 2) + littleEndian(firstDay << 16U, 4) +
           littleEndian(sum, 4) + littleEndian(content.size(), 4) + littleEndian(content.size(), 4) +
           littleEndian(name.size(), 2) + littleEndian(0, 2);
}

} // namespace

std::string zipBytes(std::span<const std::pair<std::string, std::string>> members, std::string_view comment) {
    std::string archive;
    std::string directory;
    for (const auto& [name, content] : members) {
        const std::string known = facts(name, content);
        directory += "PK\x01\x02" + littleEndian(20, 2) + known + littleEndian(0, 6) + littleEndian(0, 4) +
                     littleEndian(archive.size(), 4) + name;
        archive += "PK\x03\x04" + known + name + content;
    }
    const std::uint64_t start = archive.size();
    return archive + directory + "PK\x05\x06" + littleEndian(0, 4) + littleEndian(members.size(), 2) +
           littleEndian(members.size(), 2) + littleEndian(directory.size(), 4) + littleEndian(start, 4) +
           littleEndian(comment.size(), 2) + std::string(comment);
}

} // namespace simulator
