#include "core/interchange/keras/keras_archive.h"

#include "core/base/file_limit.h"
#include "core/interchange/archive/zip_archive.h"
#include "core/interchange/keras/keras_json.h"

namespace core {

bool isKerasArchive(std::string_view bytes) {
    return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");
}

Result<ModelGraph> readKerasArchive(std::string_view bytes, std::string_view file, Diagnostics& warnings) {
    // Large structures come with larger weights, so the structure of a small file is small.
    const std::size_t largestConfig = FileLimit::mebibyte + 2 * bytes.size();
    const auto archive = ZipArchive::open(bytes, file);
    if (!archive)
        return failure(archive.error());
    const auto config = archive->read("config.json", largestConfig);
    if (!config)
        return failure(config.error());
    return readKerasModelText(*config, file, warnings);
}

} // namespace core
