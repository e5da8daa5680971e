#include "simulator/data/files/image_file.h"

#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "core/text/text_case.h"
#include "simulator/data/files/byte_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <csetjmp>
#include <fmt/format.h>
#include <png.h>
#include <string_view>

// After png.h: it needs the standard types of input and output, which it does not bring.
#include <jpeglib.h>

namespace simulator {
namespace {

/// A picture of one colour packs into a thousandth: memory is bounded by the file, beyond what every picture
/// may have.
constexpr std::uint64_t alwaysPixels = std::uint64_t{1} << 23U;
constexpr std::uint64_t pixelsEachByte = 4;

tl::unexpected<core::Diagnostics> damaged(const std::filesystem::path& path, const std::string& what) {
    return core::failure(datasetTrouble("dataset/damaged-image", path, "",
                                        fmt::format("the picture cannot be read: {}", what),
                                        "fetch the file again, or take it out of the folder"));
}

tl::unexpected<core::Diagnostics> tooLarge(const std::filesystem::path& path, std::uint64_t rows,
                                           std::uint64_t columns) {
    return core::failure(datasetTrouble("dataset/image-size", path, "",
                                        fmt::format("the picture has {} × {} pixels", rows, columns),
                                        "scale it down"));
}

bool isTooLarge(std::uint64_t rows, std::uint64_t columns, std::uint64_t fileSize) {
    return rows == 0 || columns == 0 || rows > (alwaysPixels + pixelsEachByte * fileSize) / columns;
}

// --- PNG -------------------------------------------------------------------------------------------------

core::Result<Image> readPng(const std::filesystem::path& path, std::string_view bytes) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0)
        return damaged(path, png.message);
    if (isTooLarge(png.height, png.width, bytes.size())) {
        png_image_free(&png);
        return tooLarge(path, png.height, png.width);
    }
    // Numbers as they stand in the file, not turned to light.
    png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    const bool isColour = (png.format & PNG_FORMAT_FLAG_COLOR) != 0;
    const bool hasAlpha = (png.format & PNG_FORMAT_FLAG_ALPHA) != 0;
    png.format = hasAlpha ? PNG_FORMAT_RGBA : isColour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    Image image{png.height, png.width, hasAlpha ? 4 : isColour ? 3 : 1, {}};
    image.pixels.resize(PNG_IMAGE_SIZE(png));
    if (png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr) == 0) {
        png_image_free(&png);
        return damaged(path, png.message);
    }
    return image;
}

// --- JPEG ------------------------------------------------------------------------------------------------

/// libjpeg tells of an error by a call that must not return.
struct JpegErrors {
    jpeg_error_mgr manager{};
    std::jmp_buf back{};
    std::array<char, JMSG_LENGTH_MAX> message{};
};

void leave(j_common_ptr jpeg) {
    auto* errors = reinterpret_cast<JpegErrors*>(jpeg->err);
    errors->manager.format_message(jpeg, errors->message.data());
    std::longjmp(errors->back, 1);
}

void keepQuiet(j_common_ptr) {}

/// The rows of a JPEG file; false when it is damaged. Nothing here has a destructor that a jump could leave
/// out: the picture belongs to the caller.
bool decodeJpeg(std::string_view bytes, Image& image, JpegErrors& errors, bool& isLarge) {
    jpeg_decompress_struct jpeg{};
    jpeg.err = jpeg_std_error(&errors.manager);
    errors.manager.error_exit = leave;
    errors.manager.output_message = keepQuiet;
    if (setjmp(errors.back) != 0) { // NOLINT(cert-err52-cpp): the interface of libjpeg
        jpeg_destroy_decompress(&jpeg);
        return false;
    }
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(bytes.data()),
                 static_cast<unsigned long>(bytes.size()));
    jpeg_read_header(&jpeg, TRUE);
    isLarge = isTooLarge(jpeg.image_height, jpeg.image_width, bytes.size());
    if (!isLarge) {
        jpeg.out_color_space = jpeg.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
        jpeg_start_decompress(&jpeg);
        image.rows = jpeg.output_height;
        image.columns = jpeg.output_width;
        image.channels = jpeg.output_components;
        const std::size_t stride =
            std::size_t{jpeg.output_width} * static_cast<std::size_t>(jpeg.output_components);
        image.pixels.resize(stride * jpeg.output_height);
        while (jpeg.output_scanline < jpeg.output_height) {
            JSAMPROW row = image.pixels.data() + stride * jpeg.output_scanline;
            jpeg_read_scanlines(&jpeg, &row, 1);
        }
        jpeg_finish_decompress(&jpeg);
    }
    jpeg_destroy_decompress(&jpeg);
    return true;
}

core::Result<Image> readJpeg(const std::filesystem::path& path, std::string_view bytes) {
    Image image;
    JpegErrors errors;
    bool isLarge = false;
    if (!decodeJpeg(bytes, image, errors, isLarge))
        return damaged(path, errors.message.data());
    if (isLarge)
        return tooLarge(path, 0, 0);
    if (errors.manager.num_warnings > 0)
        return damaged(path, "its data are cut off or corrupt");
    return image;
}

// --- PGM and PPM -----------------------------------------------------------------------------------------

/// Netpbm's formats: "P5" (grey) and "P6" (colour), "P2" and "P3" as text; then columns, rows, the largest
/// value; '#' starts a comment up to the line's end. Source: the pgm(5) and ppm(5) pages of Netpbm.
class PnmReader {
public:
    PnmReader(const std::filesystem::path& path, std::string_view bytes)
        : m_path(path)
        , m_rest(bytes.substr(2))
        , m_isText(bytes[1] == '2' || bytes[1] == '3')
        , m_channels(bytes[1] == '3' || bytes[1] == '6' ? 3 : 1) {}

    core::Result<Image> read() {
        const auto columns = number();
        const auto rows = number();
        const auto largest = number();
        if (!columns || !rows || !largest || *largest < 1 || *largest > 65535)
            return damaged(m_path, "its header is not that of a PGM or PPM file");
        if (isTooLarge(*rows, *columns, m_rest.size()))
            return tooLarge(m_path, *rows, *columns);
        Image image{static_cast<std::int64_t>(*rows), static_cast<std::int64_t>(*columns), m_channels, {}};
        const std::size_t values = *rows * *columns * static_cast<std::size_t>(m_channels);
        const std::size_t valueBytes = *largest > 255 ? 2 : 1;
        if (!m_isText)
            m_rest.remove_prefix(std::min<std::size_t>(1, m_rest.size()));
        if (m_rest.size() < (m_isText ? 1 : valueBytes) * values)
            return damaged(m_path, "the file ends too early");
        image.pixels.reserve(values);
        for (std::size_t i = 0; i < values; ++i) {
            const auto value = m_isText ? number() : binary(valueBytes);
            if (!value || *value > *largest)
                return damaged(m_path, fmt::format("pixel value {} is missing or above {}", i, *largest));
            image.pixels.push_back(static_cast<std::uint8_t>((*value * 255 + *largest / 2) / *largest));
        }
        return image;
    }

private:
    void skipBlanks() {
        while (!m_rest.empty() &&
               (std::isspace(static_cast<unsigned char>(m_rest.front())) != 0 || m_rest.front() == '#'))
            m_rest.remove_prefix(m_rest.front() == '#' ? std::min(m_rest.find('\n'), m_rest.size()) : 1);
    }
    std::optional<std::uint64_t> number() {
        skipBlanks();
        std::uint64_t value = 0;
        std::size_t digits = 0;
        for (; digits < m_rest.size() && digits < 9 &&
               std::isdigit(static_cast<unsigned char>(m_rest[digits])) != 0;
             ++digits)
            value = value * 10 + static_cast<std::uint64_t>(m_rest[digits] - '0');
        m_rest.remove_prefix(digits);
        return digits > 0 ? std::optional(value) : std::nullopt;
    }
    /// Most significant byte first.
    std::optional<std::uint64_t> binary(std::size_t bytes) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i)
            value = value << 8U | static_cast<unsigned char>(m_rest[i]);
        m_rest.remove_prefix(bytes);
        return value;
    }

    const std::filesystem::path& m_path;
    std::string_view m_rest;
    bool m_isText;
    std::int64_t m_channels;
};

// --- channels --------------------------------------------------------------------------------------------

void appendPixel(std::span<const std::uint8_t> from, std::int64_t channels, std::vector<std::uint8_t>& to) {
    const bool isGrey = from.size() == 1;
    const std::uint8_t red = from[0];
    const std::uint8_t green = isGrey ? red : from[1];
    const std::uint8_t blue = isGrey ? red : from[2];
    if (channels == 1) {
        to.push_back(
            isGrey ? red
                   : static_cast<std::uint8_t>(std::lround(0.299 * red + 0.587 * green + 0.114 * blue)));
        return;
    }
    to.insert(to.end(), {red, green, blue});
    if (channels == 4)
        to.push_back(from.size() == 4 ? from[3] : 255);
}

Image withChannels(Image image, std::int64_t channels) {
    if (image.channels == channels)
        return image;
    Image converted{image.rows, image.columns, channels, {}};
    const auto stride = static_cast<std::size_t>(image.channels);
    converted.pixels.reserve(image.pixels.size() / stride * static_cast<std::size_t>(channels));
    for (std::size_t at = 0; at + stride <= image.pixels.size(); at += stride)
        appendPixel(std::span(image.pixels).subspan(at, stride), channels, converted.pixels);
    return converted;
}

core::Result<Image> decode(const std::filesystem::path& path, std::string_view bytes) {
    if (bytes.starts_with("\x89PNG"))
        return readPng(path, bytes);
    if (bytes.starts_with("\xff\xd8\xff"))
        return readJpeg(path, bytes);
    if (bytes.size() > 2 && bytes[0] == 'P' &&
        std::string_view("2356").find(bytes[1]) != std::string_view::npos)
        return PnmReader(path, bytes).read();
    return core::failure(datasetTrouble("dataset/not-an-image", path, "byte 0",
                                        "is no PNG, JPEG, PGM or PPM file",
                                        "convert it, or take it out of the folder"));
}

} // namespace

bool isImageName(const std::filesystem::path& path) {
    const std::string extension = core::lowerCase(path.extension().string());
    constexpr std::array<std::string_view, 5> extensions{".png", ".jpg", ".jpeg", ".pgm", ".ppm"};
    return std::ranges::find(extensions, extension) != extensions.end();
}

core::Result<Image> readImageFile(const std::filesystem::path& path, std::int64_t channels) {
    const auto bytes = core::readFile(path, core::FileLimit::picture);
    if (!bytes)
        return core::failure(bytes.error());
    auto image = decode(path, *bytes);
    if (!image)
        return image;
    return withChannels(std::move(*image), channels);
}

std::vector<float> resizedImage(const Image& image, std::int64_t rows, std::int64_t columns) {
    const auto channels = static_cast<std::size_t>(image.channels);
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(rows * columns) * channels);
    if (rows == image.rows && columns == image.columns) {
        values.assign(image.pixels.begin(), image.pixels.end());
        return values;
    }
    /// Where a row or column lies between two of the picture.
    struct Place {
        std::size_t low = 0;
        std::size_t high = 0;
        float share = 0;
    };
    const auto placeOf = [](std::int64_t at, std::int64_t count, std::int64_t stored) {
        const float centre =
            (static_cast<float>(at) + 0.5F) * static_cast<float>(stored) / static_cast<float>(count) - 0.5F;
        const float low = std::floor(centre);
        const auto inside = [&](float index) {
            return static_cast<std::size_t>(std::clamp(index, 0.0F, static_cast<float>(stored - 1)));
        };
        return Place{inside(low), inside(low + 1), centre - low};
    };
    for (std::int64_t row = 0; row < rows; ++row) {
        const Place y = placeOf(row, rows, image.rows);
        for (std::int64_t column = 0; column < columns; ++column) {
            const Place x = placeOf(column, columns, image.columns);
            for (std::size_t channel = 0; channel < channels; ++channel) {
                const auto at = [&](std::size_t i, std::size_t j) {
                    return static_cast<float>(
                        image.pixels[(i * static_cast<std::size_t>(image.columns) + j) * channels + channel]);
                };
                const float top = at(y.low, x.low) + (at(y.low, x.high) - at(y.low, x.low)) * x.share;
                const float bottom = at(y.high, x.low) + (at(y.high, x.high) - at(y.high, x.low)) * x.share;
                values.push_back(top + (bottom - top) * y.share);
            }
        }
    }
    return values;
}

} // namespace simulator
