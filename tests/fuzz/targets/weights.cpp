#include "simulator/engine/replica/training_weights.h"
#include "tests/fuzz/checksums.h"
#include "tests/fuzz/input_file.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes = withZipChecksums(std::string(reinterpret_cast<const char*>(data), size));
    // HDF5 has a target of its own.
    if (bytes.starts_with("\x89HDF"))
        return 0;
    static const InputFile file("net.weights");
    file.write(bytes);
    constexpr std::int64_t most = 1 << 16;
    static_cast<void>(simulator::readWeightFile(file.path(), {most, most}));
    return 0;
}
