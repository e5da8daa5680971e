#include "tests/fuzz/checksums.h"
#include "tests/fuzz/one_importer.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    readWithImporter("keras-archive",
                     withZipChecksums(std::string(reinterpret_cast<const char*>(data), size)));
    return 0;
}
