#include "tests/fuzz/one_importer.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    readWithImporter("saved-model", {reinterpret_cast<const char*>(data), size});
    return 0;
}
