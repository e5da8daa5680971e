#include "core/interchange/keras/keras_archive.h"

#include "core/interchange/archive/zip_archive.h"
#include "core/interchange/keras/keras_json.h"

#include <algorithm>

namespace core {

bool isKerasArchive(std::string_view bytes) {
    return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");
}

Result<ModelGraph> readKerasArchive(std::string_view bytes, std::string_view file, Diagnostics& warnings) {
    // A document takes some twenty times the memory of its text, so a small archive may not hold a long one.
    constexpr std::size_t mostText = std::size_t{64} << 20U;
    constexpr std::size_t textOfSmallArchive = std::size_t{5} << 19U;
    const std::size_t largestConfig = std::min(mostText, textOfSmallArchive + bytes.size());
    const auto archive = ZipArchive::open(bytes, file);
    if (!archive)
        return failure(archive.error());
    const auto config = archive->read("config.json", largestConfig);
    if (!config)
        return failure(config.error());
    return readKerasModelText(*config, file, warnings);
}

} // namespace core
