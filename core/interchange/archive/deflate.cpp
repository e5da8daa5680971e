#include "core/interchange/archive/deflate.h"

#include <algorithm>
#include <zlib.h>

namespace core {

std::optional<std::string> inflated(std::string_view packed, std::size_t most, DeflateFormat format) {
    constexpr std::size_t piece = std::size_t{1} << 16U;
    z_stream stream{};
    if (inflateInit2(&stream, format == DeflateFormat::Raw ? -MAX_WBITS : MAX_WBITS) != Z_OK)
        return std::nullopt;
    std::string out;
    std::string part(piece, '\0');
    int outcome = Z_OK;
    while (outcome == Z_OK && out.size() < most) {
        if (stream.avail_in == 0) {
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
            stream.avail_in = static_cast<uInt>(std::min<std::size_t>(packed.size(), 1U << 30U));
            packed.remove_prefix(stream.avail_in);
        }
        stream.next_out = reinterpret_cast<Bytef*>(part.data());
        stream.avail_out = static_cast<uInt>(part.size());
        outcome = inflate(&stream, Z_NO_FLUSH);
        const std::size_t count = std::min(part.size() - stream.avail_out, most - out.size());
        if (out.size() + count > out.capacity())
            out.reserve(std::min(most, out.size() + out.size() / 4 + piece));
        out.append(part, 0, count);
    }
    inflateEnd(&stream);
    return outcome == Z_STREAM_END || out.size() == most ? std::optional(std::move(out)) : std::nullopt;
}

std::string deflated(std::string_view bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string packed(size, '\0');
    // Refuses nothing but a place that is too small, which `compressBound` excludes.
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
              static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION);
    packed.resize(size);
    return packed;
}

} // namespace core
