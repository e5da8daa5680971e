#include "simulator/data/files/byte_source.h"

#include "core/platform/temporary_file.h"
#include "core/platform/work_scope.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <zlib.h>

namespace simulator {
namespace {

core::Diagnostic damagedGzip(const std::filesystem::path& path) {
    return datasetTrouble("dataset/damaged-gzip", path, "", "the gzip file is damaged or cut off",
                          "fetch the file again");
}

core::Diagnostic noSpace(const std::filesystem::path& path) {
    core::Diagnostic diagnostic =
        datasetTrouble("dataset/no-space", path, "", "there is no space for the unpacked file",
                       "free space in the temporary folder, set TMPDIR to another one, or unpack the file");
    diagnostic.trouble = core::Trouble::World;
    return diagnostic;
}

enum class Packing { Gzip, Deflate };

/// Unpacks a part of a file: the members of a gzip file one after the other, or one raw deflate stream.
class Unpacker {
public:
    Unpacker(const core::FileReader& file, Packing packing, std::uint64_t begin, std::uint64_t end)
        : m_file(file)
        , m_packing(packing)
        , m_offset(begin)
        , m_end(end) {
        constexpr int gzipFormat = 16;
        m_isOpen =
            inflateInit2(&m_stream, packing == Packing::Gzip ? MAX_WBITS + gzipFormat : -MAX_WBITS) == Z_OK;
    }
    ~Unpacker() {
        if (m_isOpen)
            inflateEnd(&m_stream);
    }
    Unpacker(const Unpacker&) = delete;
    Unpacker& operator=(const Unpacker&) = delete;

    /// The next bytes; empty at the end, nothing when the file is damaged or cut off.
    std::optional<std::string_view> next() {
        while (m_isOpen) {
            if (m_outcome == Z_STREAM_END) {
                if (m_packing == Packing::Deflate || (m_stream.avail_in == 0 && !fill()))
                    return std::string_view();
                if (inflateReset(&m_stream) != Z_OK)
                    return std::nullopt;
            }
            if (m_stream.avail_in == 0 && !fill())
                return std::nullopt;
            m_stream.next_out = reinterpret_cast<Bytef*>(m_out.data());
            m_stream.avail_out = static_cast<uInt>(m_out.size());
            m_outcome = inflate(&m_stream, Z_NO_FLUSH);
            if (m_outcome != Z_OK && m_outcome != Z_STREAM_END)
                return std::nullopt;
            const std::size_t count = m_out.size() - m_stream.avail_out;
            if (count > 0)
                return std::string_view(m_out.data(), count);
        }
        return std::nullopt;
    }

private:
    /// False at the end of the part.
    bool fill() {
        const auto count = std::min<std::uint64_t>(m_in.size(), m_end - m_offset);
        if (count == 0 || !m_file.read(m_offset, std::span(m_in).first(static_cast<std::size_t>(count))))
            return false;
        m_offset += count;
        m_stream.next_in = reinterpret_cast<Bytef*>(m_in.data());
        m_stream.avail_in = static_cast<uInt>(count);
        return true;
    }

    const core::FileReader& m_file;
    Packing m_packing;
    std::uint64_t m_offset = 0;
    std::uint64_t m_end = 0;
    z_stream m_stream{};
    bool m_isOpen = false;
    int m_outcome = Z_OK;
    std::array<std::byte, 1 << 16> m_in{};
    std::array<char, 1 << 16> m_out{};
};

/// What was unpacked: in memory, or in a file where it was more than the limit.
struct Unpacked {
    std::string bytes;
    std::optional<core::FileReader> file;
    std::uint64_t size = 0;
    std::uint32_t checksum = 0;
};

/// How much may come out of so many packed bytes, and how much of it stays in memory.
struct UnpackLimits {
    UnpackLimits(std::uint64_t packed, std::uint64_t memoryLimit)
        : memory(std::min(memoryLimit, (std::uint64_t{16} << 20U) + 8 * packed))
        , whole(std::max(std::uint64_t{1} << 30U, 100 * packed)) {}

    std::uint64_t memory = 0;
    std::uint64_t whole = 0;
};

core::Result<Unpacked> unpacked(Unpacker& reader, const std::filesystem::path& path,
                                const UnpackLimits& limits, const core::Diagnostic& damaged) {
    // Takes seconds, and nothing but a file without a name is written.
    const core::ReadingScope reading;
    Unpacked result;
    std::optional<core::TemporaryFile> spilled;
    while (true) {
        const auto part = reader.next();
        if (!part)
            return core::failure(damaged);
        if (part->empty())
            break;
        result.size += part->size();
        if (result.size > limits.whole)
            return core::failure(datasetTrouble(
                "dataset/unpacked-size", path, "",
                fmt::format("it unpacks to more than the {} bytes that are taken from it", limits.whole),
                "unpack the file"));
        result.checksum = static_cast<std::uint32_t>(
            crc32_z(result.checksum, reinterpret_cast<const Bytef*>(part->data()), part->size()));
        if (!spilled && result.size > limits.memory) {
            spilled.emplace("ipu-workbench");
            if (!spilled->append(result.bytes))
                return core::failure(noSpace(path));
            result.bytes = {};
        }
        if (!spilled)
            result.bytes += *part;
        else if (!spilled->append(*part))
            return core::failure(noSpace(path));
    }
    if (!spilled)
        return result;
    auto file = core::FileReader::open(spilled->path());
    // The reader keeps the content when the file's name goes.
    if (!file)
        return core::failure(file.error());
    result.file = std::move(*file);
    return result;
}

core::ZipFile zipFile(const core::FileReader& file, const std::filesystem::path& path) {
    return {path.string(), file.size(),
            [&file](std::uint64_t offset, std::uint64_t count) -> core::Result<std::string> {
                std::string bytes(static_cast<std::size_t>(count), '\0');
                if (auto result = file.read(offset, std::as_writable_bytes(std::span(bytes))); !result)
                    return core::failure(result.error());
                return bytes;
            }};
}

} // namespace

core::Result<ByteSource> ByteSource::open(const std::filesystem::path& path, std::uint64_t memoryLimit) {
    auto file = core::FileReader::open(path);
    if (!file)
        return core::failure(file.error());
    std::array<std::byte, 2> magic{};
    const bool mayBePacked = file->size() >= magic.size() && file->read(0, magic).has_value();
    if (!mayBePacked || magic[0] != std::byte{0x1f} || magic[1] != std::byte{0x8b})
        return ByteSource(path, std::move(*file));
    const auto reader = std::make_unique<Unpacker>(*file, Packing::Gzip, 0, file->size());
    auto content = unpacked(*reader, path, {file->size(), memoryLimit}, damagedGzip(path));
    if (!content)
        return core::failure(content.error());
    return content->file ? ByteSource(path, std::move(*content->file))
                         : ByteSource(path, std::move(content->bytes));
}

core::Result<core::ZipMembers> zipMembers(const std::filesystem::path& archive) {
    const auto file = core::FileReader::open(archive);
    if (!file)
        return core::failure(file.error());
    return core::readZipDirectory(zipFile(*file, archive));
}

core::Result<ByteSource> ByteSource::openMember(const std::filesystem::path& archive,
                                                const core::ZipMembers& members, const std::string& name,
                                                std::uint64_t memoryLimit) {
    const auto found = members.find(name);
    if (found == members.end())
        return core::failure(datasetTrouble(
            "dataset/missing-array", archive, "", "has no array \"" + name.substr(0, name.rfind('.')) + "\"",
            "name the arrays in \"inputs\" and \"labels\"; numpy.load(file).files lists them"));
    const core::ZipMember& member = found->second;
    if (!member.isReadable())
        return core::failure(core::zipTrouble("zip/unsupported", archive.string(), name,
                                              "\"" + name + "\" is encrypted or packed in an unusual way"));
    auto file = core::FileReader::open(archive);
    if (!file)
        return core::failure(file.error());
    const auto begin = core::zipContentOffset(zipFile(*file, archive), name, member);
    if (!begin)
        return core::failure(begin.error());
    const std::filesystem::path path = archive.string() + ":" + name.substr(0, name.rfind('.'));
    if (member.isStored()) {
        ByteSource source(path, std::move(*file));
        source.m_begin = *begin;
        source.m_size = member.packed;
        return source;
    }
    const core::Diagnostic damaged =
        core::zipTrouble("zip/damaged", archive.string(), name, "the member \"" + name + "\" is damaged");
    const auto reader = std::make_unique<Unpacker>(*file, Packing::Deflate, *begin, *begin + member.packed);
    UnpackLimits limits(member.packed, memoryLimit);
    if (member.unpacked > limits.whole)
        return core::failure(core::zipTrouble(
            "zip/size", archive.string(), name,
            fmt::format("\"{}\" unpacks to {} bytes, more than the {} that are taken from it", name,
                        member.unpacked, limits.whole)));
    limits.whole = member.unpacked;
    auto content = unpacked(*reader, path, limits, damaged);
    if (!content)
        return core::failure(content.error());
    if (content->size != member.unpacked || content->checksum != member.checksum)
        return core::failure(damaged);
    return content->file ? ByteSource(path, std::move(*content->file))
                         : ByteSource(path, std::move(content->bytes));
}

core::Result<void> ByteSource::read(std::uint64_t offset, std::span<std::byte> bytes) const {
    if (offset > size() || size() - offset < bytes.size())
        return core::failure(
            datasetTrouble("dataset/cut-off", m_path, "", "the file ends too early", "fetch the file again"));
    if (m_file)
        return m_file->read(m_begin + offset, bytes);
    if (!bytes.empty())
        std::memcpy(bytes.data(), m_bytes->data() + offset, bytes.size());
    return {};
}

core::Result<std::string> ByteSource::text(std::uint64_t offset, std::uint64_t count) const {
    const std::uint64_t end = size();
    std::string result(static_cast<std::size_t>(offset < end ? std::min(count, end - offset) : 0), '\0');
    if (auto outcome = read(std::min(offset, end), std::as_writable_bytes(std::span(result))); !outcome)
        return core::failure(outcome.error());
    return result;
}

core::Diagnostic datasetTrouble(std::string code, const std::filesystem::path& file, std::string place,
                                std::string message, std::string hint) {
    return core::makeError(core::Trouble::Input, std::move(code), {file.string(), std::move(place)},
                           std::move(message), {std::move(hint)});
}

} // namespace simulator
