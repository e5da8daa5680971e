#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
// jpeglib.h needs <cstdio> before it.
#include <cstdio>
#include <jpeglib.h>
#include <string>
#include <vector>
#include <zlib.h>

namespace tests {

/// A PNG file of 8 bits per channel, put together by the format's definition (RFC 2083): no library of the
/// product writes it.
inline std::string pngBytes(std::uint32_t rows, std::uint32_t columns, int channels,
                            const std::vector<std::uint8_t>& pixels) {
    const auto number = [](std::uint32_t value) {
        return std::string{static_cast<char>(value >> 24U), static_cast<char>(value >> 16U),
                           static_cast<char>(value >> 8U), static_cast<char>(value)};
    };
    const auto chunk = [&](const std::string& name, const std::string& content) {
        const std::string body = name + content;
        const auto sum =
            crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
        return number(static_cast<std::uint32_t>(content.size())) + body +
               number(static_cast<std::uint32_t>(sum));
    };
    const char colourType = channels == 1 ? 0 : channels == 3 ? 2 : 6;
    const std::string header = number(columns) + number(rows) + std::string{8, colourType, 0, 0, 0};
    std::string lines;
    const std::size_t stride = std::size_t{columns} * static_cast<std::size_t>(channels);
    for (std::uint32_t row = 0; row < rows; ++row) {
        lines += '\0';
        lines.append(reinterpret_cast<const char*>(pixels.data()) + row * stride, stride);
    }
    std::string packed(compressBound(lines.size()), '\0');
    uLongf size = packed.size();
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(lines.data()),
             lines.size());
    packed.resize(size);
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", packed) + chunk("IEND", "");
}

/// A JPEG file of one grey.
inline std::string jpegBytes(std::uint32_t rows, std::uint32_t columns, std::uint8_t grey) {
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = columns;
    jpeg.image_height = rows;
    jpeg.input_components = 1;
    jpeg.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    std::vector<std::uint8_t> line(columns, grey);
    while (jpeg.next_scanline < jpeg.image_height) {
        JSAMPROW row = line.data();
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    std::string file(reinterpret_cast<const char*>(bytes), size);
    std::free(bytes);
    return file;
}

} // namespace tests
