#include "core/interchange/importer_catalogue.h"
#include "core/interchange/keras/hdf5_helper.h"
#include "core/platform/helper_process.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

// HDF5 is read in a process of its own, which has limits of time and memory, for its library has none; here
// it is this very program. What is looked for is whatever gets past those limits, and answers that are
// believed.

extern "C" int LLVMFuzzerInitialize(const int* count, char*** words) {
    const std::vector<std::string> arguments(*words + 1, *words + *count);
    if (const auto code = core::serveHelper(arguments))
        std::exit(*code); // NOLINT: nothing else runs yet
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    constexpr std::int64_t most = 1 << 16;
    static_cast<void>(core::hdf5Weights(bytes, "weights.h5", most));
    for (const core::Importer& importer : core::importerCatalogue())
        if (importer.id == "keras-hdf5")
            static_cast<void>(importer.read(bytes, "model.h5"));
    return 0;
}
