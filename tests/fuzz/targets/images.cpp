#include "simulator/data/files/image_file.h"
#include "tests/fuzz/checksums.h"
#include "tests/fuzz/input_file.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const InputFile file("picture.png");
    file.write(withPngChecksums(std::string(reinterpret_cast<const char*>(data), size)));
    for (const std::int64_t channels : {1, 3, 4})
        if (const auto image = simulator::readImageFile(file.path(), channels))
            static_cast<void>(simulator::resizedImage(*image, 2, 3));
    return 0;
}
