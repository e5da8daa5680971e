#include "simulator/data/byte_source.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <unistd.h>
#include <zlib.h>

namespace simulator {
namespace {

/// A file of no name that others cannot see; it goes when it is closed.
class TemporaryFile {
public:
    TemporaryFile() {
        std::error_code error;
        std::string pattern = (std::filesystem::temp_directory_path(error) / "ipu-workbench-XXXXXX").string();
        m_descriptor = error ? -1 : ::mkstemp(pattern.data());
        m_path = std::move(pattern);
    }
    ~TemporaryFile() {
        if (m_descriptor >= 0) {
            ::close(m_descriptor);
            ::unlink(m_path.c_str());
        }
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] bool append(std::string_view bytes) const {
        while (!bytes.empty()) {
            const ssize_t written = m_descriptor < 0 ? -1 : ::write(m_descriptor, bytes.data(), bytes.size());
            if (written <= 0)
                return false;
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
        return true;
    }
    /// The reader keeps the content when the file's name goes.
    [[nodiscard]] core::Result<core::FileReader> reader() const { return core::FileReader::open(m_path); }

private:
    int m_descriptor = -1;
    std::string m_path;
};

core::Diagnostic damagedGzip(const std::filesystem::path& path) {
    return datasetTrouble("dataset/damaged-gzip", path, "", "the gzip file is damaged or cut off",
                          "fetch the file again");
}

core::Diagnostic noSpace(const std::filesystem::path& path) {
    core::Diagnostic diagnostic =
        datasetTrouble("dataset/no-space", path, "", "there is no room for the unpacked file",
                       "make room in the temporary folder, set TMPDIR to another one, or unpack the file");
    diagnostic.trouble = core::Trouble::World;
    return diagnostic;
}

/// Unpacks the members of a gzip file one after the other.
class GzipReader {
public:
    explicit GzipReader(const core::FileReader& file)
        : m_file(file) {
        constexpr int gzipFormat = 16;
        m_isOpen = inflateInit2(&m_stream, MAX_WBITS + gzipFormat) == Z_OK;
    }
    ~GzipReader() {
        if (m_isOpen)
            inflateEnd(&m_stream);
    }
    GzipReader(const GzipReader&) = delete;
    GzipReader& operator=(const GzipReader&) = delete;

    /// The next bytes; empty at the end, nothing when the file is damaged or cut off.
    std::optional<std::string_view> next() {
        while (m_isOpen) {
            if (m_outcome == Z_STREAM_END) {
                if (m_stream.avail_in == 0 && !fill())
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
    /// False at the end of the file.
    bool fill() {
        const auto count = std::min<std::uint64_t>(m_in.size(), m_file.size() - m_offset);
        if (count == 0 || !m_file.read(m_offset, std::span(m_in).first(static_cast<std::size_t>(count))))
            return false;
        m_offset += count;
        m_stream.next_in = reinterpret_cast<Bytef*>(m_in.data());
        m_stream.avail_in = static_cast<uInt>(count);
        return true;
    }

    const core::FileReader& m_file;
    std::uint64_t m_offset = 0;
    z_stream m_stream{};
    bool m_isOpen = false;
    int m_outcome = Z_OK;
    std::array<std::byte, 1 << 16> m_in{};
    std::array<char, 1 << 16> m_out{};
};

} // namespace

core::Result<ByteSource> ByteSource::open(const std::filesystem::path& path, std::uint64_t memoryLimit) {
    auto file = core::FileReader::open(path);
    if (!file)
        return core::failure(file.error());
    std::array<std::byte, 2> magic{};
    const bool mayBePacked = file->size() >= magic.size() && file->read(0, magic).has_value();
    if (!mayBePacked || magic[0] != std::byte{0x1f} || magic[1] != std::byte{0x8b})
        return ByteSource(path, std::move(*file));
    const auto reader = std::make_unique<GzipReader>(*file);
    std::string bytes;
    std::optional<TemporaryFile> spilled;
    while (true) {
        const auto part = reader->next();
        if (!part)
            return core::failure(damagedGzip(path));
        if (part->empty())
            break;
        if (!spilled && bytes.size() + part->size() > memoryLimit) {
            spilled.emplace();
            if (!spilled->append(bytes))
                return core::failure(noSpace(path));
            bytes = {};
        }
        if (!spilled)
            bytes += *part;
        else if (!spilled->append(*part))
            return core::failure(noSpace(path));
    }
    if (!spilled)
        return ByteSource(path, std::move(bytes));
    auto unpacked = spilled->reader();
    return unpacked ? core::Result<ByteSource>(ByteSource(path, std::move(*unpacked)))
                    : core::failure(unpacked.error());
}

core::Result<void> ByteSource::read(std::uint64_t offset, std::span<std::byte> bytes) const {
    if (m_file)
        return m_file->read(offset, bytes);
    if (offset > m_bytes.size() || m_bytes.size() - offset < bytes.size())
        return core::failure(
            datasetTrouble("dataset/cut-off", m_path, "", "the file ends too early", "fetch the file again"));
    std::memcpy(bytes.data(), m_bytes.data() + offset, bytes.size());
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
    return {core::Severity::Error, core::Trouble::Input, std::move(code), {file.string(), std::move(place)},
            std::move(message),    {std::move(hint)}};
}

} // namespace simulator
