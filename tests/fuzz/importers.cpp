#include "core/interchange/importer_catalogue.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const char* const chosen = std::getenv("IMPORTER"); // NOLINT: nothing else runs yet
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    for (const core::Importer& importer : core::importerCatalogue()) {
        if (chosen == nullptr || importer.id == chosen)
            static_cast<void>(importer.read(bytes, "file" + std::string(importer.endings.front())));
    }
    return 0;
}
