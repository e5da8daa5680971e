// Signatures and records: PKWARE APPNOTE 6.3.
#include "core/interchange/archive/zip_directory.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace core {

namespace {

constexpr std::uint32_t localSignature = 0x04034b50;
constexpr std::uint32_t centralSignature = 0x02014b50;
constexpr std::uint32_t endSignature = 0x06054b50;
constexpr std::uint32_t wideEndSignature = 0x06064b50;
constexpr std::uint32_t wideLocatorSignature = 0x07064b50;
constexpr std::size_t localLength = 30;
constexpr std::size_t centralLength = 46;
constexpr std::size_t endLength = 22;
constexpr std::size_t wideEndLength = 56;
constexpr std::size_t wideLocatorLength = 20;
constexpr std::size_t longestComment = 65535;
/// The real value is in a ZIP64 record.
constexpr std::uint64_t wideMark = 0xffffffff;
constexpr std::uint64_t wideCountMark = 0xffff;
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

std::optional<std::size_t> findEnd(std::string_view tail) {
    if (tail.size() < endLength)
        return std::nullopt;
    for (std::size_t at = tail.size() - endLength + 1; at-- > 0;) {
        if (number32(tail, at) == endSignature)
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

/// Where the entries are and how many there are.
struct Table {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t count = 0;
};

Diagnostic damaged(const ZipFile& file, std::uint64_t at, std::string message) {
    return zipTrouble("zip/damaged", file.name, fmt::format("byte {}", at), std::move(message));
}

/// What can be done about an archive, by the code of its trouble.
std::string cureOf(std::string_view code) {
    if (code == "zip/missing")
        return "save the file again with the program that makes such files, and leave its members as they "
               "are";
    if (code == "zip/unsupported")
        return "pack it again without a password, stored or deflated (zip -r)";
    if (code == "zip/size")
        return "give a smaller file: it unpacks to more than such a file can need";
    return "the file is not whole: copy or save it again (unzip -t names the damage)";
}

/// The ZIP64 record that comes before the end at `end`, where the end points to one.
Result<Table> widened(const ZipFile& file, std::uint64_t end, Table table) {
    const bool isWide = table.offset == wideMark || table.size == wideMark || table.count == wideCountMark;
    if (!isWide || end < wideLocatorLength)
        return table;
    const auto locator = file.read(end - wideLocatorLength, wideLocatorLength);
    if (!locator)
        return failure(locator.error());
    if (number32(*locator, 0) != wideLocatorSignature)
        return table;
    const std::uint64_t at = number(*locator, 8, 8);
    if (at > file.size || file.size - at < wideEndLength)
        return failure(damaged(file, end - wideLocatorLength, "the archive's table of contents is damaged"));
    const auto record = file.read(at, wideEndLength);
    if (!record)
        return failure(record.error());
    if (number32(*record, 0) != wideEndSignature)
        return failure(damaged(file, at, "the archive's table of contents is damaged"));
    return Table{number(*record, 48, 8), number(*record, 40, 8), number(*record, 32, 8)};
}

Result<Table> findTable(const ZipFile& file) {
    const std::uint64_t length = std::min<std::uint64_t>(file.size, endLength + longestComment);
    const auto tail = file.read(file.size - length, length);
    if (!tail)
        return failure(tail.error());
    const auto end = findEnd(*tail);
    if (!end)
        return failure(damaged(file, file.size, "the archive has no table of contents: it may be cut off"));
    const Table table{number32(*tail, *end + 16), number32(*tail, *end + 12), number16(*tail, *end + 10)};
    return widened(file, file.size - length + *end, table);
}

} // namespace

Diagnostic zipTrouble(std::string code, std::string_view file, std::string place, std::string message) {
    std::string cure = cureOf(code);
    return makeError(Trouble::Input, std::move(code), {std::string(file), std::move(place)},
                     std::move(message), {std::move(cure)});
}

Result<ZipMembers> readZipDirectory(const ZipFile& file) {
    const auto table = findTable(file);
    if (!table)
        return failure(table.error());
    // Every entry has its length; a table that says more than there is ends at the first that is missing.
    const std::uint64_t begin = std::min(table->offset, file.size);
    const auto entries = file.read(begin, std::min(table->size, file.size - begin));
    if (!entries)
        return failure(entries.error());
    const std::string_view bytes = *entries;
    ZipMembers members;
    std::size_t at = 0;
    for (std::uint64_t i = 0; i < table->count; ++i) {
        const auto broken = [&] {
            return failure(damaged(file, begin + at, fmt::format("entry {} of the archive is damaged", i)));
        };
        if (bytes.size() - at < centralLength || number32(bytes, at) != centralSignature)
            return broken();
        const std::size_t nameLength = number16(bytes, at + 28);
        const std::size_t extraLength = number16(bytes, at + 30);
        const std::size_t whole = centralLength + nameLength + extraLength + number16(bytes, at + 32);
        if (bytes.size() - at < whole)
            return broken();
        ZipMember member;
        member.flags = number16(bytes, at + 8);
        member.method = number16(bytes, at + 10);
        member.checksum = number32(bytes, at + 16);
        member.packed = number32(bytes, at + 20);
        member.unpacked = number32(bytes, at + 24);
        member.offset = number32(bytes, at + 42);
        widen(bytes.substr(at + centralLength + nameLength, extraLength),
              {&member.unpacked, &member.packed, &member.offset});
        members[std::string(bytes.substr(at + centralLength, nameLength))] = member;
        at += whole;
    }
    return members;
}

Result<std::uint64_t> zipContentOffset(const ZipFile& file, const std::string& name,
                                       const ZipMember& member) {
    const auto broken = [&] {
        return failure(damaged(file, member.offset, fmt::format("the member \"{}\" is damaged", name)));
    };
    if (member.offset > file.size || file.size - member.offset < localLength)
        return broken();
    const auto header = file.read(member.offset, localLength);
    if (!header)
        return failure(header.error());
    if (number32(*header, 0) != localSignature)
        return broken();
    const std::uint64_t start = member.offset + localLength + number16(*header, 26) + number16(*header, 28);
    if (start > file.size || file.size - start < member.packed)
        return broken();
    return start;
}

} // namespace core
