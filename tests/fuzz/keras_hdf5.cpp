#include "core/interchange/keras/keras_hdf5.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    core::Diagnostics warnings;
    static_cast<void>(core::readKerasHdf5(bytes, "model.h5", warnings));
    return 0;
}
