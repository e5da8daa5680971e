#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace simulator {

/// A picture of 8 bits per channel, row by row, channels last.
struct Image {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    /// 1 (grey), 3 (red, green, blue) or 4 (and alpha).
    std::int64_t channels = 0;
    std::vector<std::uint8_t> pixels;
};

/// Whether a file is called like a picture that can be read: .png, .jpg, .jpeg, .pgm, .ppm.
[[nodiscard]] bool isImageName(const std::filesystem::path& path);

/// Reads a PNG, JPEG, PGM or PPM file, distinguished by their first bytes; 16 bits per channel become 8. A
/// picture without alpha that is wanted with it is opaque; colours become grey as ITU-R BT.601 weighs them.
/// Errors: those of core::readFile; "dataset/not-an-image", "dataset/damaged-image", "dataset/image-size" for
/// one of more than 2²⁸ pixels.
[[nodiscard]] core::Result<Image> readImageFile(const std::filesystem::path& path, std::int64_t channels);

/// The picture at another size, as float values from 0 to 255: bilinear between the centres of pixels,
/// without antialiasing, as tf.image.resize does.
[[nodiscard]] std::vector<float> resizedImage(const Image& image, std::int64_t rows, std::int64_t columns);

} // namespace simulator
