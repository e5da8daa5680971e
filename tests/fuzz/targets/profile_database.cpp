#include "tests/fuzz/input_file.h"
#include "tests/fuzz/stored_profile.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const InputFile file("net.profiles.sqlite");
    file.write({reinterpret_cast<const char*>(data), size});
    readStoredProfile(file.path());
    return 0;
}
