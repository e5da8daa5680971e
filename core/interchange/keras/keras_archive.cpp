#include "core/interchange/keras/keras_archive.h"

#include "core/base/file_limit.h"
#include "core/interchange/archive/zip_archive.h"

namespace core {

bool isKerasArchive(std::string_view bytes) {
    return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");
}

Result<std::string> kerasArchiveText(std::string_view bytes, std::string_view file) {
    // Large structures come with larger weights, so the structure of a small file is small.
    const std::size_t largestConfig = FileLimit::mebibyte + 2 * bytes.size();
    const auto archive = ZipArchive::open(bytes, file);
    if (!archive)
        return failure(archive.error());
    return archive->read("config.json", largestConfig);
}

} // namespace core
