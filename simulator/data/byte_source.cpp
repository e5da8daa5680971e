#include "simulator/data/byte_source.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <zlib.h>

namespace simulator {
namespace {

/// Members of a gzip file one after the other; nothing when one is damaged or cut off.
std::optional<std::string> unpacked(std::string_view packed) {
    constexpr int gzipFormat = 16;
    z_stream stream{};
    if (inflateInit2(&stream, MAX_WBITS + gzipFormat) != Z_OK)
        return std::nullopt;
    std::string out;
    std::array<char, 1 << 16> block{};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    std::size_t left = packed.size();
    int outcome = Z_OK;
    while (outcome == Z_OK || (outcome == Z_STREAM_END && (left > 0 || stream.avail_in > 0))) {
        if (outcome == Z_STREAM_END && inflateReset(&stream) != Z_OK)
            break;
        if (stream.avail_in == 0) {
            const std::size_t next = std::min<std::size_t>(left, 1U << 30U);
            stream.avail_in = static_cast<uInt>(next);
            left -= next;
        }
        stream.next_out = reinterpret_cast<Bytef*>(block.data());
        stream.avail_out = static_cast<uInt>(block.size());
        outcome = inflate(&stream, Z_NO_FLUSH);
        out.append(block.data(), block.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    return outcome == Z_STREAM_END ? std::optional(std::move(out)) : std::nullopt;
}

} // namespace

core::Result<ByteSource> ByteSource::open(const std::filesystem::path& path) {
    auto file = core::FileReader::open(path);
    if (!file)
        return core::failure(file.error());
    std::array<std::byte, 2> magic{};
    const bool mayBePacked = file->size() >= magic.size() && file->read(0, magic).has_value();
    if (!mayBePacked || magic[0] != std::byte{0x1f} || magic[1] != std::byte{0x8b})
        return ByteSource(path, std::move(*file));
    const auto packed = core::readFile(path);
    if (!packed)
        return core::failure(packed.error());
    auto bytes = unpacked(*packed);
    if (!bytes)
        return core::failure(datasetTrouble("dataset/damaged-gzip", path, "",
                                            "the gzip file is damaged or cut off", "fetch the file again"));
    return ByteSource(path, std::move(*bytes));
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
